//! The numbers behind an accessor, every access checked.

use std::borrow::Cow;

use bindpose_diagnostic::ModelPlace;
use serde_json::Value;

use super::catalog as fault;
use super::catalog::DoctorFault;
use super::doc::{Doc, as_whole, list, text, whole};
use super::findings::Findings;
use crate::gltf::MOST_ZEROS;
use crate::gltf_file::Sparse;
use crate::{ElementFormat, ElementType};

pub(super) use crate::Component;

pub(super) use crate::gltf_file::AccessorElements;

/// The type of an accessor's numbers, or of those of a part of it.
fn component_of(accessor: &Value) -> Option<Component> {
    let code = whole(accessor, "componentType")?;
    Component::from_code(u32::try_from(code).ok()?)
}

/// How the elements of an accessor lie in their bytes.
pub(super) fn format_of(accessor: &Value) -> Option<ElementFormat> {
    Some(ElementFormat {
        component: component_of(accessor)?,
        kind: ElementType::from_name(text(accessor, "type")?)?,
    })
}

/// The elements of an accessor. `None` where it is not there, or not sound; why is
/// told by who examines the accessors.
pub(super) fn elements<'a>(doc: &'a Doc<'_>, index: usize) -> Option<AccessorElements<'a>> {
    let accessor = doc.one("accessors", index)?;
    let format = format_of(accessor)?;
    let count = whole(accessor, "count")?;
    let mut stride = format.size();
    let mut bytes = None;
    if let Some(view) = accessor.get("bufferView") {
        let view = as_whole(view)?;
        let data = view_bytes(doc, view)?;
        if let Some(declared) = doc.one("bufferViews", view)?.get("byteStride") {
            stride = as_whole(declared).filter(|&stride| stride >= format.size())?;
        }
        let offset = whole(accessor, "byteOffset").unwrap_or(0);
        let length = format.span(count, stride)?;
        bytes = Some(data.get(offset..offset.checked_add(length)?)?);
    } else if count > MOST_ZEROS {
        return None;
    }
    let sparse = match accessor.get("sparse") {
        Some(sparse) if doc.work.take(whole(sparse, "count")?) => {
            let (places, component, values) = sparse_parts(doc, sparse, format)?;
            Some(Sparse::new(places, component, values, count).ok()?)
        }
        Some(_) => return None,
        None => None,
    };
    Some(AccessorElements {
        format,
        normalized: accessor.get("normalized") == Some(&Value::Bool(true)),
        count,
        bytes,
        stride,
        sparse,
    })
}

/// As [`elements`], but `None` also where there is nothing but zeros, or where too
/// much has been read already.
pub(super) fn stored_elements<'a>(doc: &'a Doc<'_>, index: usize) -> Option<AccessorElements<'a>> {
    sampled_elements(doc, index, usize::MAX)
}

/// The same for who reads at most so many of them.
pub(super) fn sampled_elements<'a>(
    doc: &'a Doc<'_>,
    index: usize,
    most: usize,
) -> Option<AccessorElements<'a>> {
    let elements = elements(doc, index)?;
    let stored = elements.bytes.is_some_and(|bytes| !bytes.is_empty()) || elements.sparse.is_some();
    let numbers = elements.count.min(most).saturating_mul(elements.format.kind.components);
    (stored && doc.work.take(numbers)).then_some(elements)
}

/// The bytes of a buffer view, if they are all there.
pub(super) fn view_bytes<'a>(doc: &'a Doc<'_>, index: usize) -> Option<&'a [u8]> {
    let view = doc.one("bufferViews", index)?;
    let buffer: &Cow<'_, [u8]> = doc.buffers.get(whole(view, "buffer")?)?.as_ref()?;
    let from = whole(view, "byteOffset").unwrap_or(0);
    buffer.get(from..from.checked_add(whole(view, "byteLength")?)?)
}

/// Of a sparse accessor: which elements it replaces and the type of their numbers,
/// and what stands in their place.
pub(super) fn sparse_parts<'a>(
    doc: &'a Doc<'_>,
    sparse: &Value,
    format: ElementFormat,
) -> Option<(&'a [u8], Component, &'a [u8])> {
    let count = whole(sparse, "count")?;
    let part = |name: &str, size: usize| {
        let part = sparse.get(name)?;
        let bytes = view_bytes(doc, whole(part, "bufferView")?)?;
        let from = whole(part, "byteOffset").unwrap_or(0);
        bytes.get(from..from.checked_add(count.checked_mul(size)?)?)
    };
    let component = component_of(sparse.get("indices")?)?;
    let places = part("indices", component.size())?;
    Some((places, component, part("values", format.size())?))
}

