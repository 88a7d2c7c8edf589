//! The page with each known fault on, for numbers that one of them may have made.

use bindpose_lesson::{FaultName, Setting, known_faults};
use bindpose_skin::Method;

use super::held_against::HeldAgainst;
use crate::apply_setting;
use crate::faults::{Evidence, FaultSwitch};

/// The numbers with each fault that can be on: those whose method is not the page's
/// are left out.
pub(super) struct WithFaults<'a> {
    page: &'a HeldAgainst,
    faults: Vec<FaultName>,
    next: usize,
}

impl<'a> WithFaults<'a> {
    pub(super) fn new(page: &'a HeldAgainst) -> Self {
        Self { page, faults: known_faults().collect(), next: 0 }
    }

    /// 0 to 1; `None` when all are done.
    pub(super) fn fraction_done(&self) -> Option<f32> {
        let count = self.faults.len();
        (self.next < count).then(|| self.next as f32 / count as f32)
    }

    /// The next one, and the page with it; `None` where it cannot be on.
    pub(super) fn next_one(&mut self) -> Option<(FaultName, Evidence)> {
        let fault = *self.faults.get(self.next)?;
        self.next += 1;
        Some((fault, self.numbers_with(fault)?))
    }

    pub(super) fn numbers_with(&self, fault: FaultName) -> Option<Evidence> {
        let HeldAgainst { document, lesson, derived, .. } = self.page;
        let mut wrong = document.clone();
        for setting in FaultSwitch::new(fault).switched(true, &document.state) {
            if setting == Setting::Method(Method::DualQuaternion)
                && document.state.method != Method::DualQuaternion
            {
                return None;
            }
            apply_setting(&mut wrong, &setting, Some(&derived.rig));
        }
        let there = derived.of_other(&wrong, lesson.as_ref());
        Some(Evidence::new(&there, &wrong))
    }
}
