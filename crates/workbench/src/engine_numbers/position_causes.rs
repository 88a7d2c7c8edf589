//! Mistakes that give an engine's skinned positions: other palettes, other joints or weights
//! of a vertex, one transform more.
//!
//! Each mistake is computed as an engine with it would, first for a sample of vertices, and
//! reported only if it gives all of the engine's positions.

use std::ops::Range;

use bindpose_doctor::{BindRepair, MirrorAxis};
use bindpose_notebook::Derived;
use bindpose_skin::{Blend, Method, moved_position};
use glam::{DMat4, DVec3, DVec4, Mat4, Vec3};

use super::causes::{Cause, EnginePalette, WrongPalette};
use super::comparison::{PageNumbers, skins};
use super::examples::position_tolerance;
use super::relations::Relation;
use crate::differences::{describe_transform, finite_size, known_transform, position_distance};

/// Number of vertices for which a mistake is tried before all others.
const SAMPLE_SIZE: usize = 96;
/// Minimum fraction of the vertices that a mistake must explain. The ends of shifted lists may
/// hold anything.
const MIN_COMPARED_FRACTION: f64 = 0.8;
/// Maximum number of vertices by which a shifted list is late or early.
const MAX_VERTEX_SHIFT: isize = 4;
/// Numbers of joints after which other programs count from 0 again.
const JOINT_MODULI: [usize; 4] = [256, 128, 64, 32];
/// Factors of all positions, which weights that do not sum to 1 give.
const WEIGHT_FACTORS: [(f32, &str); 6] = [
    (255.0, "weights in bytes were taken as whole numbers, not divided by 255"),
    (65535.0, "weights in shorts were taken as whole numbers, not divided by 65535"),
    (1.0 / 255.0, "weights were divided by 255 once more"),
    (1.0 / 65535.0, "weights were divided by 65535 once more"),
    (255.0 / 256.0, "weights in bytes were divided by 256, not by 255"),
    (255.0 / 65535.0, "weights in bytes were divided by 65535, as those in shorts are"),
];

/// A weight of a vertex: lane, joint of the rig, weight.
type UsedInfluence = (usize, usize, f32);

/// Returns mistakes that give exactly these positions, the simplest first.
pub(super) fn find_position_causes(given: &[Vec3], ours: &PageNumbers<'_>) -> Vec<Cause> {
    let search = PositionSearch::new(given, ours);
    if given.len() != ours.positions().len() || given.is_empty() {
        return Vec::new();
    }
    if let Some(cause) = search.find_known_transform() {
        return vec![cause];
    }
    let mut causes = search.find_other_methods();
    if ours.derived.blend == Blend::Linear {
        causes.extend(search.find_other_influences());
        if causes.is_empty() {
            causes.extend(search.find_wrong_palettes());
        }
    }
    if causes.is_empty() {
        causes.extend(search.find_any_transform());
    }
    causes
}

struct PositionSearch<'a> {
    given: &'a [Vec3],
    ours: &'a PageNumbers<'a>,
    derived: &'a Derived,
    size: f32,
    max_distance: f32,
    /// Vertices that differ from ours, and others, spread over the mesh.
    sample: Vec<usize>,
}

impl<'a> PositionSearch<'a> {
    fn new(given: &'a [Vec3], ours: &'a PageNumbers<'a>) -> Self {
        let max_distance = position_tolerance(ours);
        let all: Vec<usize> = (0..given.len()).collect();
        let mut different = Vec::new();
        for &vertex in &all {
            let pair = given.get(vertex).zip(ours.positions().get(vertex));
            if pair.is_none_or(|(given, ours)| position_distance(*given, *ours) > max_distance) {
                different.push(vertex);
            }
        }
        let mut sample = spread(&different, SAMPLE_SIZE / 2);
        sample.extend(spread(&all, SAMPLE_SIZE / 2));
        Self {
            given,
            ours,
            derived: ours.derived,
            size: finite_size(ours.positions()).max(1e-6),
            max_distance,
            sample,
        }
    }

