//! Layout of formulas: positions of their glyphs, lines, outlines and symbols. Native
//! programs contain the TeX engine. In a browser it would make up a third of the download,
//! so there layouts are looked up in tables made in advance.

#[cfg(not(target_arch = "wasm32"))]
mod engine;
mod entry;
#[cfg(target_arch = "wasm32")]
mod precomputed;
#[cfg(not(target_arch = "wasm32"))]
mod table_layout;

use serde::{Deserialize, Serialize};

#[cfg(not(target_arch = "wasm32"))]
pub(super) use engine::add_formulas;
#[cfg(not(target_arch = "wasm32"))]
pub use engine::{formula_error, laid_out, symbol_places, written_in};
pub use entry::FormulaTable;
#[cfg(target_arch = "wasm32")]
pub(super) use precomputed::add_formulas;
#[cfg(target_arch = "wasm32")]
pub use precomputed::{formula_error, laid_out, symbol_places, written_in};

/// Path of the typeset formulas of the built-in lessons, which are generated for browsers, as of
/// a file of `assets/`. See [`FormulaTable`].
pub const FORMULAS_FILE: &str = "formulas.txt";

/// Fonts of words and names. A table of symbols need not explain those.
const UPRIGHT: [&str; 3] = ["mathrm", "mathsf", "mathtt"];

/// Setting of a formula: displayed, or inline in a line of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FormulaSetting {
    /// On a line of its own, with large operators, and limits above and below them.
    Display,
    /// In a line of text, with reduced height.
    Inline,
}

/// Why a formula has no layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LayoutError {
    /// The TeX has an error or the layout is too large. Holds the message of the engine.
    Wrong(String),
    /// There is no engine, and no table has the formula.
    Unknown,
}

/// A symbol with its bounding box, in em from the left end of the baseline, y down.
#[derive(Clone, Debug, PartialEq)]
pub struct SymbolBox {
    /// Left and top.
    pub low: [f32; 2],
    /// Right and bottom.
    pub high: [f32; 2],
    pub written: SymbolForm,
}

/// A symbol as written in a formula: a letter with its accent, font and scripts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SymbolForm {
    /// Letter with its accent or font: `W`, `\theta`, `\vec t`, `\mathrm{T}`.
    pub base: String,
    /// Number of primes, `′`.
    pub primes: usize,
    /// Subscript that is a label: `joint`, `x`.
    pub label: Option<String>,
    /// Subscript that is an index, of digits and index letters: `1`, `j`.
    pub index: Option<String>,
    /// Whether the superscript is −1 or an inverse transpose.
    pub inverse: bool,
    /// Byte offset in the formula.
    pub at: usize,
}

impl SymbolForm {
    /// Whether the base is a word or name in an upright font.
    pub fn is_upright(&self) -> bool {
        UPRIGHT.iter().any(|font| self.base.starts_with(&format!("\\{font}")))
    }

    /// The letter without accent and font.
    pub fn letter(&self) -> &str {
        let inner = self.base.split(['{', ' ']).next_back();
        inner.map_or(&*self.base, |inner| inner.trim_end_matches('}'))
    }

    /// The symbol in LaTeX.
    pub fn tex(&self) -> String {
        let below = match (&self.label, &self.index) {
            (Some(label), _) if label.chars().count() > 1 => format!("_{{\\mathrm{{{label}}}}}"),
            (Some(below), _) | (None, Some(below)) if below.chars().count() == 1 => {
                format!("_{below}")
            }
            (Some(below), _) | (None, Some(below)) => format!("_{{{below}}}"),
            (None, None) => String::new(),
        };
        let primes = "'".repeat(self.primes);
        let above = if self.inverse { "^{-1}" } else { "" };
        format!("{}{primes}{below}{above}", self.base)
    }
}

