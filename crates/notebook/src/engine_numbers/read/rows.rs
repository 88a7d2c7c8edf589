//! Rows of numbers, as in a `.csv`.

use bindpose_diagnostic::{Diagnostic, LineColumn};

use super::shaped::{Misplaced, Shaped, number, wrong_at};

/// Rows of at most so many numbers, between commas, semicolons, tabs or spaces. A first
/// line in which nothing is a number has names; it and lines that begin with `#` are left
/// out.
pub(super) fn rows(text: &str, most: usize) -> Result<Shaped, Diagnostic> {
    let mut numbers = Vec::new();
    let (mut width, mut count) = (None, 0);
    let mut names_seen = false;
    for (nth, line) in text.lines().enumerate() {
        if cells(line).next().is_none_or(|(_, cell)| cell.starts_with('#')) {
            continue;
        }
        let is_named = |(_, cell): (usize, &str)| number(cell).is_none();
        if count == 0 && !names_seen && cells(line).all(is_named) {
            names_seen = true;
            continue;
        }
        let at = |column: usize| LineColumn { line: nth + 1, column };
        let before = numbers.len();
        for (column, cell) in cells(line) {
            let Some(number) = number(cell) else {
                let found: String = cell.chars().take(40).collect();
                return Err(wrong_at(at(column), "a number", &format!("`{found}`")));
            };
            if numbers.len() == most {
                return Err(Misplaced::too_many(most).at(at(column)));
            }
            numbers.push(number);
        }
        let found = numbers.len() - before;
        let width = *width.get_or_insert(found);
        if found != width {
            let expected = format!("{width} numbers a row, as before");
            let column = line.chars().count();
            return Err(wrong_at(at(column), expected, &found.to_string()));
        }
        count += 1;
    }
    Ok(Shaped { shape: vec![count, width.unwrap_or(0)], numbers })
}

/// The cells of a line, each with its column in characters, from 1.
fn cells(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_between = |c: char| matches!(c, ',' | ';') || c.is_whitespace();
    let mut column = 1;
    line.split(is_between).filter_map(move |cell| {
        let begin = column;
        column += cell.chars().count() + 1;
        (!cell.is_empty()).then_some((begin, cell))
    })
}
