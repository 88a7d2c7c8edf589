//! The symbols of formulas, from the table in the glossary.

use bindpose_diagnostic::Diagnostic;

use super::{Inline, LessonBlock, LinkTarget, SymbolForm, Term, written_in};

/// Slug of the glossary term with the table.
const SLUG: &str = "symbols";
/// Headings of the columns.
const COLUMNS: [&str; 5] = ["symbol", "what it is", "type", "frame", "first seen"];

/// A symbol: a row of the table.
#[derive(Clone, Debug, PartialEq)]
pub struct Symbol {
    /// Forms of the symbol in formulas, at least one.
    pub written: Vec<SymbolForm>,
    /// Short explanation.
    pub what: Vec<Inline>,
    /// Type such as `matrix` or `number`.
    pub kind: String,
    /// Name of a frame, or of a matrix by its frames. Can be empty.
    pub frame: String,
    /// Lesson that introduces the symbol, as named in a link. `None` if the row has no such
    /// link.
    pub first_seen: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct SymbolTable {
    /// Symbols in the order of the table.
    pub symbols: Vec<Symbol>,
    /// Errors in the table, each with the formula of its row.
    pub wrong: Vec<(String, Diagnostic)>,
}

impl SymbolTable {
    /// Parses the table in a glossary. Empty if there is none.
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
            let error = Diagnostic::said("SYMBOLS", "the entry Symbols has no table");
            table.report("", error.help(format!("write a table: {columns}")));
            return table;
        };
        let heads: Vec<String> = header.iter().map(|cell| plain(cell)).collect();
        if heads != COLUMNS {
            let error = Diagnostic::expected(format!("the columns {columns}"), heads.join(" | "));
            table.report("", error.help("write them in this order"));
            return table;
        }
        for row in rows {
            table.add_row(row);
        }
        table
    }

    /// Merges the tables of several glossaries. A later table takes precedence.
    pub(crate) fn joined(tables: impl Iterator<Item = Self>) -> Self {
        let mut joined = Self::default();
        for table in tables {
            joined.symbols.splice(0..0, table.symbols);
            joined.wrong.extend(table.wrong);
        }
        joined
    }

    /// Finds the row of a symbol. Also returns whether the symbol is the inverse of the one in
    /// the row.
    pub fn find(&self, written: &SymbolForm) -> Option<(&Symbol, bool)> {
        if let Some(row) = self.row_of(written, written.inverse) {
            return Some((row, false));
        }
        Some((self.row_of(written, false)?, true))
    }

    fn row_of(&self, written: &SymbolForm, inverse: bool) -> Option<&Symbol> {
        self.symbols.iter().find(|row| row.written.iter().any(|one| one.matches(written, inverse)))
    }

    fn report(&mut self, tex: &str, error: Diagnostic) {
        self.wrong.push((tex.to_owned(), error));
    }

    fn add_row(&mut self, row: &[Vec<Inline>]) {
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
                let error = Diagnostic::expected("one symbol", format!("`{tex}`"));
                return self.report(tex, error.help("write one letter with what belongs to it"));
            };
            written.push(one.clone());
        }
        if written.is_empty() || plain(what).is_empty() || plain(kind).is_empty() {
            let title = format!(
                "a row of the table of symbols lacks its symbol, what it is, or its type: {}",
                plain(what)
            );
            let error = Diagnostic::said("SYMBOLS", title);
            return self.report(
                at,
                error.help("write a formula such as $W_j$, a few words, and a type such as matrix"),
            );
        }
        let repeated = written.iter().find(|one| {
            self.symbols.iter().flat_map(|row| &row.written).any(|other| other.tex() == one.tex())
        });
        if let Some(twice) = repeated {
            let title = format!("the symbol `{}` stands in the table twice", twice.tex());
            let error = Diagnostic::said("NAME_TAKEN", title).help("keep one of the two");
            return self.report(at, error);
        }
        let first_seen = first_seen.iter().find_map(|inline| match inline {
            Inline::Link { target: LinkTarget::Lesson { lesson, .. }, .. } => Some(lesson.clone()),
            _ => None,
        });
        if first_seen.is_none() {
            let title = format!("the row of `{at}` does not say where it is first seen");
            let error = Diagnostic::said("SYMBOLS", title).help("write [20](lesson:bind-pose)");
            self.report(at, error);
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
    /// Explanation of the symbol with the index of `written`: of joint 1 instead of joint j.
    pub fn what_of(&self, written: &SymbolForm) -> Vec<Inline> {
        let slot = self.written.iter().find_map(|row| row.index.as_deref());
        let (Some(slot), Some(index)) = (slot, &written.index) else {
            return self.what.clone();
        };
        self.what
            .iter()
            .cloned()
            .map(|inline| match inline {
                Inline::Text { text, strong, emphasis } => {
                    Inline::Text { text: replace_word(&text, slot, index), strong, emphasis }
                }
                Inline::Math(tex) => {
                    Inline::Math(tex.replace(&format!("_{slot}"), &format!("_{{{index}}}")))
                }
                other => other,
            })
            .collect()
    }
}

impl SymbolForm {
    /// Whether this form of a row matches `other`, either or not inverted as given. An index
    /// letter matches every index.
    fn matches(&self, other: &Self, inverse: bool) -> bool {
        let same_index = match (&self.index, &other.index) {
            (None, None) => true,
            (Some(slot), Some(index)) => slot == index || slot.chars().all(char::is_alphabetic),
            _ => false,
        };
        same_index
            && self.inverse == inverse
            && (&self.base, self.primes, &self.label) == (&other.base, other.primes, &other.label)
    }
}

/// Replaces a word in a text.
fn replace_word(text: &str, word: &str, by: &str) -> String {
    text.split_inclusive(|c: char| !c.is_alphanumeric())
        .map(|part| match part.strip_prefix(word) {
            Some(after) if !after.starts_with(char::is_alphanumeric) => format!("{by}{after}"),
            _ => part.to_owned(),
        })
        .collect()
}

/// Plain text of a table cell.
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
        written_in(tex).iter().map(SymbolForm::tex).collect()
    }

    #[test]
    fn a_symbol_is_a_letter_with_accents_and_scripts() {
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
    fn symbols_have_byte_offsets() {
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
    fn a_row_matches_every_index_and_the_inverse() {
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
    fn reports_errors_in_the_table() {
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
    fn ignores_symbols_of_deeply_nested_formulas() {
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
