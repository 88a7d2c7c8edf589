//! Samplers: times and values.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::catalog::{self as fault, DoctorFault, UNRESOLVED_REFERENCE};
use super::doc::{Doc, list, named, text, whole};
use super::elements::{Component, format_of, stored_elements, with_bounds, without_stride};
use super::findings::Findings;
use super::nodes::{morph_targets, rotation_fault};

const NON_UNIT: DoctorFault = fault::ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION;

/// A sampler and what it is used for.
pub(super) struct Sampler<'a> {
    pub(super) value: &'a Value,
    pub(super) used: &'a [SamplerUse],
    pub(super) at: String,
}

/// What a channel makes of a sampler.
pub(super) struct SamplerUse {
    pub(super) path: String,
    /// Morph targets of the node, for morph weights.
    pub(super) targets: usize,
    /// Pointer of the channel.
    pub(super) at: String,
}

/// One sampler. `seen` holds the accessors whose numbers were looked at.
pub(super) fn examine(
    doc: &Doc<'_>,
    sampler: &Sampler<'_>,
    seen: &mut BTreeSet<(usize, &'static str)>,
    found: &mut Findings,
) {
    let input = accessor(doc, sampler, "input");
    let output = accessor(doc, sampler, "output");
    for (name, side) in [("input", input), ("output", output)] {
        if let Some((_, accessor)) = side {
            let fault = &fault::ANIMATION_SAMPLER_ACCESSOR_WITH_BYTESTRIDE;
            without_stride(doc, accessor, fault, &format!("{}/{name}", sampler.at), found);
        }
    }
    let spline = text(sampler.value, "interpolation") == Some("CUBICSPLINE");
    let Some((input_index, input)) = input else {
        return;
    };
    let keys = whole(input, "count").unwrap_or(0);
    let pointer = format!("{}/input", sampler.at);
    if times_format(input, &pointer, found) && seen.insert((input_index, "times")) {
        times(doc, input_index, &pointer, found);
    }
    if spline && keys < 2 {
        found
            .add(&fault::ANIMATION_SAMPLER_INPUT_ACCESSOR_TOO_FEW_ELEMENTS, pointer)
            .expected("at least 2 keys for CUBICSPLINE", keys);
    }
    let Some((output_index, output)) = output else {
        return;
    };
    for channel in sampler.used {
        values(output, channel, keys, spline, &sampler.at, found);
    }
    let turns = sampler.used.iter().any(|channel| channel.path == "rotation");
    let name = if spline { "spline" } else { "rotations" };
    if turns && seen.insert((output_index, name)) {
        rotations(doc, output_index, spline, &sampler.at, found);
    }
}

fn accessor<'a>(doc: &'a Doc<'_>, sampler: &Sampler<'_>, name: &str) -> Option<(usize, &'a Value)> {
    let index = whole(sampler.value, name)?;
    Some((index, doc.one("accessors", index)?))
}

/// Are the times floats?
fn times_format(accessor: &Value, pointer: &str, found: &mut Findings) -> bool {
    let fault = &fault::ANIMATION_SAMPLER_INPUT_ACCESSOR_WITHOUT_BOUNDS;
    with_bounds(accessor, fault, pointer, found);
    let Some(format) = format_of(accessor) else {
        return false;
    };
    let kind = text(accessor, "type").unwrap_or_default();
    if kind != "SCALAR" || format.component != Component::F32 {
        found
            .add(&fault::ANIMATION_SAMPLER_INPUT_ACCESSOR_INVALID_FORMAT, pointer)
            .expected("SCALAR of floats", format_args!("{kind} of {}", format.component.name()));
        return false;
    }
    true
}