    /// Returns the largest distance of these positions from the given ones, relative to the
    /// size of the mesh. Returns `None` if one is too far away, or if `position` is `None`
    /// for too many vertices.
    fn residual_of(&self, position: impl Fn(usize) -> Option<Vec3>) -> Option<f32> {
        for &vertex in &self.sample {
            let distance = self.distance_from_given(vertex, position(vertex));
            if distance.is_some_and(|distance| !self.is_near(distance)) {
                return None;
            }
        }
        let mut largest = 0.0_f32;
        let mut compared_count = 0;
        for vertex in 0..self.given.len() {
            if let Some(distance) = self.distance_from_given(vertex, position(vertex)) {
                if !self.is_near(distance) {
                    return None;
                }
                largest = largest.max(distance);
                compared_count += 1;
            }
        }
        let is_enough =
            f64::from(compared_count) >= MIN_COMPARED_FRACTION * self.given.len() as f64;
        is_enough.then_some(largest / self.size)
    }

    fn distance_from_given(&self, vertex: usize, position: Option<Vec3>) -> Option<f32> {
        Some(position_distance(position?, *self.given.get(vertex)?))
    }

    fn is_near(&self, distance: f32) -> bool {
        distance <= self.max_distance
    }

    fn cause(&self, words: String, position: impl Fn(usize) -> Option<Vec3>) -> Option<Cause> {
        let residual = self.residual_of(position)?;
        Some(Cause { words, residual: Some(residual), fault: None })
    }

    /// Tries transforms of nodes around the skins, and factors that weights give.
    fn find_known_transform(&self) -> Option<Cause> {
        let positions = self.ours.positions();
        for (factor, reason) in WEIGHT_FACTORS {
            let words = format!("with {factor} times their coordinates: {reason}");
            let cause = self.cause(words, |vertex| Some(factor * *positions.get(vertex)?));
            if cause.is_some() {
                return cause;
            }
        }
        let mut transforms = Vec::new();
        for rows in skins(&self.derived.rig) {
            let of_skin = self.ours.with_rows(rows);
            if let Some(engine) = EnginePalette::of_page(&of_skin) {
                transforms.extend(engine.transforms_around());
                transforms.extend(engine.root_transforms());
            }
        }
        transforms.into_iter().find_map(|(transform, name)| {
            let is_change = !transform.abs_diff_eq(Mat4::IDENTITY, 1e-6);
            if !is_change || !transform.is_finite() {
                return None;
            }
            let words = format!("with one transform more, after skinning: {name}");
            self.cause(words, |vertex| Some(transform.transform_point3(*positions.get(vertex)?)))
        })
    }

    /// Fits one affine transform to all positions.
    fn find_any_transform(&self) -> Option<Cause> {
        let positions = self.ours.positions();
        let transform = fit_transform(positions, self.given)?.as_mat4();
        let what = match known_transform(&transform, &[]) {
            Some(known) => known,
            None if is_similarity(&transform) => {
                format!("{}, a model matrix or another node’s", describe_transform(&transform))
            }
            None => format!("{}, not the same in all directions", describe_transform(&transform)),
        };
        let words = format!("with one transform more, after skinning: {what}");
        self.cause(words, |vertex| Some(transform.transform_point3(*positions.get(vertex)?)))
    }

    /// Tries the other ways to blend joints, and the mesh without its morph targets.
    fn find_other_methods(&self) -> Vec<Cause> {
        let page = self.ours.page;
        let mut causes = Vec::new();
        for (method, words) in [
            (Method::Linear, "of linear blending"),
            (Method::DualQuaternion, "blended by dual quaternions"),
            (Method::Rigid, "with each vertex on its strongest joint alone"),
        ] {
            if page.document.state.method != method {
                let mut document = page.document.clone();
                document.state.method = method;
                let other = self.derived.of_other(&document, page.lesson.as_ref());
                let positions = other.positions();
                causes
                    .extend(self.cause(words.to_owned(), |vertex| positions.get(vertex).copied()));
            }
        }
        let base = &self.derived.rig.mesh.positions;
        if causes.is_empty() && base.as_slice() != self.derived.stored_positions() {
            let words = "without morph targets".to_owned();
            let matrices = &self.derived;
            causes.extend(self.cause(words, |vertex| {
                Some(moved_position(&matrices.vertex_matrix(vertex), *base.get(vertex)?))
            }));
        }
        causes
    }

