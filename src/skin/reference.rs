//! The formulas in float64, written as plainly as possible.
//!
//! Slow on purpose: this is what the fast path and the GPU are compared with.

use glam::{DMat4, DVec3, DVec4};

use super::{Influences, JointIndex, Trs};

/// Local matrix of a TRS, element by element from the quaternion.
#[must_use]
pub fn parent_from_joint(trs: &Trs) -> DMat4 {
    DMat4::from_scale_rotation_translation(
        trs.scale.as_dvec3(),
        trs.rotation.as_dquat().normalize(),
        trs.translation.as_dvec3(),
    )
}

/// World matrix of one joint by walking up to the root.
#[must_use]
pub fn world_from_joint(
    joint: JointIndex,
    parents: &[Option<JointIndex>],
    parent_from_joint: &[DMat4],
) -> DMat4 {
    let mut product = parent_from_joint[joint.at()];
    let mut next = parents[joint.at()];
    while let Some(parent) = next {
        product = parent_from_joint[parent.at()] * product;
        next = parents[parent.at()];
    }
    product
}

/// One vertex by the textbook: move a copy by each joint, weigh, add.
#[must_use]
pub fn skin_position(
    position_in_bind: DVec3,
    influences: &Influences,
    world_from_bind: &[DMat4],
) -> DVec3 {
    let mut sum = DVec4::ZERO;
    for (_, joint, weight) in influences.used() {
        let copy_in_world = world_from_bind[joint.at()] * position_in_bind.extend(1.0);
        sum += copy_in_world * f64::from(weight);
    }
    sum.truncate()
}

/// One normal by the inverse transpose of the skin matrix.
#[must_use]
pub fn skin_normal(
    normal_in_bind: DVec3,
    influences: &Influences,
    world_from_bind: &[DMat4],
) -> DVec3 {
    let mut skin_matrix = DMat4::ZERO;
    for (_, joint, weight) in influences.used() {
        skin_matrix += world_from_bind[joint.at()] * f64::from(weight);
    }
    let inverse_transpose = skin_matrix.inverse().transpose();
    (inverse_transpose * normal_in_bind.extend(0.0))
        .truncate()
        .normalize_or_zero()
}
