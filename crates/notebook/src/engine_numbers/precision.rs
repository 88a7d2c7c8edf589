//! How exact given numbers are: as 32-bit floats, as 16-bit floats, or as printed with
//! three decimals.

use super::read::EngineNumbers;
use crate::palette_texture::as_half;

/// How much of our numbers is left in theirs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Precision {
    /// All that a 32-bit float has.
    Float,
    /// All are 16-bit floats.
    Half,
    /// All have three decimals at most, and some have three.
    ThreeDecimals,
}

impl Precision {
    /// By the numbers alone.
    pub(super) fn of(given: &EngineNumbers) -> Self {
        let is = |test: &dyn Fn(f32) -> bool| match given {
            EngineNumbers::Matrices(all) => {
                all.iter().flat_map(|matrix| matrix.to_cols_array()).all(test)
            }
            EngineNumbers::Positions(all) => {
                all.iter().flat_map(|place| place.to_array()).all(test)
            }
        };
        let decimals = |ten: f32| {
            let off = move |x: f32| ((x * ten).round() - x * ten).abs();
            move |x: f32| off(x) <= 1e-3 + 1e-7 * (x * ten).abs()
        };
        if is(&|x| as_half(x) == x) {
            Self::Half
        } else if is(&decimals(1e3)) && !is(&decimals(1e2)) {
            Self::ThreeDecimals
        } else {
            Self::Float
        }
    }

    /// How far a number of this size may be off by what was rounded away.
    pub(super) fn slack(self, number: f32) -> f32 {
        match self {
            Self::Float => 0.0,
            _ if !number.is_finite() => 0.0,
            Self::Half => 6e-4 * number.abs() + 1e-7,
            Self::ThreeDecimals => 5.5e-4,
        }
    }

    /// What is said of numbers that are ours but for it.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Float => "",
            Self::Half => ", to the precision of 16-bit floats: three digits are right",
            Self::ThreeDecimals => ", to their three decimals",
        }
    }
}
