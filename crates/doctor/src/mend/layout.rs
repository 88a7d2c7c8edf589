//! The layout of accessors: strides, alignment, sparse parts. Mending keeps all numbers and
//! moves them to valid places.

use std::collections::BTreeSet;

use bindpose_gltf::decoding::values::{as_usize, get_list, get_str, get_usize};
use serde_json::{Value, json};

use super::draft::{AccessorData, Draft, accessor_index};
use crate::document::RawDocument;
use crate::elements::{element_format, find_elements, is_normalized, sparse_parts, view_bytes};

pub(super) fn mend_layout(draft: &mut Draft) {
    remove_small_strides(draft);
    remove_sparse_strides(draft);
    let vertex_accessors = vertex_accessors(&draft.doc);
    let other_accessors = accessors_without_stride(&draft.doc);
    for index in 0..draft.doc.list("accessors").len() {
        let is_vertex_data = vertex_accessors.contains(&index);
        let has_invalid_stride = !is_vertex_data
            && other_accessors.contains(&index)
            && stride_of(&draft.doc, index).is_some();
        let must_rewrite = has_invalid_stride
            || is_unaligned(&draft.doc, index, is_vertex_data)
            || is_sparse_unordered(&draft.doc, index);
        if must_rewrite && let Some(data) = packed_data(&draft.doc, index, is_vertex_data) {
            draft.write_accessor(index, data);
        }
    }
}

fn view_of<'a>(doc: &'a RawDocument<'_>, accessor: usize) -> Option<&'a Value> {
    doc.resolve(doc.get("accessors", accessor)?, "bufferView", "bufferViews")
}

fn stride_of(doc: &RawDocument<'_>, accessor: usize) -> Option<usize> {
    get_usize(view_of(doc, accessor)?, "byteStride")
}

/// Removes strides smaller than an element if the packed elements fill the view exactly.
fn remove_small_strides(draft: &mut Draft) {
    for index in 0..draft.doc.list("accessors").len() {
        if let Some(view) = view_with_small_stride(&draft.doc, index) {
            copy_view(draft, view, &format!("/accessors/{index}"));
        }
    }
}

fn view_with_small_stride(doc: &RawDocument<'_>, index: usize) -> Option<usize> {
    let accessor = doc.get("accessors", index)?;
    let size = element_format(accessor)?.size();
    if stride_of(doc, index)? >= size {
        return None;
    }
    let length = get_usize(view_of(doc, index)?, "byteLength")?;
    let offset = get_usize(accessor, "byteOffset").unwrap_or(0);
    let needed = get_usize(accessor, "count")?.checked_mul(size)?.checked_add(offset)?;
    let is_exact = needed <= length && length - needed < 4;
    get_usize(accessor, "bufferView").filter(|_| is_exact)
}

/// Removes strides from the views of sparse parts, where readers ignore them.
fn remove_sparse_strides(draft: &mut Draft) {
    for index in 0..draft.doc.list("accessors").len() {
        for name in ["indices", "values"] {
            let pointer = format!("/accessors/{index}/sparse/{name}");
            let part = draft.doc.root.pointer(&pointer);
            let Some(view) = part.and_then(|part| get_usize(part, "bufferView")) else {
                continue;
            };
            let declared = draft.doc.get("bufferViews", view);
            if declared.is_some_and(|view| view.get("byteStride").is_some()) {
                copy_view(draft, view, &pointer);
            }
        }
    }
}

/// Gives the object at `pointer` a view of its own with the same bytes and no stride.
fn copy_view(draft: &mut Draft, view: usize, pointer: &str) {
    let Some(bytes) = view_bytes(&draft.doc, view).map(<[u8]>::to_vec) else {
        return;
    };
    let copy = draft.push_view(bytes, None);
    if let Some(user) = draft.object_mut(pointer) {
        user.insert("bufferView".to_owned(), json!(copy));
    }
}

/// Returns the accessors of attributes and morph targets.
fn vertex_accessors(doc: &RawDocument<'_>) -> BTreeSet<usize> {
    doc.primitives()
        .flat_map(|primitive| {
            get_list(primitive, "targets").iter().chain(primitive.get("attributes"))
        })
        .filter_map(Value::as_object)
        .flatten()
        .filter_map(|(_, accessor)| as_usize(accessor))
        .collect()
}

/// Returns the accessors of indices, inverse bind matrices and keys, which must not have a
/// stride.
fn accessors_without_stride(doc: &RawDocument<'_>) -> BTreeSet<usize> {
    let indices = doc.primitives().map(|primitive| (primitive, "indices"));
    let binds = doc.list("skins").iter().map(|skin| (skin, "inverseBindMatrices"));
    let times = doc.samplers().map(|sampler| (sampler, "input"));
    let values = doc.samplers().map(|sampler| (sampler, "output"));
    indices
        .chain(binds)
        .chain(times)
        .chain(values)
        .filter_map(|(object, name)| accessor_index(doc, object, name))
        .collect()
}

fn is_unaligned(doc: &RawDocument<'_>, index: usize, is_vertex_data: bool) -> bool {
    let Some(accessor) = doc.get("accessors", index) else {
        return false;
    };
    let Some(view) = view_of(doc, index) else {
        return false;
    };
    let Some(format) = element_format(accessor) else {
        return false;
    };
    let offset = get_usize(accessor, "byteOffset").unwrap_or(0);
    let start = get_usize(view, "byteOffset").unwrap_or(0).saturating_add(offset);
    let stride = get_usize(view, "byteStride").unwrap_or(format.size());
    let is_4_aligned = offset.is_multiple_of(4) && stride.is_multiple_of(4);
    !start.is_multiple_of(format.component.size()) || is_vertex_data && !is_4_aligned
}

/// Returns whether a sparse accessor replaces elements out of order.
fn is_sparse_unordered(doc: &RawDocument<'_>, index: usize) -> bool {
    let Some(accessor) = doc.get("accessors", index) else {
        return false;
    };
    let Some(sparse) = accessor.get("sparse") else {
        return false;
    };
    let Some(format) = element_format(accessor) else {
        return false;
    };
    let Some(parts) = sparse_parts(doc, sparse, format) else {
        return false;
    };
    let indices: Vec<usize> = parts.indices().collect();
    indices.windows(2).any(|pair| pair[1] <= pair[0])
}

/// Returns all elements of an accessor, packed tightly; those of vertices at multiples of 4.
fn packed_data(doc: &RawDocument<'_>, index: usize, is_vertex_data: bool) -> Option<AccessorData> {
    let accessor = doc.get("accessors", index)?;
    let elements = find_elements(doc, index)?;
    let size = elements.format.size();
    let stride = if is_vertex_data { size.next_multiple_of(4) } else { size };
    let mut bytes = Vec::with_capacity(elements.count * stride);
    for element in 0..elements.count {
        let start = bytes.len();
        bytes.extend_from_slice(elements.raw(element));
        bytes.resize(start + stride, 0);
    }
    Some(AccessorData {
        component: elements.format.component,
        type_name: get_str(accessor, "type")?.to_owned(),
        normalized: is_normalized(accessor),
        count: elements.count,
        bytes,
        stride: (stride != size).then_some(stride),
    })
}
