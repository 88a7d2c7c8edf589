//! A glTF file as bytes, before anything in it is believed: chunks, URIs,
//! component types, elements of accessors, the trees of nodes. Reader, doctor, layout and mending
//! stand on it.

mod component;
mod elements;
mod glb;
pub(super) mod json;
mod uri;

pub use component::{Component, ElementFormat, ElementType};
pub(super) use elements::{AccessorElements, Sparse};
pub use glb::{Glb, GlbChunk};
pub(super) use json::{ChildFaultKind, NodeForest, NodeLoop};
pub(super) use uri::{UriTarget, data_uri};

/// All buffers of a file together, in bytes.
pub(super) const MOST_BUFFER_BYTES: usize = 1 << 30;
