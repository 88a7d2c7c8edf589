//! What is kept of a view: what it shows, and what that was drawn into.

use std::sync::Arc;

use bindpose_notebook::scene::Scene;
use bindpose_notebook::{ShaderReport, glsl};

use super::render_target::RenderTarget;

/// Tells views apart: one target each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ViewId(pub u64);

impl ViewId {
    /// From a name, such as a cell's path in its lesson.
    pub fn named(name: &str) -> Self {
        // FNV-1a: the same in every run.
        let hash = name.bytes().fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
        });
        Self(hash)
    }
}

/// The last picture of a view.
pub(super) struct LastView {
    pub(super) scene: Scene,
    pub(super) targets: ViewTargets,
    /// What became of the scene's own shader.
    pub(super) shader: Option<ShaderReport>,
    /// The reader's last text that worked.
    pub(super) last_good: Option<(glsl::ShaderKind, Arc<str>)>,
    pub(super) asked_in_frame: u64,
}

/// What a view was drawn into last: in full, and with less while it moved.
#[derive(Default)]
pub(super) struct ViewTargets {
    full: Option<RenderTarget>,
    half: Option<RenderTarget>,
    shown: Quality,
}

impl ViewTargets {
    /// Takes out what such a picture was drawn into.
    pub(super) fn take(&mut self, quality: Quality) -> Option<RenderTarget> {
        self.slot(quality).take()
    }

    /// Shows this one from now on.
    pub(super) fn show(&mut self, quality: Quality, target: RenderTarget) -> &RenderTarget {
        self.shown = quality;
        self.slot(quality).insert(target)
    }

    /// How the last picture was drawn.
    pub(super) fn quality(&self) -> Quality {
        self.shown
    }

    /// The last picture; absent before the first.
    pub(super) fn shown(&self) -> Option<&RenderTarget> {
        match self.shown {
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

/// How much of a picture is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Quality {
    /// All samples of all pixels.
    #[default]
    Full,
    /// One sample of one pixel in four.
    Half,
}

impl Quality {
    /// Pixels of the page to a pixel of the picture, along either side.
    pub(super) fn pixels_to_one(self) -> u32 {
        match self {
            Self::Full => 1,
            Self::Half => 2,
        }
    }
}
