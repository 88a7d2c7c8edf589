//! Rooms on a relay, which is a NATS server: any number of front machines serve them all,
//! behind any balancer, and keep nothing. What a front knows of a room it reads there, and
//! what its clients say it writes there; when it dies, its clients come in by another.

mod copy;
mod front;
mod presence;
mod random;
mod rooms;
mod store;
mod student;
mod teacher;

pub use front::{RelayError, RelayFront};
pub(super) use rooms::Relay;
pub(super) use student::StudentLine;
pub(super) use teacher::TeacherLine;
