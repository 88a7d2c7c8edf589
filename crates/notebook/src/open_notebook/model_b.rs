//! A second model beside that of the page.

use std::sync::Arc;

use bindpose_asset::Rig;
use bindpose_lesson::{CellKind, Lesson, ModelB};

use super::super::exercise_cells::cells_at;
use super::super::moment::{OpenedB, UndoPoint};
use super::super::own_model::model_name;
use super::super::{EditError, PageAddress};
use super::Notebook;

/// Models of the reader’s own that that of the page can be held against.
#[derive(Clone, Copy, Debug, Default)]
pub struct ModelsB<'a> {
    /// Opened to compare.
    pub opened: Option<&'a Arc<Rig>>,
    /// On the page before the one that is.
    pub before: Option<&'a Arc<Rig>>,
}

impl Notebook {
    /// What the reader has opened that can stand beside the model of the page.
    pub fn models_b(&self) -> ModelsB<'_> {
        ModelsB { opened: self.model_b.as_ref(), before: self.own_before.as_ref() }
    }

    /// Does the open step hold the model against another?
    pub fn compares_models(&self) -> bool {
        compares_at(self.lesson(), self.document.step)
    }

    /// Takes a model to hold that of the page against, at the open step if it does
    /// that, else at the first that does. What stands on the page stays; undo brings
    /// back what it was held against before.
    ///
    /// Fails when no step does; nothing has changed then. When the rig of the step is yet to
    /// come; the model is kept then, and the step can be put to it.
    pub fn open_model_b(&mut self, model: Arc<Rig>, gesture: u64) -> Result<(), EditError> {
        if !self.compares_models() {
            let page = self.page_that_compares().ok_or(EditError::NoStepToCompare)?;
            if let Err(wrong) = self.go(&page) {
                if wrong == EditError::NotHereYet {
                    self.model_b = Some(model);
                }
                return Err(wrong);
            }
        }
        self.typing.stop();
        let moment = UndoPoint { model_b: Some(OpenedB(self.model_b.clone())), ..self.moment() };
        let opened = format!("opening {} to compare", model_name(&model));
        self.history.record(&moment, opened, gesture);
        self.model_b = Some(model);
        self.forget_old_models();
        let mut next = self.document.clone();
        next.state.model_b = ModelB::Opened;
        self.replace(next);
        Ok(())
    }

    fn page_that_compares(&self) -> Option<PageAddress> {
        self.set.lessons.iter().find_map(|lesson| {
            let mut steps = 0..lesson.steps.len();
            let step = steps.find(|&step| compares_at(lesson, step))?;
            let step = lesson.steps.get(step)?;
            Some(PageAddress::step(&lesson.slug, &step.slug))
        })
    }
}

fn compares_at(lesson: &Lesson, step: usize) -> bool {
    cells_at(lesson, step).any(|cell| matches!(cell.kind, CellKind::ModelDifference(_)))
}
