//! What is said of a guess which fault is hidden.

use bindpose_lesson::{FaultName, Lesson};

use super::evidence::{Evidence, EvidenceDifference};
use super::switches::FaultSwitch;
use crate::{Derived, Document, Edit, apply};

/// What is said of a guess.
#[derive(Clone, Debug, PartialEq)]
pub enum Diagnosed {
    /// It is the one.
    Right,
    /// It is another: this number excludes it. `None` where none does, which the
    /// content check does not let pass.
    Excluded(Option<EvidenceDifference>),
}

/// Holds a guess against the page, on which a fault is hidden.
pub fn judge_fault(
    guess: FaultName,
    hidden: FaultName,
    (document, lesson): (&Document, &Lesson),
    derived: &Derived,
) -> Diagnosed {
    if guess == hidden {
        return Diagnosed::Right;
    }
    let here = Evidence::new(derived, document);
    let there = evidence_with(Some(guess), document, lesson, derived);
    let vertex = document.state.vertex as usize;
    Diagnosed::Excluded(there.and_then(|there| here.difference(&there, vertex)))
}

/// The numbers of the page with a fault on, and none hidden; without one, as they
/// should be. `None` where its settings do not fit.
pub fn evidence_with(
    fault: Option<FaultName>,
    document: &Document,
    lesson: &Lesson,
    derived: &Derived,
) -> Option<Evidence> {
    let mut supposed = document.clone();
    if let Some(fault) = fault {
        let settings = FaultSwitch::new(fault).switched(true, &document.state);
        let edit = Edit::Settings(settings);
        apply(&mut supposed, &edit, lesson, &derived.stored_rig).ok()?;
    }
    let there = derived.with_nothing_hidden(&supposed, lesson);
    Some(Evidence::new(&there, &supposed))
}

/// The number that differs most plainly from what it would be without a fault that is
/// on; `None` where none does.
pub fn difference_to_right(
    switch: &FaultSwitch,
    (document, lesson): (&Document, &Lesson),
    derived: &Derived,
) -> Option<EvidenceDifference> {
    let mut right = document.clone();
    let edit = Edit::Settings(switch.switched(false, &document.state));
    apply(&mut right, &edit, lesson, &derived.stored_rig).ok()?;
    let there = derived.of_other(&right, Some(lesson));
    let there = Evidence::new(&there, &right);
    Evidence::new(derived, document).difference(&there, document.state.vertex as usize)
}
