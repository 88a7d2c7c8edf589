//! Computation of the weights of a whole mesh, divided into pieces of work.

use std::collections::BTreeMap;

use glam::{DVec3, Vec3};

use super::conjugate_gradients::{ConjugateGradients, SYSTEM_COUNT, SparseMatrix};
use super::triangle_tree::{TriangleTree, WeldedSurface};
use super::{MIN_RELATIVE_WEIGHT, WeightSource, WeightsBy, WeightsError};
use crate::{Influences, JointIndex, LANES, Skeleton, keep_strongest};

/// Maximum number of unknowns of one bone heat, joints times points, which takes minutes.
const MAX_UNKNOWNS: usize = 20_000_000;
/// Cost of one visibility test, in distances to a segment.
const VISIBILITY_TEST_COST: usize = 60;
/// Distance relative to the model's size below which a vertex is on a bone.
const TOUCH_TOLERANCE: f64 = 1e-6;

/// A mesh in bind space.
pub struct BindSurface<'a> {
    /// The position of each vertex.
    pub positions: &'a [Vec3],
    /// The triangles, as vertex indices below `positions.len()`.
    pub triangles: &'a [[u32; 3]],
}

/// Scheduler of a long computation: limits its work, reports its progress and can cancel it.
#[expect(async_fn_in_trait, reason = "one thread does the work and waits for itself")]
pub trait WorkPace {
    /// Waits until the next piece of work may start.
    ///
    /// `work` is its size, as a number of elementary operations. `done` is the progress of the
    /// whole computation, from 0 to 1.
    ///
    /// # Errors
    /// Returns [`WeightsError::Stopped`] to cancel the computation.
    async fn spend(&self, work: usize, done: f32) -> Result<(), WeightsError>;
}

/// Computes the influences of every vertex, with Σw = 1 and the strongest first.
///
/// Returns an empty list for [`WeightSource::Stored`]. Bone heat assigns vertices in no triangle
/// to the nearest joint.
///
/// # Errors
/// Returns [`WeightsError`] if a position is not finite, bone heat lacks triangles or is too
/// large, or `pace` cancels the computation.
pub async fn computed_weights(
    surface: &BindSurface<'_>,
    skeleton: &Skeleton,
    settings: &WeightsBy,
    pace: &impl WorkPace,
) -> Result<Vec<Influences>, WeightsError> {
    if let Some(vertex) = surface.positions.iter().position(|position| !position.is_finite()) {
        return Err(WeightsError::NotFinite { vertex });
    }
    let bones = BindBones::new(skeleton);
    match settings.source {
        WeightSource::Stored => Ok(Vec::new()),
        WeightSource::NearestJoint | WeightSource::InverseDistance => {
            compute_from_distances(surface, &bones, settings, pace).await
        }
        WeightSource::BoneHeat => compute_bone_heat(surface, &bones, settings, pace).await,
    }
}

async fn compute_from_distances(
    surface: &BindSurface<'_>,
    bones: &BindBones,
    settings: &WeightsBy,
    pace: &impl WorkPace,
) -> Result<Vec<Influences>, WeightsError> {
    let welded = WeldedSurface::new(surface.positions, surface.triangles);
    let count = surface.positions.len();
    let mut all = Vec::with_capacity(count);
    for position in surface.positions {
        pace.spend(bones.segment_count(), all.len() as f32 / count as f32).await?;
        let position = position.as_dvec3();
        let weights = if settings.source == WeightSource::NearestJoint {
            nearest_joint_weights(bones, position)
        } else {
            let touch_distance = TOUCH_TOLERANCE * welded.size;
            inverse_distance_weights(bones, position, settings.power, touch_distance)
        };
        all.push(strongest_influences(&weights, settings.most));
    }
    Ok(all)
}

