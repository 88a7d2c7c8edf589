//! The notebook with a lesson open: document, history, and what follows.

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
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::sync::Arc;

use bindpose_asset::Rig;
use bindpose_diagnostic::Diagnostic;
use bindpose_lesson::{Lesson, LessonSet, LessonStep, find_lesson};

use super::apply_edit::apply;
use super::computed_weights::LongWork;
use super::edit_label::edit_label;
use super::findings_here::FindingsHere;
use super::history::OpenKeystrokes;
use super::inventory::OpenForm;
use super::lesson_assets::lesson_rig;
use super::moment::{Histories, KeptSteps, UndoPoint};
use super::navigation::Awaited;
use super::setting::{SettingGroup, group_of};
use super::{
    Cameras, Derived, Document, Edit, EditError, History, Navigation, ReaderProgress, StepMarks,
    StepStart, step_document,
};

pub use courses::OpenedCourse;
pub use kept_page::Reopened;
pub use other_page::OtherPage;
pub use own_model::ModelsB;
pub use reread::Reread;
pub(super) use routes::ESSENTIALS;

/// Finds a built-in rig by its name.
pub type RigSource = fn(&str) -> Option<Arc<Rig>>;

/// Everything open, with the invariant that [`Derived`] belongs to the
/// document.
#[derive(Debug)]
pub struct Notebook {
    /// All lessons.
    pub set: LessonSet,
    /// What was seen, tried and solved.
    pub progress: ReaderProgress,
    /// Bookmarks and notes: the reader's own, which beginning anew leaves.
    pub marks: StepMarks,
    /// What the content check has found in lessons of a folder; `None`: they were not
    /// checked, and lessons carry what was found when they were read.
    pub findings: Option<Vec<Diagnostic>>,
    answers: NotedAnswers,
    rigs: RigSource,
    /// The reader's own model, for lessons that stand on it.
    own: Option<Arc<Rig>>,
    /// The one that was there before it.
    own_before: Option<Arc<Rig>>,
    /// A model that the reader has opened to compare.
    model_b: Option<Arc<Rig>>,
    /// Index into the set.
    lesson: usize,
    rig: Arc<Rig>,
    document: Document,
    derived: Derived,
    /// Of the step in sight.
    start: StepStart,
    /// Those of the step in sight.
    cameras: Cameras,
    /// That of the step in sight.
    history: History<UndoPoint>,
    /// Those of other steps.
    histories: Histories,
    /// What the reader changed at other steps.
    kept: KeptSteps,
    /// Whose changes are in sight, and how often everything was begun anew.
    class: u64,
    classes: u64,
    /// The route that is followed.
    followed: Option<Followed>,
    /// The form of the inventory that stands in the place of the page.
    form: Option<OpenForm>,
    typing: OpenKeystrokes,
    /// What is done as soon as its rig is here.
    awaited: Option<Awaited>,
    /// Whether it waits for what takes long.
    long_work: LongWork,
}

