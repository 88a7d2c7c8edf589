//! Writes accessors and their buffer, and assembles GLB files.

use bindpose_diagnostic::Diagnostic;
use bytemuck::NoUninit;
use glam::{Mat4, Vec3};

use super::json;
use crate::{Component, Glb, bounds_of};

pub(super) const ARRAY_BUFFER: u32 = 34962;
const ELEMENT_ARRAY_BUFFER: u32 = 34963;

/// Arrangement of vertex attributes in the buffer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AttributePacking {
    /// Each attribute has its own view, without gaps.
    #[default]
    Tight,
    /// Like “Simple Skin” of the glTF tutorial: without normals; joints, as shorts, and
    /// weights share a view of stride 16, so that eight unused bytes follow the joints of
    /// each vertex; offsets of 0 are not written.
    Tutorial,
}

/// Format and purpose of a list of floats.
#[derive(Clone, Copy)]
pub(super) struct FloatFormat {
    /// Element type of the accessor.
    kind: &'static str,
    /// Number of components of an element.
    width: usize,
    /// Noun for error messages.
    noun: &'static str,
    /// Target of the buffer view.
    target: Option<u32>,
}

impl FloatFormat {
    pub(super) const VERTEX_VEC2: Self = Self::of_vertices("VEC2", 2);
    pub(super) const VERTEX_VEC3: Self = Self::of_vertices("VEC3", 3);
    pub(super) const VERTEX_VEC4: Self = Self::of_vertices("VEC4", 4);
    pub(super) const KEY_SCALAR: Self = Self::new("SCALAR", 1, "keys of clips");
    pub(super) const KEY_VEC3: Self = Self::new("VEC3", 3, "keys of clips");
    pub(super) const KEY_VEC4: Self = Self::new("VEC4", 4, "keys of clips");
    const INVERSE_BIND: Self = Self::new("MAT4", 16, "inverse bind matrices");

    const fn of_vertices(kind: &'static str, width: usize) -> Self {
        Self { target: Some(ARRAY_BUFFER), ..Self::new(kind, width, "vertices") }
    }

    const fn new(kind: &'static str, width: usize, noun: &'static str) -> Self {
        Self { kind, width, noun, target: None }
    }
}

/// Collects the buffer, buffer views and accessors of a file.
#[derive(Default)]
pub(super) struct GltfWriter {
    pub(super) packing: AttributePacking,
    bytes: Vec<u8>,
    pub(super) views: Vec<json::BufferView>,
    pub(super) accessors: Vec<json::Accessor>,
    /// Noun of the first numbers that are not finite. Such a file cannot be written.
    not_finite: Option<&'static str>,
}

impl GltfWriter {
    pub(super) fn new(packing: AttributePacking) -> Self {
        Self { packing, ..Self::default() }
    }

    /// Completes the root and assembles a GLB.
    pub(super) fn into_glb(self, root: json::Root) -> Result<Vec<u8>, Diagnostic> {
        let (root, bytes) = self.finish(root)?;
        Ok(glb_of(serde_json::to_vec(&root)?, bytes))
    }

