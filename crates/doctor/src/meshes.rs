//! Meshes: primitives, indices, morph targets.

use std::collections::BTreeSet;

use bindpose_diagnostic::ModelPlace;
use bindpose_gltf::Component;
use bindpose_gltf::decoding::AccessorElements;
use bindpose_gltf::decoding::values::{as_usize, get_list, get_str, get_usize};
use serde_json::Value;

use super::attributes::{self, SharedAttributes, Tally};
use super::catalog as fault;
use super::document::RawDocument;
use super::elements::{element_format, is_normalized, read_elements, reject_stride};
use super::findings::Findings;
use super::influences::{ExaminedInfluences, examine_influences};

/// Data that was examined. Primitives that share it have the same faults.
struct ExaminedData {
    attributes: SharedAttributes,
    /// Accessors of indices, each with the number of vertices.
    indices: BTreeSet<(usize, usize)>,
    influences: ExaminedInfluences,
}

pub(super) fn examine(doc: &RawDocument<'_>, findings: &mut Findings) {
    let mut examined = ExaminedData {
        attributes: SharedAttributes::new(doc),
        indices: BTreeSet::new(),
        influences: ExaminedInfluences::default(),
    };
    let joint_counts = joint_counts_by_mesh(doc);
    for (index, mesh) in doc.entries("meshes") {
        let pointer = format!("/meshes/{index}");
        let primitives = get_list(mesh, "primitives");
        let joint_count = joint_counts[index].first().copied();
        for (part, primitive) in doc.work.entries(primitives) {
            let pointer = format!("{pointer}/primitives/{part}");
            examine_primitive(doc, primitive, joint_count, &mut examined, &pointer, findings);
        }
        examine_uniformity(mesh, primitives, &pointer, findings);
    }
}

/// Returns for each mesh the numbers of joints of the skins that nodes show it with.
pub(super) fn joint_counts_by_mesh(doc: &RawDocument<'_>) -> Vec<BTreeSet<usize>> {
    let mut joint_counts = vec![BTreeSet::new(); doc.list("meshes").len()];
    for node in doc.list("nodes") {
        if let Some(skin) = doc.resolve(node, "skin", "skins")
            && let Some(mesh) = get_usize(node, "mesh")
            && let Some(counts) = joint_counts.get_mut(mesh)
        {
            counts.insert(get_list(skin, "joints").len());
        }
    }
    joint_counts
}

fn examine_primitive(
    doc: &RawDocument<'_>,
    primitive: &Value,
    joint_count: Option<usize>,
    examined: &mut ExaminedData,
    pointer: &str,
    findings: &mut Findings,
) {
    let Some(attributes) = primitive.get("attributes").and_then(Value::as_object) else {
        return;
    };
    let attributes_pointer = format!("{pointer}/attributes");
    attributes::examine(doc, attributes, &attributes_pointer, &mut examined.attributes, findings);
    let Some(positions) = attributes.get("POSITION") else {
        findings
            .add(&fault::MESH_PRIMITIVE_NO_POSITION, attributes_pointer)
            .expected("POSITION", "none");
        return;
    };
    let has_triangles = get_usize(primitive, "mode").unwrap_or(4) >= 4;
    if !attributes.contains_key("NORMAL") && has_triangles {
        findings.add(&fault::NO_NORMALS, attributes_pointer.as_str()).expected("NORMAL", "none");
    }
    let vertex_count = as_usize(positions)
        .and_then(|accessor| doc.get("accessors", accessor))
        .and_then(|accessor| get_usize(accessor, "count"));
    examine_indices(doc, primitive, vertex_count, &mut examined.indices, pointer, findings);
    let base = primitive.get("attributes");
    for (target, morphed) in get_list(primitive, "targets").iter().enumerate() {
        if let Some(morphed) = morphed.as_object() {
            let pointer = format!("{pointer}/targets/{target}");
            attributes::examine_target(
                doc,
                morphed,
                base,
                &examined.attributes,
                &pointer,
                findings,
            );
        }
    }
    examine_texture_coordinates(doc, primitive, pointer, findings);
    examine_influences(
        doc,
        attributes,
        joint_count,
        &mut examined.influences,
        &attributes_pointer,
        findings,
    );
}

fn examine_indices(
    doc: &RawDocument<'_>,
    primitive: &Value,
    vertex_count: Option<usize>,
    examined: &mut BTreeSet<(usize, usize)>,
    pointer: &str,
    findings: &mut Findings,
) {
    let mode = get_usize(primitive, "mode").unwrap_or(4);
    let Some(index) = get_usize(primitive, "indices") else {
        if let Some(vertex_count) = vertex_count {
            examine_corner_count(mode, vertex_count, "vertices", pointer, findings);
        }
        return;
    };
    let Some(accessor) = doc.get("accessors", index) else {
        return;
    };
    let Some(format) = element_format(accessor) else {
        return;
    };
    let indices_pointer = format!("{pointer}/indices");
    let type_name = get_str(accessor, "type").unwrap_or_default();
    let component = format.component;
    let is_unsigned = matches!(component, Component::U8 | Component::U16 | Component::U32);
    if type_name != "SCALAR" || !is_unsigned || is_normalized(accessor) {
        findings
            .add(&fault::MESH_PRIMITIVE_INDICES_ACCESSOR_INVALID_FORMAT, indices_pointer)
            .expected(
                "SCALAR of 8-, 16- or 32-bit unsigned integers, not normalized",
                format_args!("{type_name} of {}", component.name()),
            );
        return;
    }
    let fault = &fault::MESH_PRIMITIVE_INDICES_ACCESSOR_WITH_BYTESTRIDE;
    reject_stride(doc, accessor, fault, &indices_pointer, findings);
    if let Some(count) = get_usize(accessor, "count") {
        examine_corner_count(mode, count, "indices", pointer, findings);
    }
    if let Some(vertex_count) = vertex_count
        && examined.insert((index, vertex_count))
        && let Some(elements) = read_elements(doc, index)
    {
        examine_index_range(&elements, vertex_count, &indices_pointer, findings);
    }
}

