//! What drawing and skinning cost in a browser, beside three.js there and beside
//! the native program: `cargo xtask bench web`, which first makes the page's
//! program.
//!
//! Times mean nothing between machines; the ratios do.

#![expect(clippy::print_stderr, reason = "it is run by hand, to be read")]

#[path = "../common/median.rs"]
mod median;
mod skinning;
#[path = "../common/table.rs"]
mod table;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use serde::Deserialize;

use median::median;
use skinning::{SkinnedVertices, VERTICES};
use table::argument;

const ROUNDS: usize = 31;

/// What the page hands over: `page.js`.
#[derive(Deserialize)]
struct InBrowser {
    frames: Vec<FrameMillis>,
    skinning: PerVertex,
    vertices: u32,
    triangles: u32,
    /// A pixel, of three.js: into a target, onto the canvas.
    samples: [u32; 2],
    three: String,
    renderer: String,
}

/// Milliseconds a frame of so many.
#[derive(Deserialize)]
struct FrameMillis {
    count: u32,
    ours: f64,
    plain: f64,
    three: f64,
    canvas: f64,
}

/// Nanoseconds.
#[derive(Deserialize)]
struct PerVertex {
    ours: f64,
    plain_loop: f64,
}

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
    let native = natively();
    let model = model()?;
    let browser = in_browser(&model)?;
    let name = model.file_name().unwrap_or_default().to_string_lossy();
    let table = written(&name, &browser, &native);
    table::put(&table)
}

/// From the command line, or found beside the repository.
fn model() -> Result<PathBuf, String> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/models/CesiumMan.glb");
    let model = argument("--model").map_or_else(beside, PathBuf::from);
    if model.is_file() {
        return Ok(model);
    }
    Err(format!(
        "{}: no such file; `--model` names another GLB with joints and a clip",
        model.display()
    ))
}

/// The page, driven by `bench.mjs`.
fn in_browser(model: &Path) -> Result<InBrowser, String> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/web/bench.mjs");
    let output = Command::new("node")
        .arg(script)
        .arg(model)
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("node could not be started: {error}"))?;
    if !output.status.success() {
        return Err(format!("the page ended with {}", output.status));
    }
    serde_json::from_slice(&output.stdout).map_err(|error| format!("the page's answer: {error}"))
}

fn natively() -> PerVertex {
    let mesh = SkinnedVertices::new();
    let (mut ours, mut plain_loop) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        ours.push(nanoseconds_a_vertex(|| mesh.ours()));
        plain_loop.push(nanoseconds_a_vertex(|| mesh.plain_loop()));
    }
    PerVertex { ours: median(ours), plain_loop: median(plain_loop) }
}

fn nanoseconds_a_vertex<T>(skin: impl Fn() -> T) -> f64 {
    let start = Instant::now();
    std::hint::black_box(skin());
    start.elapsed().as_nanos() as f64 / VERTICES as f64
}

fn written(model: &str, browser: &InBrowser, native: &PerVertex) -> String {
    let mut text = include_str!("about.md").to_owned();
    let _ = writeln!(
        text,
        "\nMeasured in Chromium on {}, three.js r{}, 960 × 540 pixels, {model} of {} vertices and {} \
         triangles; samples a pixel: 4, in three.js {} in its target and {} on its canvas.\n",
        browser.renderer,
        browser.three,
        browser.vertices,
        browser.triangles,
        browser.samples[0],
        browser.samples[1],
    );
    text.push_str(FRAMES);
    for frame in &browser.frames {
        let FrameMillis { count, ours, plain, three, canvas } = frame;
        let _ = writeln!(
            text,
            "| {count} | {ours:.1} | {plain:.1} | {three:.1} | {canvas:.1} | **{:.2}** | **{:.2}** |",
            ours / three,
            plain / three,
        );
    }
    text.push_str(include_str!("about_skinning.md"));
    let in_browser = &browser.skinning;
    for (name, native, in_browser) in [
        ("ours", native.ours, in_browser.ours),
        ("plain loop in glam", native.plain_loop, in_browser.plain_loop),
    ] {
        let _ = writeln!(
            text,
            "| {name} | {native:.1} | {in_browser:.1} | **{:.2}** |",
            in_browser / native
        );
    }
    let _ = writeln!(
        text,
        "\nOurs in the browser / the plain loop natively: **{:.2}**.",
        in_browser.ours / native.plain_loop
    );
    text
}

const FRAMES: &str = "\
| members | ours, ms | ours with a plain light | three.js into a target | three.js onto a canvas | ours / three.js | with a plain light / three.js |
| ---: | ---: | ---: | ---: | ---: | ---: | ---: |
";
