//! Decoding of glTF files that does not trust their content: GLB chunks, JSON, URIs, element
//! formats, elements of accessors, and the node hierarchy. The reader, the layout and the crate
//! `bindpose-doctor` are built on it.

mod component;
mod decompose;
mod elements;
mod extensions;
mod forest;
pub mod json;
pub mod schema;
mod schema_tables;
mod uri;
pub mod values;

use std::ops::Range;

use serde_json::Value;

pub use component::{Component, ElementFormat, ElementType};
pub(super) use decompose::decompose_affine;
pub use elements::{AccessorElements, Sparse};
pub use extensions::{ANIMATION_POINTER, READ as READ_EXTENSIONS, UnreadExtension, point_to_nodes};
pub use forest::{ChildFault, ChildFaultKind, NodeForest, NodeLoop};
pub(super) use uri::base64;
pub use uri::{UriTarget, base64_text, composed, data_uri, has_bare_percent, same_letters};

/// Limit for all buffers of a file together.
pub const MAX_BUFFER_BYTES: usize = 1 << 30;
/// Limit for the elements of an accessor without a buffer view, which are zero except for
/// sparse ones. They take no bytes of the file that would limit their number.
pub const MAX_ELEMENTS_WITHOUT_VIEW: usize = 1 << 20;

// The container of a binary file: header and chunks (glTF 2.0, section 4.4).

/// Header and chunks of a GLB, which may be truncated or otherwise invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Glb {
    /// Container version, 2 in valid files. `None` if the file ends before it.
    pub version: Option<u32>,
    /// Length of the whole file in bytes as declared in the header. `None` if the file ends
    /// before it.
    pub length: Option<u32>,
    /// Chunks, in the file's order. The last one may be truncated.
    pub chunks: Vec<GlbChunk>,
    /// Offset of the end of the last chunk. It is followed by fewer bytes than the header of
    /// a chunk has.
    pub end: usize,
}

/// A chunk of a GLB: a length, a type and content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GlbChunk {
    /// Type of the chunk, such as `JSON` or `BIN\0`.
    pub kind: [u8; 4],
    /// Offset of the content in the file.
    pub start: usize,
    /// Length of the content in bytes as declared in the chunk's header.
    pub length: usize,
}

impl Glb {
    /// Length of the file's header in bytes.
    pub const HEADER: usize = 12;
    /// Length of a chunk's header in bytes.
    pub const CHUNK_HEADER: usize = 8;

    /// Parses header and chunks. Returns `None` if the file does not begin with `glTF`.
    pub fn of(file: &[u8]) -> Option<Self> {
        if !file.starts_with(b"glTF") {
            return None;
        }
        let mut chunks = Vec::new();
        let mut offset = Self::HEADER;
        while let Some(header) = file.get(offset..offset + Self::CHUNK_HEADER) {
            let start = offset + Self::CHUNK_HEADER;
            let length = read_u32(header, 0)? as usize;
            chunks.push(GlbChunk { kind: header[4..].try_into().ok()?, start, length });
            offset = start.saturating_add(length);
        }
        Some(Self {
            version: read_u32(file, 4),
            length: read_u32(file, 8),
            chunks,
            end: offset.min(file.len()),
        })
    }

    /// Returns the first chunk if it is JSON.
    pub fn json(&self) -> Option<&GlbChunk> {
        self.chunks.first().filter(|chunk| chunk.kind == *b"JSON")
    }

    /// Returns the first binary chunk.
    pub fn bin(&self) -> Option<&GlbChunk> {
        self.chunks.iter().find(|chunk| chunk.kind == *b"BIN\0")
    }
}

impl GlbChunk {
    /// Returns the byte range of the content in the file. Shorter than declared if the file
    /// of `file_length` bytes is truncated.
    pub fn range(&self, file_length: usize) -> Range<usize> {
        self.start..self.start.saturating_add(self.length).min(file_length)
    }

    /// Returns whether a file of `file_length` bytes contains the whole chunk.
    pub fn is_whole(&self, file_length: usize) -> bool {
        self.range(file_length).len() == self.length
    }
}

fn read_u32(bytes: &[u8], offset: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(offset..offset + 4)?.try_into().ok()?))
}

// glTF 1.0, which is not supported.

/// Remedy for files of glTF 1.0.
pub const CONVERT_GLTF_1: &str = "convert it to glTF 2.0, by \
     gltf-pipeline -i old.gltf -o new.glb for example, or export the model again";

/// Returns whether the JSON is glTF 1.0, which has objects with names as keys in place of
/// lists.
pub fn is_gltf_1(root: &Value) -> bool {
    let is_version_1 = match root.pointer("/asset/version") {
        Some(Value::String(version)) => version.starts_with('1'),
        Some(version) => version.as_f64() == Some(1.0),
        None => true,
    };
    is_version_1
        && ["nodes", "meshes", "scenes", "accessors"].into_iter().any(|list| {
            let entries = root.get(list).and_then(Value::as_object);
            entries.is_some_and(|entries| entries.values().all(Value::is_object))
        })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn version_1_is_recognized_by_objects_in_place_of_lists() {
        let nodes = json!({"n": {"meshes": []}});
        for asset in [json!({"version": "1.0"}), json!({"version": 1}), json!({})] {
            assert!(is_gltf_1(&json!({"asset": asset, "nodes": nodes})), "{asset}");
        }
        assert!(is_gltf_1(&json!({"meshes": {}})));
        assert!(!is_gltf_1(&json!({"asset": {"version": "1.0"}, "nodes": [{}]})));
        assert!(!is_gltf_1(&json!({"asset": {"version": "2.0"}, "nodes": nodes})));
        assert!(!is_gltf_1(&json!({})));
    }
}
