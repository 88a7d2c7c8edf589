//! The space of a model seen from another one, found from its joints, or from its stored
//! vertices if only the mesh was changed.

use std::collections::HashMap;

use bindpose_doctor::known_factor;
use bindpose_gltf::{Cancelled, ClipAt, Pace, Rig, bounds_of};
use bindpose_lesson::number_text::fixed;
use bindpose_notebook::longest_side;
use bindpose_skin::{JointIndex, LANES, Method};
use glam::{DMat3, DVec3, Mat4, Vec3};

use crate::differences::{
    AXIS_TOLERANCE, PART, axis_difference, describe_factor, mirrors_and_turns,
};
use crate::engine_numbers::space_changes;

/// Work of an operation on a matrix, for [`Pace::spend`].
pub(super) const MATRIX_WORK: usize = 16;
/// Maximum number of joints that can be at the position of another one by chance.
const MAX_CHANCE_MATCHES: usize = 2;

/// A change of axes or units.
pub(super) struct Space {
    /// Maps positions of A to those of B.
    pub(super) b_from_a: Mat4,
    /// Description of the change. `None` if there is none, or it is unknown.
    pub(super) words: Option<String>,
}

impl Space {
    fn identity() -> Self {
        Self { b_from_a: Mat4::IDENTITY, words: None }
    }

    /// Converts a matrix between spaces of A to one between those of B: `C · M · C⁻¹`.
    pub(super) fn convert_matrix(&self, matrix: &Mat4) -> Mat4 {
        self.b_from_a * *matrix * self.b_from_a.inverse()
    }

    /// Returns the length in B of a unit length in A.
    pub(super) fn scale(&self) -> f32 {
        self.b_from_a.transform_vector3(Vec3::X).length()
    }

    /// Returns the distance of a position of B from that of A, in units of A.
    pub(super) fn distance(&self, in_a: Vec3, in_b: Vec3) -> f32 {
        self.b_from_a.transform_point3(in_a).distance(in_b) / self.scale()
    }
}

/// Two models at rest, and the space of B seen from A.
#[derive(Clone, Copy)]
pub(super) struct ComparedModels<'a> {
    pub(super) a: &'a RestModel<'a>,
    pub(super) b: &'a RestModel<'a>,
    pub(super) space: &'a Space,
    /// The size of A.
    pub(super) size: f32,
}

impl ComparedModels<'_> {
    /// Largest distance of positions that count as equal, in units of A.
    pub(super) fn max_distance(&self) -> f32 {
        PART * self.size
    }
}

/// Finds the simplest change that maps most joints of A to those of B. Returns the identity
/// if no change maps more than half of them.
///
/// Without pairs, each joint may be mapped to any joint of the other model. All of them must
/// match if there are only a few.
pub(super) async fn find_space(
    a: &RestModel<'_>,
    b: &RestModel<'_>,
    pairs: &[(JointIndex, JointIndex)],
    size: f32,
    pace: &Pace,
) -> Result<Space, Cancelled> {
    let max_distance = PART * size;
    let positions: Vec<(Vec3, Vec3)> = pairs
        .iter()
        .filter_map(|&(joint_a, joint_b)| {
            let world_a = a.world_from_joint.get(joint_a.index())?;
            let world_b = b.world_from_joint.get(joint_b.index())?;
            Some((world_a.w_axis.truncate(), world_b.w_axis.truncate()))
        })
        .collect();
    let mut matching: Vec<(Space, usize)> = Vec::new();
    for space in std::iter::once(Space::identity()).chain(known_spaces(find_unit(&positions))) {
        let (matched, of) = if positions.is_empty() {
            let models = ComparedModels { a, b, space: &space, size };
            count_matching_joints(&models, pace).await?
        } else {
            pace.spend(positions.len() * MATRIX_WORK).await?;
            let near = positions
                .iter()
                .filter(|pair| space.distance(pair.0, pair.1) <= max_distance)
                .count();
            (near, positions.len())
        };
        let chance = if positions.is_empty() { MAX_CHANCE_MATCHES } else { 0 };
        if matched == of || (matched > of / 2 && matched > chance) {
            matching.push((space, matched));
        }
    }
    let largest = matching.iter().map(|(_, matched)| *matched).max();
    matching.retain(|(_, matched)| Some(*matched) == largest);
    // Joints on a line keep their positions when turned about it. Their axes and clips
    // decide between such changes.
    let mut best: Option<(Space, f64)> = None;
    for (space, _) in matching {
        let models = ComparedModels { a, b, space: &space, size };
        let axes_share = share_of_axes(&models, pairs, pace).await?;
        let score = axes_share + share_of_clips(&models, pairs, pace).await?;
        if best.as_ref().is_none_or(|best| score > best.1) {
            best = Some((space, score));
        }
    }
    Ok(best.map_or_else(Space::identity, |best| best.0))
}

