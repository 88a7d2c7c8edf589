//! Tests with the collection of models in `../shared/models` or in the folder that
//! `BINDPOSE_SHARED` names. Skipped if there is none.

use std::path::{Path, PathBuf};

use bindpose_gltf::load;
use serde_json::Value;

use super::*;

/// Files of the collection with faults that are no violation of the format, each with its code.
pub(super) const EXPECTED_FAULTS: [(&str, &str); 3] = [
    ("whale.CYCLES.gltf", "ACCESSOR_WEIGHTS_NON_NORMALIZED"),
    // A mesh that is torn at rest, and joints that mirror.
    ("no_inverse_binds.gltf", "IBM_MISSING"),
    ("mirrored.glb", "IBM_MIRRORED"),
];

pub(super) fn models(name: &str) -> Option<PathBuf> {
    let shared = std::env::var_os("BINDPOSE_SHARED").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        PathBuf::from,
    );
    let folder = shared.join("models").join(name);
    if folder.is_dir() {
        return Some(folder);
    }
    println!("SKIPPED: no models at {}", folder.display());
    None
}

pub(super) fn examined(file: &Path) -> DoctorReport {
    report(&load(file, &TaskProgress::default()).unwrap())
}

#[test]
fn every_broken_file_has_the_faults_that_the_validator_finds() {
    let Some(folder) = models("invalid") else {
        return;
    };
    let text = std::fs::read_to_string(folder.join("expected.json")).unwrap();
    let expected: Value = serde_json::from_str(&text).unwrap();
    let mut problems = Vec::new();
    for (file, issues) in expected.as_object().unwrap() {
        let report = examined(&folder.join(file));
        for (kind, severity) in [("errors", Severity::Error), ("warnings", Severity::Warning)] {
            for issue in issues[kind].as_array().unwrap() {
                let found = report.findings.iter().any(|finding| {
                    let place = issue.get("at").and_then(Value::as_str);
                    issue["code"] == finding.code
                        && finding.severity == severity
                        && place.is_none_or(|place| place == finding.at.pointer())
                });
                if !found {
                    problems.push(format!("{file}: {issue}"));
                }
            }
        }
        let sound = issues["errors"].as_array().unwrap().is_empty();
        if sound != (report.errors == 0) {
            problems.push(format!("{file}: {} errors", report.errors));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn models_that_are_sound_have_no_errors() {
    for name in [".", "synthetic"] {
        let Some(folder) = models(name) else {
            continue;
        };
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let end = path.extension().and_then(|end| end.to_str());
            if !matches!(end, Some("gltf" | "glb")) {
                continue;
            }
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            for finding in examined(&path).findings {
                let is_expected = EXPECTED_FAULTS.contains(&(name.as_str(), finding.code));
                assert!(finding.severity != Severity::Error || is_expected, "{name}: {finding:?}");
            }
        }
    }
}

#[test]
fn the_whale_is_mended() {
    let Some(folder) = models(".") else {
        return;
    };
    let source = load(&folder.join("whale.CYCLES.gltf"), &TaskProgress::default()).unwrap();
    let mended = mend(&source, Container::Glb, &TaskProgress::default()).unwrap();
    assert_eq!(mended.report.errors, 0);
    assert!(mended.words[0].contains("divided by their sum"));
}
