//! The list of findings that an examination collects.

use std::collections::BTreeMap;
use std::fmt;

use bindpose_diagnostic::{Diagnostic, ModelPlace, Place, Severity};

use super::catalog::{ACCESSOR_MAX_MISMATCH, ACCESSOR_MIN_MISMATCH, DoctorFault, MORE_FINDINGS};
use super::examined::ExaminedModel;

/// Maximum number of entries. Bounds the report of a file with arbitrary faults.
const MAX_FINDINGS: usize = 200;

/// Findings so far. Repeated faults at the same kind of place, such as
/// `/nodes/*/rotation`, share one entry with a count.
#[derive(Debug, Default)]
pub(super) struct Findings {
    list: Vec<Diagnostic>,
    /// Index in `list` by [`group_hash`].
    groups: BTreeMap<u64, usize>,
    /// Number of faults that were omitted because the list is full.
    unlisted_count: usize,
    /// Buffer that [`FindingPlace::pointer`] reuses.
    pointer: String,
    /// The model's contents, as far as they are known.
    pub(super) examined: Option<ExaminedModel>,
}

/// A place in a file, formatted only if its finding is listed.
pub(super) trait FindingPlace {
    /// Returns the JSON pointer, using `buffer` as storage if necessary.
    fn pointer<'a>(&'a self, buffer: &'a mut String) -> &'a str;

    fn into_place(self) -> ModelPlace;
}

impl FindingPlace for &str {
    fn pointer<'a>(&'a self, _buffer: &'a mut String) -> &'a str {
        self
    }

    fn into_place(self) -> ModelPlace {
        ModelPlace::at(self)
    }
}

impl FindingPlace for String {
    fn pointer<'a>(&'a self, _buffer: &'a mut String) -> &'a str {
        self
    }

    fn into_place(self) -> ModelPlace {
        ModelPlace::at(self)
    }
}

impl FindingPlace for ModelPlace {
    fn pointer<'a>(&'a self, _buffer: &'a mut String) -> &'a str {
        &self.pointer
    }

    fn into_place(self) -> ModelPlace {
        self
    }
}

impl FindingPlace for fmt::Arguments<'_> {
    fn pointer<'a>(&'a self, buffer: &'a mut String) -> &'a str {
        // Writing to a string cannot fail.
        let _ = fmt::Write::write_fmt(buffer, *self);
        buffer
    }

    fn into_place(self) -> ModelPlace {
        ModelPlace::at(self.to_string())
    }
}

impl Findings {
    /// Adds a fault at one place. [`NewFinding::expected`] completes it.
    pub(super) fn add(&mut self, fault: &DoctorFault, place: impl FindingPlace) -> NewFinding<'_> {
        self.add_many(fault, 1, place)
    }

    /// Adds a fault at `count` places, of which `place` is the first or the worst.
    pub(super) fn add_many(
        &mut self,
        fault: &DoctorFault,
        count: usize,
        place: impl FindingPlace,
    ) -> NewFinding<'_> {
        let mut buffer = std::mem::take(&mut self.pointer);
        buffer.clear();
        let is_counted = self.try_count(fault, count, place.pointer(&mut buffer));
        self.pointer = buffer;
        let place = (!is_counted).then(|| Place::Model(place.into_place()));
        NewFinding { findings: self, fault: *fault, count, place, help: "" }
    }

    /// Adds `count` to the entry for this fault and kind of place. Returns `false` if there is
    /// no such entry but room for one.
    pub(super) fn try_count(&mut self, fault: &DoctorFault, count: usize, pointer: &str) -> bool {
        let group = group_hash(fault.code, fault.severity, pointer);
        if let Some(&index) = self.groups.get(&group) {
            self.list[index].count += count;
        } else if self.list.len() >= MAX_FINDINGS {
            self.unlisted_count += count;
        } else {
            return false;
        }
        true
    }

    /// Adds a complete diagnostic, for example one of the reader's.
    pub(super) fn add_diagnostic(&mut self, diagnostic: Diagnostic) {
        let group = match &diagnostic.at {
            Place::Model(place) => group_hash(diagnostic.code, diagnostic.severity, &place.pointer),
            other => group_hash(diagnostic.code, diagnostic.severity, &other.to_string()),
        };
        if let Some(&index) = self.groups.get(&group) {
            self.list[index].count += diagnostic.count;
        } else if self.list.len() >= MAX_FINDINGS {
            self.unlisted_count += diagnostic.count;
        } else {
            self.groups.insert(group, self.list.len());
            self.list.push(diagnostic);
        }
    }

    /// Returns whether there is a warning or an error at this kind of place, above it, or below
    /// it.
    pub(super) fn has_problem_near(&self, pointer: &str) -> bool {
        let wanted = kind_of_place(pointer);
        self.list
            .iter()
            .filter(|finding| finding.severity != Severity::Note)
            .map(|finding| kind_of_place(finding.at.pointer()))
            .any(|kind| {
                !kind.is_empty() && (wanted.starts_with(&kind) || kind.starts_with(&wanted))
            })
    }

    /// Returns whether a finding has this code.
    pub(super) fn contains(&self, code: &str) -> bool {
        self.list.iter().any(|finding| finding.code == code)
    }

    /// Removes the findings for which `keep` returns `false`.
    pub(super) fn retain(&mut self, keep: impl FnMut(&Diagnostic) -> bool) {
        self.list.retain(keep);
        self.groups = self
            .list
            .iter()
            .enumerate()
            .map(|(index, finding)| {
                (group_hash(finding.code, finding.severity, finding.at.pointer()), index)
            })
            .collect();
    }

    pub(super) fn has_errors(&self) -> bool {
        self.list.iter().any(|finding| finding.severity == Severity::Error)
    }

    /// Returns errors, then warnings, then notes, each in the order found. Wrong bounds of
    /// accessors come last among their severity because they have no visible effect.
    pub(super) fn into_sorted(mut self) -> Vec<Diagnostic> {
        self.list.sort_by_key(|finding| {
            let bounds = [ACCESSOR_MIN_MISMATCH.code, ACCESSOR_MAX_MISMATCH.code];
            (finding.severity, bounds.contains(&finding.code))
        });
        let unlisted_count = std::mem::take(&mut self.unlisted_count);
        if unlisted_count > 0 {
            self.groups.clear();
            let kept = self.list.len().min(MAX_FINDINGS - 1);
            let cut = self.list.split_off(kept);
            let cut_count: usize = cut.iter().map(|finding| finding.count).sum();
            self.add(&MORE_FINDINGS, "").expected(
                format!("at most {MAX_FINDINGS} findings"),
                format!("and {} more", unlisted_count + cut_count),
            );
        }
        self.list
    }
}

