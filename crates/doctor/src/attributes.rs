//! The attributes of a primitive and its morph targets: names, formats, counts, numbers.

use std::collections::{BTreeMap, BTreeSet};

use Component::{F32, I8, I16, U8, U16};
use bindpose_diagnostic::ModelPlace;
use bindpose_gltf::Component;
use bindpose_gltf::decoding::json::escaped;
use bindpose_gltf::decoding::values::{as_usize, get_str, get_usize, quoted};
use serde_json::{Map, Value};

use super::catalog as fault;
use super::catalog::DoctorFault;
use super::document::RawDocument;
use super::elements::{element_format, has_no_data, is_normalized, read_elements, require_bounds};
use super::findings::Findings;

/// Maximum difference of a vector's length from 1, as in the validator.
const UNIT_VECTOR_TOLERANCE: f64 = 0.00674;

/// The formats that an attribute may have.
struct AllowedFormats {
    types: &'static [&'static str],
    /// Components, each with whether it is normalized.
    components: &'static [(Component, bool)],
}

const FLOAT: &[(Component, bool)] = &[(F32, false)];
const FRACTION: &[(Component, bool)] = &[(F32, false), (U8, true), (U16, true)];
const SIGNED_FRACTION: &[(Component, bool)] = &[(F32, false), (I8, true), (I16, true)];
const ANY_FRACTION: &[(Component, bool)] =
    &[(F32, false), (I8, true), (I16, true), (U8, true), (U16, true)];
const QUANTIZED_DIFFERENCE: &[(Component, bool)] =
    &[(F32, false), (I8, true), (I8, false), (I16, true), (I16, false)];
const INTEGER: &[(Component, bool)] = &[(U8, false), (U16, false)];
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

/// Returns the formats that an attribute may have: its own, or with `is_morph` those of the
/// differences in a morph target. `None` for names that glTF does not define.
/// `is_quantized`: the file declares `KHR_mesh_quantization`.
fn allowed_formats(name: &str, is_quantized: bool, is_morph: bool) -> Option<AllowedFormats> {
    let (types, components): (&'static [&'static str], _) = match parse_semantic(name)?.kind {
        "POSITION" if is_quantized && is_morph => (&["VEC3"], QUANTIZED_DIFFERENCE),
        "POSITION" if is_quantized => (&["VEC3"], QUANTIZED),
        "NORMAL" if is_quantized => (&["VEC3"], SIGNED_FRACTION),
        "TANGENT" if is_quantized && is_morph => (&["VEC3"], SIGNED_FRACTION),
        "TANGENT" if is_quantized => (&["VEC4"], SIGNED_FRACTION),
        "TEXCOORD" if is_quantized => (&["VEC2"], QUANTIZED),
        "POSITION" | "NORMAL" => (&["VEC3"], FLOAT),
        "TANGENT" if is_morph => (&["VEC3"], FLOAT),
        "TANGENT" => (&["VEC4"], FLOAT),
        "TEXCOORD" if is_morph => (&["VEC2"], ANY_FRACTION),
        "TEXCOORD" => (&["VEC2"], FRACTION),
        "COLOR" if is_morph => (&["VEC3", "VEC4"], ANY_FRACTION),
        "COLOR" => (&["VEC3", "VEC4"], FRACTION),
        "JOINTS" if !is_morph => (&["VEC4"], INTEGER),
        "WEIGHTS" if !is_morph => (&["VEC4"], FRACTION),
        _ => return None,
    };
    Some(AllowedFormats { types, components })
}

/// The parts of an attribute's name: kind `JOINTS` and set 0 of `JOINTS_0`.
struct Semantic<'a> {
    kind: &'a str,
    /// `None` for kinds without a set.
    set: Option<usize>,
}

/// Parses the name of an attribute. Returns `None` for names that glTF does not define.
fn parse_semantic(name: &str) -> Option<Semantic<'_>> {
    if matches!(name, "POSITION" | "NORMAL" | "TANGENT") {
        return Some(Semantic { kind: name, set: None });
    }
    let (kind, set) = name.split_once('_')?;
    let is_known = matches!(kind, "TEXCOORD" | "COLOR" | "JOINTS" | "WEIGHTS");
    let is_plain = set == "0" || !set.starts_with('0');
    let is_number = !set.is_empty() && set.bytes().all(|byte| byte.is_ascii_digit());
    if !is_known || !is_plain || !is_number {
        return None;
    }
    Some(Semantic { kind, set: Some(set.parse().ok()?) })
}

