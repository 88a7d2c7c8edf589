//! Nodes and scenes: transforms, and what they carry.

use std::collections::BTreeSet;

use glam::{DMat4, DVec3};
use serde_json::Value;

use super::catalog::{self as fault, DoctorFault};
use super::doc::{Doc, Graph, as_whole, list, local, named, numbers, whole};
use super::findings::Findings;

/// How far a rotation's length may be from 1 (that of 8-bit quantization, as
/// the validator has it).
const UNIT_QUATERNION: f64 = 0.00769;
/// Below this, a rotation's length is off by rounding to 32-bit floats alone.
const EXACT_QUATERNION: f64 = 1e-4;
/// How far a matrix may be from the product of its parts, for its size.
const DECOMPOSABLE: f64 = 1e-4;

/// All nodes and scenes.
pub(super) fn examine(doc: &Doc<'_>, graph: &Graph, found: &mut Findings) {
    for (index, node) in doc.each("nodes") {
        let pointer = format!("/nodes/{index}");
        transform(node, &pointer, found);
        carried(doc, graph, (index, node), &pointer, found);
    }
    scenes(doc, graph, found);
}

fn transform(node: &Value, pointer: &str, found: &mut Findings) {
    if let Some(rotation) = numbers::<4>(node, "rotation") {
        let length = rotation.iter().map(|x| x * x).sum::<f64>().sqrt();
        if length == 0.0 {
            found
                .add(&fault::ROTATION_OF_LENGTH_ZERO, format_args!("{pointer}/rotation"))
                .expected("length 1", "0 0 0 0, of length 0");
        } else if let Some(fault) = rotation_fault(fault::ROTATION_NON_UNIT, length) {
            found
                .add(&fault, format_args!("{pointer}/rotation"))
                .expected("length 1", format_args!("length {length:.4}"));
        }
    }
    let Some(matrix) = numbers::<16>(node, "matrix") else {
        return;
    };
    let trs = ["translation", "rotation", "scale"];
    if let Some(name) = trs.iter().find(|name| node.get(**name).is_some()) {
        found.add(&fault::NODE_MATRIX_TRS, pointer).expected(
            "a matrix, or translation, rotation and scale",
            format_args!("a matrix and a {name}"),
        );
    }
    let matrix = DMat4::from_cols_array(&matrix);
    if let Some(why) = not_trs(matrix) {
        found
            .add(&fault::NODE_MATRIX_NON_TRS, format_args!("{pointer}/matrix"))
            .expected("translation · rotation · scale", why);
    }
}

/// The fault of a rotation of this length: an error, or a note where the picture
/// is hardly off. `None`: none.
pub(super) fn rotation_fault(fault: DoctorFault, length: f64) -> Option<DoctorFault> {
    let off = (length - 1.0).abs();
    if off > UNIT_QUATERNION {
        Some(fault)
    } else if off > EXACT_QUATERNION {
        Some(fault.as_note())
    } else {
        None
    }
}

