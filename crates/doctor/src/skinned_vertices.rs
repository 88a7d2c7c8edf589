//! Samples of skinned meshes, to find where a mesh is and how skinning moves it at rest, and
//! the joints that vertices have weights for.

use std::collections::BTreeSet;

use bindpose_gltf::decoding::AccessorElements;
use bindpose_gltf::decoding::values::{get_list, get_usize};
use glam::{DMat4, DVec3};
use serde_json::Value;

use super::document::RawDocument;
use super::elements::{read_elements, read_sampled_attribute, read_some_elements};

/// Maximum number of triangles that are sampled from one primitive.
const MAX_TRIANGLES: usize = 1000;
/// Maximum number of influences that a sampled vertex keeps: two sets of four.
const MAX_INFLUENCES: usize = 8;
/// Maximum number of sets of influences that are read for [`WeightedJoints`].
const MAX_SETS: usize = 16;

/// A vertex as stored.
#[derive(Clone, Copy, Debug)]
pub(super) struct SampledVertex {
    /// Primitive, counted over those of the skin, and vertex. Identifies the vertex.
    id: (usize, usize),
    /// In bind space.
    pub(super) position: DVec3,
    joints: [usize; MAX_INFLUENCES],
    weights: [f64; MAX_INFLUENCES],
    /// Number of valid entries in `joints` and `weights`.
    lane_count: usize,
}

impl SampledVertex {
    /// Returns the index of the vertex in its primitive.
    pub(super) fn index(&self) -> usize {
        self.id.1
    }

    /// Returns the largest weight.
    pub(super) fn max_weight(&self) -> f64 {
        self.weights[..self.lane_count].iter().copied().fold(0.0, f64::max)
    }

    /// Returns the joint of the largest weight if lanes of joints are in this order.
    pub(super) fn strongest_joint(&self, order: LaneOrder) -> Option<usize> {
        let lane =
            (0..self.lane_count).max_by(|&a, &b| self.weights[a].total_cmp(&self.weights[b]))?;
        let joint = order.joint_lane(lane, self.lane_count);
        (self.weights[lane] > 0.0).then_some(self.joints[joint])
    }

    /// Skins the position by linear blending, with weights divided by their sum as in the
    /// picture. Returns `None` if a joint has no matrix.
    pub(super) fn skinned(&self, joint_matrices: &[DMat4]) -> Option<DVec3> {
        let mut sum = DVec3::ZERO;
        let mut weight_sum = 0.0;
        for lane in 0..self.lane_count {
            if self.weights[lane] != 0.0 {
                let matrix = joint_matrices.get(self.joints[lane])?;
                sum += self.weights[lane] * matrix.transform_point3(self.position);
                weight_sum += self.weights[lane];
            }
        }
        let position = if weight_sum == 0.0 { sum } else { sum / weight_sum };
        position.is_finite().then_some(position)
    }
}

/// The order of the lanes of joints relative to the lanes of weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LaneOrder {
    AsStored,
    /// The four lanes of each set are reversed.
    Reversed,
    /// The joints of the first set belong to the weights of the second, and vice versa.
    SetsSwapped,
}

impl LaneOrder {
    /// Returns the lane of joints that belongs to a lane of weights.
    pub(super) fn joint_lane(self, lane: usize, lane_count: usize) -> usize {
        match self {
            Self::Reversed => lane / 4 * 4 + 3 - lane % 4,
            Self::SetsSwapped if lane_count == MAX_INFLUENCES => (lane + 4) % MAX_INFLUENCES,
            Self::AsStored | Self::SetsSwapped => lane,
        }
    }
}

/// Triangles of the meshes with one skin, evenly spread over each primitive. Points and lines
/// are represented by triangles of three equal corners.
#[derive(Clone, Debug, Default)]
pub(super) struct SkinnedMeshSample {
    pub(super) triangles: Vec<[SampledVertex; 3]>,
}

impl SkinnedMeshSample {
    /// Samples all meshes that nodes show with a skin.
    pub(super) fn of_skin(doc: &RawDocument<'_>, skin: usize) -> Self {
        let mut sample = Self::default();
        let mut primitive_index = 0;
        for mesh in doc.meshes_of_skin(skin) {
            let Some(mesh) = doc.get("meshes", mesh) else {
                continue;
            };
            for primitive in get_list(mesh, "primitives") {
                let triangles = sample_primitive(doc, primitive, primitive_index);
                sample.triangles.extend(triangles.unwrap_or_default());
                primitive_index += 1;
            }
        }
        sample
    }

    /// Iterates over the vertices, each once.
    pub(super) fn vertices(&self) -> impl Iterator<Item = &SampledVertex> {
        let mut seen = BTreeSet::new();
        self.triangles.iter().flatten().filter(move |vertex| seen.insert(vertex.id))
    }
}

