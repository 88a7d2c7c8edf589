//! The room on the line: by sockets, by polling where none can be held, and from the
//! teacher's own window without a line.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::extract::ws::{Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::extract::{DefaultBodyLimit, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use bindpose_classroom::{
    Allowance, Invitation, MESSAGE_BYTES, MemberKey, Poll, PollAnswer, Refusal, Room, RoomCode,
    Said, Seen, TeacherSecret, Told,
};
use qrcode::{Color, QrCode};
use serde_json::{from_slice, from_str, to_string};
use tokio::sync::watch;
use tokio::time::{interval_at, sleep, timeout};

/// Until a client has said who it is.
const HELLO: Duration = Duration::from_secs(10);
/// For who was wrong about code or secret: nobody tries them all.
const AFTER_A_REFUSAL: Duration = Duration::from_secs(1);
/// Of a client that takes nothing.
const SLOWEST: Duration = Duration::from_secs(20);
/// The teacher hears of students at most that often; they change in every moment.
const BREATH: Duration = Duration::from_millis(50);
/// A poll is answered after that, with news or without.
const POLL: Duration = Duration::from_secs(20);
/// Read at a time, and held for every client; by itself it would be 128 KB.
const READ_BYTES: usize = 4 * 1024;
/// Messages of one client at once, and in the long run in a second.
const AT_ONCE: f64 = 40.0;
const PER_SEC: f64 = 20.0;

/// Until one who is silent, or gone, counts as gone.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patience {
    /// A sign of life is asked for that often.
    pub(super) ping: Duration,
    /// It is awaited so long.
    pub(super) silence: Duration,
    /// One who is gone for less is not gone.
    pub(super) grace: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        let [ping, silence, grace] = [10, 25, 3].map(Duration::from_secs);
        Self { ping, silence, grace }
    }
}

/// The room, for all connections.
#[derive(Clone, Debug)]
pub struct SharedRoom {
    room: Arc<Mutex<Room>>,
    /// Sent to when the teacher's state has changed.
    state: watch::Sender<()>,
    /// Sent to when a student has changed.
    students: watch::Sender<()>,
    /// Known when the server runs.
    invitation: Arc<OnceLock<Invitation>>,
    /// The state of that version as it goes over the line: written once for all students.
    written: Arc<Mutex<Option<(u64, Utf8Bytes)>>>,
    pub(super) patience: Patience,
}

impl SharedRoom {
    /// A room for connections.
    pub fn new(room: Room) -> Self {
        let (state, students) = (watch::Sender::new(()), watch::Sender::new(()));
        Self {
            room: Arc::new(Mutex::new(room)),
            state,
            students,
            invitation: Arc::default(),
            written: Arc::default(),
            patience: Patience::default(),
        }
    }

    /// The room's code.
    pub fn code(&self) -> RoomCode {
        self.lock().code().clone()
    }

    /// What makes its teacher.
    pub fn secret(&self) -> TeacherSecret {
        self.lock().secret().clone()
    }

    /// A room with a code and a secret that nobody knows yet.
    ///
    /// Fails when the system gives no random numbers.
    pub fn with_new_code() -> io::Result<Self> {
        let mut bits = [0; 20];
        getrandom::fill(&mut bits).map_err(io::Error::from)?;
        let [a, b, c, d, secret @ ..] = bits;
        let code = RoomCode::from_random(u32::from_le_bytes([a, b, c, d]));
        let secret = TeacherSecret::from_random(u128::from_le_bytes(secret));
        Ok(Self::new(Room::new(code, secret)))
    }

    /// How to come in; without an address before the server runs.
    pub fn invitation(&self) -> Invitation {
        self.invitation.get().cloned().unwrap_or_default()
    }

    /// Says under which address the room is reached.
    pub(super) fn opens_at(&self, host: &str) {
        let code = self.code();
        let _ = self.invitation.set(Invitation {
            address: host.to_owned(),
            squares: squares(&format!("http://{host}/{code}")),
            code: Some(code),
        });
    }

