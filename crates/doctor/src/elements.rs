//! Accessors: access to their elements with every range checked, and checks of their layout,
//! bounds and numbers.

use std::ops::RangeBounds;

use bindpose_diagnostic::ModelPlace;
use bindpose_gltf::decoding::values::{as_usize, get_list, get_str, get_usize};
use bindpose_gltf::decoding::{AccessorElements, MAX_ELEMENTS_WITHOUT_VIEW, Sparse};
use bindpose_gltf::{Component, ElementFormat, ElementType};
use serde_json::Value;

use super::catalog as fault;
use super::catalog::DoctorFault;
use super::document::RawDocument;
use super::findings::Findings;

/// Relative error of declared bounds below which they count as rounded decimals.
const BOUNDS_TOLERANCE: f64 = 1e-5;

/// Returns the component type that an accessor, or a part of a sparse one, declares.
pub(super) fn component_of(object: &Value) -> Option<Component> {
    let code = get_usize(object, "componentType")?;
    Component::from_code(u32::try_from(code).ok()?)
}

/// Returns the format of an accessor's elements.
pub(super) fn element_format(accessor: &Value) -> Option<ElementFormat> {
    Some(ElementFormat {
        component: component_of(accessor)?,
        kind: ElementType::from_name(get_str(accessor, "type")?)?,
    })
}

/// Returns whether integers of an accessor stand for fractions.
pub(super) fn is_normalized(accessor: &Value) -> bool {
    accessor.get("normalized") == Some(&Value::Bool(true))
}

/// Returns the elements of an accessor. `None` if it is missing or unsound, which
/// [`examine_accessors`] reports.
pub(super) fn find_elements<'a>(
    doc: &'a RawDocument<'_>,
    index: usize,
) -> Option<AccessorElements<'a>> {
    let accessor = doc.get("accessors", index)?;
    let format = element_format(accessor)?;
    let count = get_usize(accessor, "count")?;
    let mut stride = format.size();
    let mut bytes = None;
    if let Some(view) = accessor.get("bufferView") {
        let view = as_usize(view)?;
        let data = view_bytes(doc, view)?;
        if let Some(declared) = doc.get("bufferViews", view)?.get("byteStride") {
            stride = as_usize(declared).filter(|&stride| stride >= format.size())?;
        }
        let offset = get_usize(accessor, "byteOffset").unwrap_or(0);
        let length = format.span(count, stride)?;
        bytes = Some(data.get(offset..offset.checked_add(length)?)?);
    } else if count > MAX_ELEMENTS_WITHOUT_VIEW {
        return None;
    }
    let sparse = match accessor.get("sparse") {
        Some(sparse) if doc.work.try_spend(get_usize(sparse, "count")?) => {
            let SparseParts { indices, index_component, values } =
                sparse_parts(doc, sparse, format)?;
            Some(Sparse::new(indices, index_component, values, count).ok()?)
        }
        Some(_) => return None,
        None => None,
    };
    Some(AccessorElements {
        format,
        normalized: is_normalized(accessor),
        count,
        bytes,
        stride,
        sparse,
    })
}

/// Returns the elements of an accessor to read all of them. `None` as in [`find_elements`], if
/// all of them are implicit zeros, and if the budget is exhausted.
pub(super) fn read_elements<'a>(
    doc: &'a RawDocument<'_>,
    index: usize,
) -> Option<AccessorElements<'a>> {
    read_some_elements(doc, index, usize::MAX)
}

/// Like [`read_elements`], for callers that read at most `max_elements` of them.
pub(super) fn read_some_elements<'a>(
    doc: &'a RawDocument<'_>,
    index: usize,
    max_elements: usize,
) -> Option<AccessorElements<'a>> {
    let elements = find_elements(doc, index)?;
    let has_bytes = elements.bytes.is_some_and(|bytes| !bytes.is_empty());
    let numbers = elements.count.min(max_elements).saturating_mul(elements.format.kind.components);
    let is_stored = has_bytes || elements.sparse.is_some();
    (is_stored && doc.work.try_spend(numbers)).then_some(elements)
}

