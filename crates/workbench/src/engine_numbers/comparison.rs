//! The numbers of an engine and of the page that are compared, their precision, and the
//! result of the comparison.

use std::sync::Arc;

use bindpose_gltf::Rig;
use bindpose_lesson::{FaultName, Lesson};
use bindpose_notebook::engine_numbers::EngineNumbers;
use bindpose_notebook::fault_evidence::Evidence;
use bindpose_notebook::palette_texture::as_half;
use bindpose_notebook::{Derived, Document};
use bindpose_skin::JointIndex;
use glam::{Mat4, Vec3};
use serde::{Serialize, Serializer};

use crate::differences::are_near;

/// The numbers of an engine and the page that they are compared with.
#[derive(Clone, Debug)]
pub struct EngineComparison {
    pub given: Arc<EngineNumbers>,
    pub document: Document,
    /// `None` if nothing of the lesson moves the joints.
    pub lesson: Option<Lesson>,
    /// The values derived from `document` and `lesson`.
    pub derived: Derived,
}

/// The numbers of the page, with its stage, its edits and the faults that are on. An
/// engine's numbers count as ours only if they are equal to these.
#[derive(Clone)]
pub(super) struct PageNumbers<'a> {
    pub(super) page: &'a EngineComparison,
    pub(super) derived: &'a Derived,
    /// The selected joint.
    pub(super) chosen: JointIndex,
    /// The joint of the rig for each row of the palette, in the engine's order.
    pub(super) rows: Vec<usize>,
    pub(super) precision: Precision,
    /// Rounding error of a translation that is the difference of two distant ones, in units
    /// of the model.
    translation_slack: f32,
    numbers: Arc<Evidence>,
    palette: Vec<Mat4>,
}

impl<'a> PageNumbers<'a> {
    /// The numbers of the skin that the given matrices belong to, in their order. For other
    /// numbers, those of the first skin.
    pub(super) fn new(page: &'a EngineComparison) -> Self {
        let EngineComparison { given, document, derived, .. } = page;
        let numbers = Arc::new(Evidence::new(derived, document));
        let precision = Precision::of(given);
        let drawn = numbers.palette();
        let skins = skins(&derived.rig);
        let given_rows = match &**given {
            EngineNumbers::Matrices(given) => {
                let same_size: Vec<&Vec<usize>> =
                    skins.iter().filter(|rows| rows.len() == given.len()).collect();
                let equal = same_size.iter().find(|rows| {
                    let palette = rows.iter().filter_map(|&joint| drawn.get(joint));
                    palette
                        .zip(given)
                        .all(|(ours, given)| are_near(given, ours, |_, of| precision.slack(of)))
                });
                if let Some(rows) = equal.or(same_size.first()) {
                    Some((*rows).clone())
                } else if given.len() == drawn.len() {
                    // This program also counts nodes above the joints.
                    Some((0..drawn.len()).collect())
                } else {
                    None
                }
            }
            EngineNumbers::Positions(_) | EngineNumbers::FourLists(_) | EngineNumbers::Pose(_) => {
                None
            }
        };
        let rows = given_rows.unwrap_or_else(|| skins.into_iter().next().unwrap_or_default());
        let palette = palette_of(&rows, drawn);
        let translation_slack = translation_rounding(given, &derived.joints.world_from_joint);
        let chosen = document.state.joint;
        Self { page, derived, chosen, rows, precision, translation_slack, numbers, palette }
    }

    /// Returns the same numbers with the palette of other joints.
    pub(super) fn with_rows(&self, rows: Vec<usize>) -> Self {
        let palette = palette_of(&rows, self.numbers.palette());
        Self { rows, palette, ..self.clone() }
    }

    /// The matrices that the shader receives, by joint of the rig.
    pub(super) fn drawn_palette(&self) -> &[Mat4] {
        self.numbers.palette()
    }

    /// The matrices that the shader receives, in the order of the skin.
    pub(super) fn palette(&self) -> &[Mat4] {
        &self.palette
    }

