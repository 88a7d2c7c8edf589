//! A round arm of two joints, for bends, twists and growth.
//!
//! It lies along x; joint 1 sits in its middle, and so does a ring of vertices
//! that both joints share by halves.

use std::f64::consts::PI;

use bindpose_skin::{Clip, Influences, SkeletonError};
use glam::{DVec3, Quat, Vec3};

use super::clips;
use super::mesh_builder::{LoftRing, MeshBuilder, palette, smooth_step, weights};
use super::params::{angle, scale, squash};
use super::unturned::unturned_skeleton;
use crate::Rig;
use crate::write::{self, PoseFrames};

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
    let mut builder = MeshBuilder::default();
    builder.loft(&rings(), SEGMENTS, skin, influences);
    let skeleton = unturned_skeleton([
        ("upper".to_owned(), None, Vec3::ZERO),
        ("lower".to_owned(), Some(0), middle),
    ])?;
    Ok(Rig {
        params: vec![
            angle("bend", "bend", 1, Vec3::Z, PI),
            angle("twist", "twist", 1, Vec3::X, PI),
            scale("size", "size", 1, None),
            squash(0, 0),
        ],
        clips: motions(),
        ..Rig::new("arm", "Arm", skeleton, builder.finish(image))
    })
}

/// For the lesson on time: the same keys three ways, a turn with its end
/// written twice, and a translation as it should be and as it should not.
fn motions() -> Vec<Clip> {
    let turns = |joint: u16, times_secs: &[f32], angles_deg: &[f32]| {
        let keys: Vec<Quat> = angles_deg.iter().map(|&angle| turn(angle)).collect();
        clips::rotations(joint, times_secs, &keys)
    };
    let times = [0.0, 0.5, 1.0, 1.5, 2.0];
    let wave = turns(1, &times, &[0.0, 75.0, 20.0, 90.0, 0.0]);
    let stepped = clips::stepped(&wave);
    let smoothed = clips::smoothed(&wave);

    let swing = turns(0, &[0.0, 2.0], &[0.0, 160.0]);
    let other_sign = clips::rotations(0, &[0.0, 2.0], &[turn(0.0), -turn(160.0)]);

    let reach_times = [0.0, 1.0, 2.0];
    let reach = |from: f32| {
        let keys = [0.0, 0.8, 0.0].map(|x| Vec3::new(from + x, 0.0, 0.0));
        vec![
            clips::translations(1, &reach_times, &keys),
            turns(1, &reach_times, &[0.0, -50.0, 0.0]),
        ]
    };
    let middle = LENGTH as f32 / 2.0;
    vec![
        clips::clip("wave", vec![wave]),
        clips::clip("wave-step", vec![stepped]),
        clips::clip("wave-cubic", vec![smoothed]),
        clips::clip("swing", vec![swing]),
        clips::clip("swing-other-sign", vec![other_sign]),
        clips::clip("reach", reach(middle)),
        // What is left when a program adds keys to a rest pose that they hold
        // already.
        clips::clip("reach-added", reach(2.0 * middle)),
    ]
}

/// About z; in steps of 1e-6, against differences between machines.
fn turn(angle_deg: f32) -> Quat {
    let half_rad = f64::from(angle_deg).to_radians() / 2.0;
    let rounded = |x: f64| ((x * 1e6).round() / 1e6) as f32;
    Quat::from_xyzw(0.0, 0.0, rounded(half_rad.sin()), rounded(half_rad.cos()))
}

fn rings() -> Vec<LoftRing> {
    let ring = |x: f64, radius: f64| LoftRing {
        center: DVec3::X * x,
        u: DVec3::Y * radius,
        v: DVec3::Z * radius,
    };
    // Around the edge of a cap: (how far in along x, how much narrower).
    let edge = [(0.0, RADIUS), (0.0, BEVEL), (0.3 * BEVEL, 0.3 * BEVEL)];
    let mut rings: Vec<LoftRing> =
        edge.iter().map(|&(inward, less)| ring(inward, RADIUS - less)).collect();
    for step in 1..RINGS {
        rings.push(ring(LENGTH * f64::from(step) / f64::from(RINGS), RADIUS));
    }
    rings.extend(edge.iter().rev().map(|&(inward, less)| ring(LENGTH - inward, RADIUS - less)));
    rings
}

fn influences(position: DVec3) -> Influences {
    let middle = LENGTH / 2.0;
    let lower = smooth_step(middle - BLEND, middle + BLEND, position.x);
    weights(&[(0, 1.0 - lower), (1, lower)])
}

/// The arm bends at the elbow and turns its hand, and comes back: a second and a
/// half, 24 frames a second, the last one like the first.
pub(super) fn reach(rig: &Rig) -> PoseFrames {
    const FRAMES: u32 = 37;
    let poses = (0..FRAMES).map(|frame| {
        let along = f64::from(frame) / f64::from(FRAMES - 1);
        let bent = 0.5 - 0.5 * (std::f64::consts::TAU * along).cos();
        let angles = rig.angles().enumerate();
        let values: Vec<(&str, f64)> = angles
            .map(|(at, param)| (param.name.as_str(), bent * (0.4 + 0.5 * at as f64)))
            .collect();
        let value = |name: &str| {
            let found = values.iter().find(|(other, _)| *other == name);
            found.map(|&(_, value)| value)
        };
        let mut pose = rig.posed(value).pose;
        for local in &mut pose.parent_from_joint {
            // To steps of 1e-6, against differences between machines.
            let rounded = local.rotation.to_array().map(write::rounded);
            local.rotation = Quat::from_array(rounded);
        }
        pose
    });
    PoseFrames { name: "reach".to_owned(), step_secs: 1.0 / 24.0, poses: poses.collect() }
}
