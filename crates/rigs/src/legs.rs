//! Two legs close to each other, to demonstrate computed weights: a vertex near a bone is not
//! always part of the same limb. Also a tentacle with up to eight influences per vertex.
//!
//! The legs are one tube, up one leg, over the hips and down the other. They extend along y and
//! face +z, with the left leg at +x.

use std::f64::consts::{FRAC_PI_2, TAU};

use bindpose_gltf::{Mesh, Rig};
use bindpose_skin::{Influences, LANES, SkeletonError};
use glam::{DVec3, Vec3};

use super::mesh_builder::{LoftRing, MeshBuilder, palette, smooth_step, weights, weights_in};
use super::rig_parts::{angle, bend, unturned_chain, unturned_skeleton};

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
    let (image, [skin]) = palette([[0xC9, 0xA8, 0x8B]]);
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
    weights(&[(0, hips), (thigh_joint, thigh * (1.0 - hips)), (shin_joint, 1.0 - thigh)])
}

// A tentacle with up to eight influences per vertex, and at least five except at its ends, so that
// one set of four lanes is not enough.

const JOINTS: u16 = 12;
/// Distance between two joints.
const SPACING: f64 = 0.36;
/// Distance from the middle of a joint's segment at which its influence ends, in spacings. Eight
/// joints have influence at any height.
const REACH: f64 = 4.0;
const RINGS: u32 = 60;
const TENTACLE_SEGMENTS: u32 = 24;
const SUCKER_PAIRS: u32 = 15;

pub(crate) fn tentacle_rig() -> Result<Rig, SkeletonError> {
    let positions = (0..JOINTS).map(|index| (DVec3::Y * (SPACING * f64::from(index))).as_vec3());
    let skeleton = unturned_chain("segment", positions)?;
    Ok(Rig {
        params: (0..JOINTS).map(|joint| bend(joint, FRAC_PI_2)).collect(),
        ..Rig::new("tentacle", "Tentacle", skeleton, tentacle_mesh())
    })
}

fn tentacle_mesh() -> Mesh {
    let (image, [skin, cup]) = palette([[0xB8, 0x5C, 0x62], [0xEC, 0xCB, 0xB4]]);
    let mut builder = MeshBuilder::default();
    builder.loft(&tentacle_rings(), TENTACLE_SEGMENTS, skin, |position| {
        tentacle_influences(position.y)
    });
    for index in 0..SUCKER_PAIRS {
        // The distance between suckers decreases with their size.
        let along = 1.0 - (1.0 - (f64::from(index) + 0.6) / f64::from(SUCKER_PAIRS)).powf(1.25);
        let height = tentacle_length() * (0.02 + 0.9 * along);
        for side in [-1.0, 1.0] {
            builder.loft(&sucker_rings(height, side), 12, cup, |_| tentacle_influences(height));
        }
    }
    builder.finish(image)
}

fn tentacle_length() -> f64 {
    SPACING * f64::from(JOINTS)
}

fn tentacle_radius(height: f64) -> f64 {
    let along = (height / tentacle_length()).clamp(0.0, 1.0);
    let foot = 0.16 * (1.0 - smooth_step(0.0, 0.14, along));
    0.4 * (1.0 - along).powf(0.8) + 0.035 + foot
}

/// Returns the rings from the foot to the tip, which is a hemisphere.
fn tentacle_rings() -> Vec<LoftRing> {
    let length = tentacle_length();
    // Pairs of height and radius.
    let mut profile = vec![(0.0, 0.0), (0.0, 0.9 * tentacle_radius(0.0))];
    for step in 0..RINGS {
        let height = 0.02 + (length - 0.02) * f64::from(step) / f64::from(RINGS - 1);
        profile.push((height, tentacle_radius(height)));
    }
    let tip = tentacle_radius(length);
    for step in 1..=4 {
        let (sin, cos) = (FRAC_PI_2 * f64::from(step) / 4.0).sin_cos();
        profile.push((length + tip * sin, if step == 4 { 0.0 } else { tip * cos }));
    }
    profile
        .into_iter()
        .map(|(height, radius)| LoftRing {
            center: DVec3::Y * height,
            u: DVec3::Z * radius,
            v: DVec3::X * radius,
        })
        .collect()
}

/// Returns the rings of a sucker on the side to which positive angles bend, −x.
fn sucker_rings(height: f64, side: f64) -> Vec<LoftRing> {
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

/// Returns the influences of all joints within reach. They decrease with the distance.
fn tentacle_influences(height: f64) -> Influences {
    let along = height / SPACING;
    let pairs: Vec<(u16, f64)> = (0..JOINTS)
        .map(|joint| {
            let distance = (along - f64::from(joint) - 0.5) / REACH;
            (joint, (1.0 - distance * distance).max(0.0).powi(3))
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

    #[test]
    fn most_vertices_need_the_second_set_of_lanes() {
        let mesh = tentacle_mesh();
        for (min_lanes, min_share) in [(SET_LANES + 1, 0.8), (LANES, 0.2)] {
            let count =
                mesh.influences.iter().filter(|influences| influences.lanes() >= min_lanes).count();
            let share = count as f64 / mesh.influences.len() as f64;
            assert!(share > min_share, "{min_lanes}: {share}");
        }
        for influences in &mesh.influences {
            assert!(influences.lanes() >= SET_LANES);
            assert_eq!(influences.sum(), 1.0);
        }
    }
}
