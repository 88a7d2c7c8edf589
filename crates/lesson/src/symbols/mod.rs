//! The symbols of formulas: how they are written, and the one table in the
//! glossary that says what each is.

mod table;
mod written;

pub use table::{Symbol, SymbolTable};
pub use written::WrittenSymbol;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Inline, LessonSet, written_in};

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
