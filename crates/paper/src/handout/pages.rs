//! The steps of a handout, and each step in the state in which it opens.

use std::sync::Arc;

use bindpose_gltf::Rig;
use bindpose_lesson::{CellKind, DataEdit, Lesson, LessonSet, LessonStep, Route, Setting};
use bindpose_notebook::inventory::InventoryForm;
use bindpose_notebook::{
    Derived, Document, Edit, Notebook, OWN_RIG, PageState, apply, lesson_rig, step_document,
};

/// The content of a handout: a sequence of steps, or a form of a lesson's inventory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HandoutPages {
    /// Title of the handout.
    pub title: String,
    /// Planned duration of the whole handout.
    pub minutes: u32,
    /// Whether the steps are those of one whole lesson.
    pub is_lesson: bool,
    /// The steps in order. Empty if `form` is set.
    pub pages: Vec<HandoutPage>,
    /// The inventory form written in place of steps, if any.
    pub form: Option<HandoutForm>,
}

/// A form of a lesson's inventory: its questions before the lesson or after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HandoutForm {
    /// Index of the lesson.
    pub lesson: usize,
    /// Whether it is the form before or after the lesson.
    pub form: InventoryForm,
}

/// A step of a handout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HandoutPage {
    /// Index of the lesson.
    pub lesson: usize,
    /// Index of the step in the lesson.
    pub step: usize,
    /// Planned duration. `None` if neither the route nor the lesson's notes give one.
    pub minutes: Option<u32>,
}

impl HandoutPages {
    /// Returns all steps of the lesson at `index`.
    pub fn of_lesson(set: &LessonSet, index: usize) -> Self {
        let lesson = &set.lessons[index];
        Self {
            title: lesson.title.clone(),
            minutes: lesson.minutes,
            is_lesson: true,
            pages: (0..lesson.steps.len())
                .map(|step| HandoutPage { lesson: index, step, minutes: None })
                .collect(),
            form: None,
        }
    }

    /// Returns a form of the inventory of the lesson at `index`.
    pub fn of_form(set: &LessonSet, index: usize, form: InventoryForm) -> Self {
        Self {
            title: set.lessons[index].title.clone(),
            form: Some(HandoutForm { lesson: index, form }),
            ..Self::default()
        }
    }

    /// Returns the steps of a route.
    pub fn of_route(set: &LessonSet, route: &Route) -> Self {
        Self {
            title: route.title.clone(),
            minutes: route.minutes,
            is_lesson: false,
            pages: route
                .pages(&set.lessons)
                .into_iter()
                .map(|page| HandoutPage {
                    lesson: page.lesson,
                    step: page.step,
                    minutes: page.minutes,
                })
                .collect(),
            form: None,
        }
    }

    /// Returns the inventory form that is open, else the current route, else the open lesson.
    pub fn in_sight(notebook: &Notebook) -> Self {
        let open_slug = &notebook.lesson().slug;
        let lessons = &notebook.set.lessons;
        let index = lessons.iter().position(|lesson| lesson.slug == *open_slug).unwrap_or(0);
        if let Some(open_form) = notebook.forms().open {
            Self::of_form(&notebook.set, index, open_form.form)
        } else if let Some(route) = notebook.route() {
            Self::of_route(&notebook.set, route)
        } else {
            Self::of_lesson(&notebook.set, index)
        }
    }

    /// Returns whether there are several steps and each is the summary at the end of a lesson.
    pub(super) fn is_summary(&self, set: &LessonSet) -> bool {
        self.pages.len() > 1
            && self.pages.iter().all(|page| {
                set.lessons
                    .get(page.lesson)
                    .and_then(|lesson| lesson.steps.get(page.step))
                    .into_iter()
                    .flat_map(LessonStep::cells)
                    .any(|cell| matches!(cell.kind, CellKind::Learnt(_)))
            })
    }
}

/// A step with its document and derived values, in the state in which it opens.
pub(crate) struct OpenedStep<'a> {
    pub(crate) lesson: &'a Lesson,
    pub(super) step: &'a LessonStep,
    pub(crate) document: Document,
    pub(crate) derived: Derived,
    /// Derived values before the edits of [`Self::after_edits`]. `None` if nothing was edited.
    start: Option<Derived>,
}

impl<'a> OpenedStep<'a> {
    /// Opens a step. `own` is the reader's own model, if any.
    ///
    /// Returns `None` if there is no such step or its rig is missing.
    pub(crate) fn new(
        set: &'a LessonSet,
        page: HandoutPage,
        rigs: &dyn Fn(&str) -> Option<Arc<Rig>>,
        own: Option<&Arc<Rig>>,
    ) -> Option<Self> {
        let lesson = set.lessons.get(page.lesson)?;
        let step = lesson.steps.get(page.step)?;
        let own = own.filter(|_| lesson.rig == OWN_RIG).cloned();
        let rig = own.or_else(|| lesson_rig(set, lesson.rig_at(page.step), rigs))?;
        let document = step_document(lesson, page.step, Some(&rig));
        let derived = Derived::of_document(&document, Some(lesson), &rig);
        Some(Self { lesson, step, document, derived, start: None })
    }

    /// Returns the step with settings and edits applied, or unchanged if they cannot be applied.
    pub(super) fn after_edits(&self, settings: &[Setting], edits: &[DataEdit]) -> Self {
        let mut document = self.document.clone();
        let edit = Edit::solve(settings, edits);
        // `bindpose check` reports edits that cannot be applied.
        let _ = apply(&mut document, &edit, self.lesson, &self.derived.rig);
        Self {
            derived: self.derived.of_other(&document, Some(self.lesson)),
            document,
            start: Some(self.derived_at_start().clone()),
            ..*self
        }
    }

    /// Returns the derived values before any edit.
    pub(super) fn derived_at_start(&self) -> &Derived {
        self.start.as_ref().unwrap_or(&self.derived)
    }

    pub(super) fn page_state(&self) -> PageState<'_> {
        PageState { document: &self.document, derived: &self.derived, lesson: self.lesson }
    }
}
