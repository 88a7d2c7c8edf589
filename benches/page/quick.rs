//! How often each page asks for memory, held against what is written down: a
//! regression is seen where times say nothing, on any machine.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use crate::frames::{BenchNotebook, FrameMedians};
use crate::{BenchStep, built_in_pages, large_pages};

/// Beside this file.
const WRITTEN: &str = "benches/page/allocations.tsv";
const ROUNDS: usize = 3;
/// More than what is written down by this part, and by this many, is told.
const MORE: f64 = 0.05;
const FEW: usize = 12;
/// The table of times, which `cargo xtask bench page` measures.
const TIMES: &str = "docs/page-times.md";
/// The heading of its part with a row per step.
const STEPS_HEADING: &str = "## Every step";
/// The end of the name of a page that is counted with a small and a large model.
const LARGE_MODEL_SUFFIX: &str = ", more bytes";
/// Vertices of the smaller and the larger model.
const SIZES: [usize; 2] = [1_000, 20_000];

/// How often a page asks for memory while it stands still and after an edit; of the
/// larger model, the bytes that the edit takes more than with the smaller one.
type Counts = BTreeMap<String, [usize; 2]>;

/// Fails where a page asks more often than is written down; writes anew where
/// `UPDATE_ALLOCATIONS` is set.
pub(crate) fn compare() -> Result<(), String> {
    let counted = counted()?;
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(WRITTEN);
    if std::env::var_os("UPDATE_ALLOCATIONS").is_some() {
        println!("{WRITTEN}: {} pages", counted.len());
        return std::fs::write(path, text(&counted)).map_err(|error| error.to_string());
    }
    let written = std::fs::read_to_string(path).map_err(|error| format!("{WRITTEN}: {error}"))?;
    let written = read(&written)?;
    compare_with_times(&counted)?;
    let mut worse = String::new();
    for (page, now) in &counted {
        let Some(then) = written.get(page) else {
            println!("{page}: new, not written down yet");
            continue;
        };
        for (what, now, then) in [("still", now[0], then[0]), ("dragged", now[1], then[1])] {
            let most = (then as f64 * (1.0 + MORE)) as usize + FEW;
            if now > most {
                let _ = writeln!(worse, "{page}, {what}: {now}, written down {then}");
            }
        }
    }
    if worse.is_empty() {
        println!("{} pages ask for memory as often as is written down, or less", counted.len());
        return Ok(());
    }
    Err(format!(
        "more allocations than {WRITTEN} has:\n{worse}where that is meant: UPDATE_ALLOCATIONS=1 cargo test --bench page"
    ))
}

fn counted() -> Result<Counts, String> {
    let mut counts = Counts::new();
    let (set, pages) = built_in_pages()?;
    let mut frames = BenchNotebook::new(set)?;
    for BenchStep { name, link } in pages {
        frames.open(&link)?;
        if let Some(angle) = frames.angle() {
            let FrameMedians { still, edit, dragged, .. } = frames.measure(&angle, ROUNDS)?;
            counts.insert(name, [still.allocations, edit.allocations + dragged.allocations]);
        }
    }
    let [small, large] = SIZES.map(|vertices| large_pages(vertices, ROUNDS));
    for ((name, small), (_, large)) in small?.into_iter().zip(large?) {
        let bytes = |of: FrameMedians| [of.still.bytes, of.edit.bytes + of.dragged.bytes];
        let (small, large) = (bytes(small), bytes(large));
        let more = [0, 1].map(|which| large[which].saturating_sub(small[which]));
        counts.insert(format!("{name}{LARGE_MODEL_SUFFIX}"), more);
    }
    Ok(counts)
}

/// Fails where the table of times has steps that the lessons no longer have. Times are measured
/// on a quiet machine, so that steps may be newer than the table.
fn compare_with_times(counts: &Counts) -> Result<(), String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(TIMES);
    let text = std::fs::read_to_string(path).map_err(|error| format!("{TIMES}: {error}"))?;
    let (_, steps) = text
        .split_once(STEPS_HEADING)
        .ok_or_else(|| format!("{TIMES} has no part \"{STEPS_HEADING}\""))?;
    let measured: BTreeSet<&str> = steps
        .lines()
        .filter(|line| line.contains('/'))
        .filter_map(|line| line.split('|').nth(1).map(str::trim))
        .collect();
    let now: BTreeSet<&str> = counts
        .keys()
        .map(String::as_str)
        .filter(|key| !key.ends_with(LARGE_MODEL_SUFFIX))
        .collect();
    let gone: Vec<&&str> = measured.difference(&now).collect();
    if gone.is_empty() {
        return Ok(());
    }
    Err(format!(
        "{TIMES} has {gone:?}, which are no steps with an angle; measure again: \
         cargo xtask bench page"
    ))
}

fn text(counts: &Counts) -> String {
    let mut text = "page\tstill\tdragged\n".to_owned();
    for (page, [still, dragged]) in counts {
        let _ = writeln!(text, "{page}\t{still}\t{dragged}");
    }
    text
}

fn read(text: &str) -> Result<Counts, String> {
    let line = |line: &str| {
        let mut fields = line.split('\t');
        let page = fields.next()?.to_owned();
        let mut number = || fields.next()?.parse().ok();
        Some((page, [number()?, number()?]))
    };
    let lines = text.lines().skip(1);
    let lines = lines.map(|text| line(text).ok_or_else(|| format!("{WRITTEN}: `{text}`")));
    lines.collect()
}
