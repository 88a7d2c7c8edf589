//! The model of the page held against another: worked out once, beside the page, and
//! shared by all that shows it.

use std::sync::Arc;

use bindpose_asset::{Rig, Task, builtin};
use bindpose_lesson::ComparedModel;
use bindpose_notebook::model_difference::{ModelComparison, OtherModel, comparing};
use bindpose_notebook::model_name;
use eframe::egui::{Context, Ui};

use super::PageContext;
use super::work::{PageWork, under_way, waking};

/// What is known of two models.
pub(crate) enum KnownModels<'a> {
    /// What differs.
    Compared(Arc<ModelComparison>),
    /// It is being worked out.
    UnderWay(&'a Task<Option<Arc<ModelComparison>>>),
    /// There is no other model, or no answer: why, and what to do.
    Nothing(&'static str),
}

/// Holds the model of the page, as its file has it, against model B.
pub(crate) fn compared<'p>(ctx: &Context, page: &'p mut PageContext<'_>) -> KnownModels<'p> {
    let b = match other(page) {
        Ok(b) => b,
        Err(why) => return KnownModels::Nothing(why),
    };
    let a = &page.derived.stored_rig;
    let waits = page.view.pictures.waits;
    let begin = || begun(ctx, a, &b);
    let comparison = page.view.model_b.comparison((a, &b), begin);
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

fn other(page: &PageContext<'_>) -> Result<OtherModel, &'static str> {
    let models = page.models_b;
    let found = match &page.document.state.model_b {
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
    found.map(OtherModel::Given)
}

fn begun(ctx: &Context, a: &Arc<Rig>, b: &OtherModel) -> PageWork<Option<Arc<ModelComparison>>> {
    let (a, b) = (Arc::clone(a), b.clone());
    PageWork::begun(Task::start_paced(
        "compare",
        move |progress| comparing(a, b, progress).then(|found| found.map(Arc::new)),
        waking(ctx),
    ))
}

/// How far it is, in words.
pub(crate) fn waiting(ui: &mut Ui, page: &mut PageContext<'_>) {
    let theme = page.theme;
    if let KnownModels::UnderWay(task) = compared(&ui.ctx().clone(), page) {
        under_way(ui, theme, "Comparing the models", task);
    }
}

/// What model B is called.
pub(crate) fn name_of(model: &ComparedModel, page: &PageContext<'_>) -> String {
    match model {
        ComparedModel::Written(changes) if changes.is_empty() => "the same model".to_owned(),
        ComparedModel::Written(_) => "written anew".to_owned(),
        ComparedModel::BuiltIn(id) => {
            builtin(id).map_or_else(|| id.clone(), |rig| rig.title.clone())
        }
        ComparedModel::Opened => named(page.models_b.opened, "no file open"),
        ComparedModel::Before => named(page.models_b.before, "the model before"),
    }
}

fn named(model: Option<&Arc<Rig>>, absent: &str) -> String {
    model.map_or(absent, |model| model_name(model)).to_owned()
}
