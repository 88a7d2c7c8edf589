//! Storage of rooms on the relay, in a `JetStream` key-value bucket. Each key has one writer. Only
//! the latest value is stored, for a day.
//!
//! | key | value | writer |
//! | --- | --- | --- |
//! | `K7QF.class.room` | [`StoredRoom`] | the front that opened it |
//! | `K7QF.class.state` | [`ClassState`] | the teacher |
//! | `K7QF.class.seat.<member key>` | empty; its revision is the [`StudentId`] | the student |
//! | `K7QF.student.record.<member key>` | [`StoredRecord`] | the student |
//! | `K7QF.student.page.<member key>` | [`StoredPage`] | the student |
//!
//! A front that has only students of a room watches `K7QF.class.>`, one with its teacher `K7QF.>`.

use std::time::Duration;

use async_nats::Client;
use async_nats::connection::State;
use async_nats::jetstream::kv::{CreateErrorKind, Store, UpdateErrorKind, Watch};
use async_nats::jetstream::stream::{Config, DiscardPolicy};
use bindpose_class_protocol::{
    ClassState, MAX_MESSAGE_BYTES, RoomCode, StudentId, StudentKey, StudentRecord, TeacherSecret,
};
use bindpose_class_server::EntryError;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tokio::sync::watch;
use tokio::time::sleep;

const BUCKET: &str = "bindpose-classes";
/// Time after which values expire.
const MAX_VALUE_AGE: Duration = Duration::from_hours(24);
/// Interval at which the connection to the relay is checked while it is unavailable.
const CONNECTION_CHECK_INTERVAL: Duration = Duration::from_millis(250);

#[derive(Clone, Debug)]
pub(super) struct RelayStore {
    client: Client,
    values: Store,
    /// Notifies when the client has connected or reconnected.
    connected: watch::Receiver<()>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct StoredRoom {
    pub(super) secret: TeacherSecret,
}

/// A value of a student, whose version increases with every change. If a front fails, the student
/// reconnects through another one, and values that the first front may still write are older.
pub(super) trait Versioned: PartialEq + Serialize + DeserializeOwned {
    fn version(&self) -> u64;
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct StoredRecord {
    pub(super) id: StudentId,
    pub(super) record: StudentRecord,
}

impl Versioned for StoredRecord {
    fn version(&self) -> u64 {
        self.record.version
    }
}

/// The current page of a student, if it has changed since the record was written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct StoredPage {
    pub(super) version: u64,
    pub(super) page: String,
    pub(super) wanders: bool,
}

impl Versioned for StoredPage {
    fn version(&self) -> u64 {
        self.version
    }
}

/// The revision of a value, assigned by the relay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Revision(u64);

impl Revision {
    /// Revision of a value that does not exist.
    pub(super) const NONE: Self = Self(0);
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WriteError {
    /// The value does not have the expected revision, because somebody else has written it.
    Conflict,
    /// The relay does not respond, or its storage is full.
    Unavailable,
}

/// The relay does not respond, or responds with invalid values.
#[derive(Debug)]
pub(super) struct RelayUnavailable;

impl From<RelayUnavailable> for EntryError {
    fn from(RelayUnavailable: RelayUnavailable) -> Self {
        Self::Unavailable
    }
}

/// The values of a room that a front watches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum WatchScope {
    /// The state of the class and the seats, for students.
    Class,
    /// The values of all students too, for the teacher.
    ClassAndStudents,
}

/// Identifies a value of a room.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum RoomKey {
    Room,
    State,
    Seat(StudentKey),
    Record(StudentKey),
    Page(StudentKey),
}

impl RoomKey {
    fn to_key(&self, code: &RoomCode) -> String {
        match self {
            Self::Room => format!("{code}.class.room"),
            Self::State => format!("{code}.class.state"),
            Self::Seat(key) => format!("{code}.class.seat.{}", key.as_str()),
            Self::Record(key) => format!("{code}.student.record.{}", key.as_str()),
            Self::Page(key) => format!("{code}.student.page.{}", key.as_str()),
        }
    }

