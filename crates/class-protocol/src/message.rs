//! The messages of the protocol, serialized as JSON.

use serde::{Deserialize, Serialize};

use super::limits::MAX_LINK_BYTES;
use super::record::{StudentId, StudentKey, StudentRecord, StudentView};
use super::room_code::{RoomCode, TeacherSecret};
use super::state::ClassState;

/// A message from a client to the room.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClientMessage {
    /// A student connects or reconnects.
    Join { code: RoomCode, key: StudentKey, record: StudentRecord },
    /// The teacher connects or reconnects.
    Lead { code: RoomCode, secret: TeacherSecret },
    /// The record of the student has changed.
    Record { record: StudentRecord },
    /// Only the open page in the student's record has changed.
    Page {
        /// The link of the page.
        page: String,
        /// See [`StudentRecord::wanders`].
        wanders: bool,
        /// The version of the record after this change.
        #[serde(default)]
        version: u64,
    },
    /// The teacher has changed the state of the class.
    State { state: ClassState },
}

impl ClientMessage {
    /// Returns whether the message respects the limits of the room.
    pub fn is_sound(&self) -> bool {
        match self {
            Self::Join { record, .. } | Self::Record { record } => record.is_sound(),
            Self::Page { page, .. } => page.len() <= MAX_LINK_BYTES,
            Self::State { state } => state.is_sound(),
            Self::Lead { .. } => true,
        }
    }
}

/// A message from the room to a client.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ServerMessage {
    /// The latest state of the class.
    State { state: ClassState },
    /// Confirms to a student that it has joined. The teacher knows it by this id.
    Joined { id: StudentId },
    /// Confirms to the teacher that it leads, with the invitation to display.
    Leading { invitation: Invitation },
    /// The students that have changed, for the teacher.
    Students { changed: Vec<StudentView> },
    /// The room has rejected the client or its last message.
    Refused { why: RejectReason },
}

/// The address and the code of the room, for the teacher to display.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Invitation {
    /// Addresses of the teacher's computer, with the most likely one first. Phones can usually
    /// reach only one of them. Empty if the computer is in no network.
    pub addresses: Vec<InvitedAddress>,
    /// The code of the room. `None` if there is no room yet.
    pub code: Option<RoomCode>,
}

/// An address of the room.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InvitedAddress {
    /// Host and port without `http://`, as users type them.
    pub host: String,
    /// QR code of the address with the room's code: rows of `1` for dark and `0` for light.
    /// Empty if the address is too long for a QR code.
    pub squares: Vec<String>,
}

/// The reason for which the room rejects a client or a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RejectReason {
    /// No room has the given code.
    NoSuchRoom,
    /// The secret is not the teacher's.
    NotTheTeacher,
    /// The room has the maximum number of students.
    Full,
    /// The message exceeds a limit, cannot be parsed, or is not allowed for this client.
    Malformed,
    /// The client has exceeded its message rate.
    TooOften,
}

/// The data that a connection has already received. By default none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SyncCursor {
    /// Version of the last received state. `None` if none was received.
    pub(crate) state: Option<u64>,
    /// Change number of the last received student.
    pub(crate) changes: u64,
    /// Id of the room or replica that counted the changes. Change numbers of others are not
    /// comparable.
    pub(crate) counter: u64,
}

/// A request of a browser that cannot keep a web socket open.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PollRequest {
    /// The message that opens every connection: `Join` or `Lead`.
    pub hello: ClientMessage,
    /// The messages since the last request.
    #[serde(default)]
    pub said: Vec<ClientMessage>,
    /// The cursor of the last response. The default in the first request and after a failure.
    #[serde(default)]
    pub seen: SyncCursor,
}

/// The response to a [`PollRequest`], sent as soon as there are messages or after a time limit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PollResponse {
    /// The messages that the client has not received yet.
    pub told: Vec<ServerMessage>,
    /// The cursor for the next request.
    pub seen: SyncCursor,
}
