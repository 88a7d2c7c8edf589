//! A round arm of two joints, for bends, twists and growth.
//!
//! It lies along x; joint 1 sits in its middle, and so does a ring of vertices
//! that both joints share by halves.

use std::f64::consts::{FRAC_PI_3, PI};
use std::sync::Arc;

use bindpose_skin::{
    Channel, ChannelTarget, Clip, Influences, Interpolation, JointIndex, SkeletonError, Track,
    TrackProperty,
};
use glam::{DVec3, Quat, Vec3};

use super::mesh_builder::{LoftRing, MeshBuilder, palette, rigid, smooth_step, weights};
use super::rig_parts::{
    angle, length, mesh_node, scale, squash, unturned_chain, unturned_skeleton,
};
use crate::write::{self, PoseFrames};
use crate::{Mesh, Param, ParamKind, Rig};

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
        rotation_track(joint, times_secs, &keys)
    };
    let times = [0.0, 0.5, 1.0, 1.5, 2.0];
    let wave = turns(1, &times, &[0.0, 75.0, 20.0, 90.0, 0.0]);
    let stepped = stepped_track(&wave);
    let smoothed = smoothed_track(&wave);

    let swing = turns(0, &[0.0, 2.0], &[0.0, 160.0]);
    let other_sign = rotation_track(0, &[0.0, 2.0], &[turn(0.0), -turn(160.0)]);

    let reach_times = [0.0, 1.0, 2.0];
    let reach = |from: f32| {
        let keys = [0.0, 0.8, 0.0].map(|x| Vec3::new(from + x, 0.0, 0.0));
        vec![translation_track(1, &reach_times, &keys), turns(1, &reach_times, &[0.0, -50.0, 0.0])]
    };
    let middle = LENGTH as f32 / 2.0;
    vec![
        keyed_clip("wave", vec![wave]),
        keyed_clip("wave-step", vec![stepped]),
        keyed_clip("wave-cubic", vec![smoothed]),
        keyed_clip("swing", vec![swing]),
        keyed_clip("swing-other-sign", vec![other_sign]),
        keyed_clip("reach", reach(middle)),
        // What is left when a program adds keys to a rest pose that they hold
        // already.
        keyed_clip("reach-added", reach(2.0 * middle)),
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
            let rounded = local.rotation.to_array().map(write::rounded_place);
            local.rotation = Quat::from_array(rounded);
        }
        pose
    });
    PoseFrames { name: "reach".to_owned(), step_secs: 1.0 / 24.0, poses: poses.collect() }
}

// The rectangle of the glTF tutorial's “Simple Skin”, with today's data (the
// tutorial of 2017 had it one half unit to the right).

pub(super) fn simple_skin_rig() -> Result<Rig, SkeletonError> {
    let skeleton = unturned_chain("joint", [Vec3::ZERO, Vec3::Y])?;
    Ok(Rig {
        params: params(),
        flat: true,
        clips: vec![bend()],
        ..Rig::new("simple_skin", "Simple Skin", skeleton, mesh())
    })
}

/// The bend, and what it takes to tell today's data from that of 2017.
fn params() -> Vec<Param> {
    let moved = |name: &str, label: &str, kind| length(name, label, kind, 1.0);
    let bind_shift = |joint, axis| ParamKind::BindShift { joint: JointIndex(joint), axis };
    let mut params = vec![
        angle("bend", "bend", 1, Vec3::Z, PI),
        moved("stored_x", "stored x", ParamKind::StoredShift { axis: 0, applied: 0.0 }),
        moved("shape_x", "bind shape x", ParamKind::BindShape { axis: 0 }),
        moved("root_y", "joint 0, y", bind_shift(0, 1)),
        moved("tip_y", "joint 1, y", bind_shift(1, 1)),
    ];
    params.extend(mesh_node(Vec3::Z, 3.0));
    params
}

