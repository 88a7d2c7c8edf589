//! What a step of undo leads back to, and the undo of each step of a lesson.

use std::sync::Arc;

use super::super::kept_steps::StepKey;
use super::super::own_model::OWN_RIG;
use super::super::{Document, History};
use super::Notebook;
use super::begin_anew::Everywhere;
use crate::asset::Rig;

/// Steps whose undo is kept while they are out of sight.
const STEPS_KEPT: usize = 24;

/// The step as it was.
#[derive(Clone, Debug)]
pub struct Moment {
    /// What stood there.
    document: Document,
    /// The reader's own model then, where the lesson stands on it.
    pub(super) own: Option<Arc<Rig>>,
    /// What was kept everywhere else, where the change was of that.
    pub(super) everywhere: Option<Box<Everywhere>>,
}

/// Undo of steps that are out of sight, the latest last.
#[derive(Clone, Debug, Default)]
pub(super) struct Histories(Vec<(StepKey, History<Moment>)>);

impl Histories {
    /// Keeps what can be undone at a step; that of the step left longest ago is
    /// forgotten.
    pub(super) fn keep(&mut self, key: StepKey, history: History<Moment>) {
        if history.is_empty() {
            return;
        }
        if self.0.len() == STEPS_KEPT {
            self.0.remove(0);
        }
        self.0.push((key, history));
    }

    /// Takes what can be undone at a step.
    pub(super) fn take(&mut self, key: &StepKey) -> History<Moment> {
        let index = self.0.iter().position(|(other, _)| other == key);
        index.map_or_else(History::default, |index| self.0.remove(index).1)
    }

    /// Forgets what belongs to the steps of some lessons, by slug.
    pub(super) fn forget_lessons(&mut self, is_forgotten: impl Fn(&str) -> bool) {
        self.0.retain(|(key, _)| !is_forgotten(&key.lesson));
    }
}

impl Notebook {
    /// One step of undo. False when there is nothing to undo at this step.
    pub fn undo(&mut self) -> bool {
        self.typing.stop();
        let now = self.moment_like(self.history.past().next());
        let before = self.history.undo(&now);
        before.map(|moment| self.put_back(moment)).is_some()
    }

    /// One step of redo. False when there is nothing to redo at this step.
    pub fn redo(&mut self) -> bool {
        self.typing.stop();
        let now = self.moment_like(self.history.future().next());
        let after = self.history.redo(&now);
        after.map(|moment| self.put_back(moment)).is_some()
    }

    /// The step as it is, for a change of that step alone.
    pub(super) fn moment(&self) -> Moment {
        let own = (self.lesson().rig == OWN_RIG).then(|| self.own.clone());
        Moment {
            document: self.document.clone(),
            own: own.flatten(),
            everywhere: None,
        }
    }

    /// As much of now as the other side of a change holds.
    fn moment_like(&self, other: Option<&Moment>) -> Moment {
        let everywhere = other.is_some_and(|moment| moment.everywhere.is_some());
        Moment {
            everywhere: everywhere.then(|| Box::new(self.everywhere())),
            ..self.moment()
        }
    }

    fn put_back(&mut self, moment: Moment) {
        if self.lesson().rig == OWN_RIG {
            self.take_model(moment.own);
        }
        if let Some(everywhere) = moment.everywhere {
            self.put_back_everywhere(*everywhere);
        }
        let mut document = moment.document;
        // Lessons may have been read again, with their steps in another order.
        document.step = self.document.step;
        self.replace(document);
    }
}
