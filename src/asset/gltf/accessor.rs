//! Typed arrays in buffers: our own views, every access checked.
//!
//! The readers of the gltf crate trust the file and panic, or answer with
//! garbage, where it is wrong.

use gltf::json::accessor::{Accessor, ComponentType, Type};
use gltf::json::validation::Checked;

use super::container::{Document, slice};
use super::error::{GltfError, GltfErrorKind};
use super::sizes::{bytes_needed, size_of_component};
use super::sparse;

/// Elements an accessor without a buffer view (zeros, and sparse ones over
/// zeros) may claim.
pub(in crate::asset) const MOST_ZEROS: usize = 1 << 20;

/// An accessor whose bytes are known to be all there.
pub(super) struct Elements<'a> {
    path: String,
    /// From the first element to the last byte of the last; `None` means zeros.
    bytes: Option<&'a [u8]>,
    stride: usize,
    count: usize,
    component: ComponentType,
    components: usize,
    normalized: bool,
    /// Elements that replace those of `bytes`, all below `count`.
    sparse: Vec<(usize, &'a [u8])>,
}

impl<'a> Elements<'a> {
    /// Checks accessor `index`; `user` is the path of what names it.
    pub(super) fn new(
        document: &'a Document<'_>,
        index: usize,
        user: &str,
    ) -> Result<Self, GltfError> {
        let accessors = &document.root.accessors;
        let accessor = accessors
            .get(index)
            .ok_or_else(|| GltfError::dangling(user, "accessors", accessors.len(), index))?;
        let path = format!("/accessors/{index}");
        let (component, components) = element_type(accessor, &path)?;
        let size = size_of_component(component) * components;
        let (bytes, stride) = dense(document, accessor, size, &path)?;
        Ok(Self {
            sparse: sparse::replacements(document, accessor, size, &path)?,
            path,
            bytes,
            stride,
            count: accessor.count.0 as usize,
            component,
            components,
            normalized: accessor.normalized,
        })
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }

    pub(super) fn path(&self) -> &str {
        &self.path
    }

    /// Numbers in one element: 3 for `VEC3`.
    pub(super) fn components(&self) -> usize {
        self.components
    }

    /// Are they floats, or whole numbers that stand for fractions?
    pub(super) fn holds_fractions(&self) -> bool {
        self.is_float() || self.normalized
    }

    /// Are they floats, not whole numbers that stand for fractions?
    pub(super) fn is_float(&self) -> bool {
        self.component == ComponentType::F32
    }

    /// All elements as floats: integers divided by their largest value if
    /// `normalized`, as they are otherwise.
    pub(super) fn floats<const N: usize>(&self) -> Result<Vec<[f32; N]>, GltfError> {
        self.expect_components(N)?;
        let signed =
            |value: i32, largest: i32| (f64::from(value) / f64::from(largest)).max(-1.0) as f32;
        let unsigned = |value: u32, largest: u32| (f64::from(value) / f64::from(largest)) as f32;
        Ok(match (self.component, self.normalized) {
            (ComponentType::F32, _) => self.collect(f32::from_le_bytes),
            (ComponentType::I8, false) => self.collect(|b| f32::from(i8::from_le_bytes(b))),
            (ComponentType::U8, false) => self.collect(|b| f32::from(u8::from_le_bytes(b))),
            (ComponentType::I16, false) => self.collect(|b| f32::from(i16::from_le_bytes(b))),
            (ComponentType::U16, false) => self.collect(|b| f32::from(u16::from_le_bytes(b))),
            (ComponentType::U32, false) => self.collect(|b| u32::from_le_bytes(b) as f32),
            (ComponentType::I8, true) => {
                self.collect(|b| signed(i8::from_le_bytes(b).into(), i8::MAX.into()))
            }
            (ComponentType::U8, true) => {
                self.collect(|b| unsigned(u8::from_le_bytes(b).into(), u8::MAX.into()))
            }
            (ComponentType::I16, true) => {
                self.collect(|b| signed(i16::from_le_bytes(b).into(), i16::MAX.into()))
            }
            (ComponentType::U16, true) => {
                self.collect(|b| unsigned(u16::from_le_bytes(b).into(), u16::MAX.into()))
            }
            (ComponentType::U32, true) => {
                self.collect(|b| unsigned(u32::from_le_bytes(b), u32::MAX))
            }
        })
    }

    /// As [`Self::floats`], and every number finite.
    pub(super) fn finite<const N: usize>(&self) -> Result<Vec<[f32; N]>, GltfError> {
        let values = self.floats::<N>()?;
        let wild = |value: &[f32; N]| !value.iter().all(|x| x.is_finite());
        match values.iter().position(wild) {
            None => Ok(values),
            Some(at) => Err(GltfError::new(
                GltfErrorKind::Invalid,
                &self.path,
                "finite numbers",
                format_args!("NaN or infinity in element {at}"),
                "repair it in the modelling program and export it again",
            )),
        }
    }

