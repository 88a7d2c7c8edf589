//! What skinning and posing cost on the processor, beside plain loops in the same
//! run: `cargo xtask bench cpu`.
//!
//! Times mean nothing between machines; the ratios do. Candidates take turns.

#![expect(clippy::print_stderr, reason = "it is run by hand, to be read")]

mod meshes;
mod poses;
#[path = "../common/table.rs"]
mod table;

use std::fmt::Write as _;
use std::process::ExitCode;
use std::time::Instant;

use bindpose_skin::{JointMotion, Skinner};

use meshes::{Counts, SkinnedMesh};
use poses::{Played, SECS};

const ROUNDS: usize = 61;

fn main() -> ExitCode {
    let mut table = include_str!("about.md").to_owned();
    for row in rows() {
        table.push_str(&row.text());
    }
    match table::put(&table) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// One line of the table.
struct BenchRow {
    what: &'static str,
    /// First, middle and last quartile of ours over theirs, or the other way round
    /// where `is_speed`.
    ratios: [f64; 3],
    goal: &'static str,
    /// Nanoseconds.
    ours: f64,
    beside: f64,
}

impl BenchRow {
    /// From nanoseconds of each turn.
    fn new(what: &'static str, goal: RatioGoal, ours: &[f64], beside: &[f64]) -> Self {
        let turns = ours.iter().zip(beside);
        let (goal, ratios): (_, Vec<f64>) = match goal {
            RatioGoal::AtMost(goal) => (goal, turns.map(|(ours, beside)| ours / beside).collect()),
            RatioGoal::AtLeast(goal) => (goal, turns.map(|(ours, beside)| beside / ours).collect()),
        };
        Self {
            what,
            ratios: quartiles(ratios),
            goal,
            ours: quartiles(ours.to_vec())[1],
            beside: quartiles(beside.to_vec())[1],
        }
    }

    fn text(&self) -> String {
        let Self { what, ratios: [low, middle, high], goal, ours, beside } = self;
        let mut text = String::new();
        let _ = writeln!(
            text,
            "| {what} | **{middle:.2}** | {low:.2} to {high:.2} | {goal} | {ours:.2} | {beside:.2} |"
        );
        text
    }
}

/// What a ratio should be: of times, or of speeds.
#[derive(Clone, Copy)]
enum RatioGoal {
    AtMost(&'static str),
    AtLeast(&'static str),
}

fn quartiles(mut numbers: Vec<f64>) -> [f64; 3] {
    numbers.sort_by(f64::total_cmp);
    let last = numbers.len() - 1;
    [last / 4, last / 2, last * 3 / 4].map(|at| numbers[at])
}

fn rows() -> Vec<BenchRow> {
    let mut rows = Vec::new();
    four_influences(&mut rows);
    rows.push(of_counts(
        10_000,
        Counts::Mixed,
        "linear blend, 10 000 vertices, mixed / textbook loop",
        RatioGoal::AtMost("≤ 0.36"),
    ));
    rows.push(of_counts(
        100_000,
        Counts::Scattered,
        "linear blend, 100 000 vertices, other joints in each / textbook loop",
        RatioGoal::AtMost(""),
    ));
    two_cores(&mut rows);
    poses(&mut rows);
    rows
}

/// Nanoseconds a vertex of each candidate, in turns: one list a candidate.
fn turns<const COUNT: usize>(
    mesh: &mut SkinnedMesh,
    candidates: &mut [&mut dyn FnMut(&mut SkinnedMesh); COUNT],
) -> [Vec<f64>; COUNT] {
    let mut all = [const { Vec::new() }; COUNT];
    let vertices = mesh.vertices() as f64;
    // Short ones are repeated: a clock has its grain.
    let times = (100_000 / mesh.vertices()).max(1);
    for round in 0..=ROUNDS {
        for (candidate, spent) in candidates.iter_mut().zip(&mut all) {
            let clock = Instant::now();
            for _ in 0..times {
                candidate(mesh);
                std::hint::black_box(mesh.one());
            }
            // The first warms up.
            if round > 0 {
                spent.push(clock.elapsed().as_nanos() as f64 / (vertices * times as f64));
            }
        }
    }
    all
}

fn four_influences(rows: &mut Vec<BenchRow>) {
    let mut mesh = SkinnedMesh::new(100_000, Counts::Four);
    let mut skinner = Skinner::on_one_core();
    let motions: Vec<JointMotion> =
        mesh.world_from_bind.iter().map(|&matrix| JointMotion::from_matrix(matrix)).collect();
    let (mut positions_skinner, mut dual_skinner) =
        (Skinner::on_one_core(), Skinner::on_one_core());
    let [ours, positions, dual, textbook, copy] = turns(
        &mut mesh,
        &mut [
            &mut |mesh| mesh.linear(&mut skinner, true),
            &mut |mesh| mesh.linear(&mut positions_skinner, false),
            &mut |mesh| {
                mesh.ours(true, |groups, _, stored, moved| {
                    dual_skinner.dual_quaternion(groups, &motions, stored, moved);
                });
            },
            &mut SkinnedMesh::textbook,
            &mut SkinnedMesh::copy,
        ],
    );
    rows.extend([
        BenchRow::new(
            "linear blend, positions and normals, 100 000 vertices / textbook loop",
            RatioGoal::AtMost("≤ 0.40"),
            &ours,
            &textbook,
        ),
        BenchRow::new("its speed / that of the copy", RatioGoal::AtLeast("≥ 0.65"), &ours, &copy),
        BenchRow::new(
            "positions alone / textbook loop of both",
            RatioGoal::AtMost("≤ 0.28"),
            &positions,
            &textbook,
        ),
        BenchRow::new("dual quaternions / linear blend", RatioGoal::AtMost("≤ 2.3"), &dual, &ours),
    ]);
}

/// Linear blend of vertices whose influences are distributed in this way.
fn of_counts(vertices: usize, counts: Counts, what: &'static str, goal: RatioGoal) -> BenchRow {
    let mut mesh = SkinnedMesh::new(vertices, counts);
    let mut skinner = Skinner::on_one_core();
    let [ours, textbook] = turns(
        &mut mesh,
        &mut [&mut |mesh| mesh.linear(&mut skinner, true), &mut SkinnedMesh::textbook],
    );
    BenchRow::new(what, goal, &ours, &textbook)
}

fn two_cores(rows: &mut Vec<BenchRow>) {
    for (vertices, what, goal) in [
        (1_000_000, "all cores / one core, speed, 1 000 000 vertices", "≥ 1.8 (two)"),
        (140_000, "the same, 140 000 vertices", "≥ 0.95"),
        (20_000, "the same, 20 000 vertices", "≥ 0.95"),
    ] {
        let mut mesh = SkinnedMesh::new(vertices, Counts::Four);
        let (mut one, mut all) = (Skinner::on_one_core(), Skinner::default());
        let [alone, shared] = turns(
            &mut mesh,
            &mut [&mut |mesh| mesh.linear(&mut one, true), &mut |mesh| {
                mesh.linear(&mut all, true);
            }],
        );
        rows.push(BenchRow::new(what, RatioGoal::AtLeast(goal), &shared, &alone));
    }
    rows.push(in_registers());
}

/// Without memory, in one piece a core: what two of them are worth here, where they
/// may be halves of one, or lent to others.
fn in_registers() -> BenchRow {
    let spin = |steps: u64| {
        let steps = std::hint::black_box(steps);
        let sum = (0..steps).fold(1_u64, |x, step| x.rotate_left(5) ^ step.wrapping_mul(x));
        std::hint::black_box(sum);
    };
    let steps = 2_000_000;
    let cores = rayon::current_num_threads() as u64;
    let (mut alone, mut shared) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let clock = Instant::now();
        spin(steps);
        alone.push(clock.elapsed().as_nanos() as f64 / steps as f64);
        let clock = Instant::now();
        rayon::in_place_scope(|scope| {
            for _ in 1..cores {
                scope.spawn(move |_| spin(steps / cores));
            }
            spin(steps / cores);
        });
        shared.push(clock.elapsed().as_nanos() as f64 / steps as f64);
    }
    let what = "the same for a loop without memory: the most that these cores give, a step";
    BenchRow::new(what, RatioGoal::AtLeast(""), &shared, &alone)
}

/// What it took so far, and what it does at a time.
type Candidate<'a> = (&'a mut Vec<f64>, fn(&mut Played, f64));

/// A clip, matrices down the hierarchy and joint matrices; nanoseconds a joint.
fn poses(rows: &mut Vec<BenchRow>) {
    let mut played = Played::new();
    let (mut ours, mut all_of_it, mut plain, mut slerped) = (vec![], vec![], vec![], vec![]);
    let candidates: &mut [Candidate<'_>] = &mut [
        (&mut ours, Played::ours),
        (&mut all_of_it, Played::rig),
        (&mut plain, Played::nlerp),
        (&mut slerped, Played::slerp),
    ];
    let frames = 200;
    let frame_secs = f64::from(SECS) / f64::from(frames);
    for round in 0..=ROUNDS {
        for (spent, candidate) in &mut *candidates {
            let clock = Instant::now();
            for frame in 0..frames {
                candidate(&mut played, f64::from(frame) * frame_secs);
                std::hint::black_box(played.one());
            }
            if round > 0 {
                let joints = played.joints() as f64 * f64::from(frames);
                spent.push(clock.elapsed().as_nanos() as f64 / joints);
            }
        }
    }
    rows.extend([
        BenchRow::new(
            "clip, world and joint matrices, 300 joints, a joint / plain loop with nlerp",
            RatioGoal::AtMost("≤ 1.4; ≤ 40 ns"),
            &ours,
            &plain,
        ),
        BenchRow::new("the same / plain loop with slerp", RatioGoal::AtMost(""), &ours, &slerped),
        BenchRow::new(
            "the same through a rig with its parameters / plain loop with nlerp",
            RatioGoal::AtMost(""),
            &all_of_it,
            &plain,
        ),
    ]);
}
