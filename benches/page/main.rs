//! What a frame of the page costs the processor: every step of every lesson, and
//! the cells that could be slow on models of growing size: `cargo xtask bench page`.
//! As a test it counts allocations alone.
//!
//! Times mean nothing between machines. What travels is the difference between a
//! large and a small model, and how often memory is asked for.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "it is run by hand, to be read")]

mod frames;
#[path = "../load/generated.rs"]
mod generated;
#[path = "../common/median.rs"]
mod median;
mod quick;
#[path = "../common/table.rs"]
mod table;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use bindpose_gltf::{TaskProgress, open};
use bindpose_lesson::{LessonSet, PackedFiles, pack};
use frames::{BenchNotebook, FrameMedians};
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<std::alloc::System> = &INSTRUMENTED_SYSTEM;

const ROUNDS: usize = 15;
/// Vertices of the model beside which large ones are measured.
const SMALL: usize = 1_000;
/// Ends the name of the page on which every weight has been edited.
const EDITED: &str = "every-weight-edited";
/// Ends the name of the page that is painted.
const PAINTED: &str = "painted";
const LARGE: [usize; 2] = [100_000, 500_000];
/// Of each of these models.
const JOINTS: usize = 64;
/// What stands for the parameter that is dragged in the text of `large.md`.
const DRAGGED: &str = "DRAGGED";

fn main() -> ExitCode {
    // `cargo bench` says so; `cargo test` does not.
    let benches = std::env::args().any(|arg| arg == "--bench");
    let done = if benches { measured() } else { quick::compare() };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn measured() -> Result<(), String> {
    let mut text = include_str!("about.md").to_owned();
    large_models(&mut text)?;
    every_step(&mut text)?;
    table::put(&text)
}

fn every_step(text: &mut String) -> Result<(), String> {
    let (set, pages) = built_in_pages()?;
    let mut frames = BenchNotebook::new(set)?;
    text.push_str(STEPS);
    for BenchStep { name, link } in pages {
        frames.open(&link)?;
        let Some(angle) = frames.angle() else {
            continue;
        };
        let FrameMedians { still, edit, dragged, tessellation_ms } =
            frames.measure(&angle, ROUNDS)?;
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

fn large_models(text: &mut String) -> Result<(), String> {
    let small = large_pages(SMALL, ROUNDS)?;
    let [large, larger] = LARGE.map(|vertices| large_pages(vertices, ROUNDS));
    text.push_str(SIZES);
    let change = |m: &FrameMedians| m.edit.ms + m.dragged.ms - m.still.ms;
    let rows = small.iter().zip(large?.into_iter().zip(larger?));
    for ((name, small), ((_, large), (_, larger))) in rows {
        let _ = writeln!(
            text,
            "| {name} | {:.2} | {:.2} | **{:.2}** | **{:.2}** | {:.2} | {:.2} |",
            small.still.ms,
            change(small),
            change(&large) - change(small),
            change(&larger) - change(small),
            large.still.ms - small.still.ms,
            larger.still.ms - small.still.ms,
        );
    }
    Ok(())
}

/// A step, and the link that leads there.
struct BenchStep {
    name: String,
    link: String,
}

/// Every step of every lesson.
fn built_in_pages() -> Result<(LessonSet, Vec<BenchStep>), String> {
    let set = LessonSet::from_paths(&[]).map_err(|error| error.to_string())?;
    let pages = pages(&set)?;
    Ok((set, pages))
}

/// Measures the cells that could be slow on a model with many vertices.
fn large_pages(vertices: usize, rounds: usize) -> Result<Vec<(String, FrameMedians)>, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let (file, dragged) = large_course(folder.path(), vertices)?;
    let set = LessonSet::from_paths(&[file]).map_err(|error| error.to_string())?;
    let pages = pages(&set)?;
    let mut frames = BenchNotebook::new(set)?;
    let mut measured = Vec::new();
    for BenchStep { name, link } in pages {
        frames.open(&link)?;
        if name.ends_with(EDITED) {
            frames.edit_every_weight()?;
        }
        let page = frames.measure(&dragged, rounds)?;
        if name.ends_with(PAINTED) {
            let stroke = frames.painted(rounds).ok_or("no brush on the page")?;
            let of_stroke =
                FrameMedians { still: page.still, dragged: stroke, ..FrameMedians::default() };
            measured.push((format!("{name}, a touch of the brush"), of_stroke));
        }
        measured.push((name, page));
    }
    Ok(measured)
}

/// Writes a lesson with the cells that could be slow on a model of so many vertices,
/// packed, into an empty folder; its file, and the parameter to be dragged. Lessons in a
/// folder would be checked while they are measured.
fn large_course(folder: &Path, vertices: usize) -> Result<(PathBuf, String), String> {
    let source = generated::model(vertices, JOINTS)?;
    let rig = open(&source, &TaskProgress::default()).map_err(|error| error.to_string())?;
    // Neither the first joint, which moves all, nor the last, which moves little.
    let dragged = rig.angles().nth(JOINTS / 4);
    let dragged = dragged.ok_or("the model has no angles")?.name.clone();
    let lesson = include_str!("large.md").replace(DRAGGED, &dragged);
    let course = "name = \"large\"\ntitle = \"Large\"\nbuilt-in = \"left-out\"\n";
    let files = [
        ("lessons.toml", course.as_bytes()),
        ("10-large/lesson.md", lesson.as_bytes()),
        ("10-large/large.glb", &source.main),
    ];
    let files = files.map(|(path, bytes)| (path.to_owned(), bytes.into()));
    let packed = pack(&PackedFiles::from(files)).map_err(|error| error.to_string())?;
    let file = folder.join("large.bindpose");
    fs::write(&file, packed).map_err(|error| error.to_string())?;
    Ok((file, dragged))
}

fn pages(set: &LessonSet) -> Result<Vec<BenchStep>, String> {
    let mut pages = Vec::new();
    for lesson in &set.lessons {
        for step in &lesson.steps {
            let link =
                set.page_link(&lesson.slug, Some(&step.slug)).map_err(|error| error.to_string())?;
            let name = format!("{}/{}", lesson.slug, step.slug);
            pages.push(BenchStep { name, link });
        }
    }
    Ok(pages)
}

const STEPS: &str = "
## Every step

Steps on which no angle can be dragged are left out.

| step | still, ms | triangles, ms | edit, ms | frame after it, ms | memory asked for, still | and dragged |
| --- | ---: | ---: | ---: | ---: | ---: | ---: |
";

const SIZES: &str = "
## Large models

A page with a model of 1 000 vertices that stands still; what an edit adds to that; and what 100 000 and 500 000 vertices add to it again, and to the page that stands still. All in milliseconds.

| page | still | an edit adds | 100 k add | 500 k add | still, 100 k add | still, 500 k add |
| --- | ---: | ---: | ---: | ---: | ---: | ---: |
";