    /// Returns the matrix that a joint of the rig is drawn with.
    pub(super) fn drawn_matrix(&self, joint: usize) -> Option<Mat4> {
        self.numbers.palette().get(joint).copied()
    }

    /// The drawn positions of all vertices in world space.
    pub(super) fn positions(&self) -> &[Vec3] {
        self.numbers.positions()
    }

    /// Returns the row of the parent of each row. Nodes that are no joints of the skin are
    /// skipped.
    pub(super) fn parents(&self) -> Vec<Option<usize>> {
        let joints: Vec<JointIndex> =
            self.rows.iter().filter_map(|&joint| joint_index(joint)).collect();
        self.derived.rig.parents_among(&joints)
    }

    /// Returns the label of a row, such as `joint 3 “tail”`.
    pub(super) fn joint_label(&self, row: usize) -> String {
        let joints = self.derived.rig.skeleton.joints();
        let joint = self.rows.get(row).and_then(|&joint| joints.get(joint));
        match joint.map(|joint| joint.name.as_str()) {
            Some(name) if !name.is_empty() && name != format!("joint {row}") => {
                format!("joint {row} “{name}”")
            }
            _ => format!("joint {row}"),
        }
    }

    /// Returns the joint of the rig in a row.
    pub(super) fn joint_of_row(&self, row: usize) -> Option<JointIndex> {
        self.rows.get(row).and_then(|&joint| joint_index(joint))
    }

    /// Are the matrices equal to within the precision of the given one?
    pub(super) fn are_equal(&self, given: &Mat4, ours: &Mat4) -> bool {
        are_near(given, ours, |at, of| {
            // The last row or the last column contains a translation.
            let is_translation = at >= 12 || at % 4 == 3;
            let rounded = if is_translation { self.translation_slack } else { 0.0 };
            self.precision.slack(of).max(rounded)
        })
    }

    /// Are the palettes equal? Returns false if they are empty or differ in length.
    pub(super) fn are_palettes_equal(&self, given: &[Mat4], ours: &[Mat4]) -> bool {
        !given.is_empty()
            && given.len() == ours.len()
            && given.iter().zip(ours).all(|(given, ours)| self.are_equal(given, ours))
    }
}

/// Returns the matrices of the joints in each row.
fn palette_of(rows: &[usize], drawn: &[Mat4]) -> Vec<Mat4> {
    rows.iter().filter_map(|&joint| drawn.get(joint).copied()).collect()
}

/// Returns the rounding error of the largest translation, given or ours.
fn translation_rounding(given: &EngineNumbers, world_from_joint: &[Mat4]) -> f32 {
    /// A few units in the last place of a 32-bit float.
    const RELATIVE_ROUNDING: f32 = 2e-6;
    let given = match given {
        EngineNumbers::Matrices(given) => given.as_slice(),
        EngineNumbers::Positions(_) | EngineNumbers::FourLists(_) | EngineNumbers::Pose(_) => &[],
    };
    let mut largest = 0.0_f32;
    for matrix in given.iter().chain(world_from_joint) {
        for translation in [matrix.w_axis.truncate(), matrix.row(3).truncate()] {
            let size = translation.abs().max_element();
            if size.is_finite() {
                largest = largest.max(size);
            }
        }
    }
    RELATIVE_ROUNDING * largest
}

/// Returns the joints of each skin as indices, see [`Rig::skins`].
pub(super) fn skins(rig: &Rig) -> Vec<Vec<usize>> {
    rig.skins().into_iter().map(|skin| skin.into_iter().map(JointIndex::index).collect()).collect()
}

/// The precision to which an engine's numbers were stored or printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Precision {
    Float,
    /// All numbers can be represented as 16-bit floats.
    Half,
    /// All numbers have at most three decimals, and some have three.
    ThreeDecimals,
}