    /// Tries joints and weights that an engine reads or uses in another way.
    fn find_other_influences(&self) -> Vec<Cause> {
        let mut causes = Vec::new();
        causes.extend(self.find_weight_mistake());
        causes.extend(self.find_joint_offset());
        causes.extend(self.find_shifted_attribute());
        if causes.is_empty() {
            causes.extend(self.find_joint_limit());
        }
        causes
    }

    fn influences(&self, vertex: usize) -> impl Iterator<Item = UsedInfluence> + '_ {
        let used = self.derived.used_influences(vertex);
        used.map(|(lane, joint, weight)| (lane, joint.index(), weight))
    }

    /// Skins a vertex by our palette. Joints without a matrix move it to the origin.
    fn skinned(
        &self,
        vertex: usize,
        influences: impl Iterator<Item = (usize, f32)>,
        palette: &[Mat4],
    ) -> Option<Vec3> {
        let stored = *self.derived.stored_positions().get(vertex)?;
        let mut sum = Vec3::ZERO;
        for (joint, weight) in influences {
            if let Some(matrix) = palette.get(joint) {
                sum += weight * moved_position(matrix, stored);
            }
        }
        Some(sum)
    }

    /// Tries mistakes with the weights of each vertex by itself.
    fn find_weight_mistake(&self) -> Option<Cause> {
        let sums = &self.derived.rig.mesh.stored_sums;
        let undivided = self
            .cause("with weights as stored, not divided by their sum".to_owned(), |vertex| {
                Some(*sums.get(vertex)? * *self.ours.positions().get(vertex)?)
            });
        if undivided.is_some() {
            return undivided;
        }
        WeightMistake::all().into_iter().find_map(|mistake| {
            self.cause(mistake.words(), |vertex| {
                let mut influences: Vec<UsedInfluence> = self.influences(vertex).collect();
                mistake.apply(&mut influences);
                let pairs = influences.into_iter().map(|(_, joint, weight)| (joint, weight));
                self.skinned(vertex, pairs, self.ours.drawn_palette())
            })
        })
    }

    /// Tries numbers of joints that are all larger or smaller by some number.
    fn find_joint_offset(&self) -> Option<Cause> {
        let rows = JointRows::new(self.derived);
        let mut mistakes = Vec::new();
        for by in 1..rows.max_count() as isize {
            for offset in [by, -by] {
                mistakes.extend(
                    OutOfRange::ALL.map(|beyond| NumberMistake::Offset { by: offset, beyond }),
                );
            }
        }
        mistakes.extend(
            JOINT_MODULI
                .into_iter()
                .filter(|&modulus| modulus < rows.max_count())
                .map(NumberMistake::Modulo),
        );
        mistakes.into_iter().find_map(|mistake| {
            self.cause(mistake.words(), |vertex| {
                let pairs = self.influences(vertex).filter_map(|(_, joint, weight)| {
                    Some((rows.renumbered(joint, mistake)?, weight))
                });
                self.skinned(vertex, pairs, self.ours.drawn_palette())
            })
        })
    }

    /// Tries joints or weights of a vertex before or after.
    fn find_shifted_attribute(&self) -> Option<Cause> {
        let ranges = vertex_ranges(self.derived);
        let shifts = (1..=MAX_VERTEX_SHIFT).flat_map(|by| [by, -by]);
        for by in shifts {
            for what in ShiftedAttribute::ALL {
                let cause = self.cause(what.words(by), |vertex| {
                    let source = vertex.checked_add_signed(-by)?;
                    if !find_range(&ranges, vertex)?.contains(&source) {
                        return None;
                    }
                    let palette = self.ours.drawn_palette();
                    if what == ShiftedAttribute::Both {
                        let pairs =
                            self.influences(source).map(|(_, joint, weight)| (joint, weight));
                        return self.skinned(vertex, pairs, palette);
                    }
                    let (of_joints, of_weights) = match what {
                        ShiftedAttribute::Joints => (source, vertex),
                        _ => (vertex, source),
                    };
                    let joints = self.derived.influences.get(of_joints)?.joints;
                    let weights = self.derived.influences.get(of_weights)?.weights;
                    let pairs = joints.into_iter().map(|joint| joint.index()).zip(weights);
                    self.skinned(vertex, pairs.filter(|&(_, weight)| weight != 0.0), palette)
                });
                if cause.is_some() {
                    return cause;
                }
            }
        }
        None
    }

    /// Tries a palette that ends after some joint.
    fn find_joint_limit(&self) -> Option<Cause> {
        let rows = JointRows::new(self.derived);
        (1..rows.max_count()).rev().find_map(|limit| {
            [None, Some(Mat4::IDENTITY)].into_iter().find_map(|beyond| {
                let fill = if beyond.is_some() { "the identity" } else { "0" };
                let words = format!(
                    "with {fill} for the matrices from joint {limit} on: a limit of {limit} \
                     matrices, or a buffer that is not filled to its end"
                );
                let mut palette = self.ours.drawn_palette().to_vec();
                for (joint, matrix) in palette.iter_mut().enumerate() {
                    if rows.row(joint).is_some_and(|row| row >= limit) {
                        *matrix = beyond.unwrap_or(Mat4::ZERO);
                    }
                }
                self.palette_cause(words, &palette)
            })
        })
    }

    /// Returns the cause if this palette, by joint of the rig, gives the positions.
    fn palette_cause(&self, words: String, palette: &[Mat4]) -> Option<Cause> {
        self.cause(words, |vertex| {
            let pairs = self.influences(vertex).map(|(_, joint, weight)| (joint, weight));
            self.skinned(vertex, pairs, palette)
        })
    }

    /// Tries the palettes that engines compute with a mistake, with the mistake in all skins.
    fn find_wrong_palettes(&self) -> Vec<Cause> {
        let mut causes = Vec::new();
        let skins = skins(&self.derived.rig);
        let by_skin: Vec<(Vec<usize>, Vec<Vec<WrongPalette>>)> = skins
            .into_iter()
            .filter_map(|rows| {
                let of_skin = self.ours.with_rows(rows.clone());
                let engine = EnginePalette::of_page(&of_skin)?;
                Some((rows, wrong_palettes(&engine)))
            })
            .collect();
        let Some((_, first)) = by_skin.first() else {
            return causes;
        };
        for (family_index, family) in first.iter().enumerate() {
            causes.extend(family.iter().enumerate().find_map(|(index, wrong)| {
                let mut palette = self.ours.drawn_palette().to_vec();
                for (rows, families) in &by_skin {
                    // A skin may lack nodes that the mistake needs.
                    let same_mistake = families
                        .get(family_index)
                        .and_then(|family| family.get(index))
                        .filter(|other| other.palette.len() == rows.len());
                    for (&joint, matrix) in
                        rows.iter().zip(same_mistake.into_iter().flat_map(|other| &other.palette))
                    {
                        if let Some(to) = palette.get_mut(joint) {
                            *to = *matrix;
                        }
                    }
                }
                let cause = self.palette_cause(format!("skinned by {}", wrong.words), &palette)?;
                Some(Cause { fault: wrong.fault, ..cause })
            }));
        }
        causes
    }
}

