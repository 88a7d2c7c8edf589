//! The vertices of what is shown with a skin: some, evenly among all, which is enough to
//! tell where a mesh is and what becomes of it at rest, and the joints that any follows.

use std::collections::BTreeSet;

use glam::{DMat4, DVec3};
use serde_json::Value;

use super::doc::{Doc, list, whole};
use super::elements::{AccessorElements, sampled_elements, stored_elements};

/// Triangles of one primitive that are looked at.
const MOST_TRIANGLES: usize = 1000;
/// Influences that a sampled vertex keeps: two sets of four.
const LANES: usize = 8;
/// Sets that are looked through for the joints that vertices follow.
const MOST_SETS: usize = 16;

/// A vertex as it is stored.
#[derive(Clone, Copy, Debug)]
pub(super) struct SampledVertex {
    /// Primitive, counted over those of the skin, and vertex.
    at: (usize, usize),
    /// In bind space.
    pub(super) place: DVec3,
    joints: [usize; LANES],
    weights: [f64; LANES],
    /// How many lanes there are.
    lanes: usize,
}

/// The vertices of up to so many triangles a primitive; a point or a line is told as a
/// triangle, too.
#[derive(Clone, Debug, Default)]
pub(super) struct SkinnedSample {
    pub(super) triangles: Vec<[SampledVertex; 3]>,
}

impl SampledVertex {
    /// The joint of the largest weight, if its lanes of joints are read in this order.
    pub(super) fn strongest(&self, order: LaneOrder) -> Option<usize> {
        let lane = (0..self.lanes).max_by(|&a, &b| self.weights[a].total_cmp(&self.weights[b]))?;
        let joint = order.lane(lane, self.lanes);
        (self.weights[lane] > 0.0).then_some(self.joints[joint])
    }

    /// Where it is with these joint matrices. `None` where one of its joints has none.
    pub(super) fn skinned(&self, joint_matrices: &[DMat4]) -> Option<DVec3> {
        let mut sum = DVec3::ZERO;
        for lane in 0..self.lanes {
            if self.weights[lane] != 0.0 {
                let matrix = joint_matrices.get(self.joints[lane])?;
                sum += self.weights[lane] * matrix.transform_point3(self.place);
            }
        }
        sum.is_finite().then_some(sum)
    }
}

/// In which order lanes of joints belong to lanes of weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LaneOrder {
    AsStored,
    /// The last of a set first.
    Reversed,
    /// The joints of one set are those of the other.
    SetsSwapped,
}

impl LaneOrder {
    /// The lane of joints that belongs to a lane of weights.
    pub(super) fn lane(self, lane: usize, lanes: usize) -> usize {
        match self {
            Self::Reversed => lane / 4 * 4 + 3 - lane % 4,
            Self::SetsSwapped if lanes == LANES => (lane + 4) % LANES,
            Self::AsStored | Self::SetsSwapped => lane,
        }
    }
}

impl SkinnedSample {
    /// Of all meshes that are shown with a skin.
    pub(super) fn of_skin(doc: &Doc<'_>, skin: usize) -> Self {
        let nodes = doc.list("nodes").iter();
        let shown = nodes.filter(|node| whole(node, "skin") == Some(skin));
        let meshes: BTreeSet<usize> = shown.filter_map(|node| whole(node, "mesh")).collect();
        let mut sample = Self::default();
        let mut part = 0;
        for mesh in meshes.into_iter().filter_map(|mesh| doc.one("meshes", mesh)) {
            for primitive in list(mesh, "primitives") {
                sample.triangles.extend(of_primitive(doc, primitive, part).unwrap_or_default());
                part += 1;
            }
        }
        sample
    }

    /// Each once.
    pub(super) fn vertices(&self) -> impl Iterator<Item = &SampledVertex> {
        let mut seen = BTreeSet::new();
        self.triangles.iter().flatten().filter(move |vertex| seen.insert(vertex.at))
    }
}

