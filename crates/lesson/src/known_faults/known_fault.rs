//! What is known of one bug.

use crate::{Setting, parse_settings};

/// Where a bug lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultPlace {
    /// A file is read: vertices, influences, inverse bind matrices, keys.
    Reading,
    /// The joints’ matrices are computed.
    Posing,
    /// Palette and attributes go to the shader, and the shader works with them.
    Sending,
}

impl FaultPlace {
    /// For people, as a heading.
    pub fn label(self) -> &'static str {
        match self {
            Self::Reading => "reading the file",
            Self::Posing => "computing the matrices",
            Self::Sending => "on the way to the shader",
        }
    }
}

/// One bug.
#[derive(Debug)]
pub struct KnownFault {
    /// In lessons, links and records.
    pub id: &'static str,
    /// For people.
    pub title: &'static str,
    /// Where it lives.
    pub place: FaultPlace,
    /// The settings that make it, as `set:` links write them; those of
    /// [`Setting::Faults`] are added to what else is wrong.
    pub(super) set: &'static str,
    /// Settings without which it has no effect, in the same words; right by
    /// themselves. Empty: none.
    pub(super) needs: &'static str,
    /// Engines, exporters, issues.
    pub seen: &'static str,
    /// In the picture.
    pub looks: &'static str,
    /// Which number tells.
    pub tell: &'static str,
    /// Behind it, in a sentence; empty: a slip.
    pub belief: &'static str,
}

impl KnownFault {
    /// The settings that make it, with those that it needs first, as `set:` links
    /// write them.
    #[cfg(test)]
    pub(super) fn written(&self) -> String {
        let both = [self.needs, self.set].into_iter();
        both.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(",")
    }

    /// The settings that make it.
    pub fn settings(&self) -> Vec<Setting> {
        read(self.set)
    }

    /// Settings without which it has no effect.
    pub fn needs(&self) -> Vec<Setting> {
        read(self.needs)
    }
}

/// A test reads them all.
fn read(settings: &str) -> Vec<Setting> {
    if settings.is_empty() {
        return Vec::new();
    }
    parse_settings(settings).unwrap_or_default()
}
