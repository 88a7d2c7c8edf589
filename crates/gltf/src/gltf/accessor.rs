//! Reads accessors, with all ranges checked. The readers of the gltf crate trust the file:
//! they panic, or return garbage, if it is invalid.

use std::fmt::Display;
use std::ops::Range;

use bindpose_diagnostic::Diagnostic;
use gltf::json::accessor::{Accessor as StoredAccessor, Type};
use gltf::json::validation::Checked;

use super::document::{GltfDocument, slice};
use super::error::{dangling, gltf_error, over_budget};
use crate::gltf_file::{
    AccessorElements, Component, ElementFormat, ElementType, MAX_ELEMENTS_WITHOUT_VIEW, Sparse,
};
use crate::read_error::code;

/// Elements read between two pauses.
pub(super) const BLOCK_LENGTH: usize = 1 << 12;

/// Splits `count` elements into ranges of at most `length`.
pub(super) fn blocks(count: usize, length: usize) -> impl Iterator<Item = Range<usize>> {
    (0..count).step_by(length).map(move |start| start..count.min(start + length))
}

/// An accessor whose bytes are known to be complete.
pub(super) struct Accessor<'a> {
    index: usize,
    elements: AccessorElements<'a>,
}

impl<'a> Accessor<'a> {
    /// Validates an accessor. `user` is the JSON pointer of the reference to it.
    pub(super) fn new(
        document: &'a GltfDocument<'_>,
        index: usize,
        user: &dyn Display,
    ) -> Result<Self, Diagnostic> {
        let accessors = &document.root.accessors;
        let stored = accessors
            .get(index)
            .ok_or_else(|| dangling(user, "accessors", accessors.len(), index))?;
        let format = format_of(stored).ok_or_else(|| unknown_type(stored, index))?;
        let (bytes, stride) = dense_elements(document, stored, format, index)?;
        let elements = AccessorElements {
            format,
            normalized: stored.normalized,
            count: usize::try_from(stored.count.0).unwrap_or(usize::MAX),
            bytes,
            stride,
            sparse: sparse_elements(document, stored, format.size(), index)?,
        };
        Ok(Self { index, elements })
    }

    pub(super) fn count(&self) -> usize {
        self.elements.count
    }

    pub(super) fn path(&self) -> String {
        format!("/accessors/{}", self.index)
    }

    /// Returns the number of components of an element, such as 3 for `VEC3`.
    pub(super) fn components(&self) -> usize {
        self.elements.format.kind.components
    }

    /// Returns whether the numbers are floats or normalized integers.
    pub(super) fn holds_fractions(&self) -> bool {
        self.elements.holds_fractions()
    }

    pub(super) fn is_float(&self) -> bool {
        self.elements.format.component == Component::F32
    }

    /// Appends a range of elements as floats. Returns an error if a number is not finite. See
    /// [`AccessorElements::append_floats`].
    pub(super) fn append_finite<const N: usize, T>(
        &self,
        range: Range<usize>,
        out: &mut Vec<T>,
        make: impl Fn([f32; N]) -> T,
    ) -> Result<(), Diagnostic> {
        self.expect_components(N)?;
        self.elements.append_floats(range, out, make).map_err(|element| {
            gltf_error(
                code::GLTF_INVALID,
                self.path(),
                "finite numbers",
                format_args!("NaN or infinity in element {element}"),
            )
            .help("repair it in the modelling program and export it again")
        })
    }

    /// Reads the first `count` elements as floats. Returns an error if a number is not finite.
    pub(super) fn read_first<const N: usize>(
        &self,
        count: usize,
    ) -> Result<Vec<[f32; N]>, Diagnostic> {
        let count = count.min(self.count());
        let mut values = Vec::with_capacity(count);
        self.append_finite(0..count, &mut values, |value| value)?;
        Ok(values)
    }

