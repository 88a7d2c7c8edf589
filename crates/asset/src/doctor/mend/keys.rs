//! Keys of clips: times that increase, rotations of unit length.

use serde_json::{Value, json};

use super::draft::{Data, Draft, accessor};
use crate::doctor::doc::{Doc, as_whole, list, text, whole};
use crate::doctor::elements::{AccessorElements, Component, stored_elements};

/// How far a rotation's length may be from 1 before it is written anew.
const CHANGE: f64 = 5e-5;

/// New contents of one sampler.
struct KeysChange {
    at: String,
    input: usize,
    output: usize,
    /// Keys that stay; `None`: all.
    keep: Option<Vec<usize>>,
    times: Option<Data>,
    values: Option<Data>,
    /// Are the rotations divided by their lengths?
    unit: bool,
}

pub(super) fn mend(draft: &mut Draft) {
    let mut changes = Vec::new();
    let mut kept = Vec::new();
    for (index, animation) in draft.doc.list("animations").iter().enumerate() {
        for (place, sampler) in list(animation, "samplers").iter().enumerate() {
            let at = format!("/animations/{index}/samplers/{place}");
            let sides =
                (accessor(&draft.doc, sampler, "input"), accessor(&draft.doc, sampler, "output"));
            let (Some(input), Some(output)) = sides else {
                continue;
            };
            let turns = turns(animation, place);
            let change = change(&draft.doc, sampler, (input, output), turns, at);
            let unchanged = change.as_ref();
            if unchanged.is_none_or(|change| change.times.is_none()) {
                kept.push(input);
            }
            if unchanged.is_none_or(|change| change.values.is_none()) {
                kept.push(output);
            }
            changes.extend(change);
        }
    }
    for accessor in kept {
        draft.keep(accessor);
    }
    for change in changes {
        write(draft, change);
    }
}

/// Is the sampler used for a rotation?
fn turns(animation: &Value, sampler: usize) -> bool {
    list(animation, "channels").iter().any(|channel| {
        let path = channel.get("target").and_then(|target| text(target, "path"));
        whole(channel, "sampler") == Some(sampler) && path == Some("rotation")
    })
}

fn change(
    doc: &Doc<'_>,
    sampler: &Value,
    (input, output): (usize, usize),
    turns: bool,
    at: String,
) -> Option<KeysChange> {
    let times = stored_elements(doc, input)?;
    let values = stored_elements(doc, output)?;
    let scalar = times.format.kind.components == 1 && times.format.component == Component::F32;
    if !scalar || times.count == 0 {
        return None;
    }
    let keep = kept(&times);
    let keep = (keep.len() < times.count).then_some(keep);
    // A spline's tangents, and the morph weights of one key, stay together.
    let each = values.count / times.count;
    if values.count % times.count != 0 {
        return None;
    }
    let spline = text(sampler, "interpolation") == Some("CUBICSPLINE");
    let quaternions =
        turns && values.format.kind.components == 4 && each == if spline { 3 } else { 1 };
    let unit = quaternions
        && (0..times.count).any(|key| {
            let length = length(&values, key, each);
            length > 0.0 && (length - 1.0).abs() > CHANGE
        });
    if keep.is_none() && !unit {
        return None;
    }
    let keys: Vec<usize> = keep.clone().unwrap_or_else(|| (0..times.count).collect());
    let new_times = keep.is_some().then(|| {
        let numbers = keys.iter().map(|&key| times.number(key, 0));
        Data::floats("SCALAR", keys.len(), numbers)
    });
    let kind = doc.one("accessors", output).and_then(|one| text(one, "type"))?;
    let width = values.format.kind.components;
    let numbers = keys.iter().flat_map(|&key| {
        let length = if unit { length(&values, key, each) } else { 1.0 };
        let by = if length > 0.0 { length } else { 1.0 };
        let values = &values;
        (0..each).flat_map(move |part| {
            (0..width).map(move |lane| values.number(key * each + part, lane) / by)
        })
    });
    let new_values = Data::floats(kind, keys.len() * each, numbers);
    Some(KeysChange { at, input, output, times: new_times, values: Some(new_values), keep, unit })
}

/// Keys that are later than all before them.
fn kept(times: &AccessorElements<'_>) -> Vec<usize> {
    let mut last = f64::NEG_INFINITY;
    (0..times.count)
        .filter(|&key| {
            let time = times.number(key, 0);
            let later = time > last;
            if later {
                last = time;
            }
            later
        })
        .collect()
}

/// Length of the rotation at a key; of a spline's three, the middle one.
fn length(values: &AccessorElements<'_>, key: usize, each: usize) -> f64 {
    let value = values.vector::<4>(key * each + each / 2);
    value.iter().map(|x| x * x).sum::<f64>().sqrt()
}

fn write(draft: &mut Draft, change: KeysChange) {
    let dropped = change.keep.is_some().then_some(change.input);
    if let Some(times) = change.times {
        let input = draft.put(change.input, "times", times);
        repoint(draft, &change.at, "input", input);
    }
    if let Some(values) = change.values {
        let key = format!("values {dropped:?} {}", change.unit);
        let output = draft.put(change.output, &key, values);
        repoint(draft, &change.at, "output", output);
    }
}

fn repoint(draft: &mut Draft, at: &str, name: &str, accessor: usize) {
    let sampler = draft.doc.root.pointer_mut(at).and_then(Value::as_object_mut);
    if let Some(sampler) = sampler
        && sampler.get(name).and_then(as_whole) != Some(accessor)
    {
        sampler.insert(name.to_owned(), json!(accessor));
    }
}
