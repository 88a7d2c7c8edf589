//! Detection of files of weights, and a parser of CSV lines.

use std::iter::Peekable;
use std::str::Chars;

/// Names of the columns of a CSV file of weights.
const COLUMN_NAMES: [&str; 5] = ["vertex", "lane", "joint", "name", "weight"];

/// Is the text a file of weights, by the names in it?
pub(crate) fn is_weights_file(text: &str) -> bool {
    is_weights_json(text) || is_weights_csv(text)
}

fn is_weights_csv(text: &str) -> bool {
    let head = text.lines().next().unwrap_or_default();
    head.split(',').map(str::trim).eq(COLUMN_NAMES)
}

/// Does the text look like a JSON object with the keys of a file of weights? An incomplete
/// file counts too, so that its errors are reported.
pub(crate) fn is_weights_json(text: &str) -> bool {
    text.trim_start().starts_with('{')
        && text.contains("\"joints\"")
        && text.contains("\"vertices\"")
        && text.contains("\"weights\"")
}

/// Iterates over the lines of a CSV file as line number and cells. Quoted cells may contain
/// commas, quotes and line breaks.
pub(crate) struct Lines<'a> {
    chars: Peekable<Chars<'a>>,
    line: usize,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { chars: text.chars().peekable(), line: 1 }
    }
}

impl Iterator for Lines<'_> {
    type Item = (usize, Vec<String>);

    fn next(&mut self) -> Option<Self::Item> {
        self.chars.peek()?;
        let line = self.line;
        let mut cells = vec![String::new()];
        let mut quoted = false;
        while let Some(char) = self.chars.next() {
            self.line += usize::from(char == '\n');
            let cell = cells.last_mut()?;
            match char {
                '"' if quoted && self.chars.next_if_eq(&'"').is_some() => cell.push('"'),
                '"' => quoted = !quoted,
                ',' if !quoted => cells.push(String::new()),
                '\n' if !quoted => break,
                '\r' if !quoted => {}
                other => cell.push(other),
            }
        }
        Some((line, cells))
    }
}
