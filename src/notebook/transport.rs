//! Which way the joint palette can take on a device, and which it takes where
//! the one that was asked for does not fit.

use std::fmt;

use super::GpuLimits;
use super::budget::{GUARANTEED_BLOCK_BYTES, GUARANTEED_TEXTURE_SIZE, OUR_VEC4S, TAKEN};
use super::{Derived, Document};
use crate::lesson::{Device, Transport};
use crate::skin::Blend;

/// What counts for the transports on a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeviceLimits {
    /// vec4s a vertex shader may have as uniforms.
    pub vertex_uniform_vec4s: u32,
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
    pub float_textures: bool,
    /// Can such textures be read with LINEAR? In WebGL this is
    /// `OES_texture_float_linear`.
    pub float_linear: bool,
    /// Has its shading language whole-number attributes and `texelFetch`?
    /// WebGL 1 has neither.
    pub texel_fetch: bool,
}

/// The limits of a device. Of the played ones they are what the WebGL
/// specifications guarantee (WebGL 1: 128 vec4s, textures of 64 texels, 8
/// attributes; WebGL 2: 256 vec4s, 12 vertex blocks of 16,384 bytes, textures of
/// 2,048 texels, 16 vertex texture units, 16 attributes), without extensions.
/// WebGL 1 guarantees neither float textures nor a vertex texture unit, but
/// nearly all devices had both, so only two of the three played ones lack one.
/// `None` for this machine when it has no GL.
#[must_use]
pub fn limits_of(device: Device, here: Option<&GpuLimits>) -> Option<DeviceLimits> {
    let least_webgl1 = DeviceLimits {
        vertex_uniform_vec4s: 128,
        uniform_block_bytes: 0,
        vertex_uniform_blocks: 0,
        texture_size: 64,
        vertex_texture_units: 1,
        vertex_attributes: 8,
        float_textures: true,
        float_linear: false,
        texel_fetch: false,
    };
    Some(match device {
        Device::Here => here.map(of_gl)?,
        Device::LeastWebgl2 => DeviceLimits {
            vertex_uniform_vec4s: 256,
            uniform_block_bytes: GUARANTEED_BLOCK_BYTES,
            vertex_uniform_blocks: 12,
            texture_size: GUARANTEED_TEXTURE_SIZE,
            vertex_texture_units: 16,
            vertex_attributes: 16,
            float_textures: true,
            float_linear: false,
            texel_fetch: true,
        },
        Device::Webgl1 => least_webgl1,
        Device::Webgl1NoFloatTextures => DeviceLimits {
            float_textures: false,
            ..least_webgl1
        },
        Device::Webgl1NoVertexTextures => DeviceLimits {
            vertex_texture_units: 0,
            ..least_webgl1
        },
    })
}

/// This machine with no more than the device that is played has. `None` when
/// it is this machine that counts.
#[must_use]
pub fn played(device: Device, here: &GpuLimits) -> Option<GpuLimits> {
    if device == Device::Here {
        return None;
    }
    let least = limits_of(device, Some(here))?;
    Some(GpuLimits {
        vertex_uniform_vec4s: least.vertex_uniform_vec4s.min(here.vertex_uniform_vec4s),
        uniform_block_bytes: least.uniform_block_bytes.min(here.uniform_block_bytes),
        vertex_uniform_blocks: least.vertex_uniform_blocks.min(here.vertex_uniform_blocks),
        texture_size: least.texture_size.min(here.texture_size),
        vertex_texture_units: least.vertex_texture_units.min(here.vertex_texture_units),
        vertex_attributes: least.vertex_attributes.min(here.vertex_attributes),
        float_linear: least.float_linear && here.float_linear,
        ..here.clone()
    })
}

/// OpenGL 3.3, OpenGL ES 3 and WebGL 2 all have float textures and `texelFetch`.
fn of_gl(here: &GpuLimits) -> DeviceLimits {
    DeviceLimits {
        vertex_uniform_vec4s: here.vertex_uniform_vec4s,
        uniform_block_bytes: here.uniform_block_bytes,
        vertex_uniform_blocks: here.vertex_uniform_blocks,
        texture_size: here.texture_size,
        vertex_texture_units: here.vertex_texture_units,
        vertex_attributes: here.vertex_attributes,
        float_textures: true,
        float_linear: here.float_linear,
        texel_fetch: true,
    }
}

