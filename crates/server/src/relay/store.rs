//! What lies on the relay, and where: a JetStream bucket of keys and values, each with one
//! writer, of which only the newest is kept, for a day.
//!
//! | key | value | writer |
//! | --- | --- | --- |
//! | `K7QF.class.room` | [`StoredRoom`] | the front that opened it |
//! | `K7QF.class.state` | [`ClassState`] | the teacher |
//! | `K7QF.class.seat.<member key>` | nothing; its revision is the [`MemberId`] | the student |
//! | `K7QF.student.record.<member key>` | [`StoredRecord`] | the student |
//! | `K7QF.student.page.<member key>` | [`StoredPage`] | the student |
//!
//! A front with students alone reads `K7QF.class.>`, one with a teacher `K7QF.>`.

use std::time::Duration;

use async_nats::Client;
use async_nats::connection::State;
use async_nats::jetstream::kv::{CreateErrorKind, Store, UpdateErrorKind, Watch};
use async_nats::jetstream::stream::{Config, DiscardPolicy};
use bindpose_classroom::{
    ClassState, MESSAGE_BYTES, MemberId, MemberKey, RoomCode, StudentRecord, TeacherSecret,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tokio::sync::watch;
use tokio::time::sleep;

use crate::no_entry::NoEntry;

const BUCKET: &str = "bindpose-classes";
/// After that nothing of a class is left.
const KEPT: Duration = Duration::from_hours(24);
/// Between two looks whether the relay is back.
const AWAY: Duration = Duration::from_millis(250);

#[derive(Clone, Debug)]
pub(super) struct RelayStore {
    client: Client,
    values: Store,
    /// Sent to when the relay has come, or come back.
    coming: watch::Receiver<()>,
}

/// A room that exists.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct StoredRoom {
    pub(super) secret: TeacherSecret,
}

/// What a student says, each time with a higher version: a student whose front has died comes
/// in by another, and what the first still has to write is older then.
pub(super) trait Versioned: PartialEq + Serialize + DeserializeOwned {
    fn version(&self) -> u64;
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct StoredRecord {
    pub(super) id: MemberId,
    pub(super) record: StudentRecord,
}

impl Versioned for StoredRecord {
    fn version(&self) -> u64 {
        self.record.version
    }
}

/// The page before a student since its record was written.
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

/// How far the relay has come with a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Revision(u64);

impl Revision {
    /// Of what is not there.
    pub(super) const NONE: Self = Self(0);
}

/// Why a value is not written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NotWritten {
    /// It has another revision.
    Changed,
    /// The relay does not answer, or has no place.
    Away,
}

/// The relay does not answer, or not with what was written there.
#[derive(Debug)]
pub(super) struct Away;

impl From<Away> for NoEntry {
    fn from(Away: Away) -> Self {
        Self::RelayAway
    }
}

/// What is read of a room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Watched {
    /// What students need.
    Class,
    /// With every student, for the teacher.
    ClassAndStudents,
}

/// Whose value it is that a watch tells of.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum RoomKey {
    Room,
    State,
    Seat(MemberKey),
    Record(MemberKey),
    Page(MemberKey),
}

impl RoomKey {
    fn of(&self, code: &RoomCode) -> String {
        match self {
            Self::Room => format!("{code}.class.room"),
            Self::State => format!("{code}.class.state"),
            Self::Seat(key) => format!("{code}.class.seat.{}", key.as_str()),
            Self::Record(key) => format!("{code}.student.record.{}", key.as_str()),
            Self::Page(key) => format!("{code}.student.page.{}", key.as_str()),
        }
    }

    /// `None`: a later program's.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split('.').skip(1);
        let (group, kind, key) = (parts.next()?, parts.next()?, parts.next());
        let key = key.and_then(|key| key.parse().ok());
        match (group, kind, key) {
            ("class", "room", None) => Some(Self::Room),
            ("class", "state", None) => Some(Self::State),
            ("class", "seat", Some(key)) => Some(Self::Seat(key)),
            ("student", "record", Some(key)) => Some(Self::Record(key)),
            ("student", "page", Some(key)) => Some(Self::Page(key)),
            _ => None,
        }
    }
}

