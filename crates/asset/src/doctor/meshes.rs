//! Meshes: primitives, indices, morph targets.

use std::collections::BTreeSet;

use bindpose_diagnostic::ModelPlace;
use serde_json::{Map, Value};

use super::attributes::{self, SharedAttributes, Tally};
use super::catalog as fault;
use super::doc::{Doc, as_whole, list, text, whole};
use super::elements::{AccessorElements, Component, format_of, stored_elements, without_stride};
use super::findings::Findings;

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

// Joints and weights, vertex by vertex.

/// From here on, Σw is so far from 1 that a point one unit from the origin is
/// off by as much in the picture; below, it is rounding.
const VISIBLE: f64 = 1e-3;
/// What rounding to 32-bit floats does to a sum, for each weight that is not 0
/// (as the validator has it).
const ROUNDING: f64 = 2e-7;
/// Of weights in 8 bits.
const STEP: f64 = 1.0 / 255.0;
/// Influences a vertex that the GPU is given.
const SHOWN: usize = 8;
/// Sets of influences read here; more are reported without a look at them.
const MOST_SETS: usize = 16;

/// One primitive: all its sets together. `joints`: how many there are; `seen`:
/// the sets that were looked at.
pub(super) fn examine_influences(
    doc: &Doc<'_>,
    attributes: &Map<String, Value>,
    joints: Option<usize>,
    seen: &mut BTreeSet<(Vec<usize>, Option<usize>)>,
    pointer: &str,
    found: &mut Findings,
) {
    let named = |name: String| attributes.get(&name).and_then(as_whole);
    let accessors: Vec<usize> = (0..MOST_SETS)
        .map_while(|set| {
            let joints = named(format!("JOINTS_{set}"))?;
            let weights = named(format!("WEIGHTS_{set}"))?;
            Some([joints, weights])
        })
        .flatten()
        .collect();
    if accessors.is_empty() || !seen.insert((accessors.clone(), joints)) {
        return;
    }
    let sets: Vec<CheckedSet<'_>> = accessors
        .chunks_exact(2)
        .filter_map(|set| {
            let joints = stored_elements(doc, set[0])?;
            let weights = stored_elements(doc, set[1])?;
            let four = joints.format.kind.components == 4 && weights.format.kind.components == 4;
            four.then_some(CheckedSet { joints, weights })
        })
        .collect();
    let declared = attributes.keys().filter(|name| name.starts_with("JOINTS_"));
    let declared = declared.count();
    if declared > 4 {
        found
            .add(&fault::MANY_INFLUENCE_SETS, pointer)
            .expected("at most 4 sets of four", declared);
    }
    let vertices = sets.iter().map(|set| set.joints.count.min(set.weights.count)).min();
    let Some(vertices) = vertices else {
        return;
    };
    let mut tallies = Tallies::default();
    let mut lanes = Vec::new();
    for vertex in 0..vertices {
        lanes.clear();
        for set in &sets {
            lanes.extend((0..4).map(|lane| StoredLane {
                joint: set.joints.stored(vertex, lane) as usize,
                weight: set.weights.number(vertex, lane),
            }));
        }
        tallies.look(vertex, &lanes, joints, rounding(&sets));
    }
    tallies.report(joints, pointer, found);
}

struct CheckedSet<'a> {
    joints: AccessorElements<'a>,
    weights: AccessorElements<'a>,
}

/// One influence as stored.
#[derive(Clone, Copy)]
struct StoredLane {
    joint: usize,
    weight: f64,
}

