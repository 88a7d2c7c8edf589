//! Pieces of Markdown.

use std::fmt::Write as _;

/// A line that says whose words they are, and the words as a quotation.
pub(super) fn quote(text: &mut String, head: &str, words: &str) {
    let _ = writeln!(text, "\n{head}:\n");
    for line in words.trim_end().lines() {
        let _ = writeln!(text, "{}", format!("> {line}").trim_end());
    }
}

/// As it may stand in a table of Markdown.
pub(super) fn cell(text: &str) -> String {
    text.replace('\n', " ").replace('|', "\\|")
}
