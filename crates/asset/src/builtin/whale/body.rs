//! The body: rings from the snout to the tail, in two mirrored halves.
//!
//! A place on the skin is (`s`, `phi`): `s` runs from 0 at the snout to 1 at
//! the flukes, `phi` around a half from 0 on the back to π under the belly. The
//! mouth is a fold between three neighbouring columns: upper lip, the inside,
//! lower lip.

use std::f64::consts::PI;

use bindpose_skin::Influences;
use glam::{DVec2, DVec3};

use super::joints::{CHEST, HEAD, JAW, NECK, ROOT, SPINE, TAIL};
use crate::builtin::mesh_builder::{MeshBuilder, curve, smooth_step, weights};

/// z of the snout, and how far the body reaches from there.
const SNOUT: f64 = 3.0;
pub(super) const LENGTH: f64 = 5.82;
/// Where the mouth lies around the body, and half its width, in radians.
pub(super) const MOUTH_PHI: f64 = 1.92;
pub(super) const LIP: f64 = 0.035;
/// The corner of the mouth.
pub(super) const MOUTH_S: f64 = 0.128;
/// Part of the texture's height that the body takes.
pub(super) const TEXTURE_PART: f64 = 0.7;

const STATIONS: usize = 66;
/// Columns above the mouth and below it.
const ABOVE: usize = 12;
const BELOW: usize = 8;

// Against the square root of s, so that the snout is round.
const TOP: [(f64, f64); 15] = [
    (0.0, -0.07),
    (0.08, 0.06),
    (0.14, 0.155),
    (0.2, 0.29),
    (0.26, 0.405),
    (0.33, 0.505),
    (0.42, 0.58),
    (0.52, 0.63),
    (0.616, 0.655),
    (0.678, 0.65),
    (0.742, 0.61),
    (0.806, 0.5),
    (0.866, 0.36),
    (0.94, 0.215),
    (1.0, 0.055),
];
const BOTTOM: [(f64, f64); 15] = [
    (0.0, -0.07),
    (0.1, -0.21),
    (0.173, -0.29),
    (0.245, -0.36),
    (0.316, -0.425),
    (0.387, -0.49),
    (0.469, -0.57),
    (0.548, -0.64),
    (0.616, -0.67),
    (0.678, -0.655),
    (0.742, -0.595),
    (0.806, -0.48),
    (0.866, -0.345),
    (0.94, -0.205),
    (1.0, -0.055),
];
const WIDTH: [(f64, f64); 15] = [
    (0.0, 0.0),
    (0.08, 0.175),
    (0.15, 0.295),
    (0.22, 0.395),
    (0.3, 0.475),
    (0.387, 0.54),
    (0.469, 0.585),
    (0.548, 0.63),
    (0.616, 0.645),
    (0.678, 0.625),
    (0.742, 0.55),
    (0.806, 0.42),
    (0.866, 0.27),
    (0.94, 0.115),
    (1.0, 0.06),
];

/// Place on the left half of the skin, the mouth closed.
pub(super) fn surface(s: f64, phi: f64) -> DVec3 {
    let root = s.max(0.0).sqrt();
    let (top, bottom) = (curve(&TOP, root), curve(&BOTTOM, root));
    let middle = f64::midpoint(top, bottom);
    let half = (top - bottom) / 2.0;
    let (sin, cos) = phi.sin_cos();
    // A little boxier than an ellipse.
    let boxy = 1.0 + 0.035 * (2.0 * phi).sin().powi(2);
    DVec3::new(curve(&WIDTH, root) * sin * boxy, middle + half * cos * boxy, SNOUT - LENGTH * s)
}

/// Mean of half the height and half the width: turns angles into lengths.
pub(super) fn radius(s: f64) -> f64 {
    let root = s.max(0.0).sqrt();
    let half = (curve(&TOP, root) - curve(&BOTTOM, root)) / 2.0;
    f64::midpoint(half, curve(&WIDTH, root))
}

/// u of a station in the texture: more room for the head.
pub(super) fn u_from_s(s: f64) -> f64 {
    s.max(0.0).powf(0.75)
}

