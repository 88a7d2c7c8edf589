//! World, inverse bind and joint matrix of the chosen joint.

use bindpose_lesson::MatrixCell;
use eframe::egui::Ui;

use super::on_page;
use crate::PageContext;
use crate::cells::matrix;

/// Those that the step does not show; all three as a product.
pub(super) fn ui(ui: &mut Ui, page: &mut PageContext<'_>) {
    let show = on_page::matrices_left(page);
    if show.is_empty() {
        return;
    }
    let cell = MatrixCell { product: show.len() == 3, show, ..MatrixCell::default() };
    ui.separator();
    ui.push_id("bench matrices", |ui| {
        matrix::ui(ui, &cell, "bench matrices", page);
    });
}
