//! Which faults a cell offers, and which of them it hides.

use bindpose_lesson::{FaultName, FaultsCell, known_faults};

use crate::shuffled::shuffled;

/// The faults that a cell offers: its own list, or all.
pub fn offered(cell: &FaultsCell) -> Vec<FaultName> {
    if cell.faults.is_empty() { known_faults().collect() } else { cell.faults.clone() }
}

/// The fault of that name, if a cell offers it.
pub fn offered_by_id(cell: &FaultsCell, id: &str) -> Option<FaultName> {
    FaultName::from_id(id).filter(|fault| cell.faults.is_empty() || cell.faults.contains(fault))
}

/// Which fault is hidden with a draw: each once, in an order that the list does not
/// tell. `None` for a cell that hides none.
pub fn fault_of_draw(cell: &FaultsCell, id: &str, draw: usize) -> Option<FaultName> {
    if !cell.diagnose {
        return None;
    }
    let all = offered(cell);
    let order = shuffled(&format!("{id}/{}", all.len()), all.len());
    order.get(draw).and_then(|&at| all.get(at)).copied()
}
