//! Joints and weights of vertices.

use bindpose_gltf::Component;
use bindpose_gltf::decoding::AccessorElements;
use bindpose_gltf::decoding::values::{as_usize, get_list};
use serde_json::{Value, json};

use super::draft::{AccessorData, Draft};
use super::evidence;
use crate::document::RawDocument;
use crate::elements::read_elements;
use crate::meshes::joint_counts_by_mesh;
use crate::skin_fit::JointNumbering;

/// Change of a weight below which it is not written.
const WEIGHT_TOLERANCE: f64 = 1e-7;
/// Maximum number of sets of influences.
const MAX_SETS: usize = 16;

/// One influence of a vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Influence {
    joint: usize,
    weight: f64,
}

/// Accessors of one set of influences.
#[derive(Clone, Copy, Debug)]
struct SetAccessors {
    joints: usize,
    weights: usize,
}

/// New influences of one primitive.
struct InfluencesChange {
    /// JSON pointer to the attributes.
    pointer: String,
    sets: Vec<SetAccessors>,
    joint_component: Component,
    /// Vertex by vertex; for each vertex set by set, four for each set.
    influences: Vec<Influence>,
    joint_count: Option<usize>,
}

/// Normalizes the weights of all vertices, merges influences of the same joint, and sets unused
/// influences to joint 0.
pub(super) fn mend_influences(draft: &mut Draft) {
    let joint_counts = joint_counts_by_mesh(&draft.doc);
    let mut changes = Vec::new();
    let mut unchanged_sets = Vec::new();
    let mut withheld = Vec::new();
    for (mesh_index, mesh) in draft.doc.list("meshes").iter().enumerate() {
        let joint_count = joint_counts[mesh_index].first().copied();
        for (part, primitive) in get_list(mesh, "primitives").iter().enumerate() {
            let pointer = format!("/meshes/{mesh_index}/primitives/{part}/attributes");
            match find_change(&draft.doc, primitive, pointer, joint_count, &mut withheld) {
                Some(change) => changes.push(change),
                None => unchanged_sets.extend(influence_sets(primitive)),
            }
        }
    }
    for (at, reason) in withheld {
        draft.withhold(at, reason);
    }
    for set in unchanged_sets {
        draft.keep(set.joints);
        draft.keep(set.weights);
    }
    for change in changes {
        apply_change(draft, &change);
    }
}

fn influence_sets(primitive: &Value) -> Vec<SetAccessors> {
    let mut sets = Vec::new();
    let Some(attributes) = primitive.get("attributes") else {
        return sets;
    };
    for set in 0..MAX_SETS {
        let joints = attributes.get(format!("JOINTS_{set}")).and_then(as_usize);
        let weights = attributes.get(format!("WEIGHTS_{set}")).and_then(as_usize);
        let Some((joints, weights)) = joints.zip(weights) else {
            break;
        };
        sets.push(SetAccessors { joints, weights });
    }
    sets
}