fn times(doc: &Doc<'_>, index: usize, pointer: &str, found: &mut Findings) {
    let Some(elements) = stored_elements(doc, index) else {
        return;
    };
    let time = |key: usize| elements.number(key, 0);
    let negative = (0..elements.count).filter(|&key| time(key) < 0.0);
    if let (count, Some(first)) = counted(negative) {
        found
            .add_many(&fault::ACCESSOR_ANIMATION_INPUT_NEGATIVE, count, pointer)
            .expected("0 s or later", format_args!("{} s at key {first}", time(first)));
    }
    let back = (1..elements.count).filter(|&key| time(key) <= time(key - 1));
    if let (count, Some(first)) = counted(back) {
        found.add_many(&fault::ACCESSOR_ANIMATION_INPUT_NON_INCREASING, count, pointer).expected(
            format_args!("later than {} s", time(first - 1)),
            format_args!("{} s at key {first}", time(first)),
        );
    }
}

/// How many there are, and the first.
fn counted(mut places: impl Iterator<Item = usize>) -> (usize, Option<usize>) {
    let first = places.next();
    (usize::from(first.is_some()) + places.count(), first)
}

fn values(
    output: &Value,
    channel: &SamplerUse,
    keys: usize,
    spline: bool,
    sampler_at: &str,
    found: &mut Findings,
) {
    let Some(format) = format_of(output) else {
        return;
    };
    let Some(expected) = expected_kind(&channel.path) else {
        return;
    };
    let kind = text(output, "type").unwrap_or_default();
    let normalized = output.get("normalized") == Some(&Value::Bool(true));
    let fraction = matches!(channel.path.as_str(), "rotation" | "weights") && normalized;
    if kind != expected || (format.component != Component::F32 && !fraction) {
        let integers = match channel.path.as_str() {
            "rotation" | "weights" => ", or of normalized integers",
            _ => "",
        };
        found
            .add(
                &fault::ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_FORMAT,
                format_args!("{sampler_at}/output"),
            )
            .expected(
                format_args!("{expected} of floats{integers}, for {}", channel.path),
                format_args!("{kind} of {}", format.component.name()),
            );
        return;
    }
    let each = if channel.path == "weights" { channel.targets } else { 1 };
    let expected = keys.saturating_mul(each) * if spline { 3 } else { 1 };
    let count = whole(output, "count").unwrap_or(0);
    if each > 0 && count != expected {
        found
            .add(
                &fault::ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT,
                format_args!("{}/sampler", channel.at),
            )
            .expected(format_args!("{expected} values for {keys} keys"), count);
    }
}

fn expected_kind(path: &str) -> Option<&'static str> {
    Some(match path {
        "translation" | "scale" => "VEC3",
        "rotation" => "VEC4",
        "weights" => "SCALAR",
        _ => return None,
    })
}

fn rotations(doc: &Doc<'_>, index: usize, spline: bool, sampler_at: &str, found: &mut Findings) {
    let Some(elements) = stored_elements(doc, index).filter(|e| e.format.kind.components == 4)
    else {
        return;
    };
    // Of a spline's three, only the middle one is a rotation.
    let (first, step) = if spline { (1, 3) } else { (0, 1) };
    let length = |place: usize| {
        let squares = elements.vector::<4>(place).map(|x| x * x);
        squares.iter().sum::<f64>().sqrt()
    };
    let output = format!("{sampler_at}/output");
    let zero = (first..elements.count).step_by(step).filter(|&place| length(place) == 0.0);
    if let (count, Some(place)) = counted(zero) {
        found
            .add_many(&fault::ROTATION_OF_LENGTH_ZERO, count, output.as_str())
            .expected("length 1", format_args!("0 0 0 0, of length 0, at key {}", place / step));
    }
    let mut count = 0;
    let mut worst: Option<(f64, usize, f64)> = None;
    for place in (first..elements.count).step_by(step) {
        let length = length(place);
        let off = (length - 1.0).abs();
        if length > 0.0 && rotation_fault(NON_UNIT, length).is_some() {
            count += 1;
            if worst.is_none_or(|(most, ..)| off > most) {
                worst = Some((off, place / step, length));
            }
        }
    }
    if let Some((_, key, length)) = worst
        && let Some(fault) = rotation_fault(NON_UNIT, length)
    {
        found
            .add_many(&fault, count, output)
            .expected("length 1", format_args!("length {length:.4} at key {key}, the worst"));
    }
}

// Clips: channels and samplers.

