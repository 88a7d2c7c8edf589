//! A glTF file as bytes, before anything in it is believed: here the chunks of a binary one,
//! and its version; below, URIs, component types, elements of accessors, the trees of nodes.
//! Reader, doctor, layout and mending stand on it.

mod component;
mod elements;
mod extensions;
mod forest;
pub(super) mod json;
mod uri;

use std::ops::Range;

use serde_json::Value;

pub use component::{Component, ElementFormat, ElementType};
pub(super) use elements::{AccessorElements, Sparse};
pub(super) use extensions::{
    ANIMATION_POINTER, READ as READ_EXTENSIONS, UnreadExtension, point_to_nodes,
};
pub(super) use forest::{ChildFaultKind, NodeForest, NodeLoop};
pub(super) use uri::{UriTarget, base64, composed, data_uri, has_bare_percent};
pub use uri::{base64_text, same_letters};

/// All buffers of a file together, in bytes.
pub(super) const MOST_BUFFER_BYTES: usize = 1 << 30;

// The frame of a binary file: header and chunks (glTF 2.0, section 4.4).

/// A binary file taken apart, as far as it goes; whatever its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Glb {
    /// 2; `None` where the file ends before it.
    pub version: Option<u32>,
    /// Of the whole file, as its header says, in bytes.
    pub length: Option<u32>,
    /// In the file's order. The last may be cut off.
    pub chunks: Vec<GlbChunk>,
    /// Where the last chunk ends; behind it there are less bytes than a chunk's
    /// header has.
    pub end: usize,
}

/// A length, a type and content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GlbChunk {
    /// `JSON`, `BIN\0`.
    pub kind: [u8; 4],
    /// Offset of its content in the file.
    pub start: usize,
    /// Of its content, in bytes, as its header says.
    pub length: usize,
}

impl Glb {
    /// Of the header, in bytes.
    pub const HEADER: usize = 12;
    /// Of a chunk's header, in bytes.
    pub const CHUNK_HEADER: usize = 8;

    /// `None` for what does not begin as a binary file.
    pub fn of(file: &[u8]) -> Option<Self> {
        if !file.starts_with(b"glTF") {
            return None;
        }
        let mut chunks = Vec::new();
        let mut at = Self::HEADER;
        while let (Some(length), Some(kind)) = (word(file, at), file.get(at + 4..at + 8)) {
            let start = at + Self::CHUNK_HEADER;
            let length = length as usize;
            chunks.push(GlbChunk { kind: kind.try_into().ok()?, start, length });
            at = start.saturating_add(length);
        }
        Some(Self {
            version: word(file, 4),
            length: word(file, 8),
            chunks,
            end: at.min(file.len()),
        })
    }

    /// The first chunk, if it is JSON.
    pub fn json(&self) -> Option<&GlbChunk> {
        self.chunks.first().filter(|chunk| chunk.kind == *b"JSON")
    }

    /// The first binary chunk.
    pub fn bin(&self) -> Option<&GlbChunk> {
        self.chunks.iter().find(|chunk| chunk.kind == *b"BIN\0")
    }
}

impl GlbChunk {
    /// Of its content in the file, whose length is given: less than it says where
    /// the file is cut off.
    pub fn range(&self, file_length: usize) -> Range<usize> {
        self.start..self.start.saturating_add(self.length).min(file_length)
    }

    /// Is all of it there?
    pub fn is_whole(&self, file_length: usize) -> bool {
        self.range(file_length).len() == self.length
    }
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    let four = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes(four.try_into().ok()?))
}

// glTF 1.0, which nothing here reads.

/// What to do with a file of glTF 1.0.
pub(crate) const CONVERT_GLTF_1: &str = "convert it to glTF 2.0, by \
     gltf-pipeline -i old.gltf -o new.glb for example, or export the model again";

/// Is it JSON of glTF 1.0, whose lists are objects by name?
pub(crate) fn is_gltf_1(root: &Value) -> bool {
    let by_name = |list: &str| {
        let entries = root.get(list).and_then(Value::as_object);
        entries.is_some_and(|entries| entries.values().all(Value::is_object))
    };
    let is_first = match root.pointer("/asset/version") {
        Some(Value::String(version)) => version.starts_with('1'),
        Some(version) => version.as_f64() == Some(1.0),
        None => true,
    };
    is_first && ["nodes", "meshes", "scenes", "accessors"].into_iter().any(by_name)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_first_version_has_objects_for_lists() {
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
