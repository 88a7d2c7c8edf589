//! Which steps a handout has, and how each of them opens.

use std::sync::Arc;

use bindpose_asset::Rig;
use bindpose_lesson::{DataEdit, Lesson, LessonSet, LessonStep, Route, RoutePage, Setting};
use bindpose_notebook::inventory::InventoryForm;
use bindpose_notebook::{
    Derived, Document, Edit, Notebook, OWN_RIG, PageState, apply, lesson_rig, step_document,
};

/// The steps of a handout, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HandoutPages {
    /// Of the whole.
    pub title: String,
    /// To plan for.
    pub minutes: u32,
    /// Is it one lesson from its beginning to its end?
    pub is_lesson: bool,
    /// By index of lesson and step.
    pub pages: Vec<HandoutPage>,
    /// A form of an inventory, in the place of steps.
    pub form: Option<HandoutForm>,
}

/// The questions of a lesson before it or after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HandoutForm {
    /// Index of the lesson.
    pub lesson: usize,
    /// Which form.
    pub form: InventoryForm,
}

/// One step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HandoutPage {
    /// Index of the lesson.
    pub lesson: usize,
    /// Index of its step.
    pub step: usize,
    /// To plan for, where that is said.
    pub minutes: Option<u32>,
}

impl HandoutPages {
    /// All steps of a lesson, by its index.
    pub fn of_lesson(set: &LessonSet, index: usize) -> Self {
        let lesson = &set.lessons[index];
        let page = |step: usize| HandoutPage { lesson: index, step, minutes: None };
        Self {
            title: lesson.title.clone(),
            minutes: lesson.minutes,
            is_lesson: true,
            pages: (0..lesson.steps.len()).map(page).collect(),
            form: None,
        }
    }

    /// A form of the inventory of a lesson, by its index.
    pub fn of_form(set: &LessonSet, index: usize, form: InventoryForm) -> Self {
        let lesson = &set.lessons[index];
        Self {
            title: lesson.title.clone(),
            form: Some(HandoutForm { lesson: index, form }),
            ..Self::default()
        }
    }
}

impl HandoutPages {
    /// The steps of a route.
    pub fn of_route(set: &LessonSet, route: &Route) -> Self {
        let pages = route.pages(&set.lessons).into_iter();
        let page = |page: RoutePage| HandoutPage {
            lesson: page.lesson,
            step: page.step,
            minutes: page.minutes,
        };
        Self {
            title: route.title.clone(),
            minutes: route.minutes,
            is_lesson: false,
            pages: pages.map(page).collect(),
            form: None,
        }
    }

    /// The form that is open, else the route that is followed, else the open lesson.
    pub fn in_sight(notebook: &Notebook) -> Self {
        let open = notebook.lesson();
        let mut lessons = notebook.set.lessons.iter();
        let index = lessons.position(|lesson| lesson.slug == open.slug);
        let index = index.unwrap_or(0);
        match (notebook.forms().open, notebook.route()) {
            (Some(open), _) => Self::of_form(&notebook.set, index, open.form),
            (None, Some(route)) => Self::of_route(&notebook.set, route),
            (None, None) => Self::of_lesson(&notebook.set, index),
        }
    }
}

/// A step as it opens.
pub(super) struct OpenedStep<'a> {
    pub(super) lesson: &'a Lesson,
    pub(super) step: &'a LessonStep,
    pub(super) document: Document,
    pub(super) derived: Derived,
    /// As the step opens, where something was done since.
    start: Option<Derived>,
}

impl<'a> OpenedStep<'a> {
    /// `None` where there is no such step, or no rig for it. `own`: the reader's
    /// model.
    pub(super) fn new(
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
        let influences = Derived::edited_influences(&document, &rig);
        let derived = Derived::new(&document, Some(lesson), &rig, influences);
        Some(Self { lesson, step, document, derived, start: None })
    }

    /// The same step after something was done on it; as it was where that does not
    /// fit.
    pub(super) fn after(&self, settings: &[Setting], edits: &[DataEdit]) -> Self {
        let mut document = self.document.clone();
        let edit = Edit::Solve(settings.to_vec(), edits.to_vec());
        // `bindpose check` says what does not fit.
        let _ = apply(&mut document, &edit, self.lesson, &self.derived.rig);
        Self {
            derived: self.derived.of_other(&document, Some(self.lesson)),
            document,
            start: Some(self.at_start().clone()),
            ..*self
        }
    }

    /// The numbers as the step opens.
    pub(super) fn at_start(&self) -> &Derived {
        self.start.as_ref().unwrap_or(&self.derived)
    }

    pub(super) fn state(&self) -> PageState<'_> {
        PageState { document: &self.document, derived: &self.derived, lesson: self.lesson }
    }
}
