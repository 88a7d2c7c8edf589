//! One fault at many places, of which the worst is told.

use bindpose_diagnostic::ModelPlace;

use super::catalog::DoctorFault;
use super::findings::Findings;

/// How often a fault was seen, and the worst of it.
#[derive(Default)]
pub(super) struct Tally {
    count: usize,
    worst: Option<(f64, ModelPlace, String)>,
}

impl Tally {
    pub(super) fn see(
        &mut self,
        badness: f64,
        place: impl FnOnce() -> ModelPlace,
        shown: impl FnOnce() -> String,
    ) {
        self.count += 1;
        if self.worst.as_ref().is_none_or(|(most, ..)| badness > *most) {
            self.worst = Some((badness, place(), shown()));
        }
    }

    /// Says so below `pointer`, if it was seen.
    pub(super) fn report(
        self,
        fault: &DoctorFault,
        pointer: &str,
        expected: &str,
        found: &mut Findings,
    ) {
        if let Some((_, place, shown)) = self.worst {
            found.add_many(fault, self.count, place.under(pointer), expected, shown);
        }
    }
}
