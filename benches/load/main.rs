//! How long models take to open, beside the gltf crate on the same bytes in the
//! same run: `cargo xtask bench load`.
//!
//! Times mean nothing between machines; the ratios do. Ours and the crate's take
//! turns, and the medians are compared.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "it is run by hand, to be read")]

mod generated;
#[path = "../common/median.rs"]
mod median;
mod peer;
#[path = "../common/table.rs"]
mod table;

use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use bindpose_gltf::{ModelOpening, ModelSource, OpenStage, TaskProgress, load};
use bindpose_rigs::{builtin, builtin_ids};
use median::median;

/// A model is measured at least this often, and until this long.
const ROUNDS: usize = 11;
const LONG_ENOUGH: Duration = Duration::from_millis(700);
/// Numbers between two looks at the clock.
const PIECE: usize = 1 << 15;

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
    let mut table = include_str!("about.md").to_owned();
    for (name, source) in sources()? {
        table.push_str(&row(&name, &source)?);
    }
    table::put(&table)
}

/// Built in, found beside the repository, and made for this.
fn sources() -> Result<Vec<(String, ModelSource)>, String> {
    let mut sources = Vec::new();
    for &id in builtin_ids() {
        let rig = builtin(id).ok_or("a built-in rig is gone")?;
        if let Some(origin) = &rig.origin {
            sources.push((origin.source.name.clone(), origin.source.clone()));
        }
    }
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/models");
    for name in ["CesiumMan.glb", "Fox.glb", "greenman.glb", "RiggedFigure.glb"] {
        match load(&shared.join(name), &TaskProgress::default()) {
            Ok(source) => sources.push((name.to_owned(), source)),
            Err(_) => println!("SKIPPED {name}: not on this machine"),
        }
    }
    for (vertices, joints) in [(100_000, 64), (500_000, 300)] {
        let name = format!("{} k vertices, {joints} joints", vertices / 1000);
        sources.push((name, generated::model(vertices, joints)?));
    }
    Ok(sources)
}

/// One line of the table: the file's size, ours, the crate's, their ratio, and
/// what ours is made of.
fn row(name: &str, source: &ModelSource) -> Result<String, String> {
    let mut ours = Vec::new();
    let mut peers = Vec::new();
    let mut parts: [Vec<f64>; 4] = Default::default();
    let started = Instant::now();
    while ours.len() < ROUNDS || started.elapsed() < LONG_ENOUGH {
        let clock = Instant::now();
        opened(source)?;
        ours.push(milliseconds(clock));
        let clock = Instant::now();
        peer::read(source)?;
        peers.push(milliseconds(clock));
        for (part, spent) in parts.iter_mut().zip(in_parts(source)?) {
            part.push(spent);
        }
    }
    let (ours, peers) = (median(ours), median(peers));
    let mut row = format!(
        "| {name} | {:.2} | {ours:.3} | {peers:.3} | {:.2} |",
        source.main.len() as f64 / 1e6,
        ours / peers
    );
    for part in parts {
        let _ = write!(row, " {:.3} |", median(part));
    }
    row.push('\n');
    Ok(row)
}

fn opened(source: &ModelSource) -> Result<(), String> {
    let rig = bindpose_gltf::open(source, &TaskProgress::default());
    std::hint::black_box(rig.map_err(|error| error.to_string())?);
    Ok(())
}

/// Milliseconds of JSON, skeleton, vertices, and animations with all the rest.
fn in_parts(source: &ModelSource) -> Result<[f64; 4], String> {
    let mut parts = [0.0; 4];
    let mut opening = ModelOpening::new(source, &TaskProgress::default());
    loop {
        let stage = opening.stage();
        let clock = Instant::now();
        let done = opening.advance(PIECE);
        let place = match stage {
            OpenStage::Json => 0,
            OpenStage::Joints => 1,
            OpenStage::Vertices => 2,
            OpenStage::Animations => 3,
        };
        parts[place] += milliseconds(clock);
        if let Some(rig) = done {
            std::hint::black_box(rig.map_err(|error| error.to_string())?);
            return Ok(parts);
        }
    }
}

fn milliseconds(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e3
}
