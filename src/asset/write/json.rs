//! The part of glTF's JSON that we write, with its keys in a fixed order.

use std::collections::BTreeMap;

use serde::Serialize;
use serde::ser::Serializer;

#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Root {
    pub(super) asset: Asset,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) extensions_used: Vec<&'static str>,
    pub(super) scene: usize,
    pub(super) scenes: Vec<Scene>,
    pub(super) nodes: Vec<Node>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) meshes: Vec<Mesh>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) skins: Vec<Skin>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) materials: Vec<Material>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) textures: Vec<Texture>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) images: Vec<Image>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) samplers: Vec<TextureSampler>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) animations: Vec<Animation>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) accessors: Vec<Accessor>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) buffer_views: Vec<BufferView>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) buffers: Vec<Buffer>,
}

#[derive(Default, Serialize)]
pub(super) struct Asset {
    pub(super) version: &'static str,
    pub(super) generator: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) copyright: Option<&'static str>,
}

#[derive(Default, Serialize)]
pub(super) struct Scene {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) nodes: Vec<usize>,
}

#[derive(Clone, Default, Serialize)]
pub(super) struct Node {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) mesh: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) skin: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) matrix: Option<[f32; 16]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) translation: Option<[f32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rotation: Option<[f32; 4]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) scale: Option<[f32; 3]>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) children: Vec<usize>,
}

#[derive(Default, Serialize)]
pub(super) struct Mesh {
    pub(super) name: String,
    pub(super) primitives: Vec<Primitive>,
    /// Of morph targets, at rest.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) weights: Vec<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) extras: Option<MeshExtras>,
}

/// What exporters agree on beside the format.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct MeshExtras {
    pub(super) target_names: Vec<String>,
}

#[derive(Serialize)]
pub(super) struct Primitive {
    pub(super) attributes: Attributes,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) indices: Option<usize>,
    pub(super) material: usize,
    /// 0 for points, 1 for lines, 4 for triangles.
    pub(super) mode: u32,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) targets: Vec<BTreeMap<&'static str, usize>>,
}

/// Accessors by name, in the order in which they were put.
#[derive(Clone, Default)]
pub(super) struct Attributes(Vec<(String, usize)>);

impl Attributes {
    pub(super) fn put(&mut self, name: impl Into<String>, accessor: usize) {
        self.0.push((name.into(), accessor));
    }
}

impl Serialize for Attributes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, accessor)| (name, accessor)))
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Skin {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) inverse_bind_matrices: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) skeleton: Option<usize>,
    pub(super) joints: Vec<usize>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Material {
    pub(super) name: String,
    pub(super) pbr_metallic_roughness: Pbr,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) double_sided: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) alpha_mode: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) alpha_cutoff: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) extensions: Option<MaterialExtensions>,
}

#[derive(Default, Serialize)]
pub(super) struct MaterialExtensions {
    #[serde(rename = "KHR_materials_unlit")]
    pub(super) unlit: Empty,
}

/// `{}`
#[derive(Default, Serialize)]
pub(super) struct Empty {}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Pbr {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) base_color_factor: Option<[f32; 4]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) base_color_texture: Option<TextureInfo>,
    pub(super) metallic_factor: f32,
    pub(super) roughness_factor: f32,
}

#[derive(Serialize)]
pub(super) struct TextureInfo {
    pub(super) index: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) extensions: Option<TextureExtensions>,
}

#[derive(Serialize)]
pub(super) struct TextureExtensions {
    #[serde(rename = "KHR_texture_transform")]
    pub(super) transform: TextureTransform,
}

#[derive(Serialize)]
pub(super) struct TextureTransform {
    pub(super) offset: [f32; 2],
    /// In radians.
    pub(super) rotation: f32,
    pub(super) scale: [f32; 2],
}

#[derive(Serialize)]
pub(super) struct Texture {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) sampler: Option<usize>,
    pub(super) source: usize,
}

/// How an image is laid on; the numbers are OpenGL's.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TextureSampler {
    pub(super) mag_filter: u32,
    pub(super) min_filter: u32,
    pub(super) wrap_s: u32,
    pub(super) wrap_t: u32,
}

#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Image {
    pub(super) name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) uri: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) buffer_view: Option<usize>,
    pub(super) mime_type: &'static str,
}

#[derive(Serialize)]
pub(super) struct Animation {
    pub(super) name: String,
    pub(super) channels: Vec<Channel>,
    pub(super) samplers: Vec<Sampler>,
}

#[derive(Serialize)]
pub(super) struct Channel {
    pub(super) sampler: usize,
    pub(super) target: Target,
}

#[derive(Serialize)]
pub(super) struct Target {
    pub(super) node: usize,
    pub(super) path: &'static str,
}

#[derive(Serialize)]
pub(super) struct Sampler {
    pub(super) input: usize,
    pub(super) interpolation: &'static str,
    pub(super) output: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Accessor {
    pub(super) buffer_view: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) byte_offset: Option<usize>,
    pub(super) component_type: u32,
    pub(super) count: usize,
    #[serde(rename = "type")]
    pub(super) kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) min: Option<Vec<f32>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) max: Option<Vec<f32>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BufferView {
    pub(super) buffer: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) byte_offset: Option<usize>,
    pub(super) byte_length: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) byte_stride: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) target: Option<u32>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Buffer {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) uri: Option<String>,
    pub(super) byte_length: usize,
}
