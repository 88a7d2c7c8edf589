//! Selects the shader variant for a scene.

use bindpose_lesson::{SkinningFault, Tint};
use bindpose_notebook::GpuLimits;
use bindpose_notebook::glsl::{ShaderBlending, ShaderKind};
use bindpose_notebook::palette_plan::{PalettePlan, PaletteStore, TransportLimit, UniformSizes};
use bindpose_notebook::scene::Scene;
use bindpose_skin::{Influences, NormalRule, SET_LANES};

use super::material::MaterialFeatures;

/// A specialization of the skinning shaders. All conditions that are known before compilation
/// are resolved in the shader text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SkinVariant {
    /// Transport of the palette, blending of the joints, and the rule for normals.
    pub(super) kind: ShaderKind,
    /// Whether skinning is replaced by the identity, and no palette is needed.
    pub(super) still: bool,
    /// Whether [`SkinningFault::OneSided`] is present.
    pub(super) one_sided: bool,
    /// Whether vertices have a second set of four influences.
    pub(super) eight_lanes: bool,
    /// Sizes of the palette's uniforms in the shader text.
    pub(super) uniforms: UniformSizes,
    pub(super) crowd: CrowdMode,
    /// Whether the surface can have other colors than those of its materials: a tint, scalars per
    /// vertex, or the colors of the reader's shader. Costs as much as skinning itself.
    pub(super) viewed: bool,
    /// See [`MaterialFeatures::painted`].
    pub(super) painted: bool,
    /// Whether vertices have colors.
    pub(super) colored: bool,
}

/// Number of instances of the surface, and of their palettes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum CrowdMode {
    /// A single mesh, drawn without instancing.
    #[default]
    Alone,
    /// Many instances with the same palette.
    OnePose,
    /// Many instances, each with its own palette. All palettes are in one texture.
    OwnPoses,
}

impl CrowdMode {
    fn from_scene(scene: &Scene) -> Self {
        match &scene.crowd {
            None => Self::Alone,
            Some(crowd) if crowd.palettes.is_empty() => Self::OnePose,
            Some(_) => Self::OwnPoses,
        }
    }
}

impl SkinVariant {
    /// Selects the variant for a scene and plans the upload of its palette. Returns an error if
    /// the palette exceeds the limits.
    pub(super) fn new(
        scene: &Scene,
        influences: InfluenceSummary,
        limits: &GpuLimits,
    ) -> Result<(Self, PalettePlan), TransportLimit> {
        let kind = ShaderKind::from_scene(scene);
        let plan = PalettePlan::of_scene(scene, kind, influences.joints, limits)?;
        let MaterialFeatures { painted, colored, .. } = MaterialFeatures::from_scene(scene);
        let variant = Self {
            kind,
            still: false,
            one_sided: matches!(
                kind.blending,
                ShaderBlending::DualQuaternion | ShaderBlending::StretchedDualQuaternion
            ) && scene.skinning.faults.contains(&SkinningFault::OneSided),
            eight_lanes: influences.set_count() > 1,
            uniforms: match plan.store {
                PaletteStore::Uniforms(sizes) => sizes,
                PaletteStore::Texture { .. } => UniformSizes::default(),
            },
            crowd: CrowdMode::from_scene(scene),
            viewed: scene.tint != Tint::Base
                || scene.scalars.is_some()
                || scene.skinning.shader.is_some(),
            painted,
            colored,
        };
        Ok((variant, plan))
    }

    /// Returns the variant with the same attributes that does not move the vertices.
    pub(super) fn still(self) -> Self {
        Self {
            kind: ShaderKind {
                blending: ShaderBlending::Linear,
                normals: NormalRule::InverseTranspose,
                at_edges: false,
                ..self.kind
            },
            still: true,
            one_sided: false,
            uniforms: UniformSizes::default(),
            ..self.alone()
        }
    }

    /// Returns the variant for a single instance, without tints and materials. Of a crowd it
    /// draws the first member, whose palette comes first.
    pub(super) fn alone(self) -> Self {
        Self { crowd: CrowdMode::Alone, viewed: false, painted: false, colored: false, ..self }
    }
}

/// Properties of a mesh's influences that the shader variant depends on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct InfluenceSummary {
    /// One more than the highest joint with an influence.
    pub(super) joints: usize,
    /// One more than the last lane that any vertex uses.
    pub(super) lanes: usize,
}

impl InfluenceSummary {
    pub(super) fn new(influences: &[Influences]) -> Self {
        let mut summary = Self::default();
        for influences in influences {
            for (lane, joint, _) in influences.used() {
                summary.joints = summary.joints.max(joint.index() + 1);
                summary.lanes = summary.lanes.max(lane + 1);
            }
        }
        summary
    }

    /// Returns whether a shader for `other` can draw these influences too.
    pub(super) fn is_within(self, other: Self) -> bool {
        self.joints <= other.joints && self.lanes <= other.lanes
    }

    /// Number of sets of four lanes that the shader reads.
    pub(super) fn set_count(self) -> usize {
        self.lanes.div_ceil(SET_LANES).max(1)
    }
}
