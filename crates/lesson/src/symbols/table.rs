//! The table of symbols: a row for each, read off the glossary.

use bindpose_diagnostic::Diagnostic;

use super::written::WrittenSymbol;
use crate::{Inline, LessonBlock, LinkTarget, Term, written_in};

/// Slug of the glossary's entry that holds the table.
const SLUG: &str = "symbols";
/// The heads of its columns.
const COLUMNS: [&str; 5] = ["symbol", "what it is", "type", "frame", "first seen"];

/// A row of the table.
#[derive(Clone, Debug, PartialEq)]
pub struct Symbol {
    /// As formulas write it: at least one way.
    pub written: Vec<WrittenSymbol>,
    /// In a few words.
    pub what: Vec<Inline>,
    /// `matrix`, `number`.
    pub kind: String,
    /// Name of a frame or of a matrix by its frames; empty where it has none.
    pub frame: String,
    /// The lesson that shows it first, as links name it; `None` where the row has
    /// no such link.
    pub first_seen: Option<String>,
}

/// All symbols that formulas may use.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SymbolTable {
    /// In the order of the text.
    pub symbols: Vec<Symbol>,
    /// What is wrong with it, with the formula at which it stands.
    pub wrong: Vec<(String, Diagnostic)>,
}

impl SymbolTable {
    /// The table among the terms of a glossary; an empty one where there is none.
    pub fn from_terms(terms: &[Term]) -> Self {
        let mut table = Self::default();
        let Some(term) = terms.iter().find(|term| term.slug == SLUG) else {
            return table;
        };
        let mut tables = term.blocks.iter().filter_map(|block| match block {
            LessonBlock::Table { header, rows, .. } => Some((header, rows)),
            _ => None,
        });
        let columns = COLUMNS.join(" | ");
        let Some((header, rows)) = tables.next() else {
            let wrong = Diagnostic::said("SYMBOLS", "the entry Symbols has no table");
            table.note("", wrong.help(format!("write a table: {columns}")));
            return table;
        };
        let heads: Vec<String> = header.iter().map(|cell| plain(cell)).collect();
        if heads != COLUMNS {
            let wrong = Diagnostic::expected(format!("the columns {columns}"), heads.join(" | "));
            table.note("", wrong.help("write them in this order"));
            return table;
        }
        for row in rows {
            table.row(row);
        }
        table
    }

    /// The tables of several glossaries as one: what a later one says of a symbol
    /// counts.
    pub(crate) fn joined(tables: impl Iterator<Item = Self>) -> Self {
        let mut joined = Self::default();
        for table in tables {
            joined.symbols.splice(0..0, table.symbols);
            joined.wrong.extend(table.wrong);
        }
        joined
    }

    /// The row of a symbol, and whether the symbol is the inverse of what the row
    /// says.
    pub fn find(&self, written: &WrittenSymbol) -> Option<(&Symbol, bool)> {
        let like = |inverse: bool| {
            let is = move |row: &&Symbol| row.written.iter().any(|one| one.is(written, inverse));
            self.symbols.iter().find(is)
        };
        let own = like(written.inverse).map(|row| (row, false));
        own.or_else(|| like(false).map(|row| (row, true)))
    }

    fn note(&mut self, tex: &str, wrong: Diagnostic) {
        self.wrong.push((tex.to_owned(), wrong));
    }

    fn row(&mut self, row: &[Vec<Inline>]) {
        let [symbol, what, kind, frame, first_seen] = row else {
            return;
        };
        let formulas: Vec<&String> = symbol
            .iter()
            .filter_map(|inline| match inline {
                Inline::Math(tex) => Some(tex),
                _ => None,
            })
            .collect();
        let at = formulas.first().map_or("", |tex| tex.as_str());
        let mut written = Vec::new();
        for tex in &formulas {
            let [one] = &written_in(tex)[..] else {
                let wrong = Diagnostic::expected("one symbol", format!("`{tex}`"));
                return self.note(tex, wrong.help("write one letter with what belongs to it"));
            };
            written.push(one.clone());
        }
        if written.is_empty() || plain(what).is_empty() || plain(kind).is_empty() {
            let title = format!(
                "a row of the table of symbols lacks its symbol, what it is, or its type: {}",
                plain(what)
            );
            let wrong = Diagnostic::said("SYMBOLS", title);
            return self.note(
                at,
                wrong.help("write a formula such as $W_j$, a few words, and a type such as matrix"),
            );
        }
        let known = |one: &WrittenSymbol| {
            self.symbols.iter().flat_map(|row| &row.written).any(|other| other.tex() == one.tex())
        };
        if let Some(twice) = written.iter().find(|one| known(one)) {
            let title = format!("the symbol `{}` stands in the table twice", twice.tex());
            let wrong = Diagnostic::said("NAME_TAKEN", title).help("keep one of the two");
            return self.note(at, wrong);
        }
        let first_seen = first_seen.iter().find_map(|inline| match inline {
            Inline::Link { target: LinkTarget::Lesson { lesson, .. }, .. } => Some(lesson.clone()),
            _ => None,
        });
        if first_seen.is_none() {
            let title = format!("the row of `{at}` does not say where it is first seen");
            let wrong = Diagnostic::said("SYMBOLS", title).help("write [20](lesson:bind-pose)");
            self.note(at, wrong);
        }
        self.symbols.push(Symbol {
            written,
            what: what.clone(),
            kind: plain(kind),
            frame: plain(frame),
            first_seen,
        });
    }
}

impl Symbol {
    /// What it is where it is written so: of joint 1, where the table says joint j.
    pub fn what_of(&self, written: &WrittenSymbol) -> Vec<Inline> {
        let mut rows = self.written.iter();
        let slot = rows.find_map(|row| row.index.as_deref());
        let (Some(slot), Some(index)) = (slot, &written.index) else {
            return self.what.clone();
        };
        let what = self.what.iter().cloned().map(|inline| match inline {
            Inline::Text { text, strong, emphasis } => {
                Inline::Text { text: with_word(&text, slot, index), strong, emphasis }
            }
            Inline::Math(tex) => {
                Inline::Math(tex.replace(&format!("_{slot}"), &format!("_{{{index}}}")))
            }
            other => other,
        });
        what.collect()
    }
}

impl WrittenSymbol {
    /// Does this row of the table speak of `other`, with or without its inverse?
    /// A counting letter stands for every index.
    fn is(&self, other: &Self, inverse: bool) -> bool {
        let index = match (&self.index, &other.index) {
            (None, None) => true,
            (Some(slot), Some(index)) => slot == index || slot.chars().all(char::is_alphabetic),
            _ => false,
        };
        index
            && self.inverse == inverse
            && (&self.base, self.primes, &self.label) == (&other.base, other.primes, &other.label)
    }
}

/// The text with one of its words replaced.
fn with_word(text: &str, word: &str, by: &str) -> String {
    let parts = text.split_inclusive(|c: char| !c.is_alphanumeric());
    let replaced = parts.map(|part| match part.strip_prefix(word) {
        Some(after) if !after.starts_with(char::is_alphanumeric) => format!("{by}{after}"),
        _ => part.to_owned(),
    });
    replaced.collect()
}

/// The words of a cell.
fn plain(cell: &[Inline]) -> String {
    let words = cell.iter().map(|inline| match inline {
        Inline::Text { text, .. }
        | Inline::Code(text)
        | Inline::Struck(text)
        | Inline::Link { text, .. } => text.as_str(),
        Inline::Math(tex) => tex,
        Inline::Break | Inline::Task(_) => " ",
    });
    words.collect::<String>().trim().to_owned()
}