/// Returns the palettes of mistakes that positions may show, by family.
fn wrong_palettes(engine: &EnginePalette<'_>) -> Vec<Vec<WrongPalette>> {
    let mut repairs = vec![
        BindRepair::Transposed,
        BindRepair::Inverted,
        BindRepair::Accumulated,
        BindRepair::Turned(1),
        BindRepair::Turned(-1),
    ];
    repairs.extend(MirrorAxis::ALL.map(BindRepair::Mirrored));
    repairs.extend([100.0, 0.01, 1000.0, 0.001, 39.370_08, 0.0254].map(BindRepair::Scaled));
    let mut families: Vec<Vec<WrongPalette>> =
        repairs.iter().map(|repair| engine.with_mistaken_factors(repair)).collect();
    families.push(engine.with_factors_of_other_joints());
    families.extend(engine.walks().into_iter().map(|walk| vec![walk]));
    families.extend(engine.wrong_poses());
    families.extend(Relation::all().filter(|relation| relation.is_palette()).filter_map(
        |relation| {
            let ours = engine.ours;
            let matrices: Option<Vec<Mat4>> =
                ours.rows.iter().map(|&joint| relation.matrix(ours, joint)).collect();
            Some(vec![WrongPalette::new(relation.describe_all(), matrices?)])
        },
    ));
    families
}

