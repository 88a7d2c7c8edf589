//! The attributes of a primitive: names, formats, counts.

use std::collections::{BTreeMap, BTreeSet};

use Component::{F32, I8, I16, U8, U16};
use bindpose_diagnostic::ModelPlace;
use serde_json::{Map, Value};

use super::catalog as fault;
use super::catalog::DoctorFault;
use super::doc::{Doc, as_whole, text, whole};
use super::elements::{Component, format_of, has_no_data, stored_elements, with_bounds};
use super::findings::{Findings, quoted};
use super::json::escaped;

/// How far a normal's length may be from 1 (as the validator has it).
const UNIT_VECTOR: f64 = 0.00674;

/// Formats that an attribute may have: `(types, floats, normalized integers,
/// plain integers)`.
struct Allowed {
    types: &'static [&'static str],
    components: &'static [(Component, bool)],
}

const FLOAT: &[(Component, bool)] = &[(F32, false)];
const FRACTION: &[(Component, bool)] = &[(F32, false), (U8, true), (U16, true)];
const SIGNED_FRACTION: &[(Component, bool)] = &[(F32, false), (I8, true), (I16, true)];
const ANY_FRACTION: &[(Component, bool)] =
    &[(F32, false), (I8, true), (I16, true), (U8, true), (U16, true)];
const QUANTIZED_DIFFERENCE: &[(Component, bool)] =
    &[(F32, false), (I8, true), (I8, false), (I16, true), (I16, false)];
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

/// What an attribute may be; in a morph target, what is added to it.
fn allowed(name: &str, quantized: bool, morph: bool) -> Option<Allowed> {
    let (types, components): (&'static [&'static str], _) = match semantic(name)?.0 {
        "POSITION" if quantized && morph => (&["VEC3"], QUANTIZED_DIFFERENCE),
        "POSITION" if quantized => (&["VEC3"], QUANTIZED),
        "NORMAL" if quantized => (&["VEC3"], SIGNED_FRACTION),
        "TANGENT" if quantized && morph => (&["VEC3"], SIGNED_FRACTION),
        "TANGENT" if quantized => (&["VEC4"], SIGNED_FRACTION),
        "TEXCOORD" if quantized => (&["VEC2"], QUANTIZED),
        "POSITION" | "NORMAL" => (&["VEC3"], FLOAT),
        "TANGENT" if morph => (&["VEC3"], FLOAT),
        "TANGENT" => (&["VEC4"], FLOAT),
        "TEXCOORD" if morph => (&["VEC2"], ANY_FRACTION),
        "TEXCOORD" => (&["VEC2"], FRACTION),
        "COLOR" if morph => (&["VEC3", "VEC4"], ANY_FRACTION),
        "COLOR" => (&["VEC3", "VEC4"], FRACTION),
        "JOINTS" if !morph => (&["VEC4"], WHOLE),
        "WEIGHTS" if !morph => (&["VEC4"], FRACTION),
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
    let plain = set == "0" || !set.starts_with('0');
    let set = set.parse().ok().filter(|_| digits && known && plain)?;
    Some((kind, Some(set)))
}