/// Computes weights by bone heat.
///
/// Baran and Popović, “Automatic rigging and animation of 3D characters”, 2007, section 4: the
/// nearest bone heats each point of the surface, the more the nearer it is, and the heat diffuses
/// over the surface. The weight of joint j is the temperature in equilibrium if only its own bone
/// is warm: (−Δ + H) w = H p, with p = 1 where the nearest bone is that of j and 0 elsewhere, and
/// H = c/d². Here each equation is multiplied by the area around its point, which makes the matrix
/// symmetric and the result independent of the unit of length.
async fn compute_bone_heat(
    surface: &BindSurface<'_>,
    bones: &BindBones,
    settings: &WeightsBy,
    pace: &impl WorkPace,
) -> Result<Vec<Influences>, WeightsError> {
    /// Progress at which the equations are ready.
    const PREPARED: f32 = 0.2;
    pace.spend(20 * surface.triangles.len(), 0.0).await?;
    let welded = WeldedSurface::new(surface.positions, surface.triangles);
    if welded.triangles.is_empty() {
        return Err(WeightsError::NoTriangles);
    }
    pace.spend(20 * surface.triangles.len(), 0.0).await?;
    let tree = TriangleTree::new(&welded);
    let point_count = welded.points.len();
    let mut sources = Vec::with_capacity(point_count);
    for point in 0..point_count as u32 {
        let done = PREPARED * point as f32 / point_count as f32;
        pace.spend(bones.segment_count() + VISIBILITY_TEST_COST, done).await?;
        sources.push(HeatSource::find(&welded, &tree, bones, point));
    }
    pace.spend(50 * surface.triangles.len(), PREPARED).await?;
    let equations = HeatEquations::new(&welded, &sources);
    let joint_count = equations.right_sides.len();
    if joint_count.saturating_mul(point_count) > MAX_UNKNOWNS {
        return Err(WeightsError::TooLarge {
            joints: joint_count,
            vertices: point_count,
            most: MAX_UNKNOWNS,
        });
    }
    let mut weights: Vec<Vec<(JointIndex, f64)>> = vec![Vec::new(); point_count];
    let mut solver = ConjugateGradients::new(&equations.matrix);
    let step_work = SYSTEM_COUNT * (equations.matrix.entry_count() + 8 * point_count);
    let right_sides: Vec<_> = equations.right_sides.iter().collect();
    for (chunk_index, chunk) in right_sides.chunks(SYSTEM_COUNT).enumerate() {
        let mut systems = vec![[0.0; SYSTEM_COUNT]; point_count];
        for (system, (_, right_side)) in chunk.iter().enumerate() {
            for &(point, heat) in *right_side {
                systems[point as usize][system] = heat;
            }
        }
        solver.begin(&systems);
        let solved_joints = (chunk_index * SYSTEM_COUNT) as f32;
        let done = PREPARED + (1.0 - PREPARED) * solved_joints / joint_count as f32;
        pace.spend(step_work, done).await?;
        while solver.step(&equations.matrix) {
            pace.spend(step_work, done).await?;
        }
        for (weights, temperatures) in weights.iter_mut().zip(solver.solution()) {
            for (&(&joint, _), &temperature) in chunk.iter().zip(temperatures) {
                // Obtuse angles can make a temperature slightly negative.
                if temperature >= MIN_RELATIVE_WEIGHT {
                    weights.push((joint, temperature));
                }
            }
        }
    }
    let mut all = Vec::with_capacity(surface.positions.len());
    for (position, point) in surface.positions.iter().zip(&welded.point_of_vertex) {
        let weights = point.and_then(|point| weights.get(point as usize));
        all.push(match weights {
            Some(weights) if !weights.is_empty() => strongest_influences(weights, settings.most),
            _ => {
                let nearest = nearest_joint_weights(bones, position.as_dvec3());
                strongest_influences(&nearest, settings.most)
            }
        });
    }
    Ok(all)
}

/// Returns the largest weights, without negligible ones, divided by their sum.
fn strongest_influences(weights: &[(JointIndex, f64)], max_influences: u32) -> Influences {
    let sum: f64 = weights.iter().map(|&(_, weight)| weight).sum();
    let pairs: Vec<(JointIndex, f32)> = weights
        .iter()
        .filter(|&&(_, weight)| weight >= MIN_RELATIVE_WEIGHT * sum)
        .map(|&(joint, weight)| (joint, (weight / sum) as f32))
        .collect();
    Influences::new(&keep_strongest(&pairs, (max_influences as usize).clamp(1, LANES)))
}

/// Returns weight 1 for the joint whose bone is nearest, or the first of several.
fn nearest_joint_weights(bones: &BindBones, vertex: DVec3) -> Vec<(JointIndex, f64)> {
    let nearest = bones.nearest(vertex).min_by(|a, b| a.distance.total_cmp(&b.distance));
    nearest.map(|nearest| (nearest.joint, 1.0)).into_iter().collect()
}