/// Returns sampled triangles of a primitive. `None` if it has no readable positions or
/// influences.
pub(super) fn sample_primitive(
    doc: &RawDocument<'_>,
    primitive: &Value,
    primitive_index: usize,
) -> Option<Vec<[SampledVertex; 3]>> {
    let attributes = primitive.get("attributes")?;
    let positions = read_sampled_attribute(doc, attributes, "POSITION", 3..=3, MAX_TRIANGLES)?;
    let sets: Vec<[AccessorElements<'_>; 2]> = (0..MAX_INFLUENCES / 4)
        .map_while(|set| {
            let joints = read_sampled_attribute(
                doc,
                attributes,
                &format!("JOINTS_{set}"),
                4..=4,
                MAX_TRIANGLES,
            )?;
            let weights = read_sampled_attribute(
                doc,
                attributes,
                &format!("WEIGHTS_{set}"),
                4..=4,
                MAX_TRIANGLES,
            )?;
            Some([joints, weights])
        })
        .collect();
    let vertex_count =
        sets.iter().flatten().map(|elements| elements.count).min()?.min(positions.count);
    let triangles = sampled_triangles(doc, primitive, vertex_count, MAX_TRIANGLES);
    let sampled = triangles.into_iter().map(|corners| {
        corners.map(|index| {
            let mut vertex = SampledVertex {
                id: (primitive_index, index),
                position: DVec3::from_array(positions.vector(index)),
                joints: [0; MAX_INFLUENCES],
                weights: [0.0; MAX_INFLUENCES],
                lane_count: 4 * sets.len(),
            };
            for (set, [joints, weights]) in sets.iter().enumerate() {
                for lane in 0..4 {
                    vertex.joints[4 * set + lane] = joints.stored(index, lane) as usize;
                    vertex.weights[4 * set + lane] = weights.number(index, lane);
                }
            }
            vertex
        })
    });
    Some(sampled.collect())
}

/// Returns the corners of at most `max_triangles` triangles, evenly spread over the primitive.
/// Each point, and each vertex of a line, is a triangle of three equal corners. Leaves out
/// triangles with corners beyond `vertex_count`.
pub(super) fn sampled_triangles(
    doc: &RawDocument<'_>,
    primitive: &Value,
    vertex_count: usize,
    max_triangles: usize,
) -> Vec<[usize; 3]> {
    let accessor = get_usize(primitive, "indices");
    let indices = accessor.and_then(|index| read_some_elements(doc, index, 3 * max_triangles));
    if accessor.is_some() && indices.is_none() {
        return Vec::new();
    }
    let corner_count = indices.as_ref().map_or(vertex_count, |indices| indices.count);
    let mode = get_usize(primitive, "mode").unwrap_or(4);
    let triangle_count = match mode {
        4 => corner_count / 3,
        5 | 6 => corner_count.saturating_sub(2),
        _ => corner_count,
    };
    let step = triangle_count.div_ceil(max_triangles).max(1);
    let mut triangles = Vec::new();
    for index in (0..triangle_count).step_by(step) {
        let corners = match mode {
            4 => [3 * index, 3 * index + 1, 3 * index + 2],
            5 if index.is_multiple_of(2) => [index, index + 1, index + 2],
            5 => [index, index + 2, index + 1],
            6 => [0, index + 1, index + 2],
            _ => [index; 3],
        };
        let triangle = match &indices {
            Some(indices) => corners.map(|corner| indices.stored(corner, 0) as usize),
            None => corners,
        };
        if triangle.iter().all(|&vertex| vertex < vertex_count) {
            triangles.push(triangle);
        }
    }
    triangles
}

/// The joints of one skin that any vertex has a weight for, by their index in the skin.
#[derive(Debug, Default)]
pub(super) struct WeightedJoints(Vec<bool>);

impl WeightedJoints {
    /// Reads all meshes that nodes show with a skin.
    pub(super) fn of_skin(doc: &RawDocument<'_>, skin: usize) -> Self {
        let mut examined = BTreeSet::new();
        let mut weighted = Self::default();
        for mesh in doc.meshes_of_skin(skin) {
            let Some(mesh) = doc.get("meshes", mesh) else {
                continue;
            };
            for primitive in get_list(mesh, "primitives") {
                let Some(attributes) = primitive.get("attributes") else {
                    continue;
                };
                for set in 0..MAX_SETS {
                    let joints = get_usize(attributes, &format!("JOINTS_{set}"));
                    let weights = get_usize(attributes, &format!("WEIGHTS_{set}"));
                    let Some((joints, weights)) = joints.zip(weights) else {
                        break;
                    };
                    if examined.insert((joints, weights)) {
                        weighted.add_set(doc, joints, weights);
                    }
                }
            }
        }
        weighted
    }

    pub(super) fn contains(&self, joint: usize) -> bool {
        self.0.get(joint) == Some(&true)
    }

    /// Adds the joints in two accessors of joints and weights.
    fn add_set(&mut self, doc: &RawDocument<'_>, joints: usize, weights: usize) {
        let Some(joints) = read_elements(doc, joints) else {
            return;
        };
        let Some(weights) = read_elements(doc, weights) else {
            return;
        };
        if joints.format.kind.components != 4 || weights.format.kind.components != 4 {
            return;
        }
        for vertex in 0..joints.count.min(weights.count) {
            for lane in 0..4 {
                let joint = joints.stored(vertex, lane) as usize;
                // Larger numbers fit no format of joints, which is reported elsewhere. They
                // must not size the list.
                if weights.number(vertex, lane) != 0.0 && u16::try_from(joint).is_ok() {
                    let length = self.0.len().max(joint + 1);
                    self.0.resize(length, false);
                    self.0[joint] = true;
                }
            }
        }
    }
}