/// Reads an attribute with one of the given numbers of components, for callers that read the
/// corners of at most `max_triangles` triangles of it.
pub(super) fn read_sampled_attribute<'a>(
    doc: &'a RawDocument<'_>,
    attributes: &Value,
    name: &str,
    component_counts: impl RangeBounds<usize>,
    max_triangles: usize,
) -> Option<AccessorElements<'a>> {
    let elements = read_some_elements(doc, get_usize(attributes, name)?, 3 * max_triangles)?;
    component_counts.contains(&elements.format.kind.components).then_some(elements)
}

/// Returns the bytes of a buffer view. `None` unless all of them are available.
pub(super) fn view_bytes<'a>(doc: &'a RawDocument<'_>, index: usize) -> Option<&'a [u8]> {
    let view = doc.get("bufferViews", index)?;
    let buffer = doc.buffers.get(get_usize(view, "buffer")?)?.as_ref()?;
    let start = get_usize(view, "byteOffset").unwrap_or(0);
    buffer.get(start..start.checked_add(get_usize(view, "byteLength")?)?)
}

/// The bytes of a sparse accessor's replacements.
pub(super) struct SparseParts<'a> {
    /// Indices of the replaced elements, in the file's order.
    pub(super) indices: &'a [u8],
    pub(super) index_component: Component,
    pub(super) values: &'a [u8],
}

impl SparseParts<'_> {
    /// Iterates over the indices of the replaced elements, in the file's order.
    pub(super) fn indices(&self) -> impl Iterator<Item = usize> {
        self.indices
            .chunks_exact(self.index_component.size())
            .map(|index| self.index_component.decode(index, false) as usize)
    }
}

/// Returns the parts of a sparse accessor. `None` unless all of their bytes are available.
pub(super) fn sparse_parts<'a>(
    doc: &'a RawDocument<'_>,
    sparse: &Value,
    format: ElementFormat,
) -> Option<SparseParts<'a>> {
    let count = get_usize(sparse, "count")?;
    let indices = sparse.get("indices")?;
    let index_component = component_of(indices)?;
    Some(SparseParts {
        indices: sparse_bytes(doc, indices, count, index_component.size())?,
        index_component,
        values: sparse_bytes(doc, sparse.get("values")?, count, format.size())?,
    })
}

fn sparse_bytes<'a>(
    doc: &'a RawDocument<'_>,
    part: &Value,
    count: usize,
    element_size: usize,
) -> Option<&'a [u8]> {
    let bytes = view_bytes(doc, get_usize(part, "bufferView")?)?;
    let start = get_usize(part, "byteOffset").unwrap_or(0);
    bytes.get(start..start.checked_add(count.checked_mul(element_size)?)?)
}

/// Examines the layout, the sparse parts, the bounds and the numbers of all accessors.
pub(super) fn examine_accessors(doc: &RawDocument<'_>, findings: &mut Findings) {
    for (index, accessor) in doc.entries("accessors") {
        let pointer = format!("/accessors/{index}");
        examine_layout(doc, accessor, &pointer, findings);
        examine_sparse(doc, accessor, &pointer, findings);
        examine_bounds_lengths(accessor, &pointer, findings);
        if let Some(elements) = read_elements(doc, index) {
            examine_numbers(&elements, accessor, &pointer, findings);
        }
    }
}

