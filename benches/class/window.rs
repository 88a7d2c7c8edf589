//! The process with the server, and in it the teacher's window without its picture: what
//! its thread spends on the class in a frame.

use std::io::{BufRead as _, Write as _};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::time::{Duration, Instant};

use bindpose_class_protocol::{Round, TeacherClient};
use bindpose_class_server::{LocalTeacher, ServedFolder, ServerOptions, SharedRoom, WebServer};
use serde_json::{Value, json};

use super::lead::Order;

const FRAME: Duration = Duration::from_micros(16_667);

/// Until the bench closes this process's input.
pub(crate) fn run() -> Result<(), String> {
    let pages = tempfile::tempdir().map_err(|why| why.to_string())?;
    let open = || {
        std::fs::write(pages.path().join("index.html"), "<h1>Bindpose</h1>")?;
        let room = SharedRoom::with_new_code()?;
        let site = ServedFolder::open(pages.path())?;
        let options = ServerOptions {
            site,
            port: 0,
            lan: false,
            room: Some(room.clone().into()),
            trusted_proxies: Vec::new(),
        };
        Ok((WebServer::start(options)?, room))
    };
    let (server, room) = open().map_err(|why: std::io::Error| why.to_string())?;
    let (code, secret) = (room.code(), room.secret());
    say(&json!({ "port": server.port(), "code": code.as_str(), "lead": secret.as_str() }))?;
    let teacher = TeacherClient::new(code, secret);
    Window { teacher, local: room.local_teacher(|| {}), frames: Vec::new() }.show(&orders())
}

fn orders() -> Receiver<Order> {
    let (send, orders) = channel();
    std::thread::spawn(move || {
        let lines = std::io::stdin().lock().lines().map_while(Result::ok);
        lines.filter_map(|line| line.parse().ok()).all(|order| send.send(order).is_ok())
    });
    orders
}

fn say(value: &Value) -> Result<(), String> {
    writeln!(std::io::stdout(), "{value}").map_err(|why| why.to_string())
}

/// How long this thread has worked. On a busy computer the clock goes on while others have
/// its processor; elsewhere than on Unix this is 0.
fn work_ms() -> f64 {
    #[cfg(unix)]
    {
        let spent = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        spent.tv_sec as f64 * 1e3 + spent.tv_nsec as f64 / 1e6
    }
    #[cfg(not(unix))]
    0.0
}

/// How long a loop takes by the clock until it has worked so long: what of a frame's time
/// other programs have taken.
fn loop_ms(work: f64) -> f64 {
    let (began, began_work_ms) = (Instant::now(), work_ms());
    while cfg!(unix) && work_ms() - began_work_ms < work {}
    milliseconds(began.elapsed())
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

struct Window {
    teacher: TeacherClient,
    local: LocalTeacher,
    /// Milliseconds of each: by the clock, of them at work, and by the clock of a loop that
    /// works as long and waits for nobody.
    frames: Vec<[f64; 3]>,
}

impl Window {
    fn show(mut self, orders: &Receiver<Order>) -> Result<(), String> {
        loop {
            let (began, began_work_ms) = (Instant::now(), work_ms());
            self.hear();
            loop {
                match orders.try_recv() {
                    Ok(Order::Frames) => say(&json!(std::mem::take(&mut self.frames)))?,
                    Ok(order) => {
                        if let Some(answer) = order.of(&mut self.teacher) {
                            say(&answer)?;
                        }
                    }
                    Err(TryRecvError::Empty) => break,
                    Err(TryRecvError::Disconnected) => return Ok(()),
                }
            }
            if let Some(said) = self.teacher.take_unsaid() {
                self.local.say(said);
            }
            let spent = began.elapsed();
            let worked_ms = work_ms() - began_work_ms;
            self.frames.push([milliseconds(spent), worked_ms, loop_ms(worked_ms)]);
            std::thread::sleep(FRAME.saturating_sub(began.elapsed()));
        }
    }

    /// What the page's own code does with the class in every frame.
    fn hear(&mut self) {
        while let Some(told) = self.local.take_news() {
            self.teacher.hear(told);
        }
        if let Some(question) = &self.teacher.state().question {
            let tally = self.teacher.tally(&question.address);
            for round in [Round::First, Round::Second] {
                std::hint::black_box((tally.counts(round), tally.missing(round).count()));
            }
            std::hint::black_box(tally.shifts());
        }
        std::hint::black_box(self.teacher.present());
    }
}
