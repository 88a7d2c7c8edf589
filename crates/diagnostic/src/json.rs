//! What `serde_json` says of a text that is no JSON, and where.

use super::{Diagnostic, LineColumn};

/// Its sentence without the place, and the place: line and column from 1, the column in
/// bytes.
pub fn json_wrong(error: &serde_json::Error) -> (String, LineColumn) {
    let at = LineColumn { line: error.line(), column: error.column() };
    let words = error.to_string();
    let place = format!(" at line {} column {}", at.line, at.column);
    let words = words.strip_suffix(&place).unwrap_or(&words);
    (words.to_owned(), at)
}

impl From<serde_json::Error> for Diagnostic {
    fn from(error: serde_json::Error) -> Self {
        Self::said("JSON_NOT_WRITTEN", format!("cannot write the JSON: {error}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sentence_is_told_without_its_place_even_where_a_name_has_such_words() {
        let wrong = serde_json::from_str::<u8>("\n \"x at line 3\"").unwrap_err();
        let (words, LineColumn { line, column }) = json_wrong(&wrong);
        assert!(words.starts_with("invalid type: string \"x at line 3\""), "{words}");
        assert!(!words.contains("column"), "{words}");
        assert_eq!((line, column), (2, 14));
    }
}