fn examine_layout(doc: &RawDocument<'_>, accessor: &Value, pointer: &str, findings: &mut Findings) {
    let Some(format) = element_format(accessor) else {
        return;
    };
    let Some(count) = get_usize(accessor, "count") else {
        return;
    };
    if is_normalized(accessor) && matches!(format.component, Component::F32 | Component::U32) {
        findings
            .add(&fault::ACCESSOR_NORMALIZED_INVALID, format_args!("{pointer}/normalized"))
            .expected("8- or 16-bit integers", format.component.name());
    }
    let Some(view) = get_usize(accessor, "bufferView") else {
        if count > MAX_ELEMENTS_WITHOUT_VIEW {
            findings.add(&fault::ACCESSOR_TOO_LARGE, format_args!("{pointer}/count")).expected(
                format_args!("at most {MAX_ELEMENTS_WITHOUT_VIEW} elements without a buffer view"),
                count,
            );
        }
        return;
    };
    let Some(view) = doc.get("bufferViews", view) else {
        return;
    };
    let size = format.size();
    let stride = get_usize(view, "byteStride").unwrap_or(size);
    if stride < size {
        findings.add(&fault::ACCESSOR_SMALL_BYTESTRIDE, pointer).expected(
            format_args!("at least the {size} bytes of one element"),
            format_args!("a byteStride of {stride}"),
        );
    }
    let offset = get_usize(accessor, "byteOffset").unwrap_or(0);
    let start = get_usize(view, "byteOffset").unwrap_or(0).checked_add(offset);
    let alignment = format.component.size();
    if let Some(start) = start.filter(|start| start % alignment != 0) {
        findings.add(&fault::ACCESSOR_TOTAL_OFFSET_ALIGNMENT, pointer).expected(
            format_args!("a multiple of {alignment}"),
            format_args!("byte {start} of the buffer"),
        );
    }
    let view_length = get_usize(view, "byteLength").unwrap_or(usize::MAX);
    let end = format.span(count, stride).and_then(|length| length.checked_add(offset));
    if end.is_none_or(|end| end > view_length) {
        findings.add(&fault::ACCESSOR_TOO_LONG, pointer).expected(
            format_args!("an end within the view’s {view_length} bytes"),
            format_args!("{count} elements of {size} bytes, {stride} apart, from {offset}"),
        );
    }
}

fn examine_sparse(doc: &RawDocument<'_>, accessor: &Value, pointer: &str, findings: &mut Findings) {
    let Some(sparse) = accessor.get("sparse") else {
        return;
    };
    let Some(format) = element_format(accessor) else {
        return;
    };
    let count = get_usize(accessor, "count").unwrap_or(0);
    let replaced = get_usize(sparse, "count").unwrap_or(0);
    if replaced > count {
        findings
            .add(&fault::ACCESSOR_SPARSE_COUNT_OUT_OF_RANGE, format_args!("{pointer}/sparse/count"))
            .expected(format_args!("at most {count}, the accessor’s own count"), replaced);
    }
    for name in ["indices", "values"] {
        if let Some(part) = sparse.get(name) {
            let pointer = format!("{pointer}/sparse/{name}/bufferView");
            let fault = &fault::BUFFER_VIEW_INVALID_BYTE_STRIDE;
            reject_stride(doc, part, fault, &pointer, findings);
        }
    }
    if !doc.work.try_spend(replaced) {
        return;
    }
    let Some(parts) = sparse_parts(doc, sparse, format) else {
        return;
    };
    let pointer = format!("{pointer}/sparse/indices");
    let mut previous: Option<usize> = None;
    for index in parts.indices() {
        if index >= count {
            findings
                .add(&fault::ACCESSOR_SPARSE_INDEX_OOB, pointer.as_str())
                .expected(format_args!("indices below {count}"), index);
        }
        if let Some(previous) = previous.filter(|&previous| index <= previous) {
            findings
                .add(&fault::ACCESSOR_SPARSE_INDICES_NON_INCREASING, pointer.as_str())
                .expected(format_args!("more than {previous}"), index);
        }
        previous = Some(index);
    }
}

/// Returns whether all elements of an accessor are implicit zeros.
pub(super) fn has_no_data(accessor: &Value) -> bool {
    ["bufferView", "sparse", "extensions"].iter().all(|name| accessor.get(*name).is_none())
}

