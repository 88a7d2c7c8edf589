//! Symbols in formulas: each stands in the glossary's table, and the table says
//! rightly in which lesson it is seen first.

use bindpose_diagnostic::{Diagnostic, LineColumn, Place as Within, nearest};
use bindpose_lesson::{
    LessonSet, Mention, Mentioned, OutlinePlace, Symbol, SymbolTable, WrittenSymbol, find_lesson,
    written_in,
};

use super::formula_places::place_in_formula;
use super::glossary_file::{START, own_glossary};

/// What is wrong with the symbols of a formula that begins at `begin`; nothing
/// where there is no table. Words in upright letters need no row.
pub(super) fn unknown_symbols(
    formula: &str,
    begin: LineColumn,
    table: &SymbolTable,
) -> Vec<(LineColumn, Diagnostic)> {
    if table.symbols.is_empty() {
        return Vec::new();
    }
    let mut found: Vec<(LineColumn, Diagnostic)> = Vec::new();
    for written in written_in(formula) {
        if written.is_upright() || table.find(&written).is_some() {
            continue;
        }
        let tex = written.tex();
        let unknown = Diagnostic::unknown("symbol", &tex, &[])
            .title(format!("the table of symbols has no `{tex}`"))
            .help(instead(&written, table));
        let mut earlier = found.iter();
        if !earlier.any(|(_, other)| other.title == unknown.title) {
            found.push((place_in_formula(formula, written.at, begin), unknown));
        }
    }
    found
}

/// What to write for a symbol that the table lacks: what has the same letter, else
/// what is like it.
fn instead(written: &WrittenSymbol, table: &SymbolTable) -> String {
    let rows = table.symbols.iter().flat_map(|row| &row.written);
    let of_letter = |row: &&WrittenSymbol| row.letter() == written.letter();
    let mut names: Vec<String> = rows.clone().filter(of_letter).map(WrittenSymbol::tex).collect();
    if names.is_empty() {
        let all: Vec<String> = rows.map(WrittenSymbol::tex).collect();
        let tex = written.tex();
        names =
            nearest(&tex, all.iter().map(String::as_str)).into_iter().map(str::to_owned).collect();
    }
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let row = "a row to the table in glossary.md";
    if names.is_empty() {
        format!("add {row}")
    } else {
        format!("write {}, or add {row}", names.join(" or "))
    }
}

/// What is wrong with the tables of the glossaries that are looked at.
pub(super) fn table_findings(set: &LessonSet) -> Vec<Diagnostic> {
    let place = |is_it: &dyn Fn(&str) -> bool| {
        let mut mentions = set.own_glossary_mentions();
        mentions.find_map(|(file, mention)| match &mention.what {
            Mentioned::Math(other) if is_it(other) => Some(Within::text(file, mention.at)),
            _ => None,
        })
    };
    let wrong = set.symbols.wrong.iter().map(|(tex, wrong)| {
        let at = place(&|other| other == tex);
        let at = at.unwrap_or_else(|| Within::text(own_glossary(set), START));
        wrong.clone().at(at)
    });
    let mut findings: Vec<Diagnostic> = wrong.collect();
    for symbol in &set.symbols.symbols {
        let tex = symbol.written.first().map(WrittenSymbol::tex);
        let written_so =
            |other: &str| matches!(&written_in(other)[..], [one] if Some(one.tex()) == tex);
        // A row of a glossary that is not looked at has no place here.
        if let Some(at) = place(&written_so)
            && let Some(wrong) = wrong_lesson(symbol, set)
        {
            findings.push(wrong.at(at));
        }
    }
    findings
}

/// The lesson of the row is not the first whose formulas have the symbol.
fn wrong_lesson(symbol: &Symbol, set: &LessonSet) -> Option<Diagnostic> {
    let named = find_lesson(&set.lessons, symbol.first_seen.as_deref()?).ok()?;
    let first = set.outlined().position(|(_, outline)| {
        let mut mentions = outline.mentions.iter();
        mentions.any(|mention| mention.place != OutlinePlace::Notes && has(mention, symbol, set))
    });
    let tex = symbol.written.first().map(WrittenSymbol::tex).unwrap_or_default();
    match first {
        Some(first) if first == named => None,
        Some(first) => {
            let lesson = set.lessons.get(first)?;
            let title = format!("`{tex}` is first seen in lesson {}", lesson.folder);
            let help = format!("write [{}](lesson:{})", lesson.number, lesson.slug);
            Some(Diagnostic::said("SYMBOLS", title).help(help))
        }
        None => {
            let title = format!("no formula of a lesson has `{tex}`");
            Some(Diagnostic::said("SYMBOLS", title).help("take its row out of the table"))
        }
    }
}

fn has(mention: &Mention, symbol: &Symbol, set: &LessonSet) -> bool {
    let Mentioned::Math(formula) = &mention.what else {
        return false;
    };
    written_in(formula).iter().any(|written| {
        let found = set.symbols.find(written);
        found.is_some_and(|(row, _)| std::ptr::eq(row, symbol))
    })
}
