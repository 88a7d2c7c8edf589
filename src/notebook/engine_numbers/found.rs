//! What is said of an engine's numbers.

use serde::Serialize;

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
