//! The numbers that the page can show, and the first of them in which two pages
//! differ.

use std::fmt;

use bindpose_asset::bounds_of;
use bindpose_lesson::{FaultName, Lesson, SkinningFault};
use bindpose_skin::{
    Blend, Influences, JointIndex, SharedInfluences, moved_position, normal_matrix, skin_matrix_of,
};
use glam::{Mat4, Vec3};

use super::switches::FaultSwitch;
use crate::differences::{apart, cell_name, farthest, longest_side};
use crate::number_text::fixed;
use crate::palette_texture::PaletteTexture;
use crate::{Derived, Document, Edit, GpuLimits, apply};

/// A difference that is seen at once, as a part of the size of what is compared.
const PLAIN: f32 = 0.02;
/// One that numbers still tell.
const SMALLEST: f32 = 1e-4;

/// All numbers of one page, as the picture is drawn.
#[derive(Clone, Debug)]
pub struct Evidence {
    /// Bind space, with morph targets.
    stored: Vec<Vec3>,
    influences: SharedInfluences,
    /// By joint: local, world, inverse bind in use, sent, as the shader gets it.
    matrices: [Vec<Mat4>; 5],
    /// World space, as drawn.
    positions: Vec<Vec3>,
    /// World space, of unit length, as drawn.
    normals: Vec<Vec3>,
}

/// What the matrices are called, in the order of [`Evidence::matrices`].
const MATRIX_NAMES: [&str; 5] = [
    "local matrix",
    "world matrix",
    "inverse bind matrix",
    "joint matrix",
    "matrix that the shader gets, that",
];

/// A number of a page, and what it is on another.
#[derive(Clone, Debug, PartialEq)]
pub struct EvidenceDifference {
    /// `x of v6`.
    pub what: String,
    /// On this page.
    pub here: f32,
    /// On the other.
    pub there: f32,
}

impl EvidenceDifference {
    /// Both numbers with so many decimals that they differ: on this page, on the
    /// other.
    pub fn numbers(&self) -> [String; 2] {
        let both = [self.here, self.there].map(f64::from);
        let written = |places| both.map(|number| fixed(number, places));
        let tell = |[here, there]: &[String; 2]| here != there;
        let told = (2..9).map(written).find(tell);
        told.unwrap_or_else(|| written(9))
    }
}

/// `x of v6 would be 1.20; here it is 0.85`
impl fmt::Display for EvidenceDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [here, there] = self.numbers();
        write!(f, "{} would be {there}; here it is {here}", self.what)
    }
}

impl Evidence {
    /// Of a page. Filters of 32-bit floats work where the device that is played has
    /// them.
    pub fn new(derived: &Derived, document: &Document) -> Self {
        let state = &derived.in_force(document).state;
        let palette = sent_palette(derived, document);
        let joints = (0..=u16::MAX).map(JointIndex).take(derived.palette.len());
        let read: Vec<Mat4> = joints.map(|joint| palette.matrix(joint)).collect();
        let through_texture = state.transport.is_texture()
            && SkinningFault::OF_TEXTURE.iter().any(|fault| state.faults.contains(fault))
            && derived.blend != Blend::DualQuaternion;
        let (positions, normals) = if through_texture {
            drawn_with(&read, derived)
        } else {
            (derived.positions().to_vec(), derived.normals())
        };
        Self {
            stored: derived.stored_positions().to_vec(),
            influences: derived.influences.clone(),
            matrices: [
                derived.joints.parent_from_joint.clone(),
                derived.joints.world_from_joint.clone(),
                derived.joints.used_joint_from_bind.clone(),
                derived.joints.world_from_bind.clone(),
                read,
            ],
            positions,
            normals,
        }
    }

    /// Where the vertices are drawn, in world space.
    pub fn positions(&self) -> &[Vec3] {
        &self.positions
    }

    /// Normals as drawn, in world space and of unit length; zero where there is none.
    pub fn normals(&self) -> &[Vec3] {
        &self.normals
    }

    /// What the picture moves vertices with, by joint, as the shader gets it.
    pub fn palette(&self) -> &[Mat4] {
        let [.., read] = &self.matrices;
        read
    }

    /// The first number that differs from another page’s on the same rig, and is
    /// plain to see; else any that differs at all. `vertex`: where to look first.
    pub fn difference(&self, other: &Self, vertex: usize) -> Option<EvidenceDifference> {
        [PLAIN, SMALLEST].into_iter().find_map(|part| {
            self.place(other, vertex, part)
                .or_else(|| self.sum(other, vertex, part))
                .or_else(|| self.influence(other, vertex, part))
                .or_else(|| self.matrix(other, part))
                .or_else(|| {
                    let vectors = [&self.normals, &other.normals];
                    vector(vectors, vertex, part, "of the normal of")
                })
        })
    }

