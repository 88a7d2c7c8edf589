//! The given numbers held against the page: beside it, and again when either changes.

use std::sync::Arc;

use bindpose_asset::Task;
use bindpose_lesson::{Lesson, Setting};
use bindpose_notebook::Document;
use bindpose_notebook::engine_numbers::{
    ComparisonResult, EngineComparison, EngineNumbers, matching,
};
use bindpose_skin::JointIndex;
use eframe::egui::Context;

use crate::PageContext;
use crate::work::{PageWork, waking};

#[cfg(test)]
thread_local! {
    /// How many were begun.
    pub(super) static BEGUN: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// What was found last, and what is being looked for.
#[derive(Default)]
pub(super) struct Matching {
    of: Option<MatchingSides>,
    work: Option<PageWork<Option<ComparisonResult>>>,
    found: Option<ComparisonResult>,
    /// Is what differs first to be chosen in the pictures when it is found?
    chooses: bool,
    /// Was there nothing to do when it was last asked?
    was_idle: bool,
}

/// What is held against what.
struct MatchingSides {
    given: Arc<EngineNumbers>,
    /// As it was last seen.
    document: Document,
    /// The same without what changes no number.
    numbers: Document,
    /// Were its weights still being worked out?
    awaits_weights: bool,
}

impl Matching {
    /// Takes up what was found, and begins anew where numbers or page are others. On a
    /// page in motion the next begins when the last is done. `chooses`: the reader has
    /// just given these numbers, and sees in the pictures what they differ in.
    pub(super) fn update(
        &mut self,
        (given, chooses): (Option<&Arc<EngineNumbers>>, bool),
        ctx: &Context,
        page: &mut PageContext<'_>,
    ) {
        let Some(given) = given else {
            *self = Self::default();
            return;
        };
        if !self.is_of(given) {
            *self = Self { chooses, was_idle: true, ..Self::default() };
        }
        self.take_answer(page);
        let begins = self.work.is_none() && self.is_of_another_page(page);
        if begins {
            let task = self.begun(given, ctx, page);
            // In motion, a moment for every frame would be felt.
            let glances = self.was_idle && !ctx.input(|input| input.pointer.any_down());
            self.work =
                Some(if glances { PageWork::begun(task) } else { PageWork::UnderWay(task) });
            self.take_answer(page);
        }
        self.was_idle = !begins && self.work.is_none();
    }

    /// What was found; of the page before, while it is looked for anew.
    pub(super) fn found(&self) -> Option<&ComparisonResult> {
        self.found.as_ref()
    }

    /// Is it being looked for?
    pub(super) fn is_under_way(&self) -> bool {
        self.work.is_some()
    }

    fn is_of(&self, given: &Arc<EngineNumbers>) -> bool {
        let of = self.of.as_ref();
        of.is_some_and(|of| Arc::ptr_eq(&of.given, given))
    }

    fn is_of_another_page(&mut self, page: &PageContext<'_>) -> bool {
        let Some(of) = &mut self.of else { return true };
        if of.awaits_weights != page.derived.awaits_weights() {
            return true;
        }
        if of.document == *page.document {
            return false;
        }
        of.document = page.document.clone();
        numbers_of(page.document) != of.numbers
    }

    fn begun(
        &mut self,
        given: &Arc<EngineNumbers>,
        ctx: &Context,
        page: &PageContext<'_>,
    ) -> Task<Option<ComparisonResult>> {
        #[cfg(test)]
        BEGUN.set(BEGUN.get() + 1);
        self.of = Some(MatchingSides {
            given: Arc::clone(given),
            document: page.document.clone(),
            numbers: numbers_of(page.document),
            awaits_weights: page.derived.awaits_weights(),
        });
        let held = EngineComparison {
            given: Arc::clone(given),
            document: page.derived.in_force(page.document).clone(),
            lesson: moving_lesson(page),
            derived: page.derived.clone(),
        };
        Task::start_paced("engine numbers", move |progress| matching(held, progress), waking(ctx))
    }

    fn take_answer(&mut self, page: &mut PageContext<'_>) {
        let Some(mut work) = self.work.take() else {
            return;
        };
        work.advance(page.view.pictures.waits);
        self.found = match work {
            PageWork::UnderWay(_) => {
                self.work = Some(work);
                return;
            }
            PageWork::Done(found) => found,
            PageWork::Broken => None,
        };
        if std::mem::take(&mut self.chooses) {
            self.choose_first(page);
        }
    }

    /// Chooses what differs first.
    fn choose_first(&self, page: &mut PageContext<'_>) {
        let Some(found) = &self.found else { return };
        let vertex = found.findings.iter().find_map(|one| one.vertices.first());
        let joint = found.findings.iter().find_map(|one| one.joints.first());
        match (vertex, joint) {
            (Some(&vertex), _) => page.choose(Setting::Vertex(vertex)),
            (None, Some(&joint)) => page.choose(Setting::Joint(joint.into())),
            (None, None) => {}
        }
    }
}

/// The lesson, where a formula or a program of it moves joints.
pub(super) fn moving_lesson(page: &PageContext<'_>) -> Option<Lesson> {
    let moves = !page.derived.driven.is_empty() || page.derived.joints.program_run.is_some();
    moves.then(|| page.lesson.clone())
}

/// A document without what is chosen, looked at and written beside the numbers.
fn numbers_of(document: &Document) -> Document {
    let mut numbers = document.clone();
    let state = &mut numbers.state;
    (state.joint, state.vertex) = (JointIndex(0), 0);
    (state.show, state.view, state.tint) = (None, None, None);
    state.given_files.clear();
    state.texts.retain(|_, text| text.program.is_some());
    state.predictions.clear();
    state.answers.clear();
    state.shaders.clear();
    numbers
}