    /// The teacher in this program's own window. `wake`: called on another thread when
    /// there is news.
    pub fn local_teacher(&self, wake: impl Fn() + Send + 'static) -> LocalTeacher {
        let (room, mut changed) = (self.clone(), self.students.subscribe());
        let watcher = move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
            let Ok(runtime) = runtime else { return };
            runtime.block_on(async move {
                // The sender lives as long as any part of the room does.
                while changed.changed().await.is_ok() {
                    wake();
                    sleep(BREATH).await;
                }
            });
        };
        let _ = std::thread::Builder::new().name("class".to_owned()).spawn(watcher);
        LocalTeacher { room, seen: Seen::default() }
    }

    fn lock(&self) -> MutexGuard<'_, Room> {
        self.room.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The state, as students are told it.
    fn written_state(&self) -> Option<Utf8Bytes> {
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        let room = self.lock();
        let version = room.state().version;
        if let Some((of, text)) = &*written
            && *of == version
        {
            return Some(text.clone());
        }
        let told = Told::State { state: room.state().clone() };
        // The teacher's window waits for no JSON.
        drop(room);
        let text = Utf8Bytes::from(to_string(&told).ok()?);
        *written = Some((version, text.clone()));
        Some(text)
    }

    /// Who says hello, and is it let in?
    fn enter(&self, hello: Said) -> Result<Visitor, Refusal> {
        let entered = match hello {
            Said::Join { code, key, record } => {
                let id = self.lock().join(&code, &key, record)?;
                self.students.send_replace(());
                Visitor { room: self.clone(), member: Some((key, Told::Joined { id })) }
            }
            Said::Lead { code, secret } => {
                self.lock().lead(&code, &secret)?;
                Visitor { room: self.clone(), member: None }
            }
            Said::Record { .. } | Said::Page { .. } | Said::State { .. } => {
                return Err(Refusal::Malformed);
            }
        };
        Ok(entered)
    }
}

/// The teacher's part of a class in the window of this program: without a line, and
/// never waiting.
#[derive(Debug)]
pub struct LocalTeacher {
    room: SharedRoom,
    seen: Seen,
}

impl LocalTeacher {
    /// Tells the room.
    pub fn say(&self, said: Said) {
        if let Said::State { state } = said {
            // What this program writes is sound.
            let _ = self.room.lock().put_state(state);
            self.room.state.send_replace(());
        }
    }

    /// The next of what has not been seen yet.
    pub fn take_news(&mut self) -> Option<Told> {
        self.room.lock().news_for_teacher(&mut self.seen)
    }
}

/// A connection that was let in; it leaves when it is dropped.
struct Visitor {
    room: SharedRoom,
    /// Absent: the teacher.
    member: Option<(MemberKey, Told)>,
}

impl Visitor {
    fn hear(&self, said: Said) -> Result<(), Refusal> {
        let mut room = self.room.lock();
        match (said, &self.member) {
            (Said::Record { record }, Some((key, _))) => room.put_record(key, record)?,
            (Said::Page { page, wanders, version }, Some((key, _))) => {
                room.put_page(key, page, wanders, version)?;
            }
            (Said::State { state }, None) => room.put_state(state)?,
            _ => return Err(Refusal::Malformed),
        }
        drop(room);
        let of = if self.member.is_some() { &self.room.students } else { &self.room.state };
        of.send_replace(());
        Ok(())
    }

    fn changes(&self) -> watch::Receiver<()> {
        let of = if self.member.is_some() { &self.room.state } else { &self.room.students };
        let mut changes = of.subscribe();
        // What is in the room already is news to who has seen nothing.
        changes.mark_changed();
        changes
    }

    fn news(&self, seen: &mut Seen) -> Option<Told> {
        let room = self.room.lock();
        match self.member {
            Some(_) => room.news_for_student(seen),
            None => room.news_for_teacher(seen),
        }
    }

    /// The same, as it goes over the line.
    fn written_news(&self, seen: &mut Seen) -> Option<Utf8Bytes> {
        if self.member.is_none() {
            return Some(to_string(&self.news(seen)?).ok()?.into());
        }
        let has_news = self.room.lock().has_news_for_student(seen);
        has_news.then(|| self.room.written_state()).flatten()
    }
}

impl Drop for Visitor {
    fn drop(&mut self) {
        let Some((key, _)) = self.member.take() else { return };
        let room = self.room.clone();
        tokio::spawn(async move {
            sleep(room.patience.grace).await;
            room.lock().leave(&key);
            room.students.send_replace(());
        });
    }
}

/// A QR code of `text`, row by row; none where it is too long for one.
pub fn squares(text: &str) -> Vec<String> {
    let Ok(code) = QrCode::new(text) else { return Vec::new() };
    let width = code.width();
    let square = |x, y| if code[(x, y)] == Color::Dark { '1' } else { '0' };
    (0..width).map(|y| (0..width).map(|x| square(x, y)).collect()).collect()
}

pub(super) fn routes(room: SharedRoom) -> Router {
    Router::new()
        .route("/class/socket", get(upgrade))
        .route("/class/poll", post(poll).layer(DefaultBodyLimit::max(2 * MESSAGE_BYTES)))
        .with_state(room)
}

async fn upgrade(State(room): State<SharedRoom>, socket: WebSocketUpgrade) -> Response {
    let socket = socket.max_message_size(MESSAGE_BYTES).max_frame_size(MESSAGE_BYTES);
    let socket = socket.read_buffer_size(READ_BYTES);
    socket.on_upgrade(async move |mut socket| {
        if let Err(why) = converse(&mut socket, &room).await {
            let _ = tell(&mut socket, &Told::Refused { why }).await;
        }
    })
}

