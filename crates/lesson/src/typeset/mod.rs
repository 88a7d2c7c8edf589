//! Formulas laid out: where their glyphs, rules and outlines stand, and their
//! symbols. A program of its own has the engine that reads TeX; in a browser that
//! would be a third of what is loaded, and what was laid out before is looked up.

#[cfg(not(target_arch = "wasm32"))]
mod collect;
#[cfg(not(target_arch = "wasm32"))]
mod engine;
mod entry;
#[cfg(target_arch = "wasm32")]
mod looked_up;
#[cfg(not(target_arch = "wasm32"))]
mod marked;
mod table;
#[cfg(test)]
mod tests;

use super::WrittenSymbol;

#[cfg(not(target_arch = "wasm32"))]
pub(super) use engine::add_formulas;
#[cfg(not(target_arch = "wasm32"))]
pub use engine::{formula_error, laid_out, symbol_places, written_in};
#[cfg(target_arch = "wasm32")]
pub(super) use looked_up::add_formulas;
#[cfg(target_arch = "wasm32")]
pub use looked_up::{formula_error, laid_out, symbol_places, written_in};
pub use table::FormulaTable;

/// How a formula is set: on a line of its own, or within one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FormulaSetting {
    /// Large operators, limits above and below.
    Display,
    /// As low as text allows.
    Inline,
}

/// Why a formula is not laid out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unset {
    /// It cannot be read, or is out of all proportion: the parser's message.
    Wrong(String),
    /// There is no engine here, and nobody has laid it out before.
    Unknown,
}

/// A symbol and the room it takes, in em, from the left end of the baseline, y
/// down.
#[derive(Clone, Debug, PartialEq)]
pub struct SymbolPlace {
    /// Left and top.
    pub low: [f32; 2],
    /// Right and bottom.
    pub high: [f32; 2],
    /// As the formula has it.
    pub written: WrittenSymbol,
}

/// What is wrong with a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormulaError {
    /// Where, in bytes of the formula.
    pub at: usize,
    /// In the parser's words.
    pub message: String,
}
