//! Keys of animations: removes keys out of order and rotations of length 0, and normalizes
//! rotations.

use bindpose_gltf::Component;
use bindpose_gltf::decoding::AccessorElements;
use bindpose_gltf::decoding::values::{as_usize, get_list, get_str, get_usize};
use serde_json::{Value, json};

use super::draft::{AccessorData, Draft, accessor_index};
use super::evidence::{self, LENGTH_TOLERANCE};
use crate::animations::values_per_key;
use crate::document::RawDocument;
use crate::elements::read_elements;

/// New contents of one sampler.
struct SamplerChange {
    /// JSON pointer to the sampler.
    pointer: String,
    input: usize,
    output: usize,
    /// Keys that remain. `None` if all do.
    kept_keys: Option<Vec<usize>>,
    /// `None` if times do not change.
    times: Option<AccessorData>,
    values: AccessorData,
    /// Whether the rotations are normalized.
    is_normalized: bool,
}

/// Gives samplers the interpolation that the number of their values implies.
fn correct_interpolations(draft: &mut Draft) {
    for index in 0..draft.doc.list("animations").len() {
        let samplers = get_list(&draft.doc.list("animations")[index], "samplers");
        let meant: Vec<Option<&str>> =
            samplers.iter().map(|sampler| meant_interpolation(&draft.doc, sampler)).collect();
        for (sampler, meant) in meant.into_iter().enumerate() {
            let pointer = format!("/animations/{index}/samplers/{sampler}");
            if let Some(meant) = meant
                && let Some(sampler) = draft.object_mut(&pointer)
            {
                sampler.insert("interpolation".to_owned(), json!(meant));
            }
        }
    }
}

