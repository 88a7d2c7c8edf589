//! The subset of glTF's JSON that is written, with keys in a fixed order.

use std::collections::BTreeMap;

use serde::Serialize;
use serde::ser::Serializer;

/// Defines objects of the JSON. Fields that are `None` or empty are not written.
macro_rules! objects {
    ($($(#[$meta:meta])* $name:ident {
        $($(#[$of_field:meta])* $field:ident: $type:ty,)*
    })*) => {$(
        $(#[$meta])*
        #[derive(Clone, Default, Serialize)]
        #[serde(rename_all = "camelCase")]
        pub(super) struct $name {$(
            $(#[$of_field])*
            #[serde(skip_serializing_if = "OptionalField::is_absent")]
            pub(super) $field: $type,
        )*}

        impl OptionalField for $name {}
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
    /// `weights` are the rest weights of the morph targets.
    Mesh {
        name: String, primitives: Vec<Primitive>, weights: Vec<f32>, extras: Option<MeshExtras>,
    }
    /// Names of morph targets, by a convention of exporters that glTF does not define.
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
    /// Filters and wrapping modes, as constants of OpenGL.
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

/// A field that may be left out of its object.
trait OptionalField {
    fn is_absent(&self) -> bool {
        false
    }
}

impl<T> OptionalField for Option<T> {
    fn is_absent(&self) -> bool {
        self.is_none()
    }
}

impl<T> OptionalField for Vec<T> {
    fn is_absent(&self) -> bool {
        self.is_empty()
    }
}

impl OptionalField for f32 {}
impl OptionalField for u32 {}
impl OptionalField for usize {}
impl OptionalField for String {}
impl OptionalField for &str {}
impl<const N: usize> OptionalField for [f32; N] {}
impl OptionalField for Attributes {}

/// Accessors of a primitive by semantic, in order of insertion.
#[derive(Clone, Default)]
pub(super) struct Attributes(Vec<(String, usize)>);

impl Attributes {
    pub(super) fn insert(&mut self, name: impl Into<String>, accessor: usize) {
        self.0.push((name.into(), accessor));
    }
}

impl Serialize for Attributes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, accessor)| (name, accessor)))
    }
}
