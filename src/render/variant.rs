//! Which vertex shader a scene needs, and whether this machine can run it.

use super::RenderError;
use crate::lesson::{Fault, Transport};
use crate::notebook::GpuLimits;
use crate::notebook::budget::TAKEN;
use crate::notebook::scene::Scene;
use crate::notebook::transport::{self, Load};
use crate::skin::{Blend, Influences, JointMotion, NormalRule, SET_LANES};

/// vec4s that our vertex shaders take besides the palette, in the worst packing:
/// view, line width, tint.
const OTHER_VEC4S: u32 = 40;

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
    /// [`Fault::Edge`]: texels are asked for at their edges.
    pub at_edges: bool,
    /// vec4s of the palette that are compiled in; 0 where it is a texture.
    pub palette_vec4s: u32,
    /// vec4s in one uniform block; 0 for the other transports.
    pub block_vec4s: u32,
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
            ..self
        }
    }

    /// What the scene asks for, with its own influences.
    ///
    /// # Errors
    /// When the palette does not fit.
    pub fn of(scene: &Scene, here: &GpuLimits) -> Result<Self, RenderError> {
        Self::with_influences(scene, InfluenceSummary::of(&scene.influences), here)
    }

    pub(super) fn with_influences(
        scene: &Scene,
        influences: InfluenceSummary,
        here: &GpuLimits,
    ) -> Result<Self, RenderError> {
        let way = &scene.way;
        let transport = way.transport;
        let blending = blending(scene);
        let load = Load {
            joints: joint_count(scene, influences),
            vec4s_per_joint: blending.texels(),
            other_vec4s: OTHER_VEC4S,
        };
        let misfit = |misfit| RenderError::Misfit { transport, misfit };
        let here = transport::of_gl(here);
        transport::fits(transport, load, &here).map_err(misfit)?;
        let played = way.limits.unwrap_or(here);
        let other_vec4s = TAKEN;
        transport::fits(
            transport,
            Load {
                other_vec4s,
                ..load
            },
            &played,
        )
        .map_err(misfit)?;

        let texels = load.vec4s_per_joint;
        let vec4s = load.joints * texels;
        let block_bytes = here.uniform_block_bytes.min(played.uniform_block_bytes);
        let whole_joints = block_bytes / (16 * texels);
        let (palette_vec4s, block_vec4s) = match transport {
            Transport::UniformArray => (vec4s, 0),
            Transport::UniformBlock => (vec4s, (whole_joints * texels).min(vec4s)),
            Transport::TexelFetch | Transport::TextureCentres => (0, 0),
        };
        Ok(Self {
            transport,
            blending,
            normals: way.normals,
            eight_lanes: influences.sets() > 1,
            at_edges: transport == Transport::TextureCentres && way.faults.contains(&Fault::Edge),
            palette_vec4s,
            block_vec4s,
        })
    }
}

fn blending(scene: &Scene) -> Blending {
    match scene.blend {
        Blend::Linear => Blending::Linear,
        Blend::DualQuaternion => Blending::DualQuaternion {
            stretched: scene
                .palette
                .iter()
                .any(|&matrix| !JointMotion::from_matrix(matrix).is_rigid()),
        },
        Blend::Strongest => Blending::Strongest,
        Blend::Only(_) => Blending::Only,
    }
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