/// Computes weights proportional to 1/dᵖ, with a sum of 1.
///
/// If bones are nearer than `touch_distance`, where 1/d is not exact, these share the weight
/// equally.
fn inverse_distance_weights(
    bones: &BindBones,
    vertex: DVec3,
    power: u32,
    touch_distance: f64,
) -> Vec<(JointIndex, f64)> {
    let nearest: Vec<NearestOnBone> = bones.nearest(vertex).collect();
    let min_distance = min_distance(&nearest);
    let mut weights: Vec<(JointIndex, f64)> = Vec::with_capacity(nearest.len());
    for bone in &nearest {
        let weight = if min_distance <= touch_distance {
            if bone.distance <= touch_distance { 1.0 } else { 0.0 }
        } else {
            // The quotient is at most 1, so its power cannot overflow.
            (min_distance / bone.distance).powf(f64::from(power))
        };
        weights.push((bone.joint, weight));
    }
    let sum: f64 = weights.iter().map(|&(_, weight)| weight).sum();
    for (_, weight) in &mut weights {
        *weight /= sum;
    }
    weights
}

fn min_distance(nearest: &[NearestOnBone]) -> f64 {
    nearest.iter().map(|bone| bone.distance).fold(f64::INFINITY, f64::min)
}

/// The constant c of the article on bone heat.
const HEAT: f64 = 1.0;
/// Relative difference up to which two bones are equally near, as where they meet at a joint.
const DISTANCE_TOLERANCE: f64 = 1e-5;
/// Minimum distance to a bone relative to the model's size. 1/d² is infinite on the bone itself.
const MIN_RELATIVE_DISTANCE: f64 = 1e-4;
/// Maximum cotangent of an angle, which limits those of degenerate triangles.
const MAX_COTANGENT: f64 = 1e4;

/// The bones that heat one point of the surface, equally: the nearest ones.
struct HeatSource {
    joints: Vec<JointIndex>,
    /// Distance to the nearest bone.
    distance: f64,
    /// The subset of `joints` whose bones are visible from the point.
    visible_joints: Vec<JointIndex>,
}

impl HeatSource {
    fn find(
        surface: &WeldedSurface,
        tree: &TriangleTree<'_>,
        bones: &BindBones,
        point: u32,
    ) -> Self {
        let mut nearest: Vec<NearestOnBone> =
            bones.nearest(surface.points[point as usize]).collect();
        let distance = min_distance(&nearest);
        nearest.retain(|bone| bone.distance <= distance * (1.0 + DISTANCE_TOLERANCE));
        Self {
            joints: nearest.iter().map(|bone| bone.joint).collect(),
            distance,
            visible_joints: nearest
                .iter()
                .filter(|bone| !tree.is_hidden(point, bone.point))
                .map(|bone| bone.joint)
                .collect(),
        }
    }
}

/// The linear systems of bone heat: one matrix, and a right-hand side for each joint.
struct HeatEquations {
    matrix: SparseMatrix,
    /// For each joint, the points and values of its right-hand side that are not 0.
    right_sides: BTreeMap<JointIndex, Vec<(u32, f64)>>,
}

impl HeatEquations {
    /// Builds the equations from the heat source of each point.
    ///
    /// A connected component that sees none of its bones would stay cold. Its points are heated
    /// by their nearest bones as if these were visible.
    fn new(surface: &WeldedSurface, sources: &[HeatSource]) -> Self {
        let components = surface.components();
        let mut sees_bones = vec![false; components.len()];
        for (&component, source) in components.iter().zip(sources) {
            sees_bones[component as usize] |= !source.visible_joints.is_empty();
        }
        let areas = point_areas(surface);
        let mut entries = laplacian_entries(surface);
        let mut right_sides: BTreeMap<JointIndex, Vec<(u32, f64)>> = BTreeMap::new();
        for (index, source) in sources.iter().enumerate() {
            let joints = if sees_bones[components[index] as usize] {
                &source.visible_joints
            } else {
                &source.joints
            };
            if joints.is_empty() {
                continue;
            }
            let distance = source.distance.max(MIN_RELATIVE_DISTANCE * surface.size);
            let heat = areas[index] * HEAT / (distance * distance);
            let point = index as u32;
            entries.push((point, point, heat));
            let heat_per_joint = heat / joints.len() as f64;
            for &joint in joints {
                right_sides.entry(joint).or_default().push((point, heat_per_joint));
            }
        }
        Self { matrix: SparseMatrix::new(surface.points.len(), entries), right_sides }
    }
}

/// Computes the area around each point: a third of the area of its triangles.
fn point_areas(surface: &WeldedSurface) -> Vec<f64> {
    let mut areas = vec![0.0; surface.points.len()];
    for &triangle in &surface.triangles {
        let [a, b, c] = surface.corners(triangle);
        let third = (b - a).cross(c - a).length() / 6.0;
        for point in triangle {
            areas[point as usize] += third;
        }
    }
    areas
}

