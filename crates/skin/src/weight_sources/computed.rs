//! The weights of a whole mesh, worked out in pieces.

use std::collections::BTreeMap;

use glam::{DVec3, Vec3};

use super::conjugate_gradients::{ConjugateGradients, RIGHT_SIDES, SparseMatrix};
use super::segment_tree::{SegmentTree, Welded};
use super::{NEGLIGIBLE, WeightSource, WeightsBy, WeightsError};
use crate::{Influences, JointIndex, LANES, Skeleton, keep_strongest};

/// Joints times places of one bone heat: minutes.
const MOST_UNKNOWNS: usize = 20_000_000;
/// What a look at the surface costs, in segments measured.
const LOOK: usize = 60;
/// Bones nearer than this part of the model's size are touched.
const TOUCHING: f64 = 1e-6;

/// What carries weights, in bind space.
pub struct BindSurface<'a> {
    /// One per vertex.
    pub positions: &'a [Vec3],
    /// Indices of vertices, three a triangle; all below `positions.len()`.
    pub triangles: &'a [[u32; 3]],
}

/// How much was done, and what the next piece may wait for.
#[expect(async_fn_in_trait, reason = "one thread does the work and waits for itself")]
pub trait WorkPace {
    /// Waits until `work`, in numbers, may be done; `done` is how far all of it is,
    /// 0 to 1.
    async fn spend(&self, work: usize, done: f32) -> Result<(), WeightsError>;
}

/// Of every vertex, with Σw = 1; strongest first. A vertex in no triangle has no place
/// on the surface, and bone heat gives it to the nearest joint.
///
/// Errors: [`WeightsError`].
pub async fn computed_weights(
    surface: &BindSurface<'_>,
    skeleton: &Skeleton,
    by: &WeightsBy,
    pace: &impl WorkPace,
) -> Result<Vec<Influences>, WeightsError> {
    let finite = |position: &Vec3| position.is_finite();
    if let Some(vertex) = surface.positions.iter().position(|at| !finite(at)) {
        return Err(WeightsError::NotFinite { vertex });
    }
    let bones = BindBones::new(skeleton);
    match by.source {
        // Nothing is worked out.
        WeightSource::Stored => Ok(Vec::new()),
        WeightSource::NearestJoint | WeightSource::InverseDistance => {
            of_distances(surface, &bones, by, pace).await
        }
        WeightSource::BoneHeat => of_heat(surface, &bones, by, pace).await,
    }
}

async fn of_distances(
    surface: &BindSurface<'_>,
    bones: &BindBones,
    by: &WeightsBy,
    pace: &impl WorkPace,
) -> Result<Vec<Influences>, WeightsError> {
    let welded = Welded::new(surface.positions, surface.triangles);
    let count = surface.positions.len();
    let mut all = Vec::with_capacity(count);
    for position in surface.positions {
        pace.spend(bones.segments(), all.len() as f32 / count as f32).await?;
        let position = position.as_dvec3();
        let shares = if by.source == WeightSource::NearestJoint {
            let nearest = nearest_joint(bones, position);
            nearest.map(|one| (one.joint, 1.0)).into_iter().collect()
        } else {
            let touching = TOUCHING * welded.size;
            inverse_distance(bones, position, by.power, touching)
        };
        all.push(kept(&shares, by.most));
    }
    Ok(all)
}

