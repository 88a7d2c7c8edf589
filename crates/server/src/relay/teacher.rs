//! A teacher's connection to a room on the relay.

use std::sync::Arc;
use std::time::Duration;

use bindpose_classroom::{ClassState, RoomCode};
use tokio::sync::watch;
use tokio::time::sleep;

use super::copy::RoomCopy;
use super::store::{NotWritten, RelayStore};
use super::student::LINGER;
use crate::class::SharedRoom;

/// Before something that could not be written is tried again.
const AGAIN: Duration = Duration::from_secs(1);

/// A connection that was let in; it leaves when it is dropped.
#[derive(Debug)]
pub(crate) struct TeacherLine {
    copy: Arc<RoomCopy>,
    newest: watch::Sender<ClassState>,
}

impl TeacherLine {
    pub(super) fn new(store: &RelayStore, copy: Arc<RoomCopy>, code: &RoomCode) -> Self {
        let (newest, unwritten) = watch::channel(ClassState::default());
        tokio::spawn(write(store.clone(), code.clone(), unwritten));
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

/// Until the connection is gone and all is written.
async fn write(store: RelayStore, code: RoomCode, mut unwritten: watch::Receiver<ClassState>) {
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
