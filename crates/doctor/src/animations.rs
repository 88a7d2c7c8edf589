//! Animations: channels, samplers, times and values of keys.

use std::collections::{BTreeMap, BTreeSet};

use bindpose_gltf::Component;
use bindpose_gltf::decoding::values::{get_list, get_str, get_usize};
use serde_json::Value;

use super::catalog::{self as fault, DoctorFault};
use super::document::RawDocument;
use super::elements::{
    element_format, is_normalized, read_elements, reject_stride, require_bounds,
};
use super::findings::Findings;
use super::nodes::{morph_target_count, rotation_fault};

const NON_UNIT_KEY: DoctorFault =
    fault::ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION;

/// A channel, from the point of view of its sampler.
struct SamplerUse {
    /// Name of the property that the channel animates.
    path: String,
    /// Number of morph targets of the node.
    target_count: usize,
    /// JSON pointer to the channel.
    pointer: String,
}

/// The numbers of an accessor for which it was examined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum KeyNumbers {
    Times,
    Rotations,
    SplineRotations,
}

pub(super) fn examine(doc: &RawDocument<'_>, findings: &mut Findings) {
    // Many samplers share their times, which are examined once.
    let mut examined = BTreeSet::new();
    for (index, animation) in doc.entries("animations") {
        let pointer = format!("/animations/{index}");
        let samplers = get_list(animation, "samplers");
        let uses = examine_channels(doc, animation, samplers.len(), &pointer, findings);
        for (sampler_index, sampler) in samplers.iter().enumerate() {
            let pointer = format!("{pointer}/samplers/{sampler_index}");
            let uses = uses.get(&sampler_index).map_or(&[][..], Vec::as_slice);
            examine_sampler(doc, sampler, uses, &pointer, &mut examined, findings);
        }
    }
}

/// Examines all channels of an animation. Returns the uses of each sampler.
fn examine_channels(
    doc: &RawDocument<'_>,
    animation: &Value,
    sampler_count: usize,
    pointer: &str,
    findings: &mut Findings,
) -> BTreeMap<usize, Vec<SamplerUse>> {
    let mut uses: BTreeMap<usize, Vec<SamplerUse>> = BTreeMap::new();
    // The channel that animates a property of a node.
    let mut channel_by_target: BTreeMap<(usize, &str), usize> = BTreeMap::new();
    for (index, channel) in doc.work.entries(get_list(animation, "channels")) {
        let pointer = format!("{pointer}/channels/{index}");
        let sampler = get_usize(channel, "sampler");
        if let Some(sampler) = sampler.filter(|&sampler| sampler >= sampler_count) {
            findings.add(&fault::UNRESOLVED_REFERENCE, format_args!("{pointer}/sampler")).expected(
                format_args!("one of the clip’s {sampler_count} samplers, from 0"),
                sampler,
            );
        }
        let Some(target) = channel.get("target") else {
            continue;
        };
        let Some(path) = get_str(target, "path") else {
            continue;
        };
        let node_index = get_usize(target, "node");
        if target.get("node").is_none() && path != "pointer" {
            findings
                .add(&fault::CHANNEL_WITHOUT_NODE, format_args!("{pointer}/target"))
                .expected("a node", format_args!("channel {index} without one"));
        }
        if let Some(node_index) = node_index
            && let Some(other) = channel_by_target.insert((node_index, path), index)
        {
            findings
                .add(&fault::ANIMATION_DUPLICATE_TARGETS, format_args!("{pointer}/target"))
                .expected(
                    "one channel for each node and property",
                    format_args!("{path} of node {node_index}, as channel {other} has"),
                );
        }
        let node = node_index.and_then(|node| doc.get("nodes", node));
        if let Some(node_index) = node_index
            && let Some(node) = node
        {
            examine_target(doc, node_index, node, path, &pointer, findings);
        }
        if let Some(sampler) = sampler {
            uses.entry(sampler).or_default().push(SamplerUse {
                path: path.to_owned(),
                target_count: node.map_or(0, |node| morph_target_count_of_node(doc, node)),
                pointer,
            });
        }
    }
    uses
}

/// Checks that a channel animates a property that the node has.
fn examine_target(
    doc: &RawDocument<'_>,
    node_index: usize,
    node: &Value,
    path: &str,
    pointer: &str,
    findings: &mut Findings,
) {
    let pointer = format!("{pointer}/target");
    let shown_node = doc.describe_node(node_index);
    if path == "weights" {
        if morph_target_count_of_node(doc, node) == 0 {
            findings
                .add(&fault::ANIMATION_CHANNEL_TARGET_NODE_WEIGHTS_NO_MORPHS, pointer)
                .expected("a mesh with morph targets", format_args!("{shown_node}, without"));
        }
        return;
    }
    if node.get("matrix").is_some() {
        findings.add(&fault::ANIMATION_CHANNEL_TARGET_NODE_MATRIX, pointer.as_str()).expected(
            "a node with translation, rotation and scale",
            format_args!("{shown_node}, with a matrix"),
        );
    }
    if node.get("skin").is_some() && node.get("mesh").is_some() {
        findings.add(&fault::ANIMATION_CHANNEL_TARGET_NODE_SKIN, pointer).expected(
            "a joint, or a node above one",
            format_args!("{shown_node}, with a skinned mesh"),
        );
    }
}

