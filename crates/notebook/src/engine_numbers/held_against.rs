//! What is held against what: an engine's numbers, as exact as they are, and ours; and
//! what was found.

use std::sync::Arc;

use bindpose_asset::Rig;
use bindpose_lesson::{FaultName, Lesson};
use bindpose_skin::JointIndex;
use glam::{Mat4, Vec3};
use serde::{Serialize, Serializer};

use super::read::EngineNumbers;
use crate::differences::are_near;
use crate::faults::Evidence;
use crate::palette_texture::as_half;
use crate::{Derived, Document};

/// An engine's numbers, and the page that they are held against.
#[derive(Clone, Debug)]
pub struct HeldAgainst {
    /// What the engine gave.
    pub given: Arc<EngineNumbers>,
    /// The page.
    pub document: Document,
    /// `None` where nothing of the lesson moves the joints.
    pub lesson: Option<Lesson>,
    /// What follows from both.
    pub derived: Derived,
}

/// What the page has, with its stage, its edits and the faults that are on: to be ours
/// is to be equal to these, and to nothing else.
pub(super) struct Ours<'a> {
    /// What they were worked out from.
    pub(super) derived: &'a Derived,
    /// The chosen joint.
    pub(super) chosen: JointIndex,
    /// Joints of the rig, in the order in which matrices are given.
    pub(super) rows: Vec<usize>,
    /// How exact the given numbers are.
    pub(super) precision: Precision,
    /// What rounding does to a translation that two far ones leave, in their unit.
    place_slack: f32,
    numbers: Evidence,
    palette: Vec<Mat4>,
}

impl<'a> Ours<'a> {
    /// As a page gives them, exactly, and of the first skin.
    pub(super) fn new(derived: &'a Derived, document: &Document) -> Self {
        Self::for_given(derived, document, &EngineNumbers::Positions(Vec::new()))
    }

    /// In the order in which these are given, of the skin that they are of.
    pub(super) fn for_given(
        derived: &'a Derived,
        document: &Document,
        given: &EngineNumbers,
    ) -> Self {
        let numbers = Evidence::new(derived, document);
        let precision = Precision::of(given);
        let drawn = numbers.palette();
        let skins = skins(&derived.rig);
        let rows = match given {
            EngineNumbers::Matrices(given) => {
                let fits = |rows: &&Vec<usize>| {
                    let ours = rows.iter().filter_map(|&joint| drawn.get(joint));
                    ours.zip(given)
                        .all(|(ours, given)| are_near(given, ours, |_, of| precision.slack(of)))
                };
                let has_all = |rows: &&Vec<usize>| rows.len() == given.len();
                let of_size = || skins.iter().filter(has_all);
                let found = of_size().find(fits).or_else(|| of_size().next()).cloned();
                // Who counts as this program does, with nodes above the joints.
                let all = || (given.len() == drawn.len()).then(|| (0..drawn.len()).collect());
                found.or_else(all)
            }
            EngineNumbers::Positions(_) | EngineNumbers::FourLists(_) | EngineNumbers::Pose(_) => {
                None
            }
        };
        let rows = rows.unwrap_or_else(|| skins.into_iter().next().unwrap_or_default());
        let palette = rows.iter().filter_map(|&joint| drawn.get(joint).copied()).collect();
        let place_slack = rounding_of_places(given, &derived.joints.world_from_joint);
        let chosen = document.state.joint;
        Self { derived, chosen, rows, precision, place_slack, numbers, palette }
    }

    /// In the order of the skin, as the shader gets them.
    pub(super) fn palette(&self) -> &[Mat4] {
        &self.palette
    }

    /// That of a joint of the rig.
    pub(super) fn drawn(&self, joint: usize) -> Option<Mat4> {
        self.numbers.palette().get(joint).copied()
    }

    /// By vertex, in world space, as drawn.
    pub(super) fn positions(&self) -> &[Vec3] {
        self.numbers.positions()
    }

    /// The joint above each, both by their places in the palette; nodes between them are
    /// passed over.
    pub(super) fn parents(&self) -> Vec<Option<usize>> {
        let joints = self.rows.iter().filter_map(|&joint| joint_index(joint));
        self.derived.rig.parents_among(&joints.collect::<Vec<_>>())
    }

    /// What a place in the palette is called: `joint 3 “tail”`.
    pub(super) fn words(&self, row: usize) -> String {
        let name =
            self.rows.get(row).and_then(|&joint| self.derived.rig.skeleton.joints().get(joint));
        match name.map(|joint| joint.name.as_str()) {
            Some(name) if !name.is_empty() && name != format!("joint {row}") => {
                format!("joint {row} “{name}”")
            }
            _ => format!("joint {row}"),
        }
    }

    /// The joint of the rig at a place in the palette.
    pub(super) fn joint(&self, row: usize) -> Option<JointIndex> {
        self.rows.get(row).and_then(|&joint| joint_index(joint))
    }

    /// The same numbers, to their precision?
    pub(super) fn are_equal(&self, given: &Mat4, ours: &Mat4) -> bool {
        are_near(given, ours, |at, of| {
            // Where translations stand, by columns or by rows.
            let is_place = at >= 12 || at % 4 == 3;
            let rounded = if is_place { self.place_slack } else { 0.0 };
            self.precision.slack(of).max(rounded)
        })
    }

