//! Numbers of somebody's own engine, held against ours for the same model and pose:
//! which of our matrices they are, and how, or which known fault gives exactly them.

mod found;
mod matrices;
mod places;
mod read;
mod relations;
#[cfg(test)]
mod tests;
mod with_faults;

use super::{Derived, Document};
pub use found::Matched;
pub use read::{EngineNumbers, read_numbers};

/// Holds an engine's numbers against those of a page.
#[must_use]
pub fn matched(given: &EngineNumbers, document: &Document, derived: &Derived) -> Matched {
    match given {
        EngineNumbers::Matrices(given) => matrices::matched(given, document, derived),
        EngineNumbers::Positions(given) => places::matched(given, document, derived),
    }
}
