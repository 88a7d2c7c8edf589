//! The notebook with a lesson open: document, history, and what follows.

mod own_model;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::apply_edit::apply;
use super::edit_label::{edit_label, page_label};
use super::keystroke_grouping::Typing;
use super::link;
use super::own_model::{Moment, OWN_RIG, builtin_id};
use super::setting::{SettingGroup, group_of};
use super::{Derived, Document, Edit, History, Refused, enter_step, step_document};
use crate::asset::Rig;
use crate::diagnostic::Diagnostic;
use crate::lesson::{Lesson, LessonSet, Step, find_lesson, find_step};

/// Finds a rig by the id a lesson gives.
pub type RigSource = fn(&str) -> Option<Arc<Rig>>;

/// Everything open, with the invariant that [`Derived`] belongs to the
/// document.
#[derive(Debug)]
pub struct Notebook {
    /// All lessons.
    pub set: LessonSet,
    /// Slugs of visited steps, by lesson slug.
    pub visited: BTreeMap<String, BTreeSet<String>>,
    rigs: RigSource,
    /// The reader's own model, for lessons that stand on it.
    own: Option<Arc<Rig>>,
    /// Index into the set.
    lesson: usize,
    rig: Arc<Rig>,
    document: Document,
    derived: Derived,
    history: History<Moment>,
    typing: Typing,
}

impl Notebook {
    /// Opens the first lesson at its first step. `None` when the set has no
    /// lesson whose rig can be found.
    #[must_use]
    pub fn new(set: LessonSet, rigs: RigSource) -> Option<Self> {
        let (lesson, rig) = set
            .lessons
            .iter()
            .enumerate()
            .find_map(|(index, lesson)| Some((index, rigs(builtin_id(&lesson.rig))?)))?;
        let document = step_document(&set.lessons[lesson], 0, Some(&rig));
        let influences = Derived::edited_influences(&document, &rig);
        let derived = Derived::new(&document, Some(&set.lessons[lesson]), &rig, influences);
        let mut notebook = Self {
            set,
            visited: BTreeMap::new(),
            rigs,
            own: None,
            lesson,
            rig,
            document,
            derived,
            history: History::default(),
            typing: Typing::default(),
        };
        notebook.mark_visited();
        Some(notebook)
    }

    /// The open lesson.
    #[must_use]
    pub fn lesson(&self) -> &Lesson {
        &self.set.lessons[self.lesson]
    }

    /// The open step; `None` only in a broken lesson without steps.
    #[must_use]
    pub fn step(&self) -> Option<&Step> {
        self.lesson().steps.get(self.document.step)
    }

    /// The state.
    #[must_use]
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// What follows from it.
    #[must_use]
    pub fn derived(&self) -> &Derived {
        &self.derived
    }

    /// What can be undone.
    #[must_use]
    pub fn history(&self) -> &History<Moment> {
        &self.history
    }

    /// Applies one edit. Edits with the same `gesture` are one step of undo.
    ///
    /// # Errors
    /// See [`apply`]; nothing has changed then.
    pub fn edit(&mut self, edit: &Edit, gesture: u64) -> Result<(), Refused> {
        if let Edit::Go { lesson, step } = edit {
            return self.go(lesson, step.as_deref(), gesture);
        }
        let mut next = self.document.clone();
        apply(&mut next, edit, self.lesson(), &self.derived.rig)?;
        let gesture = match edit {
            // What is clicked meanwhile does not cut a play in two.
            Edit::PlayTo { begins: false, .. } => self.history.open_gesture().unwrap_or(gesture),
            _ => self.typing.gesture(edit, &self.document, gesture),
        };
        if only_chooses(edit) {
            self.replace(next);
        } else {
            let label = edit_label(edit, self.lesson(), &self.derived.rig);
            self.change(next, label, gesture);
        }
        Ok(())
    }

