//! Bone heat: Baran and Popović, “Automatic rigging and animation of 3D characters”,
//! 2007, section 4.
//!
//! Every place of the surface is warmed by the bone nearest to it, the more the nearer
//! it is, and the surface carries the heat on. The warmth that joint j alone would
//! bring, when nothing changes any more, is its weight: (−Δ + H) w = H p, with p = 1
//! where the nearest bone is that of j and 0 elsewhere, and H = c/d². Here it stands
//! multiplied by the area around each place, which makes it symmetric, and lengths fall
//! out of it.

use std::collections::BTreeMap;

use super::bones::{BindBones, OnBone};
use super::segment_tree::SegmentTree;
use super::sparse::SparseMatrix;
use super::welded::Welded;
use crate::JointIndex;

/// c, as in the article.
const HEAT: f64 = 1.0;
/// Bones that are farther by no more than this part are as near: at a joint two meet.
const AS_NEAR: f64 = 1e-5;
/// A bone counts as no nearer than this part of the model's size: on the bone itself
/// 1/d² has no value.
const LEAST_DISTANCE: f64 = 1e-4;
/// Cotangents of angles in slivers are held within this.
const STEEPEST: f64 = 1e4;

/// What warms one place: the nearest bones, alike.
#[derive(Clone, Debug, Default)]
pub(super) struct HeatSource {
    pub(super) joints: Vec<JointIndex>,
    /// To the nearest bone.
    pub(super) distance: f64,
    /// Of those joints, whose bone the place sees.
    pub(super) visible: Vec<JointIndex>,
}

/// The equations of all joints: one matrix, and a right side each.
pub(super) struct Equations {
    pub(super) matrix: SparseMatrix,
    /// By joint: place and number; places without one have 0.
    pub(super) right_sides: BTreeMap<JointIndex, Vec<(u32, f64)>>,
}

/// What is nearest to a place, and what of it is in sight.
pub(super) fn source(
    surface: &Welded,
    tree: &SegmentTree<'_>,
    bones: &BindBones,
    place: u32,
) -> HeatSource {
    let all: Vec<OnBone> = bones.nearest(surface.places[place as usize]).collect();
    let distances = all.iter().map(|one| one.distance);
    let distance = distances.fold(f64::INFINITY, f64::min);
    let is_near = |one: &&OnBone| one.distance <= distance * (1.0 + AS_NEAR);
    let near = || all.iter().filter(is_near);
    let visible = near().filter(|one| !tree.is_hidden(place, one.point));
    HeatSource {
        joints: near().map(|one| one.joint).collect(),
        distance,
        visible: visible.map(|one| one.joint).collect(),
    }
}

impl Equations {
    /// Where a connected part of the surface sees none of its bones, all of its places
    /// are warmed through the surface: no heat would come there otherwise.
    pub(super) fn new(surface: &Welded, sources: &[HeatSource]) -> Self {
        let parts = surface.parts();
        let mut sees = vec![false; parts.len()];
        for (&part, source) in parts.iter().zip(sources) {
            sees[part as usize] |= !source.visible.is_empty();
        }
        let areas = areas(surface);
        let mut entries = stiffness(surface);
        let mut right_sides: BTreeMap<JointIndex, Vec<(u32, f64)>> = BTreeMap::new();
        for (place, source) in sources.iter().enumerate() {
            let joints = if sees[parts[place] as usize] { &source.visible } else { &source.joints };
            if joints.is_empty() {
                continue;
            }
            let distance = source.distance.max(LEAST_DISTANCE * surface.size);
            let heat = areas[place] * HEAT / (distance * distance);
            let place = place as u32;
            entries.push((place, place, heat));
            let each = heat / joints.len() as f64;
            for &joint in joints {
                right_sides.entry(joint).or_default().push((place, each));
            }
        }
        Self { matrix: SparseMatrix::new(surface.places.len(), entries), right_sides }
    }
}

/// The area around each place: a third of that of its triangles.
fn areas(surface: &Welded) -> Vec<f64> {
    let mut areas = vec![0.0; surface.places.len()];
    for &triangle in &surface.triangles {
        let [a, b, c] = surface.corners(triangle);
        let third = (b - a).cross(c - a).length() / 6.0;
        for place in triangle {
            areas[place as usize] += third;
        }
    }
    areas
}

/// −Δ times the areas: half the cotangents of the two angles across each edge (Pinkall
/// and Polthier, “Computing discrete minimal surfaces and their conjugates”, 1993).
fn stiffness(surface: &Welded) -> Vec<(u32, u32, f64)> {
    let mut entries = Vec::with_capacity(12 * surface.triangles.len());
    for &triangle in &surface.triangles {
        let corners = surface.corners(triangle);
        for at in 0..3 {
            let [one, other] = [(at + 1) % 3, (at + 2) % 3];
            let (p, q) = (corners[one] - corners[at], corners[other] - corners[at]);
            let cotangent = p.dot(q) / p.cross(q).length();
            let half = 0.5 * cotangent.clamp(-STEEPEST, STEEPEST);
            let (one, other) = (triangle[one], triangle[other]);
            entries.extend([
                (one, other, -half),
                (other, one, -half),
                (one, one, half),
                (other, other, half),
            ]);
        }
    }
    entries
}
