//! Collects all formulas that a set of lessons can show, for hosts without the TeX engine.

use std::collections::BTreeSet;

use super::LessonSet;
use crate::typeset::{FormulaTable, SymbolForm, written_in};
use crate::{Inline, Mention, MentionKind};

impl FormulaTable {
    /// Lays out the formulas of lessons, notes and glossary, and those on the cards of their
    /// symbols. Excludes built-in lessons unless only those are open, because every host has
    /// their table. Skips formulas that cannot be laid out.
    pub fn of_lessons(set: &LessonSet) -> Self {
        Self::of_formulas(formulas(set))
    }
}

fn formulas(set: &LessonSet) -> BTreeSet<String> {
    let outlined: Vec<_> = set.outlined().collect();
    let mut left: Vec<String> = set
        .own_lessons()
        .flat_map(|lesson| &outlined[lesson].1.mentions)
        .chain(set.own_glossary_mentions().map(|(_, mention)| mention))
        .filter_map(tex_of)
        .collect();
    let mut found = BTreeSet::new();
    while let Some(tex) = left.pop() {
        if found.contains(&tex) {
            continue;
        }
        left.extend(written_in(&tex).iter().flat_map(|one| on_card(one, set)));
        // A displayed formula is shown without surrounding space.
        left.push(tex.trim().to_owned());
        found.insert(tex);
    }
    found
}

fn tex_of(mention: &Mention) -> Option<String> {
    match &mention.what {
        MentionKind::Math(tex) => Some(tex.clone()),
        _ => None,
    }
}

/// Formulas on the card of a symbol.
fn on_card(written: &SymbolForm, set: &LessonSet) -> Vec<String> {
    let Some((symbol, _)) = set.symbols.find(written) else {
        return Vec::new();
    };
    symbol
        .what_of(written)
        .into_iter()
        .filter_map(|inline| match inline {
            Inline::Math(tex) => Some(tex),
            _ => None,
        })
        .chain([written.tex()])
        .collect()
}
