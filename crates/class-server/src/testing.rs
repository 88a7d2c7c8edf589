//! A running server and clients of its class, for tests of this crate and of crates that connect
//! to it.

#![expect(
    clippy::missing_panics_doc,
    clippy::panic,
    clippy::unwrap_used,
    reason = "used by tests only, which panic when they fail"
)]

use std::io::{Read as _, Write as _};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream};
use std::time::Duration;

use bindpose_class_protocol::{
    ClientMessage, PollRequest, PollResponse, QuestionAddress, ServerMessage,
};
use tungstenite::client::IntoClientRequest as _;
use tungstenite::{Message, WebSocket, client};

use crate::{ServedFolder, ServedRoom, ServerOptions, WebServer};

/// Long enough for a slow machine: only a hang takes this long.
pub const TEST_TIMEOUT: Duration = Duration::from_mins(2);

pub const WASM: &str = "a program, a program, a program, a program, a program, a program";

/// A running server with a small site.
pub struct TestServer {
    pub dir: tempfile::TempDir,
    pub address: SocketAddr,
    _server: WebServer,
}

pub struct TestResponse {
    /// Status line and headers, in lower case.
    pub head: String,
    pub body: Vec<u8>,
}

impl TestServer {
    pub fn without_room() -> Self {
        Self::with_room(None)
    }

    pub fn with_room(room: Option<ServedRoom>) -> Self {
        Self::behind_proxies(room, Vec::new())
    }

    /// Starts a server that trusts these proxies about the addresses of their clients.
    pub fn behind_proxies(room: Option<ServedRoom>, trusted_proxies: Vec<IpAddr>) -> Self {
        let dir = tempfile::tempdir().unwrap();
        for (path, text) in [
            ("index.html", "<h1>Bindpose</h1>"),
            ("20-bind-pose/index.html", "<h1>The bind-pose problem</h1>"),
            ("assets/bindpose-0123456789ab.wasm", WASM),
            ("assets/picture-0123456789ab.png", "not really a picture"),
        ] {
            let file = dir.path().join(path);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, text).unwrap();
        }
        let site = ServedFolder::open(dir.path()).unwrap();
        let server =
            WebServer::start(ServerOptions { site, port: 0, lan: false, room, trusted_proxies })
                .unwrap();
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, server.port()));
        Self { dir, address, _server: server }
    }

    pub fn request(&self, method: &str, path: &str, headers: &[&str]) -> TestResponse {
        let mut stream = TcpStream::connect(self.address).unwrap();
        let mut request = format!("{method} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n");
        for header in headers {
            request.push_str(header);
            request.push_str("\r\n");
        }
        stream.write_all((request + "\r\n").as_bytes()).unwrap();
        let mut head = Vec::new();
        stream.read_to_end(&mut head).unwrap();
        let end = head.windows(4).position(|bytes| bytes == b"\r\n\r\n").unwrap();
        let body = head.split_off(end + 4);
        let head = String::from_utf8(head).unwrap().to_lowercase();
        TestResponse { head, body }
    }

    pub fn get(&self, path: &str) -> TestResponse {
        self.request("GET", path, &[])
    }
}

impl TestResponse {
    pub fn status(&self) -> &str {
        self.head.split(' ').nth(1).unwrap()
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().skip(1).find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }
}

impl TestServer {
    pub fn poll(&self, poll: &PollRequest) -> PollResponse {
        self.post_poll(&serde_json::to_string(poll).unwrap())
    }

    pub fn post_poll(&self, body: &str) -> PollResponse {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(TEST_TIMEOUT)).unwrap();
        let length = body.len();
        write!(
            stream,
            "POST /class/poll HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\
             Content-Length: {length}\r\n\r\n{body}"
        )
        .unwrap();
        let mut response = String::new();
        stream.read_to_string(&mut response).unwrap();
        let (_, body) = response.split_once("\r\n\r\n").unwrap();
        serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {response}"))
    }
}

/// The client side of a class socket.
pub struct TestSocket(WebSocket<TcpStream>);

impl TestSocket {
    pub fn connect(server: &TestServer) -> Self {
        Self::try_connect(server, &[]).unwrap()
    }

    /// Connects with further headers. Returns `None` if the server refuses that.
    pub fn try_connect(server: &TestServer, headers: &[(&'static str, &str)]) -> Option<Self> {
        let stream = TcpStream::connect(server.address).unwrap();
        stream.set_read_timeout(Some(TEST_TIMEOUT)).unwrap();
        let url = format!("ws://{}/class/socket", server.address);
        let mut request = url.into_client_request().unwrap();
        for (name, value) in headers {
            request.headers_mut().insert(*name, value.parse().unwrap());
        }
        Some(Self(client(request, stream).ok()?.0))
    }

    pub fn send(&mut self, message: &ClientMessage) {
        self.send_text(serde_json::to_string(message).unwrap()).unwrap();
    }

    /// Sends a text that need not be a message.
    pub fn send_text(&mut self, text: String) -> tungstenite::Result<()> {
        self.0.send(Message::text(text))
    }

    pub fn receive(&mut self) -> ServerMessage {
        loop {
            match self.0.read().unwrap() {
                Message::Text(text) => return serde_json::from_str(&text).unwrap(),
                Message::Ping(_) => {}
                other => panic!("{other:?}"),
            }
        }
    }

    /// Sends a first message and returns the answer. Returns `None` if the server closes the
    /// connection, as it does while a relay is unavailable.
    pub fn try_enter(&mut self, hello: &ClientMessage) -> Option<ServerMessage> {
        self.send(hello);
        loop {
            match self.0.read() {
                Ok(Message::Text(text)) => return Some(serde_json::from_str(&text).unwrap()),
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }

    /// Returns whether the server closes the connection, possibly after some messages.
    pub fn is_closed(&mut self) -> bool {
        (0..100).any(|_| self.0.read().is_err())
    }
}

pub fn question() -> QuestionAddress {
    QuestionAddress { lesson: "bone-grid".into(), cell: "ask-1".into(), draw: 0 }
}
