//! The mesh as a witness: where nodes and inverse bind matrices contradict each other, stored
//! vertices are near the bones of the correct one.

use glam::DMat4;

use crate::bones::{BoneSegments, mesh_size, stored_joint};
use crate::skinned_vertices::SampledVertex;

/// Minimum number of sampled vertices from which conclusions are drawn.
const MIN_VERTICES: usize = 16;
/// Maximum mean distance of vertices from the bones that they fit, relative to the mesh.
const MAX_FITTING_DISTANCE: f64 = 0.15;
/// Maximum distance from correct bones as a fraction of that from wrong ones.
const MAX_CORRECT_FRACTION: f64 = 0.9;

/// Mean distances of stored vertices from the bones of their strongest joints, relative to the
/// size of the mesh.
#[derive(Clone, Copy, Debug)]
pub(super) struct MeshWitness {
    /// Distance from the bones where the inverse bind matrices have them.
    pub(super) from_binds: f64,
    /// Distance from the bones where the nodes have them, up to a transform common to all.
    /// Infinite if the nodes have all joints in one place.
    pub(super) from_nodes: f64,
}

impl MeshWitness {
    /// `world`: `world_from_joint`. `stored`: `joint_from_bind`. Returns `None` if there are too
    /// few vertices, or if a matrix is singular.
    pub(super) fn new(
        vertices: &[SampledVertex],
        world: &[DMat4],
        stored: &[DMat4],
        parents: &[Option<usize>],
    ) -> Option<Self> {
        if vertices.len() < MIN_VERTICES {
            return None;
        }
        let bind: Vec<DMat4> = stored.iter().map(DMat4::inverse).collect();
        let bind_from_world = (*world.first()? * *stored.first()?).inverse();
        let in_bind_space: Vec<DMat4> =
            world.iter().map(|&world_from_joint| bind_from_world * world_from_joint).collect();
        let from_nodes = [world, in_bind_space.as_slice()]
            .into_iter()
            .filter_map(|frames| distance_from_bones(vertices, frames, parents))
            .fold(f64::INFINITY, f64::min);
        Some(Self { from_binds: distance_from_bones(vertices, &bind, parents)?, from_nodes })
    }

    /// Returns whether the inverse bind matrices are correct, so that the nodes are wrong.
    pub(super) fn contradicts_nodes(&self) -> bool {
        self.from_binds < MAX_FITTING_DISTANCE
            && self.from_binds < MAX_CORRECT_FRACTION * self.from_nodes
    }
}

fn distance_from_bones(
    vertices: &[SampledVertex],
    frames: &[DMat4],
    parents: &[Option<usize>],
) -> Option<f64> {
    let bones = BoneSegments::new(frames, parents)?;
    let relative = bones.mean_distance(vertices, |position| position, stored_joint)?;
    let distance = relative * bones.skeleton_radius / mesh_size(vertices);
    distance.is_finite().then_some(distance)
}