async fn of_heat(
    surface: &BindSurface<'_>,
    bones: &BindBones,
    by: &WeightsBy,
    pace: &impl WorkPace,
) -> Result<Vec<Influences>, WeightsError> {
    /// How far the work is when the equations stand.
    const PREPARED: f32 = 0.2;
    pace.spend(20 * surface.triangles.len(), 0.0).await?;
    let welded = Welded::new(surface.positions, surface.triangles);
    if welded.triangles.is_empty() {
        return Err(WeightsError::NoTriangles);
    }
    pace.spend(20 * surface.triangles.len(), 0.0).await?;
    let tree = SegmentTree::new(&welded);
    let places = welded.places.len();
    let mut sources = Vec::with_capacity(places);
    for place in 0..places as u32 {
        let done = PREPARED * place as f32 / places as f32;
        pace.spend(bones.segments() + LOOK, done).await?;
        sources.push(source(&welded, &tree, bones, place));
    }
    pace.spend(50 * surface.triangles.len(), PREPARED).await?;
    let equations = Equations::new(&welded, &sources);
    let joints = equations.right_sides.len();
    if joints.saturating_mul(places) > MOST_UNKNOWNS {
        return Err(WeightsError::TooLarge { joints, vertices: places, most: MOST_UNKNOWNS });
    }
    let mut shares: Vec<Vec<(JointIndex, f64)>> = vec![Vec::new(); places];
    let mut solver = ConjugateGradients::new(&equations.matrix);
    let step = RIGHT_SIDES * (equations.matrix.entries() + 8 * places);
    let all: Vec<_> = equations.right_sides.iter().collect();
    for (nth, some) in all.chunks(RIGHT_SIDES).enumerate() {
        let mut right = vec![[0.0; RIGHT_SIDES]; places];
        for (side, (_, heat)) in some.iter().enumerate() {
            for &(place, heat) in *heat {
                right[place as usize][side] = heat;
            }
        }
        solver.begin(&right);
        let done = PREPARED + (1.0 - PREPARED) * (nth * RIGHT_SIDES) as f32 / joints as f32;
        pace.spend(step, done).await?;
        while solver.step(&equations.matrix) {
            pace.spend(step, done).await?;
        }
        for (shares, warmth) in shares.iter_mut().zip(solver.solution()) {
            for (&(&joint, _), &warmth) in some.iter().zip(warmth) {
                // Obtuse angles can make it less than 0, by little.
                if warmth >= NEGLIGIBLE {
                    shares.push((joint, warmth));
                }
            }
        }
    }
    let all = surface.positions.iter().zip(&welded.place_of_vertex);
    let all = all.map(|(position, place)| {
        let warmed = place.and_then(|place| shares.get(place as usize));
        if let Some(shares) = warmed.filter(|shares| !shares.is_empty()) {
            return kept(shares, by.most);
        }
        let nearest = nearest_joint(bones, position.as_dvec3());
        let nearest = nearest.map(|one| (one.joint, 1.0));
        kept(nearest.as_slice(), by.most)
    });
    Ok(all.collect())
}

/// The strongest that are worth a lane, divided by their sum.
fn kept(shares: &[(JointIndex, f64)], most: u32) -> Influences {
    let sum: f64 = shares.iter().map(|&(_, share)| share).sum();
    let worth = |&&(_, share): &&(JointIndex, f64)| share >= NEGLIGIBLE * sum;
    let pairs: Vec<(JointIndex, f32)> =
        shares.iter().filter(worth).map(|&(joint, share)| (joint, (share / sum) as f32)).collect();
    Influences::new(&keep_strongest(&pairs, (most as usize).clamp(1, LANES)))
}

// Weights from distances alone.

/// The joint whose bone is nearest; the first of several.
pub(super) fn nearest_joint(bones: &BindBones, vertex: DVec3) -> Option<OnBone> {
    let places = bones.nearest(vertex);
    places.min_by(|a, b| a.distance.total_cmp(&b.distance))
}

/// Shares proportional to 1/dᵖ, with Σ = 1. Bones nearer than `touching` share all
/// alike: there 1/d has no value.
pub(super) fn inverse_distance(
    bones: &BindBones,
    vertex: DVec3,
    power: u32,
    touching: f64,
) -> Vec<(JointIndex, f64)> {
    let nearest: Vec<OnBone> = bones.nearest(vertex).collect();
    let least = nearest.iter().map(|one| one.distance);
    let least = least.fold(f64::INFINITY, f64::min);
    let share = |one: &OnBone| {
        if least <= touching {
            f64::from(u8::from(one.distance <= touching))
        } else {
            // At most 1, so that no power overflows.
            (least / one.distance).powf(f64::from(power))
        }
    };
    let sum: f64 = nearest.iter().map(share).sum();
    nearest.iter().map(|one| (one.joint, share(one) / sum)).collect()
}

