//! Example numbers of an engine with a mistake, positions of vertices, and trials of the
//! known faults.

use std::fmt::Write as _;
use std::sync::Arc;

use bindpose_lesson::number_text::fixed;
use bindpose_lesson::{FaultName, Lesson, Setting, known_faults};
use bindpose_notebook::engine_numbers::EngineNumbers;
use bindpose_notebook::fault_evidence::Evidence;
use bindpose_notebook::faults::FaultSwitch;
use bindpose_notebook::{Derived, Document, apply_setting};
use bindpose_skin::Method;
use glam::{Mat4, Vec3};

use super::comparison::{ComparisonResult, EngineComparison, PageNumbers};
use super::relations::space_changes;
use crate::differences::{finite_size, position_distance, tolerance};

/// Maximum number of joints of a palette that is given as text. For larger palettes, an
/// example is a single matrix.
const MAX_TEXT_JOINTS: usize = 64;

/// A common mistake of engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineMistake {
    /// The matrix of the selected joint with rows and columns swapped.
    Transposed,
    /// The palette with the matrices of the selected joint and another one swapped.
    OtherJoint,
    /// The palette without inverse bind matrices.
    InverseBindMissing,
    /// Skinned positions with a known fault.
    Places,
}

/// The numbers of an engine with a mistake.
#[derive(Clone, Debug, PartialEq)]
pub enum EngineExample {
    /// Text to paste.
    Text(String),
    /// The name and numbers of a file.
    File(&'static str, EngineNumbers),
}

impl EngineMistake {
    pub const ALL: [Self; 4] =
        [Self::Transposed, Self::OtherJoint, Self::InverseBindMissing, Self::Places];

    /// Label of the button that loads the example.
    pub fn label(self) -> &'static str {
        match self {
            Self::Transposed => "one matrix, transposed",
            Self::OtherJoint => "two joints swapped",
            Self::InverseBindMissing => "inverse bind missing",
            Self::Places => "positions with a fault",
        }
    }

    /// Computes the numbers of an engine with the mistake for this page. `lesson` is that of
    /// [`EngineComparison::lesson`]. Returns `None` if the model has no joints, or no fault moves
    /// its vertices.
    pub fn given(
        self,
        document: &Document,
        lesson: Option<&Lesson>,
        derived: &Derived,
    ) -> Option<EngineExample> {
        let page = EngineComparison {
            given: Arc::new(EngineNumbers::Positions(Vec::new())),
            document: document.clone(),
            lesson: lesson.cloned(),
            derived: derived.clone(),
        };
        let ours = PageNumbers::new(&page);
        let palette = ours.palette();
        let chosen_row = ours.rows.iter().position(|&joint| joint == ours.chosen.index());
        let chosen = chosen_row.unwrap_or(0);
        let worlds: Vec<Mat4> = ours
            .rows
            .iter()
            .filter_map(|&joint| derived.joints.world_from_joint.get(joint).copied())
            .collect();
        let is_small = palette.len() <= MAX_TEXT_JOINTS;
        match self {
            Self::Transposed => Some(format_braces(&palette.get(chosen)?.transpose())),
            Self::OtherJoint => {
                let other = find_other_joint(chosen, palette)?;
                if !is_small {
                    return Some(format_braces(palette.get(other)?));
                }
                let mut swapped = palette.to_vec();
                swapped.swap(chosen, other);
                Some(format_json(&swapped))
            }
            Self::InverseBindMissing if is_small => Some(format_json(&worlds)),
            Self::InverseBindMissing => Some(format_braces(worlds.get(chosen)?)),
            Self::Places => positions_with_fault(&page, ours.positions()),
        }
    }
}

/// Returns the next joint, cyclically, whose matrix differs from that of the selected one.
fn find_other_joint(chosen: usize, palette: &[Mat4]) -> Option<usize> {
    let own = palette.get(chosen)?;
    (chosen + 1..palette.len())
        .chain(0..chosen)
        .find(|&joint| palette.get(joint).is_some_and(|other| other != own))
}

/// Returns the positions with the first fault that moves vertices of this page.
fn positions_with_fault(page: &EngineComparison, ours: &[Vec3]) -> Option<EngineExample> {
    let trials = FaultTrials::new(page);
    let preferred = FaultName::from_id("joints-off-by-one").into_iter();
    let positions = preferred.chain(known_faults()).find_map(|fault| {
        let evidence = trials.evidence_with(fault)?;
        let positions = evidence.positions();
        let is_moved = fault_gives_positions(positions, positions, ours, tolerance(ours));
        is_moved.then(|| positions.to_vec())
    })?;
    let numbers = EngineNumbers::Positions(positions);
    Some(EngineExample::File("skinned.npy", numbers))
}

/// Formats a matrix as a C++ debugger shows it: `{ {1, 0, …}, … }`.
fn format_braces(matrix: &Mat4) -> EngineExample {
    let rows = [0, 1, 2, 3].map(|row| {
        let [a, b, c, d] = matrix.row(row).to_array();
        format!("  {{ {a:.6}f, {b:.6}f, {c:.6}f, {d:.6}f }}")
    });
    EngineExample::Text(format!("{{\n{}\n}}", rows.join(",\n")))
}

/// Formats matrices as JSON with one column-major matrix per line.
fn format_json(matrices: &[Mat4]) -> EngineExample {
    let mut text = String::from("[");
    for (nth, matrix) in matrices.iter().enumerate() {
        let between = if nth == 0 { "" } else { ",\n " };
        let cells = matrix.to_cols_array().map(|cell| format!("{cell:.6}"));
        let _ = write!(text, "{between}[{}]", cells.join(", "));
    }
    text.push(']');
    EngineExample::Text(text)
}