    /// Parses a key without checking the code of the room. Returns `None` for an unknown key,
    /// which a later version of the program may have written.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split('.').skip(1);
        let group = parts.next()?;
        let kind = parts.next()?;
        let member = parts.next().and_then(|member| member.parse().ok());
        match (group, kind, member) {
            ("class", "room", None) => Some(Self::Room),
            ("class", "state", None) => Some(Self::State),
            ("class", "seat", Some(member)) => Some(Self::Seat(member)),
            ("student", "record", Some(member)) => Some(Self::Record(member)),
            ("student", "page", Some(member)) => Some(Self::Page(member)),
            _ => None,
        }
    }
}

impl RelayStore {
    /// Opens the bucket on the relay, and creates it if necessary. Returns an error if the relay
    /// has no `JetStream`.
    pub(super) async fn open(
        client: Client,
        connected: watch::Receiver<()>,
    ) -> Result<Self, async_nats::Error> {
        let jetstream = async_nats::jetstream::new(client.clone());
        // Creates the stream directly, because `create_key_value` sends a request first whose
        // response it cannot parse with the NATS server of Debian.
        jetstream.get_or_create_stream(bucket_config()).await?;
        let values = jetstream.get_key_value(BUCKET).await?;
        Ok(Self { client, values, connected })
    }

    pub(super) fn client(&self) -> &Client {
        &self.client
    }

    pub(super) fn is_connected(&self) -> bool {
        self.client.connection_state() == State::Connected
    }

    /// Waits until the relay is available. Otherwise the client would queue all messages.
    pub(super) async fn wait_until_connected(&self) {
        while !self.is_connected() {
            sleep(CONNECTION_CHECK_INTERVAL).await;
        }
    }

    /// Returns a receiver that is notified when the client reconnects. The relay may then have
    /// lost its last values, which must be written again.
    pub(super) fn watch_reconnects(&self) -> watch::Receiver<()> {
        let mut connected = self.connected.clone();
        connected.mark_unchanged();
        connected
    }