    /// The same of whole palettes: as many, and one at least.
    pub(super) fn are_all(&self, given: &[Mat4], ours: &[Mat4]) -> bool {
        !given.is_empty()
            && given.len() == ours.len()
            && given.iter().zip(ours).all(|(given, ours)| self.are_equal(given, ours))
    }
}

/// A few of the last bits of the farthest translation: of what is given, or of ours.
fn rounding_of_places(given: &EngineNumbers, world_from_joint: &[Mat4]) -> f32 {
    const ROUNDING: f32 = 2e-6;
    let given = match given {
        EngineNumbers::Matrices(given) => given.as_slice(),
        EngineNumbers::Positions(_) | EngineNumbers::FourLists(_) | EngineNumbers::Pose(_) => &[],
    };
    let places = given.iter().chain(world_from_joint).flat_map(|matrix| {
        [matrix.w_axis.truncate(), matrix.row(3).truncate()].map(|place| place.abs().max_element())
    });
    ROUNDING * places.filter(|place| place.is_finite()).fold(0.0, f32::max)
}

/// [`Rig::skins`], for indexing.
pub(super) fn skins(rig: &Rig) -> Vec<Vec<usize>> {
    let skins = rig.skins().into_iter();
    skins.map(|skin| skin.into_iter().map(JointIndex::index).collect()).collect()
}

// How exact given numbers are: as 32-bit floats, as 16-bit floats, or as printed with
// three decimals.

/// How much of our numbers is left in theirs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Precision {
    /// All that a 32-bit float has.
    Float,
    /// All are 16-bit floats.
    Half,
    /// All have three decimals at most, and some have three.
    ThreeDecimals,
}

impl Precision {
    /// By the numbers alone.
    fn of(given: &EngineNumbers) -> Self {
        let is = |test: &dyn Fn(f32) -> bool| match given {
            EngineNumbers::Matrices(all) => {
                all.iter().flat_map(|matrix| matrix.to_cols_array()).all(test)
            }
            EngineNumbers::Positions(all) => {
                all.iter().flat_map(|place| place.to_array()).all(test)
            }
            EngineNumbers::FourLists(_) | EngineNumbers::Pose(_) => false,
        };
        let decimals = |ten: f32| {
            let off = move |x: f32| ((x * ten).round() - x * ten).abs();
            move |x: f32| off(x) <= 1e-3 + 1e-7 * (x * ten).abs()
        };
        if is(&|x| as_half(x) == x) {
            Self::Half
        } else if is(&decimals(1e3)) && !is(&decimals(1e2)) {
            Self::ThreeDecimals
        } else {
            Self::Float
        }
    }

    /// How far a number of this size may be off by what was rounded away.
    pub(super) fn slack(self, number: f32) -> f32 {
        match self {
            Self::Float => 0.0,
            _ if !number.is_finite() => 0.0,
            Self::Half => 6e-4 * number.abs() + 1e-7,
            Self::ThreeDecimals => 5.5e-4,
        }
    }

    /// What is said of numbers that are ours but for it.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Float => "",
            Self::Half => ", to the precision of 16-bit floats: three digits are right",
            Self::ThreeDecimals => ", to their three decimals",
        }
    }
}

// What is said of an engine's numbers.

/// What was found.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Matched {
    /// Are they ours, to the precision of 32-bit floats?
    pub equal: bool,
    /// The most telling one first.
    pub findings: Vec<NumbersFinding>,
    /// Known faults, by their names, that give exactly these numbers.
    pub faults: Vec<&'static str>,
    /// Of a matrix alone: whose it is, or whose it is nearest to.
    #[serde(skip)]
    pub joint: Option<JointIndex>,
    /// Of a palette: joints of the rig, in the order in which its matrices were taken.
    #[serde(skip)]
    pub rows: Vec<JointIndex>,
    /// Index of the first of the given matrices that were compared: of several lists, the
    /// last counts.
    #[serde(skip)]
    pub first_row: usize,
}

/// One thing that was found; in JSON its words.
#[derive(Clone, Debug, Default)]
pub struct NumbersFinding {
    /// In sentences.
    pub words: String,
    /// What the words name, to be chosen.
    pub joints: Vec<JointIndex>,
    /// The same of vertices.
    pub vertices: Vec<u32>,
    /// The fault that the words name.
    pub fault: Option<FaultName>,
}

impl Matched {
    pub(super) fn say(&mut self, words: String) -> &mut NumbersFinding {
        self.findings.push(NumbersFinding { words, ..NumbersFinding::default() });
        let last = self.findings.len() - 1;
        &mut self.findings[last]
    }

    pub(super) fn say_fault(&mut self, fault: FaultName) {
        let words = format!(
            "The fault “{}” (`{}`) gives exactly these. {}",
            fault.title, fault.id, fault.tell
        );
        self.say_with(words, fault);
    }

    /// In words of their own.
    pub(super) fn say_with(&mut self, words: String, fault: FaultName) {
        self.faults.push(fault.id);
        self.say(words).fault = Some(fault);
    }

    /// All findings, one after the other.
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

/// Numbers of joints; others a skin cannot name.
pub(super) fn joint_index(joint: usize) -> Option<JointIndex> {
    u16::try_from(joint).ok().map(JointIndex)
}
