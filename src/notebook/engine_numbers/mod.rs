//! Numbers of somebody's own engine, held against ours for the same model and pose:
//! which of our matrices they are, and how, or which known fault gives exactly them.

mod matrices;
mod places;
mod read;
mod relations;
#[cfg(test)]
mod tests;
mod with_faults;

use serde::Serialize;

use super::{Derived, Document};
pub use read::read_numbers;

/// What an engine gave.
#[derive(Clone, Debug, PartialEq)]
pub enum EngineNumbers {
    /// A matrix a joint, in the order of the palette: its numbers as rows and columns
    /// where the file has rows, else column after column.
    Matrices(Vec<glam::Mat4>),
    /// A place a vertex, in the order of the mesh, world space.
    Positions(Vec<glam::Vec3>),
}

/// What was found, in words.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Matched {
    /// Are they ours, to the precision of 32-bit floats?
    pub equal: bool,
    /// In sentences, the most telling one first.
    pub findings: Vec<String>,
    /// Known faults, by their names, that give exactly these numbers.
    pub faults: Vec<&'static str>,
}

/// Holds an engine's numbers against those of a page.
#[must_use]
pub fn matched(given: &EngineNumbers, document: &Document, derived: &Derived) -> Matched {
    match given {
        EngineNumbers::Matrices(given) => matrices::matched(given, document, derived),
        EngineNumbers::Positions(given) => places::matched(given, document, derived),
    }
}
