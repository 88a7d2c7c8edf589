//! Which vertex shader a scene needs, and whether this machine can run it.

use super::error::Misfit;
use super::paint::Demand;
use crate::lesson::{Tint, Transport};
use crate::notebook::glsl::{self, ShaderKind};
use crate::notebook::scene::Scene;
use crate::notebook::{GpuLimits, budget};
use crate::skin::{Blend, Influences, NormalRule, SET_LANES};

/// One specialised vertex shader: nothing that could be decided before it is
/// compiled is left to decide in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SkinVariant {
    /// How the palette is read.
    pub transport: Transport,
    /// How joints are blended.
    pub blending: Blending,
    /// What moves normals.
    pub normals: NormalRule,
    /// A second set of four influences.
    pub eight_lanes: bool,
    /// `Fault::Edge`: texels are asked for at their edges.
    pub at_edges: bool,
    /// vec4s of the palette that are compiled in; 0 where it is a texture.
    pub palette_vec4s: u32,
    /// vec4s in one uniform block; 0 for the other transports.
    pub block_vec4s: u32,
    /// One alone, or many.
    pub crowd: Crowding,
    /// More than the surface's own colours can be shown: a view, numbers a
    /// vertex, what a reader's text says. It costs as much again as skinning.
    pub viewed: bool,
    /// Materials have more than an image as it is: factors, transforms, holes,
    /// no light.
    pub painted: bool,
    /// Vertices have colours of their own.
    pub colored: bool,
}

/// How many times a surface is drawn, and with how many palettes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Crowding {
    /// Once.
    #[default]
    Alone,
    /// Many times, all from one palette.
    OnePose,
    /// Many times, each with a palette of its own in one texture.
    OwnPoses,
}

impl Crowding {
    fn of(scene: &Scene) -> Self {
        match &scene.crowd {
            None => Self::Alone,
            Some(crowd) if crowd.palettes.is_empty() => Self::OnePose,
            Some(_) => Self::OwnPoses,
        }
    }
}

/// How a vertex shader blends: `skin::Blend`, and what the palette holds for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Blending {
    /// No joint moves anything.
    Still,
    /// Matrices, weighted and added.
    Linear,
    /// Dual quaternions.
    DualQuaternion {
        /// Some joint scales, shears or mirrors.
        stretched: bool,
    },
    /// The strongest influence alone.
    Strongest,
    /// One joint alone.
    Only,
}

impl Blending {
    /// Texels, or vec4s, that a joint takes.
    #[must_use]
    pub fn texels(self) -> u32 {
        match self {
            Self::DualQuaternion { stretched: false } => 2,
            Self::DualQuaternion { stretched: true } => 5,
            Self::Still | Self::Linear | Self::Strongest | Self::Only => 4,
        }
    }
}

impl SkinVariant {
    /// The variant that leaves every vertex where it is stored, with the same
    /// attributes.
    pub(super) fn still(self) -> Self {
        Self {
            blending: Blending::Still,
            normals: NormalRule::InverseTranspose,
            at_edges: false,
            palette_vec4s: 0,
            block_vec4s: 0,
            ..self.alone()
        }
    }

    /// The same for what is drawn once, whatever the crowd, and knows no views
    /// and no materials.
    /// The first of a crowd has the first palette.
    pub(super) fn alone(self) -> Self {
        Self {
            crowd: Crowding::Alone,
            viewed: false,
            painted: false,
            colored: false,
            ..self
        }
    }

    /// What the scene asks for, with its own influences.
    ///
    /// # Errors
    /// When the palette does not fit.
    pub fn of(scene: &Scene, here: &GpuLimits) -> Result<Self, Misfit> {
        Self::with_influences(scene, InfluenceSummary::of(&scene.influences), here)
    }

