//! How the picture is computed: the way joints take to the vertex shader, and the
//! machine it is done on.

use bindpose_skin::keyed;

keyed! {
    /// How the joint palette reaches the vertex shader.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Transport {
        /// An array of plain uniforms.
        UniformArray = "uniform-array" => "uniform array",
        /// One or several uniform blocks (`std140`).
        UniformBlock = "uniform-block" => "uniform block",
        /// An RGBA32F texture read by `texelFetch` with whole-number indices.
        #[default]
        TexelFetch = "texel-fetch" => "texture, texelFetch",
        /// The same texture read at texel centres with float indices, as WebGL 1
        /// must.
        TextureCentres = "texture-centres" => "texture, WebGL 1",
    }
}

impl Transport {
    /// Are joint indices floats, for want of anything else in WebGL 1?
    pub fn has_float_indices(self) -> bool {
        self.is_sampled()
    }

    /// Does the palette go through a texture?
    pub fn is_texture(self) -> bool {
        self.is_fetched() || self.is_sampled()
    }

    /// Is it a texture read texel by texel, without filters and edges?
    pub fn is_fetched(self) -> bool {
        self == Self::TexelFetch
    }

    /// Is it a texture read at coordinates, where filters and edges count?
    pub fn is_sampled(self) -> bool {
        self == Self::TextureCentres
    }
}

keyed! {
    /// The machine whose limits count: this one, or a lesser one that is played.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum Device {
        /// What GL says here.
        #[default]
        Here = "here" => "this machine",
        /// The least that WebGL 2 guarantees.
        LeastWebgl2 = "least-webgl2" => "least WebGL 2",
        /// The least that WebGL 1 guarantees, with float textures and a vertex
        /// texture unit, as most devices had.
        Webgl1 = "webgl1" => "WebGL 1",
        /// WebGL 1 without `OES_texture_float`.
        Webgl1NoFloatTextures = "webgl1-no-float-textures" => "WebGL 1, no float textures",
        /// WebGL 1 with `MAX_VERTEX_TEXTURE_IMAGE_UNITS` = 0.
        Webgl1NoVertexTextures = "webgl1-no-vertex-textures" => "WebGL 1, no vertex textures",
    }
}

/// How many times the skin is drawn, and in which poses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Crowd {
    /// From 1 to [`Crowd::MOST`].
    pub count: u32,
    /// Each in a pose of its own, all palettes in one texture; else all share
    /// one palette.
    pub own_poses: bool,
}

impl Crowd {
    /// More would not be told apart.
    pub const MOST: u32 = 400;
}

impl Default for Crowd {
    fn default() -> Self {
        Self { count: 1, own_poses: false }
    }
}
