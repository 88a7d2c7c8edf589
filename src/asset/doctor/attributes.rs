//! The attributes of a primitive: names, formats, counts.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::catalog::mesh as fault;
use super::doc::{Doc, as_whole, list, text, whole};
use super::elements::{Component, Elements, Format};
use super::findings::{Findings, quoted};
use super::tally::Tally;

/// How far a normal's length may be from 1 (as the validator has it).
const UNIT_VECTOR: f64 = 0.00674;

/// Formats that an attribute may have: `(types, floats, normalized integers,
/// plain integers)`.
struct Allowed {
    types: &'static [&'static str],
    components: &'static [(Component, bool)],
}

use crate::diagnostic::ModelPlace;
use Component::{F32, I8, I16, U8, U16};

const FLOAT: &[(Component, bool)] = &[(F32, false)];
const FRACTION: &[(Component, bool)] = &[(F32, false), (U8, true), (U16, true)];
const SIGNED_FRACTION: &[(Component, bool)] = &[(F32, false), (I8, true), (I16, true)];
const WHOLE: &[(Component, bool)] = &[(U8, false), (U16, false)];
const QUANTIZED: &[(Component, bool)] = &[
    (F32, false),
    (I8, true),
    (I8, false),
    (I16, true),
    (I16, false),
    (U8, true),
    (U8, false),
    (U16, true),
    (U16, false),
];

fn allowed(name: &str, quantized: bool) -> Option<Allowed> {
    let (types, components): (&'static [&'static str], _) = match semantic(name)?.0 {
        "POSITION" if quantized => (&["VEC3"], QUANTIZED),
        "NORMAL" if quantized => (&["VEC3"], SIGNED_FRACTION),
        "TANGENT" if quantized => (&["VEC4"], SIGNED_FRACTION),
        "TEXCOORD" if quantized => (&["VEC2"], QUANTIZED),
        "POSITION" | "NORMAL" => (&["VEC3"], FLOAT),
        "TANGENT" => (&["VEC4"], FLOAT),
        "TEXCOORD" => (&["VEC2"], FRACTION),
        "COLOR" => (&["VEC3", "VEC4"], FRACTION),
        "JOINTS" => (&["VEC4"], WHOLE),
        "WEIGHTS" => (&["VEC4"], FRACTION),
        _ => return None,
    };
    Some(Allowed { types, components })
}

/// `("JOINTS", Some(0))` for `JOINTS_0`; `None` for a name that glTF does not
/// know.
fn semantic(name: &str) -> Option<(&str, Option<usize>)> {
    if matches!(name, "POSITION" | "NORMAL" | "TANGENT") {
        return Some((name, None));
    }
    let (kind, set) = name.split_once('_')?;
    let digits = !set.is_empty() && set.bytes().all(|byte| byte.is_ascii_digit());
    let known = matches!(kind, "TEXCOORD" | "COLOR" | "JOINTS" | "WEIGHTS");
    let set = set.parse().ok().filter(|_| digits && known)?;
    Some((kind, Some(set)))
}

/// Names, formats and counts of a primitive's attributes.
pub(super) fn examine(
    doc: &Doc<'_>,
    attributes: &Map<String, Value>,
    pointer: &str,
    found: &mut Findings,
) {
    names(attributes, pointer, found);
    let mut first_count = None;
    for (name, accessor) in attributes {
        let Some(index) = as_whole(accessor) else {
            continue;
        };
        let Some(accessor) = doc.one("accessors", index) else {
            continue;
        };
        let pointer = format!("{pointer}/{name}");
        format(doc, name, accessor, &pointer, found);
        aligned(doc, accessor, &pointer, found);
        let Some(count) = whole(accessor, "count") else {
            continue;
        };
        let (first, expected) = *first_count.get_or_insert((name.as_str(), count));
        if count != expected {
            found.add(
                &fault::MESH_PRIMITIVE_UNEQUAL_ACCESSOR_COUNT,
                pointer.as_str(),
                format!("{expected}, as {first} has"),
                count.to_string(),
            );
        }
        let empty = accessor.get("bufferView").is_none() && accessor.get("sparse").is_none();
        let extended = accessor.get("extensions").is_some();
        if empty && !extended && matches!(name.as_str(), "POSITION" | "JOINTS_0" | "WEIGHTS_0") {
            found.add(
                &super::catalog::data::ACCESSOR_WITHOUT_DATA,
                pointer.as_str(),
                "a bufferView",
                format!("none, so that zeros are read (count {count})"),
            );
        }
        if name == "NORMAL" {
            normals(doc, index, &pointer, found);
        }
    }
}

