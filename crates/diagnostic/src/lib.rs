//! What is wrong, in one shape: with a lesson, a model, a link, the command
//! line. For people in sentences, for programs in parts.

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

/// The code of what stands where something else belongs.
pub const UNEXPECTED: &str = "UNEXPECTED";
/// The code of names that lead nowhere.
pub const UNKNOWN_NAME: &str = "UNKNOWN_NAME";

/// One thing that is wrong, or might surprise.
///
/// Whoever finds it says what; whoever knows the place adds it with
/// [`Self::at`]. As JSON it is what `bindpose doctor --format json` writes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// Stable name, upper case. For glTF that of the format's official validator
    /// where it has one (`NODE_LOOP`), else our own (`WEIGHT_SUM`).
    pub code: &'static str,
    /// Where.
    #[serde(flatten)]
    pub at: Place,
    /// What is wrong, in one sentence; empty where `expected` and `found` say it
    /// all.
    pub title: String,
    /// What should stand there; may be empty beside a title.
    pub expected: String,
    /// What stands there; empty where nobody needs to be told.
    pub found: String,
    /// What it does to the picture; empty for what is not a model.
    pub effect: String,
    /// What to write or do instead.
    #[serde(rename = "remedy")]
    pub help: String,
    /// Slug of the lesson that explains it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lesson: Option<&'static str>,
    /// In how many places it stands; `at` is the first, or the worst where one is
    /// worse than another. At least 1, and 0 only by default.
    pub count: usize,
    /// Can the program mend it?
    pub mendable: bool,
}

/// How bad it is, the worst first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The rules are broken, or the picture is wrong: must be mended.
    #[default]
    Error,
    /// Allowed, but likely not meant, or shown differently elsewhere.
    Warning,
    /// Good to know.
    Note,
}

impl Diagnostic {
    /// An error in a sentence of its own.
    pub fn said(code: &'static str, title: impl Into<String>) -> Self {
        Self { code, title: title.into(), count: 1, ..Self::default() }
    }

    /// An error in two parts: ``expected {expected}, found {found}``; without
    /// the second where `found` is empty.
    pub fn expected(expected: impl Into<String>, found: impl Into<String>) -> Self {
        Self { expected: expected.into(), found: found.into(), ..Self::said(UNEXPECTED, "") }
    }

    /// A name that leads nowhere, with the nearest of those that would.
    pub fn unknown(what: &str, name: &str, names: &[&str]) -> Self {
        Self { code: UNKNOWN_NAME, ..Self::expected(what, format!("`{name}`")) }
            .title(format!("there is no {what} `{name}`"))
            .help(did_you_mean(name, names))
    }

    /// In a sentence of its own, which says the same as the parts.
    #[must_use]
    pub fn title(self, title: impl Into<String>) -> Self {
        Self { title: title.into(), ..self }
    }

    /// With what to write or do instead.
    #[must_use]
    pub fn help(self, help: impl Into<String>) -> Self {
        Self { help: help.into(), ..self }
    }

    /// At a place.
    #[must_use]
    pub fn at(self, at: Place) -> Self {
        Self { at, ..self }
    }

    /// What is wrong, without the place and the help.
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

/// For terminals and logs, with nothing in it that a terminal would obey. What stands in a text is written as compilers do,
/// `20-bind-pose/lesson.md:12:5: error: …`, with the help in a second line; all
/// else in one line: place, sentence, help.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (at, sentence) = (self.at.to_string(), self.sentence());
        let (at, sentence) = (printable(&at), printable(&sentence));
        let before_help = match self.at {
            Place::Text { .. } => {
                write!(f, "{at}: {}: {sentence}", self.severity)?;
                "\n  help: "
            }
            Place::Whole => {
                write!(f, "{sentence}")?;
                "; "
            }
            _ => {
                write!(f, "{at}: {sentence}")?;
                "; "
            }
        };
        if !self.help.is_empty() {
            write!(f, "{before_help}{}", printable(&self.help))?;
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
    /// The worst first.
    pub const ALL: [Self; 3] = [Self::Error, Self::Warning, Self::Note];

    /// As a word.
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

// What `serde_json` says of a text that is no JSON, and where.

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
    fn what_stands_in_a_text_prints_as_compilers_do_and_all_else_in_one_line() {
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
    fn json_has_the_place_as_one_text_and_vertex_and_joint_beside_it() {
        let at = ModelPlace::at("/skins/0").joint(3);
        let json = serde_json::to_string(&Diagnostic::said("A", "b").at(at.into())).unwrap();
        assert_eq!(
            json,
            r#"{"severity":"error","code":"A","at":"/skins/0","joint":3,"title":"b","expected":"","found":"","effect":"","remedy":"","count":1,"mendable":false}"#
        );
    }

    #[test]
    fn lists_by_severity_begin_with_the_worst() {
        assert!(Severity::ALL.is_sorted());
    }

    #[test]
    fn the_sentence_is_told_without_its_place_even_where_a_name_has_such_words() {
        let wrong = serde_json::from_str::<u8>("\n \"x at line 3\"").unwrap_err();
        let (words, LineColumn { line, column }) = json_wrong(&wrong);
        assert!(words.starts_with("invalid type: string \"x at line 3\""), "{words}");
        assert!(!words.contains("column"), "{words}");
        assert_eq!((line, column), (2, 14));
    }
}