impl RelayStore {
    /// The bucket on that server, made where it is not there yet.
    ///
    /// Fails when the server keeps nothing.
    pub(super) async fn open(
        client: Client,
        coming: watch::Receiver<()>,
    ) -> Result<Self, async_nats::Error> {
        let jetstream = async_nats::jetstream::new(client.clone());
        // The library's own way to make a bucket first asks what Debian's server answers in
        // another form.
        jetstream.get_or_create_stream(bucket()).await?;
        let values = jetstream.get_key_value(BUCKET).await?;
        Ok(Self { client, values, coming })
    }

    pub(super) fn client(&self) -> &Client {
        &self.client
    }

    pub(super) fn is_connected(&self) -> bool {
        self.client.connection_state() == State::Connected
    }

    /// Waits until the relay is there: what is sent while it is away would heap up.
    pub(super) async fn connected(&self) {
        while !self.is_connected() {
            sleep(AWAY).await;
        }
    }

    /// Changes when the relay comes back. It may have lost its last minutes, so what is known
    /// here is said again.
    pub(super) fn comes_back(&self) -> watch::Receiver<()> {
        let mut coming = self.coming.clone();
        coming.mark_unchanged();
        coming
    }

    /// Opens a room; `false`: there is one of that code.
    pub(super) async fn open_room(
        &self,
        code: &RoomCode,
        room: &StoredRoom,
    ) -> Result<bool, async_nats::Error> {
        let value = serde_json::to_vec(room)?;
        match self.values.create(RoomKey::Room.of(code), value.into()).await {
            Ok(_) => Ok(true),
            Err(why) if why.kind() == CreateErrorKind::AlreadyExists => Ok(false),
            Err(why) => Err(why.into()),
        }
    }

    /// The same value again, so that it lives on.
    pub(super) async fn keep_room(&self, code: &RoomCode, room: &StoredRoom) {
        if let Ok(value) = serde_json::to_vec(room) {
            // Where it fails, the next time is early enough.
            let _ = self.values.put(RoomKey::Room.of(code), value.into()).await;
        }
    }

    pub(super) async fn room(&self, code: &RoomCode) -> Result<Option<StoredRoom>, Away> {
        Ok(self.read(code, &RoomKey::Room).await?.map(|(room, _)| room))
    }

    /// In place of the last state, if this is newer.
    pub(super) async fn put_newer_state(
        &self,
        code: &RoomCode,
        state: &ClassState,
    ) -> Result<(), NotWritten> {
        let last: Result<Option<(ClassState, _)>, Away> = self.read(code, &RoomKey::State).await;
        let (version, last) = match last {
            Ok(Some((last, revision))) => (last.version, revision),
            // As if nothing had been said yet.
            Ok(None) => (0, Revision::NONE),
            Err(Away) => return Err(NotWritten::Away),
        };
        if version >= state.version {
            return Ok(());
        }
        self.replace(code, &RoomKey::State, state, last).await.map(drop)
    }

    /// The student's place in the order of coming, the same for good.
    pub(super) async fn take_seat(
        &self,
        code: &RoomCode,
        key: &MemberKey,
    ) -> Result<MemberId, Away> {
        let seat = RoomKey::Seat(key.clone()).of(code);
        let revision = match self.values.create(&seat, "".into()).await {
            Ok(revision) => revision,
            Err(why) if why.kind() == CreateErrorKind::AlreadyExists => {
                let taken = self.values.entry(seat).await.ok().flatten();
                taken.ok_or(Away)?.revision
            }
            Err(_) => return Err(Away),
        };
        u32::try_from(revision).map(MemberId).ok().ok_or(Away)
    }

