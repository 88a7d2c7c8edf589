//! Comparison of the page's model with another model. It is computed once, outside of the
//! frame, and shared by all cells that show it.

use std::sync::Arc;

use bindpose_gltf::{Rig, Task};
use bindpose_lesson::ComparedModel;
use bindpose_notebook::model_name;
use bindpose_rigs::builtin;
use bindpose_workbench::model_difference::{ModelComparison, OtherModel, comparing};
use eframe::egui::{Context, Ui};

use super::PageContext;
use super::work::{PageWork, repaint_callback, task_progress_ui};

/// State of the comparison of two models.
pub(crate) enum KnownModels<'a> {
    Compared(Arc<ModelComparison>),
    UnderWay(&'a Task<Option<Arc<ModelComparison>>>),
    /// There is no model B or no result. Contains the reason and what to do.
    Nothing(&'static str),
}

/// Compares the page's model, as stored in its file, with model B.
pub(crate) fn compare_models<'p>(ctx: &Context, page: &'p mut PageContext<'_>) -> KnownModels<'p> {
    let b = match find_model_b(page) {
        Ok(b) => b,
        Err(reason) => return KnownModels::Nothing(reason),
    };
    let a = &page.derived.stored_rig;
    let waits = page.view.pictures.waits_for_work;
    let comparison =
        page.view.parts.get::<ComparisonCache>().comparison(a, &b, || start_comparison(ctx, a, &b));
    comparison.advance(waits);
    match comparison {
        PageWork::Done(Some(comparison)) => KnownModels::Compared(Arc::clone(comparison)),
        PageWork::UnderWay(task) => KnownModels::UnderWay(task),
        PageWork::Done(None) | PageWork::Broken => KnownModels::Nothing(
            "The comparison broke off by a fault of this program. Please report it, with the \
             files if you can.",
        ),
    }
}

/// Cache of the last comparison of two models.
///
/// If other models are compared, unfinished work on the last ones is cancelled.
#[derive(Debug, Default)]
struct ComparisonCache(Option<CachedComparison>);

#[derive(Debug)]
struct CachedComparison {
    a: Arc<Rig>,
    b: OtherModel,
    comparison: PageWork<Option<Arc<ModelComparison>>>,
}

impl ComparisonCache {
    /// Returns the comparison of `a` and `b`. Starts it if the last one was of other models.
    fn comparison(
        &mut self,
        a: &Arc<Rig>,
        b: &OtherModel,
        start: impl FnOnce() -> PageWork<Option<Arc<ModelComparison>>>,
    ) -> &mut PageWork<Option<Arc<ModelComparison>>> {
        let cached = self
            .0
            .take()
            .filter(|cached| Arc::ptr_eq(&cached.a, a) && cached.b.is_as(b))
            .unwrap_or_else(|| CachedComparison {
                a: Arc::clone(a),
                b: b.clone(),
                comparison: start(),
            });
        &mut self.0.insert(cached).comparison
    }
}

/// Returns model B, or the reason why there is none.
fn find_model_b(page: &PageContext<'_>) -> Result<OtherModel, &'static str> {
    let models = page.models_b;
    let rig = match &page.document.state.model_b {
        ComparedModel::Written(changes) => return Ok(OtherModel::Written(changes.clone())),
        ComparedModel::BuiltIn(id) => {
            builtin(id).ok_or("This rig is not here yet: try again in a moment.")
        }
        ComparedModel::Opened => models
            .opened
            .cloned()
            .ok_or("Model B is not open here: open its file, or choose another."),
        ComparedModel::Before => models
            .before
            .cloned()
            .ok_or("No model was open before this one: open a file, or choose another."),
    };
    rig.map(OtherModel::Given)
}

fn start_comparison(
    ctx: &Context,
    a: &Arc<Rig>,
    b: &OtherModel,
) -> PageWork<Option<Arc<ModelComparison>>> {
    let a = Arc::clone(a);
    let b = b.clone();
    PageWork::started(Task::start_paced(
        "compare",
        move |progress| comparing(a, b, progress).then(|comparison| comparison.map(Arc::new)),
        repaint_callback(ctx),
    ))
}

/// Draws the progress of an unfinished comparison.
pub(crate) fn progress_ui(ui: &mut Ui, page: &mut PageContext<'_>) {
    let theme = page.theme;
    if let KnownModels::UnderWay(task) = compare_models(&ui.ctx().clone(), page) {
        task_progress_ui(ui, theme, "Comparing the models", task);
    }
}

/// Returns the name of model B for people.
pub(crate) fn model_b_name(model: &ComparedModel, page: &PageContext<'_>) -> String {
    match model {
        ComparedModel::Written(changes) if changes.is_empty() => "the same model".to_owned(),
        ComparedModel::Written(_) => "written anew".to_owned(),
        ComparedModel::BuiltIn(id) => {
            builtin(id).map_or_else(|| id.clone(), |rig| rig.title.clone())
        }
        ComparedModel::Opened => name_or(page.models_b.opened, "no file open"),
        ComparedModel::Before => name_or(page.models_b.before, "the model before"),
    }
}

fn name_or(model: Option<&Arc<Rig>>, fallback: &str) -> String {
    model.map_or(fallback, |model| model_name(model)).to_owned()
}
