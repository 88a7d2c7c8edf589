//! The model of the page and a second one: which that is, what differs in sentences, the
//! joints with what has become of each, the matrices of the chosen one, and what differs
//! in vertices, weights and clips.

mod chooser;
mod joint_rows;
mod matrices;
mod numbers;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use bindpose_lesson::ModelDifferenceCell;
use bindpose_notebook::model_difference::ModelComparison;
use eframe::egui::{RichText, Ui};

use crate::PageContext;
use crate::model_b::{self, KnownModels};
use crate::theme::{INTERFACE, SMALL};
use crate::widgets::{Emphasis, Tone, card, note, small_button};
use joint_rows::JointRows;
use matrices::ShownMatrix;

/// Findings in sight before the reader asks for all.
const FINDINGS: usize = 4;
/// Rows of joints where the lesson does not say.
const ROWS: usize = 6;

/// What the reader wants to see.
#[derive(Default)]
struct ModelDifferenceCellState {
    /// Also the findings past the first few.
    all: bool,
    shown: ShownMatrix,
    rows: joint_rows::JointRowsState,
}

/// Draws the cell.
pub(super) fn ui(ui: &mut Ui, cell: &ModelDifferenceCell, id: &str, page: &mut PageContext<'_>) {
    chooser::ui(ui, id, page);
    let comparison = match model_b::compared(&ui.ctx().clone(), page) {
        KnownModels::Compared(comparison) => comparison,
        KnownModels::UnderWay(_) => return model_b::waiting(ui, page),
        KnownModels::Nothing(why) => {
            card(ui, page.theme, Tone::Quiet, |ui| {
                note(ui, page.theme, why, INTERFACE, Emphasis::Plain);
            });
            return;
        }
    };
    page.with_state(id, |memory: &mut ModelDifferenceCellState, page| {
        findings(ui, &comparison, memory, page);
        let most_visible = cell.rows.unwrap_or(ROWS);
        let rows = JointRows { id, most_visible, comparison: &comparison };
        rows.ui(ui, &mut memory.rows, page);
        matrices::ui(ui, id, &comparison, &mut memory.shown, page);
        numbers::ui(ui, id, &comparison, page);
    });
}

fn findings(
    ui: &mut Ui,
    comparison: &Arc<ModelComparison>,
    memory: &mut ModelDifferenceCellState,
    page: &PageContext<'_>,
) {
    let found = &comparison.found;
    let tone = if found.equal { Tone::Right } else { Tone::Quiet };
    let most = if memory.all { usize::MAX } else { FINDINGS };
    card(ui, page.theme, tone, |ui| {
        ui.spacing_mut().item_spacing.y = 4.0;
        for words in found.findings.iter().take(most) {
            note(ui, page.theme, words, SMALL, Emphasis::Plain);
        }
        let count = found.findings.len();
        if count > FINDINGS {
            let words = if memory.all {
                format!("Show the first {FINDINGS}")
            } else {
                format!("Show all {count} findings")
            };
            if ui.add(small_button(&words)).clicked() {
                memory.all = !memory.all;
            }
        }
    });
    if found.space.is_some() {
        let words = "Below, B is in the unit and the axes of A.";
        ui.label(RichText::new(words).size(SMALL).color(page.theme.quiet));
    }
}