    /// Appends a range of elements as integers. Returns an error if they are not `u8`, `u16`
    /// or `u32`, or if they are normalized.
    pub(super) fn append_whole<const N: usize, T>(
        &self,
        range: Range<usize>,
        out: &mut Vec<T>,
        make: impl Fn([u32; N]) -> T,
    ) -> Result<(), Diagnostic> {
        self.expect_components(N)?;
        if !self.elements.normalized && self.elements.append_whole(range, out, make) {
            return Ok(());
        }
        Err(self.wrong_component("unsigned whole numbers, not normalized"))
    }

    /// Returns an error if the components are neither `f32` nor normalized.
    pub(super) fn expect_fractions(self) -> Result<Self, Diagnostic> {
        if self.holds_fractions() {
            return Ok(self);
        }
        Err(self.wrong_component("floats, or normalized whole numbers"))
    }

    /// Returns an error if the number of elements differs from that of the positions.
    pub(super) fn expect_count(self, count: usize) -> Result<Self, Diagnostic> {
        if self.count() == count {
            return Ok(self);
        }
        Err(gltf_error(
            code::GLTF_INVALID,
            format_args!("{}/count", self.path()),
            format_args!("{count}, as there are positions"),
            self.count(),
        )
        .help("all attributes of a primitive have the same length; export the file again"))
    }

    fn wrong_component(&self, expected: &str) -> Diagnostic {
        let normalized = if self.elements.normalized { "normalized" } else { "not normalized" };
        gltf_error(
            code::GLTF_INVALID,
            format_args!("{}/componentType", self.path()),
            expected,
            format_args!("{}, {normalized}", self.elements.format.component.name()),
        )
    }

    fn expect_components(&self, expected: usize) -> Result<(), Diagnostic> {
        if self.components() == expected {
            return Ok(());
        }
        Err(gltf_error(
            code::GLTF_INVALID,
            format_args!("{}/type", self.path()),
            match expected {
                1 => "SCALAR",
                2 => "VEC2",
                3 => "VEC3",
                4 => "VEC4",
                _ => "MAT4",
            },
            self.elements.format.kind.name,
        )
        .help("the accessor is used for something it does not hold; export the file again"))
    }
}

/// Returns the bytes of the elements, without the sparse part, and their stride. The bytes are
/// `None` if the accessor has no view, so that all elements are zero.
fn dense_elements<'a>(
    document: &'a GltfDocument<'_>,
    stored: &StoredAccessor,
    format: ElementFormat,
    index: usize,
) -> Result<(Option<&'a [u8]>, usize), Diagnostic> {
    let size = format.size();
    let count = stored.count.0;
    let Some(view) = stored.buffer_view else {
        if count > MAX_ELEMENTS_WITHOUT_VIEW as u64 {
            return Err(gltf_error(
                code::GLTF_TOO_LARGE,
                format_args!("/accessors/{index}/count"),
                format_args!("at most {MAX_ELEMENTS_WITHOUT_VIEW} elements without a buffer view"),
                count,
            )
            .help("give the accessor a buffer view"));
        }
        return Ok((None, size));
    };
    let view = view.value();
    let data = document.view(view, &format_args!("/accessors/{index}/bufferView"))?;
    let declared = document.root.buffer_views.get(view);
    let stride = declared.and_then(|view| view.byte_stride).map_or(size, |stride| stride.0);
    if stride < size {
        return Err(gltf_error(
            code::GLTF_INVALID,
            format_args!("/bufferViews/{view}/byteStride"),
            format_args!("at least the {size} bytes of one element"),
            stride,
        ));
    }
    let offset = stored.byte_offset.map_or(0, |offset| offset.0);
    usize::try_from(count)
        .ok()
        .and_then(|count| format.span(count, stride))
        .and_then(|needed| slice(data, offset, needed as u64))
        .map(|bytes| (Some(bytes), stride))
        .ok_or_else(|| {
            gltf_error(
                code::GLTF_OUT_OF_BOUNDS,
                format_args!("/accessors/{index}"),
                format_args!("{count} elements of {size} bytes, {stride} apart"),
                format_args!("a view of {} bytes, from {offset}", data.len()),
            )
            .help("the count is wrong or the data is cut off; export the file again")
        })
}

