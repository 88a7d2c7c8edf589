//! A baseline: a file with findings that a team has accepted for now.
//!
//! Findings are identified by file, code and kind of place, so that a baseline stays valid when
//! nodes, vertices or lines elsewhere in the model are added or removed.

use std::collections::BTreeMap;
use std::path::Path;

use bindpose_diagnostic::{Diagnostic, Place};
use bindpose_doctor::kind_of_place;
use serde::{Deserialize, Serialize};

use super::models::ExaminedFile;
use crate::cli::CommandFailure;

const FORMAT_VERSION: u32 = 1;

/// The content of the file. Its keys do not change.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct BaselineFile {
    version: u32,
    findings: Vec<BaselineFinding>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct BaselineFinding {
    #[serde(flatten)]
    key: FindingKey,
    /// Number of places that may have the finding.
    count: usize,
}

/// Identifies a finding across changes of the model.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
pub(super) struct FindingKey {
    /// Path relative to the working directory, with `/` as separator.
    file: String,
    code: String,
    /// Place with `*` for indices: `/nodes/*/rotation`.
    at: String,
}

/// Accepted findings, with the number of places that may have them.
pub(super) struct Baseline(BTreeMap<FindingKey, usize>);

impl Baseline {
    pub(super) fn read(path: &Path) -> Result<Self, CommandFailure> {
        Self::read_file(path).map_err(|wrong| {
            let at = Place::Whole.within(path.display().to_string());
            let wrong = wrong.help("write it with bindpose doctor FILES --write-baseline");
            CommandFailure::cannot(wrong.at(at))
        })
    }

    fn read_file(path: &Path) -> Result<Self, Diagnostic> {
        let bytes = std::fs::read(path)
            .map_err(|error| Diagnostic::expected("a baseline", error.to_string()))?;
        let file: BaselineFile = serde_json::from_slice(&bytes)
            .map_err(|error| Diagnostic::expected("a baseline", error.to_string()))?;
        if file.version != FORMAT_VERSION {
            let expected = format!("version {FORMAT_VERSION}");
            return Err(Diagnostic::expected(expected, file.version.to_string()));
        }
        let mut baseline = Self(BTreeMap::new());
        for finding in file.findings {
            baseline.add(finding.key, finding.count);
        }
        Ok(baseline)
    }

    /// Returns a baseline with all findings of the models.
    pub(super) fn from_models(models: &[ExaminedFile]) -> Self {
        let mut baseline = Self(BTreeMap::new());
        for model in models {
            for finding in &model.report.findings {
                baseline.add(FindingKey::new(&model.name, finding), finding.count);
            }
        }
        baseline
    }

    fn add(&mut self, key: FindingKey, count: usize) {
        let total = self.0.entry(key).or_default();
        *total = total.saturating_add(count);
    }

    /// Returns whether a finding is accepted, which it is not if more places have it than in the
    /// baseline.
    pub(super) fn contains(&self, file: &str, finding: &Diagnostic) -> bool {
        let accepted_count = self.0.get(&FindingKey::new(file, finding));
        accepted_count.is_some_and(|&count| finding.count <= count)
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns the content of the file, sorted and with one key per line for readable diffs.
    pub(super) fn to_json(&self) -> String {
        let file = BaselineFile {
            version: FORMAT_VERSION,
            findings: self
                .0
                .iter()
                .map(|(key, &count)| BaselineFinding { key: key.clone(), count })
                .collect(),
        };
        // Serializing text and numbers cannot fail.
        let mut text = serde_json::to_string_pretty(&file).unwrap_or_default();
        text.push('\n');
        text
    }
}

impl FindingKey {
    pub(super) fn new(file: &str, finding: &Diagnostic) -> Self {
        let at = match &finding.at {
            Place::Model(place) => kind_of_place(&place.pointer),
            Place::Xml { path, .. } => path.clone(),
            other => other.to_string(),
        };
        Self { file: file.to_owned(), code: finding.code.to_owned(), at }
    }

    /// Returns an id that is the same for the same finding in later runs, unique within the file.
    pub(super) fn fingerprint(&self) -> String {
        format!("{}:{}", self.code, self.at)
    }
}

#[cfg(test)]
mod tests {
    use bindpose_diagnostic::ModelPlace;
    use bindpose_doctor::DoctorReport;

    use super::*;

    fn finding(pointer: &str, count: usize) -> Diagnostic {
        let finding = Diagnostic::said("ROTATION_NON_UNIT", "").at(ModelPlace::at(pointer).into());
        Diagnostic { count, ..finding }
    }

    #[test]
    fn findings_are_accepted_by_kind_of_place_up_to_their_count() {
        let findings = vec![finding("/nodes/3/rotation", 2)];
        let model = ExaminedFile {
            path: "./a.glb".to_owned(),
            name: "a.glb".to_owned(),
            report: DoctorReport { findings, ..DoctorReport::default() },
            in_baseline: 0,
        };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("baseline.json");
        std::fs::write(&path, Baseline::from_models(&[model]).to_json()).unwrap();
        let baseline = Baseline::read(&path).ok().unwrap();
        assert!(baseline.contains("a.glb", &finding("/nodes/12/rotation", 2)));
        assert!(baseline.contains("a.glb", &finding("/nodes/0/rotation", 1)));
        assert!(!baseline.contains("a.glb", &finding("/nodes/3/rotation", 3)), "one more");
        assert!(!baseline.contains("b.glb", &finding("/nodes/3/rotation", 2)));
        assert!(!baseline.contains("a.glb", &finding("/nodes/3/scale", 2)));
    }

    #[test]
    fn invalid_baselines_are_rejected_with_help() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("baseline.json");
        let newer = r#"{"version": 2, "findings": []}"#;
        for text in ["", "[]", "{}", newer, r#"{"version": 1, "findings": [{}]}"#] {
            std::fs::write(&path, text).unwrap();
            let Err(CommandFailure::Cannot(wrong)) = Baseline::read(&path) else {
                panic!("{text}");
            };
            assert!(wrong.help.contains("--write-baseline"), "{wrong}");
        }
        assert!(Baseline::read(&folder.path().join("none.json")).is_err());
    }
}