fn examine_index_range(
    elements: &AccessorElements<'_>,
    vertex_count: usize,
    pointer: &str,
    findings: &mut Findings,
) {
    // The largest value of the type restarts a strip.
    let restart = elements.format.component.range(false).1;
    let mut outside = Tally::default();
    let mut restarts = Tally::default();
    for corner in 0..elements.count {
        let vertex = elements.stored(corner, 0);
        if vertex == restart {
            restarts.record(0.0, ModelPlace::default, || format!("{restart} as index {corner}"));
        } else if vertex as usize >= vertex_count {
            outside.record(
                vertex,
                || ModelPlace::default().vertex(vertex as usize),
                || format!("vertex {vertex} as index {corner}, the largest"),
            );
        }
    }
    let expected = format!("vertices 0 to {}", vertex_count.saturating_sub(1));
    outside.report(&fault::ACCESSOR_INDEX_OOB, pointer, &expected, findings);
    let expected = format!("less than {restart}");
    restarts.report(&fault::ACCESSOR_INDEX_PRIMITIVE_RESTART, pointer, &expected, findings);
}

/// Checks that `count` corners make whole primitives of the mode. `unit` is the plural word for
/// corners.
fn examine_corner_count(
    mode: usize,
    count: usize,
    unit: &str,
    pointer: &str,
    findings: &mut Findings,
) {
    let (is_valid, expected) = match mode {
        1 => (count.is_multiple_of(2), "a multiple of 2"),
        4 => (count.is_multiple_of(3), "a multiple of 3"),
        2 | 3 => (count >= 2, "at least 2"),
        5 | 6 => (count >= 3, "at least 3"),
        _ => return,
    };
    if !is_valid {
        findings
            .add(&fault::MESH_PRIMITIVE_INCOMPATIBLE_MODE, pointer)
            .expected(expected, format_args!("{count} {unit}"));
    }
}

/// Paths of the textures in a material.
const TEXTURE_PATHS: [&[&str]; 5] = [
    &["pbrMetallicRoughness", "baseColorTexture"],
    &["pbrMetallicRoughness", "metallicRoughnessTexture"],
    &["normalTexture"],
    &["occlusionTexture"],
    &["emissiveTexture"],
];

/// Reports textures of the material whose coordinates the primitive does not have.
fn examine_texture_coordinates(
    doc: &RawDocument<'_>,
    primitive: &Value,
    pointer: &str,
    findings: &mut Findings,
) {
    let Some(material) = doc.resolve(primitive, "material", "materials") else {
        return;
    };
    for path in TEXTURE_PATHS {
        let texture = path.iter().try_fold(material, |at, name| at.get(*name));
        let Some(texture) = texture.filter(|texture| texture.is_object()) else {
            continue;
        };
        // The extension overrides the set of the texture.
        let set = texture
            .pointer("/extensions/KHR_texture_transform")
            .and_then(|transform| get_usize(transform, "texCoord"))
            .or_else(|| get_usize(texture, "texCoord"))
            .unwrap_or(0);
        let attributes = primitive.get("attributes");
        if attributes.is_none_or(|all| all.get(format!("TEXCOORD_{set}")).is_none()) {
            findings
                .add(&fault::MESH_PRIMITIVE_TOO_FEW_TEXCOORDS, format_args!("{pointer}/material"))
                .expected(
                    format_args!("TEXCOORD_{set} for the material’s {}", path[path.len() - 1]),
                    "none",
                );
        }
    }
}

/// Checks that all primitives of a mesh have as many morph targets and sets of influences, and
/// that the mesh has as many weights.
fn examine_uniformity(mesh: &Value, primitives: &[Value], pointer: &str, findings: &mut Findings) {
    let Some(first) = primitives.first() else {
        return;
    };
    let target_count = get_list(first, "targets").len();
    let set_count = influence_set_count(first);
    for (part, primitive) in primitives.iter().enumerate().skip(1) {
        let pointer = format!("{pointer}/primitives/{part}");
        let count = get_list(primitive, "targets").len();
        if count != target_count {
            findings
                .add(
                    &fault::MESH_PRIMITIVES_UNEQUAL_TARGETS_COUNT,
                    format_args!("{pointer}/targets"),
                )
                .expected(format_args!("{target_count}, as the first primitive has"), count);
        }
        let count = influence_set_count(primitive);
        if count != set_count {
            findings
                .add(&fault::MESH_PRIMITIVES_UNEQUAL_JOINTS_COUNT, pointer)
                .expected(format_args!("{set_count} sets, as the first primitive has"), count);
        }
    }
    let weight_count = get_list(mesh, "weights").len();
    if mesh.get("weights").is_some() && weight_count != target_count {
        findings
            .add(&fault::MESH_INVALID_WEIGHTS_COUNT, format_args!("{pointer}/weights"))
            .expected(format_args!("{target_count}, one a target"), weight_count);
    }
}

fn influence_set_count(primitive: &Value) -> usize {
    let attributes = primitive.get("attributes").and_then(Value::as_object);
    attributes.into_iter().flatten().filter(|(name, _)| name.starts_with("JOINTS_")).count()
}
