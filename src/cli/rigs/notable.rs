//! Vertices that a lesson may want to name: extremes along the axes, those at joints, those that
//! joints share, and rings around limbs.

use std::f32::consts::TAU;

use bindpose_gltf::Rig;
use glam::Vec3;
use serde::Serialize;

const MIN_RING_VERTICES: usize = 6;
const MAX_RING_VERTICES: usize = 512;
const MAX_RINGS: usize = 100;
/// Maximum number of distances between joints and vertices. Joints beyond it have no notable
/// vertex, because a file may have tens of thousands of joints and millions of vertices.
const MAX_DISTANCES: usize = 100_000_000;
/// Maximum distance of vertices of a ring from its plane.
const PLANE_TOLERANCE: f32 = 1e-4;

#[derive(Debug, PartialEq, Serialize)]
pub(super) struct NotableVertex {
    pub(super) vertex: usize,
    pub(super) position_in_bind: [f32; 3],
    /// The reason, such as `most y`, `nearest to joint 1` or `shared most, by joints 0 and 1`.
    pub(super) why: String,
}

/// A range of vertices that lie in a plane across an axis and go once around it.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct VertexRing {
    pub(super) first: usize,
    /// Index of the last vertex, inclusive.
    pub(super) last: usize,
    /// `x`, `y` or `z`.
    pub(super) axis: char,
    /// Coordinate of the plane on the axis.
    pub(super) at: f32,
}

pub(super) const AXES: [char; 3] = ['x', 'y', 'z'];

impl NotableVertex {
    fn new(rig: &Rig, vertex: usize, why: String) -> Self {
        let position = rig.mesh.positions.get(vertex).copied().unwrap_or_default();
        Self { vertex, position_in_bind: position.to_array(), why }
    }
}

pub(super) fn find_notable_vertices(rig: &Rig) -> Vec<NotableVertex> {
    let positions = &rig.mesh.positions;
    let mut notable = Vec::new();
    for (axis, name) in AXES.into_iter().enumerate() {
        if let Some(vertex) = find_min_by(positions, |position| position[axis]) {
            notable.push(NotableVertex::new(rig, vertex, format!("least {name}")));
        }
        if let Some(vertex) = find_min_by(positions, |position| -position[axis]) {
            notable.push(NotableVertex::new(rig, vertex, format!("most {name}")));
        }
    }
    let max_joints = MAX_DISTANCES / positions.len().max(1);
    for (index, joint) in rig.skeleton.joints().iter().take(max_joints).enumerate() {
        let joint_position = position_in_bind(joint.joint_from_bind);
        let nearest = find_min_by(positions, |position| position.distance(joint_position));
        if let Some(vertex) = nearest {
            notable.push(NotableVertex::new(rig, vertex, format!("nearest to joint {index}")));
        }
    }
    notable.extend(find_most_shared_vertex(rig));
    notable
}

/// Returns the vertex with the largest second weight, the first one of equals. Returns `None` if no
/// vertex has two joints.
fn find_most_shared_vertex(rig: &Rig) -> Option<NotableVertex> {
    let mut max_second_weight = f32::NEG_INFINITY;
    let mut most_shared = None;
    for vertex in 0..rig.mesh.positions.len() {
        let Some(influences) = rig.mesh.influences.get(vertex) else { continue };
        let mut used: Vec<(f32, u16)> =
            influences.used().map(|(_, joint, weight)| (weight, joint.0)).collect();
        used.sort_by(|a, b| b.0.total_cmp(&a.0));
        let [(_, first_joint), (second_weight, second_joint), ..] = used[..] else { continue };
        if second_weight > max_second_weight {
            max_second_weight = second_weight;
            most_shared = Some((vertex, first_joint, second_joint));
        }
    }
    let (vertex, a, b) = most_shared?;
    let why = format!("shared most, by joints {} and {}", a.min(b), a.max(b));
    Some(NotableVertex::new(rig, vertex, why))
}

/// Returns the position of a joint from its inverse bind matrix, or the origin if the matrix cannot
/// be inverted.
pub(super) fn position_in_bind(joint_from_bind: glam::Mat4) -> Vec3 {
    let position = joint_from_bind.inverse().w_axis.truncate();
    if position.is_finite() { position } else { Vec3::ZERO }
}

