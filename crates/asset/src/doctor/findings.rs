//! The list that the examination fills.

use std::collections::BTreeMap;
use std::fmt;

use bindpose_diagnostic::{Diagnostic, ModelPlace, Place, Severity};

use super::catalog::{ACCESSOR_MAX_MISMATCH, ACCESSOR_MIN_MISMATCH, DoctorFault, MORE_FINDINGS};
use super::examined::ExaminedModel;

/// Kinds of faults, at kinds of places, that are listed.
const MOST: usize = 200;
/// Characters of a value out of the file that are repeated in a finding.
const MOST_SHOWN: usize = 60;

/// Findings so far. The same fault at the same kind of place
/// (`/nodes/*/rotation`) is listed once and counted.
#[derive(Debug, Default)]
pub(super) struct Findings {
    list: Vec<Diagnostic>,
    /// By hashes of code, severity and kind of place: the entry of the list.
    groups: BTreeMap<u64, usize>,
    /// Places of kinds that found no room in the list.
    beyond: usize,
    /// Room to write pointers in.
    pointer: String,
    /// What there is to examine, as far as it is known.
    pub(super) examined: Option<ExaminedModel>,
}

/// Names a place in a file.
pub(super) trait FindingAt {
    /// Its pointer, written into `room` if need be.
    fn pointer<'a>(&'a self, room: &'a mut String) -> &'a str;

    fn place(self) -> ModelPlace;
}

impl FindingAt for &str {
    fn pointer<'a>(&'a self, _room: &'a mut String) -> &'a str {
        self
    }

    fn place(self) -> ModelPlace {
        ModelPlace::at(self)
    }
}

impl FindingAt for String {
    fn pointer<'a>(&'a self, _room: &'a mut String) -> &'a str {
        self
    }

    fn place(self) -> ModelPlace {
        ModelPlace::at(self)
    }
}

impl FindingAt for ModelPlace {
    fn pointer<'a>(&'a self, _room: &'a mut String) -> &'a str {
        &self.pointer
    }

    fn place(self) -> ModelPlace {
        self
    }
}

impl FindingAt for fmt::Arguments<'_> {
    fn pointer<'a>(&'a self, room: &'a mut String) -> &'a str {
        // Writing to a string cannot fail.
        let _ = fmt::Write::write_fmt(room, *self);
        room
    }

    fn place(self) -> ModelPlace {
        ModelPlace::at(self.to_string())
    }
}

impl Findings {
    /// One place with a fault.
    pub(super) fn add(&mut self, fault: &DoctorFault, place: impl FindingAt) -> NewFinding<'_> {
        self.add_many(fault, 1, place)
    }

    /// `count` places with a fault, of which `place` is the first or worst.
    pub(super) fn add_many(
        &mut self,
        fault: &DoctorFault,
        count: usize,
        place: impl FindingAt,
    ) -> NewFinding<'_> {
        let mut pointer = std::mem::take(&mut self.pointer);
        pointer.clear();
        let is_counted = self.counted(fault, count, place.pointer(&mut pointer));
        self.pointer = pointer;
        let place = (!is_counted).then(|| Place::Model(place.place()));
        NewFinding { list: self, fault: *fault, count, place, help: "" }
    }

    /// Most places with a fault are only counted: is one of this kind in the list,
    /// or no room for it, and were these added to that?
    pub(super) fn counted(&mut self, fault: &DoctorFault, count: usize, pointer: &str) -> bool {
        let group = group_of(fault.code, fault.severity, pointer);
        if let Some(&listed) = self.groups.get(&group) {
            self.list[listed].count += count;
        } else if self.list.len() >= MOST {
            self.beyond += count;
        } else {
            return false;
        }
        true
    }

    /// Takes over what the reader found.
    pub(super) fn adopt(&mut self, finding: Diagnostic) {
        let group = match &finding.at {
            Place::Model(place) => group_of(finding.code, finding.severity, &place.pointer),
            other => group_of(finding.code, finding.severity, &other.to_string()),
        };
        if let Some(&listed) = self.groups.get(&group) {
            self.list[listed].count += finding.count;
        } else if self.list.len() >= MOST {
            self.beyond += finding.count;
        } else {
            self.groups.insert(group, self.list.len());
            self.list.push(finding);
        }
    }

    /// Is there a warning or an error at this kind of place, above it or below?
    pub(super) fn speaks_of(&self, pointer: &str) -> bool {
        let asked = kind_of_place(pointer);
        self.list
            .iter()
            .filter(|finding| finding.severity != Severity::Note)
            .map(|finding| kind_of_place(finding.at.pointer()))
            .any(|kind| !kind.is_empty() && (asked.starts_with(&kind) || kind.starts_with(&asked)))
    }

    /// Has an error been found?
    pub(super) fn any_error(&self) -> bool {
        self.list.iter().any(|finding| finding.severity == Severity::Error)
    }

    /// Errors first, then warnings, then notes; each in the order found, but for declared
    /// bounds, of which nothing is seen: they come last.
    pub(super) fn into_list(mut self) -> Vec<Diagnostic> {
        let is_bound = |finding: &Diagnostic| {
            [ACCESSOR_MIN_MISMATCH.code, ACCESSOR_MAX_MISMATCH.code].contains(&finding.code)
        };
        self.list.sort_by_key(|finding| (finding.severity, is_bound(finding)));
        let beyond = std::mem::take(&mut self.beyond);
        if beyond > 0 {
            self.groups.clear();
            let room = self.list.len().min(MOST - 1);
            let cut: usize = self.list.split_off(room).iter().map(|finding| finding.count).sum();
            let more = format!("and {} more", beyond + cut);
            self.add(&MORE_FINDINGS, "").expected(format!("at most {MOST} findings"), more);
        }
        self.list
    }
}