/// Returns how many joints of the smaller skeleton are at the position of any joint of the
/// other one, and its total number of joints.
async fn count_matching_joints(
    models: &ComparedModels<'_>,
    pace: &Pace,
) -> Result<(usize, usize), Cancelled> {
    let ComparedModels { a, b, space, .. } = *models;
    let max_distance = models.max_distance();
    let mut few: Vec<Vec3> = a
        .joint_positions()
        .map(|position| space.b_from_a.transform_point3(position) / space.scale())
        .collect();
    let mut many: Vec<Vec3> =
        b.joint_positions().map(|position| position / space.scale()).collect();
    if few.len() > many.len() {
        std::mem::swap(&mut few, &mut many);
    }
    pace.spend((few.len() + many.len()) * MATRIX_WORK).await?;
    let numbered = many.iter().enumerate();
    let grid =
        PointGrid::new(numbered.map(|(at, position)| (at as u32, *position, 0)), max_distance);
    let mut matched = 0;
    for position in &few {
        let mut candidate_count = 0;
        let is_near = grid.near(*position, 0).any(|found| {
            candidate_count += 1;
            let other = many.get(found.number as usize);
            other.is_some_and(|other| other.distance(*position) <= max_distance)
        });
        pace.spend(MATRIX_WORK + candidate_count).await?;
        matched += usize::from(is_near);
    }
    Ok((matched, few.len()))
}

/// Returns the share of joints whose axes are mapped to those of B, from 0 to 1.
async fn share_of_axes(
    models: &ComparedModels<'_>,
    pairs: &[(JointIndex, JointIndex)],
    pace: &Pace,
) -> Result<f64, Cancelled> {
    let ComparedModels { a, b, space, .. } = *models;
    pace.spend(pairs.len() * MATRIX_WORK).await?;
    let matched = pairs.iter().filter(|&&(joint_a, joint_b)| {
        let world_a = a.world_from_joint.get(joint_a.index());
        let worlds = world_a.zip(b.world_from_joint.get(joint_b.index()));
        worlds.is_none_or(|(world_a, world_b)| {
            axis_difference(&space.convert_matrix(world_a), world_b) <= AXIS_TOLERANCE
        })
    });
    Ok(share(matched.count(), pairs.len()))
}

