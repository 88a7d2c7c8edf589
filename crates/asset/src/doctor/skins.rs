//! Skins: joints and inverse bind matrices.

use bindpose_diagnostic::ModelPlace;
use glam::{DMat3, DMat4};
use serde_json::Value;

use super::bind::{self, SkinAtRest, stored_matrices};
use super::catalog as fault;
use super::doc::{Doc, Graph, as_whole, list, named, text, whole};
use super::elements::{Component, format_of, has_no_data, without_stride};
use super::findings::Findings;
use super::skin_fit;

/// Below this, for its size, the determinant of an inverse bind matrix is 0.
const SINGULAR: f64 = 1e-9;
/// How far the last row of an inverse bind matrix may be from 0 0 0 1.
const AFFINE: f64 = 1e-6;

/// All skins.
pub(super) fn examine(doc: &Doc<'_>, graph: &Graph, found: &mut Findings) {
    for (index, skin) in doc.each("skins") {
        let pointer = format!("/skins/{index}");
        let joints: Vec<usize> = list(skin, "joints").iter().filter_map(as_whole).collect();
        if joints.is_empty() {
            continue;
        }
        roots(graph, skin, &joints, &pointer, found);
        let Some(accessor) = skin.get("inverseBindMatrices") else {
            if !skin_fit::needs_binds(doc, graph, index) {
                found.add(&fault::SKIN_WITHOUT_IBM, pointer).expected(
                    "inverseBindMatrices, or vertices stored in the joints’ frames",
                    format_args!("none for {} joints", joints.len()),
                );
            }
            continue;
        };
        if let Some(accessor) = as_whole(accessor) {
            let pointer = format!("{pointer}/inverseBindMatrices");
            matrices(doc, graph, &joints, accessor, &pointer, found);
        }
    }
}

fn roots(graph: &Graph, skin: &Value, joints: &[usize], pointer: &str, found: &mut Findings) {
    let root = |joint: usize| graph.roots.get(joint).copied().flatten();
    let first = root(joints[0]);
    let stray = joints.iter().position(|&joint| root(joint).is_none() || root(joint) != first);
    if let Some(place) = stray {
        let at = ModelPlace::at(format!("{pointer}/joints")).joint(place);
        let shown = match (root(joints[place]), first) {
            (Some(root), Some(first)) => {
                format!("joint 0 below node {first}, joint {place} below node {root}")
            }
            _ => format!("joint {place}, node {}, below no root", joints[place]),
        };
        found.add(&fault::SKIN_NO_COMMON_ROOT, at).expected("one node above all joints", shown);
    }
    let Some(skeleton) = whole(skin, "skeleton").filter(|&node| node < graph.roots.len()) else {
        return;
    };
    let above =
        |&joint: &usize| joint < graph.roots.len() && !graph.forest.is_below(joint, skeleton);
    if let Some(place) = joints.iter().position(above) {
        let at = ModelPlace::at(format!("{pointer}/skeleton")).joint(place);
        found.add(&fault::SKIN_SKELETON_INVALID, at).expected(
            "a node above all joints",
            format_args!("node {skeleton}, which is not above joint {place}"),
        );
    }
}

fn matrices(
    doc: &Doc<'_>,
    graph: &Graph,
    joints: &[usize],
    index: usize,
    pointer: &str,
    found: &mut Findings,
) {
    let Some(accessor) = doc.one("accessors", index) else {
        return;
    };
    let Some(format) = format_of(accessor) else {
        return;
    };
    let kind = text(accessor, "type").unwrap_or_default();
    if kind != "MAT4" || format.component != Component::F32 {
        let shown = format!("{kind} of {}", format.component.name());
        found.add(&fault::SKIN_IBM_INVALID_FORMAT, pointer).expected("MAT4 of floats", shown);
        return;
    }
    let count = whole(accessor, "count").unwrap_or(0);
    if count < joints.len() {
        found
            .add(&fault::INVALID_IBM_ACCESSOR_COUNT, pointer)
            .expected(format_args!("{}, one a joint", joints.len()), count);
    }
    let strided = &fault::SKIN_IBM_ACCESSOR_WITH_BYTESTRIDE;
    without_stride(doc, accessor, strided, pointer, found);
    if has_no_data(accessor) {
        found.add(&fault::ACCESSOR_WITHOUT_DATA.as_error(), pointer).expected(
            "a bufferView",
            format_args!("none, so that all {count} matrices are zero, and the mesh a point"),
        );
    }
    let Some(matrices) = stored_matrices(doc, index, joints.len()) else {
        return;
    };
    for (joint, matrix) in matrices.iter().enumerate() {
        // Numbers that are none are reported with the accessor.
        if matrix.is_finite() {
            let world = graph.world_from_node.get(joints[joint]).copied();
            let world_from_bind = world.unwrap_or(DMat4::IDENTITY) * *matrix;
            matrix_of(doc, (joints[joint], joint), *matrix, world_from_bind, pointer, found);
        }
    }
    if let Some(skin) = SkinAtRest::new(graph, joints, &matrices) {
        bind::examine(&skin, pointer, found);
    }
}

fn matrix_of(
    doc: &Doc<'_>,
    (node, joint): (usize, usize),
    matrix: DMat4,
    world_from_bind: DMat4,
    pointer: &str,
    found: &mut Findings,
) {
    let place = || ModelPlace::at(pointer).joint(joint);
    let who = named("node", node, doc.one("nodes", node));
    let row = matrix.row(3).to_array();
    let expected = [0.0, 0.0, 0.0, 1.0];
    let off = |(a, b): (&f64, &f64)| (a - b).abs();
    let worst = row.iter().zip(&expected).map(off).fold(0.0, f64::max);
    if worst > 0.0 {
        let [a, b, c, d] = row;
        let fault = if worst > AFFINE {
            fault::ACCESSOR_INVALID_IBM
        } else {
            fault::ACCESSOR_INVALID_IBM.as_note()
        };
        let shown = format!("{a} {b} {c} {d} for joint {joint}, {who}");
        let told = found.add(&fault, place());
        let told = if worst > AFFINE {
            told
        } else {
            told.help("nothing: it is 0 0 0 1 but for rounding")
        };
        told.expected("0 0 0 1", shown);
    }
    let linear = DMat3::from_mat4(matrix);
    let determinant = linear.determinant();
    let size = linear.x_axis.length() * linear.y_axis.length() * linear.z_axis.length();
    if determinant.abs() <= SINGULAR * size {
        found.add(&fault::IBM_SINGULAR, place()).expected(
            "a determinant other than 0",
            format_args!("{determinant:.3e} for joint {joint}, {who}"),
        );
    } else if world_from_bind.determinant() < 0.0 {
        // A matrix that mirrors undoes a joint that mirrors.
        found.add(&fault::IBM_MIRRORED, place()).expected(
            "a joint matrix with a determinant above 0",
            format_args!("{:.4} at rest for joint {joint}, {who}", world_from_bind.determinant()),
        );
    }
}