fn of_primitive(doc: &Doc<'_>, primitive: &Value, part: usize) -> Option<Vec<[SampledVertex; 3]>> {
    let attributes = primitive.get("attributes")?;
    let stored = |name: &str, width: usize| {
        let elements = sampled_elements(doc, whole(attributes, name)?, 3 * MOST_TRIANGLES)?;
        (elements.format.kind.components == width).then_some(elements)
    };
    let places = stored("POSITION", 3)?;
    let set = |set: usize| {
        Some([stored(&format!("JOINTS_{set}"), 4)?, stored(&format!("WEIGHTS_{set}"), 4)?])
    };
    let sets: Vec<[AccessorElements<'_>; 2]> = (0..LANES / 4).map_while(set).collect();
    let counts = sets.iter().flatten().map(|elements| elements.count);
    let count = counts.chain([places.count]).min().filter(|_| !sets.is_empty())?;
    let vertex = |at: usize| {
        let mut vertex = SampledVertex {
            at: (part, at),
            place: DVec3::from_array(places.vector(at)),
            joints: [0; LANES],
            weights: [0.0; LANES],
            lanes: 4 * sets.len(),
        };
        for (lane, [joints, weights]) in sets.iter().enumerate() {
            for of_set in 0..4 {
                vertex.joints[4 * lane + of_set] = joints.stored(at, of_set) as usize;
                vertex.weights[4 * lane + of_set] = weights.number(at, of_set);
            }
        }
        vertex
    };
    let corners = sampled_triangles(doc, primitive, count, MOST_TRIANGLES);
    Some(corners.into_iter().map(|corners| corners.map(vertex)).collect())
}

/// The corners of at most so many triangles of a primitive with so many vertices, evenly
/// among all; of points and lines, each vertex three times. What leads beyond the
/// vertices is left out.
pub(super) fn sampled_triangles(
    doc: &Doc<'_>,
    primitive: &Value,
    vertices: usize,
    most: usize,
) -> Vec<[usize; 3]> {
    let named = whole(primitive, "indices");
    let indices = named.and_then(|accessor| sampled_elements(doc, accessor, 3 * most));
    if named.is_some() && indices.is_none() {
        return Vec::new();
    }
    let corners = indices.as_ref().map_or(vertices, |indices| indices.count);
    let corner = |at: usize| indices.as_ref().map_or(at, |indices| indices.stored(at, 0) as usize);
    let mode = whole(primitive, "mode").unwrap_or(4);
    let count = match mode {
        4 => corners / 3,
        5 | 6 => corners.saturating_sub(2),
        _ => corners,
    };
    let triangle = |at: usize| match mode {
        4 => [3 * at, 3 * at + 1, 3 * at + 2],
        5 if at.is_multiple_of(2) => [at, at + 1, at + 2],
        5 => [at, at + 2, at + 1],
        6 => [0, at + 1, at + 2],
        _ => [at; 3],
    };
    let real = |triangle: &[usize; 3]| triangle.iter().all(|&at| at < vertices);
    let some = (0..count).step_by(count.div_ceil(most).max(1));
    some.map(|at| triangle(at).map(corner)).filter(real).collect()
}

/// Joints of one skin, by their places in its list, that some vertex has a weight for.
#[derive(Debug, Default)]
pub(super) struct FollowedJoints(Vec<bool>);

impl FollowedJoints {
    /// By all meshes that are shown with a skin.
    pub(super) fn of_skin(doc: &Doc<'_>, skin: usize) -> Self {
        let nodes = doc.list("nodes").iter();
        let shown = nodes.filter(|node| whole(node, "skin") == Some(skin));
        let meshes: BTreeSet<usize> = shown.filter_map(|node| whole(node, "mesh")).collect();
        let mut seen = BTreeSet::new();
        let mut followed = Self::default();
        for mesh in meshes.into_iter().filter_map(|mesh| doc.one("meshes", mesh)) {
            for attributes in
                list(mesh, "primitives").iter().filter_map(|one| one.get("attributes"))
            {
                for set in 0..MOST_SETS {
                    let named = |name: &str| whole(attributes, &format!("{name}_{set}"));
                    let Some(set) = named("JOINTS").zip(named("WEIGHTS")) else { break };
                    if seen.insert(set) {
                        followed.add_set(doc, set);
                    }
                }
            }
        }
        followed
    }

    pub(super) fn contains(&self, joint: usize) -> bool {
        self.0.get(joint) == Some(&true)
    }

    /// `joints`, `weights`: accessors.
    fn add_set(&mut self, doc: &Doc<'_>, (joints, weights): (usize, usize)) {
        let Some((joints, weights)) =
            stored_elements(doc, joints).zip(stored_elements(doc, weights))
        else {
            return;
        };
        let four = [&joints, &weights].iter().all(|one| one.format.kind.components == 4);
        for vertex in 0..joints.count.min(weights.count) {
            for lane in (0..4).filter(|_| four) {
                let joint = joints.stored(vertex, lane) as usize;
                // Numbers of 16 bits: others are told elsewhere.
                if weights.number(vertex, lane) != 0.0 && u16::try_from(joint).is_ok() {
                    let length = self.0.len().max(joint + 1);
                    self.0.resize(length, false);
                    self.0[joint] = true;
                }
            }
        }
    }
}
