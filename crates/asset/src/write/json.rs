//! The part of glTF's JSON that we write, with its keys in a fixed order.

use std::collections::BTreeMap;

use serde::Serialize;
use serde::ser::Serializer;

/// Objects of the file: options and lists that are empty are left out.
macro_rules! objects {
    ($($(#[$meta:meta])* $name:ident {
        $($(#[$of_field:meta])* $field:ident: $type:ty,)*
    })*) => {$(
        $(#[$meta])*
        #[derive(Clone, Default, Serialize)]
        #[serde(rename_all = "camelCase")]
        pub(super) struct $name {$(
            $(#[$of_field])*
            #[serde(skip_serializing_if = "MayBeAbsent::is_absent")]
            pub(super) $field: $type,
        )*}

        impl MayBeAbsent for $name {}
    )*};
}

objects! {
    Root {
        asset: Asset, extensions_used: Vec<&'static str>, scene: usize, scenes: Vec<Scene>,
        nodes: Vec<Node>, meshes: Vec<Mesh>, skins: Vec<Skin>, materials: Vec<Material>,
        textures: Vec<Texture>, images: Vec<Image>, samplers: Vec<TextureSampler>,
        animations: Vec<Animation>, accessors: Vec<Accessor>, buffer_views: Vec<BufferView>,
        buffers: Vec<Buffer>,
    }
    Asset { version: &'static str, generator: &'static str, copyright: Option<&'static str>, }
    Scene { name: Option<String>, nodes: Vec<usize>, }
    Node {
        name: Option<String>, mesh: Option<usize>, skin: Option<usize>, matrix: Option<[f32; 16]>,
        translation: Option<[f32; 3]>, rotation: Option<[f32; 4]>, scale: Option<[f32; 3]>,
        children: Vec<usize>,
    }
    /// `weights` are those of its morph targets, at rest.
    Mesh {
        name: String, primitives: Vec<Primitive>, weights: Vec<f32>, extras: Option<MeshExtras>,
    }
    /// What exporters agree on beside the format.
    MeshExtras { target_names: Vec<String>, }
    /// `mode` is 0 for points, 1 for lines, 4 for triangles.
    Primitive {
        attributes: Attributes, indices: Option<usize>, material: usize, mode: u32,
        targets: Vec<BTreeMap<&'static str, usize>>,
    }
    Skin {
        name: Option<String>, inverse_bind_matrices: Option<usize>, skeleton: Option<usize>,
        joints: Vec<usize>,
    }
    Material {
        name: String, pbr_metallic_roughness: Pbr, double_sided: Option<bool>,
        alpha_mode: Option<&'static str>, alpha_cutoff: Option<f32>,
        extensions: Option<MaterialExtensions>,
    }
    MaterialExtensions {
        #[serde(rename = "KHR_materials_unlit")]
        unlit: Unlit,
    }
    Unlit {}
    Pbr {
        base_color_factor: Option<[f32; 4]>, base_color_texture: Option<TextureInfo>,
        metallic_factor: f32, roughness_factor: f32,
    }
    TextureInfo { index: usize, extensions: Option<TextureExtensions>, }
    TextureExtensions {
        #[serde(rename = "KHR_texture_transform")]
        transform: TextureTransform,
    }
    /// `rotation` is in radians.
    TextureTransform { offset: [f32; 2], rotation: f32, scale: [f32; 2], }
    Texture { sampler: Option<usize>, source: usize, }
    /// How an image is laid on; the numbers are OpenGL's.
    TextureSampler { mag_filter: u32, min_filter: u32, wrap_s: u32, wrap_t: u32, }
    Image {
        name: String, uri: Option<String>, buffer_view: Option<usize>, mime_type: &'static str,
    }
    Animation { name: String, channels: Vec<Channel>, samplers: Vec<Sampler>, }
    Channel { sampler: usize, target: Target, }
    Target { node: usize, path: &'static str, }
    Sampler { input: usize, interpolation: &'static str, output: usize, }
    Accessor {
        buffer_view: usize, byte_offset: Option<usize>, component_type: u32,
        normalized: Option<bool>, count: usize,
        #[serde(rename = "type")]
        kind: &'static str,
        min: Vec<f32>, max: Vec<f32>,
    }
    BufferView {
        buffer: usize, byte_offset: Option<usize>, byte_length: usize, byte_stride: Option<usize>,
        target: Option<u32>,
    }
    Buffer { uri: Option<String>, byte_length: usize, }
}

/// Is a field left out of its object?
trait MayBeAbsent {
    fn is_absent(&self) -> bool {
        false
    }
}

impl<T> MayBeAbsent for Option<T> {
    fn is_absent(&self) -> bool {
        self.is_none()
    }
}

impl<T> MayBeAbsent for Vec<T> {
    fn is_absent(&self) -> bool {
        self.is_empty()
    }
}

impl MayBeAbsent for f32 {}
impl MayBeAbsent for u32 {}
impl MayBeAbsent for usize {}
impl MayBeAbsent for String {}
impl MayBeAbsent for &str {}
impl<const N: usize> MayBeAbsent for [f32; N] {}
impl MayBeAbsent for Attributes {}

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
