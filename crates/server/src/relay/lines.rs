//! Connections of students and of teachers to a room on the relay: what they say is written
//! there, the newest alone, and as often as it takes.

use std::sync::Arc;
use std::time::Duration;

use bindpose_classroom::{ClassState, MemberId, MemberKey, Refusal, RoomCode, StudentRecord};
use tokio::sync::watch;
use tokio::time::sleep;

use super::copy::RoomCopy;
use super::presence::Connection;
use super::store::{
    Away, NotWritten, RelayStore, Revision, RoomKey, StoredPage, StoredRecord, Versioned,
};
use crate::class::SharedRoom;
use crate::no_entry::NoEntry;

/// Before something that could not be written is tried again.
const AGAIN: Duration = Duration::from_secs(1);
/// A copy of a room stays so long for who comes back.
const LINGER: Duration = Duration::from_secs(30);

/// A student’s connection that was let in; it leaves when it is dropped.
#[derive(Debug)]
pub(crate) struct StudentLine {
    id: MemberId,
    copy: Arc<RoomCopy>,
    /// Taken when it leaves.
    connection: Option<Connection>,
    newest: watch::Sender<Newest>,
}

/// The student as it is now, and how often it has said so.
#[derive(Clone, Debug)]
struct Newest {
    record: StudentRecord,
    records: u64,
    pages: u64,
}

impl StudentLine {
    /// Lets a student in, with everything it has, if the relay has nothing newer: from now on
    /// what other lines still have to write for it is older.
    pub(super) async fn join(
        store: &RelayStore,
        copy: Arc<RoomCopy>,
        code: &RoomCode,
        key: MemberKey,
        record: StudentRecord,
    ) -> Result<Self, NoEntry> {
        let place = RoomKey::Record(key.clone());
        let (stored, last) = loop {
            let (id, mut last) = match store.record(code, &key).await? {
                Some((stored, last)) if stored.version() >= record.version => break (stored, last),
                Some((stored, last)) => (stored.id, last),
                None if !copy.has_place_for(&key) => return Err(Refusal::Full.into()),
                None => (store.take_seat(code, &key).await?, Revision::NONE),
            };
            let stored = StoredRecord { id, record: record.clone() };
            if store.put_newer(code, &place, &stored, &mut last).await? {
                break (stored, last);
            }
        };
        let StoredRecord { id, record } = stored;
        let (newest, unwritten) = watch::channel(Newest { record, records: 0, pages: 0 });
        let (store, code) = (store.clone(), code.clone());
        let (record, page) = ((place, last), (RoomKey::Page(key), Revision::NONE));
        tokio::spawn(StudentWriter { store, code, id, record, page }.write(unwritten));
        let connection = Some(copy.connect(id));
        Ok(Self { id, copy, connection, newest })
    }

    pub(crate) fn id(&self) -> MemberId {
        self.id
    }

    pub(crate) fn room(&self) -> SharedRoom {
        self.copy.room().clone()
    }

    /// If it is not older: a poll brings what was said before its own first word.
    pub(crate) fn put_record(&self, record: StudentRecord) {
        self.newest.send_if_modified(|newest| {
            let is_newest = record.version >= newest.record.version;
            if is_newest {
                newest.record = record;
                newest.records += 1;
            }
            is_newest
        });
    }

    /// The same.
    pub(crate) fn put_page(&self, page: String, wanders: bool, version: u64) {
        self.newest.send_if_modified(|newest| {
            let is_newest = version >= newest.record.version;
            if is_newest {
                let record = &mut newest.record;
                (record.page, record.wanders, record.version) = (page, wanders, version);
                newest.pages += 1;
            }
            is_newest
        });
    }

    /// Waits until the same student has come in elsewhere.
    pub(crate) async fn is_replaced(&self) {
        self.newest.closed().await;
    }
}

impl Drop for StudentLine {
    fn drop(&mut self) {
        let (connection, copy) = (self.connection.take(), Arc::clone(&self.copy));
        tokio::spawn(async move {
            sleep(copy.room().patience.grace).await;
            drop(connection);
            sleep(LINGER).await;
            drop(copy);
        });
    }
}

/// Writes for one connection, until that is gone and all is written.
struct StudentWriter {
    store: RelayStore,
    code: RoomCode,
    id: MemberId,
    /// Where, and as what this connection wrote it last.
    record: (RoomKey, Revision),
    page: (RoomKey, Revision),
}

impl StudentWriter {
    async fn write(mut self, mut unwritten: watch::Receiver<Newest>) {
        let (mut records, mut pages) = (Some(0), 0);
        let mut comes_back = self.store.comes_back();
        loop {
            tokio::select! {
                changed = unwritten.changed() => if changed.is_err() { return },
                _ = comes_back.changed() => records = None,
            }
            loop {
                let newest = unwritten.borrow_and_update().clone();
                self.store.connected().await;
                let written = if records != Some(newest.records) {
                    self.write_record(newest.record).await
                } else if newest.pages != pages {
                    self.write_page(newest.record).await
                } else {
                    Ok(true)
                };
                match written {
                    Ok(true) => {
                        (records, pages) = (Some(newest.records), newest.pages);
                        break;
                    }
                    // The student has come in elsewhere.
                    Ok(false) => return,
                    Err(Away) => sleep(AGAIN).await,
                }
            }
        }
    }

    /// Is it the newest? If the relay is away, once more.
    async fn write_record(&mut self, record: StudentRecord) -> Result<bool, Away> {
        let (key, last) = &mut self.record;
        let stored = StoredRecord { id: self.id, record };
        self.store.put_newer(&self.code, key, &stored, last).await
    }

    /// The same.
    async fn write_page(&mut self, record: StudentRecord) -> Result<bool, Away> {
        let StudentRecord { page, wanders, version, .. } = record;
        let (key, last) = &mut self.page;
        let stored = StoredPage { version, page, wanders };
        self.store.put_newer(&self.code, key, &stored, last).await
    }
}

/// A teacher’s connection that was let in; it leaves when it is dropped.
#[derive(Debug)]
pub(crate) struct TeacherLine {
    copy: Arc<RoomCopy>,
    newest: watch::Sender<ClassState>,
}

impl TeacherLine {
    pub(super) fn new(store: &RelayStore, copy: Arc<RoomCopy>, code: &RoomCode) -> Self {
        let (newest, unwritten) = watch::channel(ClassState::default());
        tokio::spawn(write_states(store.clone(), code.clone(), unwritten));
        Self { copy, newest }
    }

    pub(crate) fn room(&self) -> SharedRoom {
        self.copy.room().clone()
    }

    pub(crate) fn put_state(&self, state: ClassState) {
        self.newest.send_replace(state);
    }
}

impl Drop for TeacherLine {
    fn drop(&mut self) {
        let copy = Arc::clone(&self.copy);
        tokio::spawn(async move {
            sleep(LINGER).await;
            drop(copy);
        });
    }
}

/// Writes what the teacher says, until the connection is gone and all is written.
async fn write_states(
    store: RelayStore,
    code: RoomCode,
    mut unwritten: watch::Receiver<ClassState>,
) {
    while unwritten.changed().await.is_ok() {
        loop {
            let state = unwritten.borrow_and_update().clone();
            store.connected().await;
            match store.put_newer_state(&code, &state).await {
                Ok(()) => break,
                Err(NotWritten::Changed) => {}
                Err(NotWritten::Away) => sleep(AGAIN).await,
            }
        }
    }
}
