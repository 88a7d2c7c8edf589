//! What was left out of a file that opens nevertheless.

use super::error::GltfError;
use crate::asset::{Finding, Severity};

/// Collected while reading.
#[derive(Debug, Default)]
pub(super) struct Notes(Vec<Finding>);

impl Notes {
    /// A fault that was no reason to stop, and what it does to the picture.
    pub(super) fn left_out(&mut self, code: &'static str, error: GltfError, effect: &str) {
        self.add(Severity::Warning, code, error, effect);
    }

    /// Something that is good to know.
    pub(super) fn good_to_know(&mut self, code: &'static str, error: GltfError, effect: &str) {
        self.add(Severity::Note, code, error, effect);
    }

    pub(super) fn into_findings(self) -> Vec<Finding> {
        self.0
    }

    fn add(&mut self, severity: Severity, code: &'static str, error: GltfError, effect: &str) {
        self.0.push(Finding {
            severity,
            code,
            at: error.path,
            vertex: None,
            joint: None,
            title: match severity {
                Severity::Note => "Something in the file is good to know.",
                Severity::Warning | Severity::Error => "A part of the file was left out.",
            }
            .to_owned(),
            expected: error.expected,
            found: error.found,
            effect: effect.to_owned(),
            remedy: error.remedy,
            lesson: None,
            count: 1,
            mendable: false,
        });
    }
}
