//! All formulas that a set of lessons can show, laid out for where there is no
//! engine.

use std::collections::BTreeSet;

use super::entry::TypesetEntry;
use super::{FormulaSetting, FormulaTable, laid_out, symbol_places, written_in};
use crate::{Inline, LessonSet, Mention, Mentioned, WrittenSymbol};

impl FormulaTable {
    /// Those of lessons, notes and glossary, and those on the cards of their
    /// symbols; of the built-in ones only where they stand alone, since whoever shows
    /// lessons has these. What cannot be laid out is left out.
    pub fn of_lessons(set: &LessonSet) -> Self {
        let mut table = Self::default();
        for tex in formulas(set) {
            let entry = |setting| {
                let list = laid_out(&tex, setting).ok()?;
                Some(TypesetEntry::new(&list, symbol_places(&tex, setting)))
            };
            if let (Some(display), Some(inline)) =
                (entry(FormulaSetting::Display), entry(FormulaSetting::Inline))
            {
                table.add(&tex, &display, &inline);
            }
        }
        table
    }
}

fn formulas(set: &LessonSet) -> BTreeSet<String> {
    let outlined: Vec<_> = set.outlined().collect();
    let own = set.own_lessons().map(|lesson| outlined[lesson].1);
    let of_lessons = own.flat_map(|outline| &outline.mentions);
    let mentions = of_lessons.chain(set.own_glossary_mentions().map(|(_, mention)| mention));
    let mut left: Vec<String> = mentions.filter_map(tex_of).collect();
    let mut found = BTreeSet::new();
    while let Some(tex) = left.pop() {
        if found.contains(&tex) {
            continue;
        }
        left.extend(written_in(&tex).iter().flat_map(|one| on_card(one, set)));
        // One on a line of its own goes without the space around it.
        left.push(tex.trim().to_owned());
        found.insert(tex);
    }
    found
}

fn tex_of(mention: &Mention) -> Option<String> {
    match &mention.what {
        Mentioned::Math(tex) => Some(tex.clone()),
        _ => None,
    }
}

/// What the card of a symbol shows.
fn on_card(written: &WrittenSymbol, set: &LessonSet) -> Vec<String> {
    let Some((symbol, _)) = set.symbols.find(written) else {
        return Vec::new();
    };
    let what = symbol.what_of(written).into_iter();
    let what = what.filter_map(|inline| match inline {
        Inline::Math(tex) => Some(tex),
        _ => None,
    });
    what.chain([written.tex()]).collect()
}
