//! A tentacle whose skin follows up to eight joints, five at least but for its
//! ends: more than one set of four lanes holds.

use std::f64::consts::{FRAC_PI_2, TAU};

use bindpose_skin::{Influences, LANES, SkeletonError};
use glam::DVec3;

use super::mesh_builder::{LoftRing, MeshBuilder, palette, smooth_step, weights_in};
use super::params::bend;
use super::unturned::unturned_chain;
use crate::Rig;

const JOINTS: u16 = 12;
/// Distance from joint to joint.
const SPACING: f64 = 0.36;
/// A joint reaches this many spacings to either side of the middle of its
/// segment, so that eight of them meet at any place.
const REACH: f64 = 4.0;
const RINGS: u32 = 60;
const SEGMENTS: u32 = 24;
/// Pairs of suckers.
const SUCKERS: u32 = 15;

pub(super) fn rig() -> Result<Rig, SkeletonError> {
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
    builder.loft(&body(), SEGMENTS, skin, |position| influences(position.y));
    for index in 0..SUCKERS {
        // Closer to each other as they get smaller.
        let along = 1.0 - (1.0 - (f64::from(index) + 0.6) / f64::from(SUCKERS)).powf(1.25);
        let height = length() * (0.02 + 0.9 * along);
        for side in [-1.0, 1.0] {
            builder.loft(&sucker(height, side), 12, cup, |_| influences(height));
        }
    }
    builder.finish(image)
}

fn length() -> f64 {
    SPACING * f64::from(JOINTS)
}

fn radius(height: f64) -> f64 {
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
    let mut rings = vec![ring(0.0, 0.0), ring(0.0, 0.9 * radius(0.0))];
    rings.extend((0..RINGS).map(|step| {
        let height = 0.02 + (length() - 0.02) * f64::from(step) / f64::from(RINGS - 1);
        ring(height, radius(height))
    }));
    let tip = radius(length());
    rings.extend((1..=4).map(|step| {
        let (sin, cos) = (FRAC_PI_2 * f64::from(step) / 4.0).sin_cos();
        ring(length() + tip * sin, if step == 4 { 0.0 } else { tip * cos })
    }));
    rings
}

/// A cup on the side to which positive angles bend: −x.
fn sucker(height: f64, side: f64) -> Vec<LoftRing> {
    let body = radius(height);
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
fn influences(height: f64) -> Influences {
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
