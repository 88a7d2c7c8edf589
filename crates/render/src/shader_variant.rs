//! Which vertex shader a scene needs, and what is bound for it.

use bindpose_lesson::{SkinningFault, Tint};
use bindpose_notebook::GpuLimits;
use bindpose_notebook::glsl::{ShaderBlending, ShaderKind};
use bindpose_notebook::palette_plan::{Misfit, PalettePlan, PaletteStore, UniformSizes};
use bindpose_notebook::scene::Scene;
use bindpose_skin::{Influences, NormalRule, SET_LANES};

use super::material::MaterialNeeds;

/// One specialised vertex shader: nothing that could be decided before it is
/// compiled is left to decide in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SkinVariant {
    /// How the palette is read, how joints are blended, what moves normals.
    pub(super) kind: ShaderKind,
    /// No joint moves anything.
    pub(super) still: bool,
    /// [`SkinningFault::OneSided`].
    pub(super) one_sided: bool,
    /// A second set of four influences.
    pub(super) eight_lanes: bool,
    /// Uniforms of the palette that are compiled in.
    pub(super) uniforms: UniformSizes,
    /// One alone, or many.
    pub(super) crowd: Crowding,
    /// More than the surface's own colours can be shown: a view, numbers a
    /// vertex, what a reader's text says. It costs as much again as skinning.
    pub(super) viewed: bool,
    /// Materials have more than an image as it is: factors, transforms, holes,
    /// no light.
    pub(super) painted: bool,
    /// Vertices have colours of their own.
    pub(super) colored: bool,
}

/// How many times a surface is drawn, and with how many palettes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Crowding {
    /// Once.
    #[default]
    Alone,
    /// Many times, all from one palette.
    OnePose,
    /// Many times, each with a palette of its own in one texture.
    OwnPoses,
}

impl Crowding {
    fn from_scene(scene: &Scene) -> Self {
        match &scene.crowd {
            None => Self::Alone,
            Some(crowd) if crowd.palettes.is_empty() => Self::OnePose,
            Some(_) => Self::OwnPoses,
        }
    }
}

impl SkinVariant {
    /// What the scene asks for, and how its palette is bound.
    ///
    /// Fails when the palette does not fit.
    pub(super) fn new(
        scene: &Scene,
        influences: InfluenceSummary,
        here: &GpuLimits,
    ) -> Result<(Self, PalettePlan), Misfit> {
        let kind = ShaderKind::from_scene(scene);
        let plan = PalettePlan::of_scene(scene, kind, influences.joints, here)?;
        let MaterialNeeds { painted, colored, .. } = MaterialNeeds::from_scene(scene);
        let variant = Self {
            kind,
            still: false,
            one_sided: matches!(
                kind.blending,
                ShaderBlending::DualQuaternion | ShaderBlending::StretchedDualQuaternion
            ) && scene.skinning.faults.contains(&SkinningFault::OneSided),
            eight_lanes: influences.sets() > 1,
            uniforms: match plan.store {
                PaletteStore::Uniforms(sizes) => sizes,
                PaletteStore::Texture { .. } => UniformSizes::default(),
            },
            crowd: Crowding::from_scene(scene),
            viewed: scene.tint != Tint::Base
                || scene.scalars.is_some()
                || scene.skinning.shader.is_some(),
            painted,
            colored,
        };
        Ok((variant, plan))
    }

    /// The variant that leaves every vertex where it is stored, with the same
    /// attributes.
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

    /// The same for what is drawn once, whatever the crowd, and knows no views
    /// and no materials.
    /// The first of a crowd has the first palette.
    pub(super) fn alone(self) -> Self {
        Self { crowd: Crowding::Alone, viewed: false, painted: false, colored: false, ..self }
    }
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

    /// Can a shader for the other draw these as well?
    pub(super) fn is_within(self, other: Self) -> bool {
        self.joints <= other.joints && self.lanes <= other.lanes
    }

    /// Sets of four lanes that the shader reads.
    pub(super) fn sets(self) -> usize {
        self.lanes.div_ceil(SET_LANES).max(1)
    }
}
