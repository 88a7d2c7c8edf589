//! Influences that belong to the vertex before or after: neighbours of one triangle then have
//! joints that have nothing to do with each other.

use bindpose_gltf::decoding::AccessorElements;
use bindpose_gltf::decoding::values::get_list;
use serde_json::Value;

use super::catalog as fault;
use super::document::RawDocument;
use super::elements::read_sampled_attribute;
use super::findings::Findings;
use super::skinned_vertices::sampled_triangles;

/// Maximum number of triangles that are sampled from one primitive.
const MAX_TRIANGLES: usize = 1000;
/// Minimum number of edges from which conclusions are drawn.
const MIN_EDGES: usize = 60;
/// Minimum number of edges between vertices without a common joint.
const MIN_FOREIGN_EDGES: usize = 6;
/// Maximum number of such edges after a correction, as a fraction of those before.
const MAX_FOREIGN_LEFT: f64 = 0.2;
/// Maximum difference of neighbours after a correction, as a fraction of that before, if edges
/// without a common joint are gone.
const MAX_DIFFERENCE_LEFT: f64 = 0.9;
/// The same without such edges.
const MAX_PLAIN_DIFFERENCE_LEFT: f64 = 0.8;
/// Minimum difference that a correction removes, in edges without a common joint.
const MIN_DIFFERENCE: f64 = 2.0;
/// Difference of influences from which two vertices have no joint in common.
const FOREIGN_DIFFERENCE: f64 = 0.999;

pub(super) fn examine(doc: &RawDocument<'_>, findings: &mut Findings) {
    for (index, mesh) in doc.entries("meshes") {
        for (part, primitive) in get_list(mesh, "primitives").iter().enumerate() {
            let Some(late) = find_late_influences(doc, primitive) else {
                continue;
            };
            let pointer =
                format!("/meshes/{index}/primitives/{part}/attributes/{}", late.attribute());
            findings.add(&fault::JOINTS_OF_NEIGHBOUR, pointer).expected(
                "influences of each vertex in its own place",
                format_args!(
                    "{} of {} edges between vertices without a common joint, and weights that \
                     differ by {:.3} along an edge on average; with {} moved {} by one vertex, {} \
                     edges and {:.3}",
                    late.stored.foreign_count,
                    late.stored.edge_count,
                    late.stored.mean(),
                    late.describe_moved(),
                    if late.shift > 0 { "back" } else { "on" },
                    late.corrected.foreign_count,
                    late.corrected.mean()
                ),
            );
        }
    }
}

/// The attributes that are out of place.
#[derive(Clone, Copy)]
enum MovedAttributes {
    Both,
    Joints,
    Weights,
}

/// Influences that are out of place by one vertex.
struct LateInfluences {
    moved: MovedAttributes,
    /// Distance from a vertex to its influences in the file.
    shift: isize,
    stored: NeighbourDifferences,
    corrected: NeighbourDifferences,
}

impl LateInfluences {
    fn attribute(&self) -> &'static str {
        match self.moved {
            MovedAttributes::Both | MovedAttributes::Joints => "JOINTS_0",
            MovedAttributes::Weights => "WEIGHTS_0",
        }
    }

    fn describe_moved(&self) -> &'static str {
        match self.moved {
            MovedAttributes::Both => "joints and weights",
            MovedAttributes::Joints => "joints",
            MovedAttributes::Weights => "weights",
        }
    }
}

