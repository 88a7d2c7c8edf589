//! The notebook with a lesson open: document, history, and what follows.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::sync::Arc;

use super::apply::{Refused, apply};
use super::link::{self, LinkError};
use super::{Derived, Document, Edit, History, enter_step, step_document};
use crate::asset::Rig;
use crate::lesson::{Lesson, LessonSet, Step};

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
    lesson: Arc<Lesson>,
    rig: Arc<Rig>,
    document: Document,
    derived: Derived,
    history: History,
}

impl Notebook {
    /// Opens the first lesson at its first step. `None` when the set has no
    /// lesson whose rig can be found.
    #[must_use]
    pub fn new(set: LessonSet, rigs: RigSource) -> Option<Self> {
        let (lesson, rig) = set
            .lessons
            .iter()
            .find_map(|lesson| Some((Arc::clone(lesson), rigs(&lesson.rig)?)))?;
        let document = step_document(&lesson, 0, Some(&rig));
        let influences = Derived::edited_influences(&document, &rig);
        let derived = Derived::new(&document, Some(&lesson), &rig, influences);
        let mut notebook = Self {
            set,
            visited: BTreeMap::new(),
            rigs,
            lesson,
            rig,
            document,
            derived,
            history: History::default(),
        };
        notebook.mark_visited();
        Some(notebook)
    }

    /// The open lesson.
    #[must_use]
    pub fn lesson(&self) -> &Arc<Lesson> {
        &self.lesson
    }

    /// The open step; `None` only in a broken lesson without steps.
    #[must_use]
    pub fn step(&self) -> Option<&Step> {
        self.lesson.steps.get(self.document.step)
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
    pub fn history(&self) -> &History {
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
        apply(&mut next, edit, &self.lesson, &self.rig)?;
        let only_chosen = matches!(edit, Edit::Joint(_) | Edit::Vertex(_));
        if only_chosen {
            self.replace(next);
        } else {
            self.change(next, gesture);
        }
        Ok(())
    }

    /// Opens a lesson at a step. Within the lesson, what the reader changed and
    /// no step sets stays.
    fn go(&mut self, slug: &str, step: Option<&str>, gesture: u64) -> Result<(), Refused> {
        let lesson = self.set.find(slug).map_err(|error| Refused(error.to_string()))?;
        let index = match step {
            None => 0,
            Some(step) => find_step(&lesson, step).map_err(Refused)?,
        };
        let rig = (self.rigs)(&lesson.rig).ok_or_else(|| {
            Refused(format!(
                "Lesson “{}” asks for the rig “{}”, which is not there.",
                lesson.title, lesson.rig
            ))
        })?;
        let next = if lesson.slug == self.document.lesson {
            enter_step(&self.document, &lesson, index, &rig)
        } else {
            step_document(&lesson, index, Some(&rig))
        };
        self.change(next, gesture);
        self.mark_visited();
        Ok(())
    }

    /// To the step after (+1) or before (−1), across lessons. False at the end.
    pub fn turn_page(&mut self, forward: bool, gesture: u64) -> bool {
        let steps = self.lesson.steps.len();
        let inside = if forward {
            (self.document.step + 1 < steps).then_some(self.document.step + 1)
        } else {
            self.document.step.checked_sub(1)
        };
        let (slug, step) = if let Some(index) = inside {
            (self.lesson.slug.clone(), self.lesson.steps[index].slug.clone())
        } else {
            let Some(lesson) = self.neighbour(forward) else {
                return false;
            };
            let step = if forward { lesson.steps.first() } else { lesson.steps.last() };
            (lesson.slug.clone(), step.map(|s| s.slug.clone()).unwrap_or_default())
        };
        self.go(&slug, Some(&step), gesture).is_ok()
    }

    /// The lesson after or before the open one.
    #[must_use]
    pub fn neighbour(&self, forward: bool) -> Option<&Arc<Lesson>> {
        let lessons = &self.set.lessons;
        let here = lessons.iter().position(|l| l.slug == self.lesson.slug)?;
        let there = if forward { here + 1 } else { here.checked_sub(1)? };
        lessons.get(there)
    }

    /// One step of undo. False when there is nothing to undo.
    pub fn undo(&mut self) -> bool {
        let before = self.history.undo(&self.document);
        before.map(|document| self.replace(document)).is_some()
    }

    /// One step of redo. False when there is nothing to redo.
    pub fn redo(&mut self) -> bool {
        let after = self.history.redo(&self.document);
        after.map(|document| self.replace(document)).is_some()
    }

    /// The link to the open page.
    #[must_use]
    pub fn link(&self) -> String {
        link::write(&self.document, &self.lesson, &self.rig)
    }

    /// Opens the page a link leads to.
    ///
    /// # Errors
    /// In words; what was open stays open.
    pub fn follow(&mut self, link: &str, gesture: u64) -> Result<(), String> {
        let address = link::address(link).map_err(|error| error.to_string())?;
        let lesson = self.set.find(&address.lesson).map_err(|error| error.to_string())?;
        let index = match &address.step {
            None => 0,
            Some(step) => find_step(&lesson, step)?,
        };
        let rig = (self.rigs)(&lesson.rig)
            .ok_or_else(|| format!("the rig “{}” is not there", lesson.rig))?;
        let mut next = step_document(&lesson, index, Some(&rig));
        link::read(&address.values, &mut next, &lesson, &rig)
            .map_err(|error: LinkError| error.to_string())?;
        self.change(next, gesture);
        self.mark_visited();
        Ok(())
    }

    /// Takes lessons that were read again, keeping the reader's state.
    pub fn reload(&mut self, set: LessonSet) {
        self.set = set;
        let document = self.document.clone();
        self.replace(document);
    }

    fn change(&mut self, next: Document, gesture: u64) {
        if next != self.document {
            self.history.record(&self.document, gesture);
            self.replace(next);
        }
    }

    /// Makes `document` the open one and computes what follows.
    fn replace(&mut self, document: Document) {
        if let Ok(lesson) = self.set.find(&document.lesson)
            && let Some(rig) = (self.rigs)(&lesson.rig)
        {
            self.lesson = lesson;
            self.rig = rig;
        }
        let same_mesh = Arc::ptr_eq(&self.rig, &self.derived.rig);
        let influences = if same_mesh && document.weights == self.document.weights {
            Arc::clone(&self.derived.influences)
        } else {
            Derived::edited_influences(&document, &self.rig)
        };
        self.document = document;
        self.document.step = self
            .document
            .step
            .min(self.lesson.steps.len().saturating_sub(1));
        self.derived = Derived::new(&self.document, Some(&self.lesson), &self.rig, influences);
    }

    fn mark_visited(&mut self) {
        if let Some(step) = self.lesson.steps.get(self.document.step) {
            self.visited
                .entry(self.lesson.slug.clone())
                .or_default()
                .insert(step.slug.clone());
        }
    }
}

/// A step by slug, or by number from 1.
///
/// # Errors
/// In words, with the names there are.
pub fn find_step(lesson: &Lesson, step: &str) -> Result<usize, String> {
    if let Some(index) = lesson.steps.iter().position(|other| other.slug == step) {
        return Ok(index);
    }
    if let Ok(number) = step.parse::<usize>()
        && (1..=lesson.steps.len()).contains(&number)
    {
        return Ok(number - 1);
    }
    let names: Vec<&str> = lesson.steps.iter().map(|step| step.slug.as_str()).collect();
    Err(format!(
        "lesson “{}” has no step “{step}”; it has 1 to {}: {}",
        lesson.slug,
        lesson.steps.len(),
        names.join(", ")
    ))
}
