//! Two legs close to each other, for weights that are worked out: what is near a bone is
//! not always part of the same limb.
//!
//! One tube leads up one leg, over the hips and down the other. They stand along y and
//! face +z; their own left is at +x.

use std::f64::consts::{FRAC_PI_2, TAU};

use bindpose_skin::{Influences, LANES, SkeletonError};
use glam::{DVec3, Vec3};

use super::mesh_builder::{LoftRing, MeshBuilder, palette, smooth_step, weights, weights_in};
use super::rig_parts::{angle, bend, unturned_chain, unturned_skeleton};
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

// A tentacle whose skin follows up to eight joints, five at least but for its
// ends: more than one set of four lanes holds.

const JOINTS: u16 = 12;
/// Distance from joint to joint.
const SPACING: f64 = 0.36;
/// A joint reaches this many spacings to either side of the middle of its
/// segment, so that eight of them meet at any place.
const REACH: f64 = 4.0;
const RINGS: u32 = 60;
const TENTACLE_SEGMENTS: u32 = 24;
/// Pairs of suckers.
const SUCKERS: u32 = 15;

pub(super) fn tentacle_rig() -> Result<Rig, SkeletonError> {
    let positions = (0..JOINTS).map(|index| (DVec3::Y * (SPACING * f64::from(index))).as_vec3());
    let skeleton = unturned_chain("segment", positions)?;
    Ok(Rig {
        params: (0..JOINTS).map(|joint| bend(joint, FRAC_PI_2)).collect(),
        ..Rig::new("tentacle", "Tentacle", skeleton, mesh())
    })
}

fn mesh() -> crate::Mesh {
    let (image, [skin, cup]) = palette([[0xB8, 0x5C, 0x62], [0xEC, 0xCB, 0xB4]]);
    let mut builder = MeshBuilder::default();
    builder.loft(&body(), TENTACLE_SEGMENTS, skin, |position| tentacle_influences(position.y));
    for index in 0..SUCKERS {
        // Closer to each other as they get smaller.
        let along = 1.0 - (1.0 - (f64::from(index) + 0.6) / f64::from(SUCKERS)).powf(1.25);
        let height = length() * (0.02 + 0.9 * along);
        for side in [-1.0, 1.0] {
            builder.loft(&sucker(height, side), 12, cup, |_| tentacle_influences(height));
        }
    }
    builder.finish(image)
}

fn length() -> f64 {
    SPACING * f64::from(JOINTS)
}

fn tentacle_radius(height: f64) -> f64 {
    let along = (height / length()).clamp(0.0, 1.0);
    let foot = 0.16 * (1.0 - smooth_step(0.0, 0.14, along));
    0.4 * (1.0 - along).powf(0.8) + 0.035 + foot
}

/// From the foot to the tip, which is half a ball.
fn body() -> Vec<LoftRing> {
    let ring = |height: f64, radius: f64| LoftRing {
        center: DVec3::Y * height,
        u: DVec3::Z * radius,
        v: DVec3::X * radius,
    };
    let mut rings = vec![ring(0.0, 0.0), ring(0.0, 0.9 * tentacle_radius(0.0))];
    rings.extend((0..RINGS).map(|step| {
        let height = 0.02 + (length() - 0.02) * f64::from(step) / f64::from(RINGS - 1);
        ring(height, tentacle_radius(height))
    }));
    let tip = tentacle_radius(length());
    rings.extend((1..=4).map(|step| {
        let (sin, cos) = (FRAC_PI_2 * f64::from(step) / 4.0).sin_cos();
        ring(length() + tip * sin, if step == 4 { 0.0 } else { tip * cos })
    }));
    rings
}

/// A cup on the side to which positive angles bend: −x.
fn sucker(height: f64, side: f64) -> Vec<LoftRing> {
    let body = tentacle_radius(height);
    let (sin, cos) = (side * 0.075 * TAU).sin_cos();
    let outward = DVec3::new(-cos, 0.0, sin);
    let across = DVec3::new(sin, 0.0, cos);
    let size = 0.27 * body + 0.012;
    [(-0.5, 1.0), (0.18, 1.0), (0.34, 0.84), (0.34, 0.66), (0.12, 0.5), (0.08, 0.0)]
        .into_iter()
        .map(|(out, wide)| LoftRing {
            center: DVec3::Y * height + outward * (body + size * out),
            u: across * (size * wide),
            v: outward.cross(across) * (size * wide),
        })
        .collect()
}

/// All joints within reach of a height, nearer ones more.
fn tentacle_influences(height: f64) -> Influences {
    let along = height / SPACING;
    let pairs: Vec<(u16, f64)> = (0..JOINTS)
        .map(|joint| {
            let off = (along - f64::from(joint) - 0.5) / REACH;
            (joint, (1.0 - off * off).max(0.0).powi(3))
        })
        .filter(|&(_, weight)| weight > 0.0)
        .collect();
    weights_in(LANES, &pairs)
}

#[cfg(test)]
mod tests {

    use bindpose_skin::SET_LANES;

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

    #[test]
    fn most_vertices_need_the_second_set_of_lanes() {
        let mesh = mesh();
        let with = |least: usize| {
            let used = mesh.influences.iter().filter(|one| one.lanes() >= least);
            used.count() as f64 / mesh.influences.len() as f64
        };
        assert!(with(SET_LANES + 1) > 0.8, "{}", with(SET_LANES + 1));
        assert!(with(LANES) > 0.2, "{}", with(LANES));
        for influences in &mesh.influences {
            assert!(influences.lanes() >= SET_LANES);
            assert_eq!(influences.sum(), 1.0);
        }
    }
}