/// What has to go to the shader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Load {
    /// Joints of the skin.
    pub joints: u32,
    /// vec4s, or texels, that one takes: 4 as `mat4`.
    pub vec4s_per_joint: u32,
    /// vec4 uniforms that everything else takes.
    pub other_vec4s: u32,
}

impl Load {
    /// What the open page sends: the palette of its method, beside what this
    /// notebook's shaders need on this machine, or a lesson's on a played one.
    #[must_use]
    pub fn of(document: &Document, derived: &Derived) -> Self {
        let vec4s_per_joint = match derived.blend {
            Blend::DualQuaternion if derived.is_stretched() => 5,
            Blend::DualQuaternion => 2,
            Blend::Linear | Blend::Strongest | Blend::Only(_) => 4,
        };
        Self {
            vec4s_per_joint,
            other_vec4s: match document.state.device {
                Device::Here => OUR_VEC4S,
                _ => TAKEN,
            },
            ..Self::mat4s(derived.palette.len())
        }
    }

    /// Whole matrices, beside projection, view and colour ([`TAKEN`]).
    #[must_use]
    pub fn mat4s(joints: usize) -> Self {
        Self {
            joints: u32::try_from(joints).unwrap_or(u32::MAX),
            vec4s_per_joint: 4,
            other_vec4s: TAKEN,
        }
    }
}

/// Why a way is closed. As text: `61 joints fit, this skin has 300`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misfit {
    /// A limit is too low.
    TooManyJoints {
        /// Joints of the skin.
        joints: u32,
        /// Joints that fit.
        fit: u32,
        /// The limit.
        limit: Limit,
        /// What the skin would take of it.
        needed: u32,
        /// What the device offers.
        offered: u32,
    },
    /// The device has no such thing at all.
    Missing(Missing),
}

/// What runs out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// vec4 uniforms of a vertex shader.
    Vec4s,
    /// Bytes of all its uniform blocks.
    BlockBytes,
    /// Rows of a texture.
    TextureRows,
}

impl Limit {
    /// The name GL has for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Vec4s => "MAX_VERTEX_UNIFORM_VECTORS",
            Self::BlockBytes => "MAX_UNIFORM_BLOCK_SIZE × MAX_VERTEX_UNIFORM_BLOCKS",
            Self::TextureRows => "MAX_TEXTURE_SIZE",
        }
    }
}

/// What a device may lack. As text: what is missing, by its name in GL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// No uniform blocks.
    Blocks,
    /// No `texelFetch` and no whole-number attributes.
    TexelFetch,
    /// No texture in a vertex shader.
    VertexTextureUnits,
    /// No float textures.
    FloatTextures,
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Blocks => "WebGL 1 has no uniform blocks",
            Self::TexelFetch => "WebGL 1 has no texelFetch and no whole-number attributes",
            Self::VertexTextureUnits => {
                "a vertex shader reads no textures here (MAX_VERTEX_TEXTURE_IMAGE_UNITS is 0)"
            }
            Self::FloatTextures => "there are no float textures (OES_texture_float is missing)",
        })
    }
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooManyJoints { joints, fit, .. } => {
                let (noun, verb) = if *fit == 1 {
                    ("joint", "fits")
                } else {
                    ("joints", "fit")
                };
                write!(f, "{fit} {noun} {verb}, this skin has {joints}")
            }
            Self::Missing(missing) => missing.fmt(f),
        }
    }
}

/// Joints that fit, or what the device lacks for any to.
///
/// # Errors
/// When the device does not have this way at all.
pub fn capacity(
    transport: Transport,
    vec4s_per_joint: u32,
    other_vec4s: u32,
    limits: &DeviceLimits,
) -> Result<u32, Missing> {
    let vec4s = vec4s_per_joint.max(1);
    match transport {
        Transport::UniformArray => {
            Ok(limits.vertex_uniform_vec4s.saturating_sub(other_vec4s) / vec4s)
        }
        Transport::UniformBlock if limits.vertex_uniform_blocks == 0 => Err(Missing::Blocks),
        Transport::UniformBlock => {
            // A joint is not torn apart: each block holds whole ones.
            let in_a_block = limits.uniform_block_bytes / (16 * vec4s);
            Ok(in_a_block.saturating_mul(limits.vertex_uniform_blocks))
        }
        Transport::TexelFetch if !limits.texel_fetch => Err(Missing::TexelFetch),
        Transport::TexelFetch | Transport::TextureCentres if limits.vertex_texture_units == 0 => {
            Err(Missing::VertexTextureUnits)
        }
        Transport::TexelFetch | Transport::TextureCentres if !limits.float_textures => {
            Err(Missing::FloatTextures)
        }
        Transport::TexelFetch | Transport::TextureCentres => Ok(limits.texture_size),
    }
}

