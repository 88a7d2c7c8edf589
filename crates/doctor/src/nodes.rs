//! Nodes and scenes: transforms, skinned meshes of nodes, roots.

use std::collections::BTreeSet;

use bindpose_gltf::decoding::values::{as_usize, get_list, get_numbers, get_usize};
use glam::{DMat4, DVec3, DVec4};
use serde_json::Value;

use super::catalog::{self as fault, DoctorFault};
use super::document::{NodeGraph, RawDocument, parent_from_node};
use super::extensions::places_skinned_mesh;
use super::findings::Findings;

/// Maximum difference of a quaternion's length from 1: that of 8-bit quantization, as in the
/// validator.
const UNIT_QUATERNION_TOLERANCE: f64 = 0.00769;
/// Difference of a quaternion's length from 1 that rounding to 32-bit floats explains.
const QUATERNION_ROUNDING: f64 = 1e-4;
/// Maximum cosine between two axes of a matrix without shear.
const SHEAR_TOLERANCE: f64 = 1e-4;

pub(super) fn examine(doc: &RawDocument<'_>, graph: &NodeGraph, findings: &mut Findings) {
    for (index, node) in doc.entries("nodes") {
        let pointer = format!("/nodes/{index}");
        examine_transform(node, &pointer, findings);
        examine_mesh(doc, graph, index, node, &pointer, findings);
    }
    examine_scenes(doc, graph, findings);
}

fn examine_transform(node: &Value, pointer: &str, findings: &mut Findings) {
    if let Some(rotation) = get_numbers::<4>(node, "rotation") {
        let length = rotation.iter().map(|x| x * x).sum::<f64>().sqrt();
        if length == 0.0 {
            findings
                .add(&fault::ROTATION_OF_LENGTH_ZERO, format_args!("{pointer}/rotation"))
                .expected("length 1", "0 0 0 0, of length 0");
        } else if let Some(fault) = rotation_fault(fault::ROTATION_NON_UNIT, length) {
            findings
                .add(&fault, format_args!("{pointer}/rotation"))
                .expected("length 1", format_args!("length {length:.4}"));
        }
    }
    let Some(matrix) = get_numbers::<16>(node, "matrix") else {
        return;
    };
    let properties = ["translation", "rotation", "scale"];
    if let Some(name) = properties.iter().find(|name| node.get(**name).is_some()) {
        findings.add(&fault::NODE_MATRIX_TRS, pointer).expected(
            "a matrix, or translation, rotation and scale",
            format_args!("a matrix and a {name}"),
        );
    }
    let stored = DMat4::from_cols_array(&matrix);
    if is_by_rows(stored) {
        let [x, y, z, _] = stored.row(3).to_array();
        findings.add(&fault::NODE_MATRIX_BY_ROWS, format_args!("{pointer}/matrix")).expected(
            "columns, with 0 0 0 1 as the last row",
            format_args!("a last row of {x} {y} {z} 1: transposed, it is a translation"),
        );
    } else if let Some(reason) = explain_not_trs(stored) {
        findings
            .add(&fault::NODE_MATRIX_NON_TRS, format_args!("{pointer}/matrix"))
            .expected("translation · rotation · scale", reason);
    }
}

/// Returns the fault of a quaternion of this length: a note if the error is hardly visible,
/// `None` if it is rounding.
pub(super) fn rotation_fault(fault: DoctorFault, length: f64) -> Option<DoctorFault> {
    let error = (length - 1.0).abs();
    if error > UNIT_QUATERNION_TOLERANCE {
        Some(fault)
    } else if error > QUATERNION_ROUNDING {
        Some(fault.as_note())
    } else {
        None
    }
}

/// Returns whether a matrix is made of translation, rotation and scale only if it is transposed.
pub(super) fn is_by_rows(matrix: DMat4) -> bool {
    matrix.w_axis == DVec4::W
        && matrix.row(3) != DVec4::W
        && explain_not_trs(matrix.transpose()).is_none()
}

