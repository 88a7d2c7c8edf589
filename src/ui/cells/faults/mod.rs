//! Known faults: as switches with what tells each, or one that is hidden and is to be
//! named.

mod card;
mod diagnosis;
mod gallery;
mod row;
#[cfg(test)]
mod tests;

use eframe::egui::Ui;

use crate::lesson::{FaultName, FaultsCell, known_faults};
use crate::notebook::Document;
use crate::notebook::faults::FaultSwitch;
use crate::ui::PageContext;

/// What the cell has read and worked out.
#[derive(Default)]
struct FaultsState {
    switches: Vec<FaultSwitch>,
    /// What was said of a fault on which page.
    told: Option<(Document, FaultName, Option<String>)>,
}

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

impl FaultsState {
    /// Reads the switches, once.
    fn offer(&mut self, cell: &FaultsCell) {
        let own = self.switches.iter().map(|switch| switch.fault);
        let same = if cell.faults.is_empty() {
            own.eq(known_faults())
        } else {
            own.eq(cell.faults.iter().copied())
        };
        if !same {
            let offered = crate::notebook::faults::offered(cell);
            self.switches = offered.into_iter().map(FaultSwitch::new).collect();
            self.told = None;
        }
    }

    /// A sentence about a fault on this page, worked out where the page is another
    /// than last time.
    fn told(
        &mut self,
        fault: FaultName,
        page: &PageContext<'_>,
        tell: impl FnOnce(&PageContext<'_>) -> Option<String>,
    ) -> Option<&str> {
        let known = self.told.as_ref();
        if known.is_none_or(|(document, told, _)| *told != fault || document != page.document) {
            self.told = Some((page.document.clone(), fault, tell(page)));
        }
        self.told
            .as_ref()
            .and_then(|(_, _, words)| words.as_deref())
    }
}
