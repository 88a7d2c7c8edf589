//! Typed arrays in buffers: our own views, every access checked.
//!
//! The readers of the gltf crate trust the file and panic, or answer with
//! garbage, where it is wrong.

use std::collections::BTreeMap;

use gltf::json::accessor::{Accessor, ComponentType, Type};
use gltf::json::validation::Checked;

use super::container::{Document, slice};
use super::error::{GltfError, GltfErrorKind};

/// Elements an accessor without a buffer view (all zeros) may claim.
const MOST_ZEROS: u64 = 1 << 22;

/// An accessor whose bytes are known to be all there.
pub(super) struct Elements<'a> {
    path: String,
    /// From the first element on; `None` means zeros.
    bytes: Option<&'a [u8]>,
    stride: usize,
    count: usize,
    component: ComponentType,
    components: usize,
    normalized: bool,
    /// Elements that replace those of `bytes`.
    sparse: BTreeMap<usize, &'a [u8]>,
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
        let count = accessor.count.0;

        let mut stride = size;
        let mut bytes = None;
        if let Some(view) = accessor.buffer_view {
            let data = document.view(view.value(), &format!("{path}/bufferView"))?;
            let declared = document.root.buffer_views.get(view.value());
            stride = declared
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
            let needed = bytes_needed(count, stride as u64, size as u64);
            bytes = Some(
                needed
                    .and_then(|needed| slice(data, offset, needed))
                    .ok_or_else(|| {
                        GltfError::new(
                            GltfErrorKind::OutOfBounds,
                            &path,
                            format_args!("{count} elements of {size} bytes, {stride} apart"),
                            format_args!("a view of {} bytes, from {offset}", data.len()),
                            "the count is wrong or the data is cut off; export the file again",
                        )
                    })?,
            );
        } else if count > MOST_ZEROS {
            return Err(GltfError::new(
                GltfErrorKind::TooLarge,
                format_args!("{path}/count"),
                format_args!("at most {MOST_ZEROS} elements without a buffer view"),
                count,
                "give the accessor a buffer view",
            ));
        }
        let mut elements = Self {
            path,
            bytes,
            stride,
            count: count as usize,
            component,
            components,
            normalized: accessor.normalized,
            sparse: BTreeMap::new(),
        };
        elements.read_sparse(document, accessor, size)?;
        Ok(elements)
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }

    pub(super) fn path(&self) -> &str {
        &self.path
    }

    /// All elements as floats: integers divided by their largest value if
    /// `normalized`, as they are otherwise.
    pub(super) fn floats<const N: usize>(&self) -> Result<Vec<[f32; N]>, GltfError> {
        self.expect_components(N)?;
        Ok((0..self.count)
            .map(|index| {
                let element = self.element(index);
                std::array::from_fn(|lane| self.float(element, lane))
            })
            .collect())
    }

    /// All elements as whole numbers: `u8`, `u16` or `u32`.
    pub(super) fn whole<const N: usize>(&self) -> Result<Vec<[u32; N]>, GltfError> {
        self.expect_components(N)?;
        let unsigned = matches!(
            self.component,
            ComponentType::U8 | ComponentType::U16 | ComponentType::U32
        );
        if !unsigned || self.normalized {
            return Err(GltfError::new(
                GltfErrorKind::Invalid,
                format_args!("{}/componentType", self.path),
                "unsigned whole numbers, not normalized",
                format_args!("{:?}", self.component),
                "export the file again",
            ));
        }
        Ok((0..self.count)
            .map(|index| {
                let element = self.element(index);
                std::array::from_fn(|lane| self.unsigned(element, lane))
            })
            .collect())
    }

    /// The component type must be `f32`, or normalized.
    pub(super) fn expect_fractions(self) -> Result<Self, GltfError> {
        if self.component == ComponentType::F32 || self.normalized {
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

    fn element(&self, index: usize) -> Option<&[u8]> {
        match self.sparse.get(&index) {
            Some(element) => Some(element),
            None => self.bytes?.get(index * self.stride..),
        }
    }

    fn component<const N: usize>(element: Option<&[u8]>, lane: usize) -> [u8; N] {
        element
            .and_then(|element| element.get(lane * N..(lane + 1) * N))
            .and_then(|bytes| bytes.try_into().ok())
            .unwrap_or([0; N])
    }

    fn unsigned(&self, element: Option<&[u8]>, lane: usize) -> u32 {
        match self.component {
            ComponentType::U8 => u32::from(Self::component::<1>(element, lane)[0]),
            ComponentType::U16 => u32::from(u16::from_le_bytes(Self::component(element, lane))),
            _ => u32::from_le_bytes(Self::component(element, lane)),
        }
    }

    fn float(&self, element: Option<&[u8]>, lane: usize) -> f32 {
        let (value, largest) = match self.component {
            ComponentType::F32 => return f32::from_le_bytes(Self::component(element, lane)),
            ComponentType::I8 => {
                let value = i8::from_le_bytes(Self::component(element, lane));
                (f64::from(value), f64::from(i8::MAX))
            }
            ComponentType::I16 => {
                let value = i16::from_le_bytes(Self::component(element, lane));
                (f64::from(value), f64::from(i16::MAX))
            }
            ComponentType::U8 => (f64::from(self.unsigned(element, lane)), f64::from(u8::MAX)),
            ComponentType::U16 => (f64::from(self.unsigned(element, lane)), f64::from(u16::MAX)),
            ComponentType::U32 => (f64::from(self.unsigned(element, lane)), f64::from(u32::MAX)),
        };
        if self.normalized {
            (value / largest).max(-1.0) as f32
        } else {
            value as f32
        }
    }

    fn read_sparse(
        &mut self,
        document: &'a Document<'_>,
        accessor: &Accessor,
        size: usize,
    ) -> Result<(), GltfError> {
        let Some(sparse) = &accessor.sparse else {
            return Ok(());
        };
        let path = format!("{}/sparse", self.path);
        let wrong = |path: String, expected: String, found: String| {
            let remedy = "the sparse part is damaged; export the file again";
            GltfError::new(GltfErrorKind::OutOfBounds, path, expected, found, remedy)
        };
        let Checked::Valid(index_type) = sparse.indices.component_type else {
            return Err(wrong(
                format!("{path}/indices/componentType"),
                "u8, u16 or u32".to_owned(),
                "something else".to_owned(),
            ));
        };
        let width = size_of_component(index_type.0);
        let part = |name: &str, view: usize, offset: u64, each: usize| {
            let path = format!("{path}/{name}");
            let data = document.view(view, &format!("{path}/bufferView"))?;
            bytes_needed(sparse.count.0, each as u64, each as u64)
                .and_then(|needed| slice(data, offset, needed))
                .ok_or_else(|| {
                    let expected = format!("{} elements of {each} bytes", sparse.count.0);
                    wrong(path, expected, format!("a view of {} bytes", data.len()))
                })
        };
        let indices = &sparse.indices;
        let places = part(
            "indices",
            indices.buffer_view.value(),
            indices.byte_offset.0,
            width,
        )?;
        let values = &sparse.values;
        let values = part(
            "values",
            values.buffer_view.value(),
            values.byte_offset.0,
            size,
        )?;
        for (place, value) in places.chunks_exact(width).zip(values.chunks_exact(size)) {
            let mut index = [0; 4];
            for (to, &from) in index.iter_mut().zip(place) {
                *to = from;
            }
            let index = u32::from_le_bytes(index) as usize;
            if index >= self.count {
                return Err(wrong(
                    format!("{path}/indices"),
                    format!("indices below {}", self.count),
                    index.to_string(),
                ));
            }
            self.sparse.insert(index, value);
        }
        Ok(())
    }
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

fn size_of_component(component: ComponentType) -> usize {
    match component {
        ComponentType::I8 | ComponentType::U8 => 1,
        ComponentType::I16 | ComponentType::U16 => 2,
        ComponentType::U32 | ComponentType::F32 => 4,
    }
}

/// From the first byte of the first element to the last of the last.
fn bytes_needed(count: u64, stride: u64, size: u64) -> Option<u64> {
    match count.checked_sub(1) {
        Some(before_last) => before_last.checked_mul(stride)?.checked_add(size),
        None => Some(0),
    }
}
