//! Clients of a class. They behave the same whether the room is in this program or on another
//! machine.

use std::future::pending;
use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::ws::Utf8Bytes;
use axum::http::header::{HOST, HeaderMap, HeaderName, ORIGIN};
use bindpose_class_protocol::{
    ClientMessage, Invitation, InvitedAddress, RejectReason, RoomCode, ServerMessage, StudentKey,
    SyncCursor,
};
use serde_json::to_string;
use tokio::runtime::Runtime;
use tokio::sync::watch;
use tokio::time::sleep;

use super::client_address::{ClientAddress, PeerAddress, TrustedProxies};
use super::guess_limiter::GuessLimiter;
use super::remote_rooms::{EntryError, RemoteRooms, RemoteStudent, RemoteTeacher};
use super::shared_room::{ClientTimeouts, SharedRoom, squares};
use super::site::header_text;

/// The class room of a server.
#[derive(Debug)]
pub enum ServedRoom {
    /// A room in this program.
    Here(SharedRoom),
    /// Rooms on other machines.
    Remote {
        rooms: Arc<dyn RemoteRooms>,
        /// Runs the connections to these machines. The server uses it for its clients, too.
        runtime: Runtime,
    },
}

impl From<SharedRoom> for ServedRoom {
    fn from(room: SharedRoom) -> Self {
        Self::Here(room)
    }
}

/// The rooms that clients of a server can enter.
#[derive(Clone, Debug)]
pub(super) enum RoomHost {
    Local(SharedRoom),
    Remote(Arc<dyn RemoteRooms>),
}

impl RoomHost {
    /// Returns whether there is a room with the code. Also returns true if that is not known,
    /// because the machine with the rooms does not respond.
    pub(super) async fn may_have_room(&self, code: &RoomCode) -> bool {
        match self {
            Self::Local(room) => room.code() == *code,
            Self::Remote(rooms) => rooms.may_have_room(code).await,
        }
    }

    /// Lets a client enter as the student or teacher that its first message describes.
    async fn enter(
        &self,
        hello: ClientMessage,
        visitor: &Visitor,
    ) -> Result<ClassClient, EntryError> {
        match self {
            Self::Local(room) => Ok(enter_local(room, hello, visitor.client)?),
            Self::Remote(rooms) => enter_remote(&**rooms, hello, &visitor.server).await,
        }
    }
}

/// Entrance to the rooms of a server, with its limits.
#[derive(Clone, Debug)]
pub(super) struct ClassEntrance {
    pub(super) rooms: RoomHost,
    proxies: TrustedProxies,
    guesses: Arc<GuessLimiter>,
}

/// The two ends of a request.
#[derive(Clone, Debug)]
pub(super) struct Visitor {
    client: ClientAddress,
    /// The server as the client addresses it.
    server: RequestAddress,
}

impl ClassEntrance {
    pub(super) fn new(rooms: RoomHost, trusted_proxies: &[IpAddr]) -> Self {
        let is_behind_balancer = matches!(rooms, RoomHost::Remote(_));
        let addresses = trusted_proxies.iter().map(IpAddr::to_canonical).collect();
        let proxies = TrustedProxies { addresses, is_behind_balancer };
        Self { rooms, proxies, guesses: Arc::new(GuessLimiter::new()) }
    }

    pub(super) fn visitor(&self, peer: PeerAddress, headers: &HeaderMap) -> Visitor {
        Visitor {
            client: self.proxies.client_address(peer.0, headers),
            server: RequestAddress::from_headers(headers),
        }
    }

    /// Returns whether there is a room with the code. Returns `None` if the client has tried too
    /// many wrong ones.
    pub(super) async fn may_have_room(&self, code: &RoomCode, visitor: &Visitor) -> Option<bool> {
        if !self.guesses.may_guess(visitor.client).await {
            return None;
        }
        let has_room = self.rooms.may_have_room(code).await;
        if has_room {
            self.guesses.forgive(visitor.client);
        }
        Some(has_room)
    }

