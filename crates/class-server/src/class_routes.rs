//! HTTP routes of a class: a `WebSocket`, and polling for networks that block `WebSocket`s.

use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::ws::{Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::extract::{Extension, Request, State};
use axum::http::header::{CONNECTION, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use bindpose_class_protocol::{
    ClientMessage, MAX_MESSAGE_BYTES, PollRequest, PollResponse, RateLimiter, RejectReason,
    ServerMessage, SyncCursor,
};
use serde_json::{from_slice, from_str, to_string};
use tokio::time::{interval_at, sleep, timeout};

use super::class_client::{ClassClient, ClassEntrance, Visitor, is_from_foreign_site};
use super::client_address::PeerAddress;
use super::join_page;
use super::remote_rooms::EntryError;
use super::request_body::{BODY_TIMEOUT, read_body};
use super::shared_room::{ClientTimeouts, MIN_UPDATE_INTERVAL};
use super::site::text_response;

/// Time until a new client must have sent its first message.
const HELLO_TIMEOUT: Duration = Duration::from_secs(10);
/// Delay before a wrong code or secret is rejected. Makes it impractical to guess
/// them.
const REFUSAL_DELAY: Duration = Duration::from_secs(1);
/// Time after which a connection is closed because the client does not read a message.
const SEND_TIMEOUT: Duration = Duration::from_secs(20);
/// Time after which a poll is answered even without new messages.
const POLL_TIMEOUT: Duration = Duration::from_secs(20);
/// Size of the read buffer of every connection. The default of 128 KB would use too much memory.
const READ_BUFFER_BYTES: usize = 4 * 1024;
/// Maximum size of the body of a poll, which holds the first message and the unsent ones.
const MAX_POLL_BYTES: usize = 2 * MAX_MESSAGE_BYTES;
/// Maximum number of messages that a client can send in a burst.
const MAX_MESSAGE_BURST: f64 = 40.0;
/// Maximum sustained rate of the messages of a client.
const MAX_MESSAGES_PER_SEC: f64 = 20.0;

pub(super) fn class_routes(entrance: ClassEntrance) -> Router {
    Router::new()
        .route("/class/socket", get(upgrade_to_socket))
        .route("/class/poll", post(poll_response))
        .route_layer(from_fn(refuse_foreign_sites))
        .route(join_page::SCRIPT_PATH, get(join_page::script_response))
        .with_state(entrance)
}

/// Refuses requests that pages of other sites make in the browser of a student or teacher.
async fn refuse_foreign_sites(request: Request, next: Next) -> Response {
    if is_from_foreign_site(request.headers()) {
        return text_response(403, "This request comes from a page of another site");
    }
    next.run(request).await
}

async fn upgrade_to_socket(
    State(entrance): State<ClassEntrance>,
    Extension(peer): Extension<PeerAddress>,
    headers: HeaderMap,
    socket: WebSocketUpgrade,
) -> Response {
    let visitor = entrance.visitor(peer, &headers);
    socket
        .max_message_size(MAX_MESSAGE_BYTES)
        .max_frame_size(MAX_MESSAGE_BYTES)
        .read_buffer_size(READ_BUFFER_BYTES)
        .on_upgrade(async move |mut socket| {
            if let Err(why) = serve_socket(&mut socket, &entrance, &visitor).await {
                let _ = send_message(&mut socket, &ServerMessage::Refused { why }).await;
            }
        })
}

/// Lets a client enter and serves it until it disconnects. Returns the refusal if the client
/// cannot enter or sends an invalid message.
async fn serve_socket(
    socket: &mut WebSocket,
    entrance: &ClassEntrance,
    visitor: &Visitor,
) -> Result<(), RejectReason> {
    let Ok(hello) = timeout(HELLO_TIMEOUT, receive(socket)).await else { return Ok(()) };
    let Received::Message(hello) = hello? else { return Ok(()) };
    let client = match entrance.enter(hello, visitor).await {
        Ok(client) => client,
        Err(error) => {
            sleep(REFUSAL_DELAY).await;
            return match error {
                EntryError::Refused(refusal) => Err(refusal),
                // The connection is closed without a message, so the client reconnects.
                EntryError::Unavailable => Ok(()),
            };
        }
    };
    if !send_message(socket, &client.welcome).await {
        return Ok(());
    }
    serve_client(socket, &client).await
}

/// Exchanges messages with a client that has entered.
async fn serve_client(socket: &mut WebSocket, client: &ClassClient) -> Result<(), RejectReason> {
    let mut changes = client.watch_changes();
    let mut cursor = SyncCursor::default();
    let start = Instant::now();
    let mut allowance = RateLimiter::new(MAX_MESSAGE_BURST, MAX_MESSAGES_PER_SEC, 0.0);
    let mut last_received = Instant::now();
    let ClientTimeouts { ping_interval, silence, .. } = client.timeouts();
    // Sent even if there are many other messages: only missing pongs reveal a client that has
    // lost its connection.
    let mut pings = interval_at(tokio::time::Instant::now() + ping_interval, ping_interval);
    loop {
        tokio::select! {
            received = receive(socket) => {
                last_received = Instant::now();
                match received? {
                    Received::Message(message) => client.handle_message(message)?,
                    Received::Alive => {}
                    Received::Closed => return Ok(()),
                }
                // Not reading any further makes TCP throttle the client.
                while !allowance.take(start.elapsed().as_secs_f64()) {
                    sleep(MIN_UPDATE_INTERVAL).await;
                }
            }
            _ = changes.changed() => {
                while let Some(text) = client.next_message_text(&mut cursor) {
                    if !send_text(socket, text).await {
                        return Ok(());
                    }
                }
                if client.is_teacher() {
                    sleep(MIN_UPDATE_INTERVAL).await;
                }
            }
            () = client.wait_until_replaced() => return Ok(()),
            _ = pings.tick() => {
                let ping = Message::Ping(Bytes::new());
                if last_received.elapsed() > silence || socket.send(ping).await.is_err() {
                    return Ok(());
                }
            }
        }
    }
}

enum Received {
    Message(ClientMessage),
    /// A ping or pong.
    Alive,
    Closed,
}

async fn receive(socket: &mut WebSocket) -> Result<Received, RejectReason> {
    Ok(match socket.recv().await {
        Some(Ok(Message::Text(text))) => {
            Received::Message(from_str(&text).ok().ok_or(RejectReason::Malformed)?)
        }
        Some(Ok(Message::Ping(_) | Message::Pong(_))) => Received::Alive,
        Some(Ok(Message::Binary(_))) => return Err(RejectReason::Malformed),
        Some(Ok(Message::Close(_)) | Err(_)) | None => Received::Closed,
    })
}

/// Returns false if the message could not be sent.
async fn send_message(socket: &mut WebSocket, message: &ServerMessage) -> bool {
    let Ok(text) = to_string(message) else { return false };
    send_text(socket, text.into()).await
}

/// Returns false if the text could not be sent.
async fn send_text(socket: &mut WebSocket, text: Utf8Bytes) -> bool {
    matches!(timeout(SEND_TIMEOUT, socket.send(Message::Text(text))).await, Ok(Ok(())))
}

async fn poll_response(
    State(entrance): State<ClassEntrance>,
    Extension(peer): Extension<PeerAddress>,
    headers: HeaderMap,
    body: Body,
) -> Response {
    let body = match read_body(body, MAX_POLL_BYTES, BODY_TIMEOUT).await {
        Ok(body) => body,
        // An open connection would parse the rest of the body as the next request.
        Err(status) => return (status, [(CONNECTION, "close")]).into_response(),
    };
    let answer = match answer_poll(&entrance, &entrance.visitor(peer, &headers), &body).await {
        Ok(answer) => answer,
        Err(error) => {
            sleep(REFUSAL_DELAY).await;
            let EntryError::Refused(why) = error else {
                return text_response(503, "The class cannot be reached now");
            };
            PollResponse { told: vec![ServerMessage::Refused { why }], seen: SyncCursor::default() }
        }
    };
    let text = to_string(&answer).unwrap_or_default();
    (StatusCode::OK, [(CONTENT_TYPE, "application/json")], text).into_response()
}

/// Handles the messages of a poll, then waits for messages to the client.
async fn answer_poll(
    entrance: &ClassEntrance,
    visitor: &Visitor,
    body: &[u8],
) -> Result<PollResponse, EntryError> {
    let PollRequest { hello, said, mut seen } =
        from_slice(body).ok().ok_or(RejectReason::Malformed)?;
    let client = entrance.enter(hello, visitor).await?;
    for message in said {
        client.handle_message(message)?;
    }
    let mut changes = client.watch_changes();
    let mut messages = Vec::new();
    // After the timeout the answer has no messages.
    let _ = timeout(POLL_TIMEOUT, async {
        while messages.is_empty() && changes.changed().await.is_ok() {
            messages.extend(std::iter::from_fn(|| client.next_message(&mut seen)));
        }
    })
    .await;
    Ok(PollResponse { told: messages, seen })
}
