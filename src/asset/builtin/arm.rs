//! A round arm of two joints, for bends, twists and growth.
//!
//! It lies along x; joint 1 sits in its middle, and so does a ring of vertices
//! that both joints share by halves.

use std::f64::consts::PI;
use std::sync::Arc;

use glam::{DVec3, Mat4, Vec3};

use super::sculpt::{Ring, Sculpt, palette, smooth_step, weights};
use super::{angle, scale, unturned_skeleton};
use crate::asset::Rig;
use crate::skin::{Influences, SkeletonError};

const LENGTH: f64 = 4.0;
const RADIUS: f64 = 0.5;
const SEGMENTS: u32 = 24;
const RINGS: u32 = 32;
/// Half the length of the blend around the middle.
const BLEND: f64 = 0.9;
/// Width of the rounded edge of the caps.
const BEVEL: f64 = 0.08;

pub(super) fn rig() -> Result<Rig, SkeletonError> {
    let middle = Vec3::new(LENGTH as f32 / 2.0, 0.0, 0.0);
    let (image, [skin]) = palette([[0xD9, 0xB8, 0x9C]]);
    let mut sculpt = Sculpt::default();
    sculpt.loft(&rings(), SEGMENTS, skin, influences);
    Ok(Rig {
        id: "arm".to_owned(),
        title: "Arm".to_owned(),
        skeleton: unturned_skeleton([
            ("upper".to_owned(), None, Vec3::ZERO),
            ("lower".to_owned(), Some(0), middle),
        ])?,
        mesh: Arc::new(sculpt.finish(image)),
        params: vec![
            angle("bend", "bend", 1, Vec3::Z, PI),
            angle("twist", "twist", 1, Vec3::X, PI),
            scale("size", "size", 1, None),
        ],
        flat: false,
        world_from_mesh_node: Mat4::IDENTITY,
        clips: Vec::new(),
        morph_weights: Vec::new(),
        origin: None,
    })
}

fn rings() -> Vec<Ring> {
    let ring = |x: f64, radius: f64| Ring {
        center: DVec3::X * x,
        u: DVec3::Y * radius,
        v: DVec3::Z * radius,
    };
    // Around the edge of a cap: (how far in along x, how much narrower).
    let edge = [(0.0, RADIUS), (0.0, BEVEL), (0.3 * BEVEL, 0.3 * BEVEL)];
    let mut rings: Vec<Ring> = edge
        .iter()
        .map(|&(inward, less)| ring(inward, RADIUS - less))
        .collect();
    for step in 1..RINGS {
        rings.push(ring(LENGTH * f64::from(step) / f64::from(RINGS), RADIUS));
    }
    rings.extend(
        edge.iter()
            .rev()
            .map(|&(inward, less)| ring(LENGTH - inward, RADIUS - less)),
    );
    rings
}

fn influences(position: DVec3) -> Influences {
    let middle = LENGTH / 2.0;
    let lower = smooth_step(middle - BLEND, middle + BLEND, position.x);
    weights(&[(0, 1.0 - lower), (1, lower)])
}