    pub(super) async fn record(
        &self,
        code: &RoomCode,
        key: &MemberKey,
    ) -> Result<Option<(StoredRecord, Revision)>, Away> {
        self.read(code, &RoomKey::Record(key.clone())).await
    }

    /// In place of the last, if this is newer; `false`: it is not. `last`: the revision that it
    /// had when this connection wrote it.
    pub(super) async fn put_newer<T: Versioned>(
        &self,
        code: &RoomCode,
        key: &RoomKey,
        value: &T,
        last: &mut Revision,
    ) -> Result<bool, Away> {
        loop {
            match self.replace(code, key, value, *last).await {
                Ok(now) => {
                    *last = now;
                    return Ok(true);
                }
                Err(NotWritten::Away) => return Err(Away),
                Err(NotWritten::Changed) => {}
            }
            *last = match self.read::<T>(code, key).await? {
                // Written before, and the relay's word of it was lost.
                Some((stored, revision)) if stored == *value => {
                    *last = revision;
                    return Ok(true);
                }
                Some((stored, _)) if stored.version() >= value.version() => return Ok(false),
                Some((_, revision)) => revision,
                // Older than the relay keeps anything.
                None => Revision::NONE,
            };
        }
    }

    /// Everything that is there of a room, in the order it was written, then what comes.
    pub(super) async fn watch(&self, code: &RoomCode, what: Watched) -> Result<Watch, Away> {
        let keys = match what {
            Watched::Class => format!("{code}.class.>"),
            Watched::ClassAndStudents => format!("{code}.>"),
        };
        self.values.watch_with_history(keys).await.ok().ok_or(Away)
    }

    async fn read<T: DeserializeOwned>(
        &self,
        code: &RoomCode,
        key: &RoomKey,
    ) -> Result<Option<(T, Revision)>, Away> {
        match self.values.entry(key.of(code)).await {
            Ok(None) => Ok(None),
            Ok(Some(entry)) => {
                let value = serde_json::from_slice(&entry.value).ok().ok_or(Away)?;
                Ok(Some((value, Revision(entry.revision))))
            }
            Err(_) => Err(Away),
        }
    }

    async fn replace(
        &self,
        code: &RoomCode,
        key: &RoomKey,
        value: &impl Serialize,
        last: Revision,
    ) -> Result<Revision, NotWritten> {
        let value = serde_json::to_vec(value).ok().ok_or(NotWritten::Away)?;
        match self.values.update(key.of(code), value.into(), last.0).await {
            Ok(revision) => Ok(Revision(revision)),
            Err(why) if why.kind() == UpdateErrorKind::WrongLastRevision => {
                Err(NotWritten::Changed)
            }
            Err(_) => Err(NotWritten::Away),
        }
    }
}

/// A bucket is a stream of this form.
fn bucket() -> Config {
    Config {
        name: format!("KV_{BUCKET}"),
        description: Some("Classes of Bindpose; nothing is kept for longer than a day".to_owned()),
        subjects: vec![format!("$KV.{BUCKET}.>")],
        max_messages_per_subject: 1,
        max_age: KEPT,
        // A value is a message with a few words around it.
        max_message_size: 2 * MESSAGE_BYTES as i32,
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
    fn keys_are_read_as_they_are_written() {
        let code = RoomCode::from_random(7);
        let member = MemberKey::from_random(9);
        for key in [
            RoomKey::Room,
            RoomKey::State,
            RoomKey::Seat(member.clone()),
            RoomKey::Record(member.clone()),
            RoomKey::Page(member),
        ] {
            assert_eq!(RoomKey::parse(&key.of(&code)), Some(key));
        }
        for other in ["", "K7QF", "K7QF.class", "K7QF.class.seat", "K7QF.class.seat.1", "a.b.c.d"] {
            assert_eq!(RoomKey::parse(other), None, "{other}");
        }
    }
}
