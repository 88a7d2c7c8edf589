//! The page with each known fault on, for numbers that one of them may have made.

use crate::lesson::{FaultName, Setting, known_faults};
use crate::notebook::faults::{Evidence, FaultSwitch};
use crate::notebook::{Derived, Document, apply_setting};
use crate::skin::Method;

/// The numbers with each fault that can be on: those whose method is not the page's
/// are left out.
pub(super) fn with_each_fault<'a>(
    document: &'a Document,
    derived: &'a Derived,
) -> impl Iterator<Item = (FaultName, Evidence)> + 'a {
    known_faults().filter_map(|fault| {
        let switch = FaultSwitch::new(fault);
        let mut wrong = document.clone();
        for setting in switch.switched(true, &document.state) {
            if setting == Setting::Method(Method::DualQuaternion)
                && document.state.method != Method::DualQuaternion
            {
                return None;
            }
            apply_setting(&mut wrong, &setting, Some(&derived.rig));
        }
        let there = derived.of_other(&wrong, None);
        Some((fault, Evidence::new(&there, &wrong)))
    })
}
