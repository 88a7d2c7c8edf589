//! Strides, alignment, sparse parts: the same numbers in sound places.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::draft::{Data, Draft, accessor};
use crate::doctor::doc::{Doc, as_whole, list, text, whole};
use crate::doctor::elements::{
    AccessorElements, Component, elements, format_of, places, sparse_parts, stored_elements,
    view_bytes,
};

pub(super) fn mend(draft: &mut Draft) {
    small_strides(draft);
    sparse_strides(draft);
    let vertices = vertex_accessors(&draft.doc);
    let others = other_accessors(&draft.doc);
    for index in 0..draft.doc.list("accessors").len() {
        let wanted = if vertices.contains(&index) {
            unaligned(&draft.doc, index, true)
        } else {
            unaligned(&draft.doc, index, false)
                || others.contains(&index) && stride(&draft.doc, index).is_some()
        };
        if wanted || unsorted(&draft.doc, index) {
            rewrite(draft, index, vertices.contains(&index));
        }
    }
}

fn view<'a>(doc: &'a Doc<'_>, index: usize) -> Option<&'a Value> {
    doc.referred(doc.one("accessors", index)?, "bufferView", "bufferViews")
}

fn stride(doc: &Doc<'_>, index: usize) -> Option<usize> {
    whole(view(doc, index)?, "byteStride")
}

/// A stride smaller than an element is left out where the elements fill the
/// view exactly without it.
fn small_strides(draft: &mut Draft) {
    for index in 0..draft.doc.list("accessors").len() {
        let Some(view) = tight_view(&draft.doc, index) else {
            continue;
        };
        copy_view(draft, view, &format!("/accessors/{index}"));
    }
}

fn tight_view(doc: &Doc<'_>, index: usize) -> Option<usize> {
    let accessor = doc.one("accessors", index)?;
    let size = format_of(accessor)?.size();
    if stride(doc, index)? >= size {
        return None;
    }
    let length = whole(view(doc, index)?, "byteLength")?;
    let offset = whole(accessor, "byteOffset").unwrap_or(0);
    let needed = whole(accessor, "count")?.checked_mul(size)?.checked_add(offset)?;
    let exact = needed <= length && length - needed < 4;
    whole(accessor, "bufferView").filter(|_| exact)
}

/// Views of sparse parts without strides, which are never followed there.
fn sparse_strides(draft: &mut Draft) {
    for index in 0..draft.doc.list("accessors").len() {
        for part in ["indices", "values"] {
            let pointer = format!("/accessors/{index}/sparse/{part}");
            let part = draft.doc.root.pointer(&pointer);
            let Some(view) = part.and_then(|part| whole(part, "bufferView")) else {
                continue;
            };
            let declared = draft.doc.one("bufferViews", view);
            if declared.is_some_and(|view| view.get("byteStride").is_some()) {
                copy_view(draft, view, &pointer);
            }
        }
    }
}

/// Lets what stands at `pointer` have the bytes of a view for itself, without a
/// stride.
fn copy_view(draft: &mut Draft, view: usize, pointer: &str) {
    let Some(bytes) = view_bytes(&draft.doc, view).map(<[u8]>::to_vec) else {
        return;
    };
    let copy = draft.push_view(bytes, None);
    let user = draft.doc.root.pointer_mut(pointer);
    if let Some(user) = user.and_then(Value::as_object_mut) {
        user.insert("bufferView".to_owned(), json!(copy));
    }
}

fn vertex_accessors(doc: &Doc<'_>) -> BTreeSet<usize> {
    let attributes = doc.primitives().flat_map(|primitive| {
        let targets = list(primitive, "targets").iter();
        targets.chain(primitive.get("attributes"))
    });
    let values = attributes.filter_map(Value::as_object).flatten();
    values.filter_map(|(_, accessor)| as_whole(accessor)).collect()
}