    /// Lets a client enter as the student or teacher that its first message describes.
    pub(super) async fn enter(
        &self,
        hello: ClientMessage,
        visitor: &Visitor,
    ) -> Result<ClassClient, EntryError> {
        if !self.guesses.may_guess(visitor.client).await {
            return Err(RejectReason::TooOften.into());
        }
        let result = self.rooms.enter(hello, visitor).await;
        let is_wrong_guess = matches!(
            result,
            Err(EntryError::Refused(RejectReason::NoSuchRoom | RejectReason::NotTheTeacher))
        );
        if !is_wrong_guess {
            self.guesses.forgive(visitor.client);
        }
        result
    }
}

fn enter_local(
    room: &SharedRoom,
    hello: ClientMessage,
    client: ClientAddress,
) -> Result<ClassClient, RejectReason> {
    let room = room.clone();
    Ok(match hello {
        ClientMessage::Join { code, key, record } => {
            let id = room.join_from(client, &code, &key, record)?;
            room.notify_students_changed();
            ClassClient {
                room,
                welcome: ServerMessage::Joined { id },
                role: ClientRole::LocalStudent(key),
            }
        }
        ClientMessage::Lead { code, secret } => {
            room.lock().lead(&code, &secret)?;
            let welcome = ServerMessage::Leading { invitation: room.invitation() };
            ClassClient { room, welcome, role: ClientRole::LocalTeacher }
        }
        ClientMessage::Record { .. } | ClientMessage::Page { .. } | ClientMessage::State { .. } => {
            return Err(RejectReason::Malformed);
        }
    })
}

async fn enter_remote(
    rooms: &dyn RemoteRooms,
    hello: ClientMessage,
    address: &RequestAddress,
) -> Result<ClassClient, EntryError> {
    if !hello.is_sound() {
        return Err(RejectReason::Malformed.into());
    }
    Ok(match hello {
        ClientMessage::Join { code, key, record } => {
            let student = rooms.join(code, key, record).await?;
            ClassClient {
                room: student.room(),
                welcome: ServerMessage::Joined { id: student.id() },
                role: ClientRole::RemoteStudent(student),
            }
        }
        ClientMessage::Lead { code, secret } => {
            let teacher = rooms.lead(code.clone(), secret).await?;
            ClassClient {
                room: teacher.room(),
                welcome: ServerMessage::Leading { invitation: address.invitation(code) },
                role: ClientRole::RemoteTeacher(teacher),
            }
        }
        ClientMessage::Record { .. } | ClientMessage::Page { .. } | ClientMessage::State { .. } => {
            return Err(RejectReason::Malformed.into());
        }
    })
}

/// A client that has entered a class. It leaves when this is dropped.
pub(super) struct ClassClient {
    /// The room, or the replica of a room on another machine.
    room: SharedRoom,
    /// The first message to the client.
    pub(super) welcome: ServerMessage,
    role: ClientRole,
}

enum ClientRole {
    LocalTeacher,
    LocalStudent(StudentKey),
    RemoteTeacher(Box<dyn RemoteTeacher>),
    RemoteStudent(Box<dyn RemoteStudent>),
}

impl ClassClient {
    pub(super) fn is_teacher(&self) -> bool {
        matches!(self.role, ClientRole::LocalTeacher | ClientRole::RemoteTeacher(_))
    }

    /// Applies a message of the client to the room. Returns an error if the message is invalid or
    /// not allowed for the client's role.
    pub(super) fn handle_message(&self, message: ClientMessage) -> Result<(), RejectReason> {
        match (message, &self.role) {
            (ClientMessage::Record { record }, ClientRole::LocalStudent(key)) => {
                self.room.lock().put_record(key, record)?;
                self.room.notify_students_changed();
            }
            (ClientMessage::Page { page, wanders, version }, ClientRole::LocalStudent(key)) => {
                self.room.lock().put_page(key, page, wanders, version)?;
                self.room.notify_students_changed();
            }
            (ClientMessage::State { state }, ClientRole::LocalTeacher) => {
                self.room.lock().put_state(state)?;
                self.room.notify_state_changed();
            }
            // A local room has checked its messages itself.
            (message, _) if !message.is_sound() => return Err(RejectReason::Malformed),
            (ClientMessage::Record { record }, ClientRole::RemoteStudent(student)) => {
                student.put_record(record);
            }
            (
                ClientMessage::Page { page, wanders, version },
                ClientRole::RemoteStudent(student),
            ) => {
                student.put_page(page, wanders, version);
            }
            (ClientMessage::State { state }, ClientRole::RemoteTeacher(teacher)) => {
                teacher.put_state(state);
            }
            _ => return Err(RejectReason::Malformed),
        }
        Ok(())
    }

