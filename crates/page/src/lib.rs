//! The page of the notebook, drawn by egui without GL. It reads the document and its derived
//! values, and returns edits.

#![forbid(unsafe_code)]

pub mod awaited_page;
pub mod bench;
pub mod brush;
pub mod cells;
pub mod classroom;
pub mod command;
pub mod contents;
pub mod cover;
pub mod diagnostic;
pub mod export_menu;
pub mod inventory;
pub mod link_window;
pub mod mended_copy;
pub mod model_b;
pub mod page;
pub mod presenter;
pub mod presenter_notes;
mod progress_sign;
pub mod prose;
pub mod reader_presence;
pub mod recent_models;
pub mod requests;
pub mod scene_colors;
pub mod search;
mod shelf;
mod slider_param;
pub mod stage;
pub mod step_heading;
mod sway;
pub mod top_bar;
pub mod view;
mod work;

use bindpose_kit::theme::Theme;
use bindpose_kit::touch;
use bindpose_kit::widgets::ScrubChange;
use bindpose_lesson::{Lesson, LessonSet, Setting, ViewportCell};
use bindpose_notebook::progress::{ExerciseAnswer, StepRecord};
use bindpose_notebook::viewport::ViewportFrame;
use bindpose_notebook::{
    Cameras, Derived, Document, Edit, Entity, GpuLimits, LinkedHighlight, ModelsB, Notebook,
    PageState, StepStart,
};
use bindpose_skin::Conventions;
use eframe::egui::Response;

use requests::Requests;
use view::{ViewState, Viewports};

/// Calls `run` from a function that is not inlined.
///
/// Compilers inline a function that is called in one place only. The browser's program is
/// divided by functions (`cargo xtask web`), so code for some pages must not be inlined into
/// code for all pages.
#[inline(never)]
pub fn not_inlined<R>(run: impl FnOnce() -> R) -> R {
    run()
}

/// Inputs and outputs of a cell or a piece of prose.
pub struct PageContext<'a> {
    pub lesson: &'a Lesson,
    pub document: &'a Document,
    /// State of the page before the last change at this step. `None` if there was no change.
    pub before: Option<&'a Document>,
    /// Values derived from the document.
    pub derived: &'a Derived,
    /// Values derived when the step was opened, see [`Self::at_start`].
    pub start: &'a StepStart,
    /// All lessons and the glossary.
    pub set: &'a LessonSet,
    pub theme: &'a Theme,
    /// Highlighted joint or vertex.
    pub linked: &'a mut LinkedHighlight,
    pub cameras: &'a Cameras,
    pub requests: &'a mut Requests,
    pub view: &'a mut ViewState,
    pub viewports: &'a mut dyn Viewports,
    /// Limits of the GPU. `None` without GL.
    pub limits: Option<&'a GpuLimits>,
    /// Reader's progress at this step. `None` on the first visit.
    pub record: Option<&'a StepRecord>,
    /// Opened models that can be compared with the page's.
    pub models_b: ModelsB<'a>,
    /// True if a parameter of the step may sway and none of its exercises is open.
    pub can_sway: bool,
    /// Document and derived values without the sway, by which exercises are judged. `None`
    /// if nothing sways, so that they equal `document` and `derived`.
    pub at_rest: Option<(&'a Document, &'a Derived)>,
}

impl<'a> PageContext<'a> {
    /// Returns the notation of matrices on this page.
    pub fn conventions(&self) -> Conventions {
        self.document.state.written_as.over(self.view.conventions)
    }

    /// Creates the context of a notebook's open page.
    pub fn new(
        notebook: &'a Notebook,
        theme: &'a Theme,
        linked: &'a mut LinkedHighlight,
        requests: &'a mut Requests,
        view: &'a mut ViewState,
        viewports: &'a mut dyn Viewports,
        limits: Option<&'a GpuLimits>,
    ) -> Self {
        Self {
            lesson: notebook.lesson(),
            document: notebook.document(),
            before: notebook.before_last_change(),
            derived: notebook.derived(),
            start: notebook.start(),
            set: &notebook.set,
            theme,
            linked,
            cameras: notebook.cameras(),
            requests,
            view,
            viewports,
            limits,
            record: notebook.record(),
            models_b: notebook.models_b(),
            can_sway: notebook.can_sway(),
            at_rest: None,
        }
    }