/// Reports a stride of the buffer view that `object` uses. Only vertex data may have one.
pub(super) fn reject_stride(
    doc: &RawDocument<'_>,
    object: &Value,
    fault: &DoctorFault,
    pointer: &str,
    findings: &mut Findings,
) {
    let view = doc.resolve(object, "bufferView", "bufferViews");
    if let Some(stride) = view.and_then(|view| get_usize(view, "byteStride")) {
        findings
            .add(fault, pointer)
            .expected("a view without byteStride", format_args!("a byteStride of {stride}"));
    }
}

/// Reports missing bounds of an accessor that must declare them.
pub(super) fn require_bounds(
    accessor: &Value,
    fault: &DoctorFault,
    pointer: &str,
    findings: &mut Findings,
) {
    if accessor.get("min").is_none() || accessor.get("max").is_none() {
        findings.add(fault, pointer).expected("min and max", "none");
    }
}

fn examine_bounds_lengths(accessor: &Value, pointer: &str, findings: &mut Findings) {
    let Some(type_name) = get_str(accessor, "type") else {
        return;
    };
    let Some(kind) = ElementType::from_name(type_name) else {
        return;
    };
    let width = kind.components;
    for name in ["min", "max"] {
        let Some(bound) = accessor.get(name).and_then(Value::as_array) else {
            continue;
        };
        // The schema has reported lengths that fit no type at all.
        if bound.len() != width && matches!(bound.len(), 1..=4 | 9 | 16) {
            findings
                .add(&fault::ARRAY_LENGTH_NOT_IN_LIST, format_args!("{pointer}/{name}"))
                .expected(format_args!("{width} numbers, as {type_name} has"), bound.len());
        }
    }
}

/// Range of one component over all elements.
#[derive(Clone, Copy)]
struct ComponentRange {
    min: f64,
    max: f64,
}

/// Reports numbers that are not finite, and bounds that differ from the data.
fn examine_numbers(
    elements: &AccessorElements<'_>,
    accessor: &Value,
    pointer: &str,
    findings: &mut Findings,
) {
    let width = elements.format.kind.components;
    let mut ranges = vec![ComponentRange { min: f64::INFINITY, max: f64::NEG_INFINITY }; width];
    let mut invalid_count = 0;
    let mut first_invalid = None;
    for index in 0..elements.count {
        for (lane, range) in ranges.iter_mut().enumerate() {
            let number = elements.stored(index, lane);
            if number.is_finite() {
                range.min = range.min.min(number);
                range.max = range.max.max(number);
            } else {
                invalid_count += 1;
                first_invalid.get_or_insert((index, lane, number));
            }
        }
    }
    if let Some((index, lane, number)) = first_invalid {
        findings
            .add_many(&fault::ACCESSOR_INVALID_FLOAT, invalid_count, pointer)
            .expected("finite numbers", format_args!("{number} in element {index}, number {lane}"));
    }
    for (lane, range) in ranges.iter().enumerate() {
        let tolerance = BOUNDS_TOLERANCE * (range.max - range.min).max(1e-6);
        for (name, fault, actual) in [
            ("min", fault::ACCESSOR_MIN_MISMATCH, range.min),
            ("max", fault::ACCESSOR_MAX_MISMATCH, range.max),
        ] {
            let declared = get_list(accessor, name).get(lane).and_then(Value::as_f64);
            let Some(declared) = declared.filter(|_| actual.is_finite()) else {
                continue;
            };
            // Compared as the 32-bit floats that readers load.
            let error = f64::from(declared as f32) - f64::from(actual as f32);
            if error != 0.0 {
                let fault = if error.abs() > tolerance { fault } else { fault.as_note() };
                let place = ModelPlace::at(format!("{pointer}/{name}/{lane}"));
                findings.add(&fault, place).expected(actual, declared);
            }
        }
    }
}