    fn place(&self, other: &Self, vertex: usize, part: f32) -> Option<EvidenceDifference> {
        let size = |points: &[Vec3]| longest_side(bounds_of(points));
        let size = size(&self.stored).min(size(&other.stored));
        let size = if size > 0.0 { size } else { 1.0 };
        let drawn = [&self.positions, &other.positions];
        vector(drawn, vertex, part * size, "of").or_else(|| {
            let stored = [&self.stored, &other.stored];
            vector(stored, vertex, part * size, "of the stored place of")
        })
    }

    fn sum(&self, other: &Self, vertex: usize, part: f32) -> Option<EvidenceDifference> {
        let sums = |at: usize| {
            let sum = |all: &SharedInfluences| all.get(at).map(Influences::sum);
            let both = [sum(&self.influences)?, sum(&other.influences)?];
            differ(both, part).then_some((at, both))
        };
        let all = 0..self.influences.len();
        let (at, [here, there]) = sums(vertex).or_else(|| farthest(all.filter_map(sums)))?;
        Some(EvidenceDifference { what: format!("Σw of v{at}"), here, there })
    }

    fn influence(&self, other: &Self, vertex: usize, part: f32) -> Option<EvidenceDifference> {
        let found = |at: usize| {
            let (mine, theirs) = (self.influences.get(at)?, other.influences.get(at)?);
            let lanes = mine.joints.iter().zip(&theirs.joints);
            let weights = mine.weights.iter().zip(&theirs.weights);
            lanes.zip(weights).enumerate().find_map(
                |(lane, ((joint, other_joint), (&here, &there)))| {
                    if joint != other_joint && here != 0.0 && there != 0.0 {
                        return Some(EvidenceDifference {
                            what: format!("the joint in lane {lane} of v{at}"),
                            here: joint.0.into(),
                            there: other_joint.0.into(),
                        });
                    }
                    differ([here, there], part).then(|| EvidenceDifference {
                        what: format!("the weight in lane {lane} of v{at}"),
                        here,
                        there,
                    })
                },
            )
        };
        found(vertex).or_else(|| (0..self.influences.len()).find_map(found))
    }

    /// What comes last on the way names the fault least: local matrices first.
    fn matrix(&self, other: &Self, part: f32) -> Option<EvidenceDifference> {
        let kinds = self.matrices.iter().zip(&other.matrices);
        kinds.zip(MATRIX_NAMES).find_map(|((mine, theirs), name)| {
            let mut pairs = mine.iter().zip(theirs).enumerate();
            pairs.find_map(|(joint, (mine, theirs))| cell(mine, theirs, name, joint, part))
        })
    }
}

/// What the picture moves vertices with, on its way to the shader: [`PaletteTexture::matrix`] is
/// what that gets.
pub fn sent_palette<'a>(derived: &'a Derived, document: &'a Document) -> PaletteTexture<'a> {
    let state = &derived.in_force(document).state;
    let played = GpuLimits::for_device(state.device, None);
    PaletteTexture {
        world_from_bind: &derived.palette,
        faults: &state.faults,
        transport: state.transport,
        float_linear: played.is_none_or(|limits| limits.float_linear),
    }
}

/// Positions and normals by other matrices than the page's.
fn drawn_with(palette: &[Mat4], derived: &Derived) -> (Vec<Vec3>, Vec<Vec3>) {
    let matrix_of = |vertex: usize| {
        let of = |joint: JointIndex| palette.get(joint.index()).copied().unwrap_or_default();
        match derived.blend {
            Blend::Only(joint) => of(joint),
            Blend::Strongest => derived
                .influences
                .get(vertex)
                .map_or(Mat4::IDENTITY, |influences| of(influences.strongest())),
            Blend::Linear | Blend::DualQuaternion => {
                let used = derived.used_influences(vertex);
                skin_matrix_of(used.map(|(_, joint, weight)| (joint, weight)), palette)
            }
        }
    };
    let rule = derived.normal_rule();
    let stored = derived.stored_positions().iter().enumerate();
    let mut positions = Vec::with_capacity(stored.len());
    let mut normals = Vec::with_capacity(stored.len());
    for (vertex, &position_in_bind) in stored {
        let matrix = matrix_of(vertex);
        positions.push(moved_position(&matrix, position_in_bind));
        let normal = derived.stored_normals().get(vertex).copied();
        let normal = normal_matrix(rule, matrix) * normal.unwrap_or_default();
        normals.push(normal.normalize_or_zero());
    }
    (positions, normals)
}

