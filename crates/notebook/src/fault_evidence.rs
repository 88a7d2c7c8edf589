//! The numbers of a page, and the first number in which two pages differ, for cards of faults,
//! replies to guesses and the content check.

use std::fmt;

use bindpose_gltf::bounds_of;
use bindpose_lesson::matrix_names::{INVERSE_BIND_MATRIX, JOINT_MATRIX};
use bindpose_lesson::number_text::fixed;
use bindpose_lesson::{FaultName, Lesson, SkinningFault};
use bindpose_skin::differences::{apart, cell_name, farthest};
use bindpose_skin::{
    Blend, Influences, JointIndex, SharedInfluences, moved_position, normal_matrix, skin_matrix_of,
};
use glam::{Mat4, Vec3};

use crate::faults::FaultSwitch;
use crate::model_bounds::longest_side;
use crate::palette_texture::PaletteTexture;
use crate::{Derived, Document, Edit, GpuLimits, apply};

/// Smallest difference that is visible, relative to the size of the compared numbers.
const VISIBLE_DIFFERENCE: f32 = 0.02;
/// Smallest difference that counts, relative to the size of the compared numbers.
const MIN_DIFFERENCE: f32 = 1e-4;

/// All numbers of a page as it is drawn.
#[derive(Clone, Debug)]
pub struct Evidence {
    /// Positions in bind space, with morph targets.
    stored: Vec<Vec3>,
    influences: SharedInfluences,
    /// Matrices by joint: local, world, inverse bind in use, sent, and received by the shader.
    matrices: [Vec<Mat4>; 5],
    /// Drawn positions in world space.
    positions: Vec<Vec3>,
    /// Drawn unit normals in world space.
    normals: Vec<Vec3>,
}

/// Names of [`Evidence::matrices`], in their order.
const MATRIX_NAMES: [&str; 5] = [
    "local matrix",
    "world matrix",
    INVERSE_BIND_MATRIX,
    JOINT_MATRIX,
    "matrix that the shader gets, that",
];

/// A number that differs between two pages.
#[derive(Clone, Debug, PartialEq)]
pub struct EvidenceDifference {
    /// Name of the number, such as `x of v6`.
    pub what: String,
    /// Value on this page.
    pub here: f32,
    /// Value on the other page.
    pub there: f32,
}

impl EvidenceDifference {
    /// Formats both numbers, this page's first, with enough decimals to differ.
    pub fn numbers(&self) -> [String; 2] {
        let both = [self.here, self.there].map(f64::from);
        for decimals in 2..9 {
            let [here, there] = both.map(|number| fixed(number, decimals));
            if here != there {
                return [here, there];
            }
        }
        both.map(|number| fixed(number, 9))
    }
}

/// Formats the difference as in `x of v6 would be 1.20; here it is 0.85`.
impl fmt::Display for EvidenceDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [here, there] = self.numbers();
        write!(f, "{} would be {there}; here it is {here}", self.what)
    }
}