    /// Returns the contents of a viewport on this page.
    pub fn viewport_frame<'c>(&self, cell: &'c ViewportCell) -> ViewportFrame<'c>
    where
        'a: 'c,
    {
        let reach = self.start.reach(self.lesson, self.document.step, &self.derived.stored_rig);
        ViewportFrame::new(cell, self.document, self.derived, self.limits).with_reach(reach)
    }

    /// Returns the context of a variant of this page with another document.
    pub fn with<'b>(&'b mut self, document: &'b Document, derived: &'b Derived) -> PageContext<'b> {
        PageContext {
            lesson: self.lesson,
            document,
            before: None,
            derived,
            start: self.start,
            set: self.set,
            theme: self.theme,
            linked: self.linked,
            cameras: self.cameras,
            requests: self.requests,
            view: self.view,
            viewports: self.viewports,
            limits: self.limits,
            record: self.record,
            models_b: self.models_b,
            can_sway: self.can_sway,
            at_rest: self.at_rest,
        }
    }

    /// Returns the context of this page with a swayed parameter. Edits and exercises still
    /// apply to the page at rest.
    pub(crate) fn swayed<'b>(
        &'b mut self,
        document: &'b Document,
        derived: &'b Derived,
    ) -> PageContext<'b> {
        let at_rest = Some((self.document, self.derived));
        PageContext { before: self.before, at_rest, ..self.with(document, derived) }
    }

    /// Returns the values derived at the start of the step.
    pub fn at_start(&self) -> &'a Derived {
        let step = self.document.step;
        self.start.numbers(self.lesson, step, &self.derived.stored_rig)
    }

    /// Returns the context of this page in another theme.
    pub fn in_theme<'b>(&'b mut self, theme: &'b Theme) -> PageContext<'b> {
        let document = self.document;
        let derived = self.derived;
        PageContext { before: self.before, theme, ..self.with(document, derived) }
    }

    pub fn choose(&mut self, setting: Setting) {
        self.requests.edits.push(Edit::set(setting));
    }

    /// Chooses a joint or a vertex. Ignores other entities, which cannot be chosen.
    pub fn choose_entity(&mut self, entity: Entity) {
        match entity {
            Entity::Joint(joint) => self.choose(Setting::Joint(joint.into())),
            Entity::Vertex(vertex) => self.choose(Setting::Vertex(vertex)),
            _ => {}
        }
    }

    /// Returns the current state of the page.
    pub fn page_state(&self) -> PageState<'a> {
        PageState { document: self.document, derived: self.derived, lesson: self.lesson }
    }

    /// Highlights an entity while the pointer is on a widget that represents it, and chooses it
    /// on a click.
    pub fn link_response(&mut self, response: &Response, entity: Entity) {
        if touch::is_pointed_at(response) {
            self.linked.hover(entity);
        }
        if response.clicked() {
            self.choose_entity(entity);
        }
    }

    /// Applies the change of a number to its parameter.
    pub fn change_param(&mut self, name: &str, change: Option<ScrubChange>) {
        match change {
            Some(ScrubChange::Set(value)) => self.requests.edits.push(Edit::param(name, value)),
            Some(ScrubChange::Reset) => self.requests.edits.push(Edit::reset_param(name)),
            None => {}
        }
    }

    /// Returns the reader's answer to an exercise of this step with the values of a draw.
    pub fn answer(&self, cell: &str, draw: usize) -> Option<&'a ExerciseAnswer> {
        self.record?.answer(cell, draw)
    }

    /// Returns true if the answer to an exercise was shown to the reader, who never gave it.
    pub fn is_answer_shown(&self, cell: &str) -> bool {
        self.answer(cell, self.document.draw_of(cell))
            .is_some_and(|answer| answer.shown && !answer.solved && answer.guesses.is_empty())
    }

    /// Returns the state of a cell of the open lesson, which is kept between frames.
    pub fn state<T: Default + 'static>(&mut self, cell: &str) -> &mut T {
        self.view.cells.get(&self.document.lesson, cell)
    }

    /// Calls `show` with the state of a cell. Within `show`, [`Self::state`] returns a default
    /// instead of it.
    pub fn with_state<T: Default + 'static, R>(
        &mut self,
        cell: &str,
        show: impl FnOnce(&mut T, &mut Self) -> R,
    ) -> R {
        let mut state: T = std::mem::take(self.state(cell));
        let result = show(&mut state, self);
        *self.state(cell) = state;
        result
    }
}