    /// Returns a receiver that is notified when there may be new messages for the client.
    pub(super) fn watch_changes(&self) -> watch::Receiver<()> {
        let mut changes =
            if self.is_teacher() { self.room.watch_students() } else { self.room.watch_state() };
        // The current contents of the room are new to the client.
        changes.mark_changed();
        changes
    }

    pub(super) fn next_message(&self, cursor: &mut SyncCursor) -> Option<ServerMessage> {
        let room = self.room.lock();
        if self.is_teacher() {
            room.news_for_teacher(cursor)
        } else {
            room.news_for_student(cursor)
        }
    }

    /// Returns the next message as JSON.
    pub(super) fn next_message_text(&self, cursor: &mut SyncCursor) -> Option<Utf8Bytes> {
        if self.is_teacher() {
            return Some(to_string(&self.next_message(cursor)?).ok()?.into());
        }
        let has_message = self.room.lock().has_news_for_student(cursor);
        has_message.then(|| self.room.state_message()).flatten()
    }

    pub(super) fn timeouts(&self) -> ClientTimeouts {
        self.room.timeouts
    }

    /// Waits until another client has entered as the same student, possibly forever.
    pub(super) async fn wait_until_replaced(&self) {
        match &self.role {
            ClientRole::RemoteStudent(student) => student.wait_until_replaced().await,
            ClientRole::LocalTeacher
            | ClientRole::LocalStudent(_)
            | ClientRole::RemoteTeacher(_) => pending().await,
        }
    }
}

impl Drop for ClassClient {
    fn drop(&mut self) {
        // Remote clients leave when their role is dropped.
        let ClientRole::LocalStudent(key) = &self.role else { return };
        let room = self.room.clone();
        let key = key.clone();
        tokio::spawn(async move {
            sleep(room.timeouts.reconnect).await;
            room.leave(&key);
            room.notify_students_changed();
        });
    }
}

/// Header in which load balancers pass the scheme of the original request.
const FORWARDED_SCHEME: HeaderName = HeaderName::from_static("x-forwarded-proto");
/// Header in which proxies pass the host of the original request, if they replace it.
const FORWARDED_HOST: HeaderName = HeaderName::from_static("x-forwarded-host");
/// Maximum length of a host name with its port.
const MAX_HOST_BYTES: usize = 260;

/// The address of this server in a browser, as given in the headers of a request. Behind a load
/// balancer it cannot be determined otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RequestAddress {
    /// Empty if the header is not a valid host.
    host: String,
    is_secure: bool,
}

impl RequestAddress {
    /// Creates an address from the `Host` header and the scheme that the load balancer reports.
    pub(super) fn new(host: &str, scheme: &str) -> Self {
        let is_valid_host = host.len() <= MAX_HOST_BYTES
            && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-:[]".contains(&byte));
        Self {
            host: if is_valid_host { host.to_owned() } else { String::new() },
            is_secure: scheme.eq_ignore_ascii_case("https"),
        }
    }

    fn from_headers(headers: &HeaderMap) -> Self {
        Self::new(header_text(headers, &HOST), header_text(headers, &FORWARDED_SCHEME))
    }

    fn invitation(&self, code: RoomCode) -> Invitation {
        let mut addresses = Vec::new();
        if !self.host.is_empty() {
            let scheme = if self.is_secure { "https" } else { "http" };
            let squares = squares(&format!("{scheme}://{}/{code}", self.host));
            addresses.push(InvitedAddress { host: self.host.clone(), squares });
        }
        Invitation { addresses, code: Some(code) }
    }
}

