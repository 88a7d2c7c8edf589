//! Cells of a page. Each kind of cell has its own module; this file selects the module.

pub(crate) mod angles;
mod ask;
pub(crate) mod brush;
mod budget;
mod bytes;
mod chain;
mod check;
mod code_editor;
pub(crate) mod compare;
mod conventions;
mod device;
mod doctor;
mod engine_numbers;
pub(crate) mod entity_chooser;
mod faults;
pub(crate) mod figure;
mod formula_field;
mod hints;
mod histogram;
mod indices;
mod learnt;
pub(crate) mod matrix;
mod model_difference;
mod notes;
#[cfg(test)]
mod number_tests;
mod picture;
mod plot;
mod pose;
mod predict;
mod proof;
mod quantiser;
mod shader;
mod stages;
mod stops;
#[cfg(test)]
pub(crate) mod testing;
mod texture;
mod timeline;
mod tree;
pub(crate) mod vertex;
pub(crate) mod viewport;
pub(crate) mod weight_sliders;
mod weights;
#[cfg(test)]
mod width_tests;

pub(crate) use ask::{choice_row, choice_rows, replies_ui};
use bindpose_lesson::{Cell, CellKind};
use bindpose_notebook::demonstration::DemonstratedPart;
use bindpose_notebook::exercise_cells::Exercise;
use eframe::egui;
pub use learnt::learnt_picture;

use super::{PageContext, not_inlined};
use crate::classroom::scroll_to_question;

/// Draws a cell at the current position of the page. `height` is the available height of
/// a viewport. While the page is held, pictures and results show its held state, and
/// controls show the current one.
pub fn cell_ui(ui: &mut egui::Ui, cell: &Cell, page: &mut PageContext<'_>, height: f32) {
    if let Some((document, derived)) = page.at_rest
        && Exercise::from_cell(cell).is_some()
    {
        draw_cell(ui, cell, &mut page.with(document, derived), height);
    } else if shows_results(&cell.kind) {
        with_held_page(page, |page| draw_cell(ui, cell, page, height));
    } else {
        draw_cell(ui, cell, page, height);
    }
}

/// Draws with the held state of the page, if it is held.
pub(crate) fn with_held_page(page: &mut PageContext<'_>, show: impl FnOnce(&mut PageContext<'_>)) {
    match page.view.presenter.frozen.clone() {
        Some(held) => show(&mut page.with(&held.document, &held.derived)),
        None => show(page),
    }
}

/// Returns the aspect ratio (width / height) of all that the pictures of a cell can show. Returns
/// `None` for other cells, and if the lesson has set the camera.
pub(crate) fn content_aspect(kind: &CellKind, page: &PageContext<'_>) -> Option<f32> {
    match kind {
        CellKind::Viewport(viewport) => {
            bindpose_notebook::viewport::content_aspect(&page.viewport_frame(viewport))
        }
        CellKind::Compare(compare) => bindpose_notebook::viewport::content_aspect(
            &page.viewport_frame(&compare::viewport_of(compare)),
        ),
        _ => None,
    }
}

/// Returns true if a cell shows results of values that are edited in other cells.
fn shows_results(kind: &CellKind) -> bool {
    kind.draws_scene()
        || matches!(
            kind,
            CellKind::Matrix(_)
                | CellKind::Vertex(_)
                | CellKind::Histogram(_)
                | CellKind::Plot(_)
                | CellKind::Texture(_)
                | CellKind::Proof(_)
                | CellKind::Tree(_)
                | CellKind::Check(_)
        )
}

