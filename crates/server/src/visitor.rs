//! Who comes into a class, whether its room is in this program or on a relay: one way in,
//! and the same words there.

use std::future::pending;
use std::sync::Arc;

use axum::extract::ws::Utf8Bytes;
use bindpose_classroom::{
    Invitation, InvitedAddress, MemberKey, Refusal, RoomCode, Said, Seen, Told,
};
use serde_json::to_string;
use tokio::sync::watch;
use tokio::time::sleep;

use super::class::{Patience, SharedRoom, squares};
use super::no_entry::NoEntry;
use super::relay::{Relay, RelayFront, StudentLine, TeacherLine};

/// The class that meets at a server.
#[derive(Debug)]
pub enum ServedRoom {
    /// In this program.
    Here(SharedRoom),
    /// On a relay, with every other room there.
    Relayed(RelayFront),
}

impl From<SharedRoom> for ServedRoom {
    fn from(room: SharedRoom) -> Self {
        Self::Here(room)
    }
}

/// Where rooms are looked for.
#[derive(Clone, Debug)]
pub(super) enum Rooms {
    Here(SharedRoom),
    Relayed(Arc<Relay>),
}

impl Rooms {
    /// Is there a room of that code? Yes, where it can't be known now.
    pub(super) async fn have(&self, code: &RoomCode) -> bool {
        match self {
            Self::Here(room) => room.code() == *code,
            Self::Relayed(relay) => relay.has(code).await,
        }
    }

    /// Who says hello, and is it let in? `at`: the address it came to.
    pub(super) async fn enter(&self, hello: Said, at: &CalledAddress) -> Result<Visitor, NoEntry> {
        match self {
            Self::Here(room) => Ok(enter_here(room, hello)?),
            Self::Relayed(relay) => enter_relayed(relay, hello, at).await,
        }
    }
}

fn enter_here(room: &SharedRoom, hello: Said) -> Result<Visitor, Refusal> {
    let room = room.clone();
    Ok(match hello {
        Said::Join { code, key, record } => {
            let id = room.lock().join(&code, &key, record)?;
            room.tell_of_students();
            Visitor { room, welcome: Told::Joined { id }, part: Part::StudentHere(key) }
        }
        Said::Lead { code, secret } => {
            room.lock().lead(&code, &secret)?;
            let welcome = Told::Leading { invitation: room.invitation() };
            Visitor { room, welcome, part: Part::TeacherHere }
        }
        Said::Record { .. } | Said::Page { .. } | Said::State { .. } => {
            return Err(Refusal::Malformed);
        }
    })
}

async fn enter_relayed(
    relay: &Arc<Relay>,
    hello: Said,
    at: &CalledAddress,
) -> Result<Visitor, NoEntry> {
    if !hello.is_sound() {
        return Err(Refusal::Malformed.into());
    }
    Ok(match hello {
        Said::Join { code, key, record } => {
            let line = relay.join(&code, key, record).await?;
            let welcome = Told::Joined { id: line.id() };
            Visitor { room: line.room(), welcome, part: Part::StudentRelayed(line) }
        }
        Said::Lead { code, secret } => {
            let line = relay.lead(&code, &secret).await?;
            let welcome = Told::Leading { invitation: at.invitation(code) };
            Visitor { room: line.room(), welcome, part: Part::TeacherRelayed(line) }
        }
        Said::Record { .. } | Said::Page { .. } | Said::State { .. } => {
            return Err(Refusal::Malformed.into());
        }
    })
}

/// A connection that was let in; it leaves when it is dropped.
pub(super) struct Visitor {
    /// The room, or what this program knows of it.
    room: SharedRoom,
    /// The first that it is told.
    pub(super) welcome: Told,
    part: Part,
}

enum Part {
    TeacherHere,
    StudentHere(MemberKey),
    TeacherRelayed(TeacherLine),
    StudentRelayed(StudentLine),
}

impl Visitor {
    pub(super) fn leads(&self) -> bool {
        matches!(self.part, Part::TeacherHere | Part::TeacherRelayed(_))
    }

    /// Fails when that is not its to say, or unsound.
    pub(super) fn hear(&self, said: Said) -> Result<(), Refusal> {
        match (said, &self.part) {
            (Said::Record { record }, Part::StudentHere(key)) => {
                self.room.lock().put_record(key, record)?;
                self.room.tell_of_students();
            }
            (Said::Page { page, wanders, version }, Part::StudentHere(key)) => {
                self.room.lock().put_page(key, page, wanders, version)?;
                self.room.tell_of_students();
            }
            (Said::State { state }, Part::TeacherHere) => {
                self.room.lock().put_state(state)?;
                self.room.tell_of_state();
            }
            (said, _) if !said.is_sound() => return Err(Refusal::Malformed),
            (Said::Record { record }, Part::StudentRelayed(line)) => line.put_record(record),
            (Said::Page { page, wanders, version }, Part::StudentRelayed(line)) => {
                line.put_page(page, wanders, version);
            }
            (Said::State { state }, Part::TeacherRelayed(line)) => line.put_state(state),
            _ => return Err(Refusal::Malformed),
        }
        Ok(())
    }

