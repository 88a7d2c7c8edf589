//! Two legs close to each other, for weights that are worked out: what is near a bone is
//! not always part of the same limb.
//!
//! One tube leads up one leg, over the hips and down the other. They stand along y and
//! face +z; their own left is at +x.

use std::f64::consts::FRAC_PI_2;

use bindpose_skin::{Influences, SkeletonError};
use glam::{DVec3, Vec3};

use super::mesh_builder::{LoftRing, MeshBuilder, palette, smooth_step, weights};
use super::params::angle;
use super::unturned::unturned_skeleton;
use crate::Rig;

/// From the middle to the axis of a leg, and from there to the top of the hips.
const ASIDE: f64 = 0.5;
/// Where the legs end and the hips begin.
const HIPS: f64 = 4.2;
const KNEE: f64 = 2.2;
const SEGMENTS: u32 = 20;
/// Of each leg, without its foot.
const LEG_RINGS: u32 = 30;
const HIP_RINGS: u32 = 14;
/// Half the length of the blend around a knee.
const BLEND: f64 = 0.4;

pub(super) fn rig() -> Result<Rig, SkeletonError> {
    let (image, [skin]) = palette([[0xC9, 0xA8, 0x8B]]);
    let mut builder = MeshBuilder::default();
    builder.loft(&rings(), SEGMENTS, skin, influences);
    let at = |x: f64, y: f64| DVec3::new(x, y, 0.0).as_vec3();
    let joint = |name: &str, parent, place| (name.to_owned(), parent, place);
    let skeleton = unturned_skeleton([
        joint("hips", None, at(0.0, HIPS + ASIDE)),
        joint("left thigh", Some(0), at(ASIDE, HIPS)),
        joint("left shin", Some(1), at(ASIDE, KNEE)),
        joint("right thigh", Some(0), at(-ASIDE, HIPS)),
        joint("right shin", Some(3), at(-ASIDE, KNEE)),
    ])?;
    Ok(Rig {
        params: vec![
            angle("left_out", "left leg out", 1, Vec3::Z, FRAC_PI_2),
            angle("left_up", "left leg up", 1, Vec3::NEG_X, FRAC_PI_2),
            angle("left_knee", "left knee", 2, Vec3::X, FRAC_PI_2 * 1.5),
            angle("right_out", "right leg out", 3, Vec3::NEG_Z, FRAC_PI_2),
            angle("right_up", "right leg up", 3, Vec3::NEG_X, FRAC_PI_2),
            angle("right_knee", "right knee", 4, Vec3::X, FRAC_PI_2 * 1.5),
        ],
        ..Rig::new("legs", "Legs", skeleton, builder.finish(image))
    })
}

/// Half the thickness at a height.
fn radius(height: f64) -> f64 {
    0.3 + 0.13 * smooth_step(0.2, HIPS, height)
}

/// Up the right leg, over the hips, down the left one.
fn rings() -> Vec<LoftRing> {
    let mut up = foot();
    up.extend((1..=LEG_RINGS).map(|step| {
        let height = HIPS * f64::from(step) / f64::from(LEG_RINGS);
        ring(DVec3::new(-ASIDE, height, 0.0), DVec3::Y, radius(height))
    }));
    let mut all = up.clone();
    all.extend((1..HIP_RINGS).map(|step| {
        let turned = 2.0 * FRAC_PI_2 * f64::from(step) / f64::from(HIP_RINGS);
        let (sin, cos) = turned.sin_cos();
        let center = DVec3::new(-ASIDE * cos, HIPS + ASIDE * sin, 0.0);
        ring(center, DVec3::new(sin, cos, 0.0), radius(HIPS))
    }));
    all.extend(up.into_iter().rev().map(|of_right| LoftRing {
        center: of_right.center * DVec3::new(-1.0, 1.0, 1.0),
        v: -of_right.v,
        ..of_right
    }));
    all
}

/// A rounded end at y = 0.
fn foot() -> Vec<LoftRing> {
    [(0.0, 0.0), (0.01, 0.6), (0.05, 0.85), (0.1, 1.0)]
        .map(|(height, part)| {
            let center = DVec3::new(-ASIDE, height, 0.0);
            ring(center, DVec3::Y, part * radius(0.0))
        })
        .into()
}

/// At a right angle to the way of the tube, `along`.
fn ring(center: DVec3, along: DVec3, radius: f64) -> LoftRing {
    LoftRing { center, u: DVec3::Z * radius, v: along.cross(DVec3::Z) * radius }
}

/// As somebody would paint them: a leg follows its own bones, up to the hips.
fn influences(position: DVec3) -> Influences {
    let above = position.y - HIPS;
    let along = if above > 0.0 { HIPS + ASIDE * above.atan2(position.x.abs()) } else { position.y };
    let hips = smooth_step(HIPS - 0.5, HIPS + 0.7, along);
    let thigh = smooth_step(KNEE - BLEND, KNEE + BLEND, along);
    let [of_thigh, of_shin] = if position.x > 0.0 { [1, 2] } else { [3, 4] };
    weights(&[(0, hips), (of_thigh, thigh * (1.0 - hips)), (of_shin, 1.0 - thigh)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_leg_follows_its_own_bones_and_both_stand_apart() {
        let rig = rig().unwrap();
        let mesh = &rig.mesh;
        let near = |side: f32| {
            let aside = mesh.positions.iter().map(|p| p.x * side);
            aside.filter(|x| *x > 0.0).fold(f32::INFINITY, f32::min)
        };
        assert!(near(1.0) < 0.1 && near(-1.0) < 0.1);
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
