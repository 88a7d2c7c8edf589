//! The notebook with a lesson open: document, history and derived values.

mod answers;
mod awaited;
mod courses;
mod forms;
mod kept_page;
#[cfg(test)]
mod kept_tests;
mod other_page;
mod own_model;
mod pages;
mod reread;
mod routes;
mod shown_answers;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::sync::Arc;

use bindpose_diagnostic::Diagnostic;
use bindpose_gltf::Rig;
use bindpose_lesson::{Lesson, LessonSet, LessonStep, find_lesson};

use super::apply_edit::{apply, edit_label};
use super::computed_weights::WorkMode;
use super::findings_here::StepFindings;
use super::history::KeystrokeGrouping;
use super::inventory::OpenForm;
use super::lesson_assets::lesson_rig;
use super::moment::{Histories, StoredSteps, UndoPoint};
use super::navigation::PendingAction;
use super::setting::{SettingGroup, group_of};
use super::{
    Cameras, Derived, Document, Edit, EditError, History, Navigation, ReaderProgress, StepMarks,
    StepStart, step_document,
};

pub use courses::OpenedCourse;
pub use kept_page::ReopenedPage;
pub use other_page::OtherPage;
pub use own_model::ModelsB;
pub use reread::ReloadOutcome;
pub(super) use routes::ESSENTIALS;

/// Looks up a built-in rig by name.
pub type RigSource = fn(&str) -> Option<Arc<Rig>>;

/// All open state. Invariant: [`Derived`] always belongs to the document.
#[derive(Debug)]
pub struct Notebook {
    pub set: LessonSet,
    /// Visited, tried and solved steps.
    pub progress: ReaderProgress,
    /// Bookmarks and notes. Starting over keeps them.
    pub marks: StepMarks,
    /// Findings of the content check in lessons of a folder. If `None`, they
    /// were not checked, and lessons carry the findings from parsing.
    pub findings: Option<Vec<Diagnostic>>,
    answers: NotedAnswers,
    rigs: RigSource,
    /// The reader's own model, used by lessons that need one.
    own: Option<Arc<Rig>>,
    /// The model that was open before `own`.
    own_before: Option<Arc<Rig>>,
    /// Model that the reader opened for comparison.
    model_b: Option<Arc<Rig>>,
    /// Index of the open lesson in the set.
    lesson: usize,
    rig: Arc<Rig>,
    document: Document,
    derived: Derived,
    /// Start of the open step.
    start: StepStart,
    /// Cameras of the open step.
    cameras: Cameras,
    /// History of the open step.
    history: History<UndoPoint>,
    /// Histories of other steps.
    histories: Histories,
    /// Changes on other steps.
    kept: StoredSteps,
    /// Index of the class whose changes are shown, and how often a class was
    /// started.
    class: u64,
    class_count: u64,
    /// Route being followed, if any.
    followed: Option<Followed>,
    /// Inventory form shown in place of the page, if any.
    form: Option<OpenForm>,
    typing: KeystrokeGrouping,
    /// Action that waits for its rig to load.
    awaited: Option<PendingAction>,
    long_work: WorkMode,
}

impl Notebook {
    /// Opens the first lesson at its first step. Returns `None` if no lesson in
    /// the set has an available rig.
    pub fn new(set: LessonSet, rigs: RigSource) -> Option<Self> {
        let (lesson, rig) = set.lessons.iter().enumerate().find_map(|(index, lesson)| {
            Some((index, lesson_rig(&set, lesson.rig_at(0), &rigs)?))
        })?;
        let document = step_document(&set.lessons[lesson], 0, Some(&rig));
        let derived = Derived::of_document(&document, Some(&set.lessons[lesson]), &rig);
        let mut notebook = Self {
            set,
            progress: ReaderProgress::default(),
            marks: StepMarks::default(),
            findings: None,
            answers: NotedAnswers::default(),
            rigs,
            own: None,
            own_before: None,
            model_b: None,
            lesson,
            rig,
            document,
            derived,
            start: StepStart::default(),
            cameras: Cameras::new(),
            history: History::default(),
            histories: Histories::default(),
            kept: StoredSteps::default(),
            class: 0,
            class_count: 0,
            typing: KeystrokeGrouping::default(),
            followed: None,
            form: None,
            awaited: None,
            long_work: WorkMode::default(),
        };
        notebook.ignore_current_answers();
        Some(notebook)
    }

