//! A number in a text, and where it is written.

use std::ops::Range;

use super::tree::AngleUnit;

/// A number as it is written.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct WrittenNumber {
    /// With its sign; radians for angles.
    pub(super) value: f64,
    /// `None`: it is no angle.
    pub(super) unit: Option<AngleUnit>,
    /// Its characters, from 0: the sign and the digits, without the unit.
    pub(super) characters: Range<usize>,
}
