//! A class room in this program, shared by all its connections and by the teacher's own window,
//! which needs no connection.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use axum::extract::ws::Utf8Bytes;
use bindpose_class_protocol::{
    ClientMessage, Invitation, InvitedAddress, RejectReason, Room, RoomCode, ServerMessage,
    StudentId, StudentKey, StudentRecord, SyncCursor, TeacherSecret,
};
use qrcode::{Color, QrCode};
use serde_json::to_string;
use tokio::sync::watch;
use tokio::time::sleep;

use super::client_address::ClientAddress;
use super::network_addresses::network_addresses;
use super::seats::RoomSeats;

/// Minimum interval between two updates for the teacher, because the students of a large class
/// change all the time.
pub(super) const MIN_UPDATE_INTERVAL: Duration = Duration::from_millis(50);

/// Timeouts after which a client counts as disconnected.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClientTimeouts {
    /// Interval between two pings.
    pub(super) ping_interval: Duration,
    /// Time without any message or pong after which the connection is closed.
    pub(super) silence: Duration,
    /// Time that a student has to reconnect before the teacher sees them as absent.
    pub(super) reconnect: Duration,
}

impl Default for ClientTimeouts {
    fn default() -> Self {
        Self {
            ping_interval: Duration::from_secs(10),
            silence: Duration::from_secs(25),
            reconnect: Duration::from_secs(3),
        }
    }
}

/// The port on which the server of a room listens.
#[derive(Clone, Copy, Debug)]
struct ListeningPort {
    port: u16,
    /// Whether other computers in the network can connect.
    is_open_to_network: bool,
}

/// A message for students that was serialized once for all of them.
#[derive(Debug)]
struct SerializedState {
    version: u64,
    text: Utf8Bytes,
}

/// A room that can be cloned and shared between threads. All clones refer to the same room.
#[derive(Clone, Debug)]
pub struct SharedRoom {
    room: Arc<Mutex<Room>>,
    /// Notifies when the teacher's state has changed.
    state_changed: watch::Sender<()>,
    /// Notifies when a student has changed.
    students_changed: watch::Sender<()>,
    /// Empty until the server runs.
    listening_port: Arc<OnceLock<ListeningPort>>,
    serialized_state: Arc<Mutex<Option<SerializedState>>>,
    /// Locked after the room, if both are.
    seats: Arc<Mutex<RoomSeats>>,
    pub(super) timeouts: ClientTimeouts,
}

impl SharedRoom {
    pub fn new(room: Room) -> Self {
        Self {
            room: Arc::new(Mutex::new(room)),
            state_changed: watch::Sender::new(()),
            students_changed: watch::Sender::new(()),
            listening_port: Arc::default(),
            serialized_state: Arc::default(),
            seats: Arc::default(),
            timeouts: ClientTimeouts::default(),
        }
    }

    pub fn code(&self) -> RoomCode {
        self.lock().code().clone()
    }

    /// Returns the secret with which a client becomes the teacher.
    pub fn secret(&self) -> TeacherSecret {
        self.lock().secret().clone()
    }

    /// Creates a room with a random code and a random secret.
    ///
    /// # Errors
    /// If the system provides no random numbers.
    pub fn with_new_code() -> io::Result<Self> {
        let (code, secret) = random_credentials()?;
        Ok(Self::new(Room::new(code, secret)))
    }

    /// Returns the invitation for students, with the addresses of this computer in all its
    /// current networks. It has no addresses before the server runs or without a network.
    pub fn invitation(&self) -> Invitation {
        let code = self.code();
        let hosts = match self.listening_port.get() {
            None => Vec::new(),
            Some(listening) if listening.is_open_to_network => {
                network_addresses().iter().map(|ip| format!("{ip}:{}", listening.port)).collect()
            }
            Some(listening) => vec![format!("localhost:{}", listening.port)],
        };
        let addresses = hosts
            .into_iter()
            .map(|host| {
                let squares = squares(&format!("http://{host}/{code}"));
                InvitedAddress { host, squares }
            })
            .collect();
        Invitation { addresses, code: Some(code) }
    }

    /// Sets the port of the server. Only the first call has an effect.
    pub(super) fn set_listening_port(&self, port: u16, is_open_to_network: bool) {
        let _ = self.listening_port.set(ListeningPort { port, is_open_to_network });
    }