/// Returns the sparse part of an accessor. `size` is the size of an element in bytes.
fn sparse_elements<'a>(
    document: &'a GltfDocument<'_>,
    stored: &StoredAccessor,
    size: usize,
    index: usize,
) -> Result<Option<Sparse<'a>>, Diagnostic> {
    let Some(sparse) = &stored.sparse else {
        return Ok(None);
    };
    let path = format!("/accessors/{index}/sparse");
    let count = sparse.count.0;
    let component = match sparse.indices.component_type {
        Checked::Valid(component) => Component::from_code(component.0.as_gl_enum()),
        Checked::Invalid => None,
    };
    let Some(component @ (Component::U8 | Component::U16 | Component::U32)) = component else {
        return Err(damaged_sparse(
            format_args!("{path}/indices/componentType"),
            "5121, 5123 or 5125: unsigned whole numbers",
            "another type",
        ));
    };
    let indices = sparse_part(
        document,
        &format!("{path}/indices"),
        sparse.indices.buffer_view.value(),
        sparse.indices.byte_offset.0,
        count,
        component.size(),
    )?;
    let values = sparse_part(
        document,
        &format!("{path}/values"),
        sparse.values.buffer_view.value(),
        sparse.values.byte_offset.0,
        count,
        size,
    )?;
    document
        .budget
        .read(indices.len() / component.size(), 1)
        .map_err(|over| over_budget(over, &path))?;
    let element_count = stored.count.0;
    Sparse::new(indices, component, values, usize::try_from(element_count).unwrap_or(usize::MAX))
        .map(Some)
        .map_err(|out_of_bounds| {
            damaged_sparse(
                format_args!("{path}/indices"),
                format_args!("indices below {element_count}"),
                out_of_bounds,
            )
        })
}

/// Returns the bytes of `count` tightly packed elements of `size` bytes in a view. `path` is
/// the JSON pointer of the indices or values.
fn sparse_part<'a>(
    document: &'a GltfDocument<'_>,
    path: &str,
    view: usize,
    offset: u64,
    count: u64,
    size: usize,
) -> Result<&'a [u8], Diagnostic> {
    let data = document.view(view, &format_args!("{path}/bufferView"))?;
    let length = (size as u64).checked_mul(count);
    length.and_then(|length| slice(data, offset, length)).ok_or_else(|| {
        damaged_sparse(
            path,
            format_args!("{count} elements of {size} bytes"),
            format_args!("a view of {} bytes, from {offset}", data.len()),
        )
    })
}

fn damaged_sparse(path: impl Display, expected: impl Display, found: impl Display) -> Diagnostic {
    gltf_error(code::GLTF_OUT_OF_BOUNDS, path, expected, found)
        .help("the sparse part is damaged; export the file again")
}

fn unknown_type(stored: &StoredAccessor, index: usize) -> Diagnostic {
    let (key, expected) = match stored.component_type {
        Checked::Invalid => ("componentType", "5120, 5121, 5122, 5123, 5125 or 5126"),
        Checked::Valid(_) => ("type", "SCALAR, VEC2, VEC3, VEC4, MAT2, MAT3 or MAT4"),
    };
    gltf_error(
        code::GLTF_INVALID,
        format_args!("/accessors/{index}/{key}"),
        expected,
        "another type",
    )
}

/// Returns the format of an accessor's elements. Returns `None` if its types are invalid.
pub(crate) fn format_of(stored: &StoredAccessor) -> Option<ElementFormat> {
    let Checked::Valid(component) = stored.component_type else {
        return None;
    };
    let name = match stored.type_ {
        Checked::Valid(Type::Scalar) => "SCALAR",
        Checked::Valid(Type::Vec2) => "VEC2",
        Checked::Valid(Type::Vec3) => "VEC3",
        Checked::Valid(Type::Vec4) => "VEC4",
        Checked::Valid(Type::Mat2) => "MAT2",
        Checked::Valid(Type::Mat3) => "MAT3",
        Checked::Valid(Type::Mat4) => "MAT4",
        Checked::Invalid => return None,
    };
    Some(ElementFormat {
        component: Component::from_code(component.0.as_gl_enum())?,
        kind: ElementType::from_name(name)?,
    })
}
