//! Clients that mean no good, or are broken.

use std::net::SocketAddr;
use std::time::Duration;

use bindpose_class_protocol::{ClientMessage, RoomCode, StudentKey, StudentRecord};
use futures_util::SinkExt as _;
use tokio::net::TcpStream;
use tokio::task::{JoinHandle, spawn_local};
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;

use super::line::{Socket, connect, tcp};

const SILENT: usize = 200;

/// One that writes as fast as it can, one that joins and never reads, and two hundred that
/// begin a request and never end it.
pub(crate) struct Strangers {
    flood: JoinHandle<()>,
    _deaf: Socket,
    _silent: Vec<TcpStream>,
}

impl Strangers {
    pub(crate) async fn come(address: SocketAddr, code: &RoomCode) -> Result<Self, String> {
        let deaf = join(address, code, 9001).await?;
        let mut flooding = join(address, code, 9002).await?;
        let page = format!("bindpose://a/b?x={}", "1".repeat(1000));
        let page = ClientMessage::Page { page, wanders: true, version: 1 };
        let page = serde_json::to_string(&page).map_err(|why| why.to_string())?;
        let flood = spawn_local(async move {
            while flooding.send(Message::text(page.clone())).await.is_ok() {
                // The server's side of the line is full: others have their turn.
                tokio::task::yield_now().await;
            }
        });
        let mut silent = Vec::new();
        for number in 0..SILENT {
            let stream = tcp(address, number).await.ok_or("a connection is not taken")?;
            // A new socket has room for so few bytes.
            stream.try_write(b"GET / HTTP/1.1\r\nHost:").map_err(|why| why.to_string())?;
            silent.push(stream);
        }
        Ok(Self { flood, _deaf: deaf, _silent: silent })
    }
}

impl Drop for Strangers {
    fn drop(&mut self) {
        self.flood.abort();
    }
}

async fn join(address: SocketAddr, code: &RoomCode, number: usize) -> Result<Socket, String> {
    let key = StudentKey::from_random(number as u128);
    let join = ClientMessage::Join { code: code.clone(), key, record: StudentRecord::default() };
    let join = serde_json::to_string(&join).map_err(|why| why.to_string())?;
    let patience = Duration::from_secs(10);
    let socket = timeout(patience, connect(address, number)).await.ok().flatten();
    let mut socket = socket.ok_or("a connection is not taken")?;
    socket.send(Message::text(join)).await.map_err(|why| why.to_string())?;
    Ok(socket)
}