    /// Opens a lesson at a step. Within the lesson, what the reader changed and
    /// no step sets stays.
    fn go(&mut self, slug: &str, step: Option<&str>, gesture: u64) -> Result<(), Refused> {
        let lesson = self.find(slug)?;
        let index = step.map_or(Ok(0), |step| find_step(lesson, step))?;
        let rig = self.rig_of(lesson).ok_or_else(|| Refused::NoRig {
            lesson: lesson.title.clone(),
            rig: lesson.rig.clone(),
        })?;
        let next = if lesson.slug == self.document.lesson {
            enter_step(&self.document, lesson, index, &rig)
        } else {
            step_document(lesson, index, Some(&rig))
        };
        let label = page_label(lesson, step);
        self.change(next, label, gesture);
        self.mark_visited();
        Ok(())
    }

    /// To the step after (+1) or before (−1), across lessons. False at the end.
    pub fn turn_page(&mut self, forward: bool, gesture: u64) -> bool {
        let steps = self.lesson().steps.len();
        let inside = if forward {
            (self.document.step + 1 < steps).then_some(self.document.step + 1)
        } else {
            self.document.step.checked_sub(1)
        };
        let (slug, step) = if let Some(index) = inside {
            (
                self.lesson().slug.clone(),
                self.lesson().steps[index].slug.clone(),
            )
        } else {
            let Some(lesson) = self.neighbour(forward) else {
                return false;
            };
            let step = if forward {
                lesson.steps.first()
            } else {
                lesson.steps.last()
            };
            (
                lesson.slug.clone(),
                step.map(|s| s.slug.clone()).unwrap_or_default(),
            )
        };
        self.go(&slug, Some(&step), gesture).is_ok()
    }

    /// The lesson after or before the open one.
    #[must_use]
    pub fn neighbour(&self, forward: bool) -> Option<&Lesson> {
        let there = if forward {
            self.lesson + 1
        } else {
            self.lesson.checked_sub(1)?
        };
        self.set.lessons.get(there)
    }

    /// One step of undo. False when there is nothing to undo.
    pub fn undo(&mut self) -> bool {
        self.typing.stop();
        let before = self.history.undo(&self.moment());
        before.map(|moment| self.put_back(moment)).is_some()
    }

    /// One step of redo. False when there is nothing to redo.
    pub fn redo(&mut self) -> bool {
        self.typing.stop();
        let after = self.history.redo(&self.moment());
        after.map(|moment| self.put_back(moment)).is_some()
    }

    fn moment(&self) -> Moment {
        Moment {
            document: self.document.clone(),
            own: self.own.clone(),
        }
    }

    fn put_back(&mut self, moment: Moment) {
        self.own = moment.own;
        self.replace(moment.document);
    }

    /// The link to the open page.
    #[must_use]
    pub fn link(&self) -> String {
        let link = link::write(&self.document, self.lesson(), &self.rig);
        match self.own_here(self.lesson()) {
            Some(model) => link::own_model::name_model(&link, model),
            None => link,
        }
    }

    /// Opens the page a link leads to. The answer is what the reader should know
    /// of a link that was followed as far as it could be: it names a model and
    /// does not carry it.
    ///
    /// # Errors
    /// What is wrong with the link; what was open stays open.
    pub fn follow(&mut self, link: &str, gesture: u64) -> Result<Option<String>, Diagnostic> {
        let mut address = link::address(link)?;
        let lesson = self.find(&address.lesson)?;
        let index = match &address.step {
            None => 0,
            Some(step) => find_step(lesson, step)?,
        };
        let rig = self.rig_of(lesson).ok_or_else(|| {
            let title = format!("the rig “{}” is not there", lesson.rig);
            Diagnostic::said("UNKNOWN_NAME", title)
        })?;
        let missing = (lesson.rig == OWN_RIG)
            .then(|| link::own_model::fit_to(&mut address.values, self.own_here(lesson)))
            .flatten();
        let mut next = step_document(lesson, index, Some(&rig));
        link::read(&address.values, &mut next, lesson, &rig)?;
        self.change(next, "following a link".to_owned(), gesture);
        self.mark_visited();
        Ok(missing)
    }