/// Indices, inverse bind matrices, keys: what must not have a stride.
fn other_accessors(doc: &Doc<'_>) -> BTreeSet<usize> {
    let indices = doc.primitives().map(|one| (one, "indices"));
    let skins = doc.list("skins").iter().map(|one| (one, "inverseBindMatrices"));
    let times = doc.samplers().map(|one| (one, "input"));
    let values = doc.samplers().map(|one| (one, "output"));
    let named = indices.chain(skins).chain(times).chain(values);
    named.filter_map(|(one, name)| accessor(doc, one, name)).collect()
}

fn unaligned(doc: &Doc<'_>, index: usize, vertices: bool) -> bool {
    let (Some(accessor), Some(view)) = (doc.one("accessors", index), view(doc, index)) else {
        return false;
    };
    let Some(format) = format_of(accessor) else {
        return false;
    };
    let offset = whole(accessor, "byteOffset").unwrap_or(0);
    let start = whole(view, "byteOffset").unwrap_or(0).saturating_add(offset);
    let stride = whole(view, "byteStride").unwrap_or(format.size());
    let fours = offset.is_multiple_of(4) && stride.is_multiple_of(4);
    !start.is_multiple_of(format.component.size()) || vertices && !fours
}

/// Does its sparse part replace elements out of order?
fn unsorted(doc: &Doc<'_>, index: usize) -> bool {
    let places = doc.one("accessors", index).and_then(|accessor| {
        let (stored, component, _) =
            sparse_parts(doc, accessor.get("sparse")?, format_of(accessor)?)?;
        Some(places(stored, component).collect::<Vec<usize>>())
    });
    places.is_some_and(|places| places.windows(2).any(|pair| pair[1] <= pair[0]))
}

/// The same elements, one after the other; of vertices, at multiples of 4.
fn rewrite(draft: &mut Draft, index: usize, vertices: bool) {
    let Some(data) = tight(&draft.doc, index, vertices) else {
        return;
    };
    draft.write_accessor(index, data);
}

fn tight(doc: &Doc<'_>, index: usize, vertices: bool) -> Option<Data> {
    let accessor = doc.one("accessors", index)?;
    let elements = elements(doc, index)?;
    let size = elements.format.size();
    let padded = if vertices { size.next_multiple_of(4) } else { size };
    let mut bytes = Vec::with_capacity(elements.count * padded);
    for element in 0..elements.count {
        let from = bytes.len();
        bytes.extend_from_slice(elements.raw(element));
        bytes.resize(from + padded, 0);
    }
    Some(Data {
        component: elements.format.component,
        kind: text(accessor, "type")?.to_owned(),
        normalized: accessor.get("normalized") == Some(&Value::Bool(true)),
        count: elements.count,
        bytes,
        stride: (vertices && padded != size).then_some(padded),
    })
}

// Keys of clips: times that increase, rotations of unit length.

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

pub(super) fn mend_keys(draft: &mut Draft) {
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
    // A spline's tangents, and the morph weights of one key, stay together.
    let each = values.count / times.count;
    if values.count % times.count != 0 {
        return None;
    }
    let spline = text(sampler, "interpolation") == Some("CUBICSPLINE");
    let quaternions =
        turns && values.format.kind.components == 4 && each == if spline { 3 } else { 1 };
    let keep = kept(&times, |key| quaternions && length(&values, key, each) == 0.0);
    let keep = (keep.len() < times.count).then_some(keep);
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

/// Keys that are later than all before them, without those that say nothing if others
/// are left.
fn kept(times: &AccessorElements<'_>, is_empty: impl Fn(usize) -> bool) -> Vec<usize> {
    let mut last = f64::NEG_INFINITY;
    let says = (0..times.count).any(|key| !is_empty(key));
    (0..times.count)
        .filter(|&key| !says || !is_empty(key))
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
    let kept = change.keep.map(|keep| (change.input, keep));
    if let Some(times) = change.times {
        let input = draft.put(change.input, &format!("times {kept:?}"), times);
        repoint(draft, &change.at, "input", input);
    }
    if let Some(values) = change.values {
        let key = format!("values {kept:?} {}", change.unit);
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