/// The other way round.
pub(super) fn s_from_u(u: f64) -> f64 {
    u.max(0.0).powf(1.0 / 0.75)
}

pub(super) fn add(builder: &mut MeshBuilder) {
    for left in [true, false] {
        let mirror = DVec3::new(if left { 1.0 } else { -1.0 }, 1.0, 1.0);
        builder.patch([STATIONS + 2, columns()], !left, |row, column| {
            let (s, position) = place(row, column);
            let phi = phi_of(column);
            let uv = DVec2::new(u_from_s(s), phi / PI * TEXTURE_PART);
            (position * mirror, uv, influences(s, phi, position.z))
        });
    }
}

fn columns() -> usize {
    ABOVE + 3 + BELOW
}

fn phi_of(column: usize) -> f64 {
    let (upper, lower) = (MOUTH_PHI - LIP, MOUTH_PHI + LIP);
    if column <= ABOVE {
        upper * column as f64 / ABOVE as f64
    } else if column == ABOVE + 1 {
        MOUTH_PHI
    } else {
        lower + (PI - lower) * (column - ABOVE - 2) as f64 / BELOW as f64
    }
}

/// s and position of a vertex; the last row closes the tail.
fn place(row: usize, column: usize) -> (f64, DVec3) {
    if row > STATIONS {
        let end = surface(1.0, 0.0);
        return (1.0, DVec3::new(0.0, 0.0, end.z - 0.05));
    }
    let s = (row as f64 / STATIONS as f64).powf(1.5);
    let mut position = surface(s, phi_of(column));
    if row == 0 {
        // Two tips, one a jaw.
        let lower = if column > ABOVE + 1 { 0.02 } else { 0.0 };
        position += DVec3::new(0.0, -lower, -lower);
    }
    if column == ABOVE + 1 {
        position = inside_mouth(s, position);
    }
    (s, position)
}

/// Pushes the column between the lips inwards, as deep as the mouth is there.
fn inside_mouth(s: f64, position: DVec3) -> DVec3 {
    let open = 1.0 - smooth_step(MOUTH_S * 0.75, MOUTH_S, s);
    let corner = SNOUT - LENGTH * MOUTH_S;
    let deep = corner + 0.35 * (position.z - corner);
    position.lerp(DVec3::new(0.0, -0.06, deep), 0.85 * open)
}

/// Joints along the body and where along z each has most to say.
const REACH: [(u16, f64); 10] = [
    (HEAD, 2.5),
    (NECK, 1.85),
    (CHEST, 1.25),
    (ROOT, 0.6),
    (SPINE[0], 0.0),
    (SPINE[1], -0.6),
    (SPINE[2], -1.15),
    (TAIL[0], -1.65),
    (TAIL[1], -2.15),
    (TAIL[2], -2.65),
];

/// Weights of the joints along the body at one z, the jaw left aside. They sum
/// to 1, and vary smoothly.
pub(super) fn along_body(z: f64) -> Vec<(u16, f64)> {
    let z = z.clamp(-2.65, 2.5);
    let bell = |&(joint, middle): &(u16, f64)| {
        let far = (z - middle).abs() / 1.05;
        let weight = if far < 1.0 { (1.0 - far * far).powi(3) } else { 0.0 };
        (joint, weight)
    };
    let pairs: Vec<(u16, f64)> = REACH.iter().map(bell).filter(|&(_, w)| w > 0.0).collect();
    let sum: f64 = pairs.iter().map(|&(_, weight)| weight).sum();
    pairs.iter().map(|&(joint, w)| (joint, w / sum)).collect()
}

fn influences(s: f64, phi: f64, z: f64) -> Influences {
    let below = smooth_step(MOUTH_PHI - LIP, MOUTH_PHI + LIP, phi);
    let belly = smooth_step(MOUTH_PHI, PI, phi);
    let end = MOUTH_S + 0.09 * belly;
    let jaw = below * (1.0 - smooth_step(MOUTH_S * (0.8 - 0.3 * belly), end, s));
    let mut pairs: Vec<_> =
        along_body(z).iter().map(|&(joint, weight)| (joint, weight * (1.0 - jaw))).collect();
    pairs.push((JAW, jaw));
    weights(&pairs)
}