/// What is the same for all primitives, and what has been looked at for one.
#[derive(Debug)]
pub(super) struct SharedAttributes {
    quantized: bool,
    /// Accessors, and what their numbers were taken for.
    seen: BTreeSet<(usize, &'static str)>,
}

impl SharedAttributes {
    pub(super) fn new(doc: &Doc<'_>) -> Self {
        Self {
            quantized: doc.texts("extensionsUsed").contains("KHR_mesh_quantization"),
            seen: BTreeSet::new(),
        }
    }
}

/// Names, formats, counts and numbers of a primitive's attributes.
pub(super) fn examine(
    doc: &Doc<'_>,
    attributes: &Map<String, Value>,
    pointer: &str,
    shared: &mut SharedAttributes,
    found: &mut Findings,
) {
    names(attributes, pointer, found);
    if attributes.contains_key("TANGENT") && !attributes.contains_key("NORMAL") {
        let fault = &fault::MESH_PRIMITIVE_TANGENT_WITHOUT_NORMAL;
        found.add(fault, format!("{pointer}/TANGENT")).expected("NORMAL beside it", "none");
    }
    let mut first_count = None;
    for (name, index) in attributes {
        let Some((index, accessor)) = accessor(doc, index) else {
            continue;
        };
        let pointer = format!("{pointer}/{}", escaped(name));
        let kinds = allowed(name, shared.quantized, false);
        let sound = stored(doc, (name, accessor), kinds, &pointer, found);
        let Some(count) = whole(accessor, "count") else {
            continue;
        };
        let (first, expected) = *first_count.get_or_insert((name.as_str(), count));
        if count != expected {
            found
                .add(&fault::MESH_PRIMITIVE_UNEQUAL_ACCESSOR_COUNT, pointer.as_str())
                .expected(format_args!("{expected}, as {first} has"), count);
        }
        if has_no_data(accessor) && matches!(name.as_str(), "POSITION" | "JOINTS_0" | "WEIGHTS_0") {
            found.add(&super::catalog::ACCESSOR_WITHOUT_DATA, pointer.as_str()).expected(
                "a bufferView",
                format_args!("none, so that zeros are read (count {count})"),
            );
        }
        let look = match name.as_str() {
            "NORMAL" => "normals",
            "TANGENT" => "tangents",
            "COLOR_0" => "colours",
            _ => continue,
        };
        if sound && shared.seen.insert((index, look)) {
            numbers(doc, index, look, &pointer, found);
        }
    }
}

/// A morph target: what its attributes are, against those of the primitive.
pub(super) fn examine_target(
    doc: &Doc<'_>,
    attributes: &Map<String, Value>,
    base: Option<&Value>,
    shared: &SharedAttributes,
    pointer: &str,
    found: &mut Findings,
) {
    for (name, index) in attributes {
        let at = || format!("{pointer}/{}", escaped(name));
        let morphs = |(kind, _)| !matches!(kind, "JOINTS" | "WEIGHTS");
        if !name.starts_with('_') && !semantic(name).is_some_and(morphs) {
            found
                .add(&fault::MESH_PRIMITIVE_INVALID_ATTRIBUTE, at())
                .expected("POSITION, NORMAL, TANGENT, TEXCOORD_n, COLOR_n, or _NAME", quoted(name));
        }
        let accessor = accessor(doc, index).map(|(_, accessor)| accessor);
        if let Some(accessor) = accessor {
            let kinds = allowed(name, shared.quantized, true);
            stored(doc, (name, accessor), kinds, &at(), found);
        }
        let Some(of_base) = base.and_then(|base| base.get(name)) else {
            found
                .add(&fault::MESH_PRIMITIVE_MORPH_TARGET_NO_BASE_ACCESSOR, at())
                .expected(format_args!("{} among the attributes", quoted(name)), "none");
            continue;
        };
        let count = |accessor: Option<&Value>| whole(accessor?, "count");
        let expected = count(self::accessor(doc, of_base).map(|(_, accessor)| accessor));
        if let (Some(expected), Some(count)) = (expected, count(accessor))
            && count != expected
        {
            found
                .add(&fault::MESH_PRIMITIVE_MORPH_TARGET_INVALID_ATTRIBUTE_COUNT, at())
                .expected(format_args!("{expected}, as the mesh has"), count);
        }
    }
}

fn accessor<'a>(doc: &'a Doc<'_>, index: &Value) -> Option<(usize, &'a Value)> {
    let index = as_whole(index)?;
    let accessor = doc.one("accessors", index);
    Some((index, accessor.filter(|accessor| accessor.is_object())?))
}

/// How an attribute's numbers are stored. Answers whether they are what they may
/// be.
fn stored(
    doc: &Doc<'_>,
    (name, accessor): (&str, &Value),
    allowed: Option<Allowed>,
    pointer: &str,
    found: &mut Findings,
) -> bool {
    aligned(doc, accessor, pointer, found);
    if name == "POSITION" {
        let fault = &fault::MESH_PRIMITIVE_POSITION_ACCESSOR_WITHOUT_BOUNDS;
        with_bounds(accessor, fault, pointer, found);
    }
    format(accessor, allowed, pointer, found)
}

fn names(attributes: &Map<String, Value>, pointer: &str, found: &mut Findings) {
    let mut sets: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for name in attributes.keys() {
        match semantic(name) {
            Some((kind, Some(set))) => sets.entry(kind).or_default().push(set),
            Some(_) => {}
            None if name.starts_with('_') => {}
            None => found
                .add(
                    &fault::MESH_PRIMITIVE_INVALID_ATTRIBUTE,
                    format_args!("{pointer}/{}", escaped(name)),
                )
                .expected(
                    "POSITION, NORMAL, TANGENT, TEXCOORD_n, COLOR_n, JOINTS_n, WEIGHTS_n, or _NAME",
                    quoted(name),
                ),
        }
    }
    for (kind, numbers) in &mut sets {
        numbers.sort_unstable();
        let gap = (0..).zip(numbers.iter()).find(|&(place, &set)| place != set);
        if let Some((place, set)) = gap {
            found
                .add(&fault::MESH_PRIMITIVE_INDEXED_SEMANTIC_CONTINUITY, pointer)
                .expected(format_args!("{kind}_{place}"), format_args!("{kind}_{set}"));
        }
    }
    let count = |kind: &str| sets.get(kind).map_or(0, Vec::len);
    let (joints, weights) = (count("JOINTS"), count("WEIGHTS"));
    if joints != weights {
        found.add(&fault::MESH_PRIMITIVE_JOINTS_WEIGHTS_MISMATCH, pointer).expected(
            "as many sets of joints as of weights",
            format_args!("{joints} of joints, {weights} of weights"),
        );
    }
}