/// Returns the mended influences of a primitive, or `None` if they do not change or cannot be
/// read.
fn find_change(
    doc: &RawDocument<'_>,
    primitive: &Value,
    pointer: String,
    joint_count: Option<usize>,
    withheld: &mut Vec<(String, &'static str)>,
) -> Option<InfluencesChange> {
    let sets = influence_sets(primitive);
    let mut stored_sets = Vec::new();
    for set in &sets {
        let joints = read_elements(doc, set.joints)?;
        let weights = read_elements(doc, set.weights)?;
        let has_integers = matches!(joints.format.component, Component::U8 | Component::U16);
        let has_four = joints.format.kind.components == 4 && weights.format.kind.components == 4;
        if !has_four || !has_integers || joints.count != weights.count {
            return None;
        }
        stored_sets.push((joints, weights));
    }
    let (first_joints, _) = stored_sets.first()?;
    let vertex_count = first_joints.count;
    if stored_sets.iter().any(|(joints, _)| joints.count != vertex_count) {
        return None;
    }
    let needs_16_bits =
        stored_sets.iter().any(|(joints, _)| joints.format.component == Component::U16);
    let mut influences = Vec::with_capacity(vertex_count * sets.len() * 4);
    let mut has_changed = false;
    let mut unusable = UnusableVertices::default();
    for vertex in 0..vertex_count {
        let start = influences.len();
        for (joints, weights) in &stored_sets {
            influences.extend((0..4).map(|lane| Influence {
                joint: joints.stored(vertex, lane) as usize,
                weight: weights.number(vertex, lane),
            }));
        }
        let stored = influences[start..].to_vec();
        unusable.count(&stored, joint_count);
        mend_vertex(&mut influences[start..], joint_count);
        has_changed |= stored.iter().zip(&influences[start..]).any(|(old, new)| {
            old.joint != new.joint
                || !old.weight.is_finite()
                || (old.weight - new.weight).abs() > WEIGHT_TOLERANCE
        });
    }
    if unusable.are_systematic(vertex_count) {
        withheld.push((pointer, evidence::INFLUENCES_KEPT));
        return None;
    }
    has_changed.then_some(InfluencesChange {
        pointer,
        sets,
        joint_component: if needs_16_bits { Component::U16 } else { Component::U8 },
        influences,
        joint_count,
    })
}

/// Numbers of vertices whose influences mending would drop or invent.
#[derive(Default)]
struct UnusableVertices {
    with_missing_joint: usize,
    with_negative_weight: usize,
    without_weight: usize,
}

impl UnusableVertices {
    fn count(&mut self, influences: &[Influence], joint_count: Option<usize>) {
        let has_missing_joint = influences.iter().any(|influence| {
            influence.weight > 0.0 && joint_count.is_some_and(|count| influence.joint >= count)
        });
        self.with_missing_joint += usize::from(has_missing_joint);
        let has_negative_weight = influences.iter().any(|influence| influence.weight < 0.0);
        self.with_negative_weight += usize::from(has_negative_weight);
        let has_no_weight = influences.iter().all(|influence| influence.weight == 0.0);
        self.without_weight += usize::from(has_no_weight);
    }

    fn are_systematic(&self, vertex_count: usize) -> bool {
        [self.with_missing_joint, self.with_negative_weight, self.without_weight]
            .into_iter()
            .any(|count| evidence::is_systematic(count, vertex_count))
    }
}

/// Mends the influences of one vertex. Ignores joints that do not exist, and invalid weights.
fn mend_vertex(influences: &mut [Influence], joint_count: Option<usize>) {
    let exists = |joint: usize| joint_count.is_none_or(|count| joint < count);
    let first_joint =
        influences.first().map(|influence| influence.joint).filter(|&joint| exists(joint));
    for influence in influences.iter_mut() {
        let is_valid = influence.weight.is_finite() && influence.weight >= 0.0;
        if !exists(influence.joint) || !is_valid {
            influence.weight = 0.0;
        }
    }
    for index in 1..influences.len() {
        let (earlier, rest) = influences.split_at_mut(index);
        let influence = &mut rest[0];
        if influence.weight == 0.0 {
            continue;
        }
        let same_joint =
            earlier.iter_mut().find(|other| other.joint == influence.joint && other.weight != 0.0);
        if let Some(other) = same_joint {
            other.weight += influence.weight;
            influence.weight = 0.0;
        }
    }
    let sum: f64 = influences.iter().map(|influence| influence.weight).sum();
    if sum > 0.0 && sum.is_finite() {
        for influence in influences.iter_mut() {
            influence.weight /= sum;
        }
    } else if let Some(influence) = influences.first_mut() {
        *influence = Influence { joint: first_joint.unwrap_or(0), weight: 1.0 };
    }
    for influence in influences.iter_mut() {
        // A weight that a 32-bit float rounds to 0 is unused.
        if influence.weight as f32 == 0.0 {
            *influence = Influence { joint: 0, weight: 0.0 };
        }
    }
}

fn apply_change(draft: &mut Draft, change: &InfluencesChange) {
    let set_count = change.sets.len();
    let vertex_count = change.influences.len() / (4 * set_count);
    // Primitives with the same accessors and number of joints get the same data.
    let accessors: Vec<(usize, usize)> =
        change.sets.iter().map(|set| (set.joints, set.weights)).collect();
    let key = format!("influences {accessors:?} {:?}", change.joint_count);
    for (set, accessors) in change.sets.iter().enumerate() {
        let influences = || {
            (0..vertex_count).flat_map(move |vertex| {
                let start = (vertex * set_count + set) * 4;
                &change.influences[start..start + 4]
            })
        };
        let weights = influences().map(|influence| influence.weight);
        let data = AccessorData::floats("VEC4", vertex_count, weights);
        let weights = draft.assign(accessors.weights, &format!("{key} w{set}"), data);
        let joints = influences().map(|influence| influence.joint);
        let data = joint_data(change.joint_component, vertex_count, joints);
        let joints = draft.assign(accessors.joints, &format!("{key} j{set}"), data);
        if let Some(attributes) = draft.object_mut(&change.pointer) {
            attributes.insert(format!("JOINTS_{set}"), json!(joints));
            attributes.insert(format!("WEIGHTS_{set}"), json!(weights));
        }
    }
}

/// Encodes four joints for each vertex. `component` is 8 or 16 bits wide.
fn joint_data(
    component: Component,
    vertex_count: usize,
    joints: impl Iterator<Item = usize>,
) -> AccessorData {
    let size = component.size();
    let bytes = joints.flat_map(|joint| (joint as u16).to_le_bytes().into_iter().take(size));
    AccessorData {
        component,
        type_name: "VEC4".to_owned(),
        normalized: false,
        count: vertex_count,
        bytes: bytes.collect(),
        stride: None,
    }
}

/// Renumbers the joints of all meshes that nodes show with a skin. Joints without a new number
/// become joint 0.
pub(super) fn renumber_joints(draft: &mut Draft, skin_index: usize, numbering: &JointNumbering) {
    struct RenumberedJoints {
        /// JSON pointer to the attributes.
        pointer: String,
        attribute: String,
        accessor: usize,
        data: AccessorData,
    }

    let doc = &draft.doc;
    let Some(skin) = doc.get("skins", skin_index) else {
        return;
    };
    let joint_by_node = get_list(skin, "joints")
        .iter()
        .filter_map(as_usize)
        .enumerate()
        .map(|(joint, node)| (node, joint))
        .collect();
    let mut renumbered = Vec::new();
    for mesh in doc.meshes_of_skin(skin_index) {
        let primitives =
            doc.get("meshes", mesh).map_or(&[][..], |mesh| get_list(mesh, "primitives"));
        for (part, primitive) in primitives.iter().enumerate() {
            let sets = influence_sets(primitive);
            let stored: Option<Vec<AccessorElements<'_>>> =
                sets.iter().map(|set| read_elements(doc, set.joints)).collect();
            let Some(stored) = stored else { continue };
            for (set, accessors) in sets.iter().enumerate() {
                let vertex_count = stored[set].count;
                let mut joints = Vec::with_capacity(4 * vertex_count);
                for vertex in 0..vertex_count {
                    for lane in 0..4 {
                        let source =
                            numbering.lane_order().joint_lane(4 * set + lane, 4 * sets.len());
                        let joint = stored[source / 4].stored(vertex, source % 4) as usize;
                        joints.push(numbering.joint(joint, &joint_by_node).unwrap_or(0));
                    }
                }
                renumbered.push(RenumberedJoints {
                    pointer: format!("/meshes/{mesh}/primitives/{part}/attributes"),
                    attribute: format!("JOINTS_{set}"),
                    accessor: accessors.joints,
                    // 16 bits suffice: joints of a skin, or numbers that were stored in them.
                    data: joint_data(Component::U16, vertex_count, joints.into_iter()),
                });
            }
        }
    }
    for RenumberedJoints { pointer, attribute, accessor, data } in renumbered {
        let joints = draft.assign(accessor, &format!("{attribute} of skin {skin_index}"), data);
        if let Some(attributes) = draft.object_mut(&pointer) {
            attributes.insert(attribute, json!(joints));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mended(influences: [(usize, f64); 4]) -> [(usize, f64); 4] {
        let mut influences = influences.map(|(joint, weight)| Influence { joint, weight });
        mend_vertex(&mut influences, Some(3));
        influences.map(|influence| (influence.joint, influence.weight))
    }

    #[test]
    fn influences_are_merged_dropped_normalized_and_cleared() {
        let influences = [(1, 0.5), (1, 0.5), (7, 1.0), (2, 0.0)];
        assert_eq!(mended(influences), [(1, 1.0), (0, 0.0), (0, 0.0), (0, 0.0)]);
        let influences = [(0, 1.0), (1, -1.0), (2, 3.0), (0, f64::NAN)];
        assert_eq!(mended(influences), [(0, 0.25), (0, 0.0), (2, 0.75), (0, 0.0)]);
    }

    #[test]
    fn a_vertex_without_weights_follows_its_first_joint() {
        for (joint, expected) in [(2, 2), (9, 0)] {
            let influences = mended([(joint, 0.0), (1, 0.0), (0, 0.0), (0, 0.0)]);
            assert_eq!(influences[0], (expected, 1.0));
        }
    }
}
