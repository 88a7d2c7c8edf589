//! Transport of the joint palette to the vertex shader of a device: bound
//! resources and their sizes, or the reason why it does not fit. Shown by the
//! page and executed by the renderer.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;

use bindpose_lesson::{SkinningFault, Transport};
use bindpose_skin::Blend;

use super::glsl::{ShaderBlending, ShaderKind};
use super::palette_texture::{TexelFormat, WIDTH, WRONG_WIDTH};
use super::scene::Scene;
use super::{Derived, GpuLimits};

/// Data to be transported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PaletteLoad {
    /// Number of joints that the shader may access, at least 1.
    pub joints: u32,
    /// Number of palettes: one per instance of a crowd with separate poses,
    /// otherwise 1.
    pub palettes: u32,
    /// Blending method, which determines the data per joint.
    pub blending: ShaderBlending,
}

impl PaletteLoad {
    /// A single palette. `named` is one more than the highest joint index that
    /// moves a vertex. Joints beyond the palette are padded.
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

/// Resources bound for a palette.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PalettePlan {
    /// How the shader reads the palette.
    pub transport: Transport,
    pub load: PaletteLoad,
    pub store: PaletteStore,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PaletteStore {
    Uniforms(UniformSizes),
    /// A texture with joints in rows. Joints that do not fit below continue in
    /// further columns.
    Texture {
        rows: u32,
        /// Number of joints side by side.
        columns: u32,
    },
}

/// Sizes compiled into a shader. Zero if the palette is a texture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UniformSizes {
    /// Number of vec4s of the whole palette.
    pub vec4s: u32,
    /// Number of vec4s in one uniform block. 0 for an array of plain uniforms.
    pub vec4s_per_block: u32,
}

impl UniformSizes {
    /// Number of vec4s in each uniform block. All blocks but the last are full.
    pub fn blocks(self) -> Vec<u32> {
        let Self { vec4s, vec4s_per_block: full } = self;
        let count = vec4s.checked_div(full).map_or(0, |_| vec4s.div_ceil(full));
        (0..count).map(|block| full.min(vec4s - block * full)).collect()
    }
}

/// Size and format of a palette texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextureShape {
    /// Width in texels.
    pub width: u32,
    pub height: u32,
    pub format: TexelFormat,
    /// Whether it is sampled with LINEAR instead of NEAREST.
    pub linear: bool,
}

impl PalettePlan {
    /// Plans this load for a transport.
    ///
    /// # Errors
    ///
    /// Fails with the limit that is exceeded or the feature that is missing.
    pub fn new(
        transport: Transport,
        load: PaletteLoad,
        limits: &GpuLimits,
    ) -> Result<Self, TransportLimit> {
        let PaletteLoad { joints, palettes, .. } = load;
        let each = load.blending.vec4s_per_joint();
        let fit = capacity(transport, each, limits)?;
        if joints > fit {
            return Err(TransportLimit::TooManyJoints { joints, fit });
        }
        if palettes > 1 && !transport.is_fetched() {
            return Err(TransportLimit::OwnPoses);
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
                    return Err(TransportLimit::CrowdTexture { palettes, joints });
                }
                PaletteStore::Texture { rows, columns }
            }
        };
        Ok(Self { transport, load, store })
    }

    /// Plans the palette of a scene on this device. `kind` must be that of the
    /// scene's shader, and `named` as in [`PaletteLoad::new`].
    ///
    /// # Errors
    ///
    /// Fails if it does not fit this device or the emulated one.
    pub fn of_scene(
        scene: &Scene,
        kind: ShaderKind,
        named: usize,
        here: &GpuLimits,
    ) -> Result<Self, TransportLimit> {
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

    /// Returns the texture, including faults. Returns `None` if the palette is
    /// in uniforms.
    pub fn texture(&self, faults: &BTreeSet<SkinningFault>) -> Option<TextureShape> {
        let PaletteStore::Texture { rows, columns } = self.store else {
            return None;
        };
        let has_wrong_width = faults.contains(&SkinningFault::WrongWidth) && columns == 1;
        let excess = if has_wrong_width { WRONG_WIDTH - WIDTH } else { 0 };
        Some(TextureShape {
            width: columns * self.load.blending.vec4s_per_joint() + excess,
            height: rows,
            format: TexelFormat::from_faults(faults),
            linear: faults.contains(&SkinningFault::Linear),
        })
    }
}

