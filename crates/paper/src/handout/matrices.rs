//! Matrices as tables: what each leads from and to, and what its columns mean.

use std::fmt::Write as _;

use bindpose_lesson::MatrixCell;
use bindpose_notebook::PageState;
use bindpose_notebook::cell_text::value_of_text;
use bindpose_notebook::matrix::{
    COLUMN_MEANINGS, OperatorBlock, OperatorRole, resolve, row_as_written, with_operators,
};
use bindpose_notebook::number_text::fixed;
use bindpose_notebook::significant_digits::USUAL;
use bindpose_skin::Conventions;

use super::html::escaped;

/// What columns mean, where matrices stand beside each other.
const SHORT_MEANINGS: [&str; 4] = ["x axis", "y axis", "z axis", "origin"];

/// Writes the cell.
pub(super) fn matrices(out: &mut String, cell: &MatrixCell, page: PageState<'_>) {
    named(out, cell, page);
    if let Some(expr) = &cell.expr {
        written(out, &expr.source, cell.decimals.unwrap_or(USUAL), page);
    }
}

/// A formula and what it comes to: of a matrix row by row, else in a line.
fn written(out: &mut String, text: &str, decimals: usize, page: PageState<'_>) {
    let outcome = match value_of_text(text, page.derived) {
        Ok(outcome) => outcome,
        Err(error) => {
            let _ = writeln!(out, "<p class=\"wrong\">{}</p>", escaped(&error.words));
            return;
        }
    };
    let frames = outcome.value.frame_words().unwrap_or_default();
    let (text, frames) = (escaped(text), escaped(&frames));
    let _ = write!(
        out,
        "<table class=\"matrix\"><caption><code>{text}</code> {frames}</caption><tbody>"
    );
    for row in outcome.value.numbers().chunks(4) {
        out.push_str("<tr>");
        for number in row {
            let _ = write!(out, "<td>{}</td>", fixed(*number, decimals));
        }
        out.push_str("</tr>");
    }
    out.push_str("</tbody></table>\n");
    for seam in &outcome.seams {
        let _ = writeln!(out, "<p class=\"wrong\">{}</p>", escaped(&seam.words()));
    }
}

/// Matrices by their names.
fn named(out: &mut String, cell: &MatrixCell, page: PageState<'_>) {
    let found = cell.show.iter();
    let found: Result<Vec<_>, String> =
        found.map(|reference| resolve(reference, page.document, page.derived)).collect();
    let sources = match found {
        Ok(sources) if !sources.is_empty() => sources,
        Ok(_) => return,
        Err(words) => {
            let _ = writeln!(out, "<p class=\"wrong\">{}</p>", escaped(&words));
            return;
        }
    };
    let conventions = page.document.state.written_as.over(Conventions::default());
    let (blocks, seams) = with_operators(cell, sources, page.derived);
    let (blocks, seams) = row_as_written(&blocks, &seams, conventions);
    let decimals = cell.decimals.unwrap_or(USUAL);
    out.push_str("<div class=\"matrices\">\n");
    let meanings = if blocks.len() > 1 { SHORT_MEANINGS } else { COLUMN_MEANINGS };
    for block in &*blocks {
        out.push_str("<div class=\"factor\">");
        if !block.operator.is_empty() {
            let _ = write!(out, "<span class=\"operator\">{}</span>", block.operator);
        }
        let decimals = block.magnitude.decimals(decimals);
        matrix(out, block, meanings, decimals, conventions.has_rows());
        out.push_str("</div>\n");
    }
    out.push_str("</div>\n");
    for seam in &*seams {
        let _ = writeln!(out, "<p class=\"wrong\">{}</p>", escaped(&seam.words));
    }
}

/// For row vectors, `rows`: what columns mean stands before the rows.
fn matrix(
    out: &mut String,
    block: &OperatorBlock,
    meanings: [&str; 4],
    decimals: [usize; 4],
    rows: bool,
) {
    let source = &block.source;
    out.push_str("<table class=\"matrix\"><caption>");
    if block.role == OperatorRole::Difference {
        out.push_str("A − B");
    } else {
        let (to, from) = (source.named.to, source.named.from);
        let (left, arrow, right) = if rows { (from, "→", to) } else { (to, "←", from) };
        let _ = write!(
            out,
            "<span class=\"frame\">{left}</span> {arrow} <span class=\"frame\">{right}</span> {}",
            escaped(&source.title)
        );
    }
    out.push_str("</caption>");
    if !rows {
        out.push_str("<thead><tr>");
        for meaning in meanings {
            let _ = write!(out, "<th scope=\"col\">{meaning}</th>");
        }
        out.push_str("</tr></thead>");
    }
    out.push_str("<tbody>");
    for (down, meaning) in meanings.into_iter().enumerate() {
        out.push_str("<tr>");
        if rows {
            let _ = write!(out, "<th scope=\"row\">{meaning}</th>");
        }
        for across in 0..4 {
            let (row, column) = if rows { (across, down) } else { (down, across) };
            let number = f64::from(source.named.mat.col(column)[row]);
            let number = fixed(number, decimals[column]);
            let _ = write!(out, "<td class=\"c{column}\">{number}</td>");
        }
        out.push_str("</tr>");
    }
    out.push_str("</tbody></table>");
    if let Some(words) = source.note {
        let _ = write!(out, "<span class=\"wrong\">{}</span>", escaped(words));
    }
}
