//! Known bugs of skinning: their names, the settings that reproduce them, where they occurred,
//! their looks, and the number that reveals them. Listed in `assets/words/faults.toml`.

use std::sync::LazyLock;

use bindpose_diagnostic::did_you_mean;
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer};

use crate::{Setting, parse_settings};

/// Stage of the pipeline in which a bug occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultPlace {
    /// Reading a file: vertices, influences, inverse bind matrices, keys.
    Reading,
    /// Computing the matrices of joints.
    Posing,
    /// Uploading palette and attributes, and the shader.
    Sending,
}

impl FaultPlace {
    /// Heading for readers.
    pub fn label(self) -> &'static str {
        match self {
            Self::Reading => "reading the file",
            Self::Posing => "computing the matrices",
            Self::Sending => "on the way to the shader",
        }
    }
}

/// A known bug. The texts are Markdown for readers.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownFault {
    /// Name in lessons, links and records.
    pub id: &'static str,
    pub title: &'static str,
    pub place: FaultPlace,
    /// Settings that reproduce it, in the syntax of `set:` links. [`Setting::Faults`] is added
    /// to faults that are already on.
    set: &'static str,
    /// Settings, in the same syntax, that it needs to have an effect, and that are correct by
    /// themselves. Can be empty.
    #[serde(default)]
    needs: &'static str,
    /// Engines, exporters and issues in which it occurred.
    pub seen: &'static str,
    pub looks: &'static str,
    /// The number that reveals it.
    pub tell: &'static str,
    /// Misconception behind it, in one sentence. Empty for a slip.
    #[serde(default)]
    pub belief: &'static str,
}

impl KnownFault {
    /// All its settings, in the syntax of `set:` links.
    #[cfg(test)]
    fn written(&self) -> String {
        let parts: Vec<&str> =
            [self.needs, self.set].into_iter().filter(|part| !part.is_empty()).collect();
        parts.join(",")
    }

    pub fn settings(&self) -> Vec<Setting> {
        parse_known_settings(self.set)
    }

    /// Settings that it needs to have an effect.
    pub fn needs(&self) -> Vec<Setting> {
        parse_known_settings(self.needs)
    }
}

/// Parses settings. A test checks that all of them are valid.
fn parse_known_settings(settings: &str) -> Vec<Setting> {
    if settings.is_empty() {
        return Vec::new();
    }
    parse_settings(settings).unwrap_or_default()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, bound(deserialize = "'de: 'static"))]
struct FaultList {
    fault: Vec<KnownFault>,
}

static FAULTS: LazyLock<FaultList> = LazyLock::new(|| {
    toml::from_str(include_str!("../../../assets/words/faults.toml")).expect("a test reads it")
});

/// All known bugs in the order of the pipeline, from the file to the picture.
pub fn known_faults() -> impl Iterator<Item = FaultName> {
    FAULTS.fault.iter().map(FaultName)
}

/// Reference to one of the [`known_faults`].
#[derive(Clone, Copy, Debug)]
pub struct FaultName(&'static KnownFault);

impl FaultName {
    pub fn from_id(id: &str) -> Option<Self> {
        known_faults().find(|fault| fault.id == id)
    }
}

impl std::ops::Deref for FaultName {
    type Target = KnownFault;

    fn deref(&self) -> &KnownFault {
        self.0
    }
}

impl PartialEq for FaultName {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl<'de> Deserialize<'de> for FaultName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(IdVisitor)
    }
}

struct IdVisitor;

impl Visitor<'_> for IdVisitor {
    type Value = FaultName;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the name of a fault in quotes")
    }

    fn visit_str<E: Error>(self, id: &str) -> Result<FaultName, E> {
        FaultName::from_id(id).ok_or_else(|| {
            let ids: Vec<&str> = known_faults().map(|fault| fault.0.id).collect();
            let help = did_you_mean(id, &ids);
            E::custom(format!("no fault is called `{id}`: {help}"))
        })
    }
}

