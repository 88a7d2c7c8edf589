//! Findings that a team knows of and has accepted for now, as a file that lies with the
//! models: by file, code and kind of place, so that it stays as it is when nodes, vertices
//! or lines elsewhere in the model come and go.

use std::collections::BTreeMap;
use std::path::Path;

use bindpose_asset::doctor::kind_of_place;
use bindpose_diagnostic::{Diagnostic, Place};
use serde::{Deserialize, Serialize};

use super::models::ExaminedFile;
use crate::cli::CommandFailure;

/// Of the form below.
const VERSION: u32 = 1;

/// As it is written; keys stay.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct BaselineFile {
    version: u32,
    findings: Vec<KnownFinding>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct KnownFinding {
    #[serde(flatten)]
    key: FindingKey,
    /// In how many places it may stand.
    count: usize,
}

/// What stays the same about a finding.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
pub(super) struct FindingKey {
    /// From the folder in which the program runs, with `/`.
    file: String,
    code: String,
    /// `/nodes/*/rotation`
    at: String,
}

/// How often each finding is known.
pub(super) struct Baseline(BTreeMap<FindingKey, usize>);

impl Baseline {
    pub(super) fn read(path: &Path) -> Result<Self, CommandFailure> {
        let refused = |wrong: Diagnostic| {
            let at = Place::Whole.within(path.display().to_string());
            let wrong = wrong.help("write it with bindpose doctor FILES --write-baseline");
            CommandFailure::cannot(wrong.at(at))
        };
        let bytes = std::fs::read(path)
            .map_err(|error| refused(Diagnostic::expected("a baseline", error.to_string())))?;
        let stored: BaselineFile = serde_json::from_slice(&bytes)
            .map_err(|error| refused(Diagnostic::expected("a baseline", error.to_string())))?;
        if stored.version != VERSION {
            let (expected, found) = (format!("version {VERSION}"), format!("{}", stored.version));
            return Err(refused(Diagnostic::expected(expected, found)));
        }
        Ok(Self::of(stored.findings.into_iter().map(|known| (known.key, known.count))))
    }

    /// All that was found.
    pub(super) fn of_files(files: &[ExaminedFile]) -> Self {
        Self::of(files.iter().flat_map(|file| {
            let findings = file.report.findings.iter();
            findings.map(|finding| (FindingKey::new(&file.name, finding), finding.count))
        }))
    }

    fn of(findings: impl Iterator<Item = (FindingKey, usize)>) -> Self {
        let mut known = BTreeMap::new();
        for (key, count) in findings {
            let all: &mut usize = known.entry(key).or_default();
            *all = all.saturating_add(count);
        }
        Self(known)
    }

    /// Is it known, and in no more places than then?
    pub(super) fn has(&self, file: &str, finding: &Diagnostic) -> bool {
        let known = self.0.get(&FindingKey::new(file, finding));
        known.is_some_and(|&count| finding.count <= count)
    }

    /// Kinds of findings.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Sorted, a key a line, so that changes of it can be read.
    pub(super) fn to_json(&self) -> String {
        let findings = self.0.iter();
        let findings = findings.map(|(key, &count)| KnownFinding { key: key.clone(), count });
        let stored = BaselineFile { version: VERSION, findings: findings.collect() };
        // Text and numbers: writing them cannot fail.
        let mut text = serde_json::to_string_pretty(&stored).unwrap_or_default();
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

    /// The same for the same finding of the same file, for programs that follow one from
    /// run to run.
    pub(super) fn fingerprint(&self) -> String {
        format!("{}:{}", self.code, self.at)
    }
}

#[cfg(test)]
mod tests {
    use bindpose_asset::doctor::DoctorReport;
    use bindpose_diagnostic::ModelPlace;

    use super::*;

    fn finding(pointer: &str, count: usize) -> Diagnostic {
        let found = Diagnostic::said("ROTATION_NON_UNIT", "").at(ModelPlace::at(pointer).into());
        Diagnostic { count, ..found }
    }

    #[test]
    fn a_finding_is_known_by_its_kind_of_place_until_there_are_more() {
        let findings = vec![finding("/nodes/3/rotation", 2)];
        let file = ExaminedFile {
            file: "./a.glb".to_owned(),
            name: "a.glb".to_owned(),
            report: DoctorReport { findings, ..DoctorReport::default() },
            in_baseline: 0,
        };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("known.json");
        std::fs::write(&path, Baseline::of_files(&[file]).to_json()).unwrap();
        let known = Baseline::read(&path).ok().unwrap();
        assert!(known.has("a.glb", &finding("/nodes/12/rotation", 2)));
        assert!(known.has("a.glb", &finding("/nodes/0/rotation", 1)));
        assert!(!known.has("a.glb", &finding("/nodes/3/rotation", 3)), "one more");
        assert!(!known.has("b.glb", &finding("/nodes/3/rotation", 2)));
        assert!(!known.has("a.glb", &finding("/nodes/3/scale", 2)));
    }

    #[test]
    fn what_is_no_baseline_is_refused_with_a_way_to_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("known.json");
        let whole = r#"{"version": 2, "findings": []}"#;
        for text in ["", "[]", "{}", whole, r#"{"version": 1, "findings": [{}]}"#] {
            std::fs::write(&path, text).unwrap();
            let Err(CommandFailure::Cannot(wrong)) = Baseline::read(&path) else {
                panic!("{text}");
            };
            assert!(wrong.help.contains("--write-baseline"), "{wrong}");
        }
        assert!(Baseline::read(&folder.path().join("none.json")).is_err());
    }
}
