//! The page: egui only, no GL. Reads the document and what follows from it,
//! and answers with edits.

#![forbid(unsafe_code)]

pub mod awaited_page;
pub mod bench;
pub mod brush;
pub mod cells;
pub mod classroom;
pub mod code;
pub mod command;
pub mod contents;
pub mod cover;
pub mod diagnostic;
pub mod export_menu;
pub mod icons;
pub mod inventory;
pub mod link_window;
pub mod math;
pub mod mended_copy;
pub mod model_b;
pub mod page;
pub mod presenter;
pub mod presenter_notes;
pub mod prose;
pub mod reader_presence;
pub mod recent_models;
pub mod search;
pub mod stage;
pub mod step_heading;
mod sway;
pub mod theme;
pub mod top_bar;
pub mod touch;
pub mod view;
pub mod widgets;
mod work;

use bindpose_lesson::{Lesson, LessonSet, Setting, ViewportCell};
use bindpose_notebook::progress::{ExerciseAnswer, StepRecord};
use bindpose_notebook::viewport::ViewportFrame;
use bindpose_notebook::{
    Cameras, Derived, Document, Edit, Entity, GpuLimits, LinkedHighlight, ModelsB, Navigation,
    Notebook, PageState, StepStart,
};
use bindpose_skin::Conventions;
use eframe::egui::Response;

use theme::Theme;
use view::{ViewState, Viewports};
use widgets::ScrubChange;

/// Runs `run` as a function of its own. A compiler makes one of what is called in one place
/// alone and what calls it, and the browser's program is divided by functions: what some
/// pages need must not stand in what all need (`cargo xtask web`).
#[inline(never)]
pub fn not_inlined<R>(run: impl FnOnce() -> R) -> R {
    run()
}

/// What a cell, or a piece of prose, can see and say.
pub struct PageContext<'a> {
    /// The open lesson.
    pub lesson: &'a Lesson,
    /// The state of the page.
    pub document: &'a Document,
    /// The same before the last change at this step; `None`: there was none.
    pub before: Option<&'a Document>,
    /// Every number that follows from it.
    pub derived: &'a Derived,
    /// What followed when the step was opened; see [`Self::at_start`].
    pub start: &'a StepStart,
    /// All lessons, and the words of the field.
    pub set: &'a LessonSet,
    /// Colours and type.
    pub theme: &'a Theme,
    /// What is lit.
    pub linked: &'a mut LinkedHighlight,
    /// Where the reader looks from.
    pub cameras: &'a Cameras,
    /// What the reader does, applied after the frame.
    pub edits: &'a mut Vec<Edit>,
    /// Where the reader goes and looks from, done after the frame.
    pub navigation: &'a mut Vec<Navigation>,
    /// Motion, and what is open.
    pub view: &'a mut ViewState,
    /// Draws scenes.
    pub viewports: &'a mut dyn Viewports,
    /// `None` without GL.
    pub limits: Option<&'a GpuLimits>,
    /// What was seen and answered at this step; `None`: nothing yet.
    pub record: Option<&'a StepRecord>,
    /// Models of the reader's own that the page's can be held against.
    pub models_b: ModelsB<'a>,
    /// Whether the step lets a parameter sway, and none of its exercises is open.
    pub can_sway: bool,
    /// The document and its derived values without the sway, by which exercises are judged.
    /// `None` where nothing sways: `document` and `derived` are these.
    pub at_rest: Option<(&'a Document, &'a Derived)>,
}

impl<'a> PageContext<'a> {
    /// How matrices are written down on this page.
    pub fn conventions(&self) -> Conventions {
        self.document.state.written_as.over(self.view.conventions)
    }

