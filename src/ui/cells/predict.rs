//! Draws the cell.

use eframe::egui::Ui;

use crate::lesson::PredictCell;
use crate::ui::PageContext;

/// Draws the cell.
pub(super) fn ui(ui: &mut Ui, cell: &PredictCell, id: &str, page: &mut PageContext<'_>) {
    let _ = (ui, cell, id, page);
}
