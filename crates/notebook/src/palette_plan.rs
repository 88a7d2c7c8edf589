//! How the joint palette goes to the vertex shader of a device: what is bound,
//! in which sizes, or why it does not fit. The page shows this and the renderer
//! obeys it.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;

use bindpose_lesson::{SkinningFault, Transport};
use bindpose_skin::Blend;

use super::glsl::{ShaderBlending, ShaderKind};
use super::palette_texture::{TexelFormat, WIDTH, WRONG_WIDTH};
use super::scene::Scene;
use super::{Derived, GpuLimits};

/// What has to go to the shader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PaletteLoad {
    /// Joints that the shader may ask for; at least one.
    pub joints: u32,
    /// One for each of a crowd in poses of their own; else 1.
    pub palettes: u32,
    /// What a palette holds for each joint.
    pub blending: ShaderBlending,
}

impl PaletteLoad {
    /// One palette of so many joints. `named`: one more than the highest joint
    /// that moves some vertex; those past the palette stand still.
    pub fn new(joints: usize, blend: Blend, named: usize, blending: ShaderBlending) -> Self {
        let named = match blend {
            Blend::Only(joint) => joint.index() + 1,
            Blend::Linear | Blend::DualQuaternion | Blend::Strongest => named,
        };
        Self {
            joints: u32::try_from(joints.max(named).max(1)).unwrap_or(u32::MAX),
            palettes: 1,
            blending,
        }
    }
}

/// What is bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PalettePlan {
    /// How the shader reads it.
    pub transport: Transport,
    /// What is in it.
    pub load: PaletteLoad,
    /// Where it lies.
    pub store: PaletteStore,
}

/// Where a palette lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PaletteStore {
    /// In uniforms.
    Uniforms(UniformSizes),
    /// In a texture: joints one below the other, and from the top again further
    /// right where the rows end.
    Texture {
        /// Rows of the texture.
        rows: u32,
        /// Joints side by side.
        columns: u32,
    },
}

/// Sizes that are compiled into a shader; zeros where the palette is a texture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UniformSizes {
    /// vec4s of the whole palette.
    pub vec4s: u32,
    /// vec4s in one uniform block; 0 for an array of plain uniforms.
    pub vec4s_per_block: u32,
}

impl UniformSizes {
    /// vec4s in each of the uniform blocks; all are full but the last.
    pub fn blocks(self) -> Vec<u32> {
        let Self { vec4s, vec4s_per_block: full } = self;
        let count = vec4s.checked_div(full).map_or(0, |_| vec4s.div_ceil(full));
        (0..count).map(|block| full.min(vec4s - block * full)).collect()
    }
}

/// What a palette's texture is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextureShape {
    /// Texels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// What a texel holds.
    pub format: TexelFormat,
    /// Is it read with LINEAR instead of NEAREST?
    pub linear: bool,
}

impl PalettePlan {
    /// How this load goes by this transport.
    ///
    /// Errors: which limit is too low, or what is missing.
    pub fn new(
        transport: Transport,
        load: PaletteLoad,
        limits: &GpuLimits,
    ) -> Result<Self, Misfit> {
        let PaletteLoad { joints, palettes, .. } = load;
        let each = load.blending.vec4s_per_joint();
        let fit = capacity(transport, each, limits)?;
        if joints > fit {
            return Err(Misfit::TooManyJoints { joints, fit });
        }
        if palettes > 1 && !transport.is_fetched() {
            return Err(Misfit::OwnPoses);
        }
        let store = match transport {
            Transport::UniformArray => {
                PaletteStore::Uniforms(UniformSizes { vec4s: joints * each, vec4s_per_block: 0 })
            }
            Transport::UniformBlock => PaletteStore::Uniforms(UniformSizes {
                vec4s: joints * each,
                vec4s_per_block: each * joints.min(joints_in_block(each, limits)),
            }),
            Transport::TexelFetch | Transport::TextureCentres => {
                let all = palettes.saturating_mul(joints);
                let rows = all.min(limits.texture_size);
                let columns = all.div_ceil(rows);
                if palettes > 1 && columns.saturating_mul(each) > limits.texture_size {
                    return Err(Misfit::CrowdTexture { palettes, joints });
                }
                PaletteStore::Texture { rows, columns }
            }
        };
        Ok(Self { transport, load, store })
    }

