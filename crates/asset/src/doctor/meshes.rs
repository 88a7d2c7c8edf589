//! Meshes: primitives, indices, morph targets.

use std::collections::BTreeSet;

use bindpose_diagnostic::ModelPlace;
use serde_json::Value;

use super::attributes::{self, SharedAttributes, Tally};
use super::catalog as fault;
use super::doc::{Doc, as_whole, list, text, whole};
use super::elements::{AccessorElements, Component, format_of, stored_elements, without_stride};
use super::findings::Findings;
use super::influences::examine_influences;

/// Data that was looked at; what shares it has the same faults.
struct SeenData {
    attributes: SharedAttributes,
    /// Accessors of indices, and the numbers of vertices.
    indices: BTreeSet<(usize, usize)>,
    /// Accessors of all sets, and the number of joints.
    influences: BTreeSet<(Vec<usize>, Option<usize>)>,
}

/// All meshes.
pub(super) fn examine(doc: &Doc<'_>, found: &mut Findings) {
    let mut seen = SeenData {
        attributes: SharedAttributes::new(doc),
        indices: BTreeSet::new(),
        influences: BTreeSet::new(),
    };
    let skins = skins_by_mesh(doc);
    for (index, mesh) in doc.each("meshes") {
        let pointer = format!("/meshes/{index}");
        let primitives = list(mesh, "primitives");
        for (part, primitive) in doc.work.each(primitives) {
            let pointer = format!("{pointer}/primitives/{part}");
            let joints = skins[index].first().copied();
            one(doc, primitive, joints, &mut seen, &pointer, found);
        }
        alike(mesh, primitives, &pointer, found);
    }
}

/// The numbers of joints of all skins that a mesh is shown with.
pub(super) fn skins_by_mesh(doc: &Doc<'_>) -> Vec<BTreeSet<usize>> {
    let mut skins = vec![BTreeSet::new(); doc.list("meshes").len()];
    for node in doc.list("nodes") {
        let skin = doc.referred(node, "skin", "skins");
        let mesh = whole(node, "mesh").and_then(|mesh| skins.get_mut(mesh));
        if let (Some(skin), Some(counts)) = (skin, mesh) {
            counts.insert(list(skin, "joints").len());
        }
    }
    skins
}

fn one(
    doc: &Doc<'_>,
    primitive: &Value,
    joints: Option<usize>,
    seen: &mut SeenData,
    pointer: &str,
    found: &mut Findings,
) {
    let Some(attributes) = primitive.get("attributes").and_then(Value::as_object) else {
        return;
    };
    let at_attributes = format!("{pointer}/attributes");
    let has = |name: &str| attributes.contains_key(name);
    attributes::examine(doc, attributes, &at_attributes, &mut seen.attributes, found);
    if !has("POSITION") {
        let fault = &fault::MESH_PRIMITIVE_NO_POSITION;
        found.add(fault, at_attributes.as_str()).expected("POSITION", "none");
        return;
    }
    let triangles = whole(primitive, "mode").unwrap_or(4) >= 4;
    if !has("NORMAL") && triangles {
        found.add(&fault::NO_NORMALS, at_attributes.as_str()).expected("NORMAL", "none");
    }
    let positions = attributes.get("POSITION").and_then(as_whole);
    let positions = positions.and_then(|index| doc.one("accessors", index));
    let count = positions.and_then(|accessor| whole(accessor, "count"));
    indices(doc, primitive, count, &mut seen.indices, pointer, found);
    let base = primitive.get("attributes");
    for (target, morphed) in list(primitive, "targets").iter().enumerate() {
        if let Some(morphed) = morphed.as_object() {
            let pointer = format!("{pointer}/targets/{target}");
            attributes::examine_target(doc, morphed, base, &seen.attributes, &pointer, found);
        }
    }
    textures(doc, primitive, pointer, found);
    examine_influences(doc, attributes, joints, &mut seen.influences, &at_attributes, found);
}

fn indices(
    doc: &Doc<'_>,
    primitive: &Value,
    vertices: Option<usize>,
    seen: &mut BTreeSet<(usize, usize)>,
    pointer: &str,
    found: &mut Findings,
) {
    let mode = whole(primitive, "mode").unwrap_or(4);
    let Some(index) = whole(primitive, "indices") else {
        if let Some(vertices) = vertices {
            fits_mode(mode, vertices, "vertices", pointer, found);
        }
        return;
    };
    let Some(accessor) = doc.one("accessors", index) else {
        return;
    };
    let Some(format) = format_of(accessor) else {
        return;
    };
    let pointer_at = format!("{pointer}/indices");
    let kind = text(accessor, "type").unwrap_or_default();
    let component = format.component;
    let unsigned = matches!(component, Component::U8 | Component::U16 | Component::U32);
    let normalized = accessor.get("normalized") == Some(&Value::Bool(true));
    if kind != "SCALAR" || !unsigned || normalized {
        found.add(&fault::MESH_PRIMITIVE_INDICES_ACCESSOR_INVALID_FORMAT, pointer_at).expected(
            "SCALAR of 8-, 16- or 32-bit unsigned integers, not normalized",
            format_args!("{kind} of {}", component.name()),
        );
        return;
    }
    let strided = &fault::MESH_PRIMITIVE_INDICES_ACCESSOR_WITH_BYTESTRIDE;
    without_stride(doc, accessor, strided, &pointer_at, found);
    if let Some(count) = whole(accessor, "count") {
        fits_mode(mode, count, "indices", pointer, found);
    }
    if let Some(vertices) = vertices.filter(|&vertices| seen.insert((index, vertices)))
        && let Some(elements) = stored_elements(doc, index)
    {
        in_bounds(&elements, vertices, &pointer_at, found);
    }
}

