//! Options for computing the picture: transport of the palette, limits of the device, and
//! number of copies.

use bindpose_skin::keyed;

keyed! {
    /// Transport of the joint palette to the vertex shader.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Transport {
        /// An array of plain uniforms.
        UniformArray = "uniform-array" => "uniform array",
        /// One or several uniform blocks (`std140`).
        UniformBlock = "uniform-block" => "uniform block",
        /// An RGBA32F texture read by `texelFetch` with integer indices.
        #[default]
        TexelFetch = "texel-fetch" => "texture, texelFetch",
        /// The same texture sampled at texel centres with float indices, as in WebGL 1.
        TextureCentres = "texture-centres" => "texture, WebGL 1",
    }
}

impl Transport {
    /// Whether joint indices are floats, because WebGL 1 has no integer attributes.
    pub fn has_float_indices(self) -> bool {
        self.is_sampled()
    }

    /// Whether the palette is in a texture.
    pub fn is_texture(self) -> bool {
        self.is_fetched() || self.is_sampled()
    }

    /// Whether the texture is read texel by texel, without filters and edges.
    pub fn is_fetched(self) -> bool {
        self == Self::TexelFetch
    }

    /// Whether the texture is sampled at coordinates, where filters and edges have an effect.
    pub fn is_sampled(self) -> bool {
        self == Self::TextureCentres
    }
}

keyed! {
    /// Device whose limits apply: this one, or a simulated one with lower limits.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum Device {
        /// Limits reported by GL on this machine.
        #[default]
        Here = "here" => "this machine",
        /// Minimum limits guaranteed by WebGL 2.
        LeastWebgl2 = "least-webgl2" => "least WebGL 2",
        /// Minimum limits guaranteed by WebGL 1, with float textures and a vertex texture
        /// unit, as on most devices.
        Webgl1 = "webgl1" => "WebGL 1",
        /// WebGL 1 without `OES_texture_float`.
        Webgl1NoFloatTextures = "webgl1-no-float-textures" => "WebGL 1, no float textures",
        /// WebGL 1 with `MAX_VERTEX_TEXTURE_IMAGE_UNITS` = 0.
        Webgl1NoVertexTextures = "webgl1-no-vertex-textures" => "WebGL 1, no vertex textures",
    }
}

/// Number of drawn copies of the skin, and their poses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Crowd {
    /// Number of copies, from 1 to [`Crowd::MAX_COUNT`].
    pub count: u32,
    /// Whether each copy has a pose of its own, with all palettes in one texture. Otherwise
    /// all share one palette.
    pub own_poses: bool,
}

impl Crowd {
    /// Maximum number of copies; more could not be distinguished.
    pub const MAX_COUNT: u32 = 400;
}

impl Default for Crowd {
    fn default() -> Self {
        Self { count: 1, own_poses: false }
    }
}
