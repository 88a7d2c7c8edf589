//! Accessors of the file as elements, every range checked.
//!
//! The readers of the gltf crate trust the file and panic, or answer with
//! garbage, where it is wrong.

use std::fmt::Display;
use std::ops::Range;

use gltf::json::accessor::{Accessor as Stored, Type};
use gltf::json::validation::Checked;

use super::document::{GltfDocument, slice};
use super::error::{GltfError, GltfErrorKind as Kind};
use crate::gltf_file::{AccessorElements, Component, ElementFormat, ElementType, Sparse};

/// Elements an accessor without a buffer view (zeros, and sparse ones over
/// zeros) may claim.
pub(crate) const MOST_ZEROS: usize = 1 << 20;

/// Elements read between two looks at whether to go on.
pub(super) const BLOCK: usize = 1 << 12;

/// `count` elements as runs of at most `size`.
pub(super) fn blocks(count: usize, size: usize) -> impl Iterator<Item = Range<usize>> {
    (0..count).step_by(size).map(move |from| from..count.min(from + size))
}

/// An accessor whose bytes are known to be all there.
pub(super) struct Accessor<'a> {
    index: usize,
    elements: AccessorElements<'a>,
}

impl<'a> Accessor<'a> {
    /// Checks accessor `index`; `user` is the path of what names it.
    pub(super) fn new(
        document: &'a GltfDocument<'_>,
        index: usize,
        user: &dyn Display,
    ) -> Result<Self, GltfError> {
        let accessors = &document.root.accessors;
        let stored = accessors
            .get(index)
            .ok_or_else(|| GltfError::dangling(user, "accessors", accessors.len(), index))?;
        let format = format_of(stored).ok_or_else(|| unknown_type(stored, index))?;
        let (bytes, stride) = dense(document, stored, format, index)?;
        let elements = AccessorElements {
            format,
            normalized: stored.normalized,
            count: usize::try_from(stored.count.0).unwrap_or(usize::MAX),
            bytes,
            stride,
            sparse: sparse(document, stored, format.size(), index)?,
        };
        Ok(Self { index, elements })
    }

    pub(super) fn count(&self) -> usize {
        self.elements.count
    }

    pub(super) fn path(&self) -> String {
        format!("/accessors/{}", self.index)
    }

    /// Numbers in one element: 3 for `VEC3`.
    pub(super) fn components(&self) -> usize {
        self.elements.format.kind.components
    }

    /// Are they floats, or whole numbers that stand for fractions?
    pub(super) fn holds_fractions(&self) -> bool {
        self.elements.holds_fractions()
    }

    /// Are they floats, not whole numbers that stand for fractions?
    pub(super) fn is_float(&self) -> bool {
        self.elements.format.component == Component::F32
    }

    /// Adds a run of elements as floats, every number finite. See
    /// [`AccessorElements::append_floats`].
    pub(super) fn append_finite<const N: usize, T>(
        &self,
        range: Range<usize>,
        out: &mut Vec<T>,
        make: impl Fn([f32; N]) -> T,
    ) -> Result<(), GltfError> {
        self.expect_components(N)?;
        let appended = self.elements.append_floats(range, out, make);
        appended.map_err(|at| {
            GltfError::new(Kind::Invalid, self.path())
                .expected("finite numbers", format_args!("NaN or infinity in element {at}"))
                .help("repair it in the modelling program and export it again")
        })
    }

    /// The first `count` elements as floats, every number finite.
    pub(super) fn first<const N: usize>(&self, count: usize) -> Result<Vec<[f32; N]>, GltfError> {
        let count = count.min(self.count());
        let mut values = Vec::with_capacity(count);
        self.append_finite(0..count, &mut values, |value| value)?;
        Ok(values)
    }

    /// Adds a run of elements as whole numbers: `u8`, `u16` or `u32`.
    pub(super) fn append_whole<const N: usize, T>(
        &self,
        range: Range<usize>,
        out: &mut Vec<T>,
        make: impl Fn([u32; N]) -> T,
    ) -> Result<(), GltfError> {
        self.expect_components(N)?;
        if !self.elements.normalized && self.elements.append_whole(range, out, make) {
            return Ok(());
        }
        Err(self.wrong_component("unsigned whole numbers, not normalized"))
    }

    /// The component type must be `f32`, or normalized.
    pub(super) fn expect_fractions(self) -> Result<Self, GltfError> {
        if self.holds_fractions() {
            return Ok(self);
        }
        Err(self.wrong_component("floats, or normalized whole numbers"))
    }

    /// As many as there are positions.
    pub(super) fn expect_count(self, count: usize) -> Result<Self, GltfError> {
        if self.count() == count {
            return Ok(self);
        }
        Err(GltfError::new(Kind::Invalid, format_args!("{}/count", self.path()))
            .expected(format_args!("{count}, as there are positions"), self.count())
            .help("all attributes of a primitive have the same length; export the file again"))
    }

