//! Numbers as accessors: bytes, views of them, and what they are.

use bindpose_diagnostic::Diagnostic;
use bytemuck::NoUninit;
use glam::{Mat4, Vec3};

use super::json;
use crate::{Component, bounds_of};

pub(super) const ARRAY_BUFFER: u32 = 34962;
const ELEMENT_ARRAY_BUFFER: u32 = 34963;

/// How attributes lie in the buffer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Packing {
    /// Each in a view of its own, without gaps.
    #[default]
    Tight,
    /// As the glTF tutorial's “Simple Skin” has it: no normals; joints, as
    /// shorts, and weights in one view of stride 16, so that eight unused bytes
    /// follow the joints of each vertex; offsets of 0 are not written.
    Tutorial,
}

/// What a list of floats is.
#[derive(Clone, Copy)]
pub(super) struct Floats {
    /// The shape of one element.
    kind: &'static str,
    width: usize,
    /// In words, for an error.
    about: &'static str,
    /// Of the view.
    target: Option<u32>,
}

impl Floats {
    pub(super) const UV: Self = Self::of_vertices("VEC2", 2);
    pub(super) const VECTOR: Self = Self::of_vertices("VEC3", 3);
    pub(super) const FOUR: Self = Self::of_vertices("VEC4", 4);
    pub(super) const KEY: Self = Self::of("SCALAR", 1, "keys of clips");
    pub(super) const KEY_VECTOR: Self = Self::of("VEC3", 3, "keys of clips");
    pub(super) const KEY_ROTATION: Self = Self::of("VEC4", 4, "keys of clips");
    const MATRIX: Self = Self::of("MAT4", 16, "inverse bind matrices");

    const fn of_vertices(kind: &'static str, width: usize) -> Self {
        Self { target: Some(ARRAY_BUFFER), ..Self::of(kind, width, "vertices") }
    }

    const fn of(kind: &'static str, width: usize, about: &'static str) -> Self {
        Self { kind, width, about, target: None }
    }
}

/// A file's numbers, as they are added.
#[derive(Default)]
pub(super) struct GltfWriter {
    pub(super) packing: Packing,
    bytes: Vec<u8>,
    pub(super) views: Vec<json::BufferView>,
    pub(super) accessors: Vec<json::Accessor>,
    /// What the first numbers are that no file can hold.
    not_finite: Option<&'static str>,
}

impl GltfWriter {
    pub(super) fn new(packing: Packing) -> Self {
        Self { packing, ..Self::default() }
    }

    /// All in one file.
    pub(super) fn glb(self, root: json::Root) -> Result<Vec<u8>, Diagnostic> {
        let (root, bytes) = self.finish(root)?;
        Ok(glb_of(serde_json::to_vec(&root)?, bytes))
    }

    /// The root with what was written so far, and that.
    pub(super) fn finish(self, root: json::Root) -> Result<(json::Root, Vec<u8>), Diagnostic> {
        if let Some(numbers) = self.not_finite {
            let title = format!("some {numbers} are not finite numbers");
            let wrong = Diagnostic::said("NOT_FINITE", title);
            return Err(wrong.help("take a pose in which the model can be seen"));
        }
        let byte_length = self.bytes.len();
        // Room for the JSON.
        if byte_length > u32::MAX as usize / 4 * 3 {
            return Err(Diagnostic {
                code: "TOO_LARGE",
                ..Diagnostic::expected(
                    "less than 4 GiB in one file",
                    format!("{byte_length} bytes"),
                )
            });
        }
        let buffer = (byte_length > 0).then_some(json::Buffer { uri: None, byte_length });
        let root = json::Root {
            accessors: self.accessors,
            buffer_views: self.views,
            buffers: buffer.into_iter().collect(),
            ..root
        };
        Ok((root, self.bytes))
    }

    /// Remembers if a number is not finite; `about`: what these are.
    pub(super) fn check(&mut self, values: &[f32], about: &'static str) {
        if self.not_finite.is_none() && !values.iter().all(|value| value.is_finite()) {
            self.not_finite = Some(about);
        }
    }

    /// `POSITION`, with the bounds that glTF asks for.
    pub(super) fn positions(&mut self, positions: &[Vec3]) -> usize {
        let accessor = self.floats(positions, Floats::VECTOR);
        let (low, high) = bounds_of(positions);
        self.bounds(accessor, &low.to_array(), &high.to_array());
        accessor
    }

    /// When keys stand, at least one, with the bounds that glTF asks for.
    pub(super) fn times(&mut self, times_secs: &[f32]) -> usize {
        let input = self.floats(times_secs, Floats::KEY);
        let last = times_secs.len() - 1;
        self.bounds(input, &times_secs[..1], &times_secs[last..]);
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
        self.floats(&affine.collect::<Vec<Mat4>>(), Floats::MATRIX)
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

    /// `values` are made of 32-bit floats.
    pub(super) fn floats(&mut self, values: &[impl NoUninit], floats: Floats) -> usize {
        let values: &[f32] = bytemuck::cast_slice(values);
        self.check(values, floats.about);
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        let count = values.len() / floats.width;
        self.accessor(&bytes, Component::F32, count, floats.kind, floats.target)
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
            component_type: component.code(),
            count,
            kind,
            ..json::Accessor::default()
        });
        self.accessors.len() - 1
    }

    /// Every view begins at a multiple of 4.
    pub(super) fn view(&mut self, bytes: &[u8], target: Option<u32>) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self.views.push(json::BufferView {
            byte_offset: (self.packing == Packing::Tight || !self.bytes.is_empty())
                .then_some(self.bytes.len()),
            byte_length: bytes.len(),
            target,
            ..json::BufferView::default()
        });
        self.bytes.extend_from_slice(bytes);
        self.views.len() - 1
    }

    fn bounds(&mut self, accessor: usize, min: &[f32], max: &[f32]) {
        let accessor = &mut self.accessors[accessor];
        (accessor.min, accessor.max) = (min.to_vec(), max.to_vec());
    }
}

// The `.glb` container: a header, then JSON, then numbers (glTF 2.0, section 4).

/// A file of `text` as its JSON and of `bin` as its numbers; without a chunk for
/// them where there are none.
pub(crate) fn glb_of(text: Vec<u8>, mut bin: Vec<u8>) -> Vec<u8> {
    if bin.is_empty() {
        return glb_with(text, &[]);
    }
    bin.resize(bin.len().next_multiple_of(4), 0);
    glb_with(text, &[&chunk_header(*b"BIN\0", bin.len()), &bin])
}

/// A file of `text` as its JSON and of what comes after it: other chunks, whole.
pub(crate) fn glb_with(mut text: Vec<u8>, after: &[&[u8]]) -> Vec<u8> {
    text.resize(text.len().next_multiple_of(4), b' ');
    let after_length: usize = after.iter().map(|part| part.len()).sum();
    let length = 12 + 8 + text.len() + after_length;
    let mut glb = Vec::with_capacity(length);
    glb.extend_from_slice(b"glTF");
    glb.extend_from_slice(&2_u32.to_le_bytes());
    glb.extend_from_slice(&(length as u32).to_le_bytes());
    glb.extend_from_slice(&chunk_header(*b"JSON", text.len()));
    glb.extend_from_slice(&text);
    for part in after {
        glb.extend_from_slice(part);
    }
    glb
}

/// What stands before the `length` bytes of a chunk.
fn chunk_header(kind: [u8; 4], length: usize) -> [u8; 8] {
    let mut header = [0; 8];
    header[..4].copy_from_slice(&(length as u32).to_le_bytes());
    header[4..].copy_from_slice(&kind);
    header
}