/// Farther apart than that.
fn differ([here, there]: [f32; 2], most: f32) -> bool {
    apart(here, there) > most
}

/// The coordinate that differs most of the chosen vertex, or else of all.
fn vector(
    [mine, theirs]: [&Vec<Vec3>; 2],
    vertex: usize,
    most: f32,
    of: &str,
) -> Option<EvidenceDifference> {
    let found = |at: usize| {
        let (mine, theirs) = (mine.get(at)?.to_array(), theirs.get(at)?.to_array());
        let axes = [0, 1, 2].map(|axis: usize| ((at, axis), [mine[axis], theirs[axis]]));
        farthest(axes.into_iter().filter(|(_, both)| differ(*both, most)))
    };
    let ((at, axis), [here, there]) =
        found(vertex).or_else(|| farthest((0..mine.len()).filter_map(found)))?;
    Some(EvidenceDifference { what: format!("{} {of} v{at}", ["x", "y", "z"][axis]), here, there })
}

/// Turns and places are measured each by their own size.
fn cell(
    mine: &Mat4,
    theirs: &Mat4,
    name: &str,
    joint: usize,
    part: f32,
) -> Option<EvidenceDifference> {
    let (mine, theirs) = (mine.to_cols_array(), theirs.to_cols_array());
    let pairs = || mine.into_iter().zip(theirs).map(|(a, b)| [a, b]).enumerate();
    let size_of = |place: bool| {
        let own = pairs().filter(|(at, _)| (*at >= 12) == place);
        own.flat_map(|(_, both)| both.map(f32::abs))
            .filter(|number| number.is_finite())
            .fold(f32::MIN_POSITIVE, f32::max)
    };
    let [turn, place] = [size_of(false), size_of(true)];
    let far =
        pairs().filter(|&(at, both)| differ(both, part * if at >= 12 { place } else { turn }));
    let (at, [here, there]) = farthest(far)?;
    let what = format!("{} of the {name} of joint {joint}", cell_name(at));
    Some(EvidenceDifference { what, here, there })
}

// What is said of a guess which fault is hidden.

/// What is said of a guess.
#[derive(Clone, Debug, PartialEq)]
pub enum Diagnosed {
    /// It is the one.
    Right,
    /// It is another: this number excludes it. `None` where none does, which the
    /// content check does not let pass.
    Excluded(Option<EvidenceDifference>),
}

/// Holds a guess against the page, on which a fault is hidden.
pub fn judge_fault(
    guess: FaultName,
    hidden: FaultName,
    (document, lesson): (&Document, &Lesson),
    derived: &Derived,
) -> Diagnosed {
    if guess == hidden {
        return Diagnosed::Right;
    }
    let here = Evidence::new(derived, document);
    let there = evidence_with(Some(guess), document, lesson, derived);
    let vertex = document.state.vertex as usize;
    Diagnosed::Excluded(there.and_then(|there| here.difference(&there, vertex)))
}

/// The numbers of the page with a fault on, and none hidden; without one, as they
/// should be. `None` where its settings do not fit.
pub fn evidence_with(
    fault: Option<FaultName>,
    document: &Document,
    lesson: &Lesson,
    derived: &Derived,
) -> Option<Evidence> {
    let mut supposed = document.clone();
    if let Some(fault) = fault {
        let settings = FaultSwitch::new(fault).switched(true, &document.state);
        let edit = Edit::Settings(settings);
        apply(&mut supposed, &edit, lesson, &derived.stored_rig).ok()?;
    }
    let there = derived.with_nothing_hidden(&supposed, lesson);
    Some(Evidence::new(&there, &supposed))
}

/// The number that differs most plainly from what it would be without a fault that is
/// on; `None` where none does.
pub fn difference_to_right(
    switch: &FaultSwitch,
    (document, lesson): (&Document, &Lesson),
    derived: &Derived,
) -> Option<EvidenceDifference> {
    let mut right = document.clone();
    let edit = Edit::Settings(switch.switched(false, &document.state));
    apply(&mut right, &edit, lesson, &derived.stored_rig).ok()?;
    let there = derived.of_other(&right, Some(lesson));
    let there = Evidence::new(&there, &right);
    Evidence::new(derived, document).difference(&there, document.state.vertex as usize)
}
