//! A glTF file as bytes, before anything in it is believed: chunks, URIs,
//! component types, elements of accessors. Reader, doctor, layout and mending
//! stand on it.

mod component;
mod elements;
mod glb;
pub(super) mod json;
mod uri;

pub use component::{Component, ElementFormat, ElementType};
pub(super) use elements::{Elements, Sparse};
pub use glb::{Glb, GlbChunk};
pub(super) use uri::{UriTarget, data_uri};
