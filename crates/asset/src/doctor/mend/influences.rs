//! Joints and weights.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::draft::{Data, Draft};
use crate::doctor::doc::{Doc, as_whole, list, whole};
use crate::doctor::elements::{AccessorElements, Component, stored_elements};
use crate::doctor::meshes::skins_by_mesh;
use crate::doctor::skin_fit::JointReading;
use crate::doctor::skinned_vertices::LaneOrder;

/// Smaller changes of a weight are not written.
const CHANGE: f64 = 1e-7;

/// New contents of a primitive's sets.
struct InfluencesChange {
    mesh: usize,
    part: usize,
    /// Accessors of joints and weights.
    sets: Vec<(usize, usize)>,
    joints_are: Component,
    /// Four lanes a set, set after set, vertex by vertex.
    lanes: Vec<(usize, f64)>,
    joint_count: Option<usize>,
}

/// Makes every vertex's weights sum to 1, each joint named once, unused lanes
/// name joint 0.
pub(super) fn mend(draft: &mut Draft) {
    let joint_counts = skins_by_mesh(&draft.doc);
    let mut changes = Vec::new();
    let mut kept = Vec::new();
    for (mesh, value) in draft.doc.list("meshes").iter().enumerate() {
        for (part, primitive) in list(value, "primitives").iter().enumerate() {
            let place = (mesh, part);
            let least = joint_counts[mesh].first().copied();
            match change(&draft.doc, primitive, place, least) {
                Some(change) => changes.push(change),
                None => kept.extend(sets(primitive)),
            }
        }
    }
    for (joints, weights) in kept {
        draft.keep(joints);
        draft.keep(weights);
    }
    for change in changes {
        write(draft, &change);
    }
}

fn sets(primitive: &Value) -> Vec<(usize, usize)> {
    let named = |name: String| as_whole(primitive.get("attributes")?.get(&name)?);
    (0..16)
        .map_while(|set| {
            let joints = named(format!("JOINTS_{set}"))?;
            Some((joints, named(format!("WEIGHTS_{set}"))?))
        })
        .collect()
}

/// `None` where nothing is to be changed, or too little can be read.
fn change(
    doc: &Doc<'_>,
    primitive: &Value,
    (mesh, part): (usize, usize),
    joint_count: Option<usize>,
) -> Option<InfluencesChange> {
    let sets = sets(primitive);
    let mut read = Vec::new();
    for &(joints, weights) in &sets {
        let joints = stored_elements(doc, joints)?;
        let weights = stored_elements(doc, weights)?;
        let whole = matches!(joints.format.component, Component::U8 | Component::U16);
        let four = joints.format.kind.components == 4 && weights.format.kind.components == 4;
        if !four || !whole || joints.count != weights.count {
            return None;
        }
        read.push((joints, weights));
    }
    let (first, _) = read.first()?;
    let count = first.count;
    if read.iter().any(|(joints, _)| joints.count != count) {
        return None;
    }
    let wide = read.iter().any(|(joints, _)| joints.format.component == Component::U16);
    let mut lanes = Vec::with_capacity(count * sets.len() * 4);
    let mut changed = false;
    for vertex in 0..count {
        let from = lanes.len();
        for (joints, weights) in &read {
            lanes.extend((0..4).map(|lane| {
                let joint = joints.stored(vertex, lane) as usize;
                (joint, weights.number(vertex, lane))
            }));
        }
        let stored = lanes[from..].to_vec();
        mend_vertex(&mut lanes[from..], joint_count);
        changed |= stored
            .iter()
            .zip(&lanes[from..])
            .any(|(old, new)| old.0 != new.0 || differ(old.1, new.1));
    }
    changed.then_some(InfluencesChange {
        mesh,
        part,
        sets,
        joints_are: if wide { Component::U16 } else { Component::U8 },
        lanes,
        joint_count,
    })
}

/// Worth writing? A weight that is no number is.
fn differ(old: f64, new: f64) -> bool {
    !old.is_finite() || (old - new).abs() > CHANGE
}

/// `lanes`: joints and weights of one vertex.
fn mend_vertex(lanes: &mut [(usize, f64)], joint_count: Option<usize>) {
    let exists = |joint: usize| joint_count.is_none_or(|count| joint < count);
    let first = lanes.iter().map(|&(joint, _)| joint).next().filter(|&joint| exists(joint));
    for lane in lanes.iter_mut() {
        if !exists(lane.0) || !lane.1.is_finite() || lane.1 < 0.0 {
            lane.1 = 0.0;
        }
    }
    for place in 1..lanes.len() {
        let (before, rest) = lanes.split_at_mut(place);
        let lane = &mut rest[0];
        let same = before.iter_mut().find(|other| other.0 == lane.0 && other.1 != 0.0);
        if let Some(same) = same.filter(|_| lane.1 != 0.0) {
            same.1 += lane.1;
            lane.1 = 0.0;
        }
    }
    let sum: f64 = lanes.iter().map(|lane| lane.1).sum();
    if sum > 0.0 && sum.is_finite() {
        for lane in lanes.iter_mut() {
            lane.1 /= sum;
        }
    } else if let Some(lane) = lanes.first_mut() {
        *lane = (first.unwrap_or(0), 1.0);
    }
    for lane in lanes.iter_mut() {
        // What a 32-bit float cannot hold is no weight.
        if lane.1 as f32 == 0.0 {
            *lane = (0, 0.0);
        }
    }
}

