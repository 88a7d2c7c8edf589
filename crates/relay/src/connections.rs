//! Connections of students and teachers to a room on the relay. Their messages are written to
//! the relay. Only the latest one matters, and writing it is retried until it succeeds.

use std::sync::Arc;
use std::time::Duration;

use bindpose_class_protocol::{
    ClassState, RejectReason, RoomCode, StudentId, StudentKey, StudentRecord,
};
use bindpose_class_server::{EntryError, RemoteFuture, RemoteStudent, RemoteTeacher, SharedRoom};
use tokio::sync::watch;
use tokio::time::sleep;

use super::presence::PresenceGuard;
use super::replica::RoomReplica;
use super::store::{
    RelayStore, RelayUnavailable, Revision, RoomKey, StoredPage, StoredRecord, Versioned,
    WriteError,
};

/// Delay before a failed write is retried.
const RETRY_DELAY: Duration = Duration::from_secs(1);
/// Time for which the replica of a room is kept for clients that reconnect.
const REPLICA_LINGER: Duration = Duration::from_secs(30);

/// Connection of a student who has entered. The student leaves when it is dropped.
#[derive(Debug)]
pub(crate) struct StudentConnection {
    id: StudentId,
    replica: Arc<RoomReplica>,
    /// `None` only while this is being dropped.
    presence: Option<PresenceGuard>,
    latest: watch::Sender<LatestStudent>,
}

/// The latest data of a student, with the number of messages that have changed it.
#[derive(Clone, Debug)]
struct LatestStudent {
    record: StudentRecord,
    record_count: u64,
    page_count: u64,
}

impl StudentConnection {
    /// Lets a student enter and writes the record to the relay, unless it has a newer one.
    /// Afterwards other connections of the student can no longer write, because their data is
    /// older.
    pub(super) async fn join(
        store: &RelayStore,
        replica: Arc<RoomReplica>,
        code: &RoomCode,
        key: StudentKey,
        record: StudentRecord,
    ) -> Result<Self, EntryError> {
        let record_key = RoomKey::Record(key.clone());
        let (stored, record_revision) = loop {
            let (id, mut revision) = match store.record(code, &key).await? {
                Some((stored, revision)) if stored.version() >= record.version => {
                    break (stored, revision);
                }
                Some((stored, revision)) => (stored.id, revision),
                None if !replica.has_seat_for(&key) => return Err(RejectReason::Full.into()),
                None => (store.take_seat(code, &key).await?, Revision::NONE),
            };
            let stored = StoredRecord { id, record: record.clone() };
            if store.put_newer(code, &record_key, &stored, &mut revision).await? {
                break (stored, revision);
            }
        };
        let StoredRecord { id, record } = stored;
        let (latest, latest_receiver) =
            watch::channel(LatestStudent { record, record_count: 0, page_count: 0 });
        let writer = StudentWriter {
            store: store.clone(),
            code: code.clone(),
            id,
            record_key,
            record_revision,
            page_key: RoomKey::Page(key),
            page_revision: Revision::NONE,
        };
        tokio::spawn(writer.write_changes(latest_receiver));
        let presence = Some(replica.connect(id));
        Ok(Self { id, replica, presence, latest })
    }
}

impl RemoteStudent for StudentConnection {
    fn id(&self) -> StudentId {
        self.id
    }

    fn room(&self) -> SharedRoom {
        self.replica.room().clone()
    }

    // A poll may contain messages that are older than its own first message.
    fn put_record(&self, record: StudentRecord) {
        self.latest.send_if_modified(|latest| {
            let is_current = record.version >= latest.record.version;
            if is_current {
                latest.record = record;
                latest.record_count += 1;
            }
            is_current
        });
    }

    fn put_page(&self, page: String, wanders: bool, version: u64) {
        self.latest.send_if_modified(|latest| {
            let is_current = version >= latest.record.version;
            if is_current {
                latest.record.page = page;
                latest.record.wanders = wanders;
                latest.record.version = version;
                latest.page_count += 1;
            }
            is_current
        });
    }

    fn wait_until_replaced(&self) -> RemoteFuture<'_, ()> {
        // The writer ends and drops its receiver.
        Box::pin(self.latest.closed())
    }
}