/// Returns at most `count` of the vertices, evenly spread.
fn spread(vertices: &[usize], count: usize) -> Vec<usize> {
    let step = vertices.len().div_ceil(count.max(1)).max(1);
    vertices.iter().copied().step_by(step).collect()
}

/// Returns the ranges of vertices of the primitives, in order.
fn vertex_ranges(derived: &Derived) -> Vec<Range<usize>> {
    let parts = derived.rig.mesh.parts.iter();
    let mut ranges: Vec<Range<usize>> =
        parts.map(|part| part.vertices.start as usize..part.vertices.end as usize).collect();
    ranges.sort_by_key(|range| range.start);
    ranges.dedup();
    if ranges.is_empty() {
        ranges.push(0..derived.rig.mesh.positions.len());
    }
    ranges
}

/// Finds the range that contains a vertex. `ranges` are sorted.
fn find_range(ranges: &[Range<usize>], vertex: usize) -> Option<&Range<usize>> {
    let after = ranges.partition_point(|range| range.start <= vertex);
    ranges.get(after.checked_sub(1)?).filter(|range| range.contains(&vertex))
}

/// A mistake with the weights of each vertex by itself.
#[derive(Clone, Copy)]
enum WeightMistake {
    /// The first influences alone, not divided by their sum.
    FirstUndivided(usize),
    /// The first influences alone, divided by their sum.
    FirstDivided(usize),
    /// The first influence with weight 1.
    FirstOnly,
    /// All influences, each with the same weight.
    Equal,
    /// All influences, each with weight 1.
    Ones,
    /// Weights in bytes, rounded and not divided by their sum.
    Bytes,
    /// Weights divided by the root of the sum of their squares.
    UnitLength,
    /// Weights in the lanes of other joints of a set.
    ReversedLanes,
    /// Weights in the lane after that of their joints.
    NextLanes,
}

impl WeightMistake {
    fn all() -> Vec<Self> {
        let counts = [1, 2, 3, 4, 6];
        let mut all = vec![Self::FirstOnly];
        all.extend(counts.map(Self::FirstUndivided));
        all.extend(counts[1..].iter().map(|&count| Self::FirstDivided(count)));
        all.extend([
            Self::Equal,
            Self::Ones,
            Self::UnitLength,
            Self::ReversedLanes,
            Self::NextLanes,
            Self::Bytes,
        ]);
        all
    }

    fn words(self) -> String {
        match self {
            Self::FirstUndivided(1) => {
                "with the first influence alone, not divided by its sum: Σw \
                 is below 1, and vertices stand on the way to the origin"
                    .to_owned()
            }
            Self::FirstUndivided(count) => format!(
                "with the first {count} influences alone, not divided by their sum: Σw is below 1, \
                 and vertices stand on the way to the origin"
            ),
            Self::FirstDivided(count) => {
                format!("with the first {count} influences alone, divided by their sum")
            }
            Self::FirstOnly => "with the joint in the first lane alone, by weight 1".to_owned(),
            Self::Equal => "with the same weight for each joint of a vertex".to_owned(),
            Self::Ones => {
                "with weight 1 for each joint of a vertex: weights are not used".to_owned()
            }
            Self::Bytes => {
                "with weights rounded to bytes, and not divided by their sum then".to_owned()
            }
            Self::UnitLength => "with weights divided by the root of the sum of their squares: \
                 made a vector of length 1"
                .to_owned(),
            Self::ReversedLanes => {
                "with the lanes of weights in the other order than those of joints".to_owned()
            }
            Self::NextLanes => "with each weight one lane late".to_owned(),
        }
    }