#[cfg(not(target_arch = "wasm32"))]
impl schemars::JsonSchema for FaultName {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "FaultName".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let ids: Vec<&str> = known_faults().map(|fault| fault.0.id).collect();
        schemars::json_schema!({ "type": "string", "enum": ids })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fmt::Write as _;
    use std::path::Path;

    use super::*;
    use crate::SkinningFault;

    #[test]
    fn faults_have_unique_names_valid_settings_and_all_texts() {
        let mut ids = BTreeSet::new();
        for fault in known_faults() {
            assert!(ids.insert(fault.id), "{} is there twice", fault.id);
            assert!(
                fault.id.chars().all(|c| c.is_ascii_lowercase() || c == '-' || c.is_ascii_digit())
            );
            assert!(parse_settings(fault.set).is_ok(), "{}", fault.id);
            assert!(fault.needs.is_empty() || parse_settings(fault.needs).is_ok(), "{}", fault.id);
            assert!(!fault.title.trim().is_empty(), "{}", fault.id);
            for words in [fault.seen, fault.looks, fault.tell] {
                assert!(words.ends_with(['.', '”']), "{}: {words}", fault.id);
            }
            assert_eq!(FaultName::from_id(fault.id), Some(fault));
        }
        assert!(ids.len() >= 24, "{}", ids.len());
    }

    #[test]
    fn every_skinning_fault_is_listed() {
        let settings: Vec<Setting> = known_faults().flat_map(|fault| fault.settings()).collect();
        for fault in SkinningFault::ALL {
            let named =
                |setting: &Setting| matches!(setting, Setting::Faults(on) if on.contains(&fault));
            assert!(settings.iter().any(named), "{}", fault.key());
        }
    }

    #[test]
    fn suggests_the_nearest_fault() {
        let error = serde_json::from_str::<FaultName>("\"order-swaped\"").unwrap_err();
        assert!(error.to_string().contains("order-swapped"), "{error}");
    }

    /// The head of `docs/faults.md`: all known faults, out of the catalogue.
    /// `UPDATE_SNAPSHOTS=1` writes it anew.
    const HEAD: &str = "# Faults of skinning

<!-- Written by a test out of assets/words/faults.toml: UPDATE_SNAPSHOTS=1 cargo test -p bindpose-lesson known_faults -->

Bugs that people have met, as switches: a cell `faults` of a lesson shows them, and a step, a link or a variant of a comparison puts their settings. Where a fault lives, it is at work: in what is read of the file, in the matrices, on the way to the shader or in the shader itself; picture and numbers follow. Each pair of them is told apart by a number of the page, which a test proves on the built-in rigs.
";

    fn page() -> String {
        let mut page = HEAD.to_owned();
        let mut place = None;
        for fault in known_faults() {
            if place != Some(fault.place) {
                place = Some(fault.place);
                let heading = fault.place.label();
                write!(
                    page,
                    "\n## {}{}\n\n| fault | settings | looks like | how to tell | seen |\n| --- | --- | --- | --- | --- |\n",
                    heading[..1].to_uppercase(),
                    &heading[1..]
                )
                .unwrap();
            }
            let belief = if fault.belief.is_empty() {
                String::new()
            } else {
                format!(" Believed: “{}”", fault.belief)
            };
            writeln!(
                page,
                "| {}<br>`{}` | `{}` | {} | {} | {}{belief} |",
                fault.title,
                fault.id,
                fault.written(),
                fault.looks,
                fault.tell,
                fault.seen
            )
            .unwrap();
        }
        page
    }

    #[test]
    fn the_document_matches_the_catalogue() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/faults.md");
        if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
            std::fs::write(&path, page()).unwrap();
        }
        let stored = std::fs::read_to_string(&path).unwrap_or_default();
        let hint = "UPDATE_SNAPSHOTS=1 cargo test -p bindpose-lesson known_faults writes it anew";
        assert!(stored == page(), "docs/faults.md is not that of the catalogue; {hint}");
    }
}