/// Returns the share of joints that a moment of the first shared clips takes to their
/// positions in B, from 0 to 1.
async fn share_of_clips(
    models: &ComparedModels<'_>,
    pairs: &[(JointIndex, JointIndex)],
    pace: &Pace,
) -> Result<f64, Cancelled> {
    const MAX_CLIPS: usize = 3;
    let ComparedModels { a, b, space, .. } = *models;
    let shared_clips = (0..)
        .zip(&a.rig.clips)
        .filter_map(|(index_a, clip_a)| {
            let index_b = b.rig.clips.iter().position(|clip_b| clip_b.name == clip_a.name)?;
            Some((index_a, index_b, f64::from(clip_a.duration_secs) * 0.37))
        })
        .take(MAX_CLIPS);
    let joint_count = a.world_from_joint.len() + b.world_from_joint.len();
    let mut matched = 0;
    let mut of = 0;
    for (clip_a, clip_b, time_secs) in shared_clips {
        pace.spend((joint_count + pairs.len()) * MATRIX_WORK).await?;
        let worlds_a = a.world_from_joint_at(clip_a, time_secs);
        let worlds_b = b.world_from_joint_at(clip_b, time_secs);
        of += pairs.len();
        for &(joint_a, joint_b) in pairs {
            let worlds = worlds_a.get(joint_a.index()).zip(worlds_b.get(joint_b.index()));
            let is_match = worlds.is_none_or(|(world_a, world_b)| {
                let distance = space.distance(world_a.w_axis.truncate(), world_b.w_axis.truncate());
                distance <= models.max_distance() * 10.0
                    && axis_difference(&space.convert_matrix(world_a), world_b) <= 1e-2
            });
            matched += usize::from(is_match);
        }
    }
    Ok(share(matched, of))
}

/// Returns 1 for a share of nothing.
fn share(count: usize, of: usize) -> f64 {
    if of == 0 { 1.0 } else { count as f64 / of as f64 }
}

/// Finds a scale that is not among the known units, from the spread of the joints. Returns
/// its description and the change. Returns `None` for too few joints.
fn find_unit(positions: &[(Vec3, Vec3)]) -> Option<(String, Mat4)> {
    const MIN_JOINTS: usize = 3;
    let of_a: Vec<Vec3> = positions.iter().map(|pair| pair.0).collect();
    let of_b: Vec<Vec3> = positions.iter().map(|pair| pair.1).collect();
    let factor = spread(&of_b) / spread(&of_a);
    let known = known_factor(factor);
    let factor = known.map_or(factor, |known| known.0);
    let is_known_unit = [1.0, 100.0, 0.01].iter().any(|known| (factor / known - 1.0).abs() < 1e-3);
    if positions.len() < MIN_JOINTS || is_known_unit || !factor.is_normal() {
        return None;
    }
    let into = known.map_or(String::new(), |(_, words)| format!(": {words}"));
    let words = format!("with positions {} times as large{into}", fixed(factor, 4));
    Some((words, Mat4::from_scale(Vec3::splat(factor as f32))))
}

/// Returns the root of the summed squared distances from the mean.
fn spread(positions: &[Vec3]) -> f64 {
    let mean = positions.iter().sum::<Vec3>() / positions.len() as f32;
    positions.iter().map(|position| f64::from(position.distance_squared(mean))).sum::<f64>().sqrt()
}

/// Returns all known changes of axes and units, then all pairs of both.
fn known_spaces(unit: Option<(String, Mat4)>) -> Vec<Space> {
    let known = space_changes().map(|(words, change)| (words.to_owned(), change));
    let (units, axes): (Vec<_>, Vec<_>) =
        known.chain(unit).partition(|(_, change)| (change.determinant().abs() - 1.0).abs() > 1e-3);
    let alone = axes
        .iter()
        .chain(&units)
        .map(|(words, b_from_a)| Space { b_from_a: *b_from_a, words: Some(words.clone()) });
    let both = axes.iter().flat_map(|(of_axes, turn)| {
        units.iter().map(move |(of_units, scale)| Space {
            b_from_a: *scale * *turn,
            words: Some(format!("{of_axes} and {of_units}")),
        })
    });
    alone.chain(both).collect()
}

/// A change of the stored positions of a mesh.
pub(super) struct MeshChange {
    /// Description such as `mirrored in z, moved by (0.00, 1.00, 0.00)`.
    pub(super) words: String,
    /// Maps stored positions of A to those of B.
    pub(super) space: Space,
    /// Does it turn the surface inside out, unless the corners of triangles are swapped?
    pub(super) mirrors: bool,
}

