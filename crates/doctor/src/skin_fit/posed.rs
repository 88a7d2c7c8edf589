//! Meshes that fit their bones in another place than expected: in the rest pose, or between a
//! joint and its parent.

use glam::{DMat4, DVec3};

use super::fit::{MAX_RESIDUAL, MIN_VERTICES, SkinFault, SkinFit};
use crate::bones::{BoneSegments, distance_from_segment, stored_joint};
use crate::catalog as fault;

/// Minimum difference of two distances at which a vertex distinguishes poses, relative to the
/// mesh.
const MIN_POSE_DIFFERENCE: f64 = 0.05;
/// Minimum fraction of vertices that fit the rest pose, of those that distinguish poses.
const MIN_POSED_FRACTION: f64 = 0.85;
/// Minimum number of vertices of a joint from which its end is concluded.
const MIN_JOINT_VERTICES: usize = 6;
/// Minimum number of joints from which wrong ends are concluded.
const MIN_TAIL_JOINTS: usize = 3;
/// Minimum fraction of joints whose vertices are before them.
const MIN_TAIL_FRACTION: f64 = 0.8;
/// Maximum distance from the bone before a joint as a fraction of that from the bone after it.
const MAX_TAIL_DISTANCE: f64 = 0.6;
/// Maximum distance of a vertex ahead of its joint that still counts as before it, relative to
/// the bone.
const MAX_AHEAD: f64 = 0.05;
/// Minimum fraction of the vertices of a last joint that are before it.
const MIN_BEHIND_FRACTION: f64 = 0.85;

/// Finds vertices that are stored in the pose in which the nodes rest, although the inverse bind
/// matrices are those of another pose.
pub(super) fn find_posed_mesh(fit: &SkinFit<'_>, bones: &BoneSegments) -> Option<SkinFault> {
    let rest = &fit.skin.at_rest;
    let root = rest.parents.iter().position(Option::is_none)?;
    let bind_from_world = (rest.world[root] * rest.stored[root]).inverse();
    let posed: Vec<DMat4> = rest.world.iter().map(|&world| bind_from_world * world).collect();
    let posed_bones = BoneSegments::new(&posed, &rest.parents)?;
    let mut posed_count = 0;
    let mut bound_count = 0;
    let mut posed_sum = 0.0;
    let mut bound_sum = 0.0;
    for vertex in &fit.vertices {
        let joint = stored_joint(vertex)?;
        let bound = bones.distance(vertex.position, joint)? / fit.mesh_size;
        let posed = posed_bones.distance(vertex.position, joint)? / fit.mesh_size;
        posed_sum += posed;
        bound_sum += bound;
        if bound - posed > MIN_POSE_DIFFERENCE {
            posed_count += 1;
        } else if posed - bound > MIN_POSE_DIFFERENCE {
            bound_count += 1;
        }
    }
    let count = fit.vertices.len() as f64;
    let is_posed = posed_count >= MIN_VERTICES
        && posed_count as f64 > MIN_POSED_FRACTION * f64::from((posed_count + bound_count) as u32)
        && posed_sum / count < MAX_RESIDUAL;
    is_posed.then(|| SkinFault {
        shown: format!(
            "vertices {:.3} of the mesh’s size from their bones as the nodes rest, {:.3} from \
             them as they were bound, on average; of {} vertices that tell the two apart, \
             {posed_count} fit the rest pose",
            posed_sum / count,
            bound_sum / count,
            posed_count + bound_count
        ),
        ..fit.new_fault(fault::MESH_ALREADY_POSED, "vertices in the pose in which they are bound")
    })
}

/// The vertices of one joint, relative to the bones before and after it.
#[derive(Clone, Copy, Default)]
struct JointVertices {
    count: usize,
    before_sum: f64,
    after_sum: f64,
    behind_count: usize,
}

/// Finds joints at the far ends of their bones: their vertices are between them and their
/// parents.
pub(super) fn find_tails(fit: &SkinFit<'_>, bones: &BoneSegments) -> Option<SkinFault> {
    let rest = &fit.skin.at_rest;
    let positions: Vec<DVec3> =
        rest.stored.iter().map(|stored| stored.inverse().w_axis.truncate()).collect();
    let mut by_joint = vec![JointVertices::default(); positions.len()];
    for vertex in &fit.vertices {
        let joint = stored_joint(vertex)?;
        let Some(parent) = *rest.parents.get(joint)? else {
            continue;
        };
        let (from, to) = (positions[parent], positions[joint]);
        let vertices = &mut by_joint[joint];
        vertices.count += 1;
        vertices.before_sum += distance_from_segment(vertex.position, [from, to]);
        vertices.after_sum += bones.distance(vertex.position, joint)?;
        // The end of a bone may lie exactly at its joint.
        let behind = MAX_AHEAD * (to - from).length_squared();
        vertices.behind_count += usize::from((vertex.position - to).dot(to - from) < behind);
    }
    let mut tail_count = 0;
    let mut joint_count = 0;
    let mut vertex_count = 0;
    let mut before_sum = 0.0;
    let mut after_sum = 0.0;
    for (joint, vertices) in by_joint.iter().enumerate() {
        if vertices.count < MIN_JOINT_VERTICES {
            continue;
        }
        let is_leaf = !rest.parents.contains(&Some(joint));
        if is_leaf && (vertices.behind_count as f64) < MIN_BEHIND_FRACTION * vertices.count as f64 {
            return None;
        }
        joint_count += 1;
        let is_before = vertices.before_sum < MAX_TAIL_DISTANCE * vertices.after_sum;
        tail_count += usize::from(is_before);
        vertex_count += vertices.count;
        before_sum += vertices.before_sum;
        after_sum += vertices.after_sum;
    }
    let scale = 1.0 / (vertex_count.max(1) as f64 * fit.mesh_size);
    let are_tails = tail_count >= MIN_TAIL_JOINTS
        && f64::from(tail_count as u32) >= MIN_TAIL_FRACTION * f64::from(joint_count)
        && before_sum * scale < MAX_RESIDUAL;
    are_tails.then(|| SkinFault {
        shown: format!(
            "vertices {:.2} of the mesh’s size from the bone before their joint, {:.2} from the \
             bone after it, on average; those of the last joints are before them too",
            before_sum * scale,
            after_sum * scale
        ),
        ..fit.new_fault(fault::JOINTS_AT_TAILS, "joints at the near ends of their bones")
    })
}
