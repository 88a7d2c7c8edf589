//! What the doctor answers.

use serde::Serialize;

use bindpose_diagnostic::{Diagnostic, Severity};

/// Everything found in one file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct DoctorReport {
    /// How many of the findings are errors.
    pub errors: usize,
    /// How many are warnings.
    pub warnings: usize,
    /// How many are notes.
    pub notes: usize,
    /// Errors first.
    pub findings: Vec<Diagnostic>,
}

impl DoctorReport {
    pub(super) fn new(findings: Vec<Diagnostic>) -> Self {
        let count = |severity| {
            let of_it = |finding: &&Diagnostic| finding.severity == severity;
            findings.iter().filter(of_it).count()
        };
        Self {
            errors: count(Severity::Error),
            warnings: count(Severity::Warning),
            notes: count(Severity::Note),
            findings,
        }
    }

    /// As JSON for other programs: `file`, `errors`, `warnings`, `notes`,
    /// `findings`.
    pub fn to_json(&self, file: &str) -> String {
        #[derive(Serialize)]
        struct WrittenFinding<'a> {
            file: &'a str,
            #[serde(flatten)]
            report: &'a DoctorReport,
        }
        let written = WrittenFinding { file, report: self };
        // Text and numbers: writing them cannot fail.
        serde_json::to_string_pretty(&written).unwrap_or_default()
    }

    /// Nothing that needs mending: notes alone, or nothing at all.
    pub fn is_sound(&self) -> bool {
        self.errors == 0 && self.warnings == 0
    }

    /// Is there something that [`mend`](fn@super::mend) can mend?
    pub fn is_mendable(&self) -> bool {
        self.findings.iter().any(|finding| finding.mendable)
    }
}