fn find_late_influences(doc: &RawDocument<'_>, primitive: &Value) -> Option<LateInfluences> {
    let attributes = primitive.get("attributes")?;
    if attributes.get("JOINTS_1").is_some() {
        return None;
    }
    let influences = FirstInfluences {
        joints: read_sampled_attribute(doc, attributes, "JOINTS_0", 4..=4, MAX_TRIANGLES)?,
        weights: read_sampled_attribute(doc, attributes, "WEIGHTS_0", 4..=4, MAX_TRIANGLES)?,
    };
    let vertex_count = influences.joints.count.min(influences.weights.count);
    let triangles = sampled_triangles(doc, primitive, vertex_count, MAX_TRIANGLES);
    let stored = NeighbourDifferences::new(&influences, &triangles, 0, 0);
    // Where most neighbours have the same influences, nothing can be out of place.
    if stored.edge_count < MIN_EDGES || stored.sum < 1.0 {
        return None;
    }
    for shift in [1, -1] {
        for moved in [MovedAttributes::Both, MovedAttributes::Joints, MovedAttributes::Weights] {
            let (joint_shift, weight_shift) = match moved {
                MovedAttributes::Both => (shift, shift),
                MovedAttributes::Joints => (shift, 0),
                MovedAttributes::Weights => (0, shift),
            };
            let corrected =
                NeighbourDifferences::new(&influences, &triangles, joint_shift, weight_shift);
            if corrected.explains(&stored) {
                return Some(LateInfluences { moved, shift, stored, corrected });
            }
        }
    }
    None
}

/// The first set of influences of a primitive.
struct FirstInfluences<'a> {
    joints: AccessorElements<'a>,
    weights: AccessorElements<'a>,
}

impl FirstInfluences<'_> {
    /// Returns the influences of a vertex, taken from vertices at these distances.
    fn at(&self, vertex: usize, joint_shift: isize, weight_shift: isize) -> [(f64, f64); 4] {
        let joints = shifted(vertex, joint_shift, self.joints.count);
        let weights = shifted(vertex, weight_shift, self.weights.count);
        std::array::from_fn(|lane| {
            (self.joints.stored(joints, lane), self.weights.number(weights, lane))
        })
    }
}

fn shifted(vertex: usize, shift: isize, count: usize) -> usize {
    vertex.checked_add_signed(shift).filter(|&index| index < count).unwrap_or(vertex)
}

/// Differences between the influences of the vertices of each edge.
struct NeighbourDifferences {
    edge_count: usize,
    /// Number of edges between vertices without a common joint.
    foreign_count: usize,
    /// Sum of the differences, each from 0 to 1.
    sum: f64,
}

impl NeighbourDifferences {
    fn new(
        influences: &FirstInfluences<'_>,
        triangles: &[[usize; 3]],
        joint_shift: isize,
        weight_shift: isize,
    ) -> Self {
        let mut differences = Self { edge_count: 0, foreign_count: 0, sum: 0.0 };
        for [a, b, c] in triangles {
            for (from, to) in [(a, b), (b, c), (c, a)] {
                if from == to {
                    continue;
                }
                let difference = influence_difference(
                    &influences.at(*from, joint_shift, weight_shift),
                    &influences.at(*to, joint_shift, weight_shift),
                );
                differences.edge_count += 1;
                differences.foreign_count += usize::from(difference > FOREIGN_DIFFERENCE);
                differences.sum += difference;
            }
        }
        differences
    }

    fn mean(&self) -> f64 {
        self.sum / self.edge_count.max(1) as f64
    }

    /// Returns whether this order explains the differences of the stored one.
    fn explains(&self, stored: &Self) -> bool {
        let has_fewer_foreign = stored.foreign_count >= MIN_FOREIGN_EDGES
            && self.foreign_count as f64 <= MAX_FOREIGN_LEFT * stored.foreign_count as f64
            && self.sum < MAX_DIFFERENCE_LEFT * stored.sum;
        let is_closer = self.sum < MAX_PLAIN_DIFFERENCE_LEFT * stored.sum
            && stored.sum - self.sum > MIN_DIFFERENCE;
        has_fewer_foreign || is_closer
    }
}

/// Returns half the sum of differences of weights, joint by joint: 1 for vertices without a
/// common joint.
fn influence_difference(a: &[(f64, f64); 4], b: &[(f64, f64); 4]) -> f64 {
    let mut common = 0.0;
    for (joint, weight) in a {
        let other: f64 =
            b.iter().filter(|(other, _)| other == joint).map(|(_, weight)| weight).sum();
        common += weight.min(other);
    }
    1.0 - common.clamp(0.0, 1.0)
}
