//! Findings as SARIF 2.1.0, the format for results of static analysis that code hosts and editors
//! read. The log has one run, with all findings that the doctor knows as rules.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use bindpose_diagnostic::{Diagnostic, Place, Severity};
use bindpose_doctor::known_faults;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Serialize;

use super::baseline::FindingKey;
use super::models::ExaminedFile;

const SCHEMA_URL: &str = "https://json.schemastore.org/sarif-2.1.0.json";
/// Characters to percent-encode in the path of a URI. They include the colon, which is not allowed
/// in the first segment of a relative URI.
const ENCODED_CHARACTERS: &AsciiSet =
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

/// A finding that the doctor knows. Empty texts are omitted, since SARIF does not allow them.
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
    /// Serialized as `error`, `warning` or `note`, the level names of SARIF.
    level: Severity,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifInvocation {
    /// Whether every file could be read.
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
    physical_location: SarifPhysicalLocation,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    logical_locations: Vec<SarifLogicalLocation>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifPhysicalLocation {
    artifact_location: SarifArtifactLocation,
    region: SarifRegion,
}

#[derive(Serialize)]
struct SarifArtifactLocation {
    uri: String,
}

/// Line and column count from 1.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifRegion {
    start_line: usize,
    start_column: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifLogicalLocation {
    fully_qualified_name: String,
}

/// GitHub identifies a finding of a file across runs by this key alone, which must have this name.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifFingerprints {
    primary_location_line_hash: String,
}

/// The same keys as in `--format json`: `at`, `vertex` and `joint` of the place, and others.
#[derive(Serialize)]
struct SarifProperties<'a> {
    #[serde(flatten)]
    place: &'a Place,
    count: usize,
    mendable: bool,
}

impl<'a> SarifLog<'a> {
    /// Creates a log. `unread` has the errors for files that could not be examined.
    pub(super) fn new(models: &'a [ExaminedFile], unread: &[Diagnostic]) -> Self {
        let mut rules = SarifRules::with_known_findings();
        let mut results = Vec::new();
        for model in models {
            for finding in &model.report.findings {
                let rule_index = rules.index_of(finding);
                results.push(SarifResult::new(&model.name, finding, rule_index));
            }
        }
        let run = SarifRun {
            tool: SarifTool {
                driver: SarifDriver {
                    name: "Bindpose doctor",
                    version: env!("CARGO_PKG_VERSION"),
                    rules: rules.rules,
                },
            },
            column_kind: "unicodeCodePoints",
            invocations: [SarifInvocation {
                execution_successful: unread.is_empty(),
                tool_execution_notifications: unread
                    .iter()
                    .map(|wrong| SarifNotification {
                        level: Severity::Error,
                        message: SarifText { text: wrong.to_string() },
                    })
                    .collect(),
            }],
            results,
        };
        Self { schema: SCHEMA_URL, version: "2.1.0", runs: [run] }
    }
}

struct SarifRules {
    rules: Vec<SarifRule>,
    /// Index of each rule by its code.
    indices: BTreeMap<&'static str, usize>,
}

impl SarifRules {
    fn with_known_findings() -> Self {
        let mut all = Self { rules: Vec::new(), indices: BTreeMap::new() };
        for finding in known_faults() {
            all.index_of(&finding);
        }
        all
    }

    /// Returns the index of the rule of a finding. Adds the rule if the finding is not one of the
    /// doctor's own but comes from the reader of the file.
    fn index_of(&mut self, finding: &Diagnostic) -> usize {
        *self.indices.entry(finding.code).or_insert_with(|| {
            self.rules.push(SarifRule {
                id: finding.code,
                short_description: SarifText { text: finding.sentence() },
                full_description: SarifText { text: finding.effect.clone() },
                help: SarifText { text: finding.help.clone() },
                default_configuration: SarifLevel { level: finding.severity },
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

impl<'a> SarifResult<'a> {
    fn new(file: &str, finding: &'a Diagnostic, rule_index: usize) -> Self {
        let (logical_name, start_line, start_column) = match &finding.at {
            Place::Xml { path, at } => (path.as_str(), at.line, at.column),
            // GitHub requires a region, but a binary file has no lines.
            place => (place.pointer(), 1, 1),
        };
        let mut logical_locations = Vec::new();
        if !logical_name.is_empty() {
            logical_locations
                .push(SarifLogicalLocation { fully_qualified_name: logical_name.to_owned() });
        }
        Self {
            rule_id: finding.code,
            rule_index,
            level: finding.severity,
            message: SarifText { text: message_text(finding) },
            locations: [SarifLocation {
                physical_location: SarifPhysicalLocation {
                    artifact_location: SarifArtifactLocation { uri: file_uri(file) },
                    region: SarifRegion { start_line, start_column },
                },
                logical_locations,
            }],
            partial_fingerprints: SarifFingerprints {
                primary_location_line_hash: FindingKey::new(file, finding).fingerprint(),
            },
            properties: SarifProperties {
                place: &finding.at,
                count: finding.count,
                mendable: finding.mendable,
            },
        }
    }
}

/// Returns title, place, expectation and effect of a finding as one text.
fn message_text(finding: &Diagnostic) -> String {
    let Diagnostic { title, at, expected, found, effect, .. } = finding;
    let mut text = format!("{title} ({at})");
    if !expected.is_empty() {
        let _ = write!(text, " Expected {expected}");
        if !found.is_empty() {
            let _ = write!(text, ", found {found}");
        }
        text.push('.');
    }
    if !effect.is_empty() {
        let _ = write!(text, " {effect}");
    }
    text.trim_start().to_owned()
}

/// Returns the URI of a file, relative if its name is.
fn file_uri(name: &str) -> String {
    let path = utf8_percent_encode(name, ENCODED_CHARACTERS);
    if !std::path::Path::new(name).is_absolute() {
        path.to_string()
    } else if name.starts_with('/') {
        format!("file://{path}")
    } else {
        // A Windows path starts with its drive.
        format!("file:///{path}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_become_uris() {
        assert_eq!(file_uri("models/a hand%20.glb"), "models/a%20hand%2520.glb");
        assert_eq!(file_uri("c:x/Körper.glb"), "c%3Ax/K%C3%B6rper.glb");
        #[cfg(unix)]
        assert_eq!(file_uri("/tmp/a.glb"), "file:///tmp/a.glb");
    }
}