    fn apply(self, influences: &mut Vec<UsedInfluence>) {
        match self {
            Self::FirstUndivided(count) => influences.retain(|&(lane, ..)| lane < count),
            Self::FirstDivided(count) => {
                influences.retain(|&(lane, ..)| lane < count);
                let sum: f32 = influences.iter().map(|&(_, _, weight)| weight).sum();
                for (_, _, weight) in influences {
                    *weight /= sum;
                }
            }
            Self::FirstOnly => {
                influences.truncate(1);
                for (_, _, weight) in influences {
                    *weight = 1.0;
                }
            }
            Self::Equal => {
                let count = influences.len().max(1) as f32;
                for (_, _, weight) in influences {
                    *weight = 1.0 / count;
                }
            }
            Self::Ones => {
                for (_, _, weight) in influences {
                    *weight = 1.0;
                }
            }
            Self::Bytes => {
                for (_, _, weight) in influences {
                    *weight = (*weight * 255.0).round() / 255.0;
                }
            }
            Self::UnitLength => {
                let squares: f32 = influences.iter().map(|&(_, _, weight)| weight * weight).sum();
                for (_, _, weight) in influences {
                    *weight /= squares.sqrt();
                }
            }
            Self::ReversedLanes => move_weights(influences, |lane| lane / 4 * 4 + 3 - lane % 4),
            Self::NextLanes => move_weights(influences, |lane| lane / 4 * 4 + (lane + 1) % 4),
        }
    }
}

/// Gives each joint the weight of another lane. Lanes without a joint name joint 0.
fn move_weights(influences: &mut Vec<UsedInfluence>, to_lane: impl Fn(usize) -> usize) {
    let moved = influences
        .iter()
        .map(|&(lane, _, weight)| {
            let to = to_lane(lane);
            let joint = influences.iter().find(|other| other.0 == to).map_or(0, |other| other.1);
            (to, joint, weight)
        })
        .collect();
    *influences = moved;
}

/// An attribute whose elements begin too late or too early.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ShiftedAttribute {
    Joints,
    Weights,
    Both,
}

impl ShiftedAttribute {
    const ALL: [Self; 3] = [Self::Joints, Self::Weights, Self::Both];

    fn words(self, by: isize) -> String {
        let what = match self {
            Self::Joints => "joints (JOINTS_0)",
            Self::Weights => "weights (WEIGHTS_0)",
            Self::Both => "joints and weights",
        };
        let count = by.unsigned_abs();
        let elements =
            if count == 1 { "one element".to_owned() } else { format!("{count} elements") };
        let (which, late) = if by > 0 { ("before", "late") } else { ("after", "early") };
        let vertex = if count == 1 { "vertex".to_owned() } else { format!("vertex {count}") };
        format!(
            "with the {what} of the {vertex} {which}: {elements} {late}, by an offset or a stride"
        )
    }
}

/// A joint that an engine finds at the end of its list.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OutOfRange {
    Wraps,
    Clamped,
    /// Has no matrix, so that the influence adds nothing.
    Nothing,
}

impl OutOfRange {
    const ALL: [Self; 3] = [Self::Wraps, Self::Clamped, Self::Nothing];
}

/// A mistake with the numbers of joints.
#[derive(Clone, Copy)]
enum NumberMistake {
    Offset { by: isize, beyond: OutOfRange },
    Modulo(usize),
}

impl NumberMistake {
    fn words(self) -> String {
        match self {
            Self::Offset { by, beyond } => {
                let count = by.unsigned_abs();
                let sign = if by > 0 { '+' } else { '−' };
                let direction = if by > 0 { "higher" } else { "lower" };
                let reason = if by > 0 {
                    "an offset of joined meshes or of a list with more joints in front"
                } else {
                    "a list that begins later, or numbers counted from 1"
                };
                let end = match beyond {
                    OutOfRange::Wraps => "numbers beyond the list go round",
                    OutOfRange::Clamped => "numbers beyond the list are its end",
                    OutOfRange::Nothing => "numbers beyond the list have no matrix",
                };
                format!(
                    "with every number of a joint {count} {direction}, JOINTS_0 {sign} {count} \
                     ({end}): {reason}"
                )
            }
            Self::Modulo(modulus) => format!(
                "with numbers of joints that begin again at 0 after {}: modulo {modulus}",
                modulus - 1
            ),
        }
    }
}

