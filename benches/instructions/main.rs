//! How many instructions the work of a frame takes, held against what is written
//! down: `cargo xtask bench quick`, where valgrind is. Times say nothing on a busy
//! machine; counts change when the code or the compiler does.
//!
//! The program runs itself in valgrind, each work a few times and then more often:
//! the difference is free of what comes before it. What is counted belongs to the
//! instructions that the processor has (AVX2), as valgrind sees them.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "it is run by hand, to be read")]

#[expect(dead_code, reason = "its own bench measures more of it")]
#[path = "../page/frames.rs"]
mod frames;
#[path = "../common/median.rs"]
mod median;
#[expect(dead_code, reason = "its own bench measures more of it")]
#[path = "../cpu/meshes.rs"]
mod meshes;
#[expect(dead_code, reason = "its own bench measures more of it")]
#[path = "../cpu/poses.rs"]
mod poses;
mod work;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, ExitCode};

use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

// What the frames of pages count with, when they are asked to.
#[global_allocator]
static ALLOCATOR: &StatsAlloc<std::alloc::System> = &INSTRUMENTED_SYSTEM;

/// Beside this file.
const WRITTEN: &str = "benches/instructions/counts.tsv";
/// More than what is written down by this part is told: compilers differ by less.
const MORE: f64 = 0.10;
/// What the first argument of a process that runs this program in valgrind is.
const WORK: &str = "--work";
/// Rounds of the shorter and the longer run.
const ROUNDS: [u64; 2] = [2, 10];

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let done = match arguments.next().as_deref() {
        Some(WORK) => work_alone(arguments),
        _ => compare(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// In valgrind: nothing but this work, so many times.
fn work_alone(mut arguments: impl Iterator<Item = String>) -> Result<(), String> {
    let mut argument = || arguments.next().ok_or("which work, and how often?");
    let name = argument()?;
    let rounds = argument()?.parse::<usize>();
    let rounds = rounds.map_err(|error| format!("how often? {error}"))?;
    work::run(&name, rounds)
}

/// Fails where something takes more than is written down; writes anew where
/// `UPDATE_INSTRUCTIONS` is set.
fn compare() -> Result<(), String> {
    let mut counted = BTreeMap::new();
    for name in work::NAMES {
        let count = instructions(name)?;
        println!("{name}: {count}");
        counted.insert(name.to_owned(), count);
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(WRITTEN);
    if std::env::var_os("UPDATE_INSTRUCTIONS").is_some() {
        return std::fs::write(path, text(&counted)).map_err(|error| error.to_string());
    }
    let written = std::fs::read_to_string(path).map_err(|error| format!("{WRITTEN}: {error}"))?;
    let worse = worse(&counted, &read(&written)?);
    if worse.is_empty() {
        println!("all of it takes as many instructions as is written down, or fewer");
        return Ok(());
    }
    Err(format!(
        "more instructions than {WRITTEN} has:\n{worse}where that is meant: UPDATE_INSTRUCTIONS=1 cargo xtask bench quick"
    ))
}

/// Of one round of this work: counted in a process that is this program again.
fn instructions(name: &str) -> Result<u64, String> {
    let [few, many] = ROUNDS;
    let difference = of_process(name, many)?.saturating_sub(of_process(name, few)?);
    Ok(difference / (many - few))
}

fn of_process(name: &str, rounds: u64) -> Result<u64, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut command = Command::new("valgrind");
    command
        .args(["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"])
        .arg(program)
        .args([WORK, name, &rounds.to_string()]);
    let output = command.output().map_err(|error| format!("valgrind: {error}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        return Err(format!("{name} ended with {}:\n{said}", output.status));
    }
    total(&said).ok_or_else(|| format!("valgrind has not said how many:\n{said}"))
}

/// From the line `==1== I refs: 1,234`, with as many blanks as it likes.
fn total(said: &str) -> Option<u64> {
    let (_, count) = said.split_once("refs:")?;
    let count = count.lines().next()?.trim().replace(',', "");
    count.parse().ok()
}

fn worse(counted: &BTreeMap<String, u64>, written: &BTreeMap<String, u64>) -> String {
    let mut worse = String::new();
    for (name, &now) in counted {
        match written.get(name) {
            None => println!("{name}: new, not written down yet"),
            Some(&then) if now as f64 > then as f64 * (1.0 + MORE) => {
                let _ = writeln!(worse, "{name}: {now}, written down {then}");
            }
            Some(_) => {}
        }
    }
    worse
}

fn text(counts: &BTreeMap<String, u64>) -> String {
    let mut text = "work\tinstructions\n".to_owned();
    for (name, count) in counts {
        let _ = writeln!(text, "{name}\t{count}");
    }
    text
}

fn read(text: &str) -> Result<BTreeMap<String, u64>, String> {
    let line = |line: &str| {
        let (name, count) = line.split_once('\t')?;
        Some((name.to_owned(), count.parse().ok()?))
    };
    let lines = text.lines().skip(1);
    let lines = lines.map(|text| line(text).ok_or_else(|| format!("{WRITTEN}: `{text}`")));
    lines.collect()
}
