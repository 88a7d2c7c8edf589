//! What was left out of a file that opens nevertheless.

use super::error::GltfError;
use crate::diagnostic::{Diagnostic, Severity};

/// Collected while reading.
#[derive(Debug, Default)]
pub(super) struct Notes(Vec<Diagnostic>);

impl Notes {
    /// A fault that was no reason to stop, and what it does to the picture.
    pub(super) fn left_out(&mut self, code: &'static str, error: GltfError, effect: &str) {
        self.add(Severity::Warning, code, error, effect);
    }

    /// Something that is good to know.
    pub(super) fn good_to_know(&mut self, code: &'static str, error: GltfError, effect: &str) {
        self.add(Severity::Note, code, error, effect);
    }

    pub(super) fn into_findings(self) -> Vec<Diagnostic> {
        self.0
    }

    fn add(&mut self, severity: Severity, code: &'static str, error: GltfError, effect: &str) {
        let title = match severity {
            Severity::Note => "Something in the file is good to know.",
            Severity::Warning | Severity::Error => "A part of the file was left out.",
        };
        self.0.push(Diagnostic {
            severity,
            code,
            title: title.to_owned(),
            effect: effect.to_owned(),
            ..error.into()
        });
    }
}
