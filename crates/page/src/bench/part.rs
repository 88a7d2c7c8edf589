//! The parts of the bench that stand side by side.

use eframe::egui::Ui;

use super::{angles, comparison, on_page, weights};
use crate::PageContext;

/// One of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BenchPart {
    Angles,
    Weights,
    Comparison,
}

/// Those that the step does not show by itself.
pub(super) fn parts(page: &PageContext<'_>) -> Vec<BenchPart> {
    let all = angles::all(page);
    let angles = !on_page::angles_left(page, &all).is_empty();
    let angles = angles.then_some(BenchPart::Angles);
    let weights = !on_page::has_weight_sliders(page);
    let weights = weights.then_some(BenchPart::Weights);
    let parts = [angles, weights, Some(BenchPart::Comparison)];
    parts.into_iter().flatten().collect()
}

impl BenchPart {
    /// How wide it is beside the others.
    pub(super) fn share(self) -> f32 {
        match self {
            Self::Angles | Self::Weights => 1.0,
            Self::Comparison => 1.45,
        }
    }

    pub(super) fn ui(self, ui: &mut Ui, page: &mut PageContext<'_>) {
        match self {
            Self::Angles => angles::ui(ui, page),
            Self::Weights => weights::ui(ui, page),
            Self::Comparison => comparison::ui(ui, page),
        }
    }
}