/// Finds a mirror or turn, a scale and a move that map A's stored vertices to those of B, in
/// the same order. Returns `None` if there is none, the numbers of vertices differ, or the
/// vertices are the same.
pub(super) async fn find_mesh_change(
    models: &ComparedModels<'_>,
    pace: &Pace,
) -> Result<Option<MeshChange>, Cancelled> {
    let space = models.space;
    let stored_a = &models.a.rig.mesh.positions;
    let stored_b = &models.b.rig.mesh.positions;
    if stored_a.len() != stored_b.len() || stored_a.len() < 4 {
        return Ok(None);
    }
    let max_distance = f64::from(models.max_distance() * space.scale()) * 2.0;
    pace.spend(stored_a.len() * LANES).await?;
    let of_a: Vec<DVec3> = stored_a
        .iter()
        .map(|position| space.b_from_a.transform_point3(*position).as_dvec3())
        .collect();
    let of_b: Vec<DVec3> = stored_b.iter().map(|position| position.as_dvec3()).collect();
    if of_a.iter().zip(&of_b).all(|(from, to)| from.distance(*to) <= max_distance) {
        return Ok(None);
    }
    let turns = mirrors_and_turns().into_iter().map(|(words, turn)| (words, turn.as_dmat3()));
    for (turned, turn) in std::iter::once((String::new(), DMat3::IDENTITY)).chain(turns) {
        pace.spend(of_a.len() * LANES).await?;
        let Some((scale, shift)) = fit_scale_and_shift(&of_a, &of_b, turn) else { continue };
        // Rounding errors scale with the model.
        let max_distance = max_distance * scale.max(1.0);
        let scale = if (scale - 1.0).abs() < 1e-4 { 1.0 } else { scale };
        let shift = if shift.length() <= max_distance { DVec3::ZERO } else { shift };
        let is_match = of_a
            .iter()
            .zip(&of_b)
            .all(|(from, to)| (scale * (turn * *from) + shift).distance(*to) <= 2.0 * max_distance);
        if !is_match {
            continue;
        }
        let mut words = Vec::new();
        if !turned.is_empty() {
            words.push(turned);
        }
        if scale != 1.0 {
            words.push(describe_factor(scale).replace("times ours", "times as large"));
        }
        if shift != DVec3::ZERO {
            let [x, y, z] = shift.to_array().map(|number| fixed(number, 3));
            words.push(format!("moved by ({x}, {y}, {z}) units of B"));
        }
        let change =
            Mat4::from_translation(shift.as_vec3()) * Mat4::from_mat3((turn * scale).as_mat3());
        return Ok(Some(MeshChange {
            words: words.join(", "),
            space: Space { b_from_a: change * space.b_from_a, words: None },
            mirrors: turn.determinant() < 0.0,
        }));
    }
    Ok(None)
}

/// Returns the scale and the shift that map turned positions of A to those of B best, by
/// least squares.
fn fit_scale_and_shift(of_a: &[DVec3], of_b: &[DVec3], turn: DMat3) -> Option<(f64, DVec3)> {
    let count = of_a.len().max(1) as f64;
    let mean_a = of_a.iter().map(|position| turn * *position).sum::<DVec3>() / count;
    let mean_b = of_b.iter().sum::<DVec3>() / count;
    let mut dot_sum = 0.0;
    let mut square_sum = 0.0;
    for (a, b) in of_a.iter().zip(of_b) {
        let from = turn * *a - mean_a;
        dot_sum += from.dot(*b - mean_b);
        square_sum += from.length_squared();
    }
    let scale = dot_sum / square_sum;
    (scale.is_finite() && scale > 0.0).then(|| (scale, mean_b - scale * mean_a))
}

/// A model at rest.
pub(super) struct RestModel<'a> {
    pub(super) rig: &'a Rig,
    pub(super) world_from_joint: Vec<Mat4>,
    pub(super) joint_from_bind: Vec<Mat4>,
    /// Skinned positions in world space.
    pub(super) positions: Vec<Vec3>,
}