/// Tolerance of normals, which have length 1.
const NORMAL_TOLERANCE: f32 = 1e-4;

/// Reports whether the positions are ours, or ours in another space. Returns whether they are.
pub(super) fn match_positions(
    given: &[Vec3],
    ours: &PageNumbers<'_>,
    found: &mut ComparisonResult,
) -> bool {
    let derived = ours.derived;
    let max_distance = position_tolerance(ours);
    let precision = ours.precision;
    let ours = ours.positions();
    if given.len() != ours.len() {
        found.add_finding(format!(
            "There are {} positions, and the mesh has {} vertices; an engine that splits or joins \
             vertices has an order of its own.",
            given.len(),
            ours.len()
        ));
    }
    if are_positions_equal(given, ours, max_distance) {
        found.equal = given.len() == ours.len();
        let exact = are_positions_equal(given, ours, tolerance(ours));
        let words = if exact { "" } else { precision.words() };
        found.add_finding(format!("They are where we have them{words}."));
        return true;
    }
    if given.len() == ours.len() && are_positions_equal(given, &derived.normals(), NORMAL_TOLERANCE)
    {
        found.equal = true;
        found.add_finding("They are our normals, in world space: no positions.".to_owned());
        return true;
    }
    if are_positions_equal(given, derived.stored_positions(), max_distance) {
        found.add_finding("They are the stored positions: nothing has skinned them.".to_owned());
        return true;
    }
    let node = ("with the mesh’s node multiplied in", derived.world_from_mesh_node);
    for (words, change) in space_changes().chain([node]) {
        let changed: Vec<Vec3> = ours.iter().map(|&p| change.transform_point3(p)).collect();
        if are_positions_equal(given, &changed, max_distance) {
            found.add_finding(format!("They are our positions, {words}."));
            return true;
        }
    }
    false
}

/// Returns the largest distance between a given position and ours that count as equal.
pub(super) fn position_tolerance(ours: &PageNumbers<'_>) -> f32 {
    let size = finite_size(ours.positions());
    tolerance(ours.positions()).max(ours.precision.slack(size))
}

/// Are these the positions of a page with a fault, and different from ours?
pub(super) fn fault_gives_positions(
    given: &[Vec3],
    faulty: &[Vec3],
    ours: &[Vec3],
    max_distance: f32,
) -> bool {
    are_positions_equal(given, faulty, max_distance)
        && !are_positions_equal(ours, faulty, max_distance)
}

/// Are the positions that both lists have equal? Returns false if a list is empty.
pub(super) fn are_positions_equal(a: &[Vec3], b: &[Vec3], max_distance: f32) -> bool {
    !a.is_empty()
        && !b.is_empty()
        && a.iter().zip(b).all(|(a, b)| position_distance(*a, *b) <= max_distance)
}

/// Reports the first and the farthest vertex that differ.
pub(super) fn report_position_differences(
    given: &[Vec3],
    ours: &PageNumbers<'_>,
    found: &mut ComparisonResult,
) {
    let max_distance = position_tolerance(ours);
    let ours = ours.positions();
    let far: Vec<(usize, f32)> = given
        .iter()
        .zip(ours)
        .map(|(theirs, ours)| position_distance(*theirs, *ours))
        .enumerate()
        .filter(|&(_, distance)| distance > max_distance)
        .collect();
    let (Some(&(first, by)), Some(&(farthest, farthest_by))) =
        (far.first(), far.iter().max_by(|a, b| a.1.total_cmp(&b.1)))
    else {
        return;
    };
    let words = format!(
        "{} of {} differ, first v{first}, which is at {} and with us at {}, {} apart; farthest v{farthest}, by {}.",
        far.len(),
        given.len().min(ours.len()),
        format_position(given[first]),
        format_position(ours[first]),
        fixed(by.into(), 4),
        fixed(farthest_by.into(), 4)
    );
    let mut named = vec![first, farthest];
    named.dedup();
    let vertices = named.into_iter().map(u32::try_from).filter_map(Result::ok).collect();
    found.add_finding(words).vertices = vertices;
}

fn format_position(position: Vec3) -> String {
    let [x, y, z] = position.to_array().map(|x| fixed(x.into(), 4));
    format!("({x}, {y}, {z})")
}

/// The evidence of the page with each known fault, computed one at a time.
pub(super) struct FaultTrials<'a> {
    page: &'a EngineComparison,
    faults: Vec<FaultName>,
    next: usize,
}

impl<'a> FaultTrials<'a> {
    pub(super) fn new(page: &'a EngineComparison) -> Self {
        Self { page, faults: known_faults().collect(), next: 0 }
    }

    /// Fraction of the faults that were tried, from 0 to 1. `None` after the last one.
    pub(super) fn fraction_done(&self) -> Option<f32> {
        let count = self.faults.len();
        (self.next < count).then(|| self.next as f32 / count as f32)
    }

    /// Switches on the next fault. Returns `None` if it cannot be on with the page's method.
    pub(super) fn next_trial(&mut self) -> Option<(FaultName, Evidence)> {
        let fault = *self.faults.get(self.next)?;
        self.next += 1;
        Some((fault, self.evidence_with(fault)?))
    }

    pub(super) fn evidence_with(&self, fault: FaultName) -> Option<Evidence> {
        let EngineComparison { document, lesson, derived, .. } = self.page;
        let mut wrong = document.clone();
        for setting in FaultSwitch::new(fault).switched(true, &document.state) {
            if setting == Setting::Method(Method::DualQuaternion)
                && document.state.method != Method::DualQuaternion
            {
                return None;
            }
            apply_setting(&mut wrong, &setting, Some(&derived.rig));
        }
        let there = derived.of_other(&wrong, lesson.as_ref());
        Some(Evidence::new(&there, &wrong))
    }
}