// Bone heat: Baran and Popović, “Automatic rigging and animation of 3D characters”,
// 2007, section 4.
//
// Every place of the surface is warmed by the bone nearest to it, the more the nearer
// it is, and the surface carries the heat on. The warmth that joint j alone would
// bring, when nothing changes any more, is its weight: (−Δ + H) w = H p, with p = 1
// where the nearest bone is that of j and 0 elsewhere, and H = c/d². Here it stands
// multiplied by the area around each place, which makes it symmetric, and lengths fall
// out of it.

/// c, as in the article.
const HEAT: f64 = 1.0;
/// Bones that are farther by no more than this part are as near: at a joint two meet.
const AS_NEAR: f64 = 1e-5;
/// A bone counts as no nearer than this part of the model's size: on the bone itself
/// 1/d² has no value.
const LEAST_DISTANCE: f64 = 1e-4;
/// Cotangents of angles in slivers are held within this.
const STEEPEST: f64 = 1e4;

/// What warms one place: the nearest bones, alike.
#[derive(Clone, Debug, Default)]
pub(super) struct HeatSource {
    pub(super) joints: Vec<JointIndex>,
    /// To the nearest bone.
    pub(super) distance: f64,
    /// Of those joints, whose bone the place sees.
    pub(super) visible: Vec<JointIndex>,
}

/// The equations of all joints: one matrix, and a right side each.
pub(super) struct Equations {
    pub(super) matrix: SparseMatrix,
    /// By joint: place and number; places without one have 0.
    pub(super) right_sides: BTreeMap<JointIndex, Vec<(u32, f64)>>,
}

/// What is nearest to a place, and what of it is in sight.
pub(super) fn source(
    surface: &Welded,
    tree: &SegmentTree<'_>,
    bones: &BindBones,
    place: u32,
) -> HeatSource {
    let all: Vec<OnBone> = bones.nearest(surface.places[place as usize]).collect();
    let distances = all.iter().map(|one| one.distance);
    let distance = distances.fold(f64::INFINITY, f64::min);
    let is_near = |one: &&OnBone| one.distance <= distance * (1.0 + AS_NEAR);
    let near = || all.iter().filter(is_near);
    let visible = near().filter(|one| !tree.is_hidden(place, one.point));
    HeatSource {
        joints: near().map(|one| one.joint).collect(),
        distance,
        visible: visible.map(|one| one.joint).collect(),
    }
}

impl Equations {
    /// Where a connected part of the surface sees none of its bones, all of its places
    /// are warmed through the surface: no heat would come there otherwise.
    pub(super) fn new(surface: &Welded, sources: &[HeatSource]) -> Self {
        let parts = surface.parts();
        let mut sees = vec![false; parts.len()];
        for (&part, source) in parts.iter().zip(sources) {
            sees[part as usize] |= !source.visible.is_empty();
        }
        let areas = areas(surface);
        let mut entries = stiffness(surface);
        let mut right_sides: BTreeMap<JointIndex, Vec<(u32, f64)>> = BTreeMap::new();
        for (place, source) in sources.iter().enumerate() {
            let joints = if sees[parts[place] as usize] { &source.visible } else { &source.joints };
            if joints.is_empty() {
                continue;
            }
            let distance = source.distance.max(LEAST_DISTANCE * surface.size);
            let heat = areas[place] * HEAT / (distance * distance);
            let place = place as u32;
            entries.push((place, place, heat));
            let each = heat / joints.len() as f64;
            for &joint in joints {
                right_sides.entry(joint).or_default().push((place, each));
            }
        }
        Self { matrix: SparseMatrix::new(surface.places.len(), entries), right_sides }
    }
}

/// The area around each place: a third of that of its triangles.
fn areas(surface: &Welded) -> Vec<f64> {
    let mut areas = vec![0.0; surface.places.len()];
    for &triangle in &surface.triangles {
        let [a, b, c] = surface.corners(triangle);
        let third = (b - a).cross(c - a).length() / 6.0;
        for place in triangle {
            areas[place as usize] += third;
        }
    }
    areas
}

