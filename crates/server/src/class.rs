//! A room in this program: for all its connections, and for the teacher's own window, which
//! needs no line.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use axum::extract::ws::Utf8Bytes;
use bindpose_classroom::{
    Invitation, InvitedAddress, Room, RoomCode, Said, Seen, TeacherSecret, Told,
};
use qrcode::{Color, QrCode};
use serde_json::to_string;
use tokio::sync::watch;
use tokio::time::sleep;

use super::network_addresses::network_addresses;

/// The teacher hears of students at most that often; they change in every moment.
pub(super) const BREATH: Duration = Duration::from_millis(50);

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

/// The port on which a room's server listens.
#[derive(Clone, Copy, Debug)]
struct ListeningPort {
    port: u16,
    /// Is it open to the network, and not to this computer alone?
    is_open_to_network: bool,
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
    listening: Arc<OnceLock<ListeningPort>>,
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
            listening: Arc::default(),
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
        let (code, secret) = new_code()?;
        Ok(Self::new(Room::new(code, secret)))
    }

    /// How to come in, by the networks that this computer is in now. Without an address before
    /// the server runs, and where there is no network.
    pub fn invitation(&self) -> Invitation {
        let code = self.code();
        let hosts = match self.listening.get() {
            None => Vec::new(),
            Some(at) if at.is_open_to_network => {
                network_addresses().iter().map(|ip| format!("{ip}:{}", at.port)).collect()
            }
            Some(at) => vec![format!("localhost:{}", at.port)],
        };
        let invited = |host: String| {
            let squares = squares(&format!("http://{host}/{code}"));
            InvitedAddress { host, squares }
        };
        let addresses = hosts.into_iter().map(invited).collect();
        Invitation { addresses, code: Some(code) }
    }

    /// Sets where the room is reached, once.
    pub(super) fn listens_at(&self, port: u16, is_open_to_network: bool) {
        let _ = self.listening.set(ListeningPort { port, is_open_to_network });
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

    pub(super) fn lock(&self) -> MutexGuard<'_, Room> {
        self.room.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The state, as students are told it.
    pub(super) fn written_state(&self) -> Option<Utf8Bytes> {
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

    pub(super) fn tell_of_state(&self) {
        self.state.send_replace(());
    }

    pub(super) fn tell_of_students(&self) {
        self.students.send_replace(());
    }

    pub(super) fn of_state(&self) -> watch::Receiver<()> {
        self.state.subscribe()
    }

    pub(super) fn of_students(&self) -> watch::Receiver<()> {
        self.students.subscribe()
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
            self.room.tell_of_state();
        }
    }

    /// The next of what has not been seen yet.
    pub fn take_news(&mut self) -> Option<Told> {
        self.room.lock().news_for_teacher(&mut self.seen)
    }
}

/// A code and a secret that nobody knows yet.
///
/// Fails when the system gives no random numbers.
pub(super) fn new_code() -> io::Result<(RoomCode, TeacherSecret)> {
    let mut bits = [0; 20];
    getrandom::fill(&mut bits).map_err(io::Error::from)?;
    let [a, b, c, d, secret @ ..] = bits;
    let code = RoomCode::from_random(u32::from_le_bytes([a, b, c, d]));
    Ok((code, TeacherSecret::from_random(u128::from_le_bytes(secret))))
}

/// A QR code of `text`, row by row; none where it is too long for one.
pub fn squares(text: &str) -> Vec<String> {
    let Ok(code) = QrCode::new(text) else { return Vec::new() };
    let width = code.width();
    let square = |x, y| if code[(x, y)] == Color::Dark { '1' } else { '0' };
    (0..width).map(|y| (0..width).map(|x| square(x, y)).collect()).collect()
}
