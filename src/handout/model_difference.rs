//! What differs between two models, on paper.

use std::fmt::Write as _;
use std::sync::Arc;

use super::html::escaped;
use crate::asset::builtin;
use crate::diagnostic::counted;
use crate::lesson::ModelB;
use crate::notebook::PageState;
use crate::notebook::model_difference::{model_difference as difference, rewritten};

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