/// The elements that a sparse accessor replaces, in the file's order.
pub(super) fn places(bytes: &[u8], component: Component) -> impl Iterator<Item = usize> {
    let places = bytes.chunks_exact(component.size());
    places.map(move |place| component.decode(place, false) as usize)
}

// Accessors: where their bytes lie, and whether the numbers are sound.

/// How far a declared bound may be off, in parts of the range of the data:
/// decimals that were rounded.
const ROUNDING: f64 = 1e-5;

/// All accessors.
pub(super) fn examine_accessors(doc: &Doc<'_>, found: &mut Findings) {
    for (index, accessor) in doc.each("accessors") {
        let pointer = format!("/accessors/{index}");
        layout(doc, accessor, &pointer, found);
        sparse(doc, accessor, &pointer, found);
        bounds_lengths(accessor, &pointer, found);
        if let Some(elements) = stored_elements(doc, index) {
            numbers(&elements, accessor, &pointer, found);
        }
    }
}

fn layout(doc: &Doc<'_>, accessor: &Value, pointer: &str, found: &mut Findings) {
    let (Some(format), Some(count)) = (format_of(accessor), whole(accessor, "count")) else {
        return;
    };
    let normalized = accessor.get("normalized") == Some(&Value::Bool(true));
    if normalized && matches!(format.component, Component::F32 | Component::U32) {
        found
            .add(&fault::ACCESSOR_NORMALIZED_INVALID, format_args!("{pointer}/normalized"))
            .expected("8- or 16-bit integers", format.component.name());
    }
    let Some(view) = whole(accessor, "bufferView") else {
        if count > MOST_ZEROS {
            found.add(&fault::ACCESSOR_TOO_LARGE, format_args!("{pointer}/count")).expected(
                format_args!("at most {MOST_ZEROS} elements without a buffer view"),
                count,
            );
        }
        return;
    };
    let Some(view) = doc.one("bufferViews", view) else {
        return;
    };
    let size = format.size();
    let stride = whole(view, "byteStride").unwrap_or(size);
    if stride < size {
        found.add(&fault::ACCESSOR_SMALL_BYTESTRIDE, pointer).expected(
            format_args!("at least the {size} bytes of one element"),
            format_args!("a byteStride of {stride}"),
        );
    }
    let offset = whole(accessor, "byteOffset").unwrap_or(0);
    let start = whole(view, "byteOffset").unwrap_or(0).checked_add(offset);
    let component = format.component.size();
    if let Some(start) = start.filter(|start| start % component != 0) {
        found.add(&fault::ACCESSOR_TOTAL_OFFSET_ALIGNMENT, pointer).expected(
            format_args!("a multiple of {component}"),
            format_args!("byte {start} of the buffer"),
        );
    }
    let length = whole(view, "byteLength").unwrap_or(usize::MAX);
    let end = format.span(count, stride);
    let end = end.and_then(|needed| needed.checked_add(offset));
    if end.is_none_or(|end| end > length) {
        found.add(&fault::ACCESSOR_TOO_LONG, pointer).expected(
            format_args!("an end within the view’s {length} bytes"),
            format_args!("{count} elements of {size} bytes, {stride} apart, from {offset}"),
        );
    }
}

fn sparse(doc: &Doc<'_>, accessor: &Value, pointer: &str, found: &mut Findings) {
    let (Some(sparse), Some(format)) = (accessor.get("sparse"), format_of(accessor)) else {
        return;
    };
    let count = whole(accessor, "count").unwrap_or(0);
    let replaced = whole(sparse, "count").unwrap_or(0);
    if replaced > count {
        found
            .add(&fault::ACCESSOR_SPARSE_COUNT_OUT_OF_RANGE, format_args!("{pointer}/sparse/count"))
            .expected(format_args!("at most {count}, the accessor’s own count"), replaced);
    }
    for part in ["indices", "values"] {
        if let Some(stored) = sparse.get(part) {
            let pointer = format!("{pointer}/sparse/{part}/bufferView");
            let fault = &fault::BUFFER_VIEW_INVALID_BYTE_STRIDE;
            without_stride(doc, stored, fault, &pointer, found);
        }
    }
    if !doc.work.take(replaced) {
        return;
    }
    let Some((stored, component, _)) = sparse_parts(doc, sparse, format) else {
        return;
    };
    let pointer = format!("{pointer}/sparse/indices");
    let mut before: Option<usize> = None;
    for place in places(stored, component) {
        if place >= count {
            found
                .add(&fault::ACCESSOR_SPARSE_INDEX_OOB, pointer.as_str())
                .expected(format_args!("indices below {count}"), place);
        }
        if let Some(before) = before.filter(|&before| place <= before) {
            found
                .add(&fault::ACCESSOR_SPARSE_INDICES_NON_INCREASING, pointer.as_str())
                .expected(format_args!("more than {before}"), place);
        }
        before = Some(place);
    }
}