/// −Δ times the areas: half the cotangents of the two angles across each edge (Pinkall
/// and Polthier, “Computing discrete minimal surfaces and their conjugates”, 1993).
fn stiffness(surface: &Welded) -> Vec<(u32, u32, f64)> {
    let mut entries = Vec::with_capacity(12 * surface.triangles.len());
    for &triangle in &surface.triangles {
        let corners = surface.corners(triangle);
        for at in 0..3 {
            let [one, other] = [(at + 1) % 3, (at + 2) % 3];
            let (p, q) = (corners[one] - corners[at], corners[other] - corners[at]);
            let cotangent = p.dot(q) / p.cross(q).length();
            let half = 0.5 * cotangent.clamp(-STEEPEST, STEEPEST);
            let (one, other) = (triangle[one], triangle[other]);
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

// Bones in the bind pose: straight parts from a joint to each of its children.

/// The bones of a skeleton in bind space, at least one segment a joint.
#[derive(Clone, Debug)]
pub struct BindBones {
    segments: Vec<BoneSegment>,
}

#[derive(Clone, Copy, Debug)]
struct BoneSegment {
    joint: JointIndex,
    from: DVec3,
    to: DVec3,
}

/// The place on a joint's bone that is nearest to a vertex.
#[derive(Clone, Copy, Debug)]
pub(super) struct OnBone {
    pub(super) joint: JointIndex,
    /// In bind space.
    pub(super) point: DVec3,
    /// To the vertex.
    pub(super) distance: f64,
}

impl BindBones {
    /// A joint's bone reaches to each of its children. One without children goes on in
    /// the direction in which the bone before it led, and is as long as that; a joint
    /// all by itself is a point. A joint whose inverse bind matrix has no inverse
    /// stands where its parent does, or at the origin.
    pub fn new(skeleton: &Skeleton) -> Self {
        let joints = skeleton.joints();
        let mut places = vec![DVec3::ZERO; joints.len()];
        let mut is_parent = vec![false; joints.len()];
        for joint in skeleton.walk().map(JointIndex::index) {
            let parent = joints[joint].parent.map(JointIndex::index);
            let bind_from_joint = joints[joint].joint_from_bind.as_dmat4().inverse();
            let place = bind_from_joint.w_axis.truncate();
            let there = parent.map_or(DVec3::ZERO, |parent| places[parent]);
            places[joint] = if place.is_finite() { place } else { there };
            if let Some(parent) = parent {
                is_parent[parent] = true;
            }
        }
        let mut segments = Vec::with_capacity(joints.len());
        for joint in skeleton.indices() {
            let at = joint.index();
            let parent = joints[at].parent.map(JointIndex::index);
            if let Some(parent) = parent {
                segments.push(BoneSegment {
                    joint: JointIndex(parent as u16),
                    from: places[parent],
                    to: places[at],
                });
            }
            if !is_parent[at] {
                let led = parent.map_or(DVec3::ZERO, |parent| places[at] - places[parent]);
                segments.push(BoneSegment { joint, from: places[at], to: places[at] + led });
            }
        }
        segments.sort_by_key(|segment| segment.joint);
        Self { segments }
    }

    /// How many straight parts.
    pub(super) fn segments(&self) -> usize {
        self.segments.len()
    }

    /// The nearest place of every joint's bone, joints in rising order.
    pub(super) fn nearest(&self, to: DVec3) -> impl Iterator<Item = OnBone> + '_ {
        let bones = self.segments.chunk_by(|a, b| a.joint == b.joint);
        bones.filter_map(move |bone| {
            let places = bone.iter().map(|segment| segment.nearest(to));
            places.min_by(|a, b| a.distance.total_cmp(&b.distance))
        })
    }
}

impl BoneSegment {
    fn nearest(&self, to: DVec3) -> OnBone {
        let along = self.to - self.from;
        let part = (to - self.from).dot(along) / along.length_squared();
        // A bone without length is a point.
        let part = if part.is_finite() { part } else { 0.0 };
        let point = self.from + along * part.clamp(0.0, 1.0);
        OnBone { joint: self.joint, point, distance: point.distance(to) }
    }
}
