//! What a frame of the page costs the processor: every step of every lesson, and
//! the cells that could be slow on models of growing size: `cargo xtask bench page`.
//!
//! Times mean nothing between machines. What travels is the difference between a
//! large and a small model, and how often memory is asked for.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "it is run by hand, to be read"
)]

mod frames;
#[path = "../load/generated.rs"]
mod generated;
mod large_course;

use std::fmt::Write as _;
use std::process::ExitCode;

use bindpose::lesson::LessonSet;
use frames::{Frames, Measured};
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<std::alloc::System> = &INSTRUMENTED_SYSTEM;

const ROUNDS: usize = 15;
/// Vertices of the model beside which large ones are measured.
const SMALL: usize = 1_000;
/// Ends the name of the page on which every weight has been edited.
const EDITED: &str = "every-weight-edited";
const LARGE: [usize; 2] = [100_000, 500_000];

fn main() -> ExitCode {
    match measured() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn measured() -> Result<(), String> {
    let only = argument("--only").unwrap_or_default();
    let mut text = include_str!("about.md").to_owned();
    large_models(&mut text, &only)?;
    if only.is_empty() {
        every_step(&mut text)?;
    }
    println!("{text}");
    if let Some(path) = argument("--out") {
        std::fs::write(&path, &text).map_err(|error| format!("{path}: {error}"))?;
        println!("written to {path}");
    }
    Ok(())
}

/// What stands behind a flag.
fn argument(flag: &str) -> Option<String> {
    std::env::args().skip_while(|arg| arg != flag).nth(1)
}

/// Frames of each kind a page: more where one looks for where the time goes.
fn rounds() -> usize {
    let asked = argument("--rounds").and_then(|rounds| rounds.parse().ok());
    asked.unwrap_or(ROUNDS)
}

/// Lower quartile, median, upper quartile.
fn quartiles(mut numbers: Vec<f64>) -> [f64; 3] {
    numbers.sort_by(f64::total_cmp);
    [1, 2, 3].map(|quarter| {
        let place = numbers.len() * quarter / 4;
        numbers.get(place).copied().unwrap_or(0.0)
    })
}

fn every_step(text: &mut String) -> Result<(), String> {
    let set = LessonSet::from_paths(&[]).map_err(|error| error.to_string())?;
    let pages = pages(&set)?;
    let mut frames = Frames::new(set, None)?;
    text.push_str(STEPS);
    for (name, link) in pages {
        frames.open(&link)?;
        let Some(angle) = frames.angle() else {
            continue;
        };
        let measured = frames.measure(&angle, rounds())?;
        let Measured {
            still,
            edit,
            dragged,
            tessellation_ms,
        } = measured;
        let _ = writeln!(
            text,
            "| {name} | {:.2} | {tessellation_ms:.2} | {:.3} | {:.2} | {} | {} |",
            still.ms,
            edit.ms,
            dragged.ms,
            still.allocations,
            edit.allocations + dragged.allocations,
        );
    }
    Ok(())
}

fn large_models(text: &mut String, only: &str) -> Result<(), String> {
    let mut all = Vec::new();
    for vertices in [SMALL].into_iter().chain(LARGE) {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let (file, dragged) = large_course::write(folder.path(), vertices)?;
        let set = LessonSet::from_paths(&[file]).map_err(|error| error.to_string())?;
        let pages = pages(&set)?;
        let mut frames = Frames::new(set, None)?;
        let mut rows = Vec::new();
        for (name, link) in pages.into_iter().filter(|(name, _)| name.contains(only)) {
            frames.open(&link)?;
            if name.ends_with(EDITED) {
                frames.edit_every_weight()?;
            }
            rows.push((name, frames.measure(&dragged, rounds())?));
        }
        all.push(rows);
    }
    text.push_str(SIZES);
    let [small, large, larger] = all.as_slice() else {
        return Ok(());
    };
    let change = |m: &Measured| m.edit.ms + m.dragged.ms - m.still.ms;
    for ((name, small), ((_, large), (_, larger))) in small.iter().zip(large.iter().zip(larger)) {
        let _ = writeln!(
            text,
            "| {name} | {:.2} | {:.2} | **{:.2}** | **{:.2}** | {:.2} | {:.2} | {} | {} |",
            change(small),
            small.still.ms,
            change(large) - change(small),
            change(larger) - change(small),
            large.still.ms - small.still.ms,
            larger.still.ms - small.still.ms,
            large.edit.bytes + large.dragged.bytes,
            small.edit.bytes + small.dragged.bytes,
        );
    }
    Ok(())
}

/// Every step: its name, and the link that leads there.
fn pages(set: &LessonSet) -> Result<Vec<(String, String)>, String> {
    let mut pages = Vec::new();
    for lesson in &set.lessons {
        for step in &lesson.steps {
            let link = set
                .page_link(&lesson.slug, Some(&step.slug))
                .map_err(|error| error.to_string())?;
            pages.push((format!("{}/{}", lesson.slug, step.slug), link));
        }
    }
    Ok(pages)
}

const STEPS: &str = "
## Every step

| step | still, ms | triangles, ms | edit, ms | frame after it, ms | memory asked for, still | and dragged |
| --- | ---: | ---: | ---: | ---: | ---: | ---: |
";

const SIZES: &str = "
## Large models

| page | change, small | frame, small | because of 100 k | because of 500 k | still, because of 100 k | because of 500 k | bytes, 100 k | bytes, small |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
";