    /// Completes the root with accessors, views and buffer. Returns it with the bytes of the
    /// buffer.
    pub(super) fn finish(self, root: json::Root) -> Result<(json::Root, Vec<u8>), Diagnostic> {
        if let Some(numbers) = self.not_finite {
            let title = format!("some {numbers} are not finite numbers");
            return Err(Diagnostic::said("NOT_FINITE", title)
                .help("take a pose in which the model can be seen"));
        }
        let byte_length = self.bytes.len();
        // The length of a GLB is a 32-bit number. A quarter is reserved for the JSON.
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

    /// Records if a value is not finite. `noun` names the values in the error message.
    pub(super) fn check_finite(&mut self, values: &[f32], noun: &'static str) {
        if self.not_finite.is_none() && !values.iter().all(|value| value.is_finite()) {
            self.not_finite = Some(noun);
        }
    }

    // The following functions return the index of the accessor that they add.

    /// Adds vertex positions, with the bounds that glTF requires.
    pub(super) fn add_positions(&mut self, positions: &[Vec3]) -> usize {
        let accessor = self.add_floats(positions, FloatFormat::VERTEX_VEC3);
        let (min, max) = bounds_of(positions);
        self.set_bounds(accessor, &min.to_array(), &max.to_array());
        accessor
    }

    /// Adds the times of at least one key, with the bounds that glTF requires.
    pub(super) fn add_times(&mut self, times_secs: &[f32]) -> usize {
        let accessor = self.add_floats(times_secs, FloatFormat::KEY_SCALAR);
        let last = times_secs.len() - 1;
        self.set_bounds(accessor, &times_secs[..1], &times_secs[last..]);
        accessor
    }

    /// Adds inverse bind matrices, with the last row that glTF requires.
    pub(super) fn add_inverse_binds(&mut self, matrices: impl Iterator<Item = Mat4>) -> usize {
        let mut affine: Vec<Mat4> = matrices.collect();
        for matrix in &mut affine {
            for column in 0..4 {
                matrix.col_mut(column).w = if column == 3 { 1.0 } else { 0.0 };
            }
        }
        self.add_floats(&affine, FloatFormat::INVERSE_BIND)
    }

    /// Adds the corners of triangles or lines, as indices of `vertex_count` vertices.
    pub(super) fn add_indices(
        &mut self,
        corners: impl ExactSizeIterator<Item = u32>,
        vertex_count: usize,
    ) -> usize {
        // 65,535 is no valid 16-bit index, but the restart value.
        let component = match u16::try_from(vertex_count) {
            Ok(_) => Component::U16,
            Err(_) => Component::U32,
        };
        let count = corners.len();
        let mut bytes = Vec::with_capacity(count * component.size());
        for corner in corners {
            bytes.extend_from_slice(&corner.to_le_bytes()[..component.size()]);
        }
        self.add_accessor(&bytes, component, count, "SCALAR", Some(ELEMENT_ARRAY_BUFFER))
    }

    /// Adds values that consist of 32-bit floats.
    pub(super) fn add_floats(&mut self, values: &[impl NoUninit], format: FloatFormat) -> usize {
        let values: &[f32] = bytemuck::cast_slice(values);
        self.check_finite(values, format.noun);
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        let count = values.len() / format.width;
        self.add_accessor(&bytes, Component::F32, count, format.kind, format.target)
    }

    pub(super) fn add_accessor(
        &mut self,
        bytes: &[u8],
        component: Component,
        count: usize,
        kind: &'static str,
        target: Option<u32>,
    ) -> usize {
        let buffer_view = self.add_view(bytes, target);
        self.accessors.push(json::Accessor {
            buffer_view,
            component_type: component.code(),
            count,
            kind,
            ..json::Accessor::default()
        });
        self.accessors.len() - 1
    }

    /// Adds a buffer view, aligned to 4 bytes. Returns its index.
    pub(super) fn add_view(&mut self, bytes: &[u8], target: Option<u32>) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let has_offset = self.packing == AttributePacking::Tight || !self.bytes.is_empty();
        self.views.push(json::BufferView {
            byte_offset: has_offset.then_some(self.bytes.len()),
            byte_length: bytes.len(),
            target,
            ..json::BufferView::default()
        });
        self.bytes.extend_from_slice(bytes);
        self.views.len() - 1
    }

    fn set_bounds(&mut self, accessor: usize, min: &[f32], max: &[f32]) {
        let accessor = &mut self.accessors[accessor];
        accessor.min = min.to_vec();
        accessor.max = max.to_vec();
    }
}

// The GLB container: header, JSON chunk, binary chunk (glTF 2.0, section 4).

/// Assembles a GLB of JSON text and buffer. An empty buffer gets no chunk.
pub fn glb_of(text: Vec<u8>, mut bin: Vec<u8>) -> Vec<u8> {
    if bin.is_empty() {
        return glb_with(text, &[]);
    }
    bin.resize(bin.len().next_multiple_of(4), 0);
    glb_with(text, &[&chunk_header(*b"BIN\0", bin.len()), &bin])
}

/// Assembles a GLB of JSON text and complete further chunks, which may be split into parts.
pub(crate) fn glb_with(mut text: Vec<u8>, chunks: &[&[u8]]) -> Vec<u8> {
    text.resize(text.len().next_multiple_of(4), b' ');
    let chunks_length: usize = chunks.iter().map(|part| part.len()).sum();
    let length = Glb::HEADER + Glb::CHUNK_HEADER + text.len() + chunks_length;
    let mut glb = Vec::with_capacity(length);
    glb.extend_from_slice(b"glTF");
    glb.extend_from_slice(&2_u32.to_le_bytes());
    glb.extend_from_slice(&(length as u32).to_le_bytes());
    glb.extend_from_slice(&chunk_header(*b"JSON", text.len()));
    glb.extend_from_slice(&text);
    for part in chunks {
        glb.extend_from_slice(part);
    }
    glb
}

fn chunk_header(kind: [u8; 4], length: usize) -> [u8; 8] {
    let mut header = [0; 8];
    header[..4].copy_from_slice(&(length as u32).to_le_bytes());
    header[4..].copy_from_slice(&kind);
    header
}