    fn wrong_component(&self, expected: &str) -> GltfError {
        let normalized = if self.elements.normalized { "normalized" } else { "not normalized" };
        GltfError::new(Kind::Invalid, format_args!("{}/componentType", self.path())).expected(
            expected,
            format_args!("{}, {normalized}", self.elements.format.component.name()),
        )
    }

    fn expect_components(&self, expected: usize) -> Result<(), GltfError> {
        if self.components() == expected {
            return Ok(());
        }
        Err(GltfError::new(Kind::Invalid, format_args!("{}/type", self.path()))
            .expected(
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

/// The bytes of the elements and how far they are apart, before sparse ones
/// replace some.
fn dense<'a>(
    document: &'a GltfDocument<'_>,
    stored: &Stored,
    format: ElementFormat,
    index: usize,
) -> Result<(Option<&'a [u8]>, usize), GltfError> {
    let size = format.size();
    let count = stored.count.0;
    let Some(view) = stored.buffer_view else {
        if count > MOST_ZEROS as u64 {
            return Err(GltfError::new(Kind::TooLarge, format_args!("/accessors/{index}/count"))
                .expected(
                    format_args!("at most {MOST_ZEROS} elements without a buffer view"),
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
        return Err(GltfError::new(Kind::Invalid, format_args!("/bufferViews/{view}/byteStride"))
            .expected(format_args!("at least the {size} bytes of one element"), stride));
    }
    let offset = stored.byte_offset.map_or(0, |offset| offset.0);
    usize::try_from(count)
        .ok()
        .and_then(|count| format.span(count, stride))
        .and_then(|needed| slice(data, offset, needed as u64))
        .map(|bytes| (Some(bytes), stride))
        .ok_or_else(|| {
            GltfError::new(Kind::OutOfBounds, format_args!("/accessors/{index}"))
                .expected(
                    format_args!("{count} elements of {size} bytes, {stride} apart"),
                    format_args!("a view of {} bytes, from {offset}", data.len()),
                )
                .help("the count is wrong or the data is cut off; export the file again")
        })
}

fn sparse<'a>(
    document: &'a GltfDocument<'_>,
    stored: &Stored,
    size: usize,
    index: usize,
) -> Result<Option<Sparse<'a>>, GltfError> {
    let Some(sparse) = &stored.sparse else {
        return Ok(None);
    };
    let damaged = |part: &str, expected: String, found: String| {
        GltfError::new(Kind::OutOfBounds, format_args!("/accessors/{index}/sparse{part}"))
            .expected(expected, found)
            .help("the sparse part is damaged; export the file again")
    };
    let component = match sparse.indices.component_type {
        Checked::Valid(stored) => Component::from_code(stored.0.as_gl_enum()),
        Checked::Invalid => None,
    };
    let whole = [Component::U8, Component::U16, Component::U32];
    let component = component.filter(|component| whole.contains(component)).ok_or_else(|| {
        let expected = "5121, 5123 or 5125: unsigned whole numbers".to_owned();
        damaged("/indices/componentType", expected, "another type".to_owned())
    })?;
    let part = |name: &str, view: usize, offset: u64, each: usize| {
        let path = format_args!("/accessors/{index}/sparse/{name}/bufferView");
        let data = document.view(view, &path)?;
        let needed = (each as u64).checked_mul(sparse.count.0);
        needed.and_then(|needed| slice(data, offset, needed)).ok_or_else(|| {
            let expected = format!("{} elements of {each} bytes", sparse.count.0);
            let found = format!("a view of {} bytes, from {offset}", data.len());
            damaged(&format!("/{name}"), expected, found)
        })
    };
    let (indices, values) = (&sparse.indices, &sparse.values);
    let places =
        part("indices", indices.buffer_view.value(), indices.byte_offset.0, component.size())?;
    let values = part("values", values.buffer_view.value(), values.byte_offset.0, size)?;
    let count = stored.count.0;
    document
        .budget
        .read(places.len() / component.size(), 1)
        .map_err(|over| GltfError::over_budget(over, format_args!("/accessors/{index}/sparse")))?;
    Sparse::new(places, component, values, usize::try_from(count).unwrap_or(usize::MAX))
        .map(Some)
        .map_err(|place| damaged("/indices", format!("indices below {count}"), place.to_string()))
}

fn unknown_type(stored: &Stored, index: usize) -> GltfError {
    let (key, expected) = match stored.component_type {
        Checked::Invalid => ("componentType", "5120, 5121, 5122, 5123, 5125 or 5126"),
        Checked::Valid(_) => ("type", "SCALAR, VEC2, VEC3, VEC4, MAT2, MAT3 or MAT4"),
    };
    GltfError::new(Kind::Invalid, format_args!("/accessors/{index}/{key}"))
        .expected(expected, "another type")
}

/// What the elements are made of; `None` where the file names no such type.
pub(crate) fn format_of(stored: &Stored) -> Option<ElementFormat> {
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
