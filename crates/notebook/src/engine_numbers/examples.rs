//! What an engine could give for the page as it is, to be tried before one has numbers
//! of one's own: worked out, with a mistake in it.

use std::fmt::Write as _;
use std::sync::Arc;

use bindpose_lesson::{FaultName, Lesson, Setting, known_faults};
use bindpose_skin::Method;
use glam::{Mat4, Vec3};

use super::held_against::{HeldAgainst, Matched, Ours};
use super::read::EngineNumbers;
use super::relations::changes_of_places;
use crate::differences::{finite_size, places_apart, tolerance};
use crate::faults::{Evidence, FaultSwitch};
use crate::number_text::fixed;
use crate::{Derived, Document, apply_setting};

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
            Self::Places => "positions with a fault",
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
        let palette = ours.palette();
        let of_chosen = ours.rows.iter().position(|&joint| joint == ours.chosen.index());
        let chosen = of_chosen.unwrap_or(0);
        let world = |row: &usize| derived.joints.world_from_joint.get(*row).copied();
        let worlds: Vec<Mat4> = ours.rows.iter().filter_map(world).collect();
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
            Self::InverseBindMissing if is_small => Some(as_json(&worlds)),
            Self::InverseBindMissing => Some(in_braces(worlds.get(chosen)?)),
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
        let most = tolerance(ours);
        let moved = are_given_by(there.positions(), (there.positions(), ours), most);
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

// Skinned positions of somebody's own.

/// How far a normal may be from ours that is the same: of unit length.
const UNIT_SLACK: f32 = 1e-4;

/// Are these our vertices, or what all of them have in common with ours?
pub(super) fn place_relations(given: &[Vec3], ours: &Ours<'_>, found: &mut Matched) {
    let (derived, most) = (ours.derived, most_apart(ours));
    let precision = ours.precision;
    let ours = ours.positions();
    let are_equal = |given: &[Vec3], ours: &[Vec3]| are_equal(given, ours, most);
    if given.len() != ours.len() {
        found.say(format!(
            "There are {} positions, and the mesh has {} vertices; an engine that splits or joins \
             vertices has an order of its own.",
            given.len(),
            ours.len()
        ));
    }
    if are_equal(given, ours) {
        found.equal = given.len() == ours.len();
        let exact = self::are_equal(given, ours, tolerance(ours));
        let words = if exact { "" } else { precision.words() };
        found.say(format!("They are where we have them{words}."));
        return;
    }
    if given.len() == ours.len() && self::are_equal(given, &derived.normals(), UNIT_SLACK) {
        found.equal = true;
        found.say("They are our normals, in world space: no positions.".to_owned());
        return;
    }
    if are_equal(given, derived.stored_positions()) {
        found.say("They are the stored positions: nothing has skinned them.".to_owned());
    }
    let node = ("with the mesh’s node multiplied in", derived.world_from_mesh_node);
    for (words, change) in changes_of_places().chain([node]) {
        let changed: Vec<Vec3> = ours.iter().map(|&p| change.transform_point3(p)).collect();
        if are_equal(given, &changed) {
            found.say(format!("They are our positions, {words}."));
            break;
        }
    }
}

/// How far a given place may be from ours that is the same.
pub(super) fn most_apart(ours: &Ours<'_>) -> f32 {
    let size = finite_size(ours.positions());
    tolerance(ours.positions()).max(ours.precision.slack(size))
}

/// Does a page with its vertices there give these, in the place of ours?
pub(super) fn are_given_by(given: &[Vec3], (there, ours): (&[Vec3], &[Vec3]), most: f32) -> bool {
    are_equal(given, there, most) && !are_equal(ours, there, most)
}

/// Of the positions that both have; one at least.
pub(super) fn are_equal(a: &[Vec3], b: &[Vec3], most: f32) -> bool {
    let mut pairs = a.iter().zip(b).peekable();
    pairs.peek().is_some() && pairs.all(|(a, b)| places_apart(*a, *b) <= most)
}

/// The first, and the farthest.
pub(super) fn place_differences(given: &[Vec3], ours: &Ours<'_>, found: &mut Matched) {
    let most = most_apart(ours);
    let ours = ours.positions();
    let off = |(theirs, ours): (&Vec3, &Vec3)| places_apart(*theirs, *ours);
    let far: Vec<(usize, f32)> =
        given.iter().zip(ours.iter()).map(off).enumerate().filter(|&(_, off)| off > most).collect();
    let (Some(&(first, by)), Some(&(farthest, farthest_by))) =
        (far.first(), far.iter().max_by(|a, b| a.1.total_cmp(&b.1)))
    else {
        return;
    };
    let place = |points: &[Vec3]| {
        let point = points.get(first).copied().unwrap_or_default();
        let [x, y, z] = point.to_array().map(|x| fixed(x.into(), 4));
        format!("({x}, {y}, {z})")
    };
    let words = format!(
        "{} of {} differ, first v{first}, which is at {} and with us at {}, {} apart; farthest v{farthest}, by {}.",
        far.len(),
        given.len().min(ours.len()),
        place(given),
        place(ours),
        fixed(by.into(), 4),
        fixed(farthest_by.into(), 4)
    );
    let mut named = vec![first, farthest];
    named.dedup();
    let named = named.into_iter().map(u32::try_from);
    found.say(words).vertices = named.filter_map(Result::ok).collect();
}

// The page with each known fault on, for numbers that one of them may have made.

/// The numbers with each fault that can be on: those whose method is not the page's
/// are left out.
pub(super) struct WithFaults<'a> {
    page: &'a HeldAgainst,
    faults: Vec<FaultName>,
    next: usize,
}

impl<'a> WithFaults<'a> {
    pub(super) fn new(page: &'a HeldAgainst) -> Self {
        Self { page, faults: known_faults().collect(), next: 0 }
    }

    /// 0 to 1; `None` when all are done.
    pub(super) fn fraction_done(&self) -> Option<f32> {
        let count = self.faults.len();
        (self.next < count).then(|| self.next as f32 / count as f32)
    }

    /// The next one, and the page with it; `None` where it cannot be on.
    pub(super) fn next_one(&mut self) -> Option<(FaultName, Evidence)> {
        let fault = *self.faults.get(self.next)?;
        self.next += 1;
        Some((fault, self.numbers_with(fault)?))
    }

    pub(super) fn numbers_with(&self, fault: FaultName) -> Option<Evidence> {
        let HeldAgainst { document, lesson, derived, .. } = self.page;
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
