//! The type of errors, warnings and notes about lessons, models, links and the command line.
//! Formatted as sentences for people, serialized as fields for programs.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod nearest;
mod place;
mod printable;

pub use nearest::{did_you_mean, nearest};
pub use place::{LineColumn, ModelPlace, Place};
pub use printable::{counted, grouped, is_obeyed, printable, short_number};

use std::fmt;

use serde::Serialize;

/// The code of an unexpected value.
pub const UNEXPECTED: &str = "UNEXPECTED";
/// The code of a name that does not exist.
pub const UNKNOWN_NAME: &str = "UNKNOWN_NAME";

/// An error, a warning or a note.
///
/// The code that detects a problem creates the diagnostic, and the code that knows its place
/// adds that by [`Self::at`]. `bindpose doctor --format json` writes it as JSON.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    /// The severity of the problem.
    pub severity: Severity,
    /// Stable name in upper case. For glTF, the code of the official validator if it has one
    /// (`NODE_LOOP`), otherwise one of ours (`WEIGHT_SUM`).
    pub code: &'static str,
    /// The location of the problem.
    #[serde(flatten)]
    pub at: Place,
    /// The problem in one sentence. Empty if `expected` and `found` are sufficient.
    pub title: String,
    /// The expected value. May be empty if there is a title.
    pub expected: String,
    /// The found value. Empty if it is of no interest.
    pub found: String,
    /// The effect on the rendered model. Empty for problems outside models.
    pub effect: String,
    /// The suggested fix.
    #[serde(rename = "remedy")]
    pub help: String,
    /// Slug of the lesson that explains the problem.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lesson: Option<&'static str>,
    /// Number of places with the same problem. `at` is the first one, or the worst one if they differ. At least 1, and 0 only by default.
    pub count: usize,
    /// Whether the program can repair the problem.
    pub mendable: bool,
}

/// The severity of a problem. The worst is first in order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// A violation of the format, or a wrong result, that must be fixed.
    #[default]
    Error,
    /// Valid, but probably not intended, or rendered differently by other programs.
    Warning,
    /// Information without need for action.
    Note,
}

impl Diagnostic {
    /// Creates an error with a title.
    pub fn said(code: &'static str, title: impl Into<String>) -> Self {
        Self { code, title: title.into(), count: 1, ..Self::default() }
    }

    /// Creates an error of the form ``expected {expected}, found {found}``. The second part is
    /// omitted if `found` is empty.
    pub fn expected(expected: impl Into<String>, found: impl Into<String>) -> Self {
        Self { expected: expected.into(), found: found.into(), ..Self::said(UNEXPECTED, "") }
    }

    /// Creates an error about an unknown name of the kind `what`. The help suggests similar ones
    /// of `names`.
    pub fn unknown(what: &str, name: &str, names: &[&str]) -> Self {
        Self { code: UNKNOWN_NAME, ..Self::expected(what, format!("`{name}`")) }
            .title(format!("there is no {what} `{name}`"))
            .help(did_you_mean(name, names))
    }

    /// Sets the title, which replaces the expected and the found value in sentences.
    #[must_use]
    pub fn title(self, title: impl Into<String>) -> Self {
        Self { title: title.into(), ..self }
    }

    /// Sets the suggested fix.
    #[must_use]
    pub fn help(self, help: impl Into<String>) -> Self {
        Self { help: help.into(), ..self }
    }

    /// Sets the location of the problem.
    #[must_use]
    pub fn at(self, at: Place) -> Self {
        Self { at, ..self }
    }

    /// Formats the problem in one sentence, without its place and the suggested fix.
    pub fn sentence(&self) -> String {
        if !self.title.is_empty() {
            self.title.clone()
        } else if self.found.is_empty() {
            format!("expected {}", self.expected)
        } else {
            format!("expected {}, found {}", self.expected, self.found)
        }
    }
}

/// Formats the diagnostic for terminals and logs, with control characters escaped.
///
/// A problem in a text file has the format of compilers,
/// `20-bind-pose/lesson.md:12:5: error: …`, with the help on a second line. Others are formatted
/// on one line: place, sentence, help.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place_text = self.at.to_string();
        let sentence_text = self.sentence();
        let place = printable(&place_text);
        let sentence = printable(&sentence_text);
        let help_separator = match self.at {
            Place::Text { .. } => {
                write!(f, "{place}: {}: {sentence}", self.severity)?;
                "\n  help: "
            }
            Place::Whole => {
                write!(f, "{sentence}")?;
                "; "
            }
            _ => {
                write!(f, "{place}: {sentence}")?;
                "; "
            }
        };
        if !self.help.is_empty() {
            write!(f, "{help_separator}{}", printable(&self.help))?;
        }
        match self.count.saturating_sub(1) {
            0 => Ok(()),
            1 => f.write_str(" (and one more fault)"),
            more => write!(f, " (and {more} more faults)"),
        }
    }
}

impl std::error::Error for Diagnostic {}

impl Severity {
    /// All severities, with the worst first.
    pub const ALL: [Self; 3] = [Self::Error, Self::Warning, Self::Note];

    /// Returns the name in lower case, as in JSON.
    pub fn key(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.key())
    }
}

/// Splits an error of `serde_json` into its message and its place in the text.
///
/// Line and column start at 1. The column is in bytes, unlike those of other diagnostics.
pub fn json_wrong(error: &serde_json::Error) -> (String, LineColumn) {
    let at = LineColumn { line: error.line(), column: error.column() };
    let mut message = error.to_string();
    let place = format!(" at line {} column {}", at.line, at.column);
    if message.ends_with(&place) {
        message.truncate(message.len() - place.len());
    }
    (message, at)
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
    fn problems_in_texts_are_formatted_as_by_compilers_and_others_on_one_line() {
        let wrong = Diagnostic::expected("a number", "`x`").help("write 0.8");
        assert_eq!(wrong.to_string(), "expected a number, found `x`; write 0.8");
        let at = LineColumn { line: 12, column: 5 };
        let in_text = wrong.clone().at(Place::text("d/lesson.md", at));
        assert_eq!(
            in_text.to_string(),
            "d/lesson.md:12:5: error: expected a number, found `x`\n  help: write 0.8"
        );
        let argument = wrong.at(Place::Argument("--set b0=x".to_owned()));
        assert_eq!(argument.to_string(), "--set b0=x: expected a number, found `x`; write 0.8");
        assert_eq!(Diagnostic::said("A", "no").to_string(), "no");
    }

    #[test]
    fn json_has_the_place_as_a_string_and_vertex_and_joint_as_fields() {
        let at = ModelPlace::at("/skins/0").joint(3);
        let json = serde_json::to_string(&Diagnostic::said("A", "b").at(at.into())).unwrap();
        assert_eq!(
            json,
            r#"{"severity":"error","code":"A","at":"/skins/0","joint":3,"title":"b","expected":"","found":"","effect":"","remedy":"","count":1,"mendable":false}"#
        );
    }

    #[test]
    fn the_worst_severity_is_first() {
        assert!(Severity::ALL.is_sorted());
    }

    #[test]
    fn only_the_place_at_the_end_of_a_json_error_is_removed() {
        let error = serde_json::from_str::<u8>("\n \"x at line 3\"").unwrap_err();
        let (message, at) = json_wrong(&error);
        assert!(message.starts_with("invalid type: string \"x at line 3\""), "{message}");
        assert!(!message.contains("column"), "{message}");
        assert_eq!(at, LineColumn { line: 2, column: 14 });
    }
}