fn names(attributes: &Map<String, Value>, pointer: &str, found: &mut Findings) {
    let mut sets: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for name in attributes.keys() {
        match semantic(name) {
            Some((kind, Some(set))) => sets.entry(kind).or_default().push(set),
            Some(_) => {}
            None if name.starts_with('_') => {}
            None => found.add(
                &fault::MESH_PRIMITIVE_INVALID_ATTRIBUTE,
                format!("{pointer}/{}", super::json::escaped(name)),
                "POSITION, NORMAL, TANGENT, TEXCOORD_n, COLOR_n, JOINTS_n, WEIGHTS_n, or _NAME",
                quoted(name),
            ),
        }
    }
    for (kind, numbers) in &mut sets {
        numbers.sort_unstable();
        let gap = (0..)
            .zip(numbers.iter())
            .find(|&(place, &set)| place != set);
        if let Some((place, set)) = gap {
            found.add(
                &fault::MESH_PRIMITIVE_INDEXED_SEMANTIC_CONTINUITY,
                pointer,
                format!("{kind}_{place}"),
                format!("{kind}_{set}"),
            );
        }
    }
    let count = |kind: &str| sets.get(kind).map_or(0, Vec::len);
    let (joints, weights) = (count("JOINTS"), count("WEIGHTS"));
    if joints != weights {
        found.add(
            &fault::MESH_PRIMITIVE_JOINTS_WEIGHTS_MISMATCH,
            pointer,
            "as many sets of joints as of weights",
            format!("{joints} of joints, {weights} of weights"),
        );
    }
}

fn format(doc: &Doc<'_>, name: &str, accessor: &Value, pointer: &str, found: &mut Findings) {
    let quantized = doc.uses("KHR_mesh_quantization");
    let (Some(allowed), Some(format)) = (allowed(name, quantized), Format::from_accessor(accessor))
    else {
        return;
    };
    let kind = text(accessor, "type").unwrap_or_default();
    let normalized = accessor.get("normalized") == Some(&Value::Bool(true));
    let component = (format.component, normalized && format.component != F32);
    if allowed.types.contains(&kind) && allowed.components.contains(&component) {
        return;
    }
    let told = |(component, normalized): (Component, bool)| {
        let normalized = if normalized { ", normalized" } else { "" };
        format!("{}{normalized}", component.name())
    };
    let components: Vec<String> = allowed.components.iter().map(|&one| told(one)).collect();
    found.add(
        &fault::MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT,
        pointer,
        format!(
            "{} of {}",
            allowed.types.join(" or "),
            components.join("; or ")
        ),
        format!("{kind} of {}", told(component)),
    );
}

fn aligned(doc: &Doc<'_>, accessor: &Value, pointer: &str, found: &mut Findings) {
    let (Some(view), Some(format)) = (
        whole(accessor, "bufferView"),
        Format::from_accessor(accessor),
    ) else {
        return;
    };
    let offset = whole(accessor, "byteOffset").unwrap_or(0);
    let declared = doc.one("bufferViews", view);
    let stride = declared.and_then(|view| whole(view, "byteStride"));
    let stride = stride.unwrap_or(format.size());
    if !offset.is_multiple_of(4) || !stride.is_multiple_of(4) {
        found.add(
            &fault::MESH_PRIMITIVE_ACCESSOR_UNALIGNED,
            pointer,
            "offset and stride in multiples of 4",
            format!("offset {offset}, stride {stride}"),
        );
    }
}

fn normals(doc: &Doc<'_>, index: usize, pointer: &str, found: &mut Findings) {
    let Some(elements) = Elements::with_data(doc, index).filter(|e| e.format.width == 3) else {
        return;
    };
    let mut not_unit = Tally::default();
    for vertex in 0..elements.count {
        let normal = elements.vector::<3>(vertex);
        let length = normal.iter().map(|x| x * x).sum::<f64>().sqrt();
        let off = (length - 1.0).abs();
        if off > UNIT_VECTOR {
            let place = || ModelPlace::default().vertex(vertex);
            let shown = || format!("length {length:.4} at vertex {vertex}, the worst");
            not_unit.see(off, place, shown);
        }
    }
    not_unit.report(
        &fault::ACCESSOR_VECTOR3_NON_UNIT,
        pointer,
        "length 1",
        found,
    );
}

/// Vertex attributes that share a view without a stride.
pub(super) fn shared_views(doc: &Doc<'_>, found: &mut Findings) {
    let mut users: BTreeMap<usize, (usize, String)> = BTreeMap::new();
    for (mesh, value) in doc.list("meshes").iter().enumerate() {
        for (part, primitive) in list(value, "primitives").iter().enumerate() {
            let attributes = primitive.get("attributes").and_then(Value::as_object);
            for (name, accessor) in attributes.into_iter().flatten() {
                let Some(index) = as_whole(accessor) else {
                    continue;
                };
                let view = doc
                    .one("accessors", index)
                    .and_then(|accessor| whole(accessor, "bufferView"));
                let Some(view) = view else {
                    continue;
                };
                let declared = doc.one("bufferViews", view);
                if declared.is_none_or(|view| view.get("byteStride").is_some()) {
                    continue;
                }
                let pointer = format!("/meshes/{mesh}/primitives/{part}/attributes/{name}");
                let (first, _) = users.entry(view).or_insert((index, pointer.clone()));
                if *first != index {
                    found.add(
                        &fault::MESH_PRIMITIVE_ACCESSOR_WITHOUT_BYTESTRIDE,
                        ModelPlace::at(format!("/bufferViews/{view}")),
                        "a byteStride, or a view for each attribute",
                        format!("accessors {first} and {index} in one view without"),
                    );
                }
            }
        }
    }
}