/// Why a matrix is not the product of a translation, a rotation and a scale.
fn not_trs(matrix: DMat4) -> Option<String> {
    let row = matrix.row(3).to_array();
    if row != [0.0, 0.0, 0.0, 1.0] {
        let [a, b, c, d] = row;
        return Some(format!("a last row of {a} {b} {c} {d}, not 0 0 0 1"));
    }
    let axes = [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(|axis| axis.truncate());
    if axes.iter().any(|axis| axis.length() < 1e-30) {
        return Some("an axis of length 0".to_owned());
    }
    let units = axes.map(DVec3::normalize);
    let pairs = [("x", "y", 0, 1), ("y", "z", 1, 2), ("z", "x", 2, 0)];
    pairs.into_iter().find_map(|(one, other, a, b)| {
        let cosine = units[a].dot(units[b]);
        (cosine.abs() > DECOMPOSABLE).then(|| {
            let degrees = cosine.clamp(-1.0, 1.0).acos().to_degrees();
            format!("an angle of {degrees:.2}° between the {one} and {other} axes: a shear")
        })
    })
}

fn carried(
    doc: &Doc<'_>,
    graph: &Graph,
    (index, node): (usize, &Value),
    pointer: &str,
    found: &mut Findings,
) {
    let mesh_index = whole(node, "mesh");
    let Some(mesh) = mesh_index.and_then(|mesh| doc.one("meshes", mesh)) else {
        return;
    };
    let (weights, targets) = (list(node, "weights").len(), morph_targets(mesh));
    if weights > 0 && weights != targets {
        found
            .add(&fault::NODE_WEIGHTS_INVALID, format_args!("{pointer}/weights"))
            .expected(format_args!("{targets}, one a morph target"), weights);
    }
    let skinned = is_skinned(mesh);
    if node.get("skin").is_none() {
        if skinned {
            let mesh = named("mesh", mesh_index.unwrap_or(0), Some(mesh));
            found
                .add(&fault::NODE_SKINNED_MESH_WITHOUT_SKIN, pointer)
                .expected("a skin", format_args!("{mesh} with joints and weights, and no skin"));
        }
        return;
    }
    if !skinned {
        found.add(&fault::NODE_SKIN_WITH_NON_SKINNED_MESH, pointer).expected(
            "JOINTS_0 and WEIGHTS_0 in the mesh",
            named("mesh", mesh_index.unwrap_or(0), Some(mesh)) + " without them",
        );
        return;
    }
    placed(doc, graph, (index, node), pointer, found);
}

/// A skinned mesh does not go where its node is.
fn placed(
    doc: &Doc<'_>,
    graph: &Graph,
    (index, node): (usize, &Value),
    pointer: &str,
    found: &mut Findings,
) {
    if let Some(parent) = graph.parent(index) {
        let world_from_parent = graph.world_from_node[parent];
        let moved = !world_from_parent.abs_diff_eq(DMat4::IDENTITY, 1e-6);
        let by_clip = graph.animated[parent];
        let fault = if moved || by_clip.is_some() {
            fault::NODE_SKINNED_MESH_NON_ROOT
        } else {
            fault::NODE_SKINNED_MESH_NON_ROOT.as_note()
        };
        let parent = named("node", parent, doc.one("nodes", parent));
        let how = if moved {
            format!("below {parent}, which moves it by {}", told(world_from_parent))
        } else if let Some(node) = by_clip {
            let node = named("node", node, doc.one("nodes", node));
            format!("below {node}, which a clip moves")
        } else {
            format!("below {parent}, which does not move it")
        };
        found.add(&fault, pointer).expected("a root of the scene", how);
    }
    let local = local(node);
    if !local.abs_diff_eq(DMat4::IDENTITY, 1e-6) {
        found
            .add(&fault::NODE_SKINNED_MESH_LOCAL_TRANSFORMS, pointer)
            .expected("no transform", told(local));
    }
}

/// A transform in a few words.
fn told(matrix: DMat4) -> String {
    let shift = matrix.w_axis.truncate();
    let mut parts = Vec::new();
    if shift.length() > 1e-6 {
        let [x, y, z] = shift.to_array().map(thousandths);
        parts.push(format!("a translation by ({x}, {y}, {z})"));
    }
    let turned = DMat4 { w_axis: glam::DVec4::W, ..matrix };
    if !turned.abs_diff_eq(DMat4::IDENTITY, 1e-6) {
        parts.push("a rotation or scale".to_owned());
    }
    parts.join(" and ")
}

/// Three decimals, with a true minus sign and none before zero.
fn thousandths(number: f64) -> String {
    let shown = format!("{:.3}", number.abs());
    let negative = number < 0.0 && shown != "0.000";
    format!("{}{shown}", if negative { "−" } else { "" })
}

/// How many morph targets a mesh has.
pub(super) fn morph_targets(mesh: &Value) -> usize {
    let first = list(mesh, "primitives").first();
    first.map_or(0, |primitive| list(primitive, "targets").len())
}

/// Does any primitive have joints?
pub(super) fn is_skinned(mesh: &Value) -> bool {
    list(mesh, "primitives").iter().any(|primitive| {
        primitive.get("attributes").is_some_and(|attributes| attributes.get("JOINTS_0").is_some())
    })
}

fn scenes(doc: &Doc<'_>, graph: &Graph, found: &mut Findings) {
    let mut in_scenes = BTreeSet::new();
    for (scene, value) in doc.each("scenes") {
        let mut roots = BTreeSet::new();
        for (place, node) in list(value, "nodes").iter().enumerate() {
            let Some(node) = as_whole(node).filter(|&node| node < graph.roots.len()) else {
                continue;
            };
            roots.insert(node);
            if let Some(parent) = graph.forest.named_by(node) {
                found
                    .add(&fault::SCENE_NON_ROOT_NODE, format_args!("/scenes/{scene}/nodes/{place}"))
                    .expected(
                        "a node without a parent",
                        format_args!("node {node}, a child of node {parent}"),
                    );
            }
        }
        in_scenes.extend(&roots);
        let nodes = doc.list("nodes");
        if !doc.work.take(nodes.len()) {
            return;
        }
        for (index, node) in nodes.iter().enumerate() {
            let shown = graph.roots[index].is_some_and(|root| roots.contains(&root));
            if shown {
                joints_shown(doc, graph, (index, node), (scene, &roots), found);
            }
        }
    }
    if !in_scenes.is_empty() {
        in_no_scene(doc, graph, &in_scenes, found);
    }
}

/// Meshes of nodes that no scene has.
fn in_no_scene(doc: &Doc<'_>, graph: &Graph, shown: &BTreeSet<usize>, found: &mut Findings) {
    for (index, node) in doc.each("nodes") {
        let root = graph.roots[index].filter(|root| !shown.contains(root));
        let mesh = whole(node, "mesh").filter(|_| root.is_some());
        if let Some(mesh) = mesh {
            let mesh = named("mesh", mesh, doc.one("meshes", mesh));
            let at = format!("/nodes/{index}");
            found
                .add(&fault::MESH_IN_NO_SCENE, at)
                .expected("a scene that has it", mesh + " in none");
        }
    }
}

fn joints_shown(
    doc: &Doc<'_>,
    graph: &Graph,
    (index, node): (usize, &Value),
    (scene, roots): (usize, &BTreeSet<usize>),
    found: &mut Findings,
) {
    let skin_index = whole(node, "skin").filter(|_| node.get("mesh").is_some());
    let Some(skin) = skin_index.and_then(|skin| doc.one("skins", skin)) else {
        return;
    };
    let joints = list(skin, "joints");
    if !doc.work.take(joints.len()) {
        return;
    }
    let outside = joints.iter().filter_map(as_whole).find(|&joint| {
        let root = graph.roots.get(joint).copied().flatten();
        root.is_some_and(|root| !roots.contains(&root))
    });
    if let Some(joint) = outside {
        let joint = named("node", joint, doc.one("nodes", joint));
        found.add(&fault::NODE_SKIN_NO_SCENE, format_args!("/nodes/{index}")).expected(
            format_args!("all joints in scene {scene}, where the mesh is"),
            format_args!("joint {joint} outside of it"),
        );
    }
}