    /// Returns the findings that concern the open step.
    pub fn findings_here(&self) -> StepFindings<'_> {
        let lesson = self.lesson();
        let findings = self.findings.as_deref().unwrap_or(&lesson.findings);
        StepFindings::new(findings, &self.set, lesson, self.document.step)
    }

    pub fn lesson(&self) -> &Lesson {
        &self.set.lessons[self.lesson]
    }

    /// Returns the open step. `None` only in a broken lesson without steps.
    pub fn step(&self) -> Option<&LessonStep> {
        self.lesson().steps.get(self.document.step)
    }

    pub fn document(&self) -> &Document {
        &self.document
    }

    pub fn derived(&self) -> &Derived {
        &self.derived
    }

    /// Values derived at the start of the step.
    pub fn start(&self) -> &StepStart {
        &self.start
    }

    /// Cameras of viewports that were moved by hand on this step.
    pub fn cameras(&self) -> &Cameras {
        &self.cameras
    }

    /// Undo history of this step.
    pub fn history(&self) -> &History<UndoPoint> {
        &self.history
    }

    /// Applies one edit. Edits with the same `gesture` form one undo step.
    ///
    /// # Errors
    ///
    /// Fails like [`apply`]. Nothing has changed then.
    pub fn edit(&mut self, edit: &Edit, gesture: u64) -> Result<(), EditError> {
        let mut next = self.document.clone();
        apply(&mut next, edit, self.lesson(), &self.derived.rig)?;
        self.before_edit(edit);
        let gesture = if let Edit::PlayTo { begins: false, .. } = edit {
            // A click during playback does not split it into two undo steps.
            // Playback that the reader did not start cannot be undone.
            self.history.open_gesture()
        } else {
            let gesture = self.typing.assign_gesture(edit, &self.document, gesture);
            (!is_selection_only(edit)).then_some(gesture)
        };
        if let Some(gesture) = gesture {
            let label = edit_label(edit, self.lesson(), &self.derived.rig);
            self.change(next, label, gesture);
        } else {
            self.replace(next);
        }
        self.after_edit(edit);
        Ok(())
    }

    /// Performs one navigation of the reader. Undo does not cover navigation.
    ///
    /// # Errors
    ///
    /// Fails if there is no such page. The open page stays open.
    pub fn navigate(&mut self, navigation: &Navigation) -> Result<(), EditError> {
        match navigation {
            Navigation::Go(page) => self.go(page),
            // The caller, which reads model files, handles these.
            Navigation::Open(_) | Navigation::OpenRead(_) | Navigation::OpenModelB => Ok(()),
            Navigation::Look(viewport, Some(camera)) => {
                self.cameras.insert(viewport.clone(), *camera);
                self.mark_seen();
                Ok(())
            }
            Navigation::Form(act) => self.act_on_form(act),
            Navigation::Follow(route) => self.follow_route(route),
            Navigation::LeaveRoute => {
                self.take_route(None);
                Ok(())
            }
            Navigation::Look(viewport, None) => {
                self.cameras.remove(viewport);
                Ok(())
            }
        }
    }

    /// Sets whether long computations wait or run in the background.
    pub fn set_long_work(&mut self, long_work: WorkMode) {
        self.long_work = long_work;
    }

    /// Takes up weights computed in the background, or their progress.
    pub fn take_up_weights(&mut self) {
        if self.derived.awaits_weights() {
            self.replace(self.document.clone());
            self.start = StepStart::new(self.long_work.clone());
        }
    }

    /// Resets all cameras to those of the step.
    pub fn reset_views(&mut self) {
        self.cameras.clear();
    }

    fn change(&mut self, next: Document, label: String, gesture: u64) {
        if next != self.document {
            self.history.record(&self.undo_point(), label, gesture);
            self.replace(next);
        }
    }

    /// Opens `document` and computes its derived values.
    fn replace(&mut self, document: Document) {
        if let Ok(lesson) = find_lesson(&self.set.lessons, &document.lesson)
            && let Some(rig) = self.rig_of(&self.set.lessons[lesson], document.step)
        {
            self.lesson = lesson;
            self.rig = rig;
        }
        let is_other_page =
            document.lesson != self.document.lesson || document.step != self.document.step;
        if is_other_page || !Arc::ptr_eq(&self.rig, &self.derived.stored_rig) {
            self.start = StepStart::new(self.long_work.clone());
        }
        let has_other_view = document.state.view != self.document.state.view
            || document.state.crowd.count != self.document.state.crowd.count;
        if has_other_view {
            // Cameras moved by hand would hide the requested view.
            self.cameras.clear();
        }
        self.document = document;
        self.document.step = self.document.step.min(self.lesson().steps.len().saturating_sub(1));
        // Fall back to the last good rig only if it was read from the same
        // file.
        let same_file = Arc::ptr_eq(&self.rig, &self.derived.stored_rig);
        let last_good = if same_file { &self.derived.rig } else { &self.rig };
        let mut derived = Derived::with_fallback(
            &self.document,
            Some(self.lesson()),
            &self.rig,
            last_good,
            self.derived.influences_source(),
            &self.long_work,
        );
        derived.reuse_from(&self.derived);
        self.derived = derived;
    }
}