/// Until the client goes; fails when it says what is not its to say.
async fn converse(socket: &mut WebSocket, room: &SharedRoom) -> Result<(), Refusal> {
    let Ok(hello) = timeout(HELLO, heard(socket)).await else { return Ok(()) };
    let Heard::Said(hello) = hello? else { return Ok(()) };
    let visitor = match room.enter(hello) {
        Ok(visitor) => visitor,
        Err(why) => {
            sleep(AFTER_A_REFUSAL).await;
            return Err(why);
        }
    };
    let welcome = match &visitor.member {
        Some((_, joined)) => joined.clone(),
        None => Told::Leading { invitation: room.invitation() },
    };
    if !tell(socket, &welcome).await {
        return Ok(());
    }
    let (mut changes, mut seen) = (visitor.changes(), Seen::default());
    let began = Instant::now();
    let mut allowance = Allowance::new(AT_ONCE, PER_SEC, 0.0);
    let mut last_heard = Instant::now();
    let Patience { ping, silence, .. } = room.patience;
    // However much there is to tell: who has gone without a word is seen only by this.
    let mut pings = interval_at(tokio::time::Instant::now() + ping, ping);
    loop {
        tokio::select! {
            heard = heard(socket) => {
                last_heard = Instant::now();
                match heard? {
                    Heard::Said(said) => visitor.hear(said)?,
                    Heard::Sign => {}
                    Heard::End => return Ok(()),
                }
                // Who says too much waits; the line makes it wait too.
                while !allowance.take(began.elapsed().as_secs_f64()) {
                    sleep(BREATH).await;
                }
            }
            _ = changes.changed() => {
                while let Some(text) = visitor.written_news(&mut seen) {
                    if !send(socket, text).await {
                        return Ok(());
                    }
                }
                if visitor.member.is_none() {
                    sleep(BREATH).await;
                }
            }
            _ = pings.tick() => {
                let ping = Message::Ping(Bytes::new());
                if last_heard.elapsed() > silence || socket.send(ping).await.is_err() {
                    return Ok(());
                }
            }
        }
    }
}

enum Heard {
    Said(Said),
    /// It is there.
    Sign,
    End,
}

async fn heard(socket: &mut WebSocket) -> Result<Heard, Refusal> {
    Ok(match socket.recv().await {
        Some(Ok(Message::Text(text))) => {
            Heard::Said(from_str(&text).ok().ok_or(Refusal::Malformed)?)
        }
        Some(Ok(Message::Ping(_) | Message::Pong(_))) => Heard::Sign,
        Some(Ok(Message::Binary(_))) => return Err(Refusal::Malformed),
        Some(Ok(Message::Close(_)) | Err(_)) | None => Heard::End,
    })
}

/// Does the client take it?
async fn tell(socket: &mut WebSocket, told: &Told) -> bool {
    let Ok(text) = to_string(told) else { return false };
    send(socket, text.into()).await
}

async fn send(socket: &mut WebSocket, text: Utf8Bytes) -> bool {
    let sent = timeout(SLOWEST, socket.send(Message::Text(text))).await;
    sent.is_ok_and(|sent| sent.is_ok())
}

async fn poll(State(room): State<SharedRoom>, body: Bytes) -> Response {
    let answer = match polled(&room, &body).await {
        Ok(answer) => answer,
        Err(why) => {
            sleep(AFTER_A_REFUSAL).await;
            PollAnswer { told: vec![Told::Refused { why }], seen: Seen::default() }
        }
    };
    let text = to_string(&answer).unwrap_or_default();
    (StatusCode::OK, [(CONTENT_TYPE, "application/json")], text).into_response()
}

async fn polled(room: &SharedRoom, body: &[u8]) -> Result<PollAnswer, Refusal> {
    let Poll { hello, said, mut seen } = from_slice(body).ok().ok_or(Refusal::Malformed)?;
    let visitor = room.enter(hello)?;
    for said in said {
        visitor.hear(said)?;
    }
    let mut changes = visitor.changes();
    let mut told = Vec::new();
    let wait = async {
        while told.is_empty() && changes.changed().await.is_ok() {
            told.extend(std::iter::from_fn(|| visitor.news(&mut seen)));
        }
    };
    // Without news the answer is empty.
    let _ = timeout(POLL, wait).await;
    Ok(PollAnswer { told, seen })
}

#[cfg(test)]
mod tests {
    use bindpose_classroom::ClassState;

    use super::*;

    #[tokio::test]
    async fn the_state_is_written_once_for_all_students() {
        let room = SharedRoom::with_new_code().unwrap();
        let local = room.local_teacher(|| {});
        let students = [1, 2].map(|key| {
            let (code, key) = (room.code(), MemberKey::from_random(key));
            room.enter(Said::Join { code, key, record: <_>::default() }).unwrap()
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
}