    /// How a scene's palette goes to the shader of this kind, which is the
    /// scene's, on the machine here. `named` as in [`PaletteLoad::new`].
    ///
    /// Fails when it does not fit this machine, or the one that is played.
    pub fn of_scene(
        scene: &Scene,
        kind: ShaderKind,
        named: usize,
        here: &GpuLimits,
    ) -> Result<Self, Misfit> {
        let limits = match &scene.skinning.limits {
            Some(played) => Cow::Owned(played.within(here)),
            None => Cow::Borrowed(here),
        };
        let crowd = scene.crowd.as_ref();
        let palettes = crowd.map_or(0, |crowd| crowd.count_palettes());
        let load = PaletteLoad {
            palettes: u32::try_from(palettes.max(1)).unwrap_or(u32::MAX),
            ..PaletteLoad::new(scene.palette.len(), scene.blend, named, kind.blending)
        };
        Self::new(kind.transport, load, &limits)
    }

    /// The texture, with what is done wrong to it; `None` where it is uniforms.
    pub fn texture(&self, faults: &BTreeSet<SkinningFault>) -> Option<TextureShape> {
        let PaletteStore::Texture { rows, columns } = self.store else {
            return None;
        };
        let wrong = faults.contains(&SkinningFault::WrongWidth) && columns == 1;
        let excess = if wrong { WRONG_WIDTH - WIDTH } else { 0 };
        Some(TextureShape {
            width: columns * self.load.blending.vec4s_per_joint() + excess,
            height: rows,
            format: TexelFormat::from_faults(faults),
            linear: faults.contains(&SkinningFault::Linear),
        })
    }
}

/// Why a palette does not go by a transport. As text: `61 joints fit, this skin
/// has 300`, or what is missing by its name in GL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Misfit {
    /// A limit is too low.
    #[error("{}, this skin has {joints}", joints_fit(*.fit))]
    TooManyJoints {
        /// Joints of the skin.
        joints: u32,
        /// Joints that fit.
        fit: u32,
    },
    /// No uniform blocks.
    #[error("WebGL 1 has no uniform blocks")]
    NoBlocks,
    /// No `texelFetch` and no whole-number attributes.
    #[error("WebGL 1 has no texelFetch and no whole-number attributes")]
    NoTexelFetch,
    /// No texture in a vertex shader.
    #[error("a vertex shader reads no textures here (MAX_VERTEX_TEXTURE_IMAGE_UNITS is 0)")]
    NoVertexTextures,
    /// No float textures.
    #[error("there are no float textures (OES_texture_float is missing)")]
    NoFloatTextures,
    /// Palettes of a crowd by another transport than `texelFetch`.
    #[error("poses of their own need one texture for all, read by texelFetch")]
    OwnPoses,
    /// More palettes than a texture holds.
    #[error("{palettes} palettes of {joints} joints are more than a texture holds here")]
    CrowdTexture {
        /// One for each of the crowd.
        palettes: u32,
        /// Joints of each.
        joints: u32,
    },
}

fn joints_fit(fit: u32) -> String {
    if fit == 1 { "1 joint fits".to_owned() } else { format!("{fit} joints fit") }
}

/// Joints that fit into one palette.
///
/// Fails when the device does not have this transport at all.
pub fn capacity(
    transport: Transport,
    vec4s_per_joint: u32,
    limits: &GpuLimits,
) -> Result<u32, Misfit> {
    match transport {
        Transport::UniformArray => Ok(limits.palette_vec4s / vec4s_per_joint.max(1)),
        Transport::UniformBlock if limits.vertex_uniform_blocks == 0 => Err(Misfit::NoBlocks),
        Transport::UniformBlock => {
            Ok(joints_in_block(vec4s_per_joint, limits)
                .saturating_mul(limits.vertex_uniform_blocks))
        }
        Transport::TexelFetch if !limits.texel_fetch => Err(Misfit::NoTexelFetch),
        Transport::TexelFetch | Transport::TextureCentres if limits.vertex_texture_units == 0 => {
            Err(Misfit::NoVertexTextures)
        }
        Transport::TexelFetch | Transport::TextureCentres if !limits.float_textures => {
            Err(Misfit::NoFloatTextures)
        }
        Transport::TexelFetch | Transport::TextureCentres => Ok(limits.texture_size),
    }
}

