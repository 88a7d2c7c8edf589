//! Weights from distances alone.

use glam::DVec3;

use super::bones::{BindBones, OnBone};
use crate::JointIndex;

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