/// Does an accessor stand for nothing but zeros?
pub(super) fn has_no_data(accessor: &Value) -> bool {
    ["bufferView", "sparse", "extensions"].iter().all(|name| accessor.get(*name).is_none())
}

/// For data that is not of vertices: its view has no stride.
pub(super) fn without_stride(
    doc: &Doc<'_>,
    accessor: &Value,
    fault: &DoctorFault,
    pointer: &str,
    found: &mut Findings,
) {
    let view = doc.referred(accessor, "bufferView", "bufferViews");
    if let Some(stride) = view.and_then(|view| whole(view, "byteStride")) {
        let shown = format!("a byteStride of {stride}");
        found.add(fault, pointer).expected("a view without byteStride", shown);
    }
}

/// For data whose bounds must be declared.
pub(super) fn with_bounds(
    accessor: &Value,
    fault: &DoctorFault,
    pointer: &str,
    found: &mut Findings,
) {
    if accessor.get("min").is_none() || accessor.get("max").is_none() {
        found.add(fault, pointer).expected("min and max", "none");
    }
}

fn bounds_lengths(accessor: &Value, pointer: &str, found: &mut Findings) {
    let Some(kind) = text(accessor, "type") else {
        return;
    };
    let Some(width) = ElementType::from_name(kind).map(|kind| kind.components) else {
        return;
    };
    for name in ["min", "max"] {
        let Some(bound) = accessor.get(name).and_then(Value::as_array) else {
            continue;
        };
        // Other lengths than those of any type have been reported.
        if bound.len() != width && matches!(bound.len(), 1..=4 | 9 | 16) {
            found
                .add(&super::catalog::ARRAY_LENGTH_NOT_IN_LIST, format_args!("{pointer}/{name}"))
                .expected(format_args!("{width} numbers, as {kind} has"), bound.len().to_string());
        }
    }
}

/// Range of one number over all elements.
#[derive(Clone, Copy)]
struct Range {
    least: f64,
    most: f64,
}

fn numbers(elements: &AccessorElements<'_>, accessor: &Value, pointer: &str, found: &mut Findings) {
    let width = elements.format.kind.components;
    let mut ranges = vec![Range { least: f64::INFINITY, most: f64::NEG_INFINITY }; width];
    let mut wild = (0, None);
    for index in 0..elements.count {
        for (lane, range) in ranges.iter_mut().enumerate() {
            let number = elements.stored(index, lane);
            if number.is_finite() {
                range.least = range.least.min(number);
                range.most = range.most.max(number);
            } else {
                wild.0 += 1;
                wild.1.get_or_insert((index, lane, number));
            }
        }
    }
    if let (count, Some((index, lane, number))) = wild {
        found
            .add_many(&fault::ACCESSOR_INVALID_FLOAT, count, pointer)
            .expected("finite numbers", format_args!("{number} in element {index}, number {lane}"));
    }
    for (lane, range) in ranges.iter().enumerate() {
        let slack = ROUNDING * (range.most - range.least).max(1e-6);
        for (name, actual) in [("min", range.least), ("max", range.most)] {
            let declared = list(accessor, name).get(lane).and_then(Value::as_f64);
            let Some(declared) = declared.filter(|_| actual.is_finite()) else {
                continue;
            };
            // In a file, both are 32-bit floats.
            let off = f64::from(declared as f32) - f64::from(actual as f32);
            if off != 0.0 {
                let fault = bound_fault(name, off.abs() > slack);
                let place = ModelPlace::at(format!("{pointer}/{name}/{lane}"));
                let (actual, declared) = (actual.to_string(), declared.to_string());
                found.add(&fault, place).expected(actual, declared);
            }
        }
    }
}

fn bound_fault(name: &str, matters: bool) -> DoctorFault {
    let fault = match name {
        "min" => fault::ACCESSOR_MIN_MISMATCH,
        _ => fault::ACCESSOR_MAX_MISMATCH,
    };
    if matters { fault } else { fault.as_note() }
}