fn format(accessor: &Value, allowed: Option<Allowed>, pointer: &str, found: &mut Findings) -> bool {
    let format = format_of(accessor);
    let Some(allowed) = allowed else {
        if format.is_some_and(|format| format.component == Component::U32) {
            let fault = &fault::MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_UNSIGNED_INT;
            let expected = "floats, or 8- or 16-bit integers";
            found.add(fault, pointer).expected(expected, Component::U32.name());
        }
        return format.is_some();
    };
    let kind = text(accessor, "type").unwrap_or_default();
    let normalized = accessor.get("normalized") == Some(&Value::Bool(true));
    let component = format.map(|format| {
        let component = format.component;
        (component, normalized && component != F32)
    });
    if allowed.types.contains(&kind)
        && component.is_some_and(|component| allowed.components.contains(&component))
    {
        return true;
    }
    let told = |(component, normalized): (Component, bool)| {
        let normalized = if normalized { ", normalized" } else { "" };
        format!("{}{normalized}", component.name())
    };
    let components: Vec<String> = allowed.components.iter().map(|&one| told(one)).collect();
    found.add(&fault::MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT, pointer).expected(
        format_args!("{} of {}", allowed.types.join(" or "), components.join("; or ")),
        match component {
            Some(component) => format!("{kind} of {}", told(component)),
            None => "a type that glTF does not know".to_owned(),
        },
    );
    false
}

fn aligned(doc: &Doc<'_>, accessor: &Value, pointer: &str, found: &mut Findings) {
    let (Some(view), Some(format)) = (whole(accessor, "bufferView"), format_of(accessor)) else {
        return;
    };
    let offset = whole(accessor, "byteOffset").unwrap_or(0);
    let declared = doc.one("bufferViews", view);
    let stride = declared.and_then(|view| whole(view, "byteStride"));
    let stride = stride.unwrap_or(format.size());
    if !offset.is_multiple_of(4) || !stride.is_multiple_of(4) {
        found.add(&fault::MESH_PRIMITIVE_ACCESSOR_UNALIGNED, pointer).expected(
            "offset and stride in multiples of 4",
            format_args!("offset {offset}, stride {stride}"),
        );
    }
}

/// What stands in normals, tangents and colours.
fn numbers(doc: &Doc<'_>, index: usize, look: &str, pointer: &str, found: &mut Findings) {
    let Some(elements) = stored_elements(doc, index) else {
        return;
    };
    let (mut not_unit, mut sign, mut wild) = (Tally::default(), Tally::default(), Tally::default());
    for vertex in 0..elements.count {
        let place = || ModelPlace::default().vertex(vertex);
        if look == "colours" {
            let lanes =
                (0..elements.format.kind.components).map(|lane| elements.number(vertex, lane));
            for share in lanes.filter(|share| !(0.0..=1.0).contains(share)) {
                let off = (share - 0.5).abs();
                wild.see(off, place, || format!("{share} at vertex {vertex}, the worst"));
            }
            continue;
        }
        let [x, y, z] = elements.vector(vertex);
        let length = (x * x + y * y + z * z).sqrt();
        let off = (length - 1.0).abs();
        if off > UNIT_VECTOR {
            let shown = || format!("length {length:.4} at vertex {vertex}, the worst");
            not_unit.see(off, place, shown);
        }
        if look == "tangents" {
            let side = elements.number(vertex, 3);
            if side.abs() != 1.0 {
                sign.see(0.0, place, || format!("{side} at vertex {vertex}"));
            }
        }
    }
    for (tally, fault, expected) in [
        (not_unit, fault::ACCESSOR_VECTOR3_NON_UNIT, "length 1"),
        (sign, fault::ACCESSOR_INVALID_SIGN, "1 or −1"),
        (wild, fault::ACCESSOR_NON_CLAMPED, "0 to 1"),
    ] {
        tally.report(&fault, pointer, expected, found);
    }
}

// One fault at many places, of which the worst is told.

/// How often a fault was seen, and the worst of it.
#[derive(Default)]
pub(super) struct Tally {
    count: usize,
    worst: Option<(f64, ModelPlace, String)>,
}

impl Tally {
    pub(super) fn see(
        &mut self,
        badness: f64,
        place: impl FnOnce() -> ModelPlace,
        shown: impl FnOnce() -> String,
    ) {
        self.count += 1;
        if self.worst.as_ref().is_none_or(|(most, ..)| badness > *most) {
            self.worst = Some((badness, place(), shown()));
        }
    }

    /// Says more of the worst.
    pub(super) fn add_words(&mut self, words: &str) {
        if let Some((_, _, shown)) = &mut self.worst {
            *shown += words;
        }
    }

    /// Says so below `pointer`, if it was seen.
    pub(super) fn report(
        self,
        fault: &DoctorFault,
        pointer: &str,
        expected: &str,
        found: &mut Findings,
    ) {
        if let Some((_, place, shown)) = self.worst {
            found.add_many(fault, self.count, place.under(pointer)).expected(expected, shown);
        }
    }
}