    /// Opens a room. Returns false if there is already one with the code.
    pub(super) async fn open_room(
        &self,
        code: &RoomCode,
        room: &StoredRoom,
    ) -> Result<bool, async_nats::Error> {
        let value = serde_json::to_vec(room)?;
        match self.values.create(RoomKey::Room.to_key(code), value.into()).await {
            Ok(_) => Ok(true),
            Err(error) if error.kind() == CreateErrorKind::AlreadyExists => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Writes the room again, so that it does not expire.
    pub(super) async fn refresh_room(&self, code: &RoomCode, room: &StoredRoom) {
        if let Ok(value) = serde_json::to_vec(room) {
            // If this fails, the next refresh is still in time.
            let _ = self.values.put(RoomKey::Room.to_key(code), value.into()).await;
        }
    }

    pub(super) async fn room(
        &self,
        code: &RoomCode,
    ) -> Result<Option<StoredRoom>, RelayUnavailable> {
        Ok(self.read(code, &RoomKey::Room).await?.map(|(room, _)| room))
    }

    /// Writes the state of the class, unless the stored state has the same or a newer version.
    pub(super) async fn put_newer_state(
        &self,
        code: &RoomCode,
        state: &ClassState,
    ) -> Result<(), WriteError> {
        let (stored_version, revision) = match self.read::<ClassState>(code, &RoomKey::State).await
        {
            Ok(Some((stored, revision))) => (stored.version, revision),
            // The initial state has version 0 and need not be stored.
            Ok(None) => (0, Revision::NONE),
            Err(RelayUnavailable) => return Err(WriteError::Unavailable),
        };
        if stored_version >= state.version {
            return Ok(());
        }
        self.replace(code, &RoomKey::State, state, revision).await.map(drop)
    }

    /// Assigns a seat to a student, whose revision becomes the student's id. A student who has a
    /// seat keeps it.
    pub(super) async fn take_seat(
        &self,
        code: &RoomCode,
        key: &StudentKey,
    ) -> Result<StudentId, RelayUnavailable> {
        let seat = RoomKey::Seat(key.clone()).to_key(code);
        let revision = match self.values.create(&seat, "".into()).await {
            Ok(revision) => revision,
            Err(error) if error.kind() == CreateErrorKind::AlreadyExists => {
                let taken = self.values.entry(seat).await.ok().flatten();
                taken.ok_or(RelayUnavailable)?.revision
            }
            Err(_) => return Err(RelayUnavailable),
        };
        u32::try_from(revision).map(StudentId).ok().ok_or(RelayUnavailable)
    }

    pub(super) async fn record(
        &self,
        code: &RoomCode,
        key: &StudentKey,
    ) -> Result<Option<(StoredRecord, Revision)>, RelayUnavailable> {
        self.read(code, &RoomKey::Record(key.clone())).await
    }

    /// Writes a value unless the relay has a newer one, in which case it returns false.
    ///
    /// `revision` is the revision that this connection has written last, and is updated.
    pub(super) async fn put_newer<T: Versioned>(
        &self,
        code: &RoomCode,
        key: &RoomKey,
        value: &T,
        revision: &mut Revision,
    ) -> Result<bool, RelayUnavailable> {
        loop {
            match self.replace(code, key, value, *revision).await {
                Ok(new_revision) => {
                    *revision = new_revision;
                    return Ok(true);
                }
                Err(WriteError::Unavailable) => return Err(RelayUnavailable),
                Err(WriteError::Conflict) => {}
            }
            match self.read::<T>(code, key).await? {
                // An earlier attempt succeeded, but its confirmation was lost.
                Some((stored, stored_revision)) if stored == *value => {
                    *revision = stored_revision;
                    return Ok(true);
                }
                Some((stored, _)) if stored.version() >= value.version() => return Ok(false),
                Some((_, stored_revision)) => *revision = stored_revision,
                // The value has expired.
                None => *revision = Revision::NONE,
            }
        }
    }

    /// Watches the values of a room: first the existing ones in the order of their revisions,
    /// then all changes.
    pub(super) async fn watch(
        &self,
        code: &RoomCode,
        scope: WatchScope,
    ) -> Result<Watch, RelayUnavailable> {
        let keys = match scope {
            WatchScope::Class => format!("{code}.class.>"),
            WatchScope::ClassAndStudents => format!("{code}.>"),
        };
        self.values.watch_with_history(keys).await.ok().ok_or(RelayUnavailable)
    }

    async fn read<T: DeserializeOwned>(
        &self,
        code: &RoomCode,
        key: &RoomKey,
    ) -> Result<Option<(T, Revision)>, RelayUnavailable> {
        match self.values.entry(key.to_key(code)).await {
            Ok(None) => Ok(None),
            Ok(Some(entry)) => {
                let value = serde_json::from_slice(&entry.value).ok().ok_or(RelayUnavailable)?;
                Ok(Some((value, Revision(entry.revision))))
            }
            Err(_) => Err(RelayUnavailable),
        }
    }

    /// Writes a value if the stored one has the expected revision.
    async fn replace(
        &self,
        code: &RoomCode,
        key: &RoomKey,
        value: &impl Serialize,
        expected: Revision,
    ) -> Result<Revision, WriteError> {
        let value = serde_json::to_vec(value).ok().ok_or(WriteError::Unavailable)?;
        match self.values.update(key.to_key(code), value.into(), expected.0).await {
            Ok(revision) => Ok(Revision(revision)),
            Err(error) if error.kind() == UpdateErrorKind::WrongLastRevision => {
                Err(WriteError::Conflict)
            }
            Err(_) => Err(WriteError::Unavailable),
        }
    }
}

/// Returns the configuration of the stream behind the bucket.
fn bucket_config() -> Config {
    Config {
        name: format!("KV_{BUCKET}"),
        description: Some("Classes of Bindpose; nothing is kept for longer than a day".to_owned()),
        subjects: vec![format!("$KV.{BUCKET}.>")],
        max_messages_per_subject: 1,
        max_age: MAX_VALUE_AGE,
        // A value is a class message with some metadata.
        max_message_size: 2 * MAX_MESSAGE_BYTES as i32,
        discard: DiscardPolicy::New,
        allow_rollup: true,
        allow_direct: true,
        deny_delete: true,
        num_replicas: 1,
        ..Config::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_parsed_as_they_are_written() {
        let code = RoomCode::from_random(7);
        let member = StudentKey::from_random(9);
        for key in [
            RoomKey::Room,
            RoomKey::State,
            RoomKey::Seat(member.clone()),
            RoomKey::Record(member.clone()),
            RoomKey::Page(member),
        ] {
            assert_eq!(RoomKey::parse(&key.to_key(&code)), Some(key));
        }
        for unknown in ["", "K7QF", "K7QF.class", "K7QF.class.seat", "K7QF.class.seat.1", "a.b.c.d"]
        {
            assert_eq!(RoomKey::parse(unknown), None, "{unknown}");
        }
    }
}
