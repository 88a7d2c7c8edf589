//! What the cell keeps from frame to frame.

use bindpose_lesson::{FaultName, FaultsCell, known_faults};
use bindpose_notebook::Document;
use bindpose_notebook::faults::{FaultSwitch, offered};

use crate::PageContext;

/// What the cell has read and worked out.
#[derive(Default)]
pub(super) struct FaultsState {
    pub(super) switches: Vec<FaultSwitch>,
    /// What was said of a fault on which page.
    told: Option<(Document, FaultName, Option<String>)>,
}

impl FaultsState {
    /// Reads the switches, once.
    pub(super) fn offer(&mut self, cell: &FaultsCell) {
        let own = self.switches.iter().map(|switch| switch.fault);
        let same = if cell.faults.is_empty() {
            own.eq(known_faults())
        } else {
            own.eq(cell.faults.iter().copied())
        };
        if !same {
            let offered = offered(cell);
            self.switches = offered.into_iter().map(FaultSwitch::new).collect();
            self.told = None;
        }
    }

    /// A sentence about a fault on this page, worked out where the page is another
    /// than last time.
    pub(super) fn told(
        &mut self,
        fault: FaultName,
        page: &PageContext<'_>,
        tell: impl FnOnce(&PageContext<'_>) -> Option<String>,
    ) -> Option<&str> {
        let known = self.told.as_ref();
        if known.is_none_or(|(document, told, _)| *told != fault || document != page.document) {
            self.told = Some((page.document.clone(), fault, tell(page)));
        }
        self.told.as_ref().and_then(|(_, _, words)| words.as_deref())
    }
}