impl Notebook {
    /// Opens the first lesson at its first step. `None` when the set has no
    /// lesson whose rig is here.
    pub fn new(set: LessonSet, rigs: RigSource) -> Option<Self> {
        let (lesson, rig) = set.lessons.iter().enumerate().find_map(|(index, lesson)| {
            Some((index, lesson_rig(&set, lesson.rig_at(0), &rigs)?))
        })?;
        let document = step_document(&set.lessons[lesson], 0, Some(&rig));
        let influences = Derived::edited_influences(&document, &rig);
        let derived = Derived::new(&document, Some(&set.lessons[lesson]), &rig, influences);
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
            kept: KeptSteps::default(),
            class: 0,
            classes: 0,
            typing: OpenKeystrokes::default(),
            followed: None,
            form: None,
            awaited: None,
            long_work: LongWork::default(),
        };
        notebook.overlook_answers();
        Some(notebook)
    }

    /// What is wrong where the reader stands.
    pub fn findings_here(&self) -> FindingsHere<'_> {
        let lesson = self.lesson();
        let findings = self.findings.as_deref().unwrap_or(&lesson.findings);
        FindingsHere::new(findings, &self.set, lesson, self.document.step)
    }

    /// The open lesson.
    pub fn lesson(&self) -> &Lesson {
        &self.set.lessons[self.lesson]
    }

    /// The open step; `None` only in a broken lesson without steps.
    pub fn step(&self) -> Option<&LessonStep> {
        self.lesson().steps.get(self.document.step)
    }

    /// The state.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// What follows from it.
    pub fn derived(&self) -> &Derived {
        &self.derived
    }

    /// What followed at the start of the step.
    pub fn start(&self) -> &StepStart {
        &self.start
    }

    /// Where the reader looks from at this step: viewports moved by hand.
    pub fn cameras(&self) -> &Cameras {
        &self.cameras
    }

    /// What can be undone at this step.
    pub fn history(&self) -> &History<UndoPoint> {
        &self.history
    }

    /// Applies one edit. Edits with the same `gesture` are one step of undo.
    ///
    /// Errors: see [`apply`]; nothing has changed then.
    pub fn edit(&mut self, edit: &Edit, gesture: u64) -> Result<(), EditError> {
        let mut next = self.document.clone();
        apply(&mut next, edit, self.lesson(), &self.derived.rig)?;
        self.before_edit(edit);
        let gesture = if let Edit::PlayTo { begins: false, .. } = edit {
            // What is clicked meanwhile does not cut a play in two. A play that nobody has
            // begun is nobody's to undo.
            self.history.open_gesture()
        } else {
            let gesture = self.typing.gesture(edit, &self.document, gesture);
            (!only_chooses(edit)).then_some(gesture)
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

    /// Makes one move of the reader. None is an edit: undo does not know it.
    ///
    /// Fails when there is no such page; what was open stays open.
    pub fn navigate(&mut self, navigation: &Navigation) -> Result<(), EditError> {
        match navigation {
            Navigation::Go(page) => self.go(page),
            // Who reads models opens it.
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

    /// What takes long is done beside the page from now on, or again by who asks.
    pub fn set_long_work(&mut self, long_work: LongWork) {
        self.long_work = long_work;
    }

    /// Takes up weights that were worked out beside the page, or how far they are.
    pub fn take_up_weights(&mut self) {
        if self.derived.awaits_weights() {
            self.replace(self.document.clone());
            self.start = StepStart::new(self.long_work.clone());
        }
    }

    /// Every viewport is framed as the step has it.
    pub fn put_views_back(&mut self) {
        self.cameras.clear();
    }

    fn change(&mut self, next: Document, label: String, gesture: u64) {
        if next != self.document {
            self.history.record(&self.moment(), label, gesture);
            self.replace(next);
        }
    }

    /// Makes `document` the open one and computes what follows.
    fn replace(&mut self, document: Document) {
        if let Ok(lesson) = find_lesson(&self.set.lessons, &document.lesson)
            && let Some(rig) = self.rig_of(&self.set.lessons[lesson], document.step)
        {
            self.lesson = lesson;
            self.rig = rig;
        }
        let page = |document: &Document| (document.lesson.clone(), document.step);
        if page(&document) != page(&self.document)
            || !Arc::ptr_eq(&self.rig, &self.derived.stored_rig)
        {
            self.start = StepStart::new(self.long_work.clone());
        }
        let look = |document: &Document| (document.state.view, document.state.crowd.count);
        if look(&document) != look(&self.document) {
            // Who asks for another view wants to see it.
            self.cameras.clear();
        }
        self.document = document;
        self.document.step = self.document.step.min(self.lesson().steps.len().saturating_sub(1));
        // Of another file, nothing stays.
        let same_file = Arc::ptr_eq(&self.rig, &self.derived.stored_rig);
        let last_good = if same_file { &self.derived.rig } else { &self.rig };
        let mut derived = Derived::or_last(
            (&self.document, Some(self.lesson())),
            (&self.rig, last_good),
            self.derived.edited(),
            &self.long_work,
        );
        derived.keep(&self.derived);
        self.derived = derived;
    }
}

/// Does it choose a joint or a vertex, and nothing else?
fn only_chooses(edit: &Edit) -> bool {
    let chooses = |setting| group_of(setting) == Some(SettingGroup::Selection);
    matches!(edit, Edit::Settings(settings) if settings.iter().all(chooses))
}

// What of the answers at the step in sight has been noted already.

/// What was answered at the step in sight when it was looked at last.
#[derive(Clone, Debug, Default)]
pub(super) struct NotedAnswers {
    /// Names of the cells that stood solved, or revealed.
    pub(super) answered: BTreeSet<String>,
    /// Was something changed since, by the reader?
    pub(super) pending: bool,
    /// The day that new entries of the record bear; `None`: they bear none.
    pub(super) today: Option<String>,
    /// How long the step has been in sight; absent: not measured.
    pub(super) secs_in_sight: Option<f64>,
    /// Of these, those before the fault that is hidden now was drawn.
    pub(super) secs_before_draw: f64,
}

// The route that is followed.

/// By its name, which may lead nowhere: the lessons may have no such route now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Followed {
    /// Its name.
    pub(super) name: String,
    /// Index of the step that was last open on it: who leaves it comes back there.
    pub(super) at: usize,
}

// What the reader has put on the step in sight.

impl Notebook {
    /// Has this step a bookmark?
    pub fn is_bookmarked(&self) -> bool {
        let step = self.step();
        step.is_some_and(|step| self.marks.is_bookmarked(&self.lesson().slug, &step.slug))
    }

    /// Gives this step a bookmark, or takes it away; has it one now?
    pub fn toggle_bookmark(&mut self) -> bool {
        let Some((lesson, step)) = self.slugs() else {
            return false;
        };
        self.marks.toggle_bookmark(&lesson, &step)
    }

    /// The reader's own note on this step; empty where there is none.
    pub fn own_note(&self) -> &str {
        self.step().map_or("", |step| self.marks.note(&self.lesson().slug, &step.slug))
    }

    /// Writes it.
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