    pub(super) fn changes(&self) -> watch::Receiver<()> {
        let mut changes = if self.leads() { self.room.of_students() } else { self.room.of_state() };
        // What is in the room already is news to who has seen nothing.
        changes.mark_changed();
        changes
    }

    pub(super) fn news(&self, seen: &mut Seen) -> Option<Told> {
        let room = self.room.lock();
        if self.leads() { room.news_for_teacher(seen) } else { room.news_for_student(seen) }
    }

    /// The same, as it goes over the line.
    pub(super) fn written_news(&self, seen: &mut Seen) -> Option<Utf8Bytes> {
        if self.leads() {
            return Some(to_string(&self.news(seen)?).ok()?.into());
        }
        let has_news = self.room.lock().has_news_for_student(seen);
        has_news.then(|| self.room.written_state()).flatten()
    }

    pub(super) fn patience(&self) -> Patience {
        self.room.patience
    }

    /// Waits until somebody else has come in as the same student; that may never be.
    pub(super) async fn is_replaced(&self) {
        match &self.part {
            Part::StudentRelayed(line) => line.is_replaced().await,
            Part::TeacherHere | Part::StudentHere(_) | Part::TeacherRelayed(_) => pending().await,
        }
    }
}

impl Drop for Visitor {
    fn drop(&mut self) {
        let Part::StudentHere(key) = &self.part else { return };
        let (room, key) = (self.room.clone(), key.clone());
        tokio::spawn(async move {
            sleep(room.patience.grace).await;
            room.lock().leave(&key);
            room.tell_of_students();
        });
    }
}

/// Under which address a browser has reached this server, as it says itself: behind a
/// balancer nobody else knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CalledAddress {
    host: String,
    is_secure: bool,
}

/// Letters of the longest name of a host, with its port.
const HOST_LETTERS: usize = 260;

impl CalledAddress {
    /// `host`: of the request; `scheme`: what a balancer says of its own side of the line.
    pub(super) fn new(host: &str, scheme: &str) -> Self {
        let is_letter = |it: u8| it.is_ascii_alphanumeric() || b".-:[]".contains(&it);
        let is_host = host.len() <= HOST_LETTERS && host.bytes().all(is_letter);
        let host = if is_host { host } else { "" };
        Self { host: host.to_owned(), is_secure: scheme.eq_ignore_ascii_case("https") }
    }

    fn invitation(&self, code: RoomCode) -> Invitation {
        let scheme = if self.is_secure { "https" } else { "http" };
        let url = format!("{scheme}://{}/{code}", self.host);
        let host = Some(self.host.clone()).filter(|host| !host.is_empty());
        let address = host.map(|host| InvitedAddress { host, squares: squares(&url) });
        Invitation { addresses: address.into_iter().collect(), code: Some(code) }
    }
}

#[cfg(test)]
mod tests {
    use bindpose_classroom::ClassState;
    use serde_json::from_str;

    use super::*;

    #[tokio::test]
    async fn the_state_is_written_once_for_all_students() {
        let room = SharedRoom::with_new_code().unwrap();
        let local = room.local_teacher(|| {});
        let students = [1, 2].map(|key| {
            let (code, key) = (room.code(), MemberKey::from_random(key));
            enter_here(&room, Said::Join { code, key, record: <_>::default() }).unwrap()
        });
        let mut seen = [Seen::default(), Seen::default()];
        for version in 1..4 {
            let state = ClassState { version, ..ClassState::default() };
            local.say(Said::State { state: state.clone() });
            let texts: Vec<Utf8Bytes> = students
                .iter()
                .zip(&mut seen)
                .map(|(student, seen)| student.written_news(seen).unwrap())
                .collect();
            assert_eq!(from_str::<Told>(&texts[0]).unwrap(), Told::State { state });
            assert_eq!(texts[0].as_ptr(), texts[1].as_ptr());
            assert_eq!(students[0].written_news(&mut seen[0]), None);
        }
    }

    #[test]
    fn the_invitation_names_the_address_that_the_teacher_came_to() {
        let code = RoomCode::from_random(1);
        let secure = CalledAddress::new("class.example.org", "https").invitation(code.clone());
        let [address] = &secure.addresses[..] else { panic!("one address: {secure:?}") };
        assert_eq!(address.host, "class.example.org");
        assert_eq!(address.squares, squares(&format!("https://class.example.org/{code}")));
        assert_eq!(CalledAddress::new("a<script>", "").host, "");
        assert_eq!(CalledAddress::new("[::1]:8080", "http").host, "[::1]:8080");
    }
}
