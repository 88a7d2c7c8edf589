//! Skins: joints and inverse bind matrices.

use bindpose_diagnostic::ModelPlace;
use bindpose_gltf::Component;
use bindpose_gltf::decoding::values::{as_usize, get_list, get_str, get_usize};
use glam::{DMat3, DMat4};
use serde_json::Value;

use super::bind::{self, load_matrices};
use super::catalog as fault;
use super::document::{NodeGraph, RawDocument};
use super::elements::{element_format, has_no_data, reject_stride};
use super::findings::Findings;
use super::skin_fit;

/// Determinant, relative to the product of the axes' lengths, below which an inverse bind
/// matrix counts as singular.
const SINGULAR_DETERMINANT: f64 = 1e-9;
/// Maximum difference of an inverse bind matrix's last row from 0 0 0 1.
const LAST_ROW_TOLERANCE: f64 = 1e-6;

pub(super) fn examine(doc: &RawDocument<'_>, graph: &NodeGraph, findings: &mut Findings) {
    for (index, skin) in doc.entries("skins") {
        let pointer = format!("/skins/{index}");
        let joints: Vec<usize> = get_list(skin, "joints").iter().filter_map(as_usize).collect();
        if joints.is_empty() {
            continue;
        }
        examine_roots(graph, skin, &joints, &pointer, findings);
        let Some(accessor) = skin.get("inverseBindMatrices") else {
            if !skin_fit::is_missing_binds(doc, graph, index) {
                findings.add(&fault::SKIN_WITHOUT_IBM, pointer).expected(
                    "inverseBindMatrices, or vertices stored in the joints’ frames",
                    format_args!("none for {} joints", joints.len()),
                );
            }
            continue;
        };
        if let Some(accessor) = as_usize(accessor) {
            let pointer = format!("{pointer}/inverseBindMatrices");
            examine_binds(doc, graph, &joints, accessor, &pointer, findings);
            if let Some(skin) = bind::load_skin(doc, graph, index) {
                bind::examine(doc, &skin, findings);
            }
        }
    }
}

/// Checks that all joints are in one tree, and below the node under `skeleton`.
fn examine_roots(
    graph: &NodeGraph,
    skin: &Value,
    joints: &[usize],
    pointer: &str,
    findings: &mut Findings,
) {
    let roots: Vec<Option<usize>> =
        joints.iter().map(|&joint| graph.roots.get(joint).copied().flatten()).collect();
    let stray = roots.iter().position(|&root| root.is_none() || root != roots[0]);
    if let Some(joint) = stray {
        let shown = match (roots[joint], roots[0]) {
            (Some(root), Some(first)) => {
                format!("joint 0 below node {first}, joint {joint} below node {root}")
            }
            _ => format!("joint {joint}, node {}, below no root", joints[joint]),
        };
        let place = ModelPlace::at(format!("{pointer}/joints")).joint(joint);
        findings
            .add(&fault::SKIN_NO_COMMON_ROOT, place)
            .expected("one node above all joints", shown);
    }
    let Some(skeleton) = get_usize(skin, "skeleton").filter(|&node| node < graph.roots.len())
    else {
        return;
    };
    let outside = joints
        .iter()
        .position(|&node| node < graph.roots.len() && !graph.forest.is_below(node, skeleton));
    if let Some(joint) = outside {
        let place = ModelPlace::at(format!("{pointer}/skeleton")).joint(joint);
        findings.add(&fault::SKIN_SKELETON_INVALID, place).expected(
            "a node above all joints",
            format_args!("node {skeleton}, which is not above joint {joint}"),
        );
    }
}

/// Examines the inverse bind matrices in an accessor.
fn examine_binds(
    doc: &RawDocument<'_>,
    graph: &NodeGraph,
    joints: &[usize],
    accessor_index: usize,
    pointer: &str,
    findings: &mut Findings,
) {
    let Some(accessor) = doc.get("accessors", accessor_index) else {
        return;
    };
    let Some(format) = element_format(accessor) else {
        return;
    };
    let type_name = get_str(accessor, "type").unwrap_or_default();
    if type_name != "MAT4" || format.component != Component::F32 {
        findings
            .add(&fault::SKIN_IBM_INVALID_FORMAT, pointer)
            .expected("MAT4 of floats", format_args!("{type_name} of {}", format.component.name()));
        return;
    }
    let count = get_usize(accessor, "count").unwrap_or(0);
    if count < joints.len() {
        findings
            .add(&fault::INVALID_IBM_ACCESSOR_COUNT, pointer)
            .expected(format_args!("{}, one a joint", joints.len()), count);
    }
    let fault = &fault::SKIN_IBM_ACCESSOR_WITH_BYTESTRIDE;
    reject_stride(doc, accessor, fault, pointer, findings);
    if has_no_data(accessor) {
        findings.add(&fault::ACCESSOR_WITHOUT_DATA.as_error(), pointer).expected(
            "a bufferView",
            format_args!("none, so that all {count} matrices are zero, and the mesh a point"),
        );
    }
    let Some(matrices) = load_matrices(doc, accessor_index, joints.len()) else {
        return;
    };
    for (joint, matrix) in matrices.iter().enumerate() {
        // Numbers that are not finite are reported with the accessor.
        if matrix.is_finite() {
            let node = joints[joint];
            let place = ModelPlace::at(pointer).joint(joint);
            let shown_joint = format!("joint {joint}, {}", doc.describe_node(node));
            examine_last_row(*matrix, &place, &shown_joint, findings);
            let world = graph.world_from_node.get(node).copied().unwrap_or(DMat4::IDENTITY);
            examine_determinant(*matrix, world * *matrix, place, &shown_joint, findings);
        }
    }
}

fn examine_last_row(matrix: DMat4, place: &ModelPlace, shown_joint: &str, findings: &mut Findings) {
    let [a, b, c, d] = matrix.row(3).to_array();
    let error = a.abs().max(b.abs()).max(c.abs()).max((d - 1.0).abs());
    if error == 0.0 {
        return;
    }
    let shown = format!("{a} {b} {c} {d} for {shown_joint}");
    if error > LAST_ROW_TOLERANCE {
        findings.add(&fault::ACCESSOR_INVALID_IBM, place.clone()).expected("0 0 0 1", shown);
    } else {
        findings
            .add(&fault::ACCESSOR_INVALID_IBM.as_note(), place.clone())
            .help("nothing: it is 0 0 0 1 but for rounding")
            .expected("0 0 0 1", shown);
    }
}

fn examine_determinant(
    matrix: DMat4,
    world_from_bind: DMat4,
    place: ModelPlace,
    shown_joint: &str,
    findings: &mut Findings,
) {
    let linear = DMat3::from_mat4(matrix);
    let determinant = linear.determinant();
    let size = linear.x_axis.length() * linear.y_axis.length() * linear.z_axis.length();
    if determinant.abs() <= SINGULAR_DETERMINANT * size {
        findings.add(&fault::IBM_SINGULAR, place).expected(
            "a determinant other than 0",
            format_args!("{determinant:.3e} for {shown_joint}"),
        );
    } else if world_from_bind.determinant() < 0.0 {
        // The joint matrix counts: an inverse bind matrix that mirrors undoes a joint that
        // mirrors.
        findings.add(&fault::IBM_MIRRORED, place).expected(
            "a joint matrix with a determinant above 0",
            format_args!("{:.4} at rest for {shown_joint}", world_from_bind.determinant()),
        );
    }
}