/// Can the skin be handed over in this way?
///
/// # Errors
/// In words: which limit is too low, or what is missing.
pub fn fits(transport: Transport, load: Load, limits: &DeviceLimits) -> Result<(), Misfit> {
    let fit = capacity(transport, load.vec4s_per_joint, load.other_vec4s, limits)
        .map_err(Misfit::Missing)?;
    if load.joints <= fit {
        return Ok(());
    }
    let vec4s = load.joints.saturating_mul(load.vec4s_per_joint);
    let (limit, needed, offered) = match transport {
        Transport::UniformArray => (
            Limit::Vec4s,
            vec4s.saturating_add(load.other_vec4s),
            limits.vertex_uniform_vec4s,
        ),
        Transport::UniformBlock => (
            Limit::BlockBytes,
            vec4s.saturating_mul(16),
            limits
                .uniform_block_bytes
                .saturating_mul(limits.vertex_uniform_blocks),
        ),
        Transport::TexelFetch | Transport::TextureCentres => {
            (Limit::TextureRows, load.joints, limits.texture_size)
        }
    };
    Err(Misfit::TooManyJoints {
        joints: load.joints,
        fit,
        limit,
        needed,
        offered,
    })
}

/// The way that is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chosen {
    /// This one.
    pub transport: Transport,
    /// The one that was asked for, and why it is not taken.
    pub instead_of: Option<(Transport, Misfit)>,
}

/// `uniform array: 61 joints fit, this skin has 300; drawn through a texture
/// instead`, the name of the way as [`Transport::label`] has it.
impl fmt::Display for Chosen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.instead_of {
            None => f.write_str(self.transport.label()),
            Some((asked, misfit)) => write!(
                f,
                "{}: {misfit}; drawn through {} instead",
                asked.label(),
                through(self.transport)
            ),
        }
    }
}

fn through(transport: Transport) -> &'static str {
    match transport {
        Transport::UniformArray => "a uniform array",
        Transport::UniformBlock => "uniform blocks",
        Transport::TexelFetch => "a texture",
        Transport::TextureCentres => "a texture read at texel centres",
    }
}

/// No way is open: why the one with the most room is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("This skin cannot be handed to the shader on this device. The most room has {}: {misfit}.", transport.label())]
pub struct NoWay {
    /// The way with the most room.
    pub transport: Transport,
    /// Why it is closed.
    pub misfit: Misfit,
}

/// From most room to least.
const BEST_FIRST: [Transport; 4] = [
    Transport::TexelFetch,
    Transport::TextureCentres,
    Transport::UniformBlock,
    Transport::UniformArray,
];

/// The way that was asked for if it fits, else the one with the most room.
///
/// # Errors
/// When none fits.
pub fn chosen(asked: Transport, load: Load, limits: &DeviceLimits) -> Result<Chosen, NoWay> {
    let Err(misfit) = fits(asked, load, limits) else {
        return Ok(Chosen {
            transport: asked,
            instead_of: None,
        });
    };
    if let Some(transport) = BEST_FIRST
        .into_iter()
        .find(|&transport| fits(transport, load, limits).is_ok())
    {
        return Ok(Chosen {
            transport,
            instead_of: Some((asked, misfit)),
        });
    }
    let room = |&transport: &Transport| {
        capacity(transport, load.vec4s_per_joint, load.other_vec4s, limits).unwrap_or(0)
    };
    let roomiest = BEST_FIRST.into_iter().max_by_key(room).unwrap_or(asked);
    let why = fits(roomiest, load, limits).err().unwrap_or(misfit);
    Err(NoWay {
        transport: roomiest,
        misfit: why,
    })
}

#[cfg(test)]
mod tests;
