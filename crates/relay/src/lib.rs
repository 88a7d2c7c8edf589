//! Class rooms on a relay, which is a NATS server.
//!
//! Any number of front machines behind a load balancer serve all rooms of the relay. A front
//! stores nothing itself: it reads rooms from the relay and writes the messages of its clients
//! to it. If a front fails, its clients reconnect through another one.
//!
//! [`RelayFront`] connects to a relay and becomes the room of a `bindpose_class_server::WebServer`.

#![forbid(unsafe_code)]

mod connections;
mod front;
mod presence;
mod replica;
mod store;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use bindpose_class_protocol::{RejectReason, RoomCode, StudentKey, StudentRecord, TeacherSecret};
use bindpose_class_server::{EntryError, RemoteFuture, RemoteRooms, RemoteStudent, RemoteTeacher};
use tokio::time::timeout;

use connections::{StudentConnection, TeacherConnection};
use replica::RoomReplica;
use store::{RelayStore, WatchScope};

pub use front::{RelayError, RelayFront};

/// Time that a client waits to enter. If the relay is slower, the client should reconnect with
/// its current data.
const ENTRY_TIMEOUT: Duration = Duration::from_secs(5);

/// The rooms on a relay, shared by all connections of this front.
#[derive(Debug)]
struct Relay {
    store: RelayStore,
    /// Random number that identifies this front.
    front: u64,
    /// Replicas of the rooms that clients of this front have entered.
    replicas: Mutex<HashMap<(RoomCode, WatchScope), Weak<RoomReplica>>>,
}

impl Relay {
    fn new(store: RelayStore, front: u64) -> Self {
        Self { store, front, replicas: Mutex::default() }
    }

    async fn join_replica(
        &self,
        code: &RoomCode,
        key: StudentKey,
        record: StudentRecord,
    ) -> Result<StudentConnection, EntryError> {
        let replica = match self.replica(code, WatchScope::Class) {
            Some(replica) => replica,
            None => self.add_replica(code, self.secret(code).await?, WatchScope::Class),
        };
        replica.wait_until_complete().await;
        StudentConnection::join(&self.store, replica, code, key, record).await
    }

    async fn lead_replica(
        &self,
        code: &RoomCode,
        secret: &TeacherSecret,
    ) -> Result<TeacherConnection, EntryError> {
        let room_secret = self.secret(code).await?;
        if room_secret != *secret {
            return Err(RejectReason::NotTheTeacher.into());
        }
        let replica = match self.replica(code, WatchScope::ClassAndStudents) {
            Some(replica) => replica,
            None => self.add_replica(code, room_secret, WatchScope::ClassAndStudents),
        };
        replica.wait_until_complete().await;
        Ok(TeacherConnection::new(&self.store, replica, code))
    }

    async fn secret(&self, code: &RoomCode) -> Result<TeacherSecret, EntryError> {
        Ok(self.store.room(code).await?.ok_or(RejectReason::NoSuchRoom)?.secret)
    }

    fn replica(&self, code: &RoomCode, scope: WatchScope) -> Option<Arc<RoomReplica>> {
        self.lock_replicas().get(&(code.clone(), scope))?.upgrade()
    }

    /// Creates a replica, unless another client has just created the same one.
    fn add_replica(
        &self,
        code: &RoomCode,
        secret: TeacherSecret,
        scope: WatchScope,
    ) -> Arc<RoomReplica> {
        let mut replicas = self.lock_replicas();
        replicas.retain(|_, replica| replica.strong_count() > 0);
        if let Some(replica) = replicas.get(&(code.clone(), scope)).and_then(Weak::upgrade) {
            return replica;
        }
        let replica = Arc::new(RoomReplica::new(&self.store, code, secret, scope, self.front));
        replicas.insert((code.clone(), scope), Arc::downgrade(&replica));
        replica
    }

    fn lock_replicas(&self) -> MutexGuard<'_, HashMap<(RoomCode, WatchScope), Weak<RoomReplica>>> {
        self.replicas.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl RemoteRooms for Relay {
    fn may_have_room<'a>(&'a self, code: &'a RoomCode) -> RemoteFuture<'a, bool> {
        Box::pin(async {
            if self.replica(code, WatchScope::Class).is_some()
                || self.replica(code, WatchScope::ClassAndStudents).is_some()
            {
                return true;
            }
            let room = timeout(ENTRY_TIMEOUT, self.store.room(code)).await;
            !matches!(room, Ok(Ok(None)))
        })
    }

    fn join(
        &self,
        code: RoomCode,
        key: StudentKey,
        record: StudentRecord,
    ) -> RemoteFuture<'_, Result<Box<dyn RemoteStudent>, EntryError>> {
        Box::pin(async move {
            match timeout(ENTRY_TIMEOUT, self.join_replica(&code, key, record)).await {
                Ok(student) => Ok(Box::new(student?) as Box<dyn RemoteStudent>),
                Err(_) => Err(EntryError::Unavailable),
            }
        })
    }

    fn lead(
        &self,
        code: RoomCode,
        secret: TeacherSecret,
    ) -> RemoteFuture<'_, Result<Box<dyn RemoteTeacher>, EntryError>> {
        Box::pin(async move {
            match timeout(ENTRY_TIMEOUT, self.lead_replica(&code, &secret)).await {
                Ok(teacher) => Ok(Box::new(teacher?) as Box<dyn RemoteTeacher>),
                Err(_) => Err(EntryError::Unavailable),
            }
        })
    }
}
