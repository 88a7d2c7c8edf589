//! Symbols as formulas write them: a letter with what is around it.

use serde::{Deserialize, Serialize};

/// Fonts of words and names, which a table may explain or not.
const UPRIGHT: [&str; 3] = ["mathrm", "mathsf", "mathtt"];

/// One symbol in a formula.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrittenSymbol {
    /// The letter, with its accent or font: `W`, `\theta`, `\vec t`, `\mathrm{T}`.
    pub base: String,
    /// How many `′`.
    pub primes: usize,
    /// What stands below it and counts nothing: `joint`, `x`.
    pub label: Option<String>,
    /// Numbers and counting letters below it: `1`, `j`.
    pub index: Option<String>,
    /// With −1 above it?
    pub inverse: bool,
    /// Where it begins, in bytes of the formula.
    pub at: usize,
}

impl WrittenSymbol {
    /// Is it a word or a name in upright letters?
    pub fn is_upright(&self) -> bool {
        UPRIGHT.iter().any(|font| self.base.starts_with(&format!("\\{font}")))
    }

    /// The letter alone, without accent and font.
    pub fn letter(&self) -> &str {
        let inner = self.base.split(['{', ' ']).next_back();
        inner.map_or(&*self.base, |inner| inner.trim_end_matches('}'))
    }

    /// The same in LaTeX.
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
