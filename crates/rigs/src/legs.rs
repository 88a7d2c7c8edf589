//! Two legs close to each other, to demonstrate computed weights: a vertex near a bone is not
//! always part of the same limb.
//!
//! The legs are one tube, up one leg, over the hips and down the other. They extend along y and
//! face +z, with the left leg at +x.

use std::f64::consts::FRAC_PI_2;

use bindpose_gltf::Rig;
use bindpose_skin::{Influences, SkeletonError};
use glam::{DVec3, Vec3};

use super::mesh_builder::{LoftRing, MeshBuilder, palette_image, rounded_influences, smooth_step};
use super::rig_parts::{angle_param, unturned_skeleton};

/// Distance from the centre to the axis of a leg, and radius of the arc over the hips.
const ASIDE: f64 = 0.5;
/// Height at which the legs end and the hips begin.
const HIPS: f64 = 4.2;
const KNEE: f64 = 2.2;
const SEGMENTS: u32 = 20;
/// Number of rings of each leg, without its foot.
const LEG_RINGS: u32 = 30;
const HIP_RINGS: u32 = 14;
/// Half the length of the blend around a knee.
const BLEND: f64 = 0.4;

pub(crate) fn rig() -> Result<Rig, SkeletonError> {
    let (image, [skin]) = palette_image([[0xC9, 0xA8, 0x8B]]);
    let mut builder = MeshBuilder::default();
    builder.loft(&rings(), SEGMENTS, skin, influences);
    let joints = [
        ("hips", None, 0.0, HIPS + ASIDE),
        ("left thigh", Some(0), ASIDE, HIPS),
        ("left shin", Some(1), ASIDE, KNEE),
        ("right thigh", Some(0), -ASIDE, HIPS),
        ("right shin", Some(3), -ASIDE, KNEE),
    ];
    let skeleton =
        unturned_skeleton(joints.map(|(name, parent, x, y)| {
            (name.to_owned(), parent, DVec3::new(x, y, 0.0).as_vec3())
        }))?;
    Ok(Rig {
        params: vec![
            angle_param("left_out", "left leg out", 1, Vec3::Z, FRAC_PI_2),
            angle_param("left_up", "left leg up", 1, Vec3::NEG_X, FRAC_PI_2),
            angle_param("left_knee", "left knee", 2, Vec3::X, FRAC_PI_2 * 1.5),
            angle_param("right_out", "right leg out", 3, Vec3::NEG_Z, FRAC_PI_2),
            angle_param("right_up", "right leg up", 3, Vec3::NEG_X, FRAC_PI_2),
            angle_param("right_knee", "right knee", 4, Vec3::X, FRAC_PI_2 * 1.5),
        ],
        ..Rig::new("legs", "Legs", skeleton, builder.finish(image))
    })
}

fn leg_radius(height: f64) -> f64 {
    0.3 + 0.13 * smooth_step(0.2, HIPS, height)
}

/// Returns the rings up the right leg, over the hips and down the left leg.
fn rings() -> Vec<LoftRing> {
    let mut up = foot();
    up.extend((1..=LEG_RINGS).map(|step| {
        let height = HIPS * f64::from(step) / f64::from(LEG_RINGS);
        ring(DVec3::new(-ASIDE, height, 0.0), DVec3::Y, leg_radius(height))
    }));
    let mut all = up.clone();
    all.extend((1..HIP_RINGS).map(|step| {
        let angle = 2.0 * FRAC_PI_2 * f64::from(step) / f64::from(HIP_RINGS);
        let (sin, cos) = angle.sin_cos();
        let center = DVec3::new(-ASIDE * cos, HIPS + ASIDE * sin, 0.0);
        ring(center, DVec3::new(sin, cos, 0.0), leg_radius(HIPS))
    }));
    all.extend(up.into_iter().rev().map(|right| LoftRing {
        center: right.center * DVec3::new(-1.0, 1.0, 1.0),
        v: -right.v,
        ..right
    }));
    all
}

/// Returns the rings of a rounded end at y = 0.
fn foot() -> Vec<LoftRing> {
    [(0.0, 0.0), (0.01, 0.6), (0.05, 0.85), (0.1, 1.0)]
        .map(|(height, factor)| {
            let center = DVec3::new(-ASIDE, height, 0.0);
            ring(center, DVec3::Y, factor * leg_radius(0.0))
        })
        .into()
}

/// Returns a ring perpendicular to `along`, the direction of the tube.
fn ring(center: DVec3, along: DVec3, radius: f64) -> LoftRing {
    LoftRing { center, u: DVec3::Z * radius, v: along.cross(DVec3::Z) * radius }
}

/// Returns influences as an artist would paint them: each leg follows its own bones up to the
/// hips.
fn influences(position: DVec3) -> Influences {
    let above = position.y - HIPS;
    let along = if above > 0.0 { HIPS + ASIDE * above.atan2(position.x.abs()) } else { position.y };
    let hips = smooth_step(HIPS - 0.5, HIPS + 0.7, along);
    let thigh = smooth_step(KNEE - BLEND, KNEE + BLEND, along);
    let [thigh_joint, shin_joint] = if position.x > 0.0 { [1, 2] } else { [3, 4] };
    rounded_influences(&[(0, hips), (thigh_joint, thigh * (1.0 - hips)), (shin_joint, 1.0 - thigh)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn legs_are_separate_and_follow_their_own_bones() {
        let rig = rig().unwrap();
        let mesh = &rig.mesh;
        for side in [-1.0, 1.0] {
            let distances = mesh.positions.iter().map(|p| p.x * side).filter(|x| *x > 0.0);
            assert!(distances.fold(f32::INFINITY, f32::min) < 0.1);
        }
        for (position, influences) in mesh.positions.iter().zip(&mesh.influences) {
            for (_, joint, _) in influences.used() {
                let own: &[u16] = if position.x > 0.0 { &[0, 1, 2] } else { &[0, 3, 4] };
                assert!(own.contains(&joint.0), "{position}: {joint:?}");
            }
            if position.y < 3.5 {
                assert!(position.x.abs() > 0.06, "{position}");
            }
        }
    }
}
