//! A cylindrical arm of two joints, to demonstrate bending, twisting and scaling.
//!
//! The arm lies along x. Joint 1 is in its middle, where a ring of vertices has equal weights of
//! both joints.

use std::f64::consts::PI;

use bindpose_gltf::Rig;
use bindpose_gltf::encoding::{PoseFrames, round_to_millionths};
use bindpose_skin::{Channel, Clip, Influences, SkeletonError};
use glam::{DVec3, Quat, Vec3};

use super::keyed_clips::{
    keyed_clip, rotation_track, smoothed_track, stepped_track, translation_track,
};
use super::mesh_builder::{LoftRing, MeshBuilder, palette_image, rounded_influences, smooth_step};
use super::rig_parts::{angle_param, scale_param, squash_param, unturned_skeleton};

const LENGTH: f64 = 4.0;
const RADIUS: f64 = 0.5;
const SEGMENTS: u32 = 24;
const RINGS: u32 = 32;
/// Half the length of the blend around the middle.
const BLEND: f64 = 0.9;
/// Width of the rounded edge of the caps.
const BEVEL: f64 = 0.08;

pub(crate) fn rig() -> Result<Rig, SkeletonError> {
    let middle = Vec3::new(LENGTH as f32 / 2.0, 0.0, 0.0);
    let (image, [skin]) = palette_image([[0xD9, 0xB8, 0x9C]]);
    let mut builder = MeshBuilder::default();
    builder.loft(&rings(), SEGMENTS, skin, influences);
    let skeleton = unturned_skeleton([
        ("upper".to_owned(), None, Vec3::ZERO),
        ("lower".to_owned(), Some(0), middle),
    ])?;
    Ok(Rig {
        params: vec![
            angle_param("bend", "bend", 1, Vec3::Z, PI),
            angle_param("twist", "twist", 1, Vec3::X, PI),
            scale_param("size", "size", 1, None),
            squash_param(0, 0),
        ],
        clips: clips(),
        ..Rig::new("arm", "Arm", skeleton, builder.finish(image))
    })
}

/// Creates the clips of the lesson on time: the same keys with three interpolations, a rotation
/// with both signs of its last quaternion, and a translation done right and wrong.
fn clips() -> Vec<Clip> {
    let times = [0.0, 0.5, 1.0, 1.5, 2.0];
    let wave_keys = [0.0, 75.0, 20.0, 90.0, 0.0].map(rotation_about_z);
    let wave = rotation_track(1, &times, &wave_keys);
    let stepped = stepped_track(&wave);
    let smoothed = smoothed_track(&wave);

    let start = rotation_about_z(0.0);
    let end = rotation_about_z(160.0);
    let swing = rotation_track(0, &[0.0, 2.0], &[start, end]);
    let other_sign = rotation_track(0, &[0.0, 2.0], &[start, -end]);

    let middle = LENGTH as f32 / 2.0;
    vec![
        keyed_clip("wave", vec![wave]),
        keyed_clip("wave-step", vec![stepped]),
        keyed_clip("wave-cubic", vec![smoothed]),
        keyed_clip("swing", vec![swing]),
        keyed_clip("swing-other-sign", vec![other_sign]),
        keyed_clip("reach", reach_channels(middle)),
        // The result of adding keys to the rest pose, although they contain it already.
        keyed_clip("reach-added", reach_channels(2.0 * middle)),
    ]
}

/// Creates channels that move joint 1 outwards along x from `start_x` and bend it.
fn reach_channels(start_x: f32) -> Vec<Channel> {
    let times = [0.0, 1.0, 2.0];
    let translations = [0.0, 0.8, 0.0].map(|x| Vec3::new(start_x + x, 0.0, 0.0));
    let rotations = [0.0, -50.0, 0.0].map(rotation_about_z);
    vec![translation_track(1, &times, &translations), rotation_track(1, &times, &rotations)]
}

/// Components are rounded to multiples of 1e-6, because the last digits of sine and cosine differ
/// between machines.
fn rotation_about_z(angle_deg: f32) -> Quat {
    let half_rad = f64::from(angle_deg).to_radians() / 2.0;
    let [z, w] = [half_rad.sin(), half_rad.cos()].map(|x| ((x * 1e6).round() / 1e6) as f32);
    Quat::from_xyzw(0.0, 0.0, z, w)
}

fn rings() -> Vec<LoftRing> {
    // Distance from the end of the arm and difference of the radius, around the edge of a cap.
    let edge = [(0.0, RADIUS), (0.0, BEVEL), (0.3 * BEVEL, 0.3 * BEVEL)];
    let mut profile: Vec<(f64, f64)> =
        edge.iter().map(|&(inward, less)| (inward, RADIUS - less)).collect();
    for step in 1..RINGS {
        profile.push((LENGTH * f64::from(step) / f64::from(RINGS), RADIUS));
    }
    profile.extend(edge.iter().rev().map(|&(inward, less)| (LENGTH - inward, RADIUS - less)));
    profile
        .into_iter()
        .map(|(x, radius)| LoftRing {
            center: DVec3::X * x,
            u: DVec3::Y * radius,
            v: DVec3::Z * radius,
        })
        .collect()
}

fn influences(position: DVec3) -> Influences {
    let middle = LENGTH / 2.0;
    let lower = smooth_step(middle - BLEND, middle + BLEND, position.x);
    rounded_influences(&[(0, 1.0 - lower), (1, lower)])
}

/// Creates frames in which the arm bends at the elbow, turns its hand and comes back, in 1.5
/// seconds with 24 frames per second. The last frame equals the first.
pub(crate) fn reach_frames(rig: &Rig) -> PoseFrames {
    const FRAMES: u32 = 37;
    let mut poses = Vec::new();
    for frame in 0..FRAMES {
        let progress = f64::from(frame) / f64::from(FRAMES - 1);
        let amount = 0.5 - 0.5 * (std::f64::consts::TAU * progress).cos();
        let mut pose = rig
            .posed(|name| {
                let index = rig.angles().position(|param| param.name == name)?;
                Some(amount * (0.4 + 0.5 * index as f64))
            })
            .pose;
        for local in &mut pose.parent_from_joint {
            let rounded = local.rotation.to_array().map(round_to_millionths);
            local.rotation = Quat::from_array(rounded);
        }
        poses.push(pose);
    }
    PoseFrames { name: "reach".to_owned(), step_secs: 1.0 / 24.0, poses }
}
