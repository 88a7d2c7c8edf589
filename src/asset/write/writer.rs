//! Numbers as accessors: bytes, views of them, and what they are.

use glam::{Mat4, Vec3};

use super::error::{Numbers, WriteError};
use super::json;
use crate::asset::{Component, bounds_of};

pub(super) const ARRAY_BUFFER: u32 = 34962;
pub(super) const ELEMENT_ARRAY_BUFFER: u32 = 34963;

/// How attributes lie in the buffer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::asset) enum Packing {
    /// Each in a view of its own, without gaps.
    #[default]
    Tight,
    /// As the glTF tutorial's “Simple Skin” has it: no normals; joints, as
    /// shorts, and weights in one view of stride 16, so that eight unused bytes
    /// follow the joints of each vertex; offsets of 0 are not written.
    Tutorial,
}

/// What a list of floats is: the shape of one element, and what it is about.
#[derive(Clone, Copy)]
pub(super) struct Floats {
    kind: &'static str,
    width: usize,
    about: Numbers,
}

impl Floats {
    pub(super) const UV: Self = Self::of("VEC2", 2, Numbers::Vertices);
    pub(super) const VECTOR: Self = Self::of("VEC3", 3, Numbers::Vertices);
    pub(super) const FOUR: Self = Self::of("VEC4", 4, Numbers::Vertices);
    pub(super) const KEY: Self = Self::of("SCALAR", 1, Numbers::Keys);
    pub(super) const KEY_VECTOR: Self = Self::of("VEC3", 3, Numbers::Keys);
    pub(super) const KEY_ROTATION: Self = Self::of("VEC4", 4, Numbers::Keys);
    const MATRIX: Self = Self::of("MAT4", 16, Numbers::InverseBinds);

    const fn of(kind: &'static str, width: usize, about: Numbers) -> Self {
        Self { kind, width, about }
    }
}

/// A file's numbers, as they are added.
#[derive(Default)]
pub(super) struct Writer {
    packing: Packing,
    pub(super) bytes: Vec<u8>,
    pub(super) views: Vec<json::BufferView>,
    pub(super) accessors: Vec<json::Accessor>,
    /// The first that no file can hold.
    not_finite: Option<Numbers>,
}

impl Writer {
    pub(super) fn new(packing: Packing) -> Self {
        Self {
            packing,
            ..Self::default()
        }
    }

    pub(super) fn packing(&self) -> Packing {
        self.packing
    }

    /// The root with what was written so far, and that.
    pub(super) fn finish(self, root: json::Root) -> Result<(json::Root, Vec<u8>), WriteError> {
        if let Some(numbers) = self.not_finite {
            return Err(WriteError::NotFinite(numbers));
        }
        // Room for the JSON.
        let most = u32::MAX as usize / 4 * 3;
        if self.bytes.len() > most {
            return Err(WriteError::TooLarge {
                bytes: self.bytes.len(),
            });
        }
        let buffer = json::Buffer {
            uri: None,
            byte_length: self.bytes.len(),
        };
        let root = json::Root {
            accessors: self.accessors,
            buffer_views: self.views,
            buffers: (!self.bytes.is_empty())
                .then_some(buffer)
                .into_iter()
                .collect(),
            ..root
        };
        Ok((root, self.bytes))
    }

    /// Somewhere a number is not finite.
    pub(super) fn check(&mut self, values: &[f32], about: Numbers) {
        if self.not_finite.is_none() && !values.iter().all(|value| value.is_finite()) {
            self.not_finite = Some(about);
        }
    }

    /// `POSITION`, with the bounds that glTF asks for.
    pub(super) fn positions(&mut self, positions: &[Vec3]) -> usize {
        let (low, high) = bounds_of(positions);
        let values = bytemuck::cast_slice(positions);
        let accessor = self.floats(values, Floats::VECTOR, Some(ARRAY_BUFFER));
        self.bounds(
            accessor,
            Some(low.to_array().to_vec()),
            Some(high.to_array().to_vec()),
        );
        accessor
    }

    /// When keys stand, with the bounds that glTF asks for.
    pub(super) fn times(&mut self, times_secs: &[f32]) -> usize {
        let input = self.floats(times_secs, Floats::KEY, None);
        let bound = |time: Option<&f32>| time.map(|&time| vec![time]);
        self.bounds(input, bound(times_secs.first()), bound(times_secs.last()));
        input
    }

    /// Inverse bind matrices. The last row of an affine matrix is not a matter
    /// of choice.
    pub(super) fn inverse_binds(&mut self, matrices: impl Iterator<Item = Mat4>) -> usize {
        let affine = matrices.map(|mut matrix| {
            for column in 0..4 {
                matrix.col_mut(column).w = if column == 3 { 1.0 } else { 0.0 };
            }
            matrix
        });
        let affine: Vec<Mat4> = affine.collect();
        self.floats(bytemuck::cast_slice(&affine), Floats::MATRIX, None)
    }

    /// Corners of triangles or lines among so many vertices.
    pub(super) fn indices(
        &mut self,
        corners: impl ExactSizeIterator<Item = u32>,
        vertices: usize,
    ) -> usize {
        // The highest short is not an index.
        let component = match u16::try_from(vertices) {
            Ok(_) => Component::U16,
            Err(_) => Component::U32,
        };
        let count = corners.len();
        let mut bytes = Vec::with_capacity(count * component.size());
        for corner in corners {
            bytes.extend_from_slice(&corner.to_le_bytes()[..component.size()]);
        }
        let target = Some(ELEMENT_ARRAY_BUFFER);
        self.accessor(&bytes, component, count, "SCALAR", target)
    }

    pub(super) fn floats(&mut self, values: &[f32], floats: Floats, target: Option<u32>) -> usize {
        self.check(values, floats.about);
        let mut bytes = Vec::with_capacity(size_of_val(values));
        for value in values {
            bytes.extend_from_slice(&value.to_le_bytes());
        }
        let count = values.len() / floats.width;
        self.accessor(&bytes, Component::F32, count, floats.kind, target)
    }

    pub(super) fn accessor(
        &mut self,
        bytes: &[u8],
        component: Component,
        count: usize,
        kind: &'static str,
        target: Option<u32>,
    ) -> usize {
        let buffer_view = self.view(bytes, target);
        self.accessors.push(json::Accessor {
            buffer_view,
            byte_offset: None,
            component_type: component.code(),
            count,
            kind,
            min: None,
            max: None,
        });
        self.accessors.len() - 1
    }

    /// Every view begins at a multiple of 4.
    pub(super) fn view(&mut self, bytes: &[u8], target: Option<u32>) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self.views.push(json::BufferView {
            buffer: 0,
            byte_offset: (self.packing == Packing::Tight || !self.bytes.is_empty())
                .then_some(self.bytes.len()),
            byte_length: bytes.len(),
            byte_stride: None,
            target,
        });
        self.bytes.extend_from_slice(bytes);
        self.views.len() - 1
    }

    fn bounds(&mut self, accessor: usize, min: Option<Vec<f32>>, max: Option<Vec<f32>>) {
        if let Some(accessor) = self.accessors.get_mut(accessor) {
            (accessor.min, accessor.max) = (min, max);
        }
    }
}
