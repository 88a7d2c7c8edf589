//! Values at the start of a step.

use std::cell::OnceCell;
use std::sync::Arc;

use bindpose_gltf::Rig;
use bindpose_lesson::Lesson;

use super::computed_weights::{InfluencesSource, edited_influences};
use super::step_reach::StepReach;
use super::steps::step_document;
use super::{Derived, WorkMode};

/// Values at the start of the open step, for links that refer to them, and the
/// reach of its pictures. Computed on first use. Create a new one for another
/// step.
#[derive(Clone, Debug, Default)]
pub struct StepStart {
    derived: OnceCell<Box<Derived>>,
    reach: OnceCell<StepReach>,
    long_work: WorkMode,
}

impl StepStart {
    pub fn new(long_work: WorkMode) -> Self {
        Self { derived: OnceCell::new(), reach: OnceCell::new(), long_work }
    }

    /// Returns the values at the start of a step. All calls must be for the
    /// same lesson, step and rig. `rig` is the stored one.
    pub fn numbers(&self, lesson: &Lesson, step: usize, rig: &Arc<Rig>) -> &Derived {
        self.derived.get_or_init(|| {
            let document = step_document(lesson, step, Some(rig));
            let source = InfluencesSource::Given(edited_influences(&document, rig));
            Box::new(Derived::with_fallback(
                &document,
                Some(lesson),
                rig,
                rig,
                source,
                &self.long_work,
            ))
        })
    }

    /// Returns everything that the pictures of a step can show. See
    /// [`Self::numbers`] for the arguments.
    pub fn reach(&self, lesson: &Lesson, step: usize, rig: &Arc<Rig>) -> &StepReach {
        self.reach.get_or_init(|| StepReach::new(lesson, step, self.numbers(lesson, step, rig)))
    }
}
