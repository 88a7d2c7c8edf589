//! Meshes: primitives, indices, morph targets.

use std::collections::BTreeSet;

use serde_json::Value;

use super::accessors::{with_bounds, without_stride};
use super::attributes;
use super::catalog::mesh as fault;
use super::doc::{Doc, as_whole, list, text, whole};
use super::elements::{Component, Elements, Format};
use super::findings::Findings;
use super::influences;
use super::tally::Tally;
use crate::diagnostic::ModelPlace;

/// All meshes.
pub(super) fn examine(doc: &Doc<'_>, found: &mut Findings) {
    let skins = skins_by_mesh(doc);
    for (index, mesh) in doc.list("meshes").iter().enumerate() {
        let pointer = format!("/meshes/{index}");
        let primitives = list(mesh, "primitives");
        for (part, primitive) in primitives.iter().enumerate() {
            let pointer = format!("{pointer}/primitives/{part}");
            one(doc, primitive, &skins[index], &pointer, found);
        }
        alike(mesh, primitives, &pointer, found);
    }
    attributes::shared_views(doc, found);
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
    joint_counts: &BTreeSet<usize>,
    pointer: &str,
    found: &mut Findings,
) {
    let Some(attributes) = primitive.get("attributes").and_then(Value::as_object) else {
        return;
    };
    let at_attributes = format!("{pointer}/attributes");
    let has = |name: &str| attributes.contains_key(name);
    attributes::examine(doc, attributes, &at_attributes, found);
    if !has("POSITION") {
        let fault = &fault::MESH_PRIMITIVE_NO_POSITION;
        found.add(fault, at_attributes.as_str(), "POSITION", "none");
        return;
    }
    let triangles = whole(primitive, "mode").unwrap_or(4) >= 4;
    if !has("NORMAL") && triangles {
        found.add(&fault::NO_NORMALS, at_attributes.as_str(), "NORMAL", "none");
    }
    let positions = attributes.get("POSITION").and_then(as_whole);
    let positions = positions.and_then(|index| doc.one("accessors", index));
    if let Some(accessor) = positions {
        let fault = &fault::MESH_PRIMITIVE_POSITION_ACCESSOR_WITHOUT_BOUNDS;
        with_bounds(accessor, fault, &format!("{at_attributes}/POSITION"), found);
    }
    let count = positions.and_then(|accessor| whole(accessor, "count"));
    indices(doc, primitive, count, pointer, found);
    targets(doc, primitive, pointer, found);
    influences::examine(doc, attributes, joint_counts, &at_attributes, found);
}

fn indices(
    doc: &Doc<'_>,
    primitive: &Value,
    vertices: Option<usize>,
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
    let Some(format) = Format::from_accessor(accessor) else {
        return;
    };
    let pointer_at = format!("{pointer}/indices");
    let kind = text(accessor, "type").unwrap_or_default();
    let component = format.component;
    let unsigned = matches!(component, Component::U8 | Component::U16 | Component::U32);
    let normalized = accessor.get("normalized") == Some(&Value::Bool(true));
    if kind != "SCALAR" || !unsigned || normalized {
        found.add(
            &fault::MESH_PRIMITIVE_INDICES_ACCESSOR_INVALID_FORMAT,
            pointer_at,
            "SCALAR of 8-, 16- or 32-bit unsigned integers, not normalized",
            format!("{kind} of {}", component.name()),
        );
        return;
    }
    let strided = &fault::MESH_PRIMITIVE_INDICES_ACCESSOR_WITH_BYTESTRIDE;
    without_stride(doc, accessor, strided, &pointer_at, found);
    if let Some(count) = whole(accessor, "count") {
        fits_mode(mode, count, "indices", pointer, found);
    }
    let (Some(elements), Some(vertices)) = (Elements::with_data(doc, index), vertices) else {
        return;
    };
    in_bounds(&elements, vertices, &pointer_at, found);
}

fn in_bounds(elements: &Elements<'_>, vertices: usize, pointer: &str, found: &mut Findings) {
    let restart = elements.format.component.range(false).1;
    let (mut outside, mut restarts) = (Tally::default(), Tally::default());
    for place in 0..elements.count {
        let vertex = elements.stored(place, 0);
        if vertex == restart {
            restarts.see(0.0, ModelPlace::default, || {
                format!("{restart} as index {place}")
            });
        } else if vertex as usize >= vertices {
            let at = || ModelPlace::default().vertex(vertex as usize);
            let shown = || format!("vertex {vertex} as index {place}, the largest");
            outside.see(vertex, at, shown);
        }
    }
    let range = format!("vertices 0 to {}", vertices.saturating_sub(1));
    outside.report(&fault::ACCESSOR_INDEX_OOB, pointer, &range, found);
    let below = format!("less than {restart}");
    restarts.report(
        &fault::ACCESSOR_INDEX_PRIMITIVE_RESTART,
        pointer,
        &below,
        found,
    );
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
        found.add(
            &fault::MESH_PRIMITIVE_INCOMPATIBLE_MODE,
            pointer,
            expected,
            format!("{count} {what}"),
        );
    }
}

fn targets(doc: &Doc<'_>, primitive: &Value, pointer: &str, found: &mut Findings) {
    let accessor = |index: &Value| doc.one("accessors", as_whole(index)?);
    let count = |index: &Value| whole(accessor(index)?, "count");
    let base = primitive.get("attributes");
    for (target, attributes) in list(primitive, "targets").iter().enumerate() {
        for (name, index) in attributes.as_object().into_iter().flatten() {
            let at = format!("{pointer}/targets/{target}/{}", crate::asset::gltf_file::json::escaped(name));
            let Some(of_base) = base.and_then(|base| base.get(name)) else {
                found.add(
                    &fault::MESH_PRIMITIVE_MORPH_TARGET_NO_BASE_ACCESSOR,
                    at,
                    format!("{name} among the attributes"),
                    "none",
                );
                continue;
            };
            if let (Some(expected), Some(count)) = (count(of_base), count(index))
                && count != expected
            {
                found.add(
                    &fault::MESH_PRIMITIVE_MORPH_TARGET_INVALID_ATTRIBUTE_COUNT,
                    at,
                    format!("{expected}, as the mesh has"),
                    count.to_string(),
                );
            }
        }
    }
}

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
            found.add(
                &fault::MESH_PRIMITIVES_UNEQUAL_TARGETS_COUNT,
                format!("{at}/targets"),
                format!("{targets}, as the first primitive has"),
                other.to_string(),
            );
        }
        let other = influence_sets(primitive);
        if other != sets {
            found.add(
                &fault::MESH_PRIMITIVES_UNEQUAL_JOINTS_COUNT,
                at,
                format!("{sets} sets, as the first primitive has"),
                other.to_string(),
            );
        }
    }
    if mesh.get("weights").is_some() && list(mesh, "weights").len() != targets {
        found.add(
            &fault::MESH_INVALID_WEIGHTS_COUNT,
            format!("{pointer}/weights"),
            format!("{targets}, one a target"),
            list(mesh, "weights").len().to_string(),
        );
    }
}

fn influence_sets(primitive: &Value) -> usize {
    let attributes = primitive.get("attributes").and_then(Value::as_object);
    let names = attributes.into_iter().flatten();
    names
        .filter(|(name, _)| name.starts_with("JOINTS_"))
        .count()
}
