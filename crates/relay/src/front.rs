//! Connects a front machine to its relay and opens a room there.

use std::future::ready;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use async_nats::{ConnectErrorKind, ConnectOptions, Event, ServerAddr};
use bindpose_class_protocol::{RoomCode, TeacherSecret};
use bindpose_class_server::{ServedRoom, new_runtime, random_credentials};
use percent_encoding::percent_decode_str;
use tokio::runtime::Runtime;
use tokio::sync::watch;
use tokio::time::sleep;

use super::Relay;
use super::store::{RelayStore, StoredRoom};

/// Interval between two pings. The relay counts as unavailable if it misses two of them.
const PING_INTERVAL: Duration = Duration::from_secs(10);
/// Interval at which a room is written again, so that it does not expire before its front ends.
const ROOM_REFRESH_INTERVAL: Duration = Duration::from_hours(1);
/// Number of random codes that are tried. If all are in use, something else must be wrong.
const MAX_CODE_ATTEMPTS: usize = 50;
/// Size of a front's number. Web pages store it as a JavaScript number, which has 53 bits.
const FRONT_NUMBER_BITS: u32 = 53;

/// A connection to a relay and a room on it, for a server that has not been started yet.
#[derive(Debug)]
pub struct RelayFront {
    runtime: Runtime,
    relay: Arc<Relay>,
    code: RoomCode,
    secret: TeacherSecret,
}

/// An error that prevents the use of a relay. `host` includes the port.
#[derive(Debug, thiserror::Error)]
pub enum RelayError {
    /// The address is invalid.
    #[error("that is no address of a relay ({why})")]
    Address {
        /// The reason. Does not repeat the address, which may contain a password.
        why: String,
    },
    /// No NATS server responds at the address.
    #[error("{host} could not be reached ({source})")]
    Unreachable { host: String, source: async_nats::ConnectError },
    /// The server rejects the user name, password or token.
    #[error("{host} does not let us in ({source})")]
    NotLetIn { host: String, source: async_nats::ConnectError },
    /// The server has no `JetStream`, or cannot store the room there.
    #[error("{host} keeps no class ({source})")]
    NoStore { host: String, source: async_nats::Error },
    /// The system provides no random numbers or no runtime.
    #[error("the system gives no means for it ({source})")]
    System {
        #[from]
        source: io::Error,
    },
}

impl RelayFront {
    /// Connects to the relay at `address` and opens a room with a random code.
    ///
    /// The address is `nats://HOST`, followed by `:PORT` unless it is 4222. `USER:PASSWORD@` or
    /// `TOKEN@` can precede the host. `tls://` instead of `nats://` requires encryption.
    ///
    /// # Errors
    /// See [`RelayError`].
    pub fn open(address: &str) -> Result<Self, RelayError> {
        let runtime = new_runtime()?;
        let (relay, code, secret) = runtime.block_on(open_room_on_relay(address))?;
        Ok(Self { runtime, relay, code, secret })
    }

    pub fn code(&self) -> &RoomCode {
        &self.code
    }

    /// Returns the secret with which a client becomes the teacher.
    pub fn secret(&self) -> &TeacherSecret {
        &self.secret
    }

    /// Returns the rooms of the relay for a web server.
    pub fn into_served_room(self) -> ServedRoom {
        ServedRoom::Remote { rooms: self.relay, runtime: self.runtime }
    }
}

async fn open_room_on_relay(
    address: &str,
) -> Result<(Arc<Relay>, RoomCode, TeacherSecret), RelayError> {
    let address = parse_address(address)?;
    let host = format!("{}:{}", address.host(), address.port());
    let (connected_sender, connected) = watch::channel(());
    let options = connect_options(&address).event_callback(move |event| {
        if event == Event::Connected {
            connected_sender.send_replace(());
        }
        ready(())
    });
    let client = match options.connect(address).await {
        Ok(client) => client,
        Err(source) => {
            return Err(match source.kind() {
                ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation => {
                    RelayError::NotLetIn { host, source }
                }
                _ => RelayError::Unreachable { host, source },
            });
        }
    };
    let store = match RelayStore::open(client, connected).await {
        Ok(store) => store,
        Err(source) => return Err(RelayError::NoStore { host, source }),
    };
    for _ in 0..MAX_CODE_ATTEMPTS {
        let (code, secret) = random_credentials()?;
        let room = StoredRoom { secret: secret.clone() };
        match store.open_room(&code, &room).await {
            Ok(true) => {
                let relay = Arc::new(Relay::new(store.clone(), random_front_number()?));
                tokio::spawn(refresh_room(store, code.clone(), room));
                return Ok((relay, code, secret));
            }
            Ok(false) => {}
            Err(source) => return Err(RelayError::NoStore { host, source }),
        }
    }
    let source = "every code that was tried is another room's".into();
    Err(RelayError::NoStore { host, source })
}

/// Creates a random number that identifies a front. Returns an error if the system provides no
/// random numbers.
fn random_front_number() -> io::Result<u64> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).map_err(io::Error::from)?;
    Ok(u64::from_le_bytes(bytes) >> (u64::BITS - FRONT_NUMBER_BITS))
}

/// Keeps a room from expiring, forever.
async fn refresh_room(store: RelayStore, code: RoomCode, room: StoredRoom) {
    loop {
        sleep(ROOM_REFRESH_INTERVAL).await;
        store.refresh_room(&code, &room).await;
    }
}

fn parse_address(address: &str) -> Result<ServerAddr, RelayError> {
    let address: ServerAddr = address
        .parse()
        .map_err(|error: io::Error| RelayError::Address { why: error.to_string() })?;
    match address.scheme() {
        "nats" | "tls" if !address.host().is_empty() => Ok(address),
        other => Err(RelayError::Address { why: format!("it is {other}://…") }),
    }
}

/// Returns the options with the credentials of the address, which `async_nats` ignores there.
fn connect_options(address: &ServerAddr) -> ConnectOptions {
    let options = ConnectOptions::new().name("bindpose class").ping_interval(PING_INTERVAL);
    match (address.username(), address.password()) {
        (Some(user), Some(password)) => {
            options.user_and_password(percent_decode(user), percent_decode(password))
        }
        (Some(token), None) => options.token(percent_decode(token)),
        (None, _) => options,
    }
}

fn percent_decode(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}
