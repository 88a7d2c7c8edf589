//! What is counted.

use std::hint::black_box;

use bindpose_lesson::LessonSet;
use bindpose_skin::{JointMotion, Skinner};

use crate::frames::BenchNotebook;
use crate::meshes::{Counts, SkinnedMesh};
use crate::poses::{Played, SECS};

const VERTICES: usize = 10_000;

/// The first step of these lessons is dragged.
const DRAGGED: [(&str, &str); 4] = [
    ("drag-bind-pose", "bind-pose"),
    ("drag-bone-grid", "bone-grid"),
    ("drag-texture-storage", "texture-storage"),
    ("drag-whale", "whale"),
];

/// All of it.
pub(crate) const NAMES: [&str; 8] = [
    "linear-blend",
    "linear-blend-mixed",
    "dual-quaternions",
    "clip-to-palette",
    DRAGGED[0].0,
    DRAGGED[1].0,
    DRAGGED[2].0,
    DRAGGED[3].0,
];

/// Does it so many times, and nothing else that depends on how many.
pub(crate) fn run(name: &str, rounds: usize) -> Result<(), String> {
    let mut skinner = Skinner::on_one_core();
    match name {
        "linear-blend" => {
            let mut mesh = SkinnedMesh::new(VERTICES, Counts::Four);
            repeat(rounds, |_| mesh.linear(&mut skinner, true));
        }
        "linear-blend-mixed" => {
            let mut mesh = SkinnedMesh::new(VERTICES, Counts::Mixed);
            repeat(rounds, |_| mesh.linear(&mut skinner, true));
        }
        "dual-quaternions" => {
            let mut mesh = SkinnedMesh::new(VERTICES, Counts::Four);
            let matrices = mesh.world_from_bind.iter();
            let motions: Vec<JointMotion> =
                matrices.map(|&matrix| JointMotion::from_matrix(matrix)).collect();
            repeat(rounds, |_| {
                mesh.ours(true, |groups, _, stored, moved| {
                    skinner.dual_quaternion(groups, &motions, stored, moved);
                });
            });
        }
        "clip-to-palette" => {
            let mut played = Played::new();
            repeat(rounds, |round| {
                played.ours(f64::from(SECS) * round as f64 * 0.01);
                black_box(played.one());
            });
        }
        _ => return drag(name, rounds),
    }
    Ok(())
}

fn repeat(rounds: usize, mut work: impl FnMut(usize)) {
    for round in 0..rounds {
        work(black_box(round));
    }
}

fn drag(name: &str, rounds: usize) -> Result<(), String> {
    let lesson = DRAGGED.iter().find(|(known, _)| *known == name);
    let &(_, lesson) = lesson.ok_or_else(|| format!("there is no work called {name}"))?;
    let set = LessonSet::from_paths(&[]).map_err(|error| error.to_string())?;
    let link = set.page_link(lesson, None);
    let link = link.map_err(|error| error.to_string())?;
    let mut frames = BenchNotebook::new(set)?;
    frames.open(&link)?;
    let angle = frames.angle().ok_or("nothing can be dragged there")?;
    frames.measure(&angle, rounds).map(|_| ())
}
