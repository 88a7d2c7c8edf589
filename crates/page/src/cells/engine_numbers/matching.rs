//! Background comparison of the given numbers with the page, repeated when either changes.

use std::sync::Arc;

use bindpose_gltf::Task;
use bindpose_lesson::{Lesson, Setting};
use bindpose_notebook::Document;
use bindpose_notebook::engine_numbers::EngineNumbers;
use bindpose_skin::JointIndex;
use bindpose_workbench::engine_numbers::{ComparisonResult, EngineComparison, matching};
use eframe::egui::Context;

use crate::PageContext;
use crate::work::{PageWork, repaint_callback};

#[cfg(test)]
thread_local! {
    /// Number of comparisons that were started.
    pub(super) static START_COUNT: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// State of the comparison: the last result, and the task that computes the next one.
#[derive(Default)]
pub(super) struct Matching {
    /// Inputs of the comparison that was started last.
    inputs: Option<MatchingInputs>,
    work: Option<PageWork<Option<ComparisonResult>>>,
    result: Option<ComparisonResult>,
    /// If true, the next result selects the first joint or vertex that differs.
    selects_first: bool,
    /// True if nothing was running or started in the last frame.
    was_idle: bool,
}

struct MatchingInputs {
    given: Arc<EngineNumbers>,
    /// The document of the last frame.
    document: Document,
    /// The document that was compared, without what changes no number.
    numeric_document: Document,
    awaited_weights: bool,
}

impl Matching {
    /// Takes the result if there is one, and starts a comparison if the numbers or the page have
    /// changed. While the page is in motion, the next comparison starts when the last has ended.
    ///
    /// `is_new` is true in the frame in which the reader gives the numbers. The first difference
    /// is then selected in the pictures.
    pub(super) fn update(
        &mut self,
        given: Option<&Arc<EngineNumbers>>,
        is_new: bool,
        ctx: &Context,
        page: &mut PageContext<'_>,
    ) {
        let Some(given) = given else {
            *self = Self::default();
            return;
        };
        let is_same = self.inputs.as_ref().is_some_and(|inputs| Arc::ptr_eq(&inputs.given, given));
        if !is_same {
            *self = Self { selects_first: is_new, was_idle: true, ..Self::default() };
        }
        self.take_result(page);
        let starts = self.work.is_none() && self.has_page_changed(page);
        if starts {
            let task = self.start(given, ctx, page);
            // While the page moves, a short wait in each frame would be noticeable.
            let waits_briefly = self.was_idle && !ctx.input(|input| input.pointer.any_down());
            self.work = Some(if waits_briefly {
                PageWork::started(task)
            } else {
                PageWork::UnderWay(task)
            });
            self.take_result(page);
        }
        self.was_idle = !starts && self.work.is_none();
    }

    /// Returns the last result. It is outdated while a comparison is running.
    pub(super) fn result(&self) -> Option<&ComparisonResult> {
        self.result.as_ref()
    }

    pub(super) fn is_running(&self) -> bool {
        self.work.is_some()
    }

    /// Returns true if the page's numbers may be others than those compared last.
    fn has_page_changed(&mut self, page: &PageContext<'_>) -> bool {
        let Some(inputs) = &mut self.inputs else { return true };
        if inputs.awaited_weights != page.derived.awaits_weights() {
            return true;
        }
        if inputs.document == *page.document {
            return false;
        }
        inputs.document = page.document.clone();
        numeric_document(page.document) != inputs.numeric_document
    }

    fn start(
        &mut self,
        given: &Arc<EngineNumbers>,
        ctx: &Context,
        page: &PageContext<'_>,
    ) -> Task<Option<ComparisonResult>> {
        #[cfg(test)]
        START_COUNT.set(START_COUNT.get() + 1);
        self.inputs = Some(MatchingInputs {
            given: Arc::clone(given),
            document: page.document.clone(),
            numeric_document: numeric_document(page.document),
            awaited_weights: page.derived.awaits_weights(),
        });
        let comparison = EngineComparison {
            given: Arc::clone(given),
            document: page.derived.in_force(page.document).clone(),
            lesson: moving_lesson(page),
            derived: page.derived.clone(),
        };
        Task::start_paced(
            "engine numbers",
            move |progress| matching(comparison, progress),
            repaint_callback(ctx),
        )
    }

    fn take_result(&mut self, page: &mut PageContext<'_>) {
        let Some(mut work) = self.work.take() else {
            return;
        };
        work.advance(page.view.pictures.waits_for_work);
        self.result = match work {
            PageWork::UnderWay(_) => {
                self.work = Some(work);
                return;
            }
            PageWork::Done(result) => result,
            PageWork::Broken => None,
        };
        if std::mem::take(&mut self.selects_first) {
            self.select_first_difference(page);
        }
    }

    fn select_first_difference(&self, page: &mut PageContext<'_>) {
        let Some(result) = &self.result else { return };
        let vertex = result.findings.iter().find_map(|finding| finding.vertices.first());
        let joint = result.findings.iter().find_map(|finding| finding.joints.first());
        if let Some(&vertex) = vertex {
            page.choose(Setting::Vertex(vertex));
        } else if let Some(&joint) = joint {
            page.choose(Setting::Joint(joint.into()));
        }
    }
}

/// Returns the lesson if its formulas or programs move joints.
pub(super) fn moving_lesson(page: &PageContext<'_>) -> Option<Lesson> {
    let moves_joints = !page.derived.driven.is_empty() || page.derived.joints.program_run.is_some();
    moves_joints.then(|| page.lesson.clone())
}

/// Returns the document without state that changes no number, such as the selection, the view and
/// the reader's answers.
fn numeric_document(document: &Document) -> Document {
    let mut document = document.clone();
    let state = &mut document.state;
    state.joint = JointIndex(0);
    state.vertex = 0;
    state.show = None;
    state.view = None;
    state.tint = None;
    state.given_files.clear();
    state.texts.retain(|_, text| text.program.is_some());
    state.predictions.clear();
    state.answers.clear();
    state.shaders.clear();
    document
}
