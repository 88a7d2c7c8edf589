//! The weights of a whole mesh, worked out in pieces.

use glam::Vec3;

use super::bones::BindBones;
use super::by_distance::{inverse_distance, nearest_joint};
use super::conjugate_gradients::ConjugateGradients;
use super::heat::{Equations, source};
use super::segment_tree::SegmentTree;
use super::sparse::SIDES;
use super::welded::Welded;
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
    let step = SIDES * (equations.matrix.entries() + 8 * places);
    let all: Vec<_> = equations.right_sides.iter().collect();
    for (nth, some) in all.chunks(SIDES).enumerate() {
        let mut right = vec![[0.0; SIDES]; places];
        for (side, (_, heat)) in some.iter().enumerate() {
            for &(place, heat) in *heat {
                right[place as usize][side] = heat;
            }
        }
        solver.begin(&right);
        let done = PREPARED + (1.0 - PREPARED) * (nth * SIDES) as f32 / joints as f32;
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
