//! The one table in the glossary that says what each symbol of formulas is: a row for
//! each.

use bindpose_diagnostic::Diagnostic;

use super::{Inline, LessonBlock, LinkTarget, Term, WrittenSymbol, written_in};

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LessonSet;

    fn tex_of(tex: &str) -> Vec<String> {
        written_in(tex).iter().map(WrittenSymbol::tex).collect()
    }

    #[test]
    fn a_symbol_is_a_letter_with_what_is_around_it() {
        for (tex, expected) in [
            (r"p' = W_1 \, B_1^{-1} \, p", "p' W_1 B_1^{-1} p"),
            (r"p_{\mathrm{joint}}", r"p_{\mathrm{joint}}"),
            (r"\tfrac12 \, \vec t \, q'", r"\vec t q'"),
            (r"L \, R_x(\theta)", r"L R_x \theta"),
            (r"\left(S^{-1}\right)^{\mathsf T} n", "S^{-1} n"),
            (r"\sum_{j=0}^{J-1} w_j \, M_{j}", "j J w_j M_j"),
            (r"\cos\frac{\theta}{2} + \pi", r"\theta"),
            (r"L_j = \mathrm{T}\,\mathrm{R}", r"L_j \mathrm{T} \mathrm{R}"),
            (r"\text{of all } x^2", "x"),
            (r"a^{k}", "a k"),
            (r"{w}_{12}", "w_{12}"),
            (r"120 + 6 \cdot 16", ""),
            (r"\frac{1", ""),
        ] {
            assert_eq!(tex_of(tex).join(" "), expected, "{tex}");
        }
    }

    #[test]
    fn a_symbol_knows_where_it_begins() {
        let at = |tex: &str| written_in(tex).iter().map(|w| w.at).collect::<Vec<_>>();
        assert_eq!(at(r"  p' = \frac{W_1}{2}"), [2, 13]);
    }

    const TABLE: &str = "## Symbols\n\nOne letter each.\n\n| symbol | what it is | type | frame | first seen |\n| --- | --- | --- | --- | --- |\n";

    fn table(rows: &str) -> SymbolTable {
        LessonSet::from_memory(&[], &format!("{TABLE}{rows}\n")).symbols
    }

    const ROWS: &str = "| $p$ | stored position | point | bind space | [20](lesson:x) |\n\
    | $W_j$, $W$ | world matrix of joint j, with $w_j$ | matrix | world_from_joint | [20](lesson:x) |\n\
    | $B_j$ | bind matrix of joint j | matrix | | [20](lesson:x) |\n\
    | $B_j^{-1}$ | inverse bind matrix | matrix | | [20](lesson:x) |\n";

    #[test]
    fn a_row_speaks_of_every_index_and_of_the_inverse() {
        let table = table(ROWS);
        assert_eq!(table.wrong, []);
        let find = |tex: &str| {
            let found = table.find(&written_in(tex)[0]);
            found.map(|(row, inverse)| (row.kind.clone(), row.written[0].tex(), inverse))
        };
        let matrix = |tex: &str, inverse| Some(("matrix".to_owned(), tex.to_owned(), inverse));
        assert_eq!(find("W_1"), matrix("W_j", false));
        assert_eq!(find("W"), matrix("W_j", false));
        assert_eq!(find("W_k^{-1}"), matrix("W_j", true));
        assert_eq!(find("B_0^{-1}"), matrix("B_j^{-1}", false));
        assert_eq!(find("B_0"), matrix("B_j", false));
        assert_eq!(find("p"), Some(("point".to_owned(), "p".to_owned(), false)));
        for unknown in ["p'", "p_1", "P", "B", r"\vec p", r"W_{\mathrm{x}}"] {
            assert_eq!(find(unknown), None, "{unknown}");
        }
        let one = &written_in("W_1")[0];
        let (row, _) = table.find(one).expect("a row");
        let Inline::Text { text, .. } = &row.what_of(one)[0] else {
            panic!("{:?}", row.what);
        };
        assert_eq!(text, "world matrix of joint 1, with ");
        assert_eq!(row.what_of(one)[1], Inline::Math("w_{1}".to_owned()));
    }

    #[test]
    fn what_is_wrong_with_the_table_is_told() {
        for (rows, message) in [
            ("| $p q$ | a | number | | [1](lesson:x) |", "expected one symbol"),
            ("| p | a | number | | [1](lesson:x) |", "lacks its symbol"),
            ("| $p$ | | number | | [1](lesson:x) |", "lacks its symbol"),
            ("| $p$ | a | | | [1](lesson:x) |", "lacks its symbol"),
            ("| $p$ | a | number | | 20 |", "where it is first seen"),
            (
                "| $p$ | a | number | | [1](lesson:x) |\n| $q$, $p$ | b | number | | [1](lesson:x) |",
                "stands in the table twice",
            ),
        ] {
            let wrong = table(rows).wrong;
            assert_eq!(wrong.len(), 1, "{rows}: {wrong:#?}");
            assert!(wrong[0].1.sentence().contains(message), "{:?}", wrong[0]);
        }
        let of = |text: &str| LessonSet::from_memory(&[], text).symbols.wrong;
        assert_eq!(of("## joint\n\nA frame.\n"), []);
        assert!(of("## Symbols\n\nNone.\n")[0].1.title.contains("no table"));
        let wrong = of("## Symbols\n\n| symbol |\n| --- |\n| $p$ |\n");
        assert!(wrong[0].1.sentence().contains("the columns symbol"));
    }

    #[test]
    fn formulas_that_nest_deeply_are_survived() {
        for (open, close) in
            [("{", "}"), (r"\sqrt", ""), ("x^", "1"), (r"\left(", r"\right)"), (r"\vec", "")]
        {
            for times in [60, 100, 199, 5000] {
                let tex = format!("{}y{}", open.repeat(times), close.repeat(times));
                let _ = written_in(&tex);
            }
        }
        let deep = format!("{}y{}", "{".repeat(20), "}".repeat(20));
        assert_eq!(tex_of(&deep), ["y"]);
    }
}
