//! The class on the line: by sockets, and by polling where none can be held.

use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::extract::ws::{Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::http::header::{CONNECTION, CONTENT_TYPE, HOST};
use axum::http::{HeaderMap, HeaderName, StatusCode};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use bindpose_classroom::{Allowance, MESSAGE_BYTES, Poll, PollAnswer, Refusal, Said, Seen, Told};
use serde_json::{from_slice, from_str, to_string};
use tokio::time::{interval_at, sleep, timeout};

use super::class::{BREATH, Patience};
use super::no_entry::NoEntry;
use super::request_body::{BODY_TIMEOUT, read_body};
use super::site::words;
use super::visitor::{CalledAddress, Rooms, Visitor};

/// Until a client has said who it is.
const HELLO: Duration = Duration::from_secs(10);
/// For who was wrong about code or secret: nobody tries them all.
const AFTER_A_REFUSAL: Duration = Duration::from_secs(1);
/// Of a client that takes nothing.
const SLOWEST: Duration = Duration::from_secs(20);
/// A poll is answered after that, with news or without.
const POLL: Duration = Duration::from_secs(20);
/// Read at a time, and held for every client; by itself it would be 128 KB.
const READ_BYTES: usize = 4 * 1024;
/// Longest body of a poll: what is unsaid beside the first word.
const MAX_POLL_BYTES: usize = 2 * MESSAGE_BYTES;
/// Messages of one client at once, and in the long run in a second.
const AT_ONCE: f64 = 40.0;
const PER_SEC: f64 = 20.0;
/// By which of its names a balancer says how a browser has come to it.
const SCHEME: HeaderName = HeaderName::from_static("x-forwarded-proto");

pub(super) fn routes(rooms: Rooms) -> Router {
    Router::new()
        .route("/class/socket", get(upgrade))
        .route("/class/poll", post(poll))
        .with_state(rooms)
}

async fn upgrade(
    State(rooms): State<Rooms>,
    headers: HeaderMap,
    socket: WebSocketUpgrade,
) -> Response {
    let at = called_address(&headers);
    let socket = socket.max_message_size(MESSAGE_BYTES).max_frame_size(MESSAGE_BYTES);
    let socket = socket.read_buffer_size(READ_BYTES);
    socket.on_upgrade(async move |mut socket| {
        if let Err(why) = converse(&mut socket, &rooms, &at).await {
            let _ = tell(&mut socket, &Told::Refused { why }).await;
        }
    })
}

fn called_address(headers: &HeaderMap) -> CalledAddress {
    let said = |name| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    CalledAddress::new(said(HOST), said(SCHEME))
}

/// Until the client goes; fails when it says what is not its to say.
async fn converse(
    socket: &mut WebSocket,
    rooms: &Rooms,
    at: &CalledAddress,
) -> Result<(), Refusal> {
    let Ok(hello) = timeout(HELLO, heard(socket)).await else { return Ok(()) };
    let Heard::Said(hello) = hello? else { return Ok(()) };
    let visitor = match rooms.enter(hello, at).await {
        Ok(visitor) => visitor,
        Err(why) => {
            sleep(AFTER_A_REFUSAL).await;
            return match why {
                NoEntry::Refused(why) => Err(why),
                // A client whose line ends comes back by itself.
                NoEntry::RelayAway => Ok(()),
            };
        }
    };
    if !tell(socket, &visitor.welcome).await {
        return Ok(());
    }
    attend(socket, &visitor).await
}

/// The same, once it is let in.
async fn attend(socket: &mut WebSocket, visitor: &Visitor) -> Result<(), Refusal> {
    let (mut changes, mut seen) = (visitor.changes(), Seen::default());
    let began = Instant::now();
    let mut allowance = Allowance::new(AT_ONCE, PER_SEC, 0.0);
    let mut last_heard = Instant::now();
    let Patience { ping, silence, .. } = visitor.patience();
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
                if visitor.leads() {
                    sleep(BREATH).await;
                }
            }
            () = visitor.is_replaced() => return Ok(()),
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

async fn poll(State(rooms): State<Rooms>, headers: HeaderMap, body: Body) -> Response {
    let body = match read_body(body, MAX_POLL_BYTES, BODY_TIMEOUT).await {
        Ok(body) => body,
        // The rest of it would be taken for the next request.
        Err(why) => return (why, [(CONNECTION, "close")]).into_response(),
    };
    let answer = match polled(&rooms, &called_address(&headers), &body).await {
        Ok(answer) => answer,
        Err(why) => {
            sleep(AFTER_A_REFUSAL).await;
            let NoEntry::Refused(why) = why else {
                return words(503, "The class cannot be reached now");
            };
            PollAnswer { told: vec![Told::Refused { why }], seen: Seen::default() }
        }
    };
    let text = to_string(&answer).unwrap_or_default();
    (StatusCode::OK, [(CONTENT_TYPE, "application/json")], text).into_response()
}

async fn polled(rooms: &Rooms, at: &CalledAddress, body: &[u8]) -> Result<PollAnswer, NoEntry> {
    let Poll { hello, said, mut seen } = from_slice(body).ok().ok_or(Refusal::Malformed)?;
    let visitor = rooms.enter(hello, at).await?;
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
