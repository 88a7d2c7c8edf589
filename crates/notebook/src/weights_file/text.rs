//! Recognises a file of weights, or another table, by its text and splits it into cells.

use std::iter::Peekable;
use std::str::Chars;

/// The names of the columns.
const HEAD: [&str; 5] = ["vertex", "lane", "joint", "name", "weight"];

/// Is this text a file of weights, by the names in it?
pub(crate) fn is_weights_file(text: &str) -> bool {
    is_weights(text) || is_weights_csv(text)
}

/// Has it a first line of these names?
fn is_weights_csv(text: &str) -> bool {
    let head = text.lines().next().unwrap_or_default();
    head.split(',').map(str::trim).eq(HEAD)
}

/// Is it an object in which the names of such a file’s parts stand, wherever? One that
/// is not whole is such a file too, and what is wrong with it is told.
pub(super) fn is_weights(text: &str) -> bool {
    let has = |key: &str| text.contains(key);
    text.trim_start().starts_with('{')
        && has("\"joints\"")
        && has("\"vertices\"")
        && has("\"weights\"")
}

/// The cells of each line, with the number of the line; what stands in quotes may hold
/// commas, quotes and ends of lines.
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
        let (line, mut cells, mut quoted) = (self.line, vec![String::new()], false);
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