/// Returns the interpolation of a sampler's data if it declares another.
fn meant_interpolation(doc: &RawDocument<'_>, sampler: &Value) -> Option<&'static str> {
    let key_count = get_usize(doc.resolve(sampler, "input", "accessors")?, "count")?;
    let output = doc.resolve(sampler, "output", "accessors")?;
    if get_str(output, "type") == Some("SCALAR") {
        return None;
    }
    let is_spline = values_per_key(key_count, get_usize(output, "count")?)? == 3;
    let declares_spline = get_str(sampler, "interpolation") == Some("CUBICSPLINE");
    let meant = if is_spline { "CUBICSPLINE" } else { "LINEAR" };
    (is_spline != declares_spline).then_some(meant)
}

pub(super) fn mend_keys(draft: &mut Draft) {
    correct_interpolations(draft);
    let mut changes = Vec::new();
    let mut unchanged_accessors = Vec::new();
    let mut withheld = Vec::new();
    for (index, animation) in draft.doc.list("animations").iter().enumerate() {
        for (sampler_index, sampler) in get_list(animation, "samplers").iter().enumerate() {
            let Some(input) = accessor_index(&draft.doc, sampler, "input") else {
                continue;
            };
            let Some(output) = accessor_index(&draft.doc, sampler, "output") else {
                continue;
            };
            let pointer = format!("/animations/{index}/samplers/{sampler_index}");
            let is_rotation = animates_rotation(animation, sampler_index);
            let change = find_change(
                &draft.doc,
                sampler,
                input,
                output,
                is_rotation,
                pointer,
                &mut withheld,
            );
            match change {
                Some(change) => {
                    if change.times.is_none() {
                        unchanged_accessors.push(input);
                    }
                    changes.push(change);
                }
                None => unchanged_accessors.extend([input, output]),
            }
        }
    }
    for (at, reason) in withheld {
        draft.withhold(at, reason);
    }
    for accessor in unchanged_accessors {
        draft.keep(accessor);
    }
    for change in changes {
        apply_change(draft, change);
    }
}

/// Returns whether a channel uses the sampler for a rotation.
fn animates_rotation(animation: &Value, sampler_index: usize) -> bool {
    get_list(animation, "channels").iter().any(|channel| {
        let path = channel.get("target").and_then(|target| get_str(target, "path"));
        get_usize(channel, "sampler") == Some(sampler_index) && path == Some("rotation")
    })
}

/// Returns the new contents of a sampler, or `None` if it needs none or cannot be read.
fn find_change(
    doc: &RawDocument<'_>,
    sampler: &Value,
    input: usize,
    output: usize,
    is_rotation: bool,
    pointer: String,
    withheld: &mut Vec<(String, &'static str)>,
) -> Option<SamplerChange> {
    let times = read_elements(doc, input)?;
    let values = read_elements(doc, output)?;
    let has_valid_times =
        times.format.kind.components == 1 && times.format.component == Component::F32;
    if !has_valid_times || times.count == 0 || values.count % times.count != 0 {
        return None;
    }
    // Tangents of a spline, and all morph weights of a key, belong to the key.
    let values_per_key = values.count / times.count;
    let is_spline = get_str(sampler, "interpolation") == Some("CUBICSPLINE");
    let has_quaternions = is_rotation
        && values.format.kind.components == 4
        && values_per_key == if is_spline { 3 } else { 1 };
    let rotations: Option<Vec<[f64; 4]>> = has_quaternions
        .then(|| (0..times.count).map(|key| rotation_at(&values, key, values_per_key)).collect());
    let lengths: Option<Vec<f64>> = rotations
        .as_ref()
        .map(|rotations| rotations.iter().map(|rotation| evidence::length(rotation)).collect());
    let mut kept = kept_keys(&times, lengths.as_deref());
    if evidence::is_systematic(times.count - kept.len(), times.count) {
        withheld.push((pointer.clone(), evidence::KEYS_KEPT));
        kept = (0..times.count).collect();
    }
    let kept_keys = (kept.len() < times.count).then(|| kept.clone());
    let scaled: Vec<[f64; 4]> = rotations
        .into_iter()
        .flatten()
        .filter(|rotation| {
            let length = evidence::length(rotation);
            length > 0.0 && (length - 1.0).abs() > LENGTH_TOLERANCE
        })
        .collect();
    let is_normalized = !scaled.is_empty() && evidence::are_scaled_quaternions(&scaled);
    if !scaled.is_empty() && !is_normalized {
        withheld.push((pointer.clone(), evidence::ROTATIONS_KEPT));
    }
    if kept_keys.is_none() && !is_normalized {
        return None;
    }
    let new_times = kept_keys.is_some().then(|| {
        AccessorData::floats("SCALAR", kept.len(), kept.iter().map(|&key| times.number(key, 0)))
    });
    let type_name = doc.get("accessors", output).and_then(|output| get_str(output, "type"))?;
    let width = values.format.kind.components;
    let mut numbers = Vec::new();
    for &key in &kept {
        let divisor = match &lengths {
            Some(lengths) if is_normalized && lengths[key] > 0.0 => lengths[key],
            _ => 1.0,
        };
        for value in key * values_per_key..(key + 1) * values_per_key {
            numbers.extend((0..width).map(|lane| values.number(value, lane) / divisor));
        }
    }
    let count = kept.len() * values_per_key;
    Some(SamplerChange {
        pointer,
        input,
        output,
        kept_keys,
        times: new_times,
        values: AccessorData::floats(type_name, count, numbers.into_iter()),
        is_normalized,
    })
}

/// Returns keys that are later than all before them, without rotations of length 0 unless all
/// are. `lengths`: those of rotations, or `None` for other values.
fn kept_keys(times: &AccessorElements<'_>, lengths: Option<&[f64]>) -> Vec<usize> {
    let keeps_zeros = lengths.is_none_or(|lengths| lengths.iter().all(|&length| length == 0.0));
    let mut kept = Vec::new();
    let mut last_time = f64::NEG_INFINITY;
    for key in 0..times.count {
        let is_zero = lengths.is_some_and(|lengths| lengths[key] == 0.0);
        let time = times.number(key, 0);
        if (keeps_zeros || !is_zero) && time > last_time {
            last_time = time;
            kept.push(key);
        }
    }
    kept
}

/// Returns the rotation at a key: the middle one of a spline's three values.
fn rotation_at(values: &AccessorElements<'_>, key: usize, values_per_key: usize) -> [f64; 4] {
    values.vector::<4>(key * values_per_key + values_per_key / 2)
}

fn apply_change(draft: &mut Draft, change: SamplerChange) {
    // Samplers that share accessors get the same copies if they change in the same way.
    let kept = change.kept_keys.map(|kept_keys| (change.input, kept_keys));
    if let Some(times) = change.times {
        let input = draft.assign(change.input, &format!("times {kept:?}"), times);
        set_accessor(draft, &change.pointer, "input", input);
    }
    let key = format!("values {kept:?} {}", change.is_normalized);
    let output = draft.assign(change.output, &key, change.values);
    set_accessor(draft, &change.pointer, "output", output);
}

fn set_accessor(draft: &mut Draft, pointer: &str, name: &str, accessor: usize) {
    if let Some(sampler) = draft.object_mut(pointer)
        && sampler.get(name).and_then(as_usize) != Some(accessor)
    {
        sampler.insert(name.to_owned(), json!(accessor));
    }
}