/// Places with a fault, of which is still to be said what is wrong there.
#[must_use]
pub(super) struct NewFinding<'a> {
    list: &'a mut Findings,
    fault: DoctorFault,
    count: usize,
    /// `None`: they are only counted.
    place: Option<Place>,
    /// Empty: that of the fault.
    help: &'static str,
}

impl NewFinding<'_> {
    /// What to do about it, where that is not the remedy of the fault: as the reader
    /// says it, without a capital and a full stop.
    pub(super) fn help(self, help: &'static str) -> Self {
        Self { help, ..self }
    }

    /// What should stand there, and what does; put together only where it is listed.
    pub(super) fn expected(self, expected: impl fmt::Display, found: impl fmt::Display) {
        let Self { list, fault, count, place, help } = self;
        if let Some(place) = place {
            let found = Diagnostic::expected(expected.to_string(), found.to_string()).at(place);
            let found = found.help(sentence(help));
            list.adopt(Diagnostic { count, ..fault.of(found) });
        }
    }
}

/// Of words without a capital and a full stop; of none, none.
fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).chain(['.']).collect()
    })
}

/// FNV-1a, for it is asked for every place with a fault.
fn group_of(code: &str, severity: Severity, pointer: &str) -> u64 {
    let mut hash = 0xCBF2_9CE4_8422_2325_u64 ^ severity as u64;
    let mut add = |text: &str| {
        for byte in text.bytes().chain([0xFF]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        }
    };
    add(code);
    parts_of(pointer).for_each(add);
    hash
}

/// The kind of a place, by which findings are grouped: `/nodes/*/rotation` for
/// `/nodes/7/rotation`. Where each primitive or extension counts for itself, it is the
/// place.
pub fn kind_of_place(pointer: &str) -> String {
    parts_of(pointer).flat_map(|part| ["/", part]).collect()
}

/// The kind of a place, part by part.
///
/// Where a vertex can be named, each primitive counts for itself, so that the
/// worst vertex of each is kept; and each extension, for its name.
fn parts_of(pointer: &str) -> impl Iterator<Item = &str> {
    let whole = pointer.contains("/attributes/") || pointer.starts_with("/extensions");
    pointer.split('/').skip(1).map(move |part| {
        let index = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        if index && !whole { "*" } else { part }
    })
}

/// Text out of a file, cut short, with quotes around it.
pub(super) fn quoted(text: &str) -> String {
    let mut shown: String = text.chars().take(MOST_SHOWN).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    format!("“{}”", shown.escape_debug())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::catalog::{NODE_LOOP, ROTATION_NON_UNIT};

    #[test]
    fn equal_faults_at_equal_kinds_of_places_are_counted() {
        let mut findings = Findings::default();
        for node in 3..6 {
            findings.add(&ROTATION_NON_UNIT, format!("/nodes/{node}/rotation")).expected("1", "2");
        }
        findings.add(&NODE_LOOP, "/nodes/1").expected("", "");
        let list = findings.into_list();
        assert_eq!(list.len(), 2);
        assert_eq!((list[0].at.pointer(), list[0].count), ("/nodes/3/rotation", 3));
    }

    #[test]
    fn the_list_ends_and_says_how_much_is_not_in_it() {
        let mut findings = Findings::default();
        for place in 0..3 * MOST {
            findings.add(&NODE_LOOP, format!("/x{place}")).expected("", "");
        }
        let list = findings.into_list();
        assert_eq!(list.len(), MOST);
        let last = list.last().unwrap();
        assert_eq!(last.code, "MORE_FINDINGS");
        assert_eq!(last.found, format!("and {} more", 2 * MOST + 1));
    }

    #[test]
    fn text_out_of_files_is_cut_and_escaped() {
        assert_eq!(quoted("a\nb"), "“a\\nb”");
        assert!(quoted(&"x".repeat(500)).chars().count() < 70);
    }
}
