//! A class that acts together: what a teacher and students tell each other, and what
//! each side makes of it. No network, no clock, no page.
//!
//! There are no events, only records, each with one writer: the teacher writes the
//! [`ClassState`], every student a [`StudentRecord`]. Whoever comes late, comes back or
//! was asleep reads the newest of each, and a record that is put twice counts once.

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

pub use limits::{Allowance, MEMBERS, MESSAGE_BYTES, NAME_CHARS};
pub use message::{Invitation, InvitedAddress, Poll, PollAnswer, Refusal, Said, Seen, Told};
pub use record::{LessonProgress, MemberId, MemberKey, StudentNames, StudentRecord, StudentView};
pub use room::Room;
pub use room_code::{RoomCode, TeacherSecret};
pub use state::{
    AnswerKey, ClassQuestion, ClassState, Follows, OpenSteps, QuestionAddress, QuestionPhase,
    Round, SentPage,
};
pub use student::StudentClient;
pub use teacher::{Tally, TeacherClient};
