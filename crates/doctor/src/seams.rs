//! Seams that open: vertices that are stored in one place and follow different joints.

use std::collections::BTreeMap;

use bindpose_gltf::{ClipAt, Rig};
use bindpose_skin::{Influences, JointIndex};
use glam::{Mat4, Vec3};

use super::catalog as fault;
use super::examined::format_length;
use super::findings::Findings;

/// Maximum number of vertices of one part whose twins are looked for, chosen by position.
const MAX_VERTICES: usize = 20_000;
/// Maximum number of pairs that are moved by clips.
const MAX_PAIRS: usize = 1000;
/// Maximum number of clips that are played, each at [`SAMPLE_COUNT`] times.
const MAX_CLIPS: usize = 16;
const SAMPLE_COUNT: usize = 8;
/// Difference of weights from which two vertices move differently.
const MIN_WEIGHT_DIFFERENCE: f32 = 0.05;
/// Minimum cosine between the normals of twins. Lips and lids that touch face each other.
const MIN_NORMAL_COSINE: f32 = 0.5;
/// Maximum fraction of twins that differ. Where most differ, stiff pieces touch each other.
const MAX_DIFFERENT_FRACTION: f64 = 0.7;
/// Minimum distance of parted twins, relative to the size of the mesh.
const MIN_GAP: f32 = 0.02;
/// Minimum number of twins that part.
const MIN_PARTED: usize = 2;

/// Two vertices in one place, by their indices in the rig.
#[derive(Clone, Copy)]
struct Twins {
    first: usize,
    second: usize,
}

/// Plays the clips of a rig and reports parts whose seams open.
pub(super) fn examine(rig: &Rig, findings: &mut Findings) {
    for part in &rig.mesh.parts {
        if part.skin.is_none() {
            continue;
        }
        let vertices = part.vertices.start as usize..part.vertices.end as usize;
        let Some(positions) = rig.mesh.positions.get(vertices.clone()) else {
            continue;
        };
        let (min, max) = bindpose_gltf::bounds_of(positions);
        let size = (max - min).max_element();
        let twins = find_different_twins(rig, vertices);
        if twins.len() < MIN_PARTED {
            continue;
        }
        let Some(worst) = find_widest_gap(rig, &twins, MIN_GAP * size) else {
            continue;
        };
        let pointer =
            format!("/meshes/{}/primitives/{}/attributes/WEIGHTS_0", part.mesh, part.primitive);
        findings.add(&fault::SEAM_OPENS, pointer).expected(
            "vertices in one place with the same joints and weights",
            format_args!(
                "{} pairs in one place with different ones; {} part, by up to {} in clip {} at \
                 {:.2} s, for example vertices {} and {}",
                twins.len(),
                worst.parted_count,
                format_length(f64::from(worst.gap)),
                worst.clip,
                worst.time_secs,
                worst.twins.first - part.vertices.start as usize,
                worst.twins.second - part.vertices.start as usize
            ),
        );
    }
}

/// Returns vertices in one place whose influences differ. Returns an empty list if most twins
/// differ.
fn find_different_twins(rig: &Rig, vertices: std::ops::Range<usize>) -> Vec<Twins> {
    let step = vertices.len().div_ceil(MAX_VERTICES).max(1) as u32;
    let mut by_position: BTreeMap<[u32; 3], usize> = BTreeMap::new();
    let mut twin_count = 0_usize;
    let mut different = Vec::new();
    for vertex in vertices {
        let key = rig.mesh.positions[vertex].to_array().map(f32::to_bits);
        // All vertices of one place are chosen together.
        let hash = key
            .iter()
            .fold(0_u32, |hash, bits| (hash ^ bits).wrapping_mul(0x0100_0193).rotate_left(13));
        if !hash.is_multiple_of(step) {
            continue;
        }
        let first = *by_position.entry(key).or_insert(vertex);
        if first == vertex || !have_like_normals(rig, first, vertex) {
            continue;
        }
        twin_count += 1;
        let difference =
            weight_difference(&rig.mesh.influences[first], &rig.mesh.influences[vertex]);
        if difference > MIN_WEIGHT_DIFFERENCE {
            different.push(Twins { first, second: vertex });
        }
    }
    if different.len() as f64 > MAX_DIFFERENT_FRACTION * twin_count as f64 {
        return Vec::new();
    }
    different.truncate(MAX_PAIRS);
    different
}

fn have_like_normals(rig: &Rig, a: usize, b: usize) -> bool {
    match (rig.mesh.normals.get(a), rig.mesh.normals.get(b)) {
        (Some(a), Some(b)) => a.dot(*b) > MIN_NORMAL_COSINE,
        _ => true,
    }
}

/// Returns the largest difference of the weights of one joint.
fn weight_difference(a: &Influences, b: &Influences) -> f32 {
    let joints = a.joints.iter().chain(&b.joints);
    joints.map(|joint| (weight_of(a, *joint) - weight_of(b, *joint)).abs()).fold(0.0, f32::max)
}

fn weight_of(influences: &Influences, joint: JointIndex) -> f32 {
    let lanes = influences.joints.iter().zip(influences.weights);
    lanes.filter(|(other, _)| **other == joint).map(|(_, weight)| weight).sum()
}

/// The pair that parts most in any clip.
struct WidestGap {
    twins: Twins,
    gap: f32,
    clip: usize,
    time_secs: f64,
    /// Number of pairs that part in any clip.
    parted_count: usize,
}

/// Plays clips and returns the widest gap between twins. `None` if none exceeds `min_gap`.
fn find_widest_gap(rig: &Rig, twins: &[Twins], min_gap: f32) -> Option<WidestGap> {
    let mut has_parted = vec![false; twins.len()];
    let mut worst: Option<WidestGap> = None;
    for (clip, animation) in rig.clips.iter().enumerate().take(MAX_CLIPS) {
        for sample in 0..=SAMPLE_COUNT {
            let time_secs =
                f64::from(animation.duration_secs) * sample as f64 / SAMPLE_COUNT as f64;
            let posed = rig.posed_in(&[ClipAt { clip, time_secs, share: 1.0 }], |_| None);
            let world_from_bind = posed.world_from_bind(&rig.skeleton);
            for (pair, parted) in twins.iter().zip(&mut has_parted) {
                let gap = skinned(rig, pair.first, &world_from_bind).distance(skinned(
                    rig,
                    pair.second,
                    &world_from_bind,
                ));
                *parted |= gap > min_gap;
                if gap > min_gap && worst.as_ref().is_none_or(|worst| gap > worst.gap) {
                    worst = Some(WidestGap { twins: *pair, gap, clip, time_secs, parted_count: 0 });
                }
            }
        }
    }
    let parted_count = has_parted.iter().filter(|has_parted| **has_parted).count();
    worst.filter(|_| parted_count >= MIN_PARTED).map(|worst| WidestGap { parted_count, ..worst })
}

fn skinned(rig: &Rig, vertex: usize, world_from_bind: &[Mat4]) -> Vec3 {
    let position = rig.mesh.positions[vertex];
    let Influences { joints, weights } = rig.mesh.influences[vertex];
    let mut sum = Vec3::ZERO;
    for (joint, weight) in joints.into_iter().zip(weights) {
        if weight != 0.0
            && let Some(matrix) = world_from_bind.get(usize::from(joint.0))
        {
            sum += weight * matrix.transform_point3(position);
        }
    }
    sum
}