impl Evidence {
    /// Collects the numbers of a page. If a device is simulated, 32-bit float textures are
    /// filtered only if it supports that.
    pub fn new(derived: &Derived, document: &Document) -> Self {
        let state = &derived.in_force(document).state;
        let palette = sent_palette(derived, document);
        let joints = (0..=u16::MAX).map(JointIndex).take(derived.palette.len());
        let read: Vec<Mat4> = joints.map(|joint| palette.matrix(joint)).collect();
        let through_texture = state.transport.is_texture()
            && SkinningFault::OF_TEXTURE.iter().any(|fault| state.faults.contains(fault))
            && derived.blend != Blend::DualQuaternion;
        let (positions, normals) = if through_texture {
            skin_with_palette(&read, derived)
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

    /// Drawn positions of the vertices in world space.
    pub fn positions(&self) -> &[Vec3] {
        &self.positions
    }

    /// Drawn unit normals in world space. Zero for a vertex without a normal.
    pub fn normals(&self) -> &[Vec3] {
        &self.normals
    }

    /// The matrices that the shader receives, by joint.
    pub fn palette(&self) -> &[Mat4] {
        let [.., received] = &self.matrices;
        received
    }

    /// Finds the first number that visibly differs from that of another page on the same rig,
    /// otherwise any number that differs. Tries the numbers of `vertex` before those of other
    /// vertices.
    pub fn difference(&self, other: &Self, vertex: usize) -> Option<EvidenceDifference> {
        [VISIBLE_DIFFERENCE, MIN_DIFFERENCE].into_iter().find_map(|part| {
            self.position_difference(other, vertex, part)
                .or_else(|| self.sum_difference(other, vertex, part))
                .or_else(|| self.influence_difference(other, vertex, part))
                .or_else(|| self.matrix_difference(other, part))
                .or_else(|| {
                    let vectors = [&self.normals, &other.normals];
                    vector_difference(vectors, vertex, part, "of the normal of")
                })
        })
    }

    fn position_difference(
        &self,
        other: &Self,
        vertex: usize,
        part: f32,
    ) -> Option<EvidenceDifference> {
        let stored_size = longest_side(bounds_of(&self.stored));
        let size = stored_size.min(longest_side(bounds_of(&other.stored)));
        let size = if size > 0.0 { size } else { 1.0 };
        let drawn = [&self.positions, &other.positions];
        vector_difference(drawn, vertex, part * size, "of").or_else(|| {
            let stored = [&self.stored, &other.stored];
            vector_difference(stored, vertex, part * size, "of the stored place of")
        })
    }

    fn sum_difference(&self, other: &Self, vertex: usize, part: f32) -> Option<EvidenceDifference> {
        let differing_sums = |at: usize| {
            let here = self.influences.get(at).map(Influences::sum)?;
            let there = other.influences.get(at).map(Influences::sum)?;
            are_apart([here, there], part).then_some((at, [here, there]))
        };
        let (at, [here, there]) = differing_sums(vertex)
            .or_else(|| farthest((0..self.influences.len()).filter_map(differing_sums)))?;
        Some(EvidenceDifference { what: format!("Σw of v{at}"), here, there })
    }

    fn influence_difference(
        &self,
        other: &Self,
        vertex: usize,
        part: f32,
    ) -> Option<EvidenceDifference> {
        self.influence_difference_at(vertex, other, part).or_else(|| {
            (0..self.influences.len()).find_map(|at| self.influence_difference_at(at, other, part))
        })
    }

    fn influence_difference_at(
        &self,
        vertex: usize,
        other: &Self,
        part: f32,
    ) -> Option<EvidenceDifference> {
        let mine = self.influences.get(vertex)?;
        let theirs = other.influences.get(vertex)?;
        for lane in 0..mine.joints.len() {
            let joint = mine.joints[lane];
            let other_joint = theirs.joints[lane];
            let here = mine.weights[lane];
            let there = theirs.weights[lane];
            if joint != other_joint && here != 0.0 && there != 0.0 {
                return Some(EvidenceDifference {
                    what: format!("the joint in lane {lane} of v{vertex}"),
                    here: joint.0.into(),
                    there: other_joint.0.into(),
                });
            }
            if are_apart([here, there], part) {
                let what = format!("the weight in lane {lane} of v{vertex}");
                return Some(EvidenceDifference { what, here, there });
            }
        }
        None
    }

    /// Compares local matrices first, because later products say less about the fault.
    fn matrix_difference(&self, other: &Self, part: f32) -> Option<EvidenceDifference> {
        let kinds = self.matrices.iter().zip(&other.matrices);
        kinds.zip(MATRIX_NAMES).find_map(|((mine, theirs), name)| {
            let mut pairs = mine.iter().zip(theirs).enumerate();
            pairs.find_map(|(joint, (mine, theirs))| {
                element_difference(mine, theirs, name, joint, part)
            })
        })
    }
}

/// Returns the palette that is sent to the shader, which receives
/// [`PaletteTexture::matrix`].
pub fn sent_palette<'a>(derived: &'a Derived, document: &'a Document) -> PaletteTexture<'a> {
    let state = &derived.in_force(document).state;
    let limits = GpuLimits::for_device(state.device, None);
    PaletteTexture {
        world_from_bind: &derived.palette,
        faults: &state.faults,
        transport: state.transport,
        float_linear: limits.is_none_or(|limits| limits.float_linear),
    }
}

/// Skins positions and normals with another palette than the page's.
fn skin_with_palette(palette: &[Mat4], derived: &Derived) -> (Vec<Vec3>, Vec<Vec3>) {
    let rule = derived.normal_rule();
    let stored = derived.stored_positions().iter().enumerate();
    let mut positions = Vec::with_capacity(stored.len());
    let mut normals = Vec::with_capacity(stored.len());
    for (vertex, &position_in_bind) in stored {
        let matrix = skin_matrix(vertex, palette, derived);
        positions.push(moved_position(&matrix, position_in_bind));
        let normal = derived.stored_normals().get(vertex).copied();
        let normal = normal_matrix(rule, matrix) * normal.unwrap_or_default();
        normals.push(normal.normalize_or_zero());
    }
    (positions, normals)
}

fn skin_matrix(vertex: usize, palette: &[Mat4], derived: &Derived) -> Mat4 {
    match derived.blend {
        Blend::Only(joint) => joint_matrix(palette, joint),
        Blend::Strongest => derived
            .influences
            .get(vertex)
            .map_or(Mat4::IDENTITY, |influences| joint_matrix(palette, influences.strongest())),
        Blend::Linear | Blend::DualQuaternion => {
            let used = derived.used_influences(vertex);
            skin_matrix_of(used.map(|(_, joint, weight)| (joint, weight)), palette)
        }
    }
}

fn joint_matrix(palette: &[Mat4], joint: JointIndex) -> Mat4 {
    palette.get(joint.index()).copied().unwrap_or_default()
}

fn are_apart([here, there]: [f32; 2], max_distance: f32) -> bool {
    apart(here, there) > max_distance
}

/// Finds the coordinate that differs most, of the given vertex or otherwise of all.
fn vector_difference(
    [mine, theirs]: [&Vec<Vec3>; 2],
    vertex: usize,
    max_distance: f32,
    of: &str,
) -> Option<EvidenceDifference> {
    let at_vertex = |at: usize| {
        let mine = mine.get(at)?.to_array();
        let theirs = theirs.get(at)?.to_array();
        let axes = [0, 1, 2].map(|axis: usize| ((at, axis), [mine[axis], theirs[axis]]));
        farthest(axes.into_iter().filter(|(_, both)| are_apart(*both, max_distance)))
    };
    let ((at, axis), [here, there]) =
        at_vertex(vertex).or_else(|| farthest((0..mine.len()).filter_map(at_vertex)))?;
    Some(EvidenceDifference { what: format!("{} {of} v{at}", ["x", "y", "z"][axis]), here, there })
}

/// Finds the element that differs most. Axes and translations are compared relative to their
/// own sizes.
fn element_difference(
    mine: &Mat4,
    theirs: &Mat4,
    name: &str,
    joint: usize,
    part: f32,
) -> Option<EvidenceDifference> {
    let mut pairs = [[0.0; 2]; 16];
    let mut axes_size = f32::MIN_POSITIVE;
    let mut translation_size = f32::MIN_POSITIVE;
    for (at, (mine, theirs)) in
        mine.to_cols_array().into_iter().zip(theirs.to_cols_array()).enumerate()
    {
        pairs[at] = [mine, theirs];
        let size = if at >= 12 { &mut translation_size } else { &mut axes_size };
        for number in [mine.abs(), theirs.abs()] {
            if number.is_finite() {
                *size = size.max(number);
            }
        }
    }
    let differing = pairs.into_iter().enumerate().filter(|&(at, both)| {
        are_apart(both, part * if at >= 12 { translation_size } else { axes_size })
    });
    let (at, [here, there]) = farthest(differing)?;
    let what = format!("{} of the {name} of joint {joint}", cell_name(at));
    Some(EvidenceDifference { what, here, there })
}

/// The reply to a guess of the hidden fault.
#[derive(Clone, Debug, PartialEq)]
pub enum GuessReply {
    Right,
    /// This number excludes the guessed fault. `None` if no number does, which the content
    /// check reports.
    Excluded(Option<EvidenceDifference>),
}

/// Judges a guess of the fault that is hidden on the page.
pub fn judge_fault(
    guess: FaultName,
    hidden: FaultName,
    page: (&Document, &Lesson),
    derived: &Derived,
) -> GuessReply {
    let (document, lesson) = page;
    if guess == hidden {
        return GuessReply::Right;
    }
    let here = Evidence::new(derived, document);
    let there = evidence_with(Some(guess), document, lesson, derived);
    let vertex = document.state.vertex as usize;
    GuessReply::Excluded(there.and_then(|there| here.difference(&there, vertex)))
}

/// Collects the numbers of the page with this fault, or without one, and with no hidden
/// fault. Returns `None` if the settings of the fault cannot be applied.
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

/// Finds the number that differs most visibly from the page without this fault, which is on.
/// Returns `None` if no number differs.
pub fn difference_to_right(
    switch: &FaultSwitch,
    page: (&Document, &Lesson),
    derived: &Derived,
) -> Option<EvidenceDifference> {
    let (document, lesson) = page;
    let mut right = document.clone();
    let edit = Edit::Settings(switch.switched(false, &document.state));
    apply(&mut right, &edit, lesson, &derived.stored_rig).ok()?;
    let right = Evidence::new(&derived.of_other(&right, Some(lesson)), &right);
    Evidence::new(derived, document).difference(&right, document.state.vertex as usize)
}
