//! A class of hundreds on real sockets: `cargo xtask bench class`. What it measures and
//! how stands in `about.md`.
//!
//! It belongs to the package of the server, so that nothing of the page is built for it.
//! The server runs in a process of its own: this program again, with `--serve`.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "it is run by hand, to be read")]

mod class;
mod figures;
mod lead;
mod line;
mod network;
mod report;
mod strangers;
mod student;
#[path = "../common/table.rs"]
mod table;
mod teacher;
mod window;

use std::net::SocketAddr;
use std::process::ExitCode;

use bindpose_class_protocol::{RoomCode, TeacherSecret};
use tokio::runtime::Builder;
use tokio::task::LocalSet;

use class::{Class, Counted};
use network::{BAD, GOOD, Network};
use report::Report;
use strangers::Strangers;
use table::argument;
use teacher::Teacher;

/// Students on bad Wi-Fi, and on a good one.
const FEW: usize = 40;
const MANY: usize = 300;
/// How many before, for the memory of one more.
const SOME: usize = 100;
/// Without strangers and with them, by turns.
const TURNS: usize = 7;

fn main() -> ExitCode {
    let done = if std::env::args().any(|arg| arg == "--serve") { window::run() } else { driven() };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn driven() -> Result<(), String> {
    let runtime = Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|why| why.to_string())?;
    LocalSet::new().block_on(&runtime, async {
        match argument("--addresses") {
            Some(addresses) => elsewhere(&addresses).await,
            None => here().await,
        }
    })
}

/// Both networks, each with a server of its own.
async fn here() -> Result<(), String> {
    let mut report = Report::default();
    bad(&mut report).await?;
    good(&mut report).await?;
    table::put(&report.table())
}

async fn bad(report: &mut Report) -> Result<(), String> {
    println!("{FEW} on a bad network …");
    let mut class = in_window(BAD).await?;
    class.grow(FEW).await?;
    let mut counted = Counted::default();
    for _ in 0..2 {
        class.show(6).await?;
        counted += class.vote(20).await?;
    }
    report.class(&class, BAD, FEW, counted);
    Ok(())
}

async fn good(report: &mut Report) -> Result<(), String> {
    println!("{MANY} on a good network …");
    let mut class = in_window(GOOD).await?;
    for count in [0, SOME, MANY] {
        class.grow(count).await?;
        if let Some(kb) = class.teacher.memory_kb() {
            report.memory_kb.push((count, kb));
        }
    }
    class.teacher.frames().await?;
    class.show(6).await?;
    let mut counted = class.vote(30).await?;
    counted += class.vote(30).await?;
    report.frames = class.teacher.frames().await?;
    report.class(&class, GOOD, MANY, counted);
    if let Some(kb) = class.teacher.memory_kb() {
        report.memory_kb.push((MANY, kb));
    }

    println!("with strangers among them, and without …");
    for turn in 0..TURNS {
        let is_disturbed = turn % 2 == 1;
        let strangers = if is_disturbed {
            Some(Strangers::come(class.addresses()[0], class.code()).await?)
        } else {
            None
        };
        class.show(3).await?;
        report.disturbed.push((is_disturbed, class.latencies()));
        drop(strangers);
    }
    Ok(())
}

async fn in_window(network: Network) -> Result<Class, String> {
    let (teacher, address, code) = Teacher::in_window().await?;
    Ok(Class::new(teacher, vec![address], code, network))
}

/// `--addresses HOST:PORT,HOST:PORT --code K7QF --lead SECRET --clients 2000`: servers that
/// run already, the students spread over them, the teacher on the first.
async fn elsewhere(addresses: &str) -> Result<(), String> {
    let addresses = addresses.split(',').map(|it| it.parse::<SocketAddr>());
    let addresses: Vec<_> = addresses.collect::<Result<_, _>>().map_err(|why| {
        format!("{why}: `--addresses` takes numbers, such as 127.0.0.1:8080,127.0.0.1:8081")
    })?;
    let code: RoomCode = argument("--code").ok_or("`--code` is missing")?.parse()?;
    let secret = argument("--lead").and_then(|digits| u128::from_str_radix(&digits, 16).ok());
    let secret = TeacherSecret::from_random(secret.ok_or("`--lead` is missing, or no secret")?);
    let count = argument("--clients").map_or(Ok(MANY), |count| count.parse());
    let count = count.map_err(|why| format!("`--clients`: {why}"))?;
    let network = if argument("--network").as_deref() == Some("bad") { BAD } else { GOOD };
    if open_files().is_some_and(|limit| limit < count + 100) {
        println!("! {count} clients need more open files than are allowed: `ulimit -n 8192`");
    }
    let first = *addresses.first().ok_or("`--addresses` names none")?;
    let teacher = Teacher::on_line(first, code.clone(), secret).await?;
    let mut class = Class::new(teacher, addresses, code, network);
    let mut report = Report::default();
    class.grow(count).await?;
    class.show(6).await?;
    let counted = class.vote(count / 20).await?;
    report.class(&class, network, count, counted);
    println!("{}", report.table());
    Ok(())
}

/// How many files this process may have open, where the system says so.
fn open_files() -> Option<usize> {
    let limits = std::fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files"))?;
    line.split_whitespace().next()?.parse().ok()
}
