//! Formulas that were laid out ahead, as text: a line each, of its TeX as a JSON
//! string, and what it looks like in either setting.

use std::collections::BTreeMap;
#[cfg(not(target_arch = "wasm32"))]
use std::collections::BTreeSet;
use std::fmt::Write as _;

use ratex_types::display_item::DisplayList;

use super::entry::TypesetEntry;
use super::{FormulaSetting, SymbolPlace};

/// Between the TeX and what it looks like; JSON has none within its strings.
const TAB: char = '\t';

/// Formulas by their TeX. Lines are read when they are asked for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FormulaTable {
    /// By the TeX as JSON has it.
    lines: BTreeMap<String, String>,
}

impl FormulaTable {
    /// From its text. A line that is none is left out.
    pub fn from_text(text: &str) -> Self {
        let lines = text.lines().filter_map(|line| line.split_once(TAB));
        let lines = lines.map(|(tex, laid_out)| (tex.to_owned(), laid_out.to_owned()));
        Self { lines: lines.collect() }
    }

    /// As text, for [`FormulaTable::from_text`].
    pub fn text(&self) -> String {
        let mut out = String::new();
        for (tex, laid_out) in &self.lines {
            let _ = writeln!(out, "{tex}{TAB}{laid_out}");
        }
        out
    }

    /// How many formulas it has.
    pub fn count(&self) -> usize {
        self.lines.len()
    }

    /// Names of the faces that its formulas are set in.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn faces(&self) -> BTreeSet<String> {
        let lines = self.lines.values();
        let entries = lines.filter_map(|line| serde_json::from_str(line).ok());
        let settings =
            entries.flat_map(|(display, inline): (TypesetEntry, Option<TypesetEntry>)| {
                [Some(display), inline].into_iter().flatten()
            });
        settings.flat_map(|entry| entry.faces()).collect()
    }

    /// Adds a formula as it looks on a line of its own and within one.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn add(&mut self, tex: &str, display: &TypesetEntry, inline: &TypesetEntry) {
        // Most look the same.
        let other = (inline != display).then_some(inline);
        if let Ok(line) = serde_json::to_string(&(display, other)) {
            self.lines.insert(key(tex), line);
        }
    }

    /// Is it in the table?
    pub fn has(&self, tex: &str) -> bool {
        self.lines.contains_key(&key(tex))
    }

    /// Where the parts of a formula stand; `None`: it is not in the table.
    pub fn laid_out(&self, tex: &str, setting: FormulaSetting) -> Option<DisplayList> {
        Some(self.find(tex, setting)?.list())
    }

    /// Where its symbols stand; none where it is not in the table.
    pub fn symbol_places(&self, tex: &str, setting: FormulaSetting) -> Vec<SymbolPlace> {
        let found = self.find(tex, setting);
        found.map_or_else(Vec::new, TypesetEntry::symbols)
    }

    pub(super) fn find(&self, tex: &str, setting: FormulaSetting) -> Option<TypesetEntry> {
        let line = self.lines.get(&key(tex))?;
        let (display, inline): (TypesetEntry, Option<TypesetEntry>) =
            serde_json::from_str(line).ok()?;
        Some(match setting {
            FormulaSetting::Display => display,
            FormulaSetting::Inline => inline.unwrap_or(display),
        })
    }
}

fn key(tex: &str) -> String {
    serde_json::Value::from(tex).to_string()
}
