//! Rooms on other machines, which a server makes accessible to its clients.

use std::fmt::Debug;
use std::pin::Pin;

use bindpose_class_protocol::{
    ClassState, RejectReason, RoomCode, StudentId, StudentKey, StudentRecord, TeacherSecret,
};

use crate::SharedRoom;

/// Future of a method of [`RemoteRooms`].
pub type RemoteFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Rooms on other machines. A server with them stores nothing itself.
pub trait RemoteRooms: Debug + Send + Sync {
    /// Returns whether there is a room with the code. Also returns true if that is not known,
    /// because the other machine does not respond.
    fn may_have_room<'a>(&'a self, code: &'a RoomCode) -> RemoteFuture<'a, bool>;

    /// Lets a student enter. The record must be valid.
    fn join(
        &self,
        code: RoomCode,
        key: StudentKey,
        record: StudentRecord,
    ) -> RemoteFuture<'_, Result<Box<dyn RemoteStudent>, EntryError>>;

    /// Lets the teacher enter, who must know the secret.
    fn lead(
        &self,
        code: RoomCode,
        secret: TeacherSecret,
    ) -> RemoteFuture<'_, Result<Box<dyn RemoteTeacher>, EntryError>>;
}

/// A student who has entered a room on another machine. The student leaves when this is dropped.
pub trait RemoteStudent: Send + Sync {
    fn id(&self) -> StudentId;

    /// Returns a read-only replica of the room.
    fn room(&self) -> SharedRoom;

    /// Updates the record unless it is older than the current one.
    fn put_record(&self, record: StudentRecord);

    /// Updates the page unless it is older than the current one.
    fn put_page(&self, page: String, wanders: bool, version: u64);

    /// Waits until the same student has entered through another connection, possibly forever.
    fn wait_until_replaced(&self) -> RemoteFuture<'_, ()>;
}

/// A teacher who has entered a room on another machine. The teacher leaves when this is dropped.
pub trait RemoteTeacher: Send + Sync {
    /// Returns a read-only replica of the room.
    fn room(&self) -> SharedRoom;

    fn put_state(&self, state: ClassState);
}

/// Reason why a client cannot enter a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryError {
    /// The client is rejected. A new attempt would be too.
    Refused(RejectReason),
    /// The machine with the room does not respond. A new attempt may succeed.
    Unavailable,
}

impl From<RejectReason> for EntryError {
    fn from(reason: RejectReason) -> Self {
        Self::Refused(reason)
    }
}
