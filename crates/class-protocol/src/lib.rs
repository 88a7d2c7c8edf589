//! The protocol of a class: the messages between a teacher and students, and the state on both
//! sides and in the room between them. No network, no clock, no user interface.
//!
//! The protocol has no events. It replicates records with one writer each: the teacher writes
//! the [`ClassState`], every student a [`StudentRecord`]. Clients that connect late or reconnect
//! read the latest version of each record. Sending a record twice has no further effect.

#![forbid(unsafe_code)]

mod limits;
mod message;
mod record;
mod room;
mod room_code;
mod state;
mod student;
mod teacher;
#[cfg(test)]
mod tests;

pub use limits::{MAX_MESSAGE_BYTES, MAX_NAME_CHARS, MAX_STUDENTS, RateLimiter};
pub use message::{
    ClientMessage, Invitation, InvitedAddress, PollRequest, PollResponse, RejectReason,
    ServerMessage, SyncCursor,
};
pub use record::{LessonProgress, StudentId, StudentKey, StudentNames, StudentRecord, StudentView};
pub use room::Room;
pub use room_code::{RoomCode, TeacherSecret};
pub use state::{
    AnswerKey, ClassQuestion, ClassState, FollowMode, OpenSteps, QuestionAddress, QuestionPhase,
    Round, SentPage,
};
pub use student::StudentClient;
pub use teacher::{AnswerTally, TeacherClient};
