//! Draws the cell.

use eframe::egui::Ui;

use crate::lesson::CheckCell;
use crate::ui::PageContext;

/// Draws the cell.
pub(super) fn ui(ui: &mut Ui, cell: &CheckCell, id: &str, page: &mut PageContext<'_>) {
    let _ = (ui, cell, id, page);
}