    pub(super) fn with_influences(
        scene: &Scene,
        influences: InfluenceSummary,
        here: &GpuLimits,
    ) -> Result<Self, Misfit> {
        let way = &scene.way;
        let kind = ShaderKind::of(scene);
        let blending = Blending::from(kind.blending);
        let joints = joint_count(scene, influences);
        let Demand {
            painted, colored, ..
        } = Demand::of(scene);
        let mut variant = Self {
            transport: kind.transport,
            blending,
            normals: kind.normals,
            eight_lanes: influences.sets() > 1,
            at_edges: kind.at_edges,
            palette_vec4s: 0,
            block_vec4s: 0,
            crowd: Crowding::of(scene),
            viewed: scene.tint != Tint::Base || scene.scalars.is_some() || way.shader.is_some(),
            painted,
            colored,
        };
        if variant.crowd == Crowding::OwnPoses && way.transport != Transport::TexelFetch {
            return Err(Misfit::OwnPoses);
        }
        let texels = blending.texels();
        let vec4s = joints.saturating_mul(texels);
        let played = way.limits.as_deref().unwrap_or(here);
        match way.transport {
            Transport::UniformArray => {
                let allowed = here
                    .vertex_uniform_vec4s
                    .saturating_sub(budget::OUR_VEC4S)
                    .min(played.vertex_uniform_vec4s.saturating_sub(budget::TAKEN));
                if vec4s > allowed {
                    return Err(Misfit::UniformArray {
                        joints,
                        vec4s,
                        allowed,
                    });
                }
                variant.palette_vec4s = vec4s;
            }
            Transport::UniformBlock => {
                let bytes = here.uniform_block_bytes.min(played.uniform_block_bytes);
                let whole_joints = bytes / 16 / texels;
                let blocks = joints.checked_div(whole_joints).map_or(u32::MAX, |full| {
                    full + u32::from(!joints.is_multiple_of(whole_joints))
                });
                let allowed = here.vertex_uniform_blocks.min(played.vertex_uniform_blocks);
                if blocks > allowed {
                    return Err(Misfit::UniformBlock {
                        joints,
                        block_bytes: bytes,
                        allowed,
                    });
                }
                variant.palette_vec4s = vec4s;
                variant.block_vec4s = (whole_joints * texels).min(vec4s);
            }
            Transport::TexelFetch | Transport::TextureCentres => {
                let units = here.vertex_texture_units.min(played.vertex_texture_units);
                if units == 0 {
                    return Err(Misfit::NoVertexTextures);
                }
                let rows = texture_rows(scene, here);
                if joints > rows {
                    return Err(Misfit::Texture { joints, rows });
                }
                // The palettes of a crowd go on further right when all rows are
                // taken.
                let palettes = scene
                    .crowd
                    .as_ref()
                    .map_or(1, |crowd| crowd.count_palettes());
                let columns = (palettes as u32 * joints).div_ceil(rows) * texels;
                if variant.crowd == Crowding::OwnPoses && columns > rows {
                    return Err(Misfit::CrowdTexture { palettes, joints });
                }
            }
        }
        Ok(variant)
    }
}

impl From<glsl::Blending> for Blending {
    fn from(blending: glsl::Blending) -> Self {
        match blending {
            glsl::Blending::Linear => Self::Linear,
            glsl::Blending::DualQuaternion => Self::DualQuaternion { stretched: false },
            glsl::Blending::StretchedDualQuaternion => Self::DualQuaternion { stretched: true },
            glsl::Blending::Strongest => Self::Strongest,
            glsl::Blending::Only => Self::Only,
        }
    }
}

/// Rows that a palette's texture may have: here, or on the machine that is
/// played.
pub(super) fn texture_rows(scene: &Scene, here: &GpuLimits) -> u32 {
    let played = scene.way.limits.as_deref().unwrap_or(here);
    here.texture_size.min(played.texture_size)
}

/// Joints that the shader may ask for: those of the palette, and those past it
/// that some vertex names, which stand still. At least one.
pub(super) fn joint_count(scene: &Scene, influences: InfluenceSummary) -> u32 {
    let named = match scene.blend {
        Blend::Only(joint) => joint.at() + 1,
        Blend::Linear | Blend::DualQuaternion | Blend::Strongest => influences.joints,
    };
    scene.palette.len().max(named).max(1) as u32
}

/// What decides, of a whole mesh's influences, which shader it needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct InfluenceSummary {
    /// One more than the highest joint that moves anything.
    pub(super) joints: usize,
    /// Lanes up to the last that is used by some vertex.
    pub(super) lanes: usize,
}

impl InfluenceSummary {
    pub(super) fn of(influences: &[Influences]) -> Self {
        let mut summary = Self::default();
        for influences in influences {
            for (lane, joint, _) in influences.used() {
                summary.joints = summary.joints.max(joint.at() + 1);
                summary.lanes = summary.lanes.max(lane + 1);
            }
        }
        summary
    }

    /// Sets of four lanes that the shader reads.
    pub(super) fn sets(self) -> usize {
        self.lanes.div_ceil(SET_LANES).max(1)
    }
}
