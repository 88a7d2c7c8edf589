//! Undo and redo, of the step in sight.

use std::sync::Arc;

use super::super::Document;
use super::super::moment::{OpenedB, UndoPoint};
use super::super::own_model::OWN_RIG;
use super::Notebook;

impl Notebook {
    /// One step of undo. False when there is nothing to undo at this step.
    pub fn undo(&mut self) -> bool {
        self.typing.stop();
        self.note_answers();
        let now = self.moment_like(self.history.past().next());
        let before = self.history.undo(&now);
        before.map(|moment| self.put_back(moment)).is_some()
    }

    /// One step of redo. False when there is nothing to redo at this step.
    pub fn redo(&mut self) -> bool {
        self.typing.stop();
        self.note_answers();
        let now = self.moment_like(self.history.future().next());
        let after = self.history.redo(&now);
        after.map(|moment| self.put_back(moment)).is_some()
    }

    /// The page before the last change that undo knows, if that was made on this
    /// model.
    pub fn before_last_change(&self) -> Option<&Document> {
        let before = self.history.past().next()?;
        let same_model = match (&before.own, &self.own) {
            _ if self.lesson().rig != OWN_RIG => true,
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            (one, other) => one.is_none() && other.is_none(),
        };
        let document = &before.document;
        let here = (&document.lesson, document.step) == (&self.document.lesson, self.document.step);
        (same_model && here).then_some(document)
    }

    /// The step as it is, for a change of that step alone.
    pub(super) fn moment(&self) -> UndoPoint {
        let own = (self.lesson().rig == OWN_RIG).then(|| self.own.clone());
        UndoPoint {
            document: self.document.clone(),
            own: own.flatten(),
            own_before: None,
            model_b: None,
            everywhere: None,
        }
    }

    /// As much of now as the other side of a change holds.
    fn moment_like(&self, other: Option<&UndoPoint>) -> UndoPoint {
        let everywhere = other.is_some_and(|moment| moment.everywhere.is_some());
        let model_b = other.is_some_and(|moment| moment.model_b.is_some());
        let own_before = other.is_some_and(|moment| moment.own_before.is_some());
        UndoPoint {
            own_before: own_before.then(|| OpenedB(self.own_before.clone())),
            model_b: model_b.then(|| OpenedB(self.model_b.clone())),
            everywhere: everywhere.then(|| Box::new(self.everywhere())),
            ..self.moment()
        }
    }

    fn put_back(&mut self, moment: UndoPoint) {
        if self.lesson().rig == OWN_RIG {
            self.take_model(moment.own);
        }
        if let Some(OpenedB(own_before)) = moment.own_before {
            self.own_before = own_before;
        }
        if let Some(OpenedB(model_b)) = moment.model_b {
            self.model_b = model_b;
        }
        if let Some(everywhere) = moment.everywhere {
            self.put_back_everywhere(*everywhere);
        }
        let mut document = moment.document;
        // Lessons may have been read again, with their steps in another order.
        document.step = self.document.step;
        self.replace(document);
        self.overlook_answers();
    }
}