/// Reason why a palette does not fit a transport. Displays as `61 joints fit,
/// this skin has 300`, or as the missing GL feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TransportLimit {
    /// Too many joints for a limit of the device.
    #[error("{}, this skin has {joints}", joints_fit(*.fit))]
    TooManyJoints {
        /// Number of joints of the skin.
        joints: u32,
        /// Number of joints that fit.
        fit: u32,
    },
    #[error("WebGL 1 has no uniform blocks")]
    NoBlocks,
    #[error("WebGL 1 has no texelFetch and no whole-number attributes")]
    NoTexelFetch,
    #[error("a vertex shader reads no textures here (MAX_VERTEX_TEXTURE_IMAGE_UNITS is 0)")]
    NoVertexTextures,
    #[error("there are no float textures (OES_texture_float is missing)")]
    NoFloatTextures,
    /// Palettes of a crowd, which only `texelFetch` supports.
    #[error("poses of their own need one texture for all, read by texelFetch")]
    OwnPoses,
    /// More palettes than a texture can hold.
    #[error("{palettes} palettes of {joints} joints are more than a texture holds here")]
    CrowdTexture {
        /// Number of palettes, one per instance.
        palettes: u32,
        /// Number of joints in each.
        joints: u32,
    },
}

fn joints_fit(fit: u32) -> String {
    if fit == 1 { "1 joint fits".to_owned() } else { format!("{fit} joints fit") }
}

/// Number of joints that fit into one palette.
///
/// # Errors
///
/// Fails if the device does not support this transport.
pub fn capacity(
    transport: Transport,
    vec4s_per_joint: u32,
    limits: &GpuLimits,
) -> Result<u32, TransportLimit> {
    match transport {
        Transport::UniformArray => Ok(limits.palette_vec4s / vec4s_per_joint.max(1)),
        Transport::UniformBlock if limits.vertex_uniform_blocks == 0 => {
            Err(TransportLimit::NoBlocks)
        }
        Transport::UniformBlock => {
            Ok(joints_in_block(vec4s_per_joint, limits)
                .saturating_mul(limits.vertex_uniform_blocks))
        }
        Transport::TexelFetch if !limits.texel_fetch => Err(TransportLimit::NoTexelFetch),
        Transport::TexelFetch | Transport::TextureCentres if limits.vertex_texture_units == 0 => {
            Err(TransportLimit::NoVertexTextures)
        }
        Transport::TexelFetch | Transport::TextureCentres if !limits.float_textures => {
            Err(TransportLimit::NoFloatTextures)
        }
        Transport::TexelFetch | Transport::TextureCentres => Ok(limits.texture_size),
    }
}

/// Joints are not split across blocks.
fn joints_in_block(vec4s_per_joint: u32, limits: &GpuLimits) -> u32 {
    limits.uniform_block_bytes / (16 * vec4s_per_joint.max(1))
}

/// Data sent by the open page.
#[derive(Clone, Copy, Debug)]
pub struct PageLoad {
    /// A single skin in its pose.
    pub alone: PaletteLoad,
    /// A crowd with separate poses, if requested.
    crowd: Option<PaletteLoad>,
}

