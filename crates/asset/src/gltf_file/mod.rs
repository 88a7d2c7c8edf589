//! A glTF file as bytes, before anything in it is believed: chunks, URIs,
//! component types, elements of accessors, the trees of nodes. Reader, doctor, layout and mending
//! stand on it.

mod animation_pointer;
mod component;
mod elements;
mod extensions;
mod first_version;
mod glb;
pub(super) mod json;
mod uri;

pub(super) use animation_pointer::{EXTENSION as ANIMATION_POINTER, point_to_nodes};
pub use component::{Component, ElementFormat, ElementType};
pub(super) use elements::{AccessorElements, Sparse};
pub(super) use extensions::{READ as READ_EXTENSIONS, UnreadExtension};
pub(super) use first_version::{CONVERT as CONVERT_GLTF_1, is_gltf_1};
pub use glb::{Glb, GlbChunk};
pub(super) use json::{ChildFaultKind, NodeForest, NodeLoop};
pub use uri::same_letters;
pub(super) use uri::{UriTarget, composed, data_uri, has_bare_percent};

/// All buffers of a file together, in bytes.
pub(super) const MOST_BUFFER_BYTES: usize = 1 << 30;
