//! A front machine comes to its relay, and opens a room there.

use std::future::ready;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use async_nats::{ConnectErrorKind, ConnectOptions, Event, ServerAddr};
use bindpose_classroom::{RoomCode, TeacherSecret};
use percent_encoding::percent_decode_str;
use tokio::runtime::Runtime;
use tokio::sync::watch;
use tokio::time::sleep;

use super::Relay;
use super::store::{RelayStore, StoredRoom};
use crate::class::new_code;
use crate::connections::new_runtime;

/// A relay that says nothing for so long, twice, is away.
const PING: Duration = Duration::from_secs(10);
/// A room is written again that often, so that it lives as long as its front.
const KEEP: Duration = Duration::from_hours(1);
/// Codes of other rooms, before something else must be wrong.
const TRIES: usize = 50;
/// Digits of a number that pages keep, whose programs know no longer ones.
const NUMBER_BITS: u32 = 53;

/// A front machine on its relay, before it serves, with a room of its own.
#[derive(Debug)]
pub struct RelayFront {
    runtime: Runtime,
    relay: Arc<Relay>,
    code: RoomCode,
    secret: TeacherSecret,
}

/// Why there is no relay.
#[derive(Debug, thiserror::Error)]
pub enum RelayError {
    /// Not the address of one.
    #[error("that is no address of a relay ({why})")]
    Address {
        /// In words; the address itself may hold a password.
        why: String,
    },
    /// Nothing answers there as a NATS server does.
    #[error("{host} could not be reached ({source})")]
    Unreachable {
        /// With its port.
        host: String,
        /// As the line says it.
        source: async_nats::ConnectError,
    },
    /// It wants another name or password.
    #[error("{host} does not let us in ({source})")]
    NotLetIn {
        /// With its port.
        host: String,
        /// As the server says it.
        source: async_nats::ConnectError,
    },
    /// It keeps nothing for who comes late.
    #[error("{host} keeps no class ({source})")]
    NoStore {
        /// With its port.
        host: String,
        /// As the server says it.
        source: async_nats::Error,
    },
    /// The system gives no random numbers, or no socket.
    #[error("the system gives no means for it ({source})")]
    System {
        /// As the system says it.
        #[from]
        source: io::Error,
    },
}

impl RelayFront {
    /// Opens a room on the relay at `address`: `nats://HOST`, with `:PORT` where it isn't
    /// 4222, and `USER:PASSWORD@` or `TOKEN@` before the host where it asks for one;
    /// `tls://` where the line is to be encrypted in any case.
    ///
    /// Fails when the relay can't be reached, lets nobody in, or keeps nothing.
    pub fn open(address: &str) -> Result<Self, RelayError> {
        let runtime = new_runtime()?;
        let (relay, code, secret) = runtime.block_on(open(address))?;
        Ok(Self { runtime, relay, code, secret })
    }

    /// The code of its room.
    pub fn code(&self) -> &RoomCode {
        &self.code
    }

    /// What makes the teacher of that room.
    pub fn secret(&self) -> &TeacherSecret {
        &self.secret
    }

    pub(crate) fn into_parts(self) -> (Runtime, Arc<Relay>) {
        (self.runtime, self.relay)
    }
}

async fn open(address: &str) -> Result<(Arc<Relay>, RoomCode, TeacherSecret), RelayError> {
    let address = parse(address)?;
    let host = format!("{}:{}", address.host(), address.port());
    let (comes, coming) = watch::channel(());
    let options = options(&address).event_callback(move |event| {
        if event == Event::Connected {
            comes.send_replace(());
        }
        ready(())
    });
    let client = match options.connect(address).await {
        Ok(client) => client,
        Err(source) => {
            let is_refusal = matches!(
                source.kind(),
                ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation
            );
            return Err(if is_refusal {
                RelayError::NotLetIn { host, source }
            } else {
                RelayError::Unreachable { host, source }
            });
        }
    };
    let no_store = |source| RelayError::NoStore { host: host.clone(), source };
    let store = RelayStore::open(client, coming).await.map_err(no_store)?;
    for _ in 0..TRIES {
        let (code, secret) = new_code()?;
        let room = StoredRoom { secret: secret.clone() };
        if store.open_room(&code, &room).await.map_err(no_store)? {
            let relay = Arc::new(Relay::new(store.clone(), front_number()?));
            tokio::spawn(keep(store, code.clone(), room));
            return Ok((relay, code, secret));
        }
    }
    Err(no_store("every code that was tried is another room's".into()))
}

/// A number that no other front has.
///
/// Fails when the system gives no random numbers.
fn front_number() -> io::Result<u64> {
    let mut bits = [0; 8];
    getrandom::fill(&mut bits).map_err(io::Error::from)?;
    Ok(u64::from_le_bytes(bits) >> (u64::BITS - NUMBER_BITS))
}

async fn keep(store: RelayStore, code: RoomCode, room: StoredRoom) {
    loop {
        sleep(KEEP).await;
        store.keep_room(&code, &room).await;
    }
}

fn parse(address: &str) -> Result<ServerAddr, RelayError> {
    let parsed: io::Result<ServerAddr> = address.parse();
    let parsed = parsed.map_err(|why| RelayError::Address { why: why.to_string() })?;
    match parsed.scheme() {
        "nats" | "tls" if !parsed.host().is_empty() => Ok(parsed),
        other => Err(RelayError::Address { why: format!("it is {other}://…") }),
    }
}

/// With the name and password of the address, which the library leaves to us.
fn options(address: &ServerAddr) -> ConnectOptions {
    let plain = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
    let options = ConnectOptions::new().name("bindpose class").ping_interval(PING);
    match (address.username().map(plain), address.password().map(plain)) {
        (Some(user), Some(password)) => options.user_and_password(user, password),
        (Some(token), None) => options.token(token),
        (None, _) => options,
    }
}