/// The place of each joint of the rig in the list of its skin.
struct JointRows {
    skins: Vec<Vec<usize>>,
    /// Skin and row by joint of the rig.
    places: Vec<Option<(usize, usize)>>,
}

impl JointRows {
    fn new(derived: &Derived) -> Self {
        let skins = skins(&derived.rig);
        let mut places = vec![None; derived.rig.skeleton.len()];
        for (skin, rows) in skins.iter().enumerate() {
            for (row, &joint) in rows.iter().enumerate() {
                if let Some(place) = places.get_mut(joint) {
                    *place = (*place).or(Some((skin, row)));
                }
            }
        }
        Self { skins, places }
    }

    /// Number of joints of the largest skin.
    fn max_count(&self) -> usize {
        self.skins.iter().map(Vec::len).max().unwrap_or(0)
    }

    fn row(&self, joint: usize) -> Option<usize> {
        Some((*self.places.get(joint)?)?.1)
    }

    /// Returns the joint of the rig that an engine takes for another. Returns `None` if it
    /// takes none.
    fn renumbered(&self, joint: usize, mistake: NumberMistake) -> Option<usize> {
        let Some((skin, row)) = *self.places.get(joint)? else {
            // Parts without a skin have no numbers of joints.
            return Some(joint);
        };
        let rows = &self.skins[skin];
        let count = rows.len() as isize;
        let other = match mistake {
            NumberMistake::Modulo(modulus) => (row % modulus) as isize,
            NumberMistake::Offset { by, beyond } => {
                let other = row as isize + by;
                match beyond {
                    OutOfRange::Wraps => other.rem_euclid(count),
                    OutOfRange::Clamped => other.clamp(0, count - 1),
                    OutOfRange::Nothing => other,
                }
            }
        };
        rows.get(usize::try_from(other).ok()?).copied()
    }
}

/// Fits the affine transform that moves one list of positions to another, by least squares.
/// Returns `None` if the positions do not determine it.
fn fit_transform(from: &[Vec3], to: &[Vec3]) -> Option<DMat4> {
    // Centered, so that a mesh far from the origin does not lose digits.
    let count = from.len().min(to.len());
    let pairs = from.iter().zip(to).map(|(from, to)| (from.as_dvec3(), to.as_dvec3()));
    let mut from_center = DVec3::ZERO;
    let mut to_center = DVec3::ZERO;
    for (from, to) in pairs.clone() {
        from_center += from / count as f64;
        to_center += to / count as f64;
    }
    let size = f64::from(finite_size(from)).max(1e-9);
    let mut squares = DMat4::ZERO;
    let mut products = DMat4::ZERO;
    for (from, to) in pairs {
        let from = ((from - from_center) / size).extend(1.0);
        let to = (to - to_center).extend(1.0);
        squares += outer_product(from, from);
        products += outer_product(to, from);
    }
    let determinant = (squares / count as f64).determinant();
    if determinant.is_nan() || determinant.abs() < 1e-10 {
        return None;
    }
    let mut linear = products * squares.inverse();
    for axis in [&mut linear.x_axis, &mut linear.y_axis, &mut linear.z_axis] {
        *axis = (axis.truncate() / size).extend(0.0);
    }
    linear.w_axis = linear.w_axis.truncate().extend(1.0);
    let transform =
        DMat4::from_translation(to_center) * linear * DMat4::from_translation(-from_center);
    transform.is_finite().then_some(transform)
}

/// Returns the matrix `column · rowᵀ`.
fn outer_product(column: DVec4, row: DVec4) -> DMat4 {
    DMat4::from_cols(column * row.x, column * row.y, column * row.z, column * row.w)
}

/// Does the transform keep angles?
fn is_similarity(transform: &Mat4) -> bool {
    let axes = [transform.x_axis, transform.y_axis, transform.z_axis].map(|axis| axis.truncate());
    let lengths = axes.map(Vec3::length);
    let size = lengths[0].max(1e-9);
    let is_even = lengths.iter().all(|length| (length / size - 1.0).abs() < 1e-3);
    let is_square = [(0, 1), (1, 2), (2, 0)]
        .iter()
        .all(|&(a, b)| axes[a].dot(axes[b]).abs() < 1e-3 * size * size);
    is_even && is_square
}