impl Drop for StudentConnection {
    fn drop(&mut self) {
        let presence = self.presence.take();
        let replica = Arc::clone(&self.replica);
        tokio::spawn(async move {
            sleep(replica.room().reconnect_timeout()).await;
            drop(presence);
            sleep(REPLICA_LINGER).await;
            drop(replica);
        });
    }
}

/// Writes the data of one student connection to the relay.
struct StudentWriter {
    store: RelayStore,
    code: RoomCode,
    id: StudentId,
    record_key: RoomKey,
    /// Revision of the record that this connection has written last.
    record_revision: Revision,
    page_key: RoomKey,
    /// Revision of the page that this connection has written last.
    page_revision: Revision,
}

impl StudentWriter {
    /// Writes all changes, until the connection is dropped and its last change is written, or
    /// the student has entered through another connection.
    async fn write_changes(mut self, mut latest_receiver: watch::Receiver<LatestStudent>) {
        // `None` if the relay may have lost the record.
        let mut written_record_count = Some(0);
        let mut written_page_count = 0;
        let mut reconnected = self.store.watch_reconnects();
        loop {
            tokio::select! {
                changed = latest_receiver.changed() => if changed.is_err() { return },
                _ = reconnected.changed() => written_record_count = None,
            }
            loop {
                let latest = latest_receiver.borrow_and_update().clone();
                self.store.wait_until_connected().await;
                let result = if written_record_count != Some(latest.record_count) {
                    self.write_record(latest.record).await
                } else if latest.page_count != written_page_count {
                    self.write_page(latest.record).await
                } else {
                    Ok(true)
                };
                match result {
                    Ok(true) => {
                        written_record_count = Some(latest.record_count);
                        written_page_count = latest.page_count;
                        break;
                    }
                    // The student has entered through another connection.
                    Ok(false) => return,
                    Err(RelayUnavailable) => sleep(RETRY_DELAY).await,
                }
            }
        }
    }

    /// Returns false if the relay has a newer record.
    async fn write_record(&mut self, record: StudentRecord) -> Result<bool, RelayUnavailable> {
        let stored = StoredRecord { id: self.id, record };
        let revision = &mut self.record_revision;
        self.store.put_newer(&self.code, &self.record_key, &stored, revision).await
    }

    /// Returns false if the relay has a newer page.
    async fn write_page(&mut self, record: StudentRecord) -> Result<bool, RelayUnavailable> {
        let StudentRecord { page, wanders, version, .. } = record;
        let stored = StoredPage { version, page, wanders };
        let revision = &mut self.page_revision;
        self.store.put_newer(&self.code, &self.page_key, &stored, revision).await
    }
}

/// Connection of a teacher who has entered. The teacher leaves when it is dropped.
#[derive(Debug)]
pub(crate) struct TeacherConnection {
    replica: Arc<RoomReplica>,
    latest_state: watch::Sender<ClassState>,
}

impl TeacherConnection {
    pub(super) fn new(store: &RelayStore, replica: Arc<RoomReplica>, code: &RoomCode) -> Self {
        let (latest_state, state_receiver) = watch::channel(ClassState::default());
        tokio::spawn(write_states(store.clone(), code.clone(), state_receiver));
        Self { replica, latest_state }
    }
}

impl RemoteTeacher for TeacherConnection {
    fn room(&self) -> SharedRoom {
        self.replica.room().clone()
    }

    fn put_state(&self, state: ClassState) {
        self.latest_state.send_replace(state);
    }
}

impl Drop for TeacherConnection {
    fn drop(&mut self) {
        let replica = Arc::clone(&self.replica);
        tokio::spawn(async move {
            sleep(REPLICA_LINGER).await;
            drop(replica);
        });
    }
}

/// Writes the states of a teacher, until the connection is dropped and its last state is written.
async fn write_states(
    store: RelayStore,
    code: RoomCode,
    mut state_receiver: watch::Receiver<ClassState>,
) {
    while state_receiver.changed().await.is_ok() {
        loop {
            let state = state_receiver.borrow_and_update().clone();
            store.wait_until_connected().await;
            match store.put_newer_state(&code, &state).await {
                Ok(()) => break,
                Err(WriteError::Conflict) => {}
                Err(WriteError::Unavailable) => sleep(RETRY_DELAY).await,
            }
        }
    }
}