/// Error in the TeX of a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormulaError {
    /// Byte offset in the formula.
    pub at: usize,
    /// Message of the engine.
    pub message: String,
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::entry::TypesetEntry;
    use super::*;
    use crate::{Inline, LessonBlock, LessonSet};

    fn both(tex: &str) -> (FormulaTable, [TypesetEntry; 2]) {
        let entries = [FormulaSetting::Display, FormulaSetting::Inline].map(|setting| {
            let list = laid_out(tex, setting).expect(tex);
            TypesetEntry::new(&list, symbol_places(tex, setting))
        });
        let mut table = FormulaTable::default();
        table.add(tex, &entries[0], &entries[1]);
        (FormulaTable::from_text(&table.text()), entries)
    }

    #[test]
    fn layouts_survive_the_text_format() {
        for tex in [
            r"p' = \sum_j w_j \, W_j \, B_j^{-1} \, p",
            r"\sqrt{\frac{a}{b}} \quad \underbrace{G_j}_{\text{joint}}",
            "\\begin{bmatrix} 1 & 0 \\\\\n 0 & 1 \\end{bmatrix}",
            r"\textcolor{red}{w_0} \overline{x}",
        ] {
            let (table, entries) = both(tex);
            for (setting, entry) in
                [FormulaSetting::Display, FormulaSetting::Inline].into_iter().zip(entries)
            {
                assert_eq!(table.find(tex, setting).as_ref(), Some(&entry), "{tex}");
                let list = laid_out(tex, setting).unwrap();
                let read = entry.list();
                assert!((read.width - list.width).abs() < 1e-4, "{tex}");
                assert_eq!(read.items.len(), list.items.len(), "{tex}");
                assert_eq!(TypesetEntry::new(&read, entry.clone().symbols()), entry, "{tex}");
            }
        }
    }

    #[test]
    fn ignores_unknown_formulas_and_malformed_lines() {
        let (table, _) = both("x");
        assert!(table.find("y", FormulaSetting::Inline).is_none());
        for text in ["", "\n\n", "no tab", "\"x\"\tno JSON", "\"x\"\t[[1,2,3]]"] {
            let table = FormulaTable::from_text(text);
            assert!(table.find("x", FormulaSetting::Inline).is_none(), "{text}");
        }
    }

    /// Calls `check` for every formula in the debug output of a lesson.
    fn each_formula(debug: &str, check: &dyn Fn(&str)) {
        // Only `Inline::Math` and `LessonBlock::Math` print like this.
        for part in debug.split("Math(\"").skip(1) {
            let mut end = 0;
            let mut escaped = false;
            for (at, c) in part.char_indices() {
                if c == '"' && !escaped {
                    end = at;
                    break;
                }
                escaped = c == '\\' && !escaped;
            }
            let json = format!("\"{}\"", &part[..end]);
            check(&serde_json::from_str::<String>(&json).expect(&json));
        }
    }

    #[test]
    fn every_formula_that_a_lesson_can_show_is_in_the_table() {
        let set = LessonSet::embedded();
        let table = FormulaTable::of_lessons(&set);
        let count = Cell::new(0);
        let check = |tex: &str| {
            count.set(count.get() + 1);
            assert!(table.has(tex), "{tex}");
            for setting in [FormulaSetting::Display, FormulaSetting::Inline] {
                let entry = table.find(tex, setting).expect(tex);
                let mut written = entry.symbols();
                written.sort_by_key(|place| place.written.at);
                let written: Vec<_> = written.into_iter().map(|place| place.written).collect();
                assert_eq!(written, written_in(tex), "{tex}");
            }
            for written in written_in(tex) {
                if let Some((symbol, _)) = set.symbols.find(&written) {
                    assert!(table.has(&written.tex()), "{tex}");
                    for inline in symbol.what_of(&written) {
                        if let Inline::Math(tex) = inline {
                            assert!(table.has(&tex), "{tex}");
                        }
                    }
                }
            }
        };
        each_formula(&format!("{:?}{:?}", set.lessons, set.glossary), &check);
        assert!(count.get() > 100, "{}", count.get());
        let sample = format!("{:?}", LessonBlock::Math("\\frac{a}\"".to_owned()));
        each_formula(&sample, &|tex| assert_eq!(tex, "\\frac{a}\""));
    }

    #[test]
    fn the_table_includes_formulas_in_texts_of_cells() {
        let text = "+++\ntitle = \"T\"\nminutes = 5\nrig = \"arm\"\n+++\n## S\n\n\
        ```note\ntitle = '$t^2$'\ntext = \"$\\\\frac{a}{b}$\"\n```\n\n\
        ```check it\nask = \"$u_{to}$ {to}\"\ndraws = [{ to = 1 }, { to = 2 }]\nlabel = \"l\"\n\
        measure = \"1\"\ngoal = \"2\"\ntolerance = 1\nsolved = \"$s = {to}$\"\n```\n";
        let set = LessonSet::from_memory(&[("20-t", text, "")], "");
        assert_eq!(set.lessons[0].findings, []);
        let table = FormulaTable::of_lessons(&set);
        for tex in ["t^2", r"\frac{a}{b}", "u_{to}", "s = 1", "s = 2"] {
            assert!(table.has(tex), "{tex}");
        }
    }

    fn places(tex: &str) -> Vec<(String, SymbolBox)> {
        let places = symbol_places(tex, FormulaSetting::Display).into_iter();
        places.map(|place| (place.written.tex(), place)).collect()
    }

    #[test]
    fn boxes_of_symbols_do_not_overlap() {
        let tex = r"p' = \sum_j w_j \, W_1 \, B_1^{-1} \, p";
        let list = laid_out(tex, FormulaSetting::Display).expect(tex);
        let [width, height, depth] = [list.width, list.height, list.depth].map(|em| em as f32);
        let mut found = places(tex);
        found.sort_by(|a, b| a.1.low[0].total_cmp(&b.1.low[0]));
        let names: Vec<&str> = found.iter().map(|(tex, _)| tex.as_str()).collect();
        assert_eq!(names, ["p'", "j", "w_j", "W_1", "B_1^{-1}", "p"]);
        for pair in found.windows(2) {
            assert!(pair[0].1.high[0] <= pair[1].1.low[0] + 0.15, "{pair:?}");
        }
        for (tex, SymbolBox { low, high, .. }) in &found {
            assert!(low[0] >= -0.01 && high[0] <= width + 0.01, "{tex}");
            assert!(-low[1] <= height + 0.05, "{tex}: {low:?}");
            assert!(high[1] <= depth + 0.05, "{tex}: {high:?}");
        }
        let SymbolBox { low, high, .. } = &found[4].1;
        assert!(high[0] - low[0] > 1.2, "with its index and −1");
    }

    #[test]
    fn finds_symbols_in_fractions_brackets_and_accents() {
        let tex = r"q' = \frac{\sum_j w_j \, q_j}{\left|\sum_j w_j \, q_j\right|}, \quad \vec t, \quad \left(S^{-1}\right)^{\mathsf T}";
        let names: Vec<String> = places(tex).into_iter().map(|(tex, _)| tex).collect();
        for name in ["q'", "q_j", "w_j", r"\vec t", "S^{-1}"] {
            assert!(names.iter().any(|found| found == name), "{name}: {names:?}");
        }
    }
}
