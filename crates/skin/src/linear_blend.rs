//! Linear blend skinning: the weighted sum of joint matrices transforms the vertex.
//!
//! Magnenat-Thalmann, Laperrière, Thalmann, "Joint-dependent local deformations
//! for hand animation and object grasping", Graphics Interface 1988; in the
//! form of glTF 2.0, section 3.7.3.
//!
//! The functions for one vertex work on columns and are always inlined. The browser build
//! is optimized for size, where passing matrices by value and closures through memory made
//! them six times slower.

#![expect(clippy::inline_always, reason = "see above")]

use glam::{Mat4, Vec3, Vec4};

use super::{Influences, JointIndex, LANES};

/// Computes the joint matrices `world_from_bind = world_from_joint * joint_from_bind`, one
/// per joint (glTF 2.0, section 3.7.3.1).
///
/// `joint_from_bind` holds the inverse bind matrices. The result is as long as the shorter
/// of the two slices.
pub fn joint_matrices(world_from_joint: &[Mat4], joint_from_bind: &[Mat4]) -> Vec<Mat4> {
    world_from_joint
        .iter()
        .zip(joint_from_bind)
        .map(|(&world_from_joint, &joint_from_bind)| world_from_joint * joint_from_bind)
        .collect()
}

/// Computes the skin matrix of one vertex: `Σ wᵢ · world_from_bind[jᵢ]`.
///
/// A joint index past the palette counts as the identity, as if that joint had not moved.
/// Loaders reject such data, but a learner may type it.
pub fn skin_matrix(influences: &Influences, world_from_bind: &[Mat4]) -> Mat4 {
    let mut sum = Mat4::ZERO;
    for lane in 0..LANES {
        let weight = influences.weights[lane];
        if weight != 0.0 {
            add_weighted(&mut sum, influences.joints[lane], weight, world_from_bind);
        }
    }
    sum
}

/// Computes [`skin_matrix`] for any number of influences.
pub fn skin_matrix_of(
    influences: impl IntoIterator<Item = (JointIndex, f32)>,
    world_from_bind: &[Mat4],
) -> Mat4 {
    let mut sum = Mat4::ZERO;
    for (joint, weight) in influences {
        add_weighted(&mut sum, joint, weight, world_from_bind);
    }
    sum
}

#[inline(always)]
fn add_weighted(sum: &mut Mat4, joint: JointIndex, weight: f32, world_from_bind: &[Mat4]) {
    let matrix = world_from_bind.get(joint.index()).unwrap_or(&Mat4::IDENTITY);
    let weight = Vec4::splat(weight);
    sum.x_axis += matrix.x_axis * weight;
    sum.y_axis += matrix.y_axis * weight;
    sum.z_axis += matrix.z_axis * weight;
    sum.w_axis += matrix.w_axis * weight;
}

/// Transforms a position by a skin matrix. Does not divide by Σw, so that a sum other than
/// 1 is visible.
#[inline(always)]
pub fn moved_position(world_from_bind: &Mat4, position_in_bind: Vec3) -> Vec3 {
    let Mat4 { x_axis, y_axis, z_axis, w_axis } = *world_from_bind;
    let Vec3 { x, y, z } = position_in_bind;
    (x_axis * x + y_axis * y + z_axis * z + w_axis).truncate()
}

/// Computes one skinned position in world space. Does not divide by Σw, so that a sum other
/// than 1 is visible.
pub fn skin_position(
    position_in_bind: Vec3,
    influences: &Influences,
    world_from_bind: &[Mat4],
) -> Vec3 {
    moved_position(&skin_matrix(influences, world_from_bind), position_in_bind)
}

/// Computes all skinned positions in world space. The result is as long as the shorter of
/// `positions_in_bind` and `influences`.
pub fn skin_positions(
    positions_in_bind: &[Vec3],
    influences: &[Influences],
    world_from_bind: &[Mat4],
) -> Vec<Vec3> {
    positions_in_bind
        .iter()
        .zip(influences)
        .map(|(&position, influences)| skin_position(position, influences, world_from_bind))
        .collect()
}
