//! Findings as SARIF 2.1.0, the form that code hosts and editors read: one run, with every
//! fault that the doctor knows as a rule.

use std::collections::BTreeMap;

use bindpose_asset::doctor::known_faults;
use bindpose_diagnostic::{Diagnostic, Place, Severity};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Serialize;

use super::baseline::FindingKey;
use super::models::ExaminedFile;

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";
/// What stands in a path of a URI as it is. A colon may not, in the first part of one that
/// is relative.
const KEPT: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'_').remove(b'.').remove(b'~');

#[derive(Serialize)]
pub(super) struct SarifLog<'a> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [SarifRun<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifRun<'a> {
    tool: SarifTool,
    column_kind: &'static str,
    invocations: [SarifInvocation; 1],
    results: Vec<SarifResult<'a>>,
}

#[derive(Serialize)]
struct SarifTool {
    driver: SarifDriver,
}

#[derive(Serialize)]
struct SarifDriver {
    name: &'static str,
    version: &'static str,
    rules: Vec<SarifRule>,
}

/// A fault that the doctor knows. Texts that are empty are left out, as the form asks.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifRule {
    id: &'static str,
    short_description: SarifText,
    #[serde(skip_serializing_if = "SarifText::is_empty")]
    full_description: SarifText,
    #[serde(skip_serializing_if = "SarifText::is_empty")]
    help: SarifText,
    default_configuration: SarifLevel,
}

#[derive(Serialize)]
struct SarifText {
    text: String,
}

#[derive(Serialize)]
struct SarifLevel {
    /// `error`, `warning` or `note`, which are SARIF’s own.
    level: Severity,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifInvocation {
    /// Could every file be read?
    execution_successful: bool,
    tool_execution_notifications: Vec<SarifNotification>,
}

#[derive(Serialize)]
struct SarifNotification {
    level: Severity,
    message: SarifText,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifResult<'a> {
    rule_id: &'static str,
    rule_index: usize,
    level: Severity,
    message: SarifText,
    locations: [SarifLocation; 1],
    partial_fingerprints: SarifFingerprints,
    properties: SarifProperties<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifLocation {
    physical_location: SarifPlace,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    logical_locations: Vec<SarifLogicalPlace>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifPlace {
    artifact_location: SarifArtifact,
    region: SarifRegion,
}

#[derive(Serialize)]
struct SarifArtifact {
    uri: String,
}

/// Both from 1.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifRegion {
    start_line: usize,
    start_column: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifLogicalPlace {
    fully_qualified_name: String,
}

/// GitHub takes two findings of one file for the same by this name alone.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifFingerprints {
    primary_location_line_hash: String,
}

/// `at`, `vertex` and `joint`, as `--format json` has them, and more of it.
#[derive(Serialize)]
struct SarifProperties<'a> {
    #[serde(flatten)]
    place: &'a Place,
    count: usize,
    mendable: bool,
}

impl<'a> SarifLog<'a> {
    /// `unread`: why files were not examined.
    pub(super) fn new(files: &'a [ExaminedFile], unread: &[Diagnostic]) -> Self {
        let mut rules = SarifRules::known();
        let found = files.iter().flat_map(|file| {
            file.report.findings.iter().map(|finding| (file.name.as_str(), finding))
        });
        let results = found.map(|(file, finding)| {
            let rule = rules.index_of(finding);
            result(file, finding, rule)
        });
        let results = results.collect();
        let notifications = unread.iter().map(|wrong| SarifNotification {
            level: Severity::Error,
            message: SarifText { text: wrong.to_string() },
        });
        let (name, version) = ("Bindpose doctor", env!("CARGO_PKG_VERSION"));
        let run = SarifRun {
            tool: SarifTool { driver: SarifDriver { name, version, rules: rules.rules } },
            column_kind: "unicodeCodePoints",
            invocations: [SarifInvocation {
                execution_successful: unread.is_empty(),
                tool_execution_notifications: notifications.collect(),
            }],
            results,
        };
        Self { schema: SCHEMA, version: "2.1.0", runs: [run] }
    }
}

/// Rules, by their codes.
struct SarifRules {
    rules: Vec<SarifRule>,
    places: BTreeMap<&'static str, usize>,
}

impl SarifRules {
    fn known() -> Self {
        let mut all = Self { rules: Vec::new(), places: BTreeMap::new() };
        for fault in known_faults() {
            all.index_of(&fault);
        }
        all
    }

    /// What the reader of a model leaves out has codes of its own.
    fn index_of(&mut self, fault: &Diagnostic) -> usize {
        *self.places.entry(fault.code).or_insert_with(|| {
            self.rules.push(SarifRule {
                id: fault.code,
                short_description: SarifText { text: fault.sentence() },
                full_description: SarifText { text: fault.effect.clone() },
                help: SarifText { text: fault.help.clone() },
                default_configuration: SarifLevel { level: fault.severity },
            });
            self.rules.len() - 1
        })
    }
}

impl SarifText {
    fn is_empty(&self) -> bool {
        self.text.is_empty()
    }
}

fn result<'a>(file: &str, finding: &'a Diagnostic, rule_index: usize) -> SarifResult<'a> {
    let in_text = match &finding.at {
        Place::Xml { path, at } => Some((path.clone(), *at)),
        _ => None,
    };
    // A binary file has no lines, and GitHub asks for one.
    let (line, column) = in_text.as_ref().map_or((1, 1), |(_, at)| (at.line, at.column));
    let name = in_text.map_or_else(|| finding.at.pointer().to_owned(), |(path, _)| path);
    let logical = (!name.is_empty()).then_some(SarifLogicalPlace { fully_qualified_name: name });
    let fingerprint = FindingKey::new(file, finding).fingerprint();
    SarifResult {
        rule_id: finding.code,
        rule_index,
        level: finding.severity,
        message: SarifText { text: message(finding) },
        locations: [SarifLocation {
            physical_location: SarifPlace {
                artifact_location: SarifArtifact { uri: uri(file) },
                region: SarifRegion { start_line: line, start_column: column },
            },
            logical_locations: logical.into_iter().collect(),
        }],
        partial_fingerprints: SarifFingerprints { primary_location_line_hash: fingerprint },
        properties: SarifProperties {
            place: &finding.at,
            count: finding.count,
            mendable: finding.mendable,
        },
    }
}

/// What is wrong, where, and what it does to the picture.
fn message(finding: &Diagnostic) -> String {
    let Diagnostic { title, at, expected, found, effect, .. } = finding;
    let parts = match (expected.as_str(), found.as_str()) {
        ("", _) => String::new(),
        (expected, "") => format!(" Expected {expected}."),
        (expected, found) => format!(" Expected {expected}, found {found}."),
    };
    let effect = if effect.is_empty() { String::new() } else { format!(" {effect}") };
    format!("{title} ({at}){parts}{effect}").trim_start().to_owned()
}

/// Relative where the file lies below the folder in which the program runs.
fn uri(name: &str) -> String {
    let path = utf8_percent_encode(name, KEPT);
    let is_whole = std::path::Path::new(name).is_absolute();
    match (is_whole, name.starts_with('/')) {
        (true, true) => format!("file://{path}"),
        (true, false) => format!("file:///{path}"),
        (false, _) => path.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_uris() {
        assert_eq!(uri("models/a hand%20.glb"), "models/a%20hand%2520.glb");
        assert_eq!(uri("c:x/Körper.glb"), "c%3Ax/K%C3%B6rper.glb");
        #[cfg(unix)]
        assert_eq!(uri("/tmp/a.glb"), "file:///tmp/a.glb");
    }
}
