//! What differs between two models, on paper.

use std::fmt::Write as _;
use std::sync::Arc;

use bindpose_asset::builtin;
use bindpose_diagnostic::counted;
use bindpose_lesson::ModelB;
use bindpose_notebook::PageState;
use bindpose_notebook::model_difference::{model_difference as difference, rewritten};

use super::html::escaped;

/// The findings. A file that a reader has opened is not on paper.
pub(super) fn model_difference(out: &mut String, page: PageState<'_>) {
    let a = &page.derived.stored_rig;
    let b = match &page.document.state.model_b {
        ModelB::Written(changes) => Some(rewritten(a, changes)),
        ModelB::BuiltIn(id) => builtin(id),
        ModelB::Opened | ModelB::Before => None,
    };
    let Some(b) = b else {
        out.push_str(
            "<p class=\"aside\">Here the notebook holds the model against a second file of \
             yours.</p>\n",
        );
        return;
    };
    let found = difference(a, &b);
    let [of_a, of_b] = [a, &b].map(|rig: &Arc<_>| counted(rig.skeleton.len(), "joint"));
    let title = escaped(&a.title);
    let _ =
        writeln!(out, "<p class=\"aside\">{title}, {of_a}, and a second model, {of_b}:</p>\n<ul>");
    for finding in &found.findings {
        let _ = writeln!(out, "<li>{}</li>", escaped(finding));
    }
    out.push_str("</ul>\n");
}
