//! What the whale can do: `swim`, `turn`, `breach`.

use std::f64::consts::TAU;

use bindpose_skin::Clip;
use glam::{DVec3, Quat, Vec3};

use super::joints::{
    CHEST, DORSAL, FIN, FLUKE, HEAD, JAW, NECK, ROOT, SPINE, TAIL, local_rotations, specs,
};
use crate::builtin::clips;
use crate::builtin::mesh_builder::{curve, smooth_step};

pub(super) fn all() -> Vec<Clip> {
    vec![
        clip("swim", 2.0, 24, swim, |_| DVec3::ZERO),
        clip("turn", 4.0, 40, turn, |_| DVec3::ZERO),
        clip("breach", 5.0, 50, breach, leap),
    ]
}

/// Samples a movement: turns about x, y, z of each joint, and where the root
/// goes from its place, at a time from 0 to 1.
fn clip(
    name: &str,
    duration_secs: f64,
    steps: usize,
    turns: fn(u16, f64) -> DVec3,
    offset: fn(f64) -> DVec3,
) -> Clip {
    let specs = specs();
    let phases: Vec<f64> = (0..=steps).map(|step| step as f64 / steps as f64).collect();
    let times_secs: Vec<f32> = phases.iter().map(|phase| rounded(phase * duration_secs)).collect();
    let poses: Vec<_> = phases
        .iter()
        .map(|&phase| {
            let turns: Vec<DVec3> =
                (0..specs.len() as u16).map(|joint| turns(joint, phase)).collect();
            local_rotations(&turns)
        })
        .collect();
    let mut channels = Vec::new();
    let root = DVec3::from(specs[0].position);
    let translations: Vec<Vec3> = phases
        .iter()
        .map(|&phase| {
            let p = root + offset(phase);
            Vec3::new(rounded(p.x), rounded(p.y), rounded(p.z))
        })
        .collect();
    if translations.iter().any(|&p| p != translations[0]) {
        channels.push(clips::translations(ROOT, &times_secs, &translations));
    }
    for joint in 0..specs.len() as u16 {
        let rotations = poses.iter().map(|pose| pose[usize::from(joint)]);
        let rotations: Vec<Quat> = rotations.collect();
        channels.push(clips::rotations(joint, &times_secs, &rotations));
    }
    clips::clip(name, channels)
}

/// A wave that runs down the body, larger towards the flukes.
fn swim(joint: u16, phase: f64) -> DVec3 {
    beat(joint, phase * TAU, 1.0)
}

fn beat(joint: u16, phase_rad: f64, strength: f64) -> DVec3 {
    let (size, lag) = match joint {
        HEAD => (-0.03, 0.0),
        NECK => (-0.03, 0.2),
        ROOT => (0.05, 0.3),
        j if j == SPINE[0] => (0.07, 0.6),
        j if j == SPINE[1] => (0.1, 0.9),
        j if j == SPINE[2] => (0.14, 1.3),
        j if j == TAIL[0] => (0.18, 1.7),
        j if j == TAIL[1] => (0.2, 2.2),
        j if j == TAIL[2] => (0.26, 2.8),
        j if FLUKE.contains(&j) => (0.2, 3.4),
        j if j == FIN[0][0] || j == FIN[1][0] => (0.1, 1.2),
        j if FIN[0].contains(&j) || FIN[1].contains(&j) => (0.06, 1.8),
        _ => (0.0, 0.0),
    };
    DVec3::X * (strength * size * (phase_rad - lag).sin())
}

/// Two beats, a bend to the left and back, rolling into it.
fn turn(joint: u16, phase: f64) -> DVec3 {
    let bend = smooth_step(0.0, 0.4, phase) * (1.0 - smooth_step(0.6, 1.0, phase));
    let sideways = match joint {
        NECK | HEAD => DVec3::new(0.0, 0.0, -0.14),
        CHEST => DVec3::new(0.0, 0.0, -0.1),
        ROOT => DVec3::new(0.0, 0.3, 0.0),
        j if SPINE.contains(&j) => DVec3::new(0.0, 0.0, 0.12),
        j if TAIL.contains(&j) => DVec3::new(0.0, 0.0, 0.15),
        j if j == FIN[0][0] => DVec3::new(-0.35, 0.0, 0.0),
        j if j == FIN[1][0] => DVec3::new(0.4, 0.0, 0.0),
        j if j == DORSAL[1] => DVec3::new(0.2, 0.0, 0.0),
        _ => DVec3::ZERO,
    };
    beat(joint, phase * 2.0 * TAU, 0.7) + sideways * bend
}

/// Up, out of the water, back down.
fn breach(joint: u16, phase: f64) -> DVec3 {
    let pitch = curve(
        &[(0.0, 0.0), (0.25, -0.9), (0.45, -1.0), (0.62, -0.1), (0.78, 0.75), (1.0, 0.0)],
        phase,
    );
    let arch = curve(&[(0.0, 0.0), (0.2, -0.1), (0.45, 0.12), (0.7, -0.12), (1.0, 0.0)], phase);
    let air = smooth_step(0.2, 0.4, phase) * (1.0 - smooth_step(0.6, 0.85, phase));
    let own = match joint {
        ROOT => DVec3::X * pitch,
        HEAD | NECK => DVec3::X * arch,
        JAW => DVec3::X * (0.35 * air),
        j if SPINE.contains(&j) || TAIL.contains(&j) => DVec3::X * arch,
        j if j == FIN[0][0] || j == FIN[1][0] => DVec3::X * (0.45 * air),
        _ => DVec3::ZERO,
    };
    own + beat(joint, phase * 3.0 * TAU, 0.9 * (1.0 - air))
}

fn leap(phase: f64) -> DVec3 {
    let height = curve(
        &[(0.0, 0.0), (0.12, -0.5), (0.4, 2.4), (0.5, 2.8), (0.62, 2.3), (0.85, -0.4), (1.0, 0.0)],
        phase,
    );
    DVec3::new(0.0, height, 0.0)
}

fn rounded(x: f64) -> f32 {
    ((x * 1e5).round() / 1e5 + 0.0) as f32
}
