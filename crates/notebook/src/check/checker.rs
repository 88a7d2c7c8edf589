//! One lesson under check: what it names is looked up here, and what is wrong is
//! noted here.

use std::cell::OnceCell;
use std::sync::Arc;

use bindpose_asset::Rig;
use bindpose_diagnostic::{Diagnostic, LineColumn, Place as Within};
use bindpose_lesson::{Lesson, LessonOutline, LessonSet, OutlinePlace, PageChange};

use crate::{Derived, Edit, EditError, apply, playback_params, step_document};

/// One lesson under check.
pub(super) struct Checker<'a> {
    pub(super) set: &'a LessonSet,
    pub(super) lesson: &'a Lesson,
    pub(super) outline: &'a LessonOutline,
    /// By step, what stands on the stage there.
    pub(super) rigs_of_steps: Vec<Option<Arc<Rig>>>,
    /// What stands there where the check is now.
    pub(super) known_rig: Option<Arc<Rig>>,
    /// The step at which what stands in none is looked at.
    pub(super) seen_at: usize,
    /// Does the lesson stand on whatever model the reader opens? `known_rig` is then
    /// the one that stands there without, for the numbers.
    pub(super) own_model: bool,
    pub(super) rigs: &'a dyn Fn(&str) -> Option<Arc<Rig>>,
    /// What the notebook shows at the start of each step.
    pub(super) states: Vec<OnceCell<Option<Derived>>>,
    /// What it shows once something is changed that the step invites to change.
    pub(super) changes: Vec<OnceCell<Vec<ChangedPage>>>,
    pub(super) findings: Vec<Diagnostic>,
    /// What the text under check speaks of, where that is not the start of its step:
    /// what was done, and the numbers then.
    pub(super) after: Option<(Arc<PageChange>, Option<Derived>)>,
}

/// What the page shows once something is changed.
#[derive(Debug)]
pub(super) struct ChangedPage {
    /// What was done: `nod at 30°`.
    pub(super) words: String,
    pub(super) numbers: Derived,
}

impl Checker<'_> {
    /// From here on, what is checked stands at this step, on its rig.
    pub(super) fn stand_at(&mut self, step: usize) {
        self.known_rig = self.rigs_of_steps.get(step).cloned().flatten();
    }

    /// The step where a place stands.
    pub(super) fn step_of(&self, place: OutlinePlace) -> usize {
        match place {
            OutlinePlace::Step(step) => step,
            OutlinePlace::Intro | OutlinePlace::Notes | OutlinePlace::Glossary => self.seen_at,
        }
    }

    /// The numbers that a text speaks of: at the start of its step, or after what has
    /// been done by the time it is read. `None` without a rig.
    pub(super) fn state(&self, place: OutlinePlace) -> Option<&Derived> {
        match &self.after {
            Some((_, numbers)) => numbers.as_ref(),
            None => self.start(place),
        }
    }

    /// From here on, texts speak of this.
    pub(super) fn speak_after(&mut self, place: OutlinePlace, done: Option<&Arc<PageChange>>) {
        let is_same = match (&self.after, done) {
            (Some((before, _)), Some(done)) => Arc::ptr_eq(before, done),
            (before, done) => before.is_none() && done.is_none(),
        };
        if !is_same {
            let numbers = done.map(|done| (Arc::clone(done), self.numbers_after(place, done)));
            self.after = numbers;
        }
    }

    /// `None` where it cannot be done, which the cell’s own check tells.
    fn numbers_after(&self, place: OutlinePlace, done: &PageChange) -> Option<Derived> {
        let rig = self.known_rig.as_ref()?;
        let mut document = step_document(self.lesson, self.step_of(place), Some(rig));
        let edit = Edit::Solve(done.settings.clone(), done.edits.clone());
        apply(&mut document, &edit, self.lesson, rig).ok()?;
        let influences = Derived::edited_influences(&document, rig);
        Some(Derived::new(&document, Some(self.lesson), rig, influences))
    }

    /// The numbers at the start of a step; `None` without a rig.
    pub(super) fn start(&self, place: OutlinePlace) -> Option<&Derived> {
        let step = self.step_of(place);
        let rig = self.rigs_of_steps.get(step)?.as_ref()?;
        self.states
            .get(step)?
            .get_or_init(|| {
                let document = step_document(self.lesson, step, Some(rig));
                let influences = Derived::edited_influences(&document, rig);
                Some(Derived::new(&document, Some(self.lesson), rig, influences))
            })
            .as_ref()
    }

    pub(super) fn error(&mut self, at: LineColumn, wrong: Diagnostic) {
        self.error_in(OutlinePlace::Intro, at, wrong);
    }

    pub(super) fn error_in(&mut self, place: OutlinePlace, at: LineColumn, wrong: Diagnostic) {
        let name = match place {
            OutlinePlace::Notes => "notes.md",
            OutlinePlace::Intro | OutlinePlace::Step(_) | OutlinePlace::Glossary => "lesson.md",
        };
        let file = format!("{}/{name}", self.lesson.folder);
        let finding = wrong.at(Within::text(file, at));
        // What is wrong with one draw of an exercise is so with the others.
        if !self.findings.contains(&finding) {
            self.findings.push(finding);
        }
    }

    /// Is the parameter stored in radians and shown in degrees?
    pub(super) fn is_angle(&self, name: &str) -> bool {
        let mut own = self.lesson.params.iter();
        let own = own.find(|param| param.name == name);
        let rig = self.known_rig.as_ref();
        let of_rig = rig.and_then(|rig| rig.param(name));
        name == "all"
            || own.is_some_and(|param| param.angle)
            || of_rig.is_some_and(|param| param.kind.is_angle())
    }

    /// Names of all parameters, of the rig and of the lesson; on any model, the lesson's
    /// alone.
    pub(super) fn param_names(&self) -> Vec<&str> {
        let of_rig = self.known_rig.iter().flat_map(|rig| rig.params.iter());
        let own = self.lesson.params.iter().map(|param| param.name.as_str());
        if self.own_model {
            return own.collect();
        }
        let rig = self.known_rig.as_deref();
        let playing = rig.map(playback_params).unwrap_or_default();
        own.chain(of_rig.map(|param| param.name.as_str()))
            .chain(playing.into_iter().map(|param| param.name))
            .collect()
    }
}

/// What the page would not take.
pub(super) fn unfit(refused: EditError) -> Diagnostic {
    Diagnostic::from(refused).help("write what fits")
}
