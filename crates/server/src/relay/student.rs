//! A student's connection to a room on the relay: what it says is written there, the newest
//! alone, and as often as it takes.

use std::sync::Arc;
use std::time::Duration;

use bindpose_classroom::{MemberId, MemberKey, Refusal, RoomCode, StudentRecord};
use tokio::sync::watch;
use tokio::time::sleep;

use super::copy::RoomCopy;
use super::presence::Connection;
use super::store::{NotWritten, RelayStore, Revision, StoredPage, StoredRecord, WriterId};
use crate::class::{GRACE, SharedRoom};
use crate::no_entry::NoEntry;

/// Before something that could not be written is tried again.
const AGAIN: Duration = Duration::from_secs(1);
/// A copy of a room stays so long for who comes back.
pub(super) const LINGER: Duration = Duration::from_secs(30);

/// A connection that was let in; it leaves when it is dropped.
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
    /// Lets a student in, with everything it has: from now on what others still have to
    /// write for it is void.
    pub(super) async fn join(
        store: &RelayStore,
        copy: Arc<RoomCopy>,
        code: &RoomCode,
        key: MemberKey,
        record: StudentRecord,
        writer: WriterId,
    ) -> Result<Self, NoEntry> {
        let (id, last) = loop {
            let (id, last) = match store.record(code, &key).await? {
                Some((stored, revision)) => (stored.id, revision),
                None if !copy.has_place_for(&key) => return Err(Refusal::Full.into()),
                None => (store.take_seat(code, &key).await?, Revision::NONE),
            };
            let stored = StoredRecord { id, writer, record: record.clone() };
            match store.put_record(code, &key, &stored, last).await {
                Ok(last) => break (id, last),
                Err(NotWritten::Changed) => {}
                Err(NotWritten::Away) => return Err(NoEntry::RelayAway),
            }
        };
        let (newest, unwritten) = watch::channel(Newest { record, records: 0, pages: 0 });
        let (store, code) = (store.clone(), code.clone());
        let writer = StudentWriter { store, code, key, id, writer, last };
        tokio::spawn(writer.write(unwritten));
        let connection = Some(copy.connect(id));
        Ok(Self { id, copy, connection, newest })
    }

    pub(crate) fn id(&self) -> MemberId {
        self.id
    }

    pub(crate) fn room(&self) -> SharedRoom {
        self.copy.room().clone()
    }

    pub(crate) fn put_record(&self, record: StudentRecord) {
        self.newest.send_modify(|newest| {
            newest.record = record;
            newest.records += 1;
        });
    }

    pub(crate) fn put_page(&self, page: String, wanders: bool) {
        self.newest.send_modify(|newest| {
            (newest.record.page, newest.record.wanders) = (page, wanders);
            newest.pages += 1;
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
            sleep(GRACE).await;
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
    key: MemberKey,
    id: MemberId,
    writer: WriterId,
    /// Of the record that this connection wrote.
    last: Revision,
}

/// The student has come in elsewhere.
struct Replaced;

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
                    Ok(false) => sleep(AGAIN).await,
                    Err(Replaced) => return,
                }
            }
        }
    }

    /// Is it written? If not, once more.
    async fn write_record(&mut self, record: StudentRecord) -> Result<bool, Replaced> {
        let stored = StoredRecord { id: self.id, writer: self.writer, record };
        match self.store.put_record(&self.code, &self.key, &stored, self.last).await {
            Ok(last) => {
                self.last = last;
                return Ok(true);
            }
            Err(NotWritten::Away) => return Ok(false),
            Err(NotWritten::Changed) => {}
        }
        match self.store.record(&self.code, &self.key).await {
            // Written before, and the relay's word of it was lost.
            Ok(Some((stored, last))) if stored.writer == self.writer => self.last = last,
            Ok(Some(_)) => return Err(Replaced),
            // Older than the relay keeps anything.
            Ok(None) => self.last = Revision::NONE,
            Err(_) => {}
        }
        Ok(false)
    }

    async fn write_page(&self, record: StudentRecord) -> Result<bool, Replaced> {
        let StudentRecord { page, wanders, .. } = record;
        let page = StoredPage { writer: self.writer, page, wanders };
        Ok(self.store.put_page(&self.code, &self.key, &page).await.is_ok())
    }
}
