//! Errors of the glTF reader, and notes on parts that it has skipped.

use std::fmt::Display;

use bindpose_diagnostic::{Diagnostic, ModelPlace, Severity};

use crate::budget::OverBudget;
use crate::progress::Cancelled;
use crate::read_error::{code, read_error};

impl From<Cancelled> for Diagnostic {
    fn from(_: Cancelled) -> Self {
        gltf_error(code::GLTF_CANCELLED, "the file", "to be read to its end", "a wish to stop")
            .help("open it again")
    }
}

/// Creates an error with the default fix. `path` is a JSON pointer, or the name of a part of the
/// file.
pub(crate) fn gltf_error(
    code: &'static str,
    path: impl Display,
    expected: impl Display,
    found: impl Display,
) -> Diagnostic {
    read_error(code, expected, found).at(ModelPlace::at(path.to_string()).into())
}

/// Creates the error for an index into a list of `count` entries that is out of bounds.
pub(super) fn dangling(path: impl Display, list: &str, count: usize, index: usize) -> Diagnostic {
    let expected = format_args!("the index of one of {count} {list}");
    gltf_error(code::GLTF_OUT_OF_BOUNDS, path, expected, index)
        .help("the file was cut or edited by hand; export it again")
}

/// Creates the error for an exceeded budget. `path` is the part that exceeded it.
pub(super) fn over_budget(over: OverBudget, path: impl Display) -> Diagnostic {
    gltf_error(code::GLTF_TOO_LARGE, path, over.expected(), over.found()).help(over.remedy())
}

pub(super) fn missing(path: impl Display, expected: &str) -> Diagnostic {
    gltf_error(code::GLTF_MISSING, path, expected, "nothing")
}

/// Warnings and notes collected while reading.
#[derive(Debug, Default)]
pub(super) struct ReadingNotes(Vec<Diagnostic>);

/// Limit for notes with the same code. Further ones only increase the count of the last.
const MAX_NOTES_PER_CODE: usize = 50;

impl ReadingNotes {
    /// Adds a warning about a skipped part. `effect` describes the effect on the picture.
    pub(super) fn left_out(&mut self, code: &'static str, error: Diagnostic, effect: &str) {
        self.add(Severity::Warning, code, error, effect);
    }

    /// Adds a note that is no warning.
    pub(super) fn good_to_know(&mut self, code: &'static str, error: Diagnostic, effect: &str) {
        self.add(Severity::Note, code, error, effect);
    }

    /// Returns the error for which a part at `pointer` or below it was skipped.
    pub(super) fn why_left_out(&self, pointer: &str) -> Option<Diagnostic> {
        let note = self.0.iter().find(|note| {
            let rest = note.at.pointer().strip_prefix(pointer);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })?;
        let error = gltf_error(code::GLTF_JSON, note.at.pointer(), &note.expected, &note.found);
        Some(error.help(&note.help))
    }

    pub(super) fn into_findings(self) -> Vec<Diagnostic> {
        self.0
    }

    fn add(&mut self, severity: Severity, code: &'static str, error: Diagnostic, effect: &str) {
        let title = match severity {
            Severity::Note => "Something in the file is good to know.",
            Severity::Warning | Severity::Error => "A part of the file was left out.",
        };
        let mut of_code = self.0.iter_mut().rev().filter(|note| note.code == code);
        if let Some(last) = of_code.next()
            && of_code.count() + 1 >= MAX_NOTES_PER_CODE
        {
            last.count += 1;
            return;
        }
        self.0.push(Diagnostic {
            severity,
            code,
            title: title.to_owned(),
            effect: effect.to_owned(),
            ..error
        });
    }
}
