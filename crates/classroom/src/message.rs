//! What goes over the line, as JSON.

use serde::{Deserialize, Serialize};

use super::limits::LINK_BYTES;
use super::record::{MemberId, MemberKey, StudentRecord, StudentView};
use super::room_code::{RoomCode, TeacherSecret};
use super::state::ClassState;

/// What a client says to the room.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Said {
    /// A student comes, or comes back: with everything it has.
    Join {
        /// The room's.
        code: RoomCode,
        /// The student's own.
        key: MemberKey,
        /// As it is now.
        record: StudentRecord,
    },
    /// The teacher comes, or comes back.
    Lead {
        /// The room's.
        code: RoomCode,
        /// Which makes the teacher.
        secret: TeacherSecret,
    },
    /// A student's record has changed.
    Record {
        /// As it is now.
        record: StudentRecord,
    },
    /// Only the page before a student has changed.
    Page {
        /// Its link.
        page: String,
        /// Does the student go its own way?
        wanders: bool,
        /// The record's now.
        #[serde(default)]
        version: u64,
    },
    /// The teacher has changed the state of the class.
    State {
        /// As it is now.
        state: ClassState,
    },
}

impl Said {
    /// Is it no longer than the room holds?
    pub fn is_sound(&self) -> bool {
        match self {
            Self::Join { record, .. } | Self::Record { record } => record.is_sound(),
            Self::Page { page, .. } => page.len() <= LINK_BYTES,
            Self::State { state } => state.is_sound(),
            Self::Lead { .. } => true,
        }
    }
}

/// What the room tells a client.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Told {
    /// What the teacher says to all.
    State {
        /// As it is now.
        state: ClassState,
    },
    /// To a student: it is in the room.
    Joined {
        /// What the teacher knows it by.
        id: MemberId,
    },
    /// To the teacher: how students come in.
    Leading {
        /// For the screen.
        invitation: Invitation,
    },
    /// To the teacher: students that have changed.
    Students {
        /// As they are now.
        changed: Vec<StudentView>,
    },
    /// The room takes no word of this client.
    Refused {
        /// Why.
        why: Refusal,
    },
}

/// How to come into the room, for the teacher to show.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Invitation {
    /// Addresses of the teacher's computer, the likeliest first: phones reach one of them.
    /// Empty if the computer is in no network.
    pub addresses: Vec<InvitedAddress>,
    /// The room's code; absent before there is a room.
    pub code: Option<RoomCode>,
}

/// An address under which the room is reached.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InvitedAddress {
    /// Host and port, as they are typed: without `http://`.
    pub host: String,
    /// A QR code of the address with the code: rows of `1` for dark and `0` for light;
    /// none where the address is too long for one.
    pub squares: Vec<String>,
}

/// Why a client is not heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Refusal {
    /// No room has that code.
    NoSuchRoom,
    /// Not the teacher's secret.
    NotTheTeacher,
    /// The room is full.
    Full,
    /// Longer than the room holds, not of this form, or not this client's to say.
    Malformed,
    /// Too much in too short a time.
    TooOften,
}

/// How far a connection has seen what is in the room; at first nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Seen {
    /// Version of the state; absent: none was seen.
    pub(crate) state: Option<u64>,
    /// Changes of students.
    pub(crate) changes: u64,
    /// Who counted them; another's numbers say nothing.
    pub(crate) counter: u64,
}

/// One question of a browser that can't hold a socket: who it is, what it has to say, and
/// how far it has seen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Poll {
    /// The first word on every connection.
    pub hello: Said,
    /// What is unsaid.
    #[serde(default)]
    pub said: Vec<Said>,
    /// As the last answer gave it; at first, and after a failure, absent.
    #[serde(default)]
    pub seen: Seen,
}

/// What that is answered, when there is news, or after a while.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PollAnswer {
    /// The news.
    pub told: Vec<Told>,
    /// For the next question.
    pub seen: Seen,
}
