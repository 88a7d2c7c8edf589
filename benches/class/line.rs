//! One line of one client: a real socket behind a network that is made up.

use std::cell::Cell;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::rc::Rc;

use bindpose_class_protocol::{ClientMessage, ServerMessage};
use futures_util::{SinkExt as _, StreamExt as _};
use tokio::net::{TcpSocket, TcpStream};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::{JoinHandle, spawn_local};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{WebSocketStream, client_async};

use super::network::{Network, Random, Way, now_ms, until};

pub(crate) type Socket = WebSocketStream<TcpStream>;

/// Dropped, it still sends what is under way, as a system does with a socket whose
/// program has gone; see also [`Self::cut`].
pub(crate) struct Line {
    up: UnboundedSender<Held<String>>,
    down: UnboundedReceiver<Held<ServerMessage>>,
    up_way: Way,
    next: Option<Held<ServerMessage>>,
    status: Rc<Status>,
    wire: JoinHandle<()>,
}

/// A message that the network still has.
pub(crate) struct Held<T> {
    what: T,
    sent_ms: f64,
    arrives_ms: f64,
}

/// What one told, and how long that took without the network.
pub(crate) struct Heard {
    pub(crate) told: ServerMessage,
    /// How long after `stamp_ms` it was heard, above the network's own delay.
    pub(crate) above_ms: Box<dyn Fn(f64) -> f64>,
}

#[derive(Default)]
struct Status {
    /// The client could not hear before: it was away, or asleep.
    hears_since_ms: Cell<f64>,
    /// It reads nothing before.
    asleep_until_ms: Cell<f64>,
    /// Messages that are not on the socket yet.
    under_way: Cell<usize>,
}

impl Line {
    /// Fails when nobody takes the connection.
    pub(crate) async fn open(
        address: SocketAddr,
        number: usize,
        network: Network,
        random: &mut Random,
    ) -> Option<Self> {
        let socket = connect(address, number).await?;
        let mut way = || Way::new(network, Random::of(random.share().to_bits()));
        let (up_way, down_way) = (way(), way());
        let (up, sent) = unbounded_channel();
        let (arrived, down) = unbounded_channel();
        let status = Rc::<Status>::default();
        let wire = Wire { socket, sent, arrived, down_way, status: Rc::clone(&status) };
        let wire = spawn_local(wire.run());
        Some(Self { up, down, up_way, next: None, status, wire })
    }

    pub(crate) fn say(&mut self, said: &ClientMessage) {
        let Ok(what) = serde_json::to_string(said) else { return };
        let sent_ms = now_ms();
        let arrives_ms = self.up_way.arrival_ms(sent_ms);
        self.status.under_way.set(self.status.under_way.get() + 1);
        let _ = self.up.send(Held { what, sent_ms, arrives_ms });
    }

    /// The next that arrives; `None`: the line is gone. Nothing is lost when this is not
    /// waited for to the end.
    pub(crate) async fn hear(&mut self) -> Option<Heard> {
        if self.next.is_none() {
            self.next = self.down.recv().await;
        }
        until(self.next.as_ref()?.arrives_ms).await;
        let Held { what: told, sent_ms, arrives_ms } = self.next.take()?;
        let (since_ms, now_ms) = (self.status.hears_since_ms.get(), now_ms());
        let above_ms = move |stamp_ms: f64| {
            let of_server = (sent_ms - since_ms.max(stamp_ms)).max(0.0);
            of_server + (now_ms - since_ms.max(arrives_ms)).max(0.0)
        };
        Some(Heard { told, above_ms: Box::new(above_ms) })
    }

    /// It reads nothing until then.
    pub(crate) fn sleeps_until(&self, ms: f64) {
        self.status.asleep_until_ms.set(ms);
        self.status.hears_since_ms.set(ms);
    }

    /// Is everything that was said on the socket?
    pub(crate) fn has_said_all(&self) -> bool {
        self.status.under_way.get() == 0
    }

    /// What is under way is lost.
    pub(crate) fn cut(self) {
        self.wire.abort();
    }
}

struct Wire {
    socket: Socket,
    sent: UnboundedReceiver<Held<String>>,
    arrived: UnboundedSender<Held<ServerMessage>>,
    down_way: Way,
    status: Rc<Status>,
}

impl Wire {
    /// Until the server closes it, or the client has let go of it and all is sent.
    async fn run(mut self) {
        let mut due: Option<Held<String>> = None;
        loop {
            let asleep_until_ms = self.status.asleep_until_ms.get();
            let is_asleep = asleep_until_ms > now_ms();
            let due_ms = due.as_ref().map_or(0.0, |due| due.arrives_ms);
            tokio::select! {
                () = until(due_ms), if due.is_some() => {
                    let Some(Held { what, .. }) = due.take() else { return };
                    if self.socket.send(Message::text(what)).await.is_err() {
                        return;
                    }
                    let status = &self.status;
                    // The first word lets the client in.
                    if status.hears_since_ms.get() == 0.0 {
                        status.hears_since_ms.set(now_ms());
                    }
                    status.under_way.set(status.under_way.get() - 1);
                }
                sent = self.sent.recv(), if due.is_none() => match sent {
                    Some(sent) => due = Some(sent),
                    None => return,
                },
                () = until(asleep_until_ms), if is_asleep => {}
                message = self.socket.next(), if !is_asleep => {
                    let Some(Ok(message)) = message else { return };
                    let Message::Text(text) = message else { continue };
                    let sent_ms = now_ms();
                    let Ok(what) = serde_json::from_str(&text) else { return };
                    let arrives_ms = self.down_way.arrival_ms(sent_ms);
                    let _ = self.arrived.send(Held { what, sent_ms, arrives_ms });
                }
            }
        }
    }
}

pub(crate) async fn connect(address: SocketAddr, number: usize) -> Option<Socket> {
    let stream = tcp(address, number).await?;
    let url = format!("ws://{address}/class/socket");
    Some(client_async(url, stream).await.ok()?.0)
}

/// On this computer every client comes from one of many addresses, as in a hall: a server
/// takes so many from one.
pub(crate) async fn tcp(address: SocketAddr, number: usize) -> Option<TcpStream> {
    let socket = TcpSocket::new_v4().ok()?;
    if address.ip().is_loopback() && cfg!(target_os = "linux") {
        let own = Ipv4Addr::new(127, 0, 1, (number % 250 + 1) as u8);
        socket.bind(SocketAddr::new(IpAddr::V4(own), 0)).ok()?;
    }
    let stream = socket.connect(address).await.ok()?;
    stream.set_nodelay(true).ok()?;
    Some(stream)
}
