//! A cylindrical arm of two joints, to demonstrate bending, twisting and scaling. Also the strip
//! “Simple Skin” of the glTF tutorial, and a ball on a plate.
//!
//! The arm lies along x. Joint 1 is in its middle, where a ring of vertices has equal weights of
//! both joints.

use std::f64::consts::{FRAC_PI_3, PI};
use std::sync::Arc;

use bindpose_gltf::encoding::{PoseFrames, round_to_millionths};
use bindpose_gltf::{Mesh, Param, ParamKind, Rig};
use bindpose_skin::{
    Channel, ChannelTarget, Clip, Influences, Interpolation, JointIndex, SkeletonError, Track,
    TrackProperty,
};
use glam::{DVec3, Quat, Vec3};

use super::mesh_builder::{LoftRing, MeshBuilder, palette, rigid, smooth_step, weights};
use super::rig_parts::{
    angle, length, mesh_node, scale, squash, unturned_chain, unturned_skeleton,
};

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
    weights(&[(0, 1.0 - lower), (1, lower)])
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

// The strip “Simple Skin” of the glTF tutorial, with its current data. In the tutorial of 2017,
// it was half a unit further to the right.

pub(crate) fn simple_skin_rig() -> Result<Rig, SkeletonError> {
    let skeleton = unturned_chain("joint", [Vec3::ZERO, Vec3::Y])?;
    Ok(Rig {
        params: simple_skin_params(),
        flat: true,
        clips: vec![simple_skin_clip()],
        ..Rig::new("simple_skin", "Simple Skin", skeleton, simple_skin_mesh())
    })
}

/// Creates the bend, and the parameters that convert the current data to those of 2017.
fn simple_skin_params() -> Vec<Param> {
    let stored_shift = ParamKind::StoredShift { axis: 0, applied: 0.0 };
    let root_shift = ParamKind::BindShift { joint: JointIndex(0), axis: 1 };
    let tip_shift = ParamKind::BindShift { joint: JointIndex(1), axis: 1 };
    let mut params = vec![
        angle("bend", "bend", 1, Vec3::Z, PI),
        length("stored_x", "stored x", stored_shift, 1.0),
        length("shape_x", "bind shape x", ParamKind::BindShape { axis: 0 }, 1.0),
        length("root_y", "joint 0, y", root_shift, 1.0),
        length("tip_y", "joint 1, y", tip_shift, 1.0),
    ];
    params.extend(mesh_node(Vec3::Z, 3.0));
    params
}

/// Creates the animation of the tutorial. Its quaternions are rounded as they are there, and
/// therefore not exactly of unit length.
fn simple_skin_clip() -> Clip {
    let keys = [
        (0.0, 1.0),
        (0.383, 0.924),
        (0.707, 0.707),
        (0.707, 0.707),
        (0.383, 0.924),
        (0.0, 1.0),
        (0.0, 1.0),
        (-0.383, 0.924),
        (-0.707, 0.707),
        (-0.707, 0.707),
        (-0.383, 0.924),
        (0.0, 1.0),
    ];
    let times_secs: Vec<f32> = (0..keys.len()).map(|key| 0.5 * key as f32).collect();
    let keys = keys.map(|(z, w)| Quat::from_xyzw(0.0, 0.0, z, w));
    keyed_clip("bend", vec![rotation_track(1, &times_secs, &keys)])
}

fn simple_skin_mesh() -> Mesh {
    let mut mesh = Mesh::default();
    for rung in 0..5_u32 {
        let weight_1 = 0.25 * rung as f32;
        for x in [-0.5, 0.5] {
            mesh.positions.push(Vec3::new(x, 0.5 * rung as f32, 0.0));
            mesh.normals.push(Vec3::Z);
            mesh.influences.push(Influences::new(&[
                (JointIndex(0), 1.0 - weight_1),
                (JointIndex(1), weight_1),
            ]));
        }
        mesh.lines.push([2 * rung, 2 * rung + 1]);
    }
    for left in [0, 2, 4, 6] {
        mesh.lines.push([left, left + 2]);
        mesh.lines.push([left + 1, left + 3]);
        mesh.triangles.push([left, left + 1, left + 3]);
        mesh.triangles.push([left, left + 3, left + 2]);
    }
    mesh
}

// Clips and channels.

/// Creates a clip that ends with the last key of its channels.
pub(crate) fn keyed_clip(name: &str, channels: Vec<Channel>) -> Clip {
    let duration_secs = channels
        .iter()
        .filter_map(|channel| channel.track.times_secs.last().copied())
        .fold(0.0, f32::max);
    Clip { name: name.to_owned(), duration_secs, frame_secs: None, channels }
}

pub(crate) fn translation_track(joint: u16, times_secs: &[f32], keys: &[Vec3]) -> Channel {
    let values = keys.iter().flat_map(|key| key.to_array()).collect();
    linear_channel(joint, TrackProperty::Translation, times_secs, values)
}