/// All clips.
pub(super) fn examine_animations(doc: &Doc<'_>, found: &mut Findings) {
    // Many samplers share their times; they are looked at once.
    let mut seen = BTreeSet::new();
    for (index, animation) in doc.each("animations") {
        let pointer = format!("/animations/{index}");
        let samplers = list(animation, "samplers");
        let uses = channels(doc, animation, samplers.len(), &pointer, found);
        for (place, sampler) in samplers.iter().enumerate() {
            examine(
                doc,
                &Sampler {
                    value: sampler,
                    used: uses.get(&place).map_or(&[], Vec::as_slice),
                    at: format!("{pointer}/samplers/{place}"),
                },
                &mut seen,
                found,
            );
        }
    }
}

/// Looks at every channel. Answers with the uses of each sampler.
fn channels(
    doc: &Doc<'_>,
    animation: &Value,
    samplers: usize,
    pointer: &str,
    found: &mut Findings,
) -> BTreeMap<usize, Vec<SamplerUse>> {
    let mut uses: BTreeMap<usize, Vec<SamplerUse>> = BTreeMap::new();
    let mut claimed: BTreeMap<(usize, &str), usize> = BTreeMap::new();
    for (index, channel) in doc.work.each(list(animation, "channels")) {
        let at = format!("{pointer}/channels/{index}");
        let sampler = whole(channel, "sampler");
        if let Some(sampler) = sampler.filter(|&sampler| sampler >= samplers) {
            found
                .add(&UNRESOLVED_REFERENCE, format_args!("{at}/sampler"))
                .expected(format_args!("one of the clip’s {samplers} samplers, from 0"), sampler);
        }
        let Some(target) = channel.get("target") else {
            continue;
        };
        let Some(path) = text(target, "path") else {
            continue;
        };
        let node_index = whole(target, "node");
        if target.get("node").is_none() && path != "pointer" {
            let shown = format!("channel {index} without one");
            found
                .add(&fault::CHANNEL_WITHOUT_NODE, format_args!("{at}/target"))
                .expected("a node", shown);
        }
        if let Some(node_index) = node_index
            && let Some(other) = claimed.insert((node_index, path), index)
        {
            found.add(&fault::ANIMATION_DUPLICATE_TARGETS, format_args!("{at}/target")).expected(
                "one channel for each node and property",
                format_args!("{path} of node {node_index}, as channel {other} has"),
            );
        }
        let node = node_index.and_then(|node| doc.one("nodes", node));
        if let (Some(node_index), Some(node)) = (node_index, node) {
            target_of(doc, node_index, node, path, &at, found);
        }
        if let Some(sampler) = sampler {
            uses.entry(sampler).or_default().push(SamplerUse {
                path: path.to_owned(),
                targets: node.map_or(0, |node| targets(doc, node)),
                at,
            });
        }
    }
    uses
}

fn target_of(
    doc: &Doc<'_>,
    index: usize,
    node: &Value,
    path: &str,
    at: &str,
    found: &mut Findings,
) {
    let pointer = format!("{at}/target");
    let who = named("node", index, Some(node));
    if path == "weights" {
        if targets(doc, node) == 0 {
            found
                .add(&fault::ANIMATION_CHANNEL_TARGET_NODE_WEIGHTS_NO_MORPHS, pointer)
                .expected("a mesh with morph targets", format_args!("{who}, without"));
        }
        return;
    }
    if node.get("matrix").is_some() {
        found.add(&fault::ANIMATION_CHANNEL_TARGET_NODE_MATRIX, pointer.as_str()).expected(
            "a node with translation, rotation and scale",
            format_args!("{who}, with a matrix"),
        );
    }
    if node.get("skin").is_some() && node.get("mesh").is_some() {
        found
            .add(&fault::ANIMATION_CHANNEL_TARGET_NODE_SKIN, pointer)
            .expected("a joint, or a node above one", format_args!("{who}, with a skinned mesh"));
    }
}

fn targets(doc: &Doc<'_>, node: &Value) -> usize {
    doc.referred(node, "mesh", "meshes").map_or(0, morph_targets)
}
