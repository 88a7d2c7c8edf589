//! How the picture is computed: the way joints take to the vertex shader, what
//! goes wrong on it, and the machine it is done on.

use crate::skin::keyed;

/// How the joint palette reaches the vertex shader.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Transport {
    /// An array of plain uniforms.
    UniformArray,
    /// One or several uniform blocks (`std140`).
    UniformBlock,
    /// An RGBA32F texture read by `texelFetch` with whole-number indices.
    #[default]
    TexelFetch,
    /// The same texture read at texel centres with float indices, as WebGL 1
    /// must.
    TextureCentres,
}

keyed!(Transport {
    UniformArray = "uniform-array",
    UniformBlock = "uniform-block",
    TexelFetch = "texel-fetch",
    TextureCentres = "texture-centres",
});

impl Transport {
    /// For people.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::UniformArray => "uniform array",
            Self::UniformBlock => "uniform block",
            Self::TexelFetch => "texture, texelFetch",
            Self::TextureCentres => "texture, WebGL 1",
        }
    }

    /// Are joint indices floats, for want of anything else in WebGL 1?
    #[must_use]
    pub fn has_float_indices(self) -> bool {
        self == Self::TextureCentres
    }

    /// Does the palette go through a texture?
    #[must_use]
    pub fn is_texture(self) -> bool {
        matches!(self, Self::TexelFetch | Self::TextureCentres)
    }
}

/// Something done wrong on the way through a texture. Each can be on by itself;
/// none has an effect where the palette goes through uniforms.
///
/// How far vertices go astray, as a part of the mesh's size, with every angle of
/// the rig at 0.8 rad (a test holds the GPU to it,
/// within a tenth):
///
/// | fault | `bone_grid`, `texelFetch` | centres | `whale`, `texelFetch` | centres |
/// | --- | --- | --- | --- | --- |
/// | linear | 0 | 0 | 0 | 0 |
/// | edge | 0 | 0.46 | 0 | 2.0 |
/// | linear and edge | 0 | 0.39 | 0 | 0.96 |
/// | half | 0.0003 | 0.0003 | 0.0003 | 0.0003 |
/// | bytes | 0.39 | 0.39 | 1.1 | 1.1 |
/// | transposed | 1.9 | 1.9 | 1.5 | 1.5 |
/// | wrong width | 2.0 | 2.0 | 2.8 | 2.1 |
///
/// A filter alone finds nothing to mix at the centres of texels, and
/// `texelFetch` knows neither filters nor edges. A half keeps eleven bits: less
/// than a pixel here, but 0.2 of 1000.3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fault {
    /// The filter is LINEAR instead of NEAREST.
    Linear,
    /// Coordinates without the half: the edges of texels instead of centres. On
    /// an edge rounding decides; here it always decides for the texel before.
    Edge,
    /// 16-bit floats instead of 32-bit.
    Half,
    /// 8-bit colours from 0 to 1 instead of floats; stronger than `Half`.
    Bytes,
    /// Rows of the matrix where its columns belong.
    Transposed,
    /// The texture is five texels wide, not the four that a joint takes; the
    /// floats are uploaded one behind the other, and the shader does not know.
    WrongWidth,
}

keyed!(Fault {
    Linear = "linear",
    Edge = "edge",
    Half = "half",
    Bytes = "bytes",
    Transposed = "transposed",
    WrongWidth = "wrong-width",
});

/// The machine whose limits count: this one, or a lesser one that is played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Device {
    /// What GL says here.
    #[default]
    Here,
    /// The least that WebGL 2 guarantees.
    LeastWebgl2,
    /// The least that WebGL 1 guarantees, with float textures and a vertex
    /// texture unit, as most devices had.
    Webgl1,
    /// WebGL 1 without `OES_texture_float`.
    Webgl1NoFloatTextures,
    /// WebGL 1 with `MAX_VERTEX_TEXTURE_IMAGE_UNITS` = 0.
    Webgl1NoVertexTextures,
}

keyed!(Device {
    Here = "here",
    LeastWebgl2 = "least-webgl2",
    Webgl1 = "webgl1",
    Webgl1NoFloatTextures = "webgl1-no-float-textures",
    Webgl1NoVertexTextures = "webgl1-no-vertex-textures",
});

impl Device {
    /// For people.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Here => "this machine",
            Self::LeastWebgl2 => "least WebGL 2",
            Self::Webgl1 => "WebGL 1",
            Self::Webgl1NoFloatTextures => "WebGL 1, no float textures",
            Self::Webgl1NoVertexTextures => "WebGL 1, no vertex textures",
        }
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
        Self {
            count: 1,
            own_poses: false,
        }
    }
}
