//! A class that acts together: what a teacher and students tell each other, and what
//! each side makes of it. No network, no clock, no page.
//!
//! There are no events, only records, each with one writer: the teacher writes the
//! [`ClassState`], every student a [`StudentRecord`]. Whoever comes late, comes back or
//! was asleep reads the newest of each, and a record that is put twice counts once.

#![forbid(unsafe_code)]

mod limits;
mod message;
mod question;
mod record;
mod room;
mod room_code;
mod state;
mod student;
mod student_names;
mod tally;
mod teacher;
#[cfg(test)]
mod tests;

pub use limits::{Allowance, MEMBERS, MESSAGE_BYTES, NAME_CHARS};
pub use message::{Invitation, Poll, PollAnswer, Refusal, Said, Seen, Told};
pub use question::{AnswerKey, ClassQuestion, QuestionAddress, QuestionPhase, Round};
pub use record::{LessonProgress, MemberId, MemberKey, StudentRecord, StudentView};
pub use room::Room;
pub use room_code::{RoomCode, TeacherSecret};
pub use state::{ClassState, Follows, OpenSteps, SentPage};
pub use student::StudentClient;
pub use student_names::StudentNames;
pub use tally::Tally;
pub use teacher::TeacherClient;