fn draw_cell(ui: &mut egui::Ui, cell: &Cell, page: &mut PageContext<'_>, height: f32) {
    let cell_scope = ui.push_id(&cell.id, |ui| match &cell.kind {
        CellKind::Viewport(viewport) => {
            not_inlined(|| viewport::ui(ui, viewport, &cell.id, page, height));
        }
        CellKind::Angles(angles) => not_inlined(|| angles::ui(ui, angles, &cell.id, page)),
        CellKind::Stages(stages) => not_inlined(|| stages::ui(ui, stages, page)),
        CellKind::Learnt(learnt) => not_inlined(|| learnt::ui(ui, learnt, &cell.id, page)),
        CellKind::Stops(stops) => not_inlined(|| stops::ui(ui, stops, page)),
        CellKind::Indices(indices) => not_inlined(|| indices::ui(ui, indices, &cell.id, page)),
        CellKind::Histogram(histogram) => {
            not_inlined(|| histogram::ui(ui, histogram, &cell.id, page));
        }
        CellKind::Matrix(matrix) => not_inlined(|| matrix::ui(ui, matrix, &cell.id, page)),
        CellKind::Conventions(conventions) => {
            not_inlined(|| conventions::ui(ui, conventions, &cell.id, page));
        }
        CellKind::Chain(chain) => not_inlined(|| chain::ui(ui, chain, &cell.id, page)),
        CellKind::Brush(brush) => not_inlined(|| brush::ui(ui, &cell.id, brush.brief, page)),
        CellKind::Quantiser(quantiser) => {
            not_inlined(|| quantiser::ui(ui, quantiser, &cell.id, page));
        }
        CellKind::ModelDifference(difference) => {
            not_inlined(|| model_difference::ui(ui, difference, &cell.id, page));
        }
        CellKind::Weights(weights) => not_inlined(|| weights::ui(ui, weights, &cell.id, page)),
        CellKind::Vertex(vertex) => not_inlined(|| vertex::ui(ui, vertex, &cell.id, page)),
        CellKind::Budget(budget) => not_inlined(|| budget::ui(ui, budget, &cell.id, page)),
        CellKind::Errata(errata) => not_inlined(|| notes::errata_ui(ui, errata, &cell.id, page)),
        CellKind::Note(note) => not_inlined(|| notes::note_ui(ui, note, page)),
        CellKind::Picture(picture) => {
            not_inlined(|| picture::ui(ui, picture, &cell.id, page, height));
        }
        CellKind::Plot(plot) => not_inlined(|| plot::ui(ui, plot, &cell.id, page)),
        CellKind::Shader(shader) => not_inlined(|| shader::ui(ui, shader, &cell.id, page)),
        CellKind::Pose(pose) => not_inlined(|| pose::ui(ui, pose, &cell.id, page)),
        CellKind::Proof(proof) => not_inlined(|| proof::ui(ui, proof, &cell.id, page)),
        CellKind::Compare(compare) => {
            not_inlined(|| compare::ui(ui, compare, &cell.id, page, height));
        }
        CellKind::Check(check) => not_inlined(|| check::ui(ui, check, &cell.id, page)),
        CellKind::Predict(predict) => not_inlined(|| predict::ui(ui, predict, &cell.id, page)),
        CellKind::Ask(ask) => not_inlined(|| ask::ui(ui, ask, &cell.id, page)),
        CellKind::Faults(faults) => not_inlined(|| faults::ui(ui, faults, &cell.id, page)),
        // A brief doctor cell was not requested by the reader, so it waits for the second
        // part of the program to load.
        CellKind::Doctor(doctor) if doctor.brief && page.view.is_loading_second_part => {}
        CellKind::Doctor(doctor) => not_inlined(|| doctor::ui(ui, doctor, &cell.id, page)),
        CellKind::EngineNumbers(numbers) => {
            not_inlined(|| engine_numbers::ui(ui, numbers, &cell.id, page));
        }
        CellKind::Tree(tree) => not_inlined(|| tree::ui(ui, tree, &cell.id, page)),
        CellKind::Bytes(bytes) => not_inlined(|| bytes::ui(ui, bytes, &cell.id, page)),
        CellKind::Timeline(timeline) => not_inlined(|| timeline::ui(ui, timeline, &cell.id, page)),
        CellKind::Texture(texture) => not_inlined(|| texture::ui(ui, texture, &cell.id, page)),
    });
    let part = DemonstratedPart::Cell(cell.id.clone());
    page.view.item_rects.record_part(part, cell_scope.response.rect);
    scroll_to_question(ui, &cell.id, cell_scope.response.rect, page);
    if page.view.presenter.scrolls_to_cell.as_ref() == Some(&cell.id) {
        page.view.presenter.scrolls_to_cell = None;
        ui.scroll_to_rect(cell_scope.response.rect, None);
    }
}