/// A joint is not torn apart: each block holds whole ones.
fn joints_in_block(vec4s_per_joint: u32, limits: &GpuLimits) -> u32 {
    limits.uniform_block_bytes / (16 * vec4s_per_joint.max(1))
}

/// What the open page sends.
#[derive(Clone, Copy, Debug)]
pub struct PageLoad {
    /// One skin in its pose.
    pub alone: PaletteLoad,
    /// A crowd in poses of their own, where one is asked for.
    crowd: Option<PaletteLoad>,
}

impl PageLoad {
    /// Of the page in this pose.
    pub fn new(derived: &Derived) -> Self {
        // No vertex of a model that was opened names a joint past its skin.
        let load = |blending| PaletteLoad::new(derived.palette.len(), derived.blend, 0, blending);
        let alone = ShaderBlending::new(derived.blend, || derived.is_pose_stretched());
        Self {
            alone: load(alone),
            crowd: derived.has_own_poses().then(|| PaletteLoad {
                palettes: derived.instances,
                ..load(ShaderBlending::new(derived.blend, || derived.is_stretched()))
            }),
        }
    }

    /// How it goes by this transport; a crowd shares one pose where its own do
    /// not fit.
    ///
    /// Fails when one palette does not fit.
    pub fn plan(&self, transport: Transport, limits: &GpuLimits) -> Result<PageChoice, Misfit> {
        let crowd = self.crowd.map(|crowd| PalettePlan::new(transport, crowd, limits));
        let (plan, one_pose) = match crowd {
            Some(Ok(plan)) => (plan, None),
            refused => {
                (PalettePlan::new(transport, self.alone, limits)?, refused.and_then(Result::err))
            }
        };
        Ok(PageChoice { plan, instead_of: None, one_pose })
    }

    /// By the transport that was asked for if it fits, else by the one with the
    /// most room.
    ///
    /// Fails when none fits.
    pub fn choose(&self, asked: Transport, limits: &GpuLimits) -> Result<PageChoice, NoTransport> {
        let misfit = match self.plan(asked, limits) {
            Ok(choice) => return Ok(choice),
            Err(misfit) => misfit,
        };
        let mut others = BEST_FIRST.into_iter();
        if let Some(choice) = others.find_map(|other| self.plan(other, limits).ok()) {
            return Ok(PageChoice { instead_of: Some((asked, misfit)), ..choice });
        }
        let each = self.alone.blending.vec4s_per_joint();
        let room = |&transport: &Transport| capacity(transport, each, limits).unwrap_or(0);
        let roomiest = BEST_FIRST.into_iter().max_by_key(room).unwrap_or(asked);
        let why = self.plan(roomiest, limits).err().unwrap_or(misfit);
        Err(NoTransport { transport: roomiest, misfit: why })
    }
}

/// From most room to least.
const BEST_FIRST: [Transport; Transport::ALL.len()] = [
    Transport::TexelFetch,
    Transport::TextureCentres,
    Transport::UniformBlock,
    Transport::UniformArray,
];

/// How the page's palette goes to the shader in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageChoice {
    /// What is bound.
    pub plan: PalettePlan,
    /// The transport that was asked for, and why it is not taken.
    pub instead_of: Option<(Transport, Misfit)>,
    /// Why a crowd shares one pose, though each should have its own.
    pub one_pose: Option<Misfit>,
}

/// `uniform array: 61 joints fit, this skin has 300; drawn through a texture
/// instead`, the name of the transport as [`Transport::label`] has it.
impl fmt::Display for PageChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.instead_of {
            None => f.write_str(self.plan.transport.label()),
            Some((asked, misfit)) => write!(
                f,
                "{}: {misfit}; drawn through {} instead",
                asked.label(),
                through(self.plan.transport)
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

/// Nothing fits: why the transport with the most room does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("This skin cannot be handed to the shader on this device. The most room has {}: {misfit}.", transport.label())]
pub struct NoTransport {
    /// The one with the most room.
    pub transport: Transport,
    /// Why it is closed.
    pub misfit: Misfit,
}

#[cfg(test)]
mod tests;
