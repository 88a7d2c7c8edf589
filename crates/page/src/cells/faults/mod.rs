//! Known faults: as switches with what tells each, or one that is hidden and is to be
//! named.

mod card;
mod diagnosis;
mod gallery;
mod row;
mod state;
#[cfg(test)]
mod tests;

use bindpose_lesson::FaultsCell;
use eframe::egui::Ui;

use crate::PageContext;
use state::FaultsState;

/// Draws the cell.
pub(super) fn ui(ui: &mut Ui, cell: &FaultsCell, id: &str, page: &mut PageContext<'_>) {
    page.with_state(id, |state: &mut FaultsState, page| {
        state.offer(cell);
        ui.spacing_mut().item_spacing.y = 2.0;
        if cell.diagnose {
            diagnosis::ui(ui, cell, id, state, page);
        } else {
            gallery::ui(ui, state, page);
        }
    });
}
