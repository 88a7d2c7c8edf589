//! The teacher, as the bench reaches it.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{Ipv4Addr, SocketAddr};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::Duration;

use bindpose_class_protocol::{RoomCode, TeacherClient, TeacherSecret};
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::Value;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::spawn_local;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;

use super::figures::Samples;
use super::lead::{Answers, Order};
use super::line::{Socket, connect};

/// No measure of speed: only a hang takes this long.
const PATIENCE: Duration = Duration::from_secs(30);

pub(crate) struct Teacher {
    to: Reached,
    answers: UnboundedReceiver<Value>,
}

enum Reached {
    Window { process: Child, orders: ChildStdin },
    Line(UnboundedSender<Order>),
}

impl Teacher {
    /// Starts a server with a teacher's window in a process of its own.
    pub(crate) async fn in_window() -> Result<(Self, SocketAddr, RoomCode), String> {
        let program = std::env::current_exe().map_err(|why| why.to_string())?;
        let mut process = Command::new(program)
            .arg("--serve")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|why| why.to_string())?;
        let orders = process.stdin.take().ok_or("no input")?;
        let output = process.stdout.take().ok_or("no output")?;
        let (send, answers) = unbounded_channel();
        std::thread::spawn(move || {
            let lines = BufReader::new(output).lines().map_while(Result::ok);
            let mut values = lines.filter_map(|line| serde_json::from_str(&line).ok());
            values.all(|value: Value| send.send(value).is_ok())
        });
        let mut teacher = Self { to: Reached::Window { process, orders }, answers };
        let opened = teacher.answer().await?;
        let port = opened["port"].as_u64().ok_or("no port")? as u16;
        let code = opened["code"].as_str().ok_or("no code")?.parse()?;
        Ok((teacher, SocketAddr::from((Ipv4Addr::LOCALHOST, port)), code))
    }

    /// Leads a class that is somewhere else.
    pub(crate) async fn on_line(
        address: SocketAddr,
        code: RoomCode,
        secret: TeacherSecret,
    ) -> Result<Self, String> {
        let socket = connect(address, 0).await.ok_or(format!("{address} takes no teacher"))?;
        let (to, orders) = unbounded_channel();
        let (send, answers) = unbounded_channel();
        spawn_local(lead(socket, TeacherClient::new(code, secret), orders, send));
        Ok(Self { to: Reached::Line(to), answers })
    }

    pub(crate) fn order(&mut self, order: Order) -> Result<(), String> {
        match &mut self.to {
            Reached::Window { orders, .. } => {
                writeln!(orders, "{order}").map_err(|why| why.to_string())
            }
            Reached::Line(orders) => orders.send(order).map_err(|why| why.to_string()),
        }
    }

    pub(crate) async fn tally(&mut self, number: usize) -> Result<Answers, String> {
        self.order(Order::Tally(number))?;
        serde_json::from_value(self.answer().await?).map_err(|why| why.to_string())
    }

    /// Milliseconds of frames: by the clock, at work, and of a loop beside each.
    pub(crate) async fn frames(&mut self) -> Result<[Samples; 3], String> {
        self.order(Order::Frames)?;
        let frames = serde_json::from_value(self.answer().await?);
        let frames: Vec<[f64; 3]> = frames.map_err(|why| why.to_string())?;
        Ok([0, 1, 2].map(|of| Samples::new(frames.iter().map(|frame| frame[of]).collect())))
    }

    /// What the server's process holds in memory of its own; absent where that is not known.
    pub(crate) fn memory_kb(&self) -> Option<f64> {
        let Reached::Window { process, .. } = &self.to else { return None };
        let status = std::fs::read_to_string(format!("/proc/{}/status", process.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"))?;
        line.trim().strip_suffix("kB")?.trim().parse().ok()
    }

    async fn answer(&mut self) -> Result<Value, String> {
        let answer = timeout(PATIENCE, self.answers.recv()).await;
        answer.ok().flatten().ok_or_else(|| "the teacher does not answer".to_owned())
    }
}

impl Drop for Teacher {
    fn drop(&mut self) {
        if let Reached::Window { process, .. } = &mut self.to {
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}

async fn lead(
    mut socket: Socket,
    mut teacher: TeacherClient,
    mut orders: UnboundedReceiver<Order>,
    answers: UnboundedSender<Value>,
) {
    let mut said = Some(teacher.lead());
    loop {
        if let Some(text) = said.as_ref().and_then(|said| serde_json::to_string(said).ok())
            && socket.send(Message::text(text)).await.is_err()
        {
            return;
        }
        tokio::select! {
            order = orders.recv() => {
                let Some(order) = order else { return };
                if let Some(answer) = order.of(&mut teacher) {
                    let _ = answers.send(answer);
                }
            }
            message = socket.next() => {
                let Some(Ok(message)) = message else { return };
                if let Ok(told) = serde_json::from_slice(&message.into_data()) {
                    teacher.hear(told);
                }
            }
        }
        said = teacher.take_unsaid();
    }
}
