//! Bugs of skinning that people have met: what each is called, which settings make
//! it, where it was seen, what it looks like and which number tells it.

mod known_fault;
mod posing;
mod reading;
mod sending;

use serde::Deserializer;
use serde::de::{Error, Visitor};

pub use known_fault::{FaultPlace, KnownFault};

use bindpose_diagnostic::did_you_mean;

/// All of them, in the order of the way from a file to the picture.
pub fn known_faults() -> impl Iterator<Item = FaultName> {
    [reading::FAULTS, posing::FAULTS, sending::FAULTS].into_iter().flatten().map(FaultName)
}

/// One of [`known_faults`].
#[derive(Clone, Copy, Debug)]
pub struct FaultName(&'static KnownFault);

impl FaultName {
    /// The one of that name.
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

impl<'de> serde::Deserialize<'de> for FaultName {
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
mod page;

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::{Fault, Setting, parse_settings};

    #[test]
    fn each_has_a_name_of_its_own_settings_that_are_read_and_all_its_words() {
        let mut ids = BTreeSet::new();
        for fault in known_faults() {
            assert!(ids.insert(fault.id), "{} is there twice", fault.id);
            assert!(
                fault.id.chars().all(|c| c.is_ascii_lowercase() || c == '-' || c.is_ascii_digit())
            );
            assert!(parse_settings(fault.set).is_ok(), "{}", fault.id);
            assert!(fault.needs.is_empty() || parse_settings(fault.needs).is_ok(), "{}", fault.id);
            for words in [fault.seen, fault.looks, fault.tell] {
                assert!(words.ends_with(['.', '”']), "{}: {words}", fault.id);
            }
            assert_eq!(FaultName::from_id(fault.id), Some(fault));
        }
        assert!(ids.len() >= 24, "{}", ids.len());
    }

    #[test]
    fn every_switch_of_the_page_is_among_them() {
        let settings: Vec<Setting> = known_faults().flat_map(|fault| fault.settings()).collect();
        for fault in Fault::ALL {
            let named =
                |setting: &Setting| matches!(setting, Setting::Faults(on) if on.contains(&fault));
            assert!(settings.iter().any(named), "{}", fault.key());
        }
    }

    #[test]
    fn a_name_that_is_not_there_is_answered_with_one_that_is() {
        let wrong = serde_json::from_str::<FaultName>("\"order-swaped\"").unwrap_err();
        assert!(wrong.to_string().contains("order-swapped"), "{wrong}");
    }
}
