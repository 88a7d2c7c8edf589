//! Draws the cell.

use eframe::egui::Ui;

use crate::lesson::ShaderCell;
use crate::ui::PageContext;

/// Draws the cell.
pub(super) fn ui(ui: &mut Ui, cell: &ShaderCell, id: &str, page: &mut PageContext<'_>) {
    let _ = (ui, cell, id, page);
}
