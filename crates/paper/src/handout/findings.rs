//! What is wrong with the file behind the rig, as a list.

use std::fmt::Write as _;

use bindpose_asset::TaskProgress;
use bindpose_asset::doctor::examine;
use bindpose_lesson::DoctorCell;
use bindpose_notebook::PageState;

use super::html::{escaped, note};

/// Findings where the cell does not say how many.
const ROWS: usize = 10;

/// Writes the cell.
pub(super) fn doctor(out: &mut String, cell: &DoctorCell, page: PageState<'_>) {
    let rig = &page.derived.rig;
    let Some(origin) = &rig.origin else {
        let _ = writeln!(
            out,
            "<p class=\"aside\">{} was made in memory: there is no file to examine.</p>",
            escaped(&rig.title)
        );
        return;
    };
    let report = examine(&origin.source, &TaskProgress::default());
    let name = escaped(&origin.source.name);
    if report.findings.is_empty() {
        let _ = writeln!(
            out,
            "<p class=\"aside\"><code>{name}</code>: nothing was found; the file is sound.</p>"
        );
        return;
    }
    let _ = writeln!(out, "<p class=\"aside\"><code>{name}</code></p>\n<ul>");
    for finding in report.findings.iter().take(cell.rows.unwrap_or(ROWS)) {
        let _ = writeln!(
            out,
            "<li><strong>{}</strong> <code>{}</code>: {}. {}</li>",
            finding.severity.key(),
            finding.code,
            note(&finding.title),
            note(&finding.help)
        );
    }
    out.push_str("</ul>\n");
}
