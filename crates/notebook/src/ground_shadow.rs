//! Soft shadow on the ground below a model. Approximated by discs, one or a few for each joint,
//! which costs little on any device and follows every pose.

use std::cell::RefCell;
use std::sync::{Arc, Weak};

use bindpose_gltf::{Mesh, Rig};
use glam::{Mat4, Vec3};

use crate::model_bounds::longest_side;

/// Maximum number of discs, the size of the array in the shader.
pub const MAX_SHADOW_DISCS: usize = 48;
/// Maximum number of discs for one joint, along the longest side of its part of the mesh.
const MAX_DISCS_PER_JOINT: usize = 5;
/// Maximum number of vertices of which the parts are measured.
const MAX_MEASURED_VERTICES: usize = 16_384;
/// Opacity of a disc whose part touches the ground.
const CONTACT_OPACITY: f32 = 0.34;
/// Distance of the ground below the lowest vertex, relative to the size of the model.
const GROUND_GAP: f32 = 0.02;
/// Growth of a disc's radius with the height of its part.
const SPREAD_PER_HEIGHT: f32 = 0.35;
/// Ratio of a disc's radius to the standard deviation of its part.
const RADIUS_PER_DEVIATION: f32 = 2.0;

/// Shadow on the ground. The discs darken it, one over the other.
#[derive(Clone, Debug, PartialEq)]
pub struct GroundShadow {
    /// Height of the ground, in world units.
    pub ground_y: f32,
    /// Discs as x and z of the centre, radius, and opacity. Lengths are in world units.
    pub discs: Vec<[f32; 4]>,
}

/// A part of the mesh that follows one joint.
#[derive(Clone, Copy, Debug)]
struct MeshPart {
    joint: usize,
    center_in_bind: Vec3,
    /// Standard deviation of its vertices from the centre.
    deviation: f32,
    vertex_count: usize,
}

/// Meshes with their parts.
type MeasuredMeshes = Vec<(Weak<Mesh>, Arc<[MeshPart]>)>;

thread_local! {
    /// Cache, because measuring a large mesh in every frame would be too slow.
    static PARTS: RefCell<MeasuredMeshes> = const { RefCell::new(Vec::new()) };
}

impl GroundShadow {
    /// Computes the shadow of a model in a pose. `bounds` is the box that it moves in.
    pub(super) fn new(rig: &Rig, palette: &[Mat4], bounds: (Vec3, Vec3)) -> Self {
        let size = longest_side(bounds).max(f32::MIN_POSITIVE);
        let ground_y = bounds.0.y - GROUND_GAP * size;
        let discs = mesh_parts(&rig.mesh)
            .iter()
            .filter_map(|part| {
                let center = palette.get(part.joint)?.transform_point3(part.center_in_bind);
                let height = (center.y - part.deviation - ground_y).max(0.0);
                let radius = RADIUS_PER_DEVIATION * part.deviation + SPREAD_PER_HEIGHT * height;
                let opacity = CONTACT_OPACITY / (1.0 + 4.0 * height / size);
                center.is_finite().then_some([center.x, center.z, radius, opacity])
            })
            .collect();
        Self { ground_y, discs }
    }
}

fn mesh_parts(mesh: &Arc<Mesh>) -> Arc<[MeshPart]> {
    let this = Arc::downgrade(mesh);
    let known = PARTS.with_borrow(|meshes| {
        let mut found = meshes.iter().filter(|(other, _)| other.ptr_eq(&this));
        found.next().map(|(_, parts)| Arc::clone(parts))
    });
    known.unwrap_or_else(|| {
        let parts: Arc<[MeshPart]> = measure_parts(mesh).into();
        PARTS.with_borrow_mut(|meshes| {
            meshes.retain(|(other, _)| other.strong_count() > 0);
            meshes.push((this, Arc::clone(&parts)));
        });
        parts
    })
}

/// Divides the mesh by the strongest joint of each vertex, and long parts along their longest
/// side. Returns the parts with the most vertices.
fn measure_parts(mesh: &Mesh) -> Vec<MeshPart> {
    let every = mesh.positions.len().div_ceil(MAX_MEASURED_VERTICES).max(1);
    let mut by_joint: Vec<Vec<Vec3>> = Vec::new();
    let vertices = mesh.positions.iter().zip(mesh.influences.iter()).step_by(every);
    for (&position, influences) in vertices.filter(|(position, _)| position.is_finite()) {
        let joint = influences.strongest().index();
        if by_joint.len() <= joint {
            by_joint.resize(joint + 1, Vec::new());
        }
        by_joint[joint].push(position);
    }
    let mut parts: Vec<MeshPart> = Vec::new();
    for (joint, positions) in by_joint.iter().enumerate().filter(|(_, it)| !it.is_empty()) {
        parts.extend(divide_part(joint, positions));
    }
    parts.sort_by_key(|part| std::cmp::Reverse(part.vertex_count));
    parts.truncate(MAX_SHADOW_DISCS);
    parts
}

fn divide_part(joint: usize, positions: &[Vec3]) -> Vec<MeshPart> {
    let low = positions.iter().copied().fold(Vec3::INFINITY, Vec3::min);
    let high = positions.iter().copied().fold(Vec3::NEG_INFINITY, Vec3::max);
    let sides = high - low;
    let axis = sides.max_position();
    let longest = sides[axis];
    let others = (sides.element_sum() - longest) * 0.5;
    let slice_count = (longest / others.max(longest * 0.01)).round();
    let slice_count = (slice_count as usize).clamp(1, MAX_DISCS_PER_JOINT);
    let mut slices = vec![Vec::new(); slice_count];
    for &position in positions {
        let along = (position[axis] - low[axis]) / longest.max(f32::MIN_POSITIVE);
        slices[((along * slice_count as f32) as usize).min(slice_count - 1)].push(position);
    }
    let filled = slices.iter().filter(|slice| !slice.is_empty());
    filled
        .map(|slice| {
            let count = slice.len() as f32;
            let center_in_bind = slice.iter().sum::<Vec3>() / count;
            let squares: f32 = slice.iter().map(|at| at.distance_squared(center_in_bind)).sum();
            let deviation = (squares / count).sqrt();
            MeshPart { joint, center_in_bind, deviation, vertex_count: slice.len() }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use bindpose_rigs::builtin;

    use super::*;
    use crate::rest_bounds;

    #[test]
    fn shadow_is_below_the_model_and_follows_its_joints() {
        let whale = builtin("whale").unwrap();
        let bounds = rest_bounds(&whale);
        let rest = whale.world_from_bind(|_| None);
        let shadow = GroundShadow::new(&whale, &rest, bounds);
        assert!(shadow.ground_y < bounds.0.y);
        assert!(shadow.discs.len() > 4 && shadow.discs.len() <= MAX_SHADOW_DISCS);
        for [x, z, radius, opacity] in &shadow.discs {
            assert!(*x > bounds.0.x && *x < bounds.1.x && *z > bounds.0.z && *z < bounds.1.z);
            assert!(*radius > 0.0 && *opacity > 0.0 && *opacity <= CONTACT_OPACITY);
        }
        let raised: Vec<Mat4> =
            rest.iter().map(|matrix| Mat4::from_translation(Vec3::Y) * *matrix).collect();
        let higher = GroundShadow::new(&whale, &raised, bounds);
        for (low, high) in shadow.discs.iter().zip(&higher.discs) {
            assert!(high[2] > low[2] && high[3] < low[3], "wider and fainter: {low:?} {high:?}");
        }
    }
}