/// Explains why a matrix is not the product of a translation, a rotation and a scale. Returns
/// `None` if it is.
fn explain_not_trs(matrix: DMat4) -> Option<String> {
    let row = matrix.row(3).to_array();
    if row != [0.0, 0.0, 0.0, 1.0] {
        let [a, b, c, d] = row;
        return Some(format!("a last row of {a} {b} {c} {d}, not 0 0 0 1"));
    }
    let axes = [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(|axis| axis.truncate());
    if axes.iter().any(|axis| axis.length() < 1e-30) {
        return Some("an axis of length 0".to_owned());
    }
    let [x, y, z] = axes.map(DVec3::normalize);
    for (first, second, cosine) in
        [("x", "y", x.dot(y)), ("y", "z", y.dot(z)), ("z", "x", z.dot(x))]
    {
        if cosine.abs() > SHEAR_TOLERANCE {
            let degrees = cosine.clamp(-1.0, 1.0).acos().to_degrees();
            return Some(format!(
                "an angle of {degrees:.2}° between the {first} and {second} axes: a shear"
            ));
        }
    }
    None
}

/// Examines the mesh, the skin and the morph weights of a node.
fn examine_mesh(
    doc: &RawDocument<'_>,
    graph: &NodeGraph,
    index: usize,
    node: &Value,
    pointer: &str,
    findings: &mut Findings,
) {
    let Some(mesh_index) = get_usize(node, "mesh") else {
        return;
    };
    let Some(mesh) = doc.get("meshes", mesh_index) else {
        return;
    };
    let weights = get_list(node, "weights").len();
    let targets = morph_target_count(mesh);
    if weights > 0 && weights != targets {
        findings
            .add(&fault::NODE_WEIGHTS_INVALID, format_args!("{pointer}/weights"))
            .expected(format_args!("{targets}, one a morph target"), weights);
    }
    match (node.get("skin").is_some(), is_skinned(mesh)) {
        (true, true) => examine_skinned_placement(doc, graph, index, node, pointer, findings),
        (true, false) => {
            findings.add(&fault::NODE_SKIN_WITH_NON_SKINNED_MESH, pointer).expected(
                "JOINTS_0 and WEIGHTS_0 in the mesh",
                format_args!("{} without them", doc.describe_mesh(mesh_index)),
            );
        }
        (false, true) => {
            findings.add(&fault::NODE_SKINNED_MESH_WITHOUT_SKIN, pointer).expected(
                "a skin",
                format_args!(
                    "{} with joints and weights, and no skin",
                    doc.describe_mesh(mesh_index)
                ),
            );
        }
        (false, false) => {}
    }
}

/// Reports transforms of a skinned mesh's node and its ancestors, which have no effect.
fn examine_skinned_placement(
    doc: &RawDocument<'_>,
    graph: &NodeGraph,
    index: usize,
    node: &Value,
    pointer: &str,
    findings: &mut Findings,
) {
    if let Some(parent) = graph.parent(index) {
        let world_from_parent = graph.world_from_node[parent];
        let is_moved = !world_from_parent.abs_diff_eq(DMat4::IDENTITY, 1e-6);
        let animated = graph.nearest_animated[parent];
        let fault = if is_moved || animated.is_some() {
            fault::NODE_SKINNED_MESH_NON_ROOT
        } else {
            fault::NODE_SKINNED_MESH_NON_ROOT.as_note()
        };
        let shown = if is_moved {
            format!(
                "below {}, which moves it by {}",
                doc.describe_node(parent),
                describe_transform(world_from_parent)
            )
        } else if let Some(animated) = animated {
            format!("below {}, which a clip moves", doc.describe_node(animated))
        } else {
            format!("below {}, which does not move it", doc.describe_node(parent))
        };
        findings.add(&fault, pointer).expected("a root of the scene", shown);
    }
    if places_skinned_mesh(node) {
        findings.add(&fault::NODE_SKIN_INSTANCED, pointer).expected(
            "copies with skins of their own",
            format_args!(
                "{} in several places by EXT_mesh_gpu_instancing",
                doc.describe_node(index)
            ),
        );
    }
    let parent_from_node = parent_from_node(node);
    if !parent_from_node.abs_diff_eq(DMat4::IDENTITY, 1e-6) {
        findings
            .add(&fault::NODE_SKINNED_MESH_LOCAL_TRANSFORMS, pointer)
            .expected("no transform", describe_transform(parent_from_node));
    }
}

/// Formats a transform in a few words.
fn describe_transform(matrix: DMat4) -> String {
    let translation = matrix.w_axis.truncate();
    let mut parts = Vec::new();
    if translation.length() > 1e-6 {
        let [x, y, z] = translation.to_array().map(format_thousandths);
        parts.push(format!("a translation by ({x}, {y}, {z})"));
    }
    let linear = DMat4 { w_axis: DVec4::W, ..matrix };
    if !linear.abs_diff_eq(DMat4::IDENTITY, 1e-6) {
        parts.push("a rotation or scale".to_owned());
    }
    parts.join(" and ")
}

/// Formats a number with three decimals and a true minus sign, but never “−0.000”.
fn format_thousandths(number: f64) -> String {
    let digits = format!("{:.3}", number.abs());
    let is_negative = number < 0.0 && digits != "0.000";
    format!("{}{digits}", if is_negative { "−" } else { "" })
}

/// Returns how many morph targets the first primitive of a mesh has.
pub(super) fn morph_target_count(mesh: &Value) -> usize {
    let first = get_list(mesh, "primitives").first();
    first.map_or(0, |primitive| get_list(primitive, "targets").len())
}

/// Returns whether any primitive of a mesh has joints.
fn is_skinned(mesh: &Value) -> bool {
    get_list(mesh, "primitives").iter().any(|primitive| {
        primitive.get("attributes").is_some_and(|attributes| attributes.get("JOINTS_0").is_some())
    })
}

fn examine_scenes(doc: &RawDocument<'_>, graph: &NodeGraph, findings: &mut Findings) {
    let mut roots_of_scenes = BTreeSet::new();
    for (scene_index, scene) in doc.entries("scenes") {
        let mut roots = BTreeSet::new();
        for (place, node) in get_list(scene, "nodes").iter().enumerate() {
            let Some(node) = as_usize(node).filter(|&node| node < graph.roots.len()) else {
                continue;
            };
            roots.insert(node);
            if let Some(parent) = graph.forest.named_by(node) {
                findings
                    .add(
                        &fault::SCENE_NON_ROOT_NODE,
                        format_args!("/scenes/{scene_index}/nodes/{place}"),
                    )
                    .expected(
                        "a node without a parent",
                        format_args!("node {node}, a child of node {parent}"),
                    );
            }
        }
        roots_of_scenes.extend(&roots);
        roots_of_scenes.extend(roots_of_detail_levels(doc, graph, &roots));
        let nodes = doc.list("nodes");
        if !doc.work.try_spend(nodes.len()) {
            return;
        }
        for (index, node) in nodes.iter().enumerate() {
            if graph.roots[index].is_some_and(|root| roots.contains(&root)) {
                examine_joints_in_scene(doc, graph, index, node, scene_index, &roots, findings);
            }
        }
    }
    if !roots_of_scenes.is_empty() {
        examine_unshown_meshes(doc, graph, &roots_of_scenes, findings);
    }
}

/// Returns the roots of nodes that nodes of a scene name as their coarser levels of detail.
/// `MSFT_lod` keeps those out of every scene.
fn roots_of_detail_levels(
    doc: &RawDocument<'_>,
    graph: &NodeGraph,
    scene_roots: &BTreeSet<usize>,
) -> BTreeSet<usize> {
    let mut roots = BTreeSet::new();
    for (index, node) in doc.list("nodes").iter().enumerate() {
        let is_in_scene = graph.roots[index].is_some_and(|root| scene_roots.contains(&root));
        if let Some(levels) = node.pointer("/extensions/MSFT_lod").filter(|_| is_in_scene) {
            let nodes = get_list(levels, "ids").iter().filter_map(as_usize);
            roots.extend(nodes.filter_map(|node| graph.roots.get(node).copied().flatten()));
        }
    }
    roots
}

/// Reports meshes of nodes that are in no scene.
fn examine_unshown_meshes(
    doc: &RawDocument<'_>,
    graph: &NodeGraph,
    roots_of_scenes: &BTreeSet<usize>,
    findings: &mut Findings,
) {
    for (index, node) in doc.entries("nodes") {
        let is_outside = graph.roots[index].is_some_and(|root| !roots_of_scenes.contains(&root));
        if is_outside && let Some(mesh) = get_usize(node, "mesh") {
            findings.add(&fault::MESH_IN_NO_SCENE, format_args!("/nodes/{index}")).expected(
                "a scene that has it",
                format_args!("{} in none", doc.describe_mesh(mesh)),
            );
        }
    }
}

/// Reports a joint of a skinned mesh that is not in the scene of the mesh.
fn examine_joints_in_scene(
    doc: &RawDocument<'_>,
    graph: &NodeGraph,
    index: usize,
    node: &Value,
    scene_index: usize,
    scene_roots: &BTreeSet<usize>,
    findings: &mut Findings,
) {
    if node.get("mesh").is_none() {
        return;
    }
    let Some(skin) = doc.resolve(node, "skin", "skins") else {
        return;
    };
    let joints = get_list(skin, "joints");
    if !doc.work.try_spend(joints.len()) {
        return;
    }
    let outside = joints.iter().filter_map(as_usize).find(|&joint| {
        let root = graph.roots.get(joint).copied().flatten();
        root.is_some_and(|root| !scene_roots.contains(&root))
    });
    if let Some(joint) = outside {
        findings.add(&fault::NODE_SKIN_NO_SCENE, format_args!("/nodes/{index}")).expected(
            format_args!("all joints in scene {scene_index}, where the mesh is"),
            format_args!("joint {} outside of it", doc.describe_node(joint)),
        );
    }
}
