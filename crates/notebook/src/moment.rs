//! What a step of undo leads back to, and the undo of each step of a lesson.

use std::sync::Arc;

use bindpose_asset::Rig;

use super::kept_steps::{KeptSteps, StepKey};
use super::{Cameras, Document, History, ReaderProgress};

/// Steps whose undo is kept while they are out of sight.
const STEPS_KEPT: usize = 24;

/// The step as it was.
#[derive(Clone, Debug)]
pub struct UndoPoint {
    /// What stood there.
    pub(super) document: Document,
    /// The reader's own model then, where the lesson stands on it.
    pub(super) own: Option<Arc<Rig>>,
    /// The one that was open before it, where the change was of that.
    pub(super) own_before: Option<OpenedB>,
    /// What was open to compare, where the change was of that.
    pub(super) model_b: Option<OpenedB>,
    /// What was kept everywhere else, where the change was of that.
    pub(super) everywhere: Option<Box<Everywhere>>,
}

/// A model to hold that of the page against; none, perhaps.
#[derive(Clone, Debug)]
pub(super) struct OpenedB(pub(super) Option<Arc<Rig>>);

/// What is kept of all steps, beside the document in sight.
#[derive(Clone, Debug)]
pub(super) struct Everywhere {
    pub(super) kept: KeptSteps,
    pub(super) histories: Histories,
    pub(super) progress: ReaderProgress,
    /// Of the step in sight.
    pub(super) cameras: Cameras,
    /// Whose changes these are.
    pub(super) class: u64,
}

/// Undo of steps that are out of sight, the latest last.
#[derive(Clone, Debug, Default)]
pub(super) struct Histories(Vec<(StepKey, History<UndoPoint>)>);

impl Histories {
    /// Keeps what can be undone at a step; that of the step left longest ago is
    /// forgotten.
    pub(super) fn keep(&mut self, key: StepKey, history: History<UndoPoint>) {
        if history.is_empty() {
            return;
        }
        if self.0.len() == STEPS_KEPT {
            self.0.remove(0);
        }
        self.0.push((key, history));
    }

    /// Takes what can be undone at a step.
    pub(super) fn take(&mut self, key: &StepKey) -> History<UndoPoint> {
        let index = self.0.iter().position(|(other, _)| other == key);
        index.map_or_else(History::default, |index| self.0.remove(index).1)
    }

    /// Forgets what belongs to the steps of some lessons, by slug.
    pub(super) fn forget_lessons(&mut self, is_forgotten: impl Fn(&str) -> bool) {
        self.0.retain(|(key, _)| !is_forgotten(&key.lesson));
    }
}