fn morph_target_count_of_node(doc: &RawDocument<'_>, node: &Value) -> usize {
    doc.resolve(node, "mesh", "meshes").map_or(0, morph_target_count)
}

fn examine_sampler(
    doc: &RawDocument<'_>,
    sampler: &Value,
    uses: &[SamplerUse],
    pointer: &str,
    examined: &mut BTreeSet<(usize, KeyNumbers)>,
    findings: &mut Findings,
) {
    for name in ["input", "output"] {
        if let Some(accessor) = doc.resolve(sampler, name, "accessors") {
            let fault = &fault::ANIMATION_SAMPLER_ACCESSOR_WITH_BYTESTRIDE;
            reject_stride(doc, accessor, fault, &format!("{pointer}/{name}"), findings);
        }
    }
    let declares_spline = get_str(sampler, "interpolation") == Some("CUBICSPLINE");
    let Some(input_index) = get_usize(sampler, "input") else {
        return;
    };
    let Some(input) = doc.get("accessors", input_index) else {
        return;
    };
    let key_count = get_usize(input, "count").unwrap_or(0);
    let input_pointer = format!("{pointer}/input");
    if examine_times_format(input, &input_pointer, findings)
        && examined.insert((input_index, KeyNumbers::Times))
    {
        examine_times(doc, input_index, &input_pointer, findings);
    }
    if declares_spline && key_count < 2 {
        findings
            .add(&fault::ANIMATION_SAMPLER_INPUT_ACCESSOR_TOO_FEW_ELEMENTS, input_pointer)
            .expected("at least 2 keys for CUBICSPLINE", key_count);
    }
    let Some(output_index) = get_usize(sampler, "output") else {
        return;
    };
    let Some(output) = doc.get("accessors", output_index) else {
        return;
    };
    let has_plain_paths = !uses.iter().any(|channel| channel.path == "weights");
    let value_count = get_usize(output, "count").unwrap_or(0);
    let is_spline = match values_per_key(key_count, value_count) {
        Some(count) if has_plain_paths => count == 3,
        _ => declares_spline,
    };
    if is_spline != declares_spline {
        let meant = if is_spline { "CUBICSPLINE" } else { "LINEAR or STEP" };
        findings
            .add(&fault::CLIP_OTHER_INTERPOLATION, format_args!("{pointer}/interpolation"))
            .expected(
                format_args!("{meant}, as the number of values is"),
                format_args!(
                    "{}, with {value_count} values for {key_count} keys",
                    get_str(sampler, "interpolation").unwrap_or("LINEAR")
                ),
            );
    }
    for channel in uses {
        examine_values_format(output, channel, key_count, is_spline, pointer, findings);
    }
    let has_rotations = uses.iter().any(|channel| channel.path == "rotation");
    let numbers = if is_spline { KeyNumbers::SplineRotations } else { KeyNumbers::Rotations };
    if has_rotations && examined.insert((output_index, numbers)) {
        examine_rotations(doc, output_index, is_spline, pointer, findings);
    }
}

/// Returns 1 for keys without tangents, and 3 for keys of a spline with two tangents each.
/// `None` for other numbers of values, and for clips without motion.
pub(super) fn values_per_key(key_count: usize, value_count: usize) -> Option<usize> {
    if key_count < 2 {
        return None;
    }
    [1, 3].into_iter().find(|count| key_count.checked_mul(*count) == Some(value_count))
}

/// Checks the bounds and the format of an accessor of times. Returns whether they are floats.
fn examine_times_format(accessor: &Value, pointer: &str, findings: &mut Findings) -> bool {
    let fault = &fault::ANIMATION_SAMPLER_INPUT_ACCESSOR_WITHOUT_BOUNDS;
    require_bounds(accessor, fault, pointer, findings);
    let Some(format) = element_format(accessor) else {
        return false;
    };
    let type_name = get_str(accessor, "type").unwrap_or_default();
    if type_name != "SCALAR" || format.component != Component::F32 {
        findings.add(&fault::ANIMATION_SAMPLER_INPUT_ACCESSOR_INVALID_FORMAT, pointer).expected(
            "SCALAR of floats",
            format_args!("{type_name} of {}", format.component.name()),
        );
        return false;
    }
    true
}