    /// The open page of a notebook.
    pub fn new(
        notebook: &'a Notebook,
        theme: &'a Theme,
        linked: &'a mut LinkedHighlight,
        edits: &'a mut Vec<Edit>,
        navigation: &'a mut Vec<Navigation>,
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
            edits,
            navigation,
            view,
            viewports,
            limits,
            record: notebook.record(),
            models_b: notebook.models_b(),
            can_sway: notebook.can_sway(),
            at_rest: None,
        }
    }

    /// What a viewport shows of this page.
    pub fn viewport_frame<'c>(&self, cell: &'c ViewportCell) -> ViewportFrame<'c>
    where
        'a: 'c,
    {
        ViewportFrame::new(cell, self.document, self.derived, self.limits)
    }

    /// The same page with another document on it, and what follows from that:
    /// one of several variants.
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
            edits: self.edits,
            navigation: self.navigation,
            view: self.view,
            viewports: self.viewports,
            limits: self.limits,
            record: self.record,
            models_b: self.models_b,
            can_sway: self.can_sway,
            at_rest: self.at_rest,
        }
    }

    /// The same page with a parameter of `document` swayed. Edits and exercises still belong
    /// to the page at rest.
    pub(crate) fn swayed<'b>(
        &'b mut self,
        document: &'b Document,
        derived: &'b Derived,
    ) -> PageContext<'b> {
        let (at_rest, before) = ((self.document, self.derived), self.before);
        PageContext { before, at_rest: Some(at_rest), ..self.with(document, derived) }
    }

    /// Every number as it is at the start of the step.
    pub fn at_start(&self) -> &'a Derived {
        let step = self.document.step;
        self.start.numbers(self.lesson, step, &self.derived.stored_rig)
    }

    /// The same page in other colours.
    pub fn in_theme<'b>(&'b mut self, theme: &'b Theme) -> PageContext<'b> {
        let (document, derived, before) = (self.document, self.derived, self.before);
        PageContext { before, theme, ..self.with(document, derived) }
    }

    /// Puts a setting as the reader wants it.
    pub fn choose(&mut self, setting: Setting) {
        self.edits.push(Edit::set(setting));
    }

    /// Chooses a joint or a vertex; other things cannot be chosen.
    pub fn choose_entity(&mut self, entity: Entity) {
        match entity {
            Entity::Joint(joint) => self.choose(Setting::Joint(joint.into())),
            Entity::Vertex(vertex) => self.choose(Setting::Vertex(vertex)),
            _ => {}
        }
    }

    /// The page as it stands.
    pub fn now(&self) -> PageState<'a> {
        PageState { document: self.document, derived: self.derived, lesson: self.lesson }
    }

    /// Lights a joint or a vertex while the pointer is on what stands for it, and
    /// chooses it on a click.
    pub fn link(&mut self, response: &Response, entity: Entity) {
        if touch::is_pointed_at(response) {
            self.linked.hover(entity);
        }
        if response.clicked() {
            self.choose_entity(entity);
        }
    }

    /// Does to a parameter what the reader did to its number.
    pub fn change_param(&mut self, name: &str, change: Option<ScrubChange>) {
        self.edits.extend(change.map(|change| match change {
            ScrubChange::Set(value) => Edit::param(name, value),
            ScrubChange::Reset => Edit::reset_param(name),
        }));
    }

    /// What is remembered of an exercise of this step with a draw, by index.
    pub fn answer(&self, cell: &str, draw: usize) -> Option<&'a ExerciseAnswer> {
        self.record?.answer(cell, draw)
    }

    /// What a cell of the open lesson keeps from frame to frame.
    pub fn state<T: Default + 'static>(&mut self, cell: &str) -> &mut T {
        self.view.cells.get(&self.document.lesson, cell)
    }

    /// Shows a cell with what it keeps, which within `show` is there alone and
    /// not by [`Self::state`].
    pub fn with_state<T: Default + 'static, R>(
        &mut self,
        cell: &str,
        show: impl FnOnce(&mut T, &mut Self) -> R,
    ) -> R {
        let mut state: T = std::mem::take(self.state(cell));
        let answer = show(&mut state, self);
        *self.state(cell) = state;
        answer
    }
}
