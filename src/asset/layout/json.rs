//! The part of glTF's JSON that says where bytes lie and what uses them. What
//! is absent or odd is left out: the reader has its own opinion on it.

use std::collections::BTreeMap;

use serde::Deserialize;

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Root {
    pub(super) buffers: Vec<Buffer>,
    pub(super) buffer_views: Vec<View>,
    pub(super) accessors: Vec<Accessor>,
    pub(super) meshes: Vec<Mesh>,
    pub(super) skins: Vec<Skin>,
    pub(super) animations: Vec<Animation>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Buffer {
    pub(super) uri: Option<String>,
    pub(super) byte_length: usize,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct View {
    pub(super) buffer: usize,
    pub(super) byte_offset: Option<usize>,
    pub(super) byte_length: usize,
    pub(super) byte_stride: Option<usize>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Accessor {
    pub(super) buffer_view: Option<usize>,
    pub(super) byte_offset: Option<usize>,
    pub(super) component_type: u32,
    pub(super) normalized: bool,
    pub(super) count: usize,
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) sparse: Option<Sparse>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Sparse {
    pub(super) count: usize,
    pub(super) indices: SparsePart,
    pub(super) values: SparsePart,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct SparsePart {
    pub(super) buffer_view: usize,
    pub(super) byte_offset: usize,
    pub(super) component_type: u32,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Mesh {
    pub(super) primitives: Vec<Primitive>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Primitive {
    pub(super) attributes: BTreeMap<String, usize>,
    pub(super) indices: Option<usize>,
    pub(super) targets: Vec<BTreeMap<String, usize>>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Skin {
    pub(super) inverse_bind_matrices: Option<usize>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Animation {
    pub(super) channels: Vec<Channel>,
    pub(super) samplers: Vec<Sampler>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Channel {
    pub(super) sampler: usize,
    pub(super) target: Target,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Target {
    pub(super) path: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Sampler {
    pub(super) input: usize,
    pub(super) output: usize,
}