impl Precision {
    /// Detects the precision from the numbers alone.
    fn of(given: &EngineNumbers) -> Self {
        let numbers: Vec<f32> = match given {
            EngineNumbers::Matrices(all) => {
                all.iter().flat_map(|matrix| matrix.to_cols_array()).collect()
            }
            EngineNumbers::Positions(all) => {
                all.iter().flat_map(|position| position.to_array()).collect()
            }
            EngineNumbers::FourLists(_) | EngineNumbers::Pose(_) => return Self::Float,
        };
        if numbers.iter().all(|&x| as_half(x) == x) {
            Self::Half
        } else if numbers.iter().all(|&x| is_multiple_of(x, 1e3))
            && !numbers.iter().all(|&x| is_multiple_of(x, 1e2))
        {
            Self::ThreeDecimals
        } else {
            Self::Float
        }
    }

    /// Returns the largest rounding error of a number of this size.
    pub(super) fn slack(self, number: f32) -> f32 {
        match self {
            Self::Float => 0.0,
            _ if !number.is_finite() => 0.0,
            Self::Half => 6e-4 * number.abs() + 1e-7,
            Self::ThreeDecimals => 5.5e-4,
        }
    }

    /// Returns the remark on numbers that equal ours to within this precision.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Float => "",
            Self::Half => ", to the precision of 16-bit floats: three digits are right",
            Self::ThreeDecimals => ", to their three decimals",
        }
    }
}

/// Is the number a multiple of `1 / parts`, up to rounding?
fn is_multiple_of(x: f32, parts: f32) -> bool {
    let scaled = x * parts;
    (scaled.round() - scaled).abs() <= 1e-3 + 1e-7 * scaled.abs()
}

/// The result of comparing an engine's numbers with those of the page.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ComparisonResult {
    /// Are the numbers ours, to the precision of 32-bit floats?
    pub equal: bool,
    /// The most informative finding first.
    pub findings: Vec<NumbersFinding>,
    /// Ids of known faults that give exactly these numbers.
    pub faults: Vec<&'static str>,
    /// For a single matrix, the joint that it belongs to or is nearest to.
    #[serde(skip)]
    pub joint: Option<JointIndex>,
    /// For a palette, the joint of the rig in each row.
    #[serde(skip)]
    pub rows: Vec<JointIndex>,
    /// Index of the first given matrix that was compared. Only the last of several lists is
    /// compared.
    #[serde(skip)]
    pub first_row: usize,
}

/// One finding. Its JSON is the text alone.
#[derive(Clone, Debug, Default)]
pub struct NumbersFinding {
    /// Text of one or more sentences.
    pub words: String,
    /// Joints that the text names, which the reader can select.
    pub joints: Vec<JointIndex>,
    /// Vertices that the text names, which the reader can select.
    pub vertices: Vec<u32>,
    /// The fault that the text names.
    pub fault: Option<FaultName>,
}

impl ComparisonResult {
    pub(super) fn add_finding(&mut self, words: String) -> &mut NumbersFinding {
        self.findings.push(NumbersFinding { words, ..NumbersFinding::default() });
        let last = self.findings.len() - 1;
        &mut self.findings[last]
    }

    pub(super) fn add_fault_finding(&mut self, fault: FaultName) {
        let words = format!(
            "The fault “{}” (`{}`) gives exactly these. {}",
            fault.title, fault.id, fault.tell
        );
        self.add_finding_with_fault(words, fault);
    }

    /// Adds a finding about a fault with other words than its own.
    pub(super) fn add_finding_with_fault(&mut self, words: String, fault: FaultName) {
        self.faults.push(fault.id);
        self.add_finding(words).fault = Some(fault);
    }

    /// The text of all findings.
    #[cfg(test)]
    pub(crate) fn words(&self) -> String {
        let words: Vec<&str> = self.findings.iter().map(|one| one.words.as_str()).collect();
        words.join(" ")
    }
}

impl Serialize for NumbersFinding {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.words)
    }
}

/// Returns `None` for a number beyond those that a skin can refer to.
pub(super) fn joint_index(joint: usize) -> Option<JointIndex> {
    u16::try_from(joint).ok().map(JointIndex)
}