    /// Creates the teacher in the window of this program. Calls `wake` on another thread when
    /// there are new messages.
    pub fn local_teacher(&self, wake: impl Fn() + Send + 'static) -> LocalTeacher {
        let mut students_changed = self.watch_students();
        // Without the thread, messages still arrive whenever the window is redrawn.
        let _ = std::thread::Builder::new().name("class".to_owned()).spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
            let Ok(runtime) = runtime else { return };
            runtime.block_on(async move {
                // Ends when the room and all its clones are dropped.
                while students_changed.changed().await.is_ok() {
                    wake();
                    sleep(MIN_UPDATE_INTERVAL).await;
                }
            });
        });
        LocalTeacher { room: self.clone(), cursor: SyncCursor::default() }
    }

    /// Locks the room. Clients see changes after [`SharedRoom::notify_state_changed`] or
    /// [`SharedRoom::notify_students_changed`].
    pub fn lock(&self) -> MutexGuard<'_, Room> {
        self.room.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a connection of a student from this address, which [`Self::leave`] removes.
    ///
    /// # Errors
    /// The errors of [`Room::join`], and too many seats taken from the address.
    pub(super) fn join_from(
        &self,
        address: ClientAddress,
        code: &RoomCode,
        key: &StudentKey,
        record: StudentRecord,
    ) -> Result<StudentId, RejectReason> {
        let mut room = self.lock();
        let mut seats = self.seats.lock().unwrap_or_else(PoisonError::into_inner);
        if room.code() == code && !room.has_seat(key) && !seats.has_seat_for(address) {
            return Err(RejectReason::Full);
        }
        let id = room.join(code, key, record)?;
        seats.take(key.clone(), address);
        Ok(id)
    }

    /// Removes a connection of a student, and frees the seat if nothing is left of them.
    pub(super) fn leave(&self, key: &StudentKey) {
        let mut room = self.lock();
        if room.leave(key) {
            self.seats.lock().unwrap_or_else(PoisonError::into_inner).free(key);
        }
    }

    /// Returns the message that sends the current state to students. Serializes each version
    /// only once.
    pub(super) fn state_message(&self) -> Option<Utf8Bytes> {
        let mut serialized = self.serialized_state.lock().unwrap_or_else(PoisonError::into_inner);
        let room = self.lock();
        let version = room.state().version;
        if let Some(serialized) = &*serialized
            && serialized.version == version
        {
            return Some(serialized.text.clone());
        }
        let message = ServerMessage::State { state: room.state().clone() };
        // The teacher's window must not wait for the serialization.
        drop(room);
        let text = Utf8Bytes::from(to_string(&message).ok()?);
        *serialized = Some(SerializedState { version, text: text.clone() });
        Some(text)
    }

    pub fn notify_state_changed(&self) {
        self.state_changed.send_replace(());
    }

    pub fn notify_students_changed(&self) {
        self.students_changed.send_replace(());
    }

    /// Returns the time that a student has to reconnect before the teacher sees them as absent.
    pub fn reconnect_timeout(&self) -> Duration {
        self.timeouts.reconnect
    }

    pub(super) fn watch_state(&self) -> watch::Receiver<()> {
        self.state_changed.subscribe()
    }

    pub(super) fn watch_students(&self) -> watch::Receiver<()> {
        self.students_changed.subscribe()
    }
}

/// The teacher of a room in the window of this program. Accesses the room directly and never
/// blocks on a connection.
#[derive(Debug)]
pub struct LocalTeacher {
    room: SharedRoom,
    cursor: SyncCursor,
}

impl LocalTeacher {
    /// Applies a message of the teacher to the room.
    pub fn say(&self, message: ClientMessage) {
        if let ClientMessage::State { state } = message {
            // The state cannot be invalid, because this program created it.
            let _ = self.room.lock().put_state(state);
            self.room.notify_state_changed();
        }
    }

    /// Returns the next new message for the teacher, if any.
    pub fn take_news(&mut self) -> Option<ServerMessage> {
        self.room.lock().news_for_teacher(&mut self.cursor)
    }
}

/// Creates a random code and a random secret.
///
/// # Errors
/// If the system provides no random numbers.
pub fn random_credentials() -> io::Result<(RoomCode, TeacherSecret)> {
    let mut bytes = [0; 20];
    getrandom::fill(&mut bytes).map_err(io::Error::from)?;
    let [a, b, c, d, secret @ ..] = bytes;
    let code = RoomCode::from_random(u32::from_le_bytes([a, b, c, d]));
    Ok((code, TeacherSecret::from_random(u128::from_le_bytes(secret))))
}

/// Encodes a text as a QR code. Returns one string of `0` (light) and `1` (dark) per row, or no
/// rows if the text is too long.
pub fn squares(text: &str) -> Vec<String> {
    let Ok(code) = QrCode::new(text) else { return Vec::new() };
    let width = code.width();
    (0..width)
        .map(|y| (0..width).map(|x| if code[(x, y)] == Color::Dark { '1' } else { '0' }).collect())
        .collect()
}
