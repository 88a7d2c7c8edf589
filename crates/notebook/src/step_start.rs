//! The numbers at the start of the open step, for links that tell of it.

use std::cell::OnceCell;
use std::sync::Arc;

use bindpose_asset::Rig;
use bindpose_lesson::Lesson;

use super::rig_read::Edited;
use super::{Derived, LongWork, step_document};

/// What the page shows when a step is opened for the first time; worked out when
/// it is first asked for. Whoever holds it makes a new one for another step.
#[derive(Clone, Debug, Default)]
pub struct StepStart {
    derived: OnceCell<Box<Derived>>,
    long_work: LongWork,
}

impl StepStart {
    /// Of a step whose numbers are worked out in this way.
    pub fn new(long_work: LongWork) -> Self {
        Self { derived: OnceCell::new(), long_work }
    }

    /// The numbers at the start of a step. All calls must be of one lesson, step
    /// and rig; `rig` is the stored one.
    pub fn numbers(&self, lesson: &Lesson, step: usize, rig: &Arc<Rig>) -> &Derived {
        self.derived.get_or_init(|| {
            let document = step_document(lesson, step, Some(rig));
            let edited = Edited::Given(Derived::edited_influences(&document, rig));
            let page = (&document, Some(lesson));
            let derived = Derived::or_last(page, (rig, rig), edited, &self.long_work);
            Box::new(derived)
        })
    }
}