fn write(draft: &mut Draft, change: &InfluencesChange) {
    let sets = change.sets.len();
    let count = change.lanes.len() / (4 * sets);
    // Two primitives with the same accessors and skin get the same data.
    let key = format!("influences {:?} {:?}", change.sets, change.joint_count);
    for (set, &(joints, weights)) in change.sets.iter().enumerate() {
        let of_set = || {
            (0..count).flat_map(move |vertex| {
                let from = (vertex * sets + set) * 4;
                change.lanes[from..from + 4].iter().copied()
            })
        };
        let numbers = of_set().map(|(_, weight)| weight);
        let weights =
            draft.put(weights, &format!("{key} w{set}"), Data::floats("VEC4", count, numbers));
        let numbers = of_set().map(|(joint, _)| joint);
        let data = joint_data(change.joints_are, count, numbers);
        let joints = draft.put(joints, &format!("{key} j{set}"), data);
        let pointer = format!("/meshes/{}/primitives/{}/attributes", change.mesh, change.part);
        let attributes = draft.doc.root.pointer_mut(&pointer);
        if let Some(attributes) = attributes.and_then(Value::as_object_mut) {
            attributes.insert(format!("JOINTS_{set}"), json!(joints));
            attributes.insert(format!("WEIGHTS_{set}"), json!(weights));
        }
    }
}

/// Four joints a vertex.
fn joint_data(component: Component, count: usize, joints: impl Iterator<Item = usize>) -> Data {
    let size = component.size();
    let bytes = joints.flat_map(|joint| (joint as u16).to_le_bytes().into_iter().take(size));
    let (kind, bytes) = ("VEC4".to_owned(), bytes.collect());
    Data { component, kind, normalized: false, count, bytes, stride: None }
}

/// Reads the numbers of joints of all meshes that are shown with a skin as something else,
/// and writes them as they should be. What has no such reading becomes joint 0.
pub(super) fn read_otherwise(draft: &mut Draft, skin: usize, reading: JointReading) {
    let doc = &draft.doc;
    let Some(of_skin) = doc.one("skins", skin) else {
        return;
    };
    let joints = list(of_skin, "joints").iter().filter_map(as_whole);
    let of_node = joints.enumerate().map(|(joint, node)| (node, joint)).collect();
    let nodes = doc.list("nodes").iter();
    let shown = nodes.filter(|node| whole(node, "skin") == Some(skin));
    let meshes: BTreeSet<usize> = shown.filter_map(|node| whole(node, "mesh")).collect();
    let mut written = Vec::new();
    for mesh in meshes {
        let primitives = doc.one("meshes", mesh).map_or(&[][..], |mesh| list(mesh, "primitives"));
        for (part, primitive) in primitives.iter().enumerate() {
            let sets = sets(primitive);
            let stored: Option<Vec<AccessorElements<'_>>> =
                sets.iter().map(|&(joints, _)| stored_elements(doc, joints)).collect();
            let Some(stored) = stored else { continue };
            for (set, (joints, _)) in sets.iter().enumerate() {
                let count = stored[set].count;
                let number = |at: usize| {
                    let order = match reading {
                        JointReading::Lanes(order) => order,
                        _ => LaneOrder::AsStored,
                    };
                    let lane = order.lane(4 * set + at % 4, 4 * sets.len());
                    let joint = stored[lane / 4].stored(at / 4, lane % 4) as usize;
                    reading.joint(joint, &of_node).unwrap_or(0)
                };
                // No reading makes a number larger than the list of joints is long.
                let data = joint_data(Component::U16, count, (0..4 * count).map(number));
                let pointer = format!("/meshes/{mesh}/primitives/{part}/attributes");
                written.push((pointer, format!("JOINTS_{set}"), *joints, data));
            }
        }
    }
    for (pointer, name, joints, data) in written {
        let joints = draft.put(joints, &format!("{name} of skin {skin}"), data);
        let attributes = draft.doc.root.pointer_mut(&pointer).and_then(Value::as_object_mut);
        if let Some(attributes) = attributes {
            attributes.insert(name, json!(joints));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mended(lanes: &[(usize, f64)]) -> Vec<(usize, f64)> {
        let mut lanes = lanes.to_vec();
        mend_vertex(&mut lanes, Some(3));
        lanes
    }

    #[test]
    fn lanes_are_merged_dropped_divided_and_cleared() {
        let lanes = [(1, 0.5), (1, 0.5), (7, 1.0), (2, 0.0)];
        assert_eq!(mended(&lanes), [(1, 1.0), (0, 0.0), (0, 0.0), (0, 0.0)]);
        let lanes = [(0, 1.0), (1, -1.0), (2, 3.0), (0, f64::NAN)];
        assert_eq!(mended(&lanes), [(0, 0.25), (0, 0.0), (2, 0.75), (0, 0.0)]);
    }

    #[test]
    fn a_vertex_without_weights_goes_to_the_first_joint_it_names() {
        let of = |joint| mended(&[(joint, 0.0), (1, 0.0), (0, 0.0), (0, 0.0)])[0];
        assert_eq!(of(2), (2, 1.0));
        assert_eq!(of(9), (0, 1.0));
    }
}
