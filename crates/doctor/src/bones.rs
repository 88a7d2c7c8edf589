//! Bones of a skeleton as line segments, and the distances of vertices from them.

use glam::{DMat4, DVec3};

use super::skinned_vertices::{LaneOrder, SampledVertex};

/// Returns the largest distance of a joint from the mean position, or 1 if all joints are in
/// one place.
pub(super) fn skeleton_radius(world: &[DMat4]) -> f64 {
    let sum: DVec3 = world.iter().map(|matrix| matrix.w_axis.truncate()).sum();
    let center = sum / world.len().max(1) as f64;
    let radius =
        world.iter().map(|matrix| matrix.w_axis.truncate().distance(center)).fold(0.0, f64::max);
    if radius > 1e-9 { radius } else { 1.0 }
}

/// Line segments from joints to their children.
pub(super) struct BoneSegments {
    /// By joint. Leaf joints continue the bone of their parent.
    pub(super) by_joint: Vec<Vec<[DVec3; 2]>>,
    pub(super) skeleton_radius: f64,
}

impl BoneSegments {
    /// Returns `None` if all joints are in one place.
    pub(super) fn new(frames: &[DMat4], parents: &[Option<usize>]) -> Option<Self> {
        let positions: Vec<DVec3> = frames.iter().map(|frame| frame.w_axis.truncate()).collect();
        let skeleton_radius = skeleton_radius(frames);
        let mut by_joint: Vec<Vec<[DVec3; 2]>> = vec![Vec::new(); frames.len()];
        let mut has_length = false;
        for (joint, parent) in parents.iter().enumerate() {
            if let Some(parent) = *parent {
                by_joint[parent].push([positions[parent], positions[joint]]);
                let length = positions[joint].distance(positions[parent]);
                has_length |= length > 1e-3 * skeleton_radius;
            }
        }
        for (joint, parent) in parents.iter().enumerate() {
            if by_joint[joint].is_empty() {
                let direction =
                    parent.map_or(DVec3::ZERO, |parent| positions[joint] - positions[parent]);
                by_joint[joint].push([positions[joint], positions[joint] + direction]);
            }
        }
        has_length.then_some(Self { by_joint, skeleton_radius })
    }

    /// Returns the distance of a position from the bones of a joint, or `None` if there is no
    /// such joint.
    pub(super) fn distance(&self, position: DVec3, joint: usize) -> Option<f64> {
        let segments = self.by_joint.get(joint)?;
        Some(
            segments
                .iter()
                .map(|&segment| distance_from_segment(position, segment))
                .fold(f64::INFINITY, f64::min),
        )
    }

    /// Computes the mean distance of vertices from the bones of their strongest joints,
    /// relative to the size of the skeleton. Returns `None` if a vertex has no joint.
    /// `strongest_joint` and `transform` make the assumption that is tried.
    pub(super) fn mean_distance(
        &self,
        vertices: &[SampledVertex],
        transform: impl Fn(DVec3) -> DVec3,
        strongest_joint: impl Fn(&SampledVertex) -> Option<usize>,
    ) -> Option<f64> {
        let mut sum = 0.0;
        for vertex in vertices {
            sum += self.distance(transform(vertex.position), strongest_joint(vertex)?)?;
        }
        let mean = sum / vertices.len() as f64 / self.skeleton_radius;
        mean.is_finite().then_some(mean)
    }
}

pub(super) fn distance_from_segment(position: DVec3, segment: [DVec3; 2]) -> f64 {
    let [from, to] = segment;
    let direction = to - from;
    let fraction = (position - from).dot(direction) / direction.length_squared();
    let fraction = if fraction.is_finite() { fraction.clamp(0.0, 1.0) } else { 0.0 };
    position.distance(from + fraction * direction)
}

/// Returns the strongest joint of a vertex with the lanes of joints as stored.
pub(super) fn stored_joint(vertex: &SampledVertex) -> Option<usize> {
    vertex.strongest_joint(LaneOrder::AsStored)
}

/// Returns the longest side of the bounding box around vertices as stored.
pub(super) fn mesh_size(vertices: &[SampledVertex]) -> f64 {
    let mut min = DVec3::splat(f64::INFINITY);
    let mut max = DVec3::splat(f64::NEG_INFINITY);
    for vertex in vertices {
        min = min.min(vertex.position);
        max = max.max(vertex.position);
    }
    (max - min).max_element()
}