/// Returns the index of the position with the smallest key, the first one of equals.
fn find_min_by(positions: &[Vec3], key: impl Fn(Vec3) -> f32) -> Option<usize> {
    positions
        .iter()
        .enumerate()
        .min_by(|(_, a), (_, b)| key(**a).total_cmp(&key(**b)))
        .map(|(vertex, _)| vertex)
}

/// Finds maximal ranges of vertices that form rings around an axis, each vertex in at most one.
pub(super) fn find_rings(positions: &[Vec3]) -> Vec<VertexRing> {
    let mut rings = Vec::new();
    let mut first = 0;
    while first < positions.len() && rings.len() < MAX_RINGS {
        // The longest range in a plane across any axis. The last axis wins a tie.
        let mut count = 0;
        let mut axis = 0;
        for candidate in 0..3 {
            let length = coplanar_count(&positions[first..], candidate);
            if length >= count {
                count = length;
                axis = candidate;
            }
        }
        let vertices = &positions[first..first + count];
        let is_ring = (MIN_RING_VERTICES..=MAX_RING_VERTICES).contains(&count)
            && is_full_turn(vertices, axis);
        if is_ring {
            rings.push(VertexRing {
                first,
                last: first + count - 1,
                axis: AXES[axis],
                at: vertices[0][axis],
            });
            first += count;
        } else {
            first += 1;
        }
    }
    rings
}

/// Counts the vertices at the beginning of the list that lie in a plane across the axis. Stops one
/// past the maximum size of a ring.
fn coplanar_count(positions: &[Vec3], axis: usize) -> usize {
    positions
        .iter()
        .take(MAX_RING_VERTICES + 1)
        .take_while(|position| (position[axis] - positions[0][axis]).abs() < PLANE_TOLERANCE)
        .count()
}

/// Returns whether vertices in a plane across the axis go around their center once, apart from the
/// step from the last to the first.
fn is_full_turn(vertices: &[Vec3], axis: usize) -> bool {
    let center = vertices.iter().sum::<Vec3>() / vertices.len() as f32;
    let u = (axis + 1) % 3;
    let v = (axis + 2) % 3;
    let mut total_turn = 0.0;
    for pair in vertices.windows(2) {
        let [from, to] = [pair[0], pair[1]]
            .map(|position| (position[v] - center[v]).atan2(position[u] - center[u]));
        let turn = to - from;
        // Wrap to the shorter way around.
        total_turn += turn - (turn / TAU).round() * TAU;
    }
    let closing_step = TAU / vertices.len() as f32;
    (total_turn.abs() + closing_step - TAU).abs() < 0.5 * closing_step + 0.2
}

#[cfg(test)]
mod tests {
    use bindpose_rigs::builtin;

    use super::*;

    #[test]
    fn the_arm_has_rings_along_x_and_is_shared_in_the_middle() {
        let arm = builtin("arm").unwrap();
        let rings = find_rings(&arm.mesh.positions);
        assert!(rings.len() > 30, "{}", rings.len());
        assert!(rings.iter().all(|ring| ring.axis == 'x' && ring.last - ring.first == 23));
        assert!(rings.iter().any(|ring| (ring.at - 2.0).abs() < 1e-6));
        let notable = find_notable_vertices(&arm);
        let shared = notable.last().unwrap();
        assert_eq!(shared.why, "shared most, by joints 0 and 1");
        assert_eq!(shared.position_in_bind[0], 2.0);
        let reasons: Vec<&str> = notable.iter().map(|vertex| vertex.why.as_str()).collect();
        assert!(reasons.contains(&"most x") && reasons.contains(&"nearest to joint 1"));
    }

    #[test]
    fn grids_and_coinciding_vertices_have_no_rings() {
        let grid = builtin("bone_grid").unwrap();
        assert_eq!(find_rings(&grid.mesh.positions), []);
        assert_eq!(find_rings(&[]), []);
        assert_eq!(find_rings(&[Vec3::ZERO; 50]), [], "all in one place");
    }
}