/// Returns true if the edit only selects a joint or a vertex.
fn is_selection_only(edit: &Edit) -> bool {
    match edit {
        Edit::Settings(settings) => {
            settings.iter().all(|setting| group_of(setting) == Some(SettingGroup::Selection))
        }
        _ => false,
    }
}

/// Answers on the open step that are already recorded.
#[derive(Clone, Debug, Default)]
pub(super) struct NotedAnswers {
    /// Names of cells that were solved or revealed.
    pub(super) answered: BTreeSet<String>,
    /// Whether the reader changed something since.
    pub(super) pending: bool,
    /// Date for new entries of the record. If `None`, they carry none.
    pub(super) today: Option<String>,
    /// How long the step has been visible, in seconds. If `None`, it is not
    /// measured.
    pub(super) secs_in_sight: Option<f64>,
    /// Part of `secs_in_sight` before the current hidden fault was drawn.
    pub(super) secs_before_draw: f64,
}

/// Route being followed. Its name may be unknown, if the lessons changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Followed {
    pub(super) name: String,
    /// Index of the step last open on the route, where the reader returns after
    /// a detour.
    pub(super) at: usize,
}

// Bookmarks and notes of the open step.

impl Notebook {
    pub fn is_bookmarked(&self) -> bool {
        let step = self.step();
        step.is_some_and(|step| self.marks.is_bookmarked(&self.lesson().slug, &step.slug))
    }

    /// Toggles the bookmark of this step. Returns true if it has one now.
    pub fn toggle_bookmark(&mut self) -> bool {
        let Some((lesson, step)) = self.slugs() else {
            return false;
        };
        self.marks.toggle_bookmark(&lesson, &step)
    }

    /// Returns the reader's note on this step, or an empty string.
    pub fn own_note(&self) -> &str {
        self.step().map_or("", |step| self.marks.note(&self.lesson().slug, &step.slug))
    }

    pub fn write_note(&mut self, note: &str) {
        if let Some((lesson, step)) = self.slugs() {
            self.marks.write_note(&lesson, &step, note);
        }
    }

    fn slugs(&self) -> Option<(String, String)> {
        let step = self.step()?;
        Some((self.lesson().slug.clone(), step.slug.clone()))
    }
}
