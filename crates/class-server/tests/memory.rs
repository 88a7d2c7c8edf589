//! Measures the memory of a student on a socket. It is a test program of its own, because the
//! memory of other tests in the same process would be counted too.

#![expect(clippy::unwrap_used, reason = "helpers of tests may fail as loudly as tests")]

use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::Duration;

use bindpose_class_protocol::{ServerMessage, StudentClient, StudentKey, StudentRecord};
use bindpose_class_server::{ServedFolder, ServerOptions, SharedRoom, WebServer};
use peak_alloc::PeakAlloc;
use tungstenite::client::client_with_config;
use tungstenite::protocol::WebSocketConfig;
use tungstenite::{Message, WebSocket};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Long enough for a slow machine: only a hang takes this long.
const TEST_TIMEOUT: Duration = Duration::from_mins(2);
const STUDENTS: u128 = 60;
/// Maximum memory per student. Includes the client, whose buffers are as small as possible.
const MAX_STUDENT_KB: f32 = 64.0;

#[test]
fn a_student_on_a_socket_costs_little_memory() {
    let pages = tempfile::tempdir().unwrap();
    std::fs::write(pages.path().join("index.html"), "<h1>Bindpose</h1>").unwrap();
    let room = SharedRoom::with_new_code().unwrap();
    let site = ServedFolder::open(pages.path()).unwrap();
    let options = ServerOptions {
        site,
        port: 0,
        lan: false,
        room: Some(room.clone().into()),
        trusted_proxies: Vec::new(),
    };
    let server = WebServer::start(options).unwrap();
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, server.port()));
    // The first student allocates what all students share.
    let first = join_student(address, &room, 0);
    let before_kb = MEMORY.current_usage_as_kb();
    let sockets: Vec<_> = (1..=STUDENTS).map(|key| join_student(address, &room, key)).collect();
    let per_student_kb = (MEMORY.current_usage_as_kb() - before_kb) / STUDENTS as f32;
    assert!(per_student_kb < MAX_STUDENT_KB, "{per_student_kb} KB");
    drop((first, sockets));
}

/// Connects a student who has entered the room.
fn join_student(address: SocketAddr, room: &SharedRoom, key: u128) -> WebSocket<TcpStream> {
    let stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(TEST_TIMEOUT)).unwrap();
    let small = WebSocketConfig::default().read_buffer_size(1024).write_buffer_size(0);
    let url = format!("ws://{address}/class/socket");
    let (mut socket, _) = client_with_config(url, stream, Some(small)).unwrap();
    let key = StudentKey::from_random(key);
    let join = StudentClient::new(room.code(), key, StudentRecord::default()).join();
    socket.send(Message::text(serde_json::to_string(&join).unwrap())).unwrap();
    let answer = socket.read().unwrap().into_text().unwrap();
    assert!(matches!(serde_json::from_str(&answer), Ok(ServerMessage::Joined { .. })), "{answer}");
    socket
}