/// A finding without its expected and actual value.
#[must_use]
pub(super) struct NewFinding<'a> {
    findings: &'a mut Findings,
    fault: DoctorFault,
    count: usize,
    /// `None` if the finding was added to the count of an existing entry.
    place: Option<Place>,
    /// Empty for the fault's own remedy.
    help: &'static str,
}

impl NewFinding<'_> {
    /// Replaces the fault's remedy by a phrase without a capital and a full stop.
    pub(super) fn help(self, help: &'static str) -> Self {
        Self { help, ..self }
    }

    /// Completes the finding. Formats the values only if it is listed.
    pub(super) fn expected(self, expected: impl fmt::Display, found: impl fmt::Display) {
        let Self { findings, fault, count, place, help } = self;
        if let Some(place) = place {
            let diagnostic = Diagnostic::expected(expected.to_string(), found.to_string())
                .at(place)
                .help(capitalized_sentence(help));
            findings.add_diagnostic(Diagnostic { count, ..fault.complete(diagnostic) });
        }
    }
}

/// Adds a capital and a full stop to a phrase. Returns an empty text unchanged.
fn capitalized_sentence(phrase: &str) -> String {
    let mut letters = phrase.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).chain(['.']).collect()
    })
}

/// Hashes code, severity and kind of place by FNV-1a, which is fast enough to run for every
/// faulty element.
fn group_hash(code: &str, severity: Severity, pointer: &str) -> u64 {
    let mut hash = 0xCBF2_9CE4_8422_2325_u64 ^ severity as u64;
    for text in std::iter::once(code).chain(kind_parts(pointer)) {
        for byte in text.bytes().chain([0xFF]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        }
    }
    hash
}

/// Returns the kind of a place, by which findings are grouped: `/nodes/*/rotation` for
/// `/nodes/7/rotation`. Indices of primitives and extensions are kept.
pub fn kind_of_place(pointer: &str) -> String {
    kind_parts(pointer).flat_map(|part| ["/", part]).collect()
}

/// Splits the kind of a place into its parts.
///
/// Keeps indices below `attributes`, so that the worst vertex of every primitive is reported,
/// and of extensions, so that each is reported by name.
fn kind_parts(pointer: &str) -> impl Iterator<Item = &str> {
    let keeps_indices = pointer.contains("/attributes/") || pointer.starts_with("/extensions");
    pointer.split('/').skip(1).map(move |part| {
        let is_index = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        if is_index && !keeps_indices { "*" } else { part }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::{NODE_LOOP, ROTATION_NON_UNIT};

    #[test]
    fn repeated_faults_share_one_entry() {
        let mut findings = Findings::default();
        for node in 3..6 {
            findings.add(&ROTATION_NON_UNIT, format!("/nodes/{node}/rotation")).expected("1", "2");
        }
        findings.add(&NODE_LOOP, "/nodes/1").expected("", "");
        let list = findings.into_sorted();
        assert_eq!(list.len(), 2);
        assert_eq!((list[0].at.pointer(), list[0].count), ("/nodes/3/rotation", 3));
    }

    #[test]
    fn a_full_list_counts_the_remaining_findings() {
        let mut findings = Findings::default();
        for index in 0..3 * MAX_FINDINGS {
            findings.add(&NODE_LOOP, format!("/x{index}")).expected("", "");
        }
        let list = findings.into_sorted();
        assert_eq!(list.len(), MAX_FINDINGS);
        let last = list.last().unwrap();
        assert_eq!(last.code, "MORE_FINDINGS");
        assert_eq!(last.found, format!("and {} more", 2 * MAX_FINDINGS + 1));
    }
}
