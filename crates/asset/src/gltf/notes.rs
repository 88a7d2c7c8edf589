//! What was left out of a file that opens nevertheless.

use bindpose_diagnostic::{Diagnostic, Severity};

use super::error::{GltfError, GltfErrorKind};

/// Collected while reading.
#[derive(Debug, Default)]
pub(super) struct ReadingNotes(Vec<Diagnostic>);

/// Notes of one code; of others after them only their number is told.
const MOST: usize = 50;

impl ReadingNotes {
    /// A fault that was no reason to stop, and what it does to the picture.
    pub(super) fn left_out(&mut self, code: &'static str, error: GltfError, effect: &str) {
        self.add(Severity::Warning, code, error, effect);
    }

    /// Something that is good to know.
    pub(super) fn good_to_know(&mut self, code: &'static str, error: GltfError, effect: &str) {
        self.add(Severity::Note, code, error, effect);
    }

    /// Why something at this place, or below it, was left out.
    pub(super) fn why_left_out(&self, pointer: &str) -> Option<GltfError> {
        let is_below = |note: &&Diagnostic| {
            let below = note.at.pointer().strip_prefix(pointer);
            below.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        self.0.iter().find(is_below).map(|note| {
            let (expected, found) = (&note.expected, &note.found);
            GltfError::new(GltfErrorKind::Json, note.at.pointer(), expected, found, &note.help)
        })
    }

    pub(super) fn into_findings(self) -> Vec<Diagnostic> {
        self.0
    }

    fn add(&mut self, severity: Severity, code: &'static str, error: GltfError, effect: &str) {
        let title = match severity {
            Severity::Note => "Something in the file is good to know.",
            Severity::Warning | Severity::Error => "A part of the file was left out.",
        };
        let mut of_code = self.0.iter_mut().rev().filter(|note| note.code == code);
        if let (Some(last), Some(_)) = (of_code.next(), of_code.nth(MOST - 2)) {
            last.count += 1;
            return;
        }
        self.0.push(Diagnostic {
            severity,
            code,
            title: title.to_owned(),
            effect: effect.to_owned(),
            ..error.into()
        });
    }
}
