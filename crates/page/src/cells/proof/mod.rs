//! The GPU held against the sum in 64-bit floats: every way and every method,
//! for the rig and pose that are open.

mod results;
mod row;
mod subjects;
mod table;
#[cfg(test)]
mod tests;

use bindpose_lesson::ProofCell;
use bindpose_notebook::gpu_proof::{NORMAL_TOLERANCE, TOLERANCE};
use bindpose_notebook::number_text::{grouped, scientific};
use eframe::egui::{RichText, Ui};

use crate::PageContext;
use crate::theme::{CAPTION, SMALL};
use crate::widgets::{Emphasis, note};
use results::ProofResults;
use subjects::Subjects;

/// Draws the cell.
pub(super) fn ui(ui: &mut Ui, cell: &ProofCell, id: &str, page: &mut PageContext<'_>) {
    let Some(subjects) = Subjects::on_page(cell, page) else {
        let words = "What the GPU computes needs OpenGL 3.3 or WebGL 2 to be read back, which is \
                     not there. Nothing is compared.";
        ui.label(RichText::new(words).size(SMALL).color(page.theme.caution));
        return;
    };
    page.with_state(id, |results: &mut ProofResults, page| {
        results.follow(ui, &subjects);
        let table = ui.vertical(|ui| {
            method_notes(ui, page);
            table::ui(ui, &subjects, results, page);
        });
        if ui.is_rect_visible(table.response.rect) {
            results.work(ui, &subjects, page);
        }
    });
}

/// What is done, where, and what counts as passed.
fn method_notes(ui: &mut Ui, page: &PageContext<'_>) {
    ui.spacing_mut().item_spacing.y = 4.0;
    let each = match page.derived.rig.mesh.positions.len() {
        1 => "The vertex".to_owned(),
        count => format!("Each of {} vertices", grouped(count as u32)),
    };
    let done = format!(
        "{each} is skinned on the GPU, read back by transform feedback, and compared with the sum \
         in 64-bit floats."
    );
    note(ui, page.theme, &done, SMALL, Emphasis::Plain);
    if let Some(limits) = page.limits {
        // In a browser the version says itself what it is of.
        let of = if limits.version.starts_with("WebGL") { "" } else { "OpenGL " };
        let gl = format!("{} · {of}{}", limits.renderer, limits.version);
        note(ui, page.theme, &gl, CAPTION, Emphasis::Quiet);
    }
    let passed = format!(
        "Passed: no position is off by more than {} of the posed mesh’s size, and no normal of \
         length 1 by more than {}.",
        scientific(TOLERANCE),
        scientific(NORMAL_TOLERANCE),
    );
    note(ui, page.theme, &passed, CAPTION, Emphasis::Quiet);
}
