//! The numbers behind an accessor, every access checked.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::Value;

use super::doc::{Doc, as_whole, text, whole};
pub(super) use crate::asset::Component;
use crate::asset::ElementType;
use crate::asset::gltf::MOST_ZEROS;

/// The type of an accessor's numbers, or of those of a part of it.
fn component_of(accessor: &Value) -> Option<Component> {
    let code = whole(accessor, "componentType")?;
    Component::from_code(u32::try_from(code).ok()?)
}

/// How many numbers an accessor's type has; `None` for an unknown one.
pub(super) fn width(kind: &str) -> Option<usize> {
    ElementType::from_name(kind).map(|kind| kind.components)
}

/// How an element lies in its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Format {
    pub(super) component: Component,
    /// Numbers in one element.
    pub(super) width: usize,
    /// Rows of a matrix; each column begins at a multiple of 4 bytes.
    rows: Option<usize>,
}

impl Format {
    pub(super) fn from_accessor(accessor: &Value) -> Option<Self> {
        let kind = text(accessor, "type")?;
        Some(Self {
            component: component_of(accessor)?,
            width: width(kind)?,
            rows: kind.strip_prefix("MAT").and_then(|rows| rows.parse().ok()),
        })
    }

    /// Bytes from an element's first number to one of its others.
    fn offset(self, lane: usize) -> usize {
        let size = self.component.size();
        match self.rows {
            Some(rows) => {
                let column = (rows * size).next_multiple_of(4);
                lane / rows * column + lane % rows * size
            }
            None => lane * size,
        }
    }

    /// Bytes from the first number of an element to the end of its last: what the
    /// last element takes, without the padding behind its last column.
    pub(super) fn reach(self) -> usize {
        self.offset(self.width - 1) + self.component.size()
    }

    /// Bytes of one element, from its beginning to that of the next.
    pub(super) fn size(self) -> usize {
        match self.rows {
            Some(rows) => rows * (rows * self.component.size()).next_multiple_of(4),
            None => self.width * self.component.size(),
        }
    }
}

/// An accessor whose bytes are all there.
#[derive(Debug)]
pub(super) struct Elements<'a> {
    pub(super) format: Format,
    pub(super) count: usize,
    normalized: bool,
    stride: usize,
    /// From the first element on; empty where all are zero.
    bytes: &'a [u8],
    /// Elements that replace those of `bytes`.
    sparse: BTreeMap<usize, &'a [u8]>,
}

impl<'a> Elements<'a> {
    /// `None` where the accessor is not there, or not sound; why is told by who
    /// examines the accessors.
    pub(super) fn new(doc: &'a Doc<'_>, index: usize) -> Option<Self> {
        let accessor = doc.one("accessors", index)?;
        let format = Format::from_accessor(accessor)?;
        let count = whole(accessor, "count")?;
        let mut stride = format.size();
        let mut bytes: &[u8] = &[];
        if let Some(view) = accessor.get("bufferView") {
            let view = as_whole(view)?;
            let data = view_bytes(doc, view)?;
            if let Some(declared) = doc.one("bufferViews", view)?.get("byteStride") {
                stride = as_whole(declared)?;
            }
            let offset = whole(accessor, "byteOffset").unwrap_or(0);
            let length = span(count, stride, format.reach())?;
            if stride < format.size() {
                return None;
            }
            bytes = data.get(offset..offset.checked_add(length)?)?;
        } else if count > MOST_ZEROS {
            return None;
        }
        let mut elements = Self {
            format,
            count,
            normalized: accessor.get("normalized") == Some(&Value::Bool(true)),
            stride,
            bytes,
            sparse: BTreeMap::new(),
        };
        if let Some(sparse) = accessor.get("sparse") {
            if !doc.work.take(whole(sparse, "count")?) {
                return None;
            }
            let (places, values) = sparse_parts(doc, sparse, format)?;
            for (place, value) in places.zip(values.chunks_exact(format.size())) {
                if place >= count {
                    return None;
                }
                elements.sparse.insert(place, value);
            }
        }
        Some(elements)
    }

    /// As [`Self::new`], but `None` also where there is nothing but zeros, or
    /// where too much has been read already.
    pub(super) fn with_data(doc: &'a Doc<'_>, index: usize) -> Option<Self> {
        let elements = Self::new(doc, index)?;
        let stored = !elements.bytes.is_empty() || !elements.sparse.is_empty();
        let numbers = elements.count.saturating_mul(elements.format.width);
        (stored && doc.work.take(numbers)).then_some(elements)
    }

    /// A number as it counts: divided by the largest if normalized.
    pub(super) fn number(&self, index: usize, lane: usize) -> f64 {
        self.decoded(index, lane, self.normalized)
    }

    /// The bytes of one element, without padding behind it; none where it is zeros.
    pub(super) fn raw(&self, index: usize) -> &[u8] {
        let element = match self.sparse.get(&index) {
            Some(element) => element,
            None => self.bytes.get(index * self.stride..).unwrap_or(&[]),
        };
        element.get(..self.format.reach()).unwrap_or(&[])
    }

    /// A number as stored, which is also how declared bounds count.
    pub(super) fn stored(&self, index: usize, lane: usize) -> f64 {
        self.decoded(index, lane, false)
    }

    /// What has no bytes is 0.
    fn decoded(&self, index: usize, lane: usize, normalized: bool) -> f64 {
        let from = self.format.offset(lane);
        let component = self.format.component;
        let bytes = self.raw(index).get(from..from + component.size());
        component.decode(bytes.unwrap_or_default(), normalized)
    }

    /// The first `N` numbers of an element.
    pub(super) fn vector<const N: usize>(&self, index: usize) -> [f64; N] {
        std::array::from_fn(|lane| self.number(index, lane))
    }
}

/// The bytes of a buffer view, if they are all there.
pub(super) fn view_bytes<'a>(doc: &'a Doc<'_>, index: usize) -> Option<&'a [u8]> {
    let view = doc.one("bufferViews", index)?;
    let buffer: &Cow<'_, [u8]> = doc.buffers.get(whole(view, "buffer")?)?.as_ref()?;
    let from = whole(view, "byteOffset").unwrap_or(0);
    buffer.get(from..from.checked_add(whole(view, "byteLength")?)?)
}

/// Bytes from the first of the first element to the last of the last.
pub(super) fn span(count: usize, stride: usize, size: usize) -> Option<usize> {
    match count.checked_sub(1) {
        Some(before_last) => before_last.checked_mul(stride)?.checked_add(size),
        None => Some(0),
    }
}

/// Places and bytes of the elements that a sparse accessor replaces.
pub(super) fn sparse_parts<'a>(
    doc: &'a Doc<'_>,
    sparse: &Value,
    format: Format,
) -> Option<(impl Iterator<Item = usize> + 'a, &'a [u8])> {
    let count = whole(sparse, "count")?;
    let part = |name: &str, size: usize| {
        let part = sparse.get(name)?;
        let bytes = view_bytes(doc, whole(part, "bufferView")?)?;
        let from = whole(part, "byteOffset").unwrap_or(0);
        bytes.get(from..from.checked_add(count.checked_mul(size)?)?)
    };
    let index = component_of(sparse.get("indices")?)?;
    let places = part("indices", index.size())?;
    let values = part("values", format.size())?;
    let places = places.chunks_exact(index.size()).map(|bytes| {
        let mut four = [0; 4];
        for (to, &from) in four.iter_mut().zip(bytes) {
            *to = from;
        }
        u32::from_le_bytes(four) as usize
    });
    Some((places, values))
}
