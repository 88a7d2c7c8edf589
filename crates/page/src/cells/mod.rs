//! One file a kind of cell; this is their registry.

mod again;
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
mod words;

pub(crate) use ask::{choice_row, choice_rows};
use bindpose_lesson::{Cell, CellKind};
use bindpose_notebook::demonstration::DemonstratedPart;
use eframe::egui;
pub use learnt::learnt_picture;

use super::PageContext;

/// Shows a cell where the page has got to. `height` is what a viewport may take. While
/// the page is held, pictures and results show it as it was; what is dragged follows.
pub fn cell_ui(ui: &mut egui::Ui, cell: &Cell, page: &mut PageContext<'_>, height: f32) {
    let held = page.view.presenter.held.clone();
    if let Some(held) = held.filter(|_| shows_results(&cell.kind)) {
        let mut page = page.with(&held.document, &held.derived);
        shown_ui(ui, cell, &mut page, height);
    } else {
        shown_ui(ui, cell, page, height);
    }
}

/// Does a cell show what follows from values that are dragged elsewhere?
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
        )
}

fn shown_ui(ui: &mut egui::Ui, cell: &Cell, page: &mut PageContext<'_>, height: f32) {
    let shown = ui.push_id(&cell.id, |ui| match &cell.kind {
        CellKind::Viewport(viewport) => viewport::ui(ui, viewport, &cell.id, page, height),
        CellKind::Angles(angles) => angles::ui(ui, angles, &cell.id, page),
        CellKind::Stages(stages) => stages::ui(ui, stages, page),
        CellKind::Learnt(learnt) => learnt::ui(ui, learnt, &cell.id, page),
        CellKind::Stops(stops) => stops::ui(ui, stops, page),
        CellKind::Indices(indices) => indices::ui(ui, indices, &cell.id, page),
        CellKind::Histogram(histogram) => histogram::ui(ui, histogram, &cell.id, page),
        CellKind::Matrix(matrix) => matrix::ui(ui, matrix, &cell.id, page),
        CellKind::Conventions(conventions) => {
            conventions::ui(ui, conventions, &cell.id, page);
        }
        CellKind::Chain(chain) => chain::ui(ui, chain, &cell.id, page),
        CellKind::Brush(_) => brush::ui(ui, &cell.id, page),
        CellKind::Quantiser(quantiser) => quantiser::ui(ui, quantiser, &cell.id, page),
        CellKind::ModelDifference(difference) => {
            model_difference::ui(ui, difference, &cell.id, page);
        }
        CellKind::Weights(weights) => weights::ui(ui, weights, &cell.id, page),
        CellKind::Vertex(vertex) => vertex::ui(ui, vertex, &cell.id, page),
        CellKind::Budget(budget) => budget::ui(ui, budget, &cell.id, page),
        CellKind::Errata(errata) => notes::errata_ui(ui, errata, &cell.id, page),
        CellKind::Note(note) => notes::note_ui(ui, note, page),
        CellKind::Picture(picture) => picture::ui(ui, picture, &cell.id, page, height),
        CellKind::Plot(plot) => plot::ui(ui, plot, &cell.id, page),
        CellKind::Shader(shader) => shader::ui(ui, shader, &cell.id, page),
        CellKind::Pose(pose) => pose::ui(ui, pose, &cell.id, page),
        CellKind::Proof(proof) => proof::ui(ui, proof, &cell.id, page),
        CellKind::Compare(compare) => compare::ui(ui, compare, &cell.id, page, height),
        CellKind::Check(check) => check::ui(ui, check, &cell.id, page),
        CellKind::Predict(predict) => predict::ui(ui, predict, &cell.id, page),
        CellKind::Ask(ask) => ask::ui(ui, ask, &cell.id, page),
        CellKind::Faults(faults) => faults::ui(ui, faults, &cell.id, page),
        // Nobody has asked for it yet.
        CellKind::Doctor(doctor) if doctor.brief && page.view.awaits_rest => {}
        CellKind::Doctor(doctor) => doctor::ui(ui, doctor, &cell.id, page),
        CellKind::EngineNumbers(numbers) => engine_numbers::ui(ui, numbers, &cell.id, page),
        CellKind::Tree(tree) => tree::ui(ui, tree, &cell.id, page),
        CellKind::Bytes(bytes) => bytes::ui(ui, bytes, &cell.id, page),
        CellKind::Timeline(timeline) => timeline::ui(ui, timeline, &cell.id, page),
        CellKind::Texture(texture) => texture::ui(ui, texture, &cell.id, page),
    });
    let part = DemonstratedPart::Cell(cell.id.clone());
    page.view.placed.note(part, shown.response.rect);
}
