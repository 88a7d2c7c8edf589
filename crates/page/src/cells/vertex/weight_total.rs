//! The sum of the weights of a vertex.

use bindpose_kit::theme::SMALL_SIZE;
use bindpose_lesson::number_text;
use eframe::egui::{RichText, Ui};

use crate::PageContext;

/// Returns true if the sum of the weights differs from 1 by more than rounding error.
pub(super) fn is_wrong_weight_sum(total: f32) -> bool {
    (total - 1.0).abs() > 1e-4
}

/// Draws a sentence about a sum of the weights other than 1.
pub(super) fn explain_weight_sum_ui(ui: &mut Ui, page: &PageContext<'_>, total: f32) {
    if is_wrong_weight_sum(total) {
        let total_text = number_text::fixed(f64::from(total), 2);
        let explanation = format!(
            "The weights add up to {total_text}, not 1: the vertex comes to {total_text} times its \
             distance from the origin. It is no longer between its copies."
        );
        ui.label(RichText::new(explanation).color(page.theme.wrong).size(SMALL_SIZE));
    }
}
