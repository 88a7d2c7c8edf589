//! What a device's GL allows, as plain numbers: this machine's, or those of a
//! lesser one that is played.

use std::sync::Arc;

use bindpose_lesson::Device;

use super::uniform_budget::{GUARANTEED_BLOCK_BYTES, GUARANTEED_TEXTURE_SIZE, TAKEN};

/// Read once from GL by the renderer, or what a specification guarantees.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct GpuLimits {
    /// `GL_VENDOR`
    pub vendor: String,
    /// `GL_RENDERER`
    pub renderer: String,
    /// `GL_VERSION`
    pub version: String,
    /// vec4s a vertex shader may have as uniforms.
    pub vertex_uniform_vec4s: u32,
    /// Those of them that the palette may take: the shader needs the others.
    #[serde(skip)]
    pub palette_vec4s: u32,
    /// Bytes in one uniform block; 0 where there are none.
    pub uniform_block_bytes: u32,
    /// Uniform blocks a vertex shader may have; 0 in WebGL 1.
    pub vertex_uniform_blocks: u32,
    /// Texels along one side of a texture.
    pub texture_size: u32,
    /// Textures a vertex shader may read.
    pub vertex_texture_units: u32,
    /// Attributes of a vertex.
    pub vertex_attributes: u32,
    /// Can texels be 32-bit floats? In WebGL 1 this is `OES_texture_float`.
    #[serde(skip)]
    pub float_textures: bool,
    /// Can 32-bit float textures be read with LINEAR? Desktop GL always can; in
    /// WebGL this is `OES_texture_float_linear`.
    pub float_linear: bool,
    /// Has its shading language whole-number attributes and `texelFetch`?
    /// WebGL 1 has neither.
    #[serde(skip)]
    pub texel_fetch: bool,
}

impl GpuLimits {
    /// What counts where this device is asked for. Of the played ones that is
    /// what the WebGL specifications guarantee (WebGL 1: 128 vec4s, textures of
    /// 64 texels, 8 attributes; WebGL 2: 256 vec4s, 12 vertex blocks of 16,384
    /// bytes, textures of 2,048 texels, 16 vertex texture units, 16 attributes),
    /// without extensions, and no more than this machine has.
    /// WebGL 1 guarantees neither float textures nor a vertex texture unit, but
    /// nearly all devices had both, so only two of the three played ones lack
    /// one. `None` for this machine when it has no GL.
    pub fn for_device(device: Device, here: Option<&Self>) -> Option<Self> {
        let webgl1 = Self {
            vertex_uniform_vec4s: 128,
            palette_vec4s: 128 - TAKEN,
            texture_size: 64,
            vertex_texture_units: 1,
            vertex_attributes: 8,
            float_textures: true,
            ..Self::default()
        };
        let least = match device {
            Device::Here => return here.cloned(),
            Device::LeastWebgl2 => Self {
                vertex_uniform_vec4s: 256,
                palette_vec4s: 256 - TAKEN,
                uniform_block_bytes: GUARANTEED_BLOCK_BYTES,
                vertex_uniform_blocks: 12,
                texture_size: GUARANTEED_TEXTURE_SIZE,
                vertex_texture_units: 16,
                vertex_attributes: 16,
                float_textures: true,
                texel_fetch: true,
                ..Self::default()
            },
            Device::Webgl1 => webgl1,
            Device::Webgl1NoFloatTextures => Self { float_textures: false, ..webgl1 },
            Device::Webgl1NoVertexTextures => Self { vertex_texture_units: 0, ..webgl1 },
        };
        Some(match here {
            Some(here) => least.within(here),
            None => least,
        })
    }

    /// The same where a lesser machine is played; `None` where this one counts.
    pub fn played(device: Device, here: Option<&Self>) -> Option<Arc<Self>> {
        let lesser = device != Device::Here;
        lesser.then(|| Self::for_device(device, here))?.map(Arc::new)
    }

    /// What both this and the machine here have, by the name of the one here.
    #[must_use]
    pub fn within(&self, here: &Self) -> Self {
        Self {
            vendor: here.vendor.clone(),
            renderer: here.renderer.clone(),
            version: here.version.clone(),
            vertex_uniform_vec4s: self.vertex_uniform_vec4s.min(here.vertex_uniform_vec4s),
            palette_vec4s: self.palette_vec4s.min(here.palette_vec4s),
            uniform_block_bytes: self.uniform_block_bytes.min(here.uniform_block_bytes),
            vertex_uniform_blocks: self.vertex_uniform_blocks.min(here.vertex_uniform_blocks),
            texture_size: self.texture_size.min(here.texture_size),
            vertex_texture_units: self.vertex_texture_units.min(here.vertex_texture_units),
            vertex_attributes: self.vertex_attributes.min(here.vertex_attributes),
            float_textures: self.float_textures && here.float_textures,
            float_linear: self.float_linear && here.float_linear,
            texel_fetch: self.texel_fetch && here.texel_fetch,
        }
    }
}