/// Computes −Δ, multiplied by the areas, as entries of a sparse matrix.
///
/// The entry of an edge is half the cotangents of the two angles opposite to it (Pinkall and
/// Polthier, “Computing discrete minimal surfaces and their conjugates”, 1993).
fn laplacian_entries(surface: &WeldedSurface) -> Vec<(u32, u32, f64)> {
    let mut entries = Vec::with_capacity(12 * surface.triangles.len());
    for &[a, b, c] in &surface.triangles {
        for [apex, one, other] in [[a, b, c], [b, c, a], [c, a, b]] {
            let apex = surface.points[apex as usize];
            let p = surface.points[one as usize] - apex;
            let q = surface.points[other as usize] - apex;
            let cotangent = p.dot(q) / p.cross(q).length();
            let half = 0.5 * cotangent.clamp(-MAX_COTANGENT, MAX_COTANGENT);
            entries.extend([
                (one, other, -half),
                (other, one, -half),
                (one, one, half),
                (other, other, half),
            ]);
        }
    }
    entries
}

/// The bones of a skeleton in bind space: segments from each joint to its children.
#[derive(Clone, Debug)]
pub struct BindBones {
    /// Sorted by joint, with at least one segment per joint.
    segments: Vec<BoneSegment>,
}

#[derive(Clone, Copy, Debug)]
struct BoneSegment {
    joint: JointIndex,
    from: DVec3,
    to: DVec3,
}

/// The point of a joint's bone that is nearest to a vertex.
#[derive(Clone, Copy, Debug)]
struct NearestOnBone {
    joint: JointIndex,
    /// The point in bind space.
    point: DVec3,
    /// Distance to the vertex.
    distance: f64,
}

impl BindBones {
    /// Computes the bones of a skeleton in the bind pose.
    ///
    /// The bone of a joint has a segment to each of its children. The bone of a leaf continues
    /// that of its parent, with the same direction and length. The bone of a root without
    /// children is a point. A joint whose inverse bind matrix is singular is placed at its
    /// parent, or at the origin.
    pub fn new(skeleton: &Skeleton) -> Self {
        let joints = skeleton.joints();
        let mut origins = vec![DVec3::ZERO; joints.len()];
        let mut is_parent = vec![false; joints.len()];
        for joint in skeleton.walk().map(JointIndex::index) {
            let parent = joints[joint].parent.map(JointIndex::index);
            let bind_from_joint = joints[joint].joint_from_bind.as_dmat4().inverse();
            let origin = bind_from_joint.w_axis.truncate();
            let parent_origin = parent.map_or(DVec3::ZERO, |parent| origins[parent]);
            origins[joint] = if origin.is_finite() { origin } else { parent_origin };
            if let Some(parent) = parent {
                is_parent[parent] = true;
            }
        }
        let mut segments = Vec::with_capacity(joints.len());
        for joint in skeleton.indices() {
            let origin = origins[joint.index()];
            let parent = joints[joint.index()].parent;
            if let Some(parent) = parent {
                let from = origins[parent.index()];
                segments.push(BoneSegment { joint: parent, from, to: origin });
            }
            if !is_parent[joint.index()] {
                let parent_bone =
                    parent.map_or(DVec3::ZERO, |parent| origin - origins[parent.index()]);
                segments.push(BoneSegment { joint, from: origin, to: origin + parent_bone });
            }
        }
        segments.sort_by_key(|segment| segment.joint);
        Self { segments }
    }

    fn segment_count(&self) -> usize {
        self.segments.len()
    }

    /// Finds the nearest point of every joint's bone, in the order of the joints.
    fn nearest(&self, vertex: DVec3) -> impl Iterator<Item = NearestOnBone> + '_ {
        self.segments.chunk_by(|a, b| a.joint == b.joint).filter_map(move |bone| {
            bone.iter()
                .map(|segment| segment.nearest(vertex))
                .min_by(|a, b| a.distance.total_cmp(&b.distance))
        })
    }
}

impl BoneSegment {
    fn nearest(&self, vertex: DVec3) -> NearestOnBone {
        let direction = self.to - self.from;
        let t = (vertex - self.from).dot(direction) / direction.length_squared();
        // Not finite for a segment without length, which is a point.
        let t = if t.is_finite() { t.clamp(0.0, 1.0) } else { 0.0 };
        let point = self.from + direction * t;
        NearestOnBone { joint: self.joint, point, distance: point.distance(vertex) }
    }
}