/// State that all primitives of a file share.
#[derive(Debug)]
pub(super) struct SharedAttributes {
    is_quantized: bool,
    /// Accessors whose numbers were examined, and as what.
    examined: BTreeSet<(usize, NumberKind)>,
}

impl SharedAttributes {
    pub(super) fn new(doc: &RawDocument<'_>) -> Self {
        Self {
            is_quantized: doc.strings("extensionsUsed").contains("KHR_mesh_quantization"),
            examined: BTreeSet::new(),
        }
    }
}

/// Examines the names, formats, counts and numbers of a primitive's attributes.
pub(super) fn examine(
    doc: &RawDocument<'_>,
    attributes: &Map<String, Value>,
    pointer: &str,
    shared: &mut SharedAttributes,
    findings: &mut Findings,
) {
    examine_names(attributes, pointer, findings);
    if attributes.contains_key("TANGENT") && !attributes.contains_key("NORMAL") {
        findings
            .add(&fault::MESH_PRIMITIVE_TANGENT_WITHOUT_NORMAL, format_args!("{pointer}/TANGENT"))
            .expected("NORMAL beside it", "none");
    }
    let mut first_count = None;
    for (name, value) in attributes {
        let Some(index) = as_usize(value) else {
            continue;
        };
        let Some(accessor) = doc.get("accessors", index).filter(|one| one.is_object()) else {
            continue;
        };
        let pointer = format!("{pointer}/{}", escaped(name));
        let allowed = allowed_formats(name, shared.is_quantized, false);
        let is_sound = examine_storage(doc, name, accessor, allowed, &pointer, findings);
        let Some(count) = get_usize(accessor, "count") else {
            continue;
        };
        let (first_name, expected) = *first_count.get_or_insert((name.as_str(), count));
        if count != expected {
            findings
                .add(&fault::MESH_PRIMITIVE_UNEQUAL_ACCESSOR_COUNT, pointer.as_str())
                .expected(format_args!("{expected}, as {first_name} has"), count);
        }
        if has_no_data(accessor) && matches!(name.as_str(), "POSITION" | "JOINTS_0" | "WEIGHTS_0") {
            findings.add(&fault::ACCESSOR_WITHOUT_DATA, pointer.as_str()).expected(
                "a bufferView",
                format_args!("none, so that zeros are read (count {count})"),
            );
        }
        let kind = match name.as_str() {
            "NORMAL" => NumberKind::Normals,
            "TANGENT" => NumberKind::Tangents,
            "COLOR_0" => NumberKind::Colors,
            _ => continue,
        };
        if is_sound && shared.examined.insert((index, kind)) {
            examine_numbers(doc, index, kind, &pointer, findings);
        }
    }
}

/// Examines the attributes of a morph target. `base` has those of the primitive.
pub(super) fn examine_target(
    doc: &RawDocument<'_>,
    attributes: &Map<String, Value>,
    base: Option<&Value>,
    shared: &SharedAttributes,
    pointer: &str,
    findings: &mut Findings,
) {
    for (name, index) in attributes {
        let pointer = format!("{pointer}/{}", escaped(name));
        let can_morph = parse_semantic(name)
            .is_some_and(|semantic| !matches!(semantic.kind, "JOINTS" | "WEIGHTS"));
        if !name.starts_with('_') && !can_morph {
            findings
                .add(&fault::MESH_PRIMITIVE_INVALID_ATTRIBUTE, pointer.as_str())
                .expected("POSITION, NORMAL, TANGENT, TEXCOORD_n, COLOR_n, or _NAME", quoted(name));
        }
        let accessor = find_accessor(doc, index);
        if let Some(accessor) = accessor {
            let allowed = allowed_formats(name, shared.is_quantized, true);
            examine_storage(doc, name, accessor, allowed, &pointer, findings);
        }
        let Some(base_index) = base.and_then(|base| base.get(name)) else {
            findings
                .add(&fault::MESH_PRIMITIVE_MORPH_TARGET_NO_BASE_ACCESSOR, pointer)
                .expected(format_args!("{} among the attributes", quoted(name)), "none");
            continue;
        };
        let expected =
            find_accessor(doc, base_index).and_then(|accessor| get_usize(accessor, "count"));
        let count = accessor.and_then(|accessor| get_usize(accessor, "count"));
        if let Some(expected) = expected
            && let Some(count) = count
            && count != expected
        {
            findings
                .add(&fault::MESH_PRIMITIVE_MORPH_TARGET_INVALID_ATTRIBUTE_COUNT, pointer)
                .expected(format_args!("{expected}, as the mesh has"), count);
        }
    }
}

