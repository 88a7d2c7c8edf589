//! A chain of any number of joints, to demonstrate limits and scaling.

use std::f64::consts::PI;

use bindpose_gltf::{Mesh, Rig};
use bindpose_skin::{Influences, SkeletonError};
use glam::DVec3;

use super::mesh_builder::{
    LoftRing, MeshBuilder, palette_image, rigid_influences, rounded_influences, smooth_step,
};
use super::rig_parts::{bend_param, unturned_chain};

/// Number of joints of `centipede` without a length.
const DEFAULT_LENGTH: u16 = 24;
/// Maximum number of joints, which fits into one row of a bone texture on all devices.
const MAX_LENGTH: u16 = 2048;
/// Distance between two joints.
const SPACING: f64 = 0.5;
const RADIUS: f64 = 0.3;
/// Maximum number of joints with a parameter.
const MAX_PARAMS: u16 = 8;

/// Parses the length in `centipede(300)`. Returns `None` for other ids and invalid lengths.
pub(crate) fn length_from_id(id: &str) -> Option<u16> {
    let length = id.strip_prefix("centipede(")?.strip_suffix(')')?.parse().ok()?;
    (1..=MAX_LENGTH).contains(&length).then_some(length)
}

pub(crate) fn default_rig() -> Result<Rig, SkeletonError> {
    rig_of_length(DEFAULT_LENGTH)
}

pub(crate) fn rig_of_length(length: u16) -> Result<Rig, SkeletonError> {
    let positions = (0..length).map(|index| (DVec3::X * joint_x(index, length)).as_vec3());
    let skeleton = unturned_chain("segment", positions)?;
    let id = if length == DEFAULT_LENGTH {
        "centipede".to_owned()
    } else {
        format!("centipede({length})")
    };
    let title = format!("Centipede of {length} joints");
    Ok(Rig {
        params: (0..length.min(MAX_PARAMS)).map(|joint| bend_param(joint, PI)).collect(),
        ..Rig::new(&id, &title, skeleton, mesh(length))
    })
}

/// Returns the x coordinate of a joint. The joints are on the x axis, centred at the origin.
fn joint_x(index: u16, length: u16) -> f64 {
    SPACING * (f64::from(index) - f64::from(length) / 2.0)
}

fn mesh(length: u16) -> Mesh {
    let (image, [light, dark, legs, eyes]) = palette_image([
        [0xC9, 0xA6, 0x6B],
        [0xA9, 0x84, 0x52],
        [0x6E, 0x5A, 0x45],
        [0x2B, 0x2F, 0x36],
    ]);
    let mut builder = MeshBuilder::default();
    for index in 0..length {
        let color = if index % 2 == 0 { light } else { dark };
        builder.loft(&segment_rings(index, length), 12, color, |position| {
            segment_influences(position, index, length)
        });
        for side in [-1.0, 1.0] {
            let hip = DVec3::new(joint_x(index, length) + SPACING / 2.0, -0.1, side * 0.22);
            let foot = hip + DVec3::new(0.0, -0.26, side * 0.24);
            builder.limb([hip, foot], [0.045, 0.03], 5, legs, |_| rigid_influences(index));
        }
    }
    let last = length - 1;
    let front = DVec3::X * (joint_x(last, length) + SPACING);
    let head = front + DVec3::new(0.08, 0.06, 0.0);
    builder.ball(head, DVec3::new(0.32, 0.3, 0.32), [14, 10], light, |_| rigid_influences(last));
    for side in [-1.0, 1.0] {
        let eye = front + DVec3::new(0.28, 0.2, side * 0.16);
        builder.ball(eye, DVec3::splat(0.07), [8, 6], eyes, |_| rigid_influences(last));
        let root = front + DVec3::new(0.16, 0.3, side * 0.1);
        let tip = root + DVec3::new(0.3, 0.36, side * 0.16);
        builder.limb([root, tip], [0.03, 0.02], 5, legs, |_| rigid_influences(last));
    }
    builder.finish(image)
}

/// Returns the rings of one rounded segment, from its joint to the next.
fn segment_rings(index: u16, length: u16) -> Vec<LoftRing> {
    let taper = 1.0 - 0.35 * (-f64::from(index) / 1.5).exp();
    [
        (-0.12, 0.0),
        (-0.1, 0.62),
        (0.0, 0.88),
        (0.3, 1.0),
        (0.7, 1.0),
        (1.0, 0.88),
        (1.1, 0.62),
        (1.12, 0.0),
    ]
    .into_iter()
    .map(|(along, size)| LoftRing {
        center: DVec3::X * (joint_x(index, length) + SPACING * along),
        u: DVec3::Y * (RADIUS * size * taper),
        v: DVec3::Z * (RADIUS * size * taper),
    })
    .collect()
}

/// Returns the influences of a vertex of a segment. Its ends also follow the adjacent joints.
fn segment_influences(position: DVec3, index: u16, length: u16) -> Influences {
    let along = (position.x - joint_x(index, length)) / SPACING;
    let previous_weight = 0.5 * (1.0 - smooth_step(-0.15, 0.25, along));
    let next_weight = 0.5 * smooth_step(0.75, 1.15, along);
    let mut pairs = vec![(index, 1.0 - previous_weight - next_weight)];
    if let Some(previous) = index.checked_sub(1) {
        pairs.push((previous, previous_weight));
    }
    if index + 1 < length {
        pairs.push((index + 1, next_weight));
    }
    rounded_influences(&pairs)
}