    /// All elements as whole numbers: `u8`, `u16` or `u32`.
    pub(super) fn whole<const N: usize>(&self) -> Result<Vec<[u32; N]>, GltfError> {
        self.expect_components(N)?;
        match self.component {
            ComponentType::U8 if !self.normalized => {
                Ok(self.collect(|b| u32::from(u8::from_le_bytes(b))))
            }
            ComponentType::U16 if !self.normalized => {
                Ok(self.collect(|b| u32::from(u16::from_le_bytes(b))))
            }
            ComponentType::U32 if !self.normalized => Ok(self.collect(u32::from_le_bytes)),
            _ => Err(GltfError::new(
                GltfErrorKind::Invalid,
                format_args!("{}/componentType", self.path),
                "unsigned whole numbers, not normalized",
                format_args!("{:?}", self.component),
                "export the file again",
            )),
        }
    }

    /// The component type must be `f32`, or normalized.
    pub(super) fn expect_fractions(self) -> Result<Self, GltfError> {
        if self.holds_fractions() {
            return Ok(self);
        }
        Err(GltfError::new(
            GltfErrorKind::Invalid,
            format_args!("{}/componentType", self.path),
            "floats, or normalized whole numbers",
            format_args!("{:?}, not normalized", self.component),
            "export the file again",
        ))
    }

    /// As many as there are positions.
    pub(super) fn expect_count(self, count: usize) -> Result<Self, GltfError> {
        if self.count == count {
            return Ok(self);
        }
        Err(GltfError::new(
            GltfErrorKind::Invalid,
            format_args!("{}/count", self.path),
            format_args!("{count}, as there are positions"),
            self.count,
            "all attributes of a primitive have the same length; export the file again",
        ))
    }

    fn expect_components(&self, expected: usize) -> Result<(), GltfError> {
        if self.components == expected {
            return Ok(());
        }
        Err(GltfError::new(
            GltfErrorKind::Invalid,
            format_args!("{}/type", self.path),
            format_args!("{expected} components"),
            self.components,
            "the accessor is used for something it does not hold; export the file again",
        ))
    }

    /// Every element, its components of `W` bytes converted one by one.
    fn collect<const N: usize, const W: usize, T: Copy + Default>(
        &self,
        convert: impl Fn([u8; W]) -> T,
    ) -> Vec<[T; N]> {
        let read = |element: &[u8]| -> [T; N] {
            let (parts, _) = element.as_chunks::<W>();
            std::array::from_fn(|lane| parts.get(lane).map_or(T::default(), |&b| convert(b)))
        };
        let mut all = match self.bytes {
            Some(bytes) => bytes.chunks(self.stride.max(1)).map(read).collect(),
            None => vec![[T::default(); N]; self.count],
        };
        for &(index, element) in &self.sparse {
            if let Some(slot) = all.get_mut(index) {
                *slot = read(element);
            }
        }
        all
    }
}

/// The bytes of the elements and how far they are apart, before sparse ones
/// replace some.
fn dense<'a>(
    document: &'a Document<'_>,
    accessor: &Accessor,
    size: usize,
    path: &str,
) -> Result<(Option<&'a [u8]>, usize), GltfError> {
    let count = accessor.count.0;
    let Some(view) = accessor.buffer_view else {
        if count > MOST_ZEROS as u64 {
            return Err(GltfError::new(
                GltfErrorKind::TooLarge,
                format_args!("{path}/count"),
                format_args!("at most {MOST_ZEROS} elements without a buffer view"),
                count,
                "give the accessor a buffer view",
            ));
        }
        return Ok((None, size));
    };
    let data = document.view(view.value(), &format!("{path}/bufferView"))?;
    let declared = document.root.buffer_views.get(view.value());
    let stride = declared
        .and_then(|view| view.byte_stride)
        .map_or(size, |stride| stride.0);
    if stride < size {
        return Err(GltfError::new(
            GltfErrorKind::Invalid,
            format_args!("/bufferViews/{}/byteStride", view.value()),
            format_args!("at least the {size} bytes of one element"),
            stride,
            "export the file again",
        ));
    }
    let offset = accessor.byte_offset.map_or(0, |offset| offset.0);
    bytes_needed(count, stride as u64, size as u64)
        .and_then(|needed| slice(data, offset, needed))
        .map(|bytes| (Some(bytes), stride))
        .ok_or_else(|| {
            GltfError::new(
                GltfErrorKind::OutOfBounds,
                path,
                format_args!("{count} elements of {size} bytes, {stride} apart"),
                format_args!("a view of {} bytes, from {offset}", data.len()),
                "the count is wrong or the data is cut off; export the file again",
            )
        })
}

fn element_type(accessor: &Accessor, path: &str) -> Result<(ComponentType, usize), GltfError> {
    let unknown = |key: &str, expected: &str| {
        GltfError::new(
            GltfErrorKind::Invalid,
            format_args!("{path}/{key}"),
            expected,
            "something else",
            "export the file again",
        )
    };
    let Checked::Valid(component) = accessor.component_type else {
        return Err(unknown(
            "componentType",
            "5120, 5121, 5122, 5123, 5125 or 5126",
        ));
    };
    let components = match accessor.type_ {
        Checked::Valid(Type::Scalar) => 1,
        Checked::Valid(Type::Vec2) => 2,
        Checked::Valid(Type::Vec3) => 3,
        Checked::Valid(Type::Vec4) => 4,
        Checked::Valid(Type::Mat4) => 16,
        // Their columns are padded for small components; a skin needs neither.
        _ => return Err(unknown("type", "SCALAR, VEC2, VEC3, VEC4 or MAT4")),
    };
    Ok((component.0, components))
}