fn find_accessor<'a>(doc: &'a RawDocument<'_>, index: &Value) -> Option<&'a Value> {
    doc.get("accessors", as_usize(index)?).filter(|accessor| accessor.is_object())
}

/// Examines alignment, bounds and format of an attribute. Returns whether the format is
/// allowed.
fn examine_storage(
    doc: &RawDocument<'_>,
    name: &str,
    accessor: &Value,
    allowed: Option<AllowedFormats>,
    pointer: &str,
    findings: &mut Findings,
) -> bool {
    examine_alignment(doc, accessor, pointer, findings);
    if name == "POSITION" {
        let fault = &fault::MESH_PRIMITIVE_POSITION_ACCESSOR_WITHOUT_BOUNDS;
        require_bounds(accessor, fault, pointer, findings);
    }
    examine_format(accessor, allowed, pointer, findings)
}

fn examine_names(attributes: &Map<String, Value>, pointer: &str, findings: &mut Findings) {
    let mut sets_by_kind: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for name in attributes.keys() {
        match parse_semantic(name) {
            Some(Semantic { kind, set: Some(set) }) => {
                sets_by_kind.entry(kind).or_default().push(set);
            }
            Some(_) => {}
            None if name.starts_with('_') => {}
            None => findings
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
    for (kind, sets) in &mut sets_by_kind {
        sets.sort_unstable();
        let gap = (0..).zip(sets.iter()).find(|&(expected, &set)| expected != set);
        if let Some((expected, set)) = gap {
            findings
                .add(&fault::MESH_PRIMITIVE_INDEXED_SEMANTIC_CONTINUITY, pointer)
                .expected(format_args!("{kind}_{expected}"), format_args!("{kind}_{set}"));
        }
    }
    let joints = sets_by_kind.get("JOINTS").map_or(0, Vec::len);
    let weights = sets_by_kind.get("WEIGHTS").map_or(0, Vec::len);
    if joints != weights {
        findings.add(&fault::MESH_PRIMITIVE_JOINTS_WEIGHTS_MISMATCH, pointer).expected(
            "as many sets of joints as of weights",
            format_args!("{joints} of joints, {weights} of weights"),
        );
    }
}

fn examine_format(
    accessor: &Value,
    allowed: Option<AllowedFormats>,
    pointer: &str,
    findings: &mut Findings,
) -> bool {
    let format = element_format(accessor);
    let Some(allowed) = allowed else {
        if format.is_some_and(|format| format.component == Component::U32) {
            findings
                .add(&fault::MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_UNSIGNED_INT, pointer)
                .expected("floats, or 8- or 16-bit integers", Component::U32.name());
        }
        return format.is_some();
    };
    let type_name = get_str(accessor, "type").unwrap_or_default();
    let component =
        format.map(|format| (format.component, is_normalized(accessor) && format.component != F32));
    if allowed.types.contains(&type_name)
        && component.is_some_and(|component| allowed.components.contains(&component))
    {
        return true;
    }
    let components: Vec<String> = allowed
        .components
        .iter()
        .map(|&(component, is_normalized)| describe_component(component, is_normalized))
        .collect();
    findings.add(&fault::MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT, pointer).expected(
        format_args!("{} of {}", allowed.types.join(" or "), components.join("; or ")),
        match component {
            Some((component, is_normalized)) => {
                format!("{type_name} of {}", describe_component(component, is_normalized))
            }
            None => "a type that glTF does not know".to_owned(),
        },
    );
    false
}

fn describe_component(component: Component, is_normalized: bool) -> String {
    let suffix = if is_normalized { ", normalized" } else { "" };
    format!("{}{suffix}", component.name())
}

fn examine_alignment(
    doc: &RawDocument<'_>,
    accessor: &Value,
    pointer: &str,
    findings: &mut Findings,
) {
    let Some(view) = get_usize(accessor, "bufferView") else {
        return;
    };
    let Some(format) = element_format(accessor) else {
        return;
    };
    let offset = get_usize(accessor, "byteOffset").unwrap_or(0);
    let stride = doc
        .get("bufferViews", view)
        .and_then(|view| get_usize(view, "byteStride"))
        .unwrap_or(format.size());
    if !offset.is_multiple_of(4) || !stride.is_multiple_of(4) {
        findings.add(&fault::MESH_PRIMITIVE_ACCESSOR_UNALIGNED, pointer).expected(
            "offset and stride in multiples of 4",
            format_args!("offset {offset}, stride {stride}"),
        );
    }
}

/// Attributes whose numbers have rules of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum NumberKind {
    Normals,
    Tangents,
    Colors,
}

/// Examines the lengths of normals and tangents, the signs of tangents, and the range of
/// colours.
fn examine_numbers(
    doc: &RawDocument<'_>,
    index: usize,
    kind: NumberKind,
    pointer: &str,
    findings: &mut Findings,
) {
    let Some(elements) = read_elements(doc, index) else {
        return;
    };
    let mut wrong_length = Tally::default();
    let mut wrong_sign = Tally::default();
    let mut out_of_range = Tally::default();
    for vertex in 0..elements.count {
        let place = || ModelPlace::default().vertex(vertex);
        if kind == NumberKind::Colors {
            for lane in 0..elements.format.kind.components {
                let number = elements.number(vertex, lane);
                if !(0.0..=1.0).contains(&number) {
                    out_of_range.record((number - 0.5).abs(), place, || {
                        format!("{number} at vertex {vertex}, the worst")
                    });
                }
            }
            continue;
        }
        let [x, y, z] = elements.vector(vertex);
        let length = (x * x + y * y + z * z).sqrt();
        let error = (length - 1.0).abs();
        if error > UNIT_VECTOR_TOLERANCE {
            wrong_length.record(error, place, || {
                format!("length {length:.4} at vertex {vertex}, the worst")
            });
        }
        if kind == NumberKind::Tangents {
            let sign = elements.number(vertex, 3);
            if sign.abs() != 1.0 {
                wrong_sign.record(0.0, place, || format!("{sign} at vertex {vertex}"));
            }
        }
    }
    wrong_length.report(&fault::ACCESSOR_VECTOR3_NON_UNIT, pointer, "length 1", findings);
    wrong_sign.report(&fault::ACCESSOR_INVALID_SIGN, pointer, "1 or −1", findings);
    out_of_range.report(&fault::ACCESSOR_NON_CLAMPED, pointer, "0 to 1", findings);
}

/// Counts a fault over many vertices and keeps the worst of them.
#[derive(Default)]
pub(super) struct Tally {
    count: usize,
    worst: Option<WorstCase>,
}

struct WorstCase {
    badness: f64,
    place: ModelPlace,
    shown: String,
}

impl Tally {
    /// Counts a fault. Formats its place and value if it is worse than all before.
    pub(super) fn record(
        &mut self,
        badness: f64,
        place: impl FnOnce() -> ModelPlace,
        shown: impl FnOnce() -> String,
    ) {
        self.count += 1;
        if self.worst.as_ref().is_none_or(|worst| badness > worst.badness) {
            self.worst = Some(WorstCase { badness, place: place(), shown: shown() });
        }
    }

    /// Appends to the value of the worst fault.
    pub(super) fn append(&mut self, text: &str) {
        if let Some(worst) = &mut self.worst {
            worst.shown += text;
        }
    }

    /// Adds a finding below `pointer` if the fault occurred.
    pub(super) fn report(
        self,
        fault: &DoctorFault,
        pointer: &str,
        expected: &str,
        findings: &mut Findings,
    ) {
        if let Some(WorstCase { place, shown, .. }) = self.worst {
            findings.add_many(fault, self.count, place.under(pointer)).expected(expected, shown);
        }
    }
}
