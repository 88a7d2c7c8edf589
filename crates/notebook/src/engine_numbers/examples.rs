//! What an engine could give for the page as it is, to be tried before one has numbers
//! of one's own: worked out, with a mistake in it.

use std::fmt::Write as _;
use std::sync::Arc;

use bindpose_lesson::{FaultName, Lesson, known_faults};
use glam::{Mat4, Vec3};

use super::held_against::{HeldAgainst, Ours};
use super::places;
use super::read::EngineNumbers;
use super::with_faults::WithFaults;
use crate::{Derived, Document};

/// Joints of a palette that is given as a text; of a larger one a matrix is given.
const MOST_JOINTS: usize = 64;

/// A mistake that engines make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineMistake {
    /// The chosen joint's matrix with rows and columns swapped.
    Transposed,
    /// The palette with the chosen joint's matrix and another one's swapped.
    OtherJoint,
    /// The palette without inverse bind matrices.
    InverseBindMissing,
    /// Skinned places, with a known fault.
    Places,
}

/// What is given.
#[derive(Clone, Debug, PartialEq)]
pub enum GivenExample {
    /// To be pasted.
    Text(String),
    /// As a file of that name has it.
    File(&'static str, EngineNumbers),
}

impl EngineMistake {
    /// All of them.
    pub const ALL: [Self; 4] =
        [Self::Transposed, Self::OtherJoint, Self::InverseBindMissing, Self::Places];

    /// What a button calls it.
    pub fn label(self) -> &'static str {
        match self {
            Self::Transposed => "one matrix, transposed",
            Self::OtherJoint => "two joints swapped",
            Self::InverseBindMissing => "inverse bind missing",
            Self::Places => "places with a fault",
        }
    }

    /// What an engine would give for this page. `lesson` as of [`HeldAgainst`]; `None`:
    /// the model has no joints, or no fault moves its vertices.
    pub fn given(
        self,
        document: &Document,
        lesson: Option<&Lesson>,
        derived: &Derived,
    ) -> Option<GivenExample> {
        let page = HeldAgainst {
            given: Arc::new(EngineNumbers::Positions(Vec::new())),
            document: document.clone(),
            lesson: lesson.cloned(),
            derived: derived.clone(),
        };
        let ours = Ours::new(&page.derived, &page.document);
        let (palette, chosen) = (ours.palette(), ours.chosen.index());
        let is_small = palette.len() <= MOST_JOINTS;
        match self {
            Self::Transposed => Some(in_braces(&palette.get(chosen)?.transpose())),
            Self::OtherJoint => {
                let other = another_joint(chosen, palette)?;
                if !is_small {
                    return Some(in_braces(palette.get(other)?));
                }
                let mut swapped = palette.to_vec();
                swapped.swap(chosen, other);
                Some(as_json(&swapped))
            }
            Self::InverseBindMissing if is_small => Some(as_json(&derived.world_from_joint)),
            Self::InverseBindMissing => Some(in_braces(derived.world_from_joint.get(chosen)?)),
            Self::Places => places_with_a_fault(&page, ours.positions()),
        }
    }
}

/// The one after it, or before the last, whose matrix is another.
fn another_joint(chosen: usize, ours: &[Mat4]) -> Option<usize> {
    let own = ours.get(chosen)?;
    let joints = (chosen + 1..ours.len()).chain(0..chosen);
    let mut others = joints.filter(|&joint| ours.get(joint).is_some_and(|other| other != own));
    others.next()
}

/// Those of the first fault that changes places, here and on this model.
fn places_with_a_fault(page: &HeldAgainst, ours: &[Vec3]) -> Option<GivenExample> {
    let faults = WithFaults::new(page);
    let plain = FaultName::from_id("joints-off-by-one").into_iter();
    let there = plain.chain(known_faults()).find_map(|fault| {
        let there = faults.numbers_with(fault)?;
        let moved = places::are_given_by(there.positions(), there.positions(), ours);
        moved.then(|| there.positions().to_vec())
    })?;
    let numbers = EngineNumbers::Positions(there);
    Some(GivenExample::File("skinned.npy", numbers))
}

/// As a C++ debugger shows it: `{ {1, 0, …}, … }`.
fn in_braces(matrix: &Mat4) -> GivenExample {
    let rows = [0, 1, 2, 3].map(|row| {
        let [a, b, c, d] = matrix.row(row).to_array();
        format!("  {{ {a:.6}f, {b:.6}f, {c:.6}f, {d:.6}f }}")
    });
    GivenExample::Text(format!("{{\n{}\n}}", rows.join(",\n")))
}

/// A line a joint, column after column.
fn as_json(matrices: &[Mat4]) -> GivenExample {
    let mut text = String::from("[");
    for (nth, matrix) in matrices.iter().enumerate() {
        let between = if nth == 0 { "" } else { ",\n " };
        let cells = matrix.to_cols_array().map(|cell| format!("{cell:.6}"));
        let _ = write!(text, "{between}[{}]", cells.join(", "));
    }
    text.push(']');
    GivenExample::Text(text)
}