    /// Forgets what could be undone: the page that opens first is no change.
    pub fn forget_history(&mut self) {
        self.history = History::default();
    }

    /// Takes lessons that were read again, keeping the reader's state.
    /// An empty set changes nothing: the page that was open stays.
    pub fn reload(&mut self, set: LessonSet) {
        if set.lessons.is_empty() {
            return;
        }
        self.set = set;
        self.settle();
    }

    /// Finds the open lesson in a set that was read again.
    fn settle(&mut self) {
        self.lesson = self.lesson.min(self.set.lessons.len().saturating_sub(1));
        let gone = find_lesson(&self.set.lessons, &self.document.lesson).is_err();
        let document = if gone {
            // The lesson that took its place, from its start.
            let lesson = &self.set.lessons[self.lesson];
            let rig = self.rig_of(lesson);
            step_document(lesson, 0, rig.as_deref())
        } else {
            self.document.clone()
        };
        self.replace(document);
    }

    /// Reads the lessons again if they come from a folder and have changed; true
    /// if so.
    pub fn read_again(&mut self) -> bool {
        let mut set = std::mem::take(&mut self.set);
        let changed = set.changed_on_disk();
        // Never empty now: a folder that lost all its lessons leaves them as
        // they were read.
        self.set = set;
        if changed {
            self.settle();
        }
        changed
    }

    fn find(&self, lesson: &str) -> Result<&Lesson, Diagnostic> {
        find_lesson(&self.set.lessons, lesson).map(|index| &self.set.lessons[index])
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
            && let Some(rig) = self.rig_of(&self.set.lessons[lesson])
        {
            self.lesson = lesson;
            self.rig = rig;
        }
        let same_mesh = Arc::ptr_eq(&self.rig, &self.derived.rig);
        let influences = if same_mesh && document.state.weights == self.document.state.weights {
            Arc::clone(&self.derived.influences)
        } else {
            Derived::edited_influences(&document, &self.rig)
        };
        self.document = document;
        self.document.step = self
            .document
            .step
            .min(self.lesson().steps.len().saturating_sub(1));
        // Of another file, nothing stays.
        let same_file = Arc::ptr_eq(&self.rig, &self.derived.stored_rig);
        let last_good = if same_file {
            &self.derived.rig
        } else {
            &self.rig
        };
        let derived = Derived::or_last(
            &self.document,
            Some(self.lesson()),
            &self.rig,
            last_good,
            influences,
        );
        derived.keep_morphed(&self.derived);
        self.derived = derived;
    }

    fn mark_visited(&mut self) {
        if let Some(step) = self.step() {
            let (lesson, step) = (self.lesson().slug.clone(), step.slug.clone());
            self.visited.entry(lesson).or_default().insert(step);
        }
    }
}