/// What the stored type of the weights does to a sum, for each weight.
fn rounding(sets: &[CheckedSet<'_>]) -> f64 {
    let float = |set: &CheckedSet<'_>| set.weights.format.component == Component::F32;
    if sets.iter().any(float) {
        ROUNDING
    } else {
        // Whole steps must sum to exactly 255 or 65 535.
        1e-9
    }
}

#[derive(Default)]
struct Tallies {
    outside: Tally,
    outside_unused: Tally,
    negative: Tally,
    sum: Tally,
    sum_rounded: Tally,
    zero: Tally,
    unused: Tally,
    twice: Tally,
    beyond_shown: Tally,
    beyond_first: Tally,
    first_sets: FirstSets,
}

/// What programs see that read one or two sets of several.
#[derive(Default)]
struct FirstSets {
    /// Vertices with no weight in the first set, and in the first two.
    without: [usize; 2],
    /// Vertices whose largest weight stands in a later set.
    unsorted: usize,
}

impl FirstSets {
    fn look(&mut self, lanes: &[StoredLane]) {
        let weights = |lanes: &[StoredLane]| -> f64 { lanes.iter().map(|lane| lane.weight).sum() };
        for (sets, without) in (1..).zip(&mut self.without) {
            let first = &lanes[..lanes.len().min(4 * sets)];
            *without += usize::from(weights(first).abs() < 1e-6);
        }
        let largest =
            |lanes: &[StoredLane]| lanes.iter().map(|lane| lane.weight).fold(0.0, f64::max);
        self.unsorted += usize::from(largest(&lanes[4..]) > largest(&lanes[..4]));
    }

    /// In addition to what is said of the worst vertex.
    fn told(&self) -> String {
        let [one, two] = self.without;
        let two = if two > 0 { format!(", of the first two at {two}") } else { String::new() };
        match (one, self.unsorted) {
            (0, 0) => String::new(),
            (0, unsorted) => {
                format!("; the largest weight of {unsorted} vertices stands in a later set")
            }
            _ => format!(
                "; Σw of the first set is 0 at {one} vertices, which collapse into the origin \
                 there{two}"
            ),
        }
    }
}

impl Tallies {
    fn look(&mut self, vertex: usize, lanes: &[StoredLane], joints: Option<usize>, rounding: f64) {
        let mut sum = 0.0;
        let mut used = 0_usize;
        let mut later = 0_usize;
        for (place, lane) in lanes.iter().enumerate() {
            let &StoredLane { joint, weight } = lane;
            let at = |kind: &str| format!("/{kind}_{}", place / 4);
            let here = |kind: &str| ModelPlace::at(at(kind)).vertex(vertex).joint(joint);
            sum += weight;
            used += usize::from(weight != 0.0);
            later += usize::from(weight != 0.0 && place >= 4);
            if joints.is_some_and(|count| joint >= count) {
                let tally =
                    if weight == 0.0 { &mut self.outside_unused } else { &mut self.outside };
                tally.see(
                    joint as f64,
                    || here("JOINTS"),
                    || format!("joint {joint} with weight {weight:.3} at vertex {vertex}"),
                );
            } else if weight == 0.0 && joint != 0 {
                self.unused.see(
                    0.0,
                    || here("JOINTS"),
                    || format!("joint {joint} with weight 0 at vertex {vertex}"),
                );
            }
            if weight < 0.0 {
                self.negative.see(
                    -weight,
                    || here("WEIGHTS"),
                    || format!("{weight:.4} for joint {joint} at vertex {vertex}, the worst"),
                );
            }
            let again = |other: &StoredLane| other.joint == joint && other.weight != 0.0;
            if weight != 0.0 && lanes[..place].iter().any(again) {
                self.twice.see(
                    0.0,
                    || here("JOINTS"),
                    || format!("joint {joint} twice at vertex {vertex}"),
                );
            }
        }
        self.look_at_sum(vertex, sum, used, rounding);
        if later > 0 {
            self.first_sets.look(lanes);
        }
        let first: f64 = lanes.iter().take(4).map(|lane| lane.weight).sum();
        self.look_at_count(vertex, used, later, first);
    }

    fn look_at_sum(&mut self, vertex: usize, sum: f64, used: usize, rounding: f64) {
        let place = || ModelPlace::at("/WEIGHTS_0").vertex(vertex);
        let off = (sum - 1.0).abs();
        if used == 0 {
            self.zero.see(0.0, place, || format!("Σw = 0 at vertex {vertex}"));
        } else if off > VISIBLE {
            let why = if rounding < ROUNDING && off < used as f64 * STEP {
                "; each weight was rounded to 8 bits by itself"
            } else {
                ""
            };
            let shown = || format!("Σw = {sum:.3} at vertex {vertex}, the worst{why}");
            self.sum.see(off, place, shown);
        } else if off > rounding * used as f64 {
            self.sum_rounded
                .see(off, place, || format!("Σw off by {off:.1e} at vertex {vertex}, the worst"));
        }
    }

    /// `later`: how many of the influences stand beyond the first set; `first`: Σw of that.
    fn look_at_count(&mut self, vertex: usize, used: usize, later: usize, first: f64) {
        let place = || ModelPlace::at("/WEIGHTS_0").vertex(vertex);
        if used > SHOWN {
            let shown = || format!("{used} influences at vertex {vertex}, the most");
            self.beyond_shown.see(used as f64, place, shown);
        } else if later > 0 {
            let shown =
                || format!("Σw of the first set is {first:.3} at vertex {vertex}, the least");
            self.beyond_first.see(-first, place, shown);
        }
    }

    fn report(mut self, joints: Option<usize>, at: &str, found: &mut Findings) {
        let range = match joints {
            Some(count) => format!("joints 0 to {}", count.saturating_sub(1)),
            None => String::new(),
        };
        let (outside, sum) =
            (fault::ACCESSOR_JOINTS_INDEX_OOB, fault::ACCESSOR_WEIGHTS_NON_NORMALIZED);
        self.beyond_first.add_words(&self.first_sets.told());
        let mut beyond_first = fault::INFLUENCES_BEYOND_FIRST_SET;
        if self.first_sets.without[0] > 0 {
            beyond_first = beyond_first.as_warning();
        }
        let joint_0 = "joint 0 where the weight is 0";
        let first_set = "all influences in JOINTS_0 and WEIGHTS_0";
        for (tally, fault, expected) in [
            (self.zero, fault::WEIGHTS_ZERO, "Σw = 1"),
            (self.outside, outside, &*range),
            (self.outside_unused, fault::JOINTS_INDEX_OOB_WITHOUT_WEIGHT, &*range),
            (self.sum, sum, "Σw = 1"),
            (self.sum_rounded, sum.as_note(), "Σw = 1"),
            (self.negative, fault::ACCESSOR_WEIGHTS_NEGATIVE, "0 or more"),
            (self.twice, fault::ACCESSOR_JOINTS_INDEX_DUPLICATE, "each joint once a vertex"),
            (self.unused, fault::ACCESSOR_JOINTS_USED_ZERO_WEIGHT, joint_0),
            (self.beyond_shown, fault::INFLUENCES_BEYOND_SHOWN, "at most 8 a vertex"),
            (self.beyond_first, beyond_first, first_set),
        ] {
            tally.report(&fault, at, expected, found);
        }
    }
}
