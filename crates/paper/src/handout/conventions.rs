//! How systems write matrices, on paper.

use std::fmt::Write as _;

use bindpose_lesson::ConventionsCell;
use bindpose_notebook::PageState;
use bindpose_skin::Conventions;

use super::html::escaped;

/// How the page has them, and a row for each system that a cell offers.
pub(super) fn conventions(out: &mut String, cell: &ConventionsCell, page: PageState<'_>) {
    let here = page.document.state.written_as.over(Conventions::default());
    let _ = writeln!(
        out,
        "<p>Matrices are written for {}, {} in memory, {}.</p>",
        here.vectors.label(),
        here.memory.label(),
        here.axes.label()
    );
    let Some(first) = cell.systems.first() else {
        return;
    };
    out.push_str("<table><thead><tr><th></th><th>vectors</th><th>in memory</th><th>axes</th>");
    for word in first.words() {
        let _ = write!(out, "<th>{}</th>", escaped(word.ours));
    }
    out.push_str("</tr></thead><tbody>\n");
    for system in &cell.systems {
        let conventions = system.conventions();
        let labels =
            [conventions.vectors.label(), conventions.memory.label(), conventions.axes.label()];
        let _ = write!(out, "<tr><th scope=\"row\">{}</th>", system.label());
        for label in labels {
            let _ = write!(out, "<td>{}</td>", escaped(label));
        }
        for word in system.words() {
            let _ = write!(out, "<td>{}</td>", escaped(&word.theirs.replace('`', "")));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table>\n");
}
