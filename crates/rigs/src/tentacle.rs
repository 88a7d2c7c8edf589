//! A tentacle with up to eight influences per vertex, and at least five except at its ends, so that
//! one set of four lanes is not enough.

use std::f64::consts::{FRAC_PI_2, TAU};

use bindpose_gltf::{Mesh, Rig};
use bindpose_skin::{Influences, LANES, SkeletonError};
use glam::DVec3;

use super::mesh_builder::{
    LoftRing, MeshBuilder, palette_image, rounded_influences_in, smooth_step,
};
use super::rig_parts::{bend_param, unturned_chain};

const JOINTS: u16 = 12;
/// Distance between two joints.
const SPACING: f64 = 0.36;
/// Distance from the middle of a joint's segment at which its influence ends, in spacings. Eight
/// joints have influence at any height.
const REACH: f64 = 4.0;
const RINGS: u32 = 60;
const SEGMENTS: u32 = 24;
const SUCKER_PAIRS: u32 = 15;

pub(crate) fn rig() -> Result<Rig, SkeletonError> {
    let positions = (0..JOINTS).map(|index| (DVec3::Y * (SPACING * f64::from(index))).as_vec3());
    let skeleton = unturned_chain("segment", positions)?;
    Ok(Rig {
        params: (0..JOINTS).map(|joint| bend_param(joint, FRAC_PI_2)).collect(),
        ..Rig::new("tentacle", "Tentacle", skeleton, mesh())
    })
}

fn mesh() -> Mesh {
    let (image, [skin, cup]) = palette_image([[0xB8, 0x5C, 0x62], [0xEC, 0xCB, 0xB4]]);
    let mut builder = MeshBuilder::default();
    builder.loft(&rings(), SEGMENTS, skin, |position| influences(position.y));
    for index in 0..SUCKER_PAIRS {
        // The distance between suckers decreases with their size.
        let along = 1.0 - (1.0 - (f64::from(index) + 0.6) / f64::from(SUCKER_PAIRS)).powf(1.25);
        let height = length() * (0.02 + 0.9 * along);
        for side in [-1.0, 1.0] {
            builder.loft(&sucker_rings(height, side), 12, cup, |_| influences(height));
        }
    }
    builder.finish(image)
}

fn length() -> f64 {
    SPACING * f64::from(JOINTS)
}

fn radius_at(height: f64) -> f64 {
    let along = (height / length()).clamp(0.0, 1.0);
    let foot = 0.16 * (1.0 - smooth_step(0.0, 0.14, along));
    0.4 * (1.0 - along).powf(0.8) + 0.035 + foot
}

/// Returns the rings from the foot to the tip, which is a hemisphere.
fn rings() -> Vec<LoftRing> {
    let length = length();
    // Pairs of height and radius.
    let mut profile = vec![(0.0, 0.0), (0.0, 0.9 * radius_at(0.0))];
    for step in 0..RINGS {
        let height = 0.02 + (length - 0.02) * f64::from(step) / f64::from(RINGS - 1);
        profile.push((height, radius_at(height)));
    }
    let tip = radius_at(length);
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
    let body = radius_at(height);
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
fn influences(height: f64) -> Influences {
    let along = height / SPACING;
    let pairs: Vec<(u16, f64)> = (0..JOINTS)
        .map(|joint| {
            let distance = (along - f64::from(joint) - 0.5) / REACH;
            (joint, (1.0 - distance * distance).max(0.0).powi(3))
        })
        .filter(|&(_, weight)| weight > 0.0)
        .collect();
    rounded_influences_in(LANES, &pairs)
}

#[cfg(test)]
mod tests {
    use bindpose_skin::SET_LANES;

    use super::*;

    #[test]
    fn most_vertices_need_the_second_set_of_lanes() {
        let mesh = mesh();
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