/// The animation of the glTF tutorial, its quaternions as rounded there: not
/// quite of unit length.
fn bend() -> Clip {
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

fn mesh() -> Mesh {
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

// Channels of the clips that are made by code.

/// A clip as long as its channels.
pub(super) fn keyed_clip(name: &str, channels: Vec<Channel>) -> Clip {
    let ends = channels.iter().filter_map(|channel| channel.track.times_secs.last());
    Clip {
        name: name.to_owned(),
        duration_secs: ends.copied().fold(0.0, f32::max),
        frame_secs: None,
        channels,
    }
}

/// LINEAR.
pub(super) fn translation_track(joint: u16, times_secs: &[f32], keys: &[Vec3]) -> Channel {
    let values = keys.iter().flat_map(|key| key.to_array()).collect();
    channel(joint, TrackProperty::Translation, times_secs, values)
}

/// LINEAR; quaternions are stored as they come.
pub(super) fn rotation_track(joint: u16, times_secs: &[f32], keys: &[Quat]) -> Channel {
    let values = keys.iter().flat_map(|key| key.to_array()).collect();
    channel(joint, TrackProperty::Rotation, times_secs, values)
}

/// The same keys, held until the next.
pub(super) fn stepped_track(channel: &Channel) -> Channel {
    with_track(channel, |track| track.interpolation = Interpolation::Step)
}

/// The same keys on a cubic spline: each tangent leads from the key before to
/// the key after, at the ends it is 0.
pub(super) fn smoothed_track(channel: &Channel) -> Channel {
    with_track(channel, |track| {
        let keys: Vec<&[f32]> = track.values.chunks_exact(track.width).collect();
        let times = &track.times_secs;
        let tangent = |key: usize| -> Vec<f32> {
            let ends = key.checked_sub(1).zip(keys.get(key + 1));
            let Some((before, next)) = ends else {
                return vec![0.0; track.width];
            };
            let secs = times[key + 1] - times[before];
            let pairs = keys[before].iter().zip(*next);
            pairs.map(|(from, to)| (to - from) / secs).collect()
        };
        let with_tangents = (0..keys.len())
            .flat_map(|key| [tangent(key), keys[key].to_vec(), tangent(key)])
            .flatten()
            .collect();
        track.values = with_tangents;
        track.interpolation = Interpolation::CubicSpline;
    })
}

fn with_track(channel: &Channel, change: impl FnOnce(&mut Track)) -> Channel {
    let mut track = (*channel.track).clone();
    change(&mut track);
    Channel { target: channel.target, track: Arc::new(track) }
}

fn channel(joint: u16, property: TrackProperty, times_secs: &[f32], values: Vec<f32>) -> Channel {
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

// A ball on a plate, for normals: one joint squashes and leans the ball about
// the point it stands on, the other holds the plate still.

const BALL_RADIUS: f64 = 1.0;
const BALL_SEGMENTS: u32 = 40;
const ROWS: u32 = 24;
const PLATE_RADIUS: f64 = 1.1;
const PLATE_HEIGHT: f64 = 0.1;

pub(super) fn ball_rig() -> Result<Rig, SkeletonError> {
    let (image, [ball, plate]) = palette([[0xD8, 0xC3, 0xA5], [0x8B, 0x97, 0xA3]]);
    let mut builder = MeshBuilder::default();
    let center = DVec3::Y * BALL_RADIUS;
    let radii = DVec3::splat(BALL_RADIUS);
    builder.ball(center, radii, [BALL_SEGMENTS, ROWS], ball, |_| rigid(1));
    builder.loft(&plate_rings(), BALL_SEGMENTS, plate, |_| rigid(0));
    let mut mesh = builder.finish(image);
    // Exact, where triangles would give only their average.
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
                // Through 0, flat, to a mirror.
                range: (-1.0, 2.0),
                ..scale("squash", "squash", 1, Some(1))
            },
            angle("lean", "lean", 1, Vec3::Z, FRAC_PI_3),
        ],
        ..Rig::new("ball", "Ball", skeleton, mesh)
    })
}

/// A disc with a rounded edge, from below to above.
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