fn in_bounds(
    elements: &AccessorElements<'_>,
    vertices: usize,
    pointer: &str,
    found: &mut Findings,
) {
    let restart = elements.format.component.range(false).1;
    let (mut outside, mut restarts) = (Tally::default(), Tally::default());
    for place in 0..elements.count {
        let vertex = elements.stored(place, 0);
        if vertex == restart {
            restarts.see(0.0, ModelPlace::default, || format!("{restart} as index {place}"));
        } else if vertex as usize >= vertices {
            let at = || ModelPlace::default().vertex(vertex as usize);
            let shown = || format!("vertex {vertex} as index {place}, the largest");
            outside.see(vertex, at, shown);
        }
    }
    let range = format!("vertices 0 to {}", vertices.saturating_sub(1));
    outside.report(&fault::ACCESSOR_INDEX_OOB, pointer, &range, found);
    let below = format!("less than {restart}");
    restarts.report(&fault::ACCESSOR_INDEX_PRIMITIVE_RESTART, pointer, &below, found);
}

fn fits_mode(mode: usize, count: usize, what: &str, pointer: &str, found: &mut Findings) {
    let (fits, expected) = match mode {
        1 => (count.is_multiple_of(2), "a multiple of 2"),
        4 => (count.is_multiple_of(3), "a multiple of 3"),
        2 | 3 => (count >= 2, "at least 2"),
        5 | 6 => (count >= 3, "at least 3"),
        _ => return,
    };
    if !fits {
        found
            .add(&fault::MESH_PRIMITIVE_INCOMPATIBLE_MODE, pointer)
            .expected(expected, format_args!("{count} {what}"));
    }
}

/// Textures of the material that need coordinates which are not there.
fn textures(doc: &Doc<'_>, primitive: &Value, pointer: &str, found: &mut Findings) {
    let Some(material) = doc.referred(primitive, "material", "materials") else {
        return;
    };
    let has = |set: usize| {
        let attributes = primitive.get("attributes");
        attributes.is_some_and(|all| all.get(format!("TEXCOORD_{set}")).is_some())
    };
    for path in TEXTURES {
        let texture = path.iter().try_fold(material, |at, name| at.get(*name));
        let Some(texture) = texture.filter(|texture| texture.is_object()) else {
            continue;
        };
        let moved = texture.pointer("/extensions/KHR_texture_transform");
        let moved = moved.and_then(|moved| whole(moved, "texCoord"));
        let set = moved.or_else(|| whole(texture, "texCoord")).unwrap_or(0);
        if !has(set) {
            found
                .add(&fault::MESH_PRIMITIVE_TOO_FEW_TEXCOORDS, format_args!("{pointer}/material"))
                .expected(
                    format_args!("TEXCOORD_{set} for the material’s {}", path[path.len() - 1]),
                    "none",
                );
        }
    }
}

/// Where a material has textures.
const TEXTURES: [&[&str]; 5] = [
    &["pbrMetallicRoughness", "baseColorTexture"],
    &["pbrMetallicRoughness", "metallicRoughnessTexture"],
    &["normalTexture"],
    &["occlusionTexture"],
    &["emissiveTexture"],
];

/// What all primitives of a mesh must have alike.
fn alike(mesh: &Value, primitives: &[Value], pointer: &str, found: &mut Findings) {
    let Some(first) = primitives.first() else {
        return;
    };
    let targets = list(first, "targets").len();
    let sets = influence_sets(first);
    for (part, primitive) in primitives.iter().enumerate().skip(1) {
        let other = list(primitive, "targets").len();
        let at = format!("{pointer}/primitives/{part}");
        if other != targets {
            found
                .add(&fault::MESH_PRIMITIVES_UNEQUAL_TARGETS_COUNT, format_args!("{at}/targets"))
                .expected(format_args!("{targets}, as the first primitive has"), other);
        }
        let other = influence_sets(primitive);
        if other != sets {
            found
                .add(&fault::MESH_PRIMITIVES_UNEQUAL_JOINTS_COUNT, at)
                .expected(format_args!("{sets} sets, as the first primitive has"), other);
        }
    }
    if mesh.get("weights").is_some() && list(mesh, "weights").len() != targets {
        found.add(&fault::MESH_INVALID_WEIGHTS_COUNT, format_args!("{pointer}/weights")).expected(
            format_args!("{targets}, one a target"),
            list(mesh, "weights").len().to_string(),
        );
    }
}

fn influence_sets(primitive: &Value) -> usize {
    let attributes = primitive.get("attributes").and_then(Value::as_object);
    let names = attributes.into_iter().flatten();
    names.filter(|(name, _)| name.starts_with("JOINTS_")).count()
}
