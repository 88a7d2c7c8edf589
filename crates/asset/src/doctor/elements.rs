//! The numbers behind an accessor, every access checked.

use std::borrow::Cow;

use serde_json::Value;

use super::doc::{Doc, as_whole, text, whole};
pub(super) use crate::Component;
use crate::gltf::MOST_ZEROS;
pub(super) use crate::gltf_file::AccessorElements;
use crate::gltf_file::Sparse;
use crate::{ElementFormat, ElementType};

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
    let elements = elements(doc, index)?;
    let stored = elements.bytes.is_some_and(|bytes| !bytes.is_empty()) || elements.sparse.is_some();
    let numbers = elements.count.saturating_mul(elements.format.kind.components);
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