impl<'a> RestModel<'a> {
    pub(super) fn new(rig: &'a Rig) -> Self {
        let posed = rig.posed(|_| None);
        let world_from_joint = rig.skeleton.world_from_joint(&posed.pose);
        let world_from_bind = posed.world_from_bind(&rig.skeleton);
        let mesh = &rig.mesh;
        let moved = mesh.moved(&world_from_bind, &posed.morph_weights, Method::Linear);
        Self {
            rig,
            world_from_joint,
            joint_from_bind: posed.joint_from_bind,
            positions: moved.positions,
        }
    }

    /// Returns `world_from_joint` of all joints while a single clip plays.
    pub(super) fn world_from_joint_at(&self, clip: usize, time_secs: f64) -> Vec<Mat4> {
        let playing = [ClipAt { clip, time_secs, share: 1.0 }];
        let posed = self.rig.posed_in(&playing, |_| None);
        self.rig.skeleton.world_from_joint(&posed.pose)
    }

    pub(super) fn joint_positions(&self) -> impl Iterator<Item = Vec3> {
        self.world_from_joint.iter().map(|matrix| matrix.w_axis.truncate())
    }

    /// Returns the longest side of the mesh, or of the skeleton if that is larger. Never 0.
    pub(super) fn size(&self) -> f32 {
        let joints: Vec<Vec3> = self.joint_positions().collect();
        let mesh_size = longest_side(bounds_of(&self.positions));
        let size = mesh_size.max(longest_side(bounds_of(&joints)));
        if size.is_finite() { size.max(1e-6) } else { 1.0 }
    }
}

/// Maximum number of points that are tried for one position. Points are closer together than
/// rounding of exporters only if they are copies of one point, and then any of them matches.
const MAX_CANDIDATES: usize = 512;

/// Numbers of points by grid cell and class. Points at the same position are found in the
/// order of their numbers.
pub(super) struct PointGrid {
    cell: f32,
    cells: HashMap<GridKey, Vec<u32>>,
}

/// A point that was found. Valid until another one is taken.
#[derive(Clone, Copy)]
pub(super) struct FoundPoint {
    pub(super) number: u32,
    key: GridKey,
    slot: usize,
}

/// Grid cell and class.
type GridKey = ([i32; 3], u64);

impl PointGrid {
    /// Creates a grid of points with their number, position and class, sorted by number.
    /// `reach` is the largest distance at which a point is found.
    pub(super) fn new<P>(points: P, reach: f32) -> Self
    where
        P: Iterator<Item = (u32, Vec3, u64)> + DoubleEndedIterator,
    {
        let mut grid = Self { cell: reach * 2.0, cells: HashMap::new() };
        for (number, place, class) in points.rev() {
            let key = (cell_of(place, grid.cell), class);
            grid.cells.entry(key).or_default().push(number);
        }
        grid
    }

    /// Returns the first points of a class that may be within reach. Some are farther away.
    pub(super) fn near(&self, place: Vec3, class: u64) -> impl Iterator<Item = FoundPoint> {
        let middle = cell_of(place, self.cell);
        // The cell of the position itself comes first.
        let around = (0..27).map(move |at| {
            let at = (at + 13) % 27;
            let step = [at % 3 - 1, at / 3 % 3 - 1, at / 9 - 1];
            [0, 1, 2].map(|axis: usize| middle[axis].saturating_add(step[axis]))
        });
        around
            .flat_map(move |cell| {
                let key = (cell, class);
                let numbers = self.cells.get(&key).map_or(&[][..], Vec::as_slice);
                let slots = numbers.iter().enumerate().rev();
                slots.map(move |(slot, &number)| FoundPoint { number, key, slot })
            })
            .take(MAX_CANDIDATES)
    }

    /// Removes a point, so that it is not found again.
    pub(super) fn take(&mut self, found: FoundPoint) {
        if let Some(cell) = self.cells.get_mut(&found.key)
            && found.slot < cell.len()
        {
            cell.swap_remove(found.slot);
        }
    }
}

/// Casting saturates, so that positions too far away or NaN have a cell too.
fn cell_of(place: Vec3, cell: f32) -> [i32; 3] {
    (place / cell).to_array().map(|at| at.floor() as i32)
}
