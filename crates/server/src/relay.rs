//! Rooms on a relay, which is a NATS server: any number of front machines serve them all,
//! behind any balancer, and keep nothing. What a front knows of a room it reads there, and
//! what its clients say it writes there; when it dies, its clients come in by another.

mod copy;
mod front;
mod lines;
mod presence;
mod store;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use bindpose_classroom::{MemberKey, Refusal, RoomCode, StudentRecord, TeacherSecret};
use tokio::time::timeout;

use crate::no_entry::NoEntry;
use copy::RoomCopy;
use store::{RelayStore, Watched};

pub use front::{RelayError, RelayFront};
pub(super) use lines::{StudentLine, TeacherLine};

/// Who comes in waits so long for the relay; then it had better come again, with what it has
/// by then.
const PATIENCE: Duration = Duration::from_secs(5);

/// The rooms on a relay, for all connections of this front.
#[derive(Debug)]
pub(crate) struct Relay {
    store: RelayStore,
    /// A number that no other front has.
    front: u64,
    /// Of rooms in which somebody here is.
    copies: Mutex<HashMap<(RoomCode, Watched), Weak<RoomCopy>>>,
}

impl Relay {
    fn new(store: RelayStore, front: u64) -> Self {
        Self { store, front, copies: Mutex::default() }
    }

    /// Is there a room of that code? Yes, where the relay doesn't say.
    pub(crate) async fn has(&self, code: &RoomCode) -> bool {
        let known = [Watched::Class, Watched::ClassAndStudents];
        if known.iter().any(|&what| self.copy(code, what).is_some()) {
            return true;
        }
        let room = timeout(PATIENCE, self.store.room(code)).await;
        !matches!(room, Ok(Ok(None)))
    }

    /// Lets in a student whose record is sound.
    pub(crate) async fn join(
        &self,
        code: &RoomCode,
        key: MemberKey,
        record: StudentRecord,
    ) -> Result<StudentLine, NoEntry> {
        let join = async {
            let copy = match self.copy(code, Watched::Class) {
                Some(copy) => copy,
                None => self.follow(code, self.secret(code).await?, Watched::Class),
            };
            copy.whole().await;
            StudentLine::join(&self.store, copy, code, key, record).await
        };
        timeout(PATIENCE, join).await.unwrap_or(Err(NoEntry::RelayAway))
    }

    /// Lets in who knows the teacher's secret.
    pub(crate) async fn lead(
        &self,
        code: &RoomCode,
        secret: &TeacherSecret,
    ) -> Result<TeacherLine, NoEntry> {
        let lead = async {
            let right = self.secret(code).await?;
            if right != *secret {
                return Err(Refusal::NotTheTeacher.into());
            }
            let copy = match self.copy(code, Watched::ClassAndStudents) {
                Some(copy) => copy,
                None => self.follow(code, right, Watched::ClassAndStudents),
            };
            copy.whole().await;
            Ok(TeacherLine::new(&self.store, copy, code))
        };
        timeout(PATIENCE, lead).await.unwrap_or(Err(NoEntry::RelayAway))
    }

    async fn secret(&self, code: &RoomCode) -> Result<TeacherSecret, NoEntry> {
        Ok(self.store.room(code).await?.ok_or(Refusal::NoSuchRoom)?.secret)
    }

    fn copy(&self, code: &RoomCode, what: Watched) -> Option<Arc<RoomCopy>> {
        self.copies().get(&(code.clone(), what))?.upgrade()
    }

    /// Two may ask for the same copy at the same time.
    fn follow(&self, code: &RoomCode, secret: TeacherSecret, what: Watched) -> Arc<RoomCopy> {
        let mut copies = self.copies();
        copies.retain(|_, copy| copy.strong_count() > 0);
        let known = copies.get(&(code.clone(), what)).and_then(Weak::upgrade);
        known.unwrap_or_else(|| {
            let copy = Arc::new(RoomCopy::follow(&self.store, code, secret, what, self.front));
            copies.insert((code.clone(), what), Arc::downgrade(&copy));
            copy
        })
    }

    fn copies(&self) -> MutexGuard<'_, HashMap<(RoomCode, Watched), Weak<RoomCopy>>> {
        self.copies.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