impl PageLoad {
    pub fn new(derived: &Derived) -> Self {
        // Models that were opened have no vertex that names a joint beyond the skin.
        let joints = derived.palette.len();
        let blending = ShaderBlending::new(derived.blend, || derived.is_pose_stretched());
        Self {
            alone: PaletteLoad::new(joints, derived.blend, 0, blending),
            crowd: derived.has_own_poses().then(|| {
                let blending = ShaderBlending::new(derived.blend, || derived.is_stretched());
                PaletteLoad {
                    palettes: derived.instances,
                    ..PaletteLoad::new(joints, derived.blend, 0, blending)
                }
            }),
        }
    }

    /// Plans the load for a transport. A crowd falls back to one shared pose if
    /// its own poses do not fit.
    ///
    /// # Errors
    ///
    /// Fails if not even one palette fits.
    pub fn plan(
        &self,
        transport: Transport,
        limits: &GpuLimits,
    ) -> Result<PagePlan, TransportLimit> {
        let crowd = self.crowd.map(|crowd| PalettePlan::new(transport, crowd, limits));
        let (plan, one_pose) = match crowd {
            Some(Ok(plan)) => (plan, None),
            refused => {
                (PalettePlan::new(transport, self.alone, limits)?, refused.and_then(Result::err))
            }
        };
        Ok(PagePlan { plan, instead_of: None, one_pose })
    }

    /// Plans the load for the requested transport if it fits, otherwise for the
    /// one with the most room.
    ///
    /// # Errors
    ///
    /// Fails if no transport fits.
    pub fn choose(
        &self,
        asked: Transport,
        limits: &GpuLimits,
    ) -> Result<PagePlan, NoTransportFits> {
        let misfit = match self.plan(asked, limits) {
            Ok(choice) => return Ok(choice),
            Err(misfit) => misfit,
        };
        let mut others = BEST_FIRST.into_iter();
        if let Some(choice) = others.find_map(|other| self.plan(other, limits).ok()) {
            return Ok(PagePlan { instead_of: Some((asked, misfit)), ..choice });
        }
        let each = self.alone.blending.vec4s_per_joint();
        let roomiest = BEST_FIRST
            .into_iter()
            .max_by_key(|&transport| capacity(transport, each, limits).unwrap_or(0))
            .unwrap_or(asked);
        let why = self.plan(roomiest, limits).err().unwrap_or(misfit);
        Err(NoTransportFits { transport: roomiest, misfit: why })
    }
}

/// Transports by decreasing room.
const BEST_FIRST: [Transport; Transport::ALL.len()] = [
    Transport::TexelFetch,
    Transport::TextureCentres,
    Transport::UniformBlock,
    Transport::UniformArray,
];

/// Final plan for the page's palette.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PagePlan {
    pub plan: PalettePlan,
    /// Requested transport if it is not used, and the reason.
    pub instead_of: Option<(Transport, TransportLimit)>,
    /// Reason why a crowd shares one pose instead of having separate ones.
    pub one_pose: Option<TransportLimit>,
}

/// Displays as `uniform array: 61 joints fit, this skin has 300; drawn through
/// a texture instead`, with names from [`Transport::label`].
impl fmt::Display for PagePlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.instead_of {
            None => f.write_str(self.plan.transport.label()),
            Some((asked, misfit)) => write!(
                f,
                "{}: {misfit}; drawn through {} instead",
                asked.label(),
                transport_noun(self.plan.transport)
            ),
        }
    }
}

fn transport_noun(transport: Transport) -> &'static str {
    match transport {
        Transport::UniformArray => "a uniform array",
        Transport::UniformBlock => "uniform blocks",
        Transport::TexelFetch => "a texture",
        Transport::TextureCentres => "a texture read at texel centres",
    }
}

/// No transport fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("This skin cannot be handed to the shader on this device. The most room has {}: {misfit}.", transport.label())]
pub struct NoTransportFits {
    /// The transport with the most room.
    pub transport: Transport,
    /// Reason why it does not fit.
    pub misfit: TransportLimit,
}

#[cfg(test)]
mod tests;