/// Does it choose a joint or a vertex, and nothing else?
fn only_chooses(edit: &Edit) -> bool {
    let chooses = |setting| group_of(setting) == Some(SettingGroup::Selection);
    matches!(edit, Edit::Settings(settings) if settings.iter().all(chooses))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asset::builtin;
    use crate::lesson::Setting;

    const FIRST: &str = "+++\ntitle = \"First\"\nminutes = 5\nrig = \"head\"\n+++\n\n\
        ## One\n\nWords.\n\n## Two\n\n```set\nnod = \"30deg\"\n```\n\nWords.\n";
    const SECOND: &str = "+++\ntitle = \"Second\"\nminutes = 5\nrig = \"bone_grid\"\n+++\n\n\
        ## One\n\nWords.\n";

    fn set(lessons: &[(&str, &str, &str)]) -> LessonSet {
        LessonSet::from_memory(lessons, "")
    }

    fn notebook() -> Notebook {
        let lessons = [("10-first", FIRST, ""), ("20-second", SECOND, "")];
        Notebook::new(set(&lessons), builtin).unwrap()
    }

    fn nod(notebook: &Notebook) -> f64 {
        notebook.derived().param("nod").unwrap()
    }

    fn turn(notebook: &mut Notebook, angle_rad: f64, gesture: u64) {
        let edit = Edit::param("nod", angle_rad);
        notebook.edit(&edit, gesture).unwrap();
    }

    #[test]
    fn what_follows_always_belongs_to_the_document() {
        let mut notebook = notebook();
        let world = |notebook: &Notebook| notebook.derived().world_from_joint[1];
        let rest = world(&notebook);
        turn(&mut notebook, 0.5, 1);
        assert_ne!(world(&notebook), rest);
        assert!(notebook.undo());
        assert_eq!(world(&notebook), rest);
        assert!(notebook.redo());
        assert_eq!(nod(&notebook), 0.5);
    }

    #[test]
    fn a_step_of_undo_says_what_it_takes_back() {
        let mut notebook = notebook();
        turn(&mut notebook, 0.5, 1);
        turn(&mut notebook, 0.6, 1);
        assert!(notebook.turn_page(true, 2));
        notebook.follow("bindpose://second", 3).unwrap();
        let mut taken_back = Vec::new();
        while let Some(label) = notebook.history().to_undo().map(str::to_owned) {
            assert!(notebook.undo());
            assert_eq!(notebook.history().to_redo(), Some(label.as_str()));
            taken_back.push(label);
        }
        assert_eq!(taken_back, ["following a link", "going to “Two”", "nod"]);
    }

    #[test]
    fn pages_turn_across_lessons_and_stop_at_the_ends() {
        let mut notebook = notebook();
        assert!(!notebook.turn_page(false, 1));
        assert!(notebook.turn_page(true, 2));
        assert_eq!(
            nod(&notebook),
            30_f64.to_radians(),
            "the second step sets it"
        );
        assert!(notebook.turn_page(true, 3));
        assert_eq!(notebook.lesson().slug, "second");
        assert_eq!(notebook.derived().rig.id, "bone_grid");
        assert!(!notebook.turn_page(true, 4));
        assert!(notebook.turn_page(false, 5));
        assert_eq!(
            (notebook.lesson().slug.as_str(), notebook.document().step),
            ("first", 1)
        );
        assert!(notebook.undo(), "turning a page can be undone");
        assert_eq!(notebook.lesson().slug, "second");
        assert_eq!(notebook.visited["first"].len(), 2);
    }

    #[test]
    fn choosing_is_not_undone_and_a_refused_edit_changes_nothing() {
        let mut notebook = notebook();
        notebook
            .edit(&Edit::set(Setting::Joint(crate::skin::JointIndex(1))), 1)
            .unwrap();
        assert_eq!(notebook.history().to_undo(), None);
        let before = notebook.document().clone();
        let wild = Edit::param("nod", f64::NAN);
        assert!(notebook.edit(&wild, 2).is_err());
        assert_eq!(*notebook.document(), before);
        assert!(notebook.follow("bindpose://third", 3).is_err());
        assert_eq!(*notebook.document(), before, "what was open stays open");
    }

    #[test]
    fn reading_lessons_again_keeps_the_state_or_takes_what_took_their_place() {
        let mut notebook = notebook();
        turn(&mut notebook, 0.5, 1);
        let edited = FIRST.replace("Words.", "Other words.");
        notebook.reload(set(&[("10-first", &edited, ""), ("20-second", SECOND, "")]));
        assert_eq!(nod(&notebook), 0.5);
        notebook.reload(set(&[]));
        assert_eq!(
            notebook.lesson().slug,
            "first",
            "nothing to read changes nothing"
        );
        notebook.reload(set(&[("20-second", SECOND, "")]));
        assert_eq!(notebook.document().lesson, "second");
        assert_eq!(notebook.derived().rig.id, "bone_grid");
    }
}
