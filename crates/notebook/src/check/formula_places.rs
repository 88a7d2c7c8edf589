//! Where in the text of a lesson something in a formula stands.

use bindpose_diagnostic::LineColumn;

/// The place of a byte of a formula that begins at `begin`.
pub(super) fn place_in_formula(formula: &str, byte: usize, begin: LineColumn) -> LineColumn {
    let before = formula.get(..byte).unwrap_or(formula);
    match before.rsplit_once('\n') {
        None => begin.right(before.chars().count()),
        // Only the first line of a formula begins where the formula does.
        Some((_, line)) => LineColumn {
            line: begin.line + before.matches('\n').count(),
            column: line.chars().count() + 1,
        },
    }
}
