//! A number of a cell, with its unit.

/// A number with an optional unit: `0.8`, `"45.8deg"`. Radians for angles.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Quantity(pub f64);