/// Returns whether a request comes from a page of another site, which browsers state in its
/// `Origin`. Programs other than browsers send none.
///
/// Ports are not compared, because proxies may listen on another port than their clients see.
pub(super) fn is_from_foreign_site(headers: &HeaderMap) -> bool {
    if !headers.contains_key(ORIGIN) {
        return false;
    }
    let origin = header_text(headers, &ORIGIN);
    // A frame without an origin sends `null`, and any site can open such a frame.
    let Some((_, origin_host)) = origin.split_once("://") else { return true };
    ![HOST, FORWARDED_HOST].iter().any(|name| {
        let host = header_text(headers, name);
        !host.is_empty() && without_port(host).eq_ignore_ascii_case(without_port(origin_host))
    })
}

/// Removes the port from a host such as `localhost:8080` or `[::1]:8080`.
fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    }
}

#[cfg(test)]
mod tests {
    use bindpose_class_protocol::ClassState;
    use serde_json::from_str;

    use super::*;

    #[tokio::test]
    async fn the_state_is_serialized_once_for_all_students() {
        let room = SharedRoom::with_new_code().unwrap();
        let teacher = room.local_teacher(|| {});
        let students = [1, 2].map(|key| {
            let key = StudentKey::from_random(key);
            let hello = ClientMessage::Join { code: room.code(), key, record: <_>::default() };
            enter_local(&room, hello, ClientAddress::Shared).unwrap()
        });
        let mut cursors = [SyncCursor::default(), SyncCursor::default()];
        for version in 1..4 {
            let state = ClassState { version, ..ClassState::default() };
            teacher.say(ClientMessage::State { state: state.clone() });
            let texts: Vec<Utf8Bytes> = students
                .iter()
                .zip(&mut cursors)
                .map(|(student, cursor)| student.next_message_text(cursor).unwrap())
                .collect();
            assert_eq!(
                from_str::<ServerMessage>(&texts[0]).unwrap(),
                ServerMessage::State { state }
            );
            assert_eq!(texts[0].as_ptr(), texts[1].as_ptr());
            assert_eq!(students[0].next_message_text(&mut cursors[0]), None);
        }
    }

    #[test]
    fn the_invitation_has_the_address_of_the_teachers_request() {
        let code = RoomCode::from_random(1);
        let secure = RequestAddress::new("class.example.org", "https").invitation(code.clone());
        let [address] = &secure.addresses[..] else { panic!("one address: {secure:?}") };
        assert_eq!(address.host, "class.example.org");
        assert_eq!(address.squares, squares(&format!("https://class.example.org/{code}")));
        assert_eq!(RequestAddress::new("a<script>", "").host, "");
        assert_eq!(RequestAddress::new("[::1]:8080", "http").host, "[::1]:8080");
    }

    #[test]
    fn pages_of_other_sites_are_recognized_by_their_origin() {
        for (origin, host, forwarded_host, is_foreign) in [
            ("", "10.0.0.5:8080", "", false),
            ("http://10.0.0.5:8080", "10.0.0.5:8080", "", false),
            ("http://[::1]:8080", "[::1]:8080", "", false),
            ("https://Class.example.org", "class.example.org", "", false),
            ("https://class.example.org", "10.0.0.5:8080", "class.example.org", false),
            ("https://class.example.org", "10.0.0.5:8080", "", true),
            ("https://evil.example", "class.example.org", "", true),
            ("https://class.example.org.evil.example", "class.example.org", "", true),
            ("null", "class.example.org", "", true),
            ("https://", "", "", true),
        ] {
            let mut headers = HeaderMap::new();
            for (name, value) in [(ORIGIN, origin), (HOST, host), (FORWARDED_HOST, forwarded_host)]
            {
                if !value.is_empty() {
                    headers.insert(name, value.parse().unwrap());
                }
            }
            assert_eq!(is_from_foreign_site(&headers), is_foreign, "{origin} {host}");
        }
    }
}
