//! Draws the cell.

use eframe::egui::Ui;

use crate::lesson::CompareCell;
use crate::ui::PageContext;

/// Draws the cell.
pub(super) fn ui(
    ui: &mut Ui,
    cell: &CompareCell,
    id: &str,
    page: &mut PageContext<'_>,
    height: f32,
) {
    let _ = (ui, cell, id, page, height);
}
