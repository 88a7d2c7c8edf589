//! The pictures that the renderer keeps for each view.

use std::sync::Arc;

use bindpose_notebook::scene::Scene;
use bindpose_notebook::{ShaderReport, glsl};

use super::render_target::RenderTarget;

/// Identifies a view. Each view has its own render targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ViewId(pub u64);

impl ViewId {
    /// Creates an id from a name, such as the path of a cell in its lesson. The same name gives
    /// the same id in every run.
    pub fn named(name: &str) -> Self {
        // FNV-1a.
        let hash = name.bytes().fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
        });
        Self(hash)
    }
}

/// The last picture of a view and the scene that it shows.
pub(super) struct CachedView {
    pub(super) scene: Scene,
    pub(super) targets: ViewTargets,
    /// Report on the reader's shader, if the scene has one.
    pub(super) shader_report: Option<ShaderReport>,
    /// The last text of the reader's shader that compiled.
    pub(super) last_good_shader: Option<(glsl::ShaderKind, Arc<str>)>,
    pub(super) last_used_frame: u64,
}

/// The render targets of a view: one for each quality, so that a view in motion can switch
/// between them without reallocation.
#[derive(Default)]
pub(super) struct ViewTargets {
    full: Option<RenderTarget>,
    half: Option<RenderTarget>,
    shown_quality: Quality,
}

impl ViewTargets {
    pub(super) fn take(&mut self, quality: Quality) -> Option<RenderTarget> {
        self.slot(quality).take()
    }

    /// Stores a target and makes it the shown one.
    pub(super) fn show(&mut self, quality: Quality, target: RenderTarget) -> &RenderTarget {
        self.shown_quality = quality;
        self.slot(quality).insert(target)
    }

    pub(super) fn shown_quality(&self) -> Quality {
        self.shown_quality
    }

    /// Returns the target with the last picture, or `None` before the first picture.
    pub(super) fn shown_target(&self) -> Option<&RenderTarget> {
        match self.shown_quality {
            Quality::Full => self.full.as_ref(),
            Quality::Half => self.half.as_ref(),
        }
    }

    fn slot(&mut self, quality: Quality) -> &mut Option<RenderTarget> {
        match quality {
            Quality::Full => &mut self.full,
            Quality::Half => &mut self.half,
        }
    }
}

/// Resolution and sample count of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Quality {
    /// Full resolution with multisampling.
    #[default]
    Full,
    /// Half the width and half the height, with one sample per pixel.
    Half,
}

impl Quality {
    /// Factor between the size of the view and the size of the picture, along each axis.
    pub(super) fn downscale_factor(self) -> u32 {
        match self {
            Self::Full => 1,
            Self::Half => 2,
        }
    }
}
