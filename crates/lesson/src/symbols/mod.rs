//! The symbols of formulas: how they are written, and the one table in the
//! glossary that says what each is.

mod table;
#[cfg(test)]
mod tests;
mod written;

pub use table::{Symbol, SymbolTable};
pub use written::WrittenSymbol;