/// Creates a channel of quaternions, which are not normalized.
pub(crate) fn rotation_track(joint: u16, times_secs: &[f32], keys: &[Quat]) -> Channel {
    let values = keys.iter().flat_map(|key| key.to_array()).collect();
    linear_channel(joint, TrackProperty::Rotation, times_secs, values)
}

/// Returns a channel with the same keys and step interpolation.
fn stepped_track(channel: &Channel) -> Channel {
    let track = Track { interpolation: Interpolation::Step, ..(*channel.track).clone() };
    Channel { target: channel.target, track: Arc::new(track) }
}

/// Returns a channel with the same keys on a cubic spline. Each tangent is the slope from the
/// previous to the next key, or 0 at the ends.
fn smoothed_track(channel: &Channel) -> Channel {
    let track = &*channel.track;
    let keys: Vec<&[f32]> = track.values.chunks_exact(track.width).collect();
    let mut values = Vec::new();
    for (index, &key) in keys.iter().enumerate() {
        let tangent: Vec<f32> = if index == 0 || index + 1 == keys.len() {
            vec![0.0; track.width]
        } else {
            let secs = track.times_secs[index + 1] - track.times_secs[index - 1];
            let previous = keys[index - 1];
            let next = keys[index + 1];
            previous.iter().zip(next).map(|(from, to)| (to - from) / secs).collect()
        };
        values.extend_from_slice(&tangent);
        values.extend_from_slice(key);
        values.extend_from_slice(&tangent);
    }
    let track = Track { values, interpolation: Interpolation::CubicSpline, ..track.clone() };
    Channel { target: channel.target, track: Arc::new(track) }
}

/// Creates a channel with linear interpolation.
fn linear_channel(
    joint: u16,
    property: TrackProperty,
    times_secs: &[f32],
    values: Vec<f32>,
) -> Channel {
    Channel {
        target: ChannelTarget::Joint(JointIndex(joint)),
        track: Arc::new(Track {
            property,
            interpolation: Interpolation::Linear,
            times_secs: times_secs.to_vec(),
            width: values.len() / times_secs.len().max(1),
            values,
        }),
    }
}

// A ball on a plate, to demonstrate normals. One joint scales and tilts the ball about its lowest
// point, the other is that of the plate.

const BALL_RADIUS: f64 = 1.0;
const BALL_SEGMENTS: u32 = 40;
const BALL_ROWS: u32 = 24;
const PLATE_RADIUS: f64 = 1.1;
const PLATE_HEIGHT: f64 = 0.1;

pub(crate) fn ball_rig() -> Result<Rig, SkeletonError> {
    let (image, [ball, plate]) = palette([[0xD8, 0xC3, 0xA5], [0x8B, 0x97, 0xA3]]);
    let mut builder = MeshBuilder::default();
    let center = DVec3::Y * BALL_RADIUS;
    let radii = DVec3::splat(BALL_RADIUS);
    builder.ball(center, radii, [BALL_SEGMENTS, BALL_ROWS], ball, |_| rigid(1));
    builder.loft(&plate_rings(), BALL_SEGMENTS, plate, |_| rigid(0));
    let mut mesh = builder.finish(image);
    // Exact normals of the sphere, instead of averages of its triangles.
    for (vertex, influences) in mesh.influences.iter().enumerate() {
        if influences.strongest() == JointIndex(1) {
            let outward = mesh.positions[vertex].as_dvec3() - center;
            mesh.normals[vertex] = outward.normalize_or(DVec3::Y).as_vec3();
        }
    }
    let skeleton = unturned_skeleton([
        ("plate".to_owned(), None, Vec3::NEG_Y * PLATE_HEIGHT as f32),
        ("ball".to_owned(), Some(0), Vec3::ZERO),
    ])?;
    Ok(Rig {
        params: vec![
            Param {
                // Includes 0, which flattens the ball, and negative values, which mirror it.
                range: (-1.0, 2.0),
                ..scale("squash", "squash", 1, Some(1))
            },
            angle("lean", "lean", 1, Vec3::Z, FRAC_PI_3),
        ],
        ..Rig::new("ball", "Ball", skeleton, mesh)
    })
}

/// Returns the rings of a disc with a rounded edge, from bottom to top.
fn plate_rings() -> Vec<LoftRing> {
    const BEVEL: f64 = 0.03;
    [
        (0.0, 0.0),
        (PLATE_RADIUS - BEVEL, 0.0),
        (PLATE_RADIUS - 0.3 * BEVEL, 0.3 * BEVEL),
        (PLATE_RADIUS, BEVEL),
        (PLATE_RADIUS, PLATE_HEIGHT - BEVEL),
        (PLATE_RADIUS - 0.3 * BEVEL, PLATE_HEIGHT - 0.3 * BEVEL),
        (PLATE_RADIUS - BEVEL, PLATE_HEIGHT),
        (0.0, PLATE_HEIGHT),
    ]
    .into_iter()
    .map(|(radius, up)| LoftRing {
        center: DVec3::Y * (up - PLATE_HEIGHT),
        u: DVec3::Z * radius,
        v: DVec3::X * radius,
    })
    .collect()
}
