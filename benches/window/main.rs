//! How soon a window shows the notebook and what memory that takes, beside a window
//! with nothing in it: `cargo xtask bench window`. Each is a process of its own, and
//! they take turns.
//!
//! Needs a display; `xvfb-run` makes one.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "it is run by hand, to be read")]

#[path = "../load/generated.rs"]
mod generated;
#[path = "../common/median.rs"]
mod median;
#[path = "../common/table.rs"]
mod table;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use bindpose::app::{Shell, ShellOptions};
use bindpose_gltf::{TaskProgress, load, open};
use bindpose_lesson::LessonSet;
use eframe::egui;
use median::median;
use table::argument;

/// Processes of each kind.
const ROUNDS: usize = 5;
/// A window stands still for so long before its memory is read.
const STILL: Duration = Duration::from_millis(1500);
const SIZES: [usize; 2] = [100_000, 500_000];

fn main() -> ExitCode {
    let done = match argument("--show") {
        Some(what) => show(&what),
        None => measured(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn measured() -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut kinds: Vec<(String, String)> = [
        ("nothing", "a window with nothing in it"),
        ("bindpose://bone-grid", "lesson 40"),
        ("bindpose://whale", "the whale"),
    ]
    .map(|(what, name)| (what.to_owned(), name.to_owned()))
    .to_vec();
    for vertices in SIZES {
        let path = folder.path().join(format!("{vertices}.glb"));
        std::fs::write(&path, &generated::model(vertices, 64)?.main)
            .map_err(|error| error.to_string())?;
        let name = format!("a model of {} k vertices", vertices / 1000);
        kinds.push((path.display().to_string(), name));
    }
    let mut taken = vec![Vec::new(); kinds.len()];
    for _ in 0..ROUNDS {
        for ((what, _), taken) in kinds.iter().zip(&mut taken) {
            taken.push(one_process(what)?);
        }
    }
    let medians = taken
        .into_iter()
        .map(|rounds| [0, 1].map(|which| median(rounds.iter().map(|of| of[which]).collect())));
    let medians: Vec<[f64; 2]> = medians.collect();
    let mut text = include_str!("about.md").to_owned();
    let empty = medians.first().copied().unwrap_or_default();
    for ((_, name), [seconds, megabytes]) in kinds.iter().zip(medians) {
        let _ = writeln!(
            text,
            "| {name} | {seconds:.2} | **{:.2}** | {megabytes:.0} | **{:.0}** |",
            seconds - empty[0],
            megabytes - empty[1],
        );
    }
    table::put(&text)
}

/// Seconds until the first frame was shown, and megabytes once all is still.
fn one_process(what: &str) -> Result<[f64; 2], String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let output =
        Command::new(program).args(["--show", what]).output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout);
    let mut numbers = text.split_whitespace().map(str::parse);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(seconds)), Some(Ok(megabytes))) => Ok([seconds, megabytes]),
        _ => Err(format!("{what}: {}", String::from_utf8_lossy(&output.stderr))),
    }
}

/// Opens a window, and says when its first frame was there and what it holds.
fn show(what: &str) -> Result<(), String> {
    let began = Instant::now();
    let what = what.to_owned();
    let native = eframe::NativeOptions {
        viewport: egui::ViewportBuilder::default().with_inner_size([1280.0, 720.0]),
        persist_window: false,
        depth_buffer: 0,
        multisampling: 0,
        ..eframe::NativeOptions::default()
    };
    let start = move |cc: &eframe::CreationContext<'_>| -> Result<Box<dyn eframe::App>, Box<dyn std::error::Error + Send + Sync>> {
        let shell = (what != "nothing").then(|| shell(cc, &what)).transpose()?;
        Ok(Box::new(BenchWindow { shell, began, first: None }))
    };
    eframe::run_native("bindpose bench", native, Box::new(start)).map_err(|error| error.to_string())
}

fn shell(cc: &eframe::CreationContext<'_>, what: &str) -> Result<Shell, String> {
    let set = LessonSet::from_paths(&[]).map_err(|error| error.to_string())?;
    let options = ShellOptions { set, ..ShellOptions::default() };
    let mut shell =
        Shell::new(&cc.egui_ctx, cc.gl.clone(), options).map_err(|error| error.to_string())?;
    if what.contains("://") {
        shell.open_link(what)?;
    } else {
        let path = PathBuf::from(what);
        let source = load(Path::new(&path), &TaskProgress::default());
        let source = source.map_err(|error| error.to_string())?;
        let rig = open(&source, &TaskProgress::default()).map_err(|error| error.to_string())?;
        shell.open_model(rig.into())?;
    }
    Ok(shell)
}

struct BenchWindow {
    shell: Option<Shell>,
    began: Instant,
    /// When the first frame had been shown: the second began.
    first: Option<Instant>,
}

impl eframe::App for BenchWindow {
    fn ui(&mut self, ui: &mut egui::Ui, _: &mut eframe::Frame) {
        if let Some(shell) = &mut self.shell {
            shell.ui(ui);
        }
        let ctx = ui.ctx().clone();
        let frames = ctx.cumulative_frame_nr();
        if frames == 0 {
            ctx.request_repaint();
        } else if self.first.is_none() {
            self.first = Some(Instant::now());
        }
        ctx.request_repaint_after(STILL);
        if let Some(first) = self.first
            && first.elapsed() >= STILL
        {
            let seconds = (first - self.began).as_secs_f64();
            println!("{seconds} {}", resident_megabytes());
            ctx.send_viewport_cmd(egui::ViewportCommand::Close);
        }
    }
}

/// What of this process is in memory.
fn resident_megabytes() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<f64>().ok());
    kilobytes.unwrap_or(f64::NAN) / 1e3
}