/// Checks that times are not negative and increase.
fn examine_times(doc: &RawDocument<'_>, index: usize, pointer: &str, findings: &mut Findings) {
    let Some(elements) = read_elements(doc, index) else {
        return;
    };
    let mut negative_count = 0;
    let mut first_negative = None;
    let mut unordered_count = 0;
    let mut first_unordered = None;
    let mut previous = None;
    for key in 0..elements.count {
        let time = elements.number(key, 0);
        if time < 0.0 {
            negative_count += 1;
            first_negative.get_or_insert((key, time));
        }
        if let Some(previous) = previous
            && time <= previous
        {
            unordered_count += 1;
            first_unordered.get_or_insert((key, time, previous));
        }
        previous = Some(time);
    }
    if let Some((key, time)) = first_negative {
        findings
            .add_many(&fault::ACCESSOR_ANIMATION_INPUT_NEGATIVE, negative_count, pointer)
            .expected("0 s or later", format_args!("{time} s at key {key}"));
    }
    if let Some((key, time, previous)) = first_unordered {
        findings
            .add_many(&fault::ACCESSOR_ANIMATION_INPUT_NON_INCREASING, unordered_count, pointer)
            .expected(
                format_args!("later than {previous} s"),
                format_args!("{time} s at key {key}"),
            );
    }
}

/// Checks format and count of an accessor of values for one channel.
fn examine_values_format(
    output: &Value,
    channel: &SamplerUse,
    key_count: usize,
    is_spline: bool,
    sampler_pointer: &str,
    findings: &mut Findings,
) {
    let Some(format) = element_format(output) else {
        return;
    };
    let path = channel.path.as_str();
    let expected_type = match path {
        "translation" | "scale" => "VEC3",
        "rotation" => "VEC4",
        "weights" => "SCALAR",
        _ => return,
    };
    let can_be_integers = matches!(path, "rotation" | "weights");
    let type_name = get_str(output, "type").unwrap_or_default();
    let has_valid_component =
        format.component == Component::F32 || can_be_integers && is_normalized(output);
    if type_name != expected_type || !has_valid_component {
        let integers = if can_be_integers { ", or of normalized integers" } else { "" };
        findings
            .add(
                &fault::ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_FORMAT,
                format_args!("{sampler_pointer}/output"),
            )
            .expected(
                format_args!("{expected_type} of floats{integers}, for {path}"),
                format_args!("{type_name} of {}", format.component.name()),
            );
        return;
    }
    let values_per_key = if path == "weights" { channel.target_count } else { 1 };
    let expected_count = key_count.saturating_mul(values_per_key) * if is_spline { 3 } else { 1 };
    let count = get_usize(output, "count").unwrap_or(0);
    if values_per_key > 0 && count != expected_count {
        findings
            .add(
                &fault::ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT,
                format_args!("{}/sampler", channel.pointer),
            )
            .expected(format_args!("{expected_count} values for {key_count} keys"), count);
    }
}

/// Checks that rotations have length 1.
fn examine_rotations(
    doc: &RawDocument<'_>,
    index: usize,
    is_spline: bool,
    sampler_pointer: &str,
    findings: &mut Findings,
) {
    let Some(elements) = read_elements(doc, index) else {
        return;
    };
    if elements.format.kind.components != 4 {
        return;
    }
    // Only the middle one of a spline's three values is a rotation.
    let (first, step) = if is_spline { (1, 3) } else { (0, 1) };
    let mut zero_count = 0;
    let mut first_zero_key = None;
    let mut wrong_count = 0;
    let mut worst: Option<(usize, f64)> = None;
    for (key, place) in (first..elements.count).step_by(step).enumerate() {
        let length = elements.vector::<4>(place).iter().map(|x| x * x).sum::<f64>().sqrt();
        if length == 0.0 {
            zero_count += 1;
            first_zero_key.get_or_insert(key);
        } else if length > 0.0 && rotation_fault(NON_UNIT_KEY, length).is_some() {
            wrong_count += 1;
            let error = (length - 1.0).abs();
            if worst.is_none_or(|(_, worst_length)| error > (worst_length - 1.0).abs()) {
                worst = Some((key, length));
            }
        }
    }
    let pointer = format!("{sampler_pointer}/output");
    if let Some(key) = first_zero_key {
        findings
            .add_many(&fault::ROTATION_OF_LENGTH_ZERO, zero_count, pointer.as_str())
            .expected("length 1", format_args!("0 0 0 0, of length 0, at key {key}"));
    }
    if let Some((key, length)) = worst
        && let Some(fault) = rotation_fault(NON_UNIT_KEY, length)
    {
        findings
            .add_many(&fault, wrong_count, pointer)
            .expected("length 1", format_args!("length {length:.4} at key {key}, the worst"));
    }
}
