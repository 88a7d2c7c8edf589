//! Where the axes of a plot have their ticks.

use crate::{number_text, significant_digits};

/// A tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tick {
    /// Where it stands.
    pub value: f64,
    /// How far it is to the next.
    pub step: f64,
}

/// Ticks at round numbers, `least` or more apart, from `low` to `high`.
pub fn ticks(low: f64, high: f64, least: f64, degrees: bool) -> Vec<Tick> {
    let step = if degrees { round_degrees(least) } else { significant_digits::round_up(least) };
    if !(least.is_finite() && least > 0.0 && (high - low) / step < 1000.0) {
        return Vec::new();
    }
    let slack = 1e-9 * (high - low);
    let first = ((low - slack) / step).ceil() as i64;
    let last = ((high + slack) / step).floor() as i64;
    (first..=last).map(|index| Tick { value: index as f64 * step, step }).collect()
}

fn round_degrees(least: f64) -> f64 {
    [5.0, 10.0, 15.0, 30.0, 45.0, 90.0, 180.0, 360.0]
        .into_iter()
        .find(|&step| step >= least)
        .unwrap_or_else(|| significant_digits::round_up(least))
}

/// As many digits as steps of this size need.
pub fn tick_words(mark: Tick, degrees: bool) -> String {
    let decimals = (-mark.step.log10().floor()).clamp(0.0, 9.0) as usize;
    let number = number_text::fixed(mark.value, decimals);
    if degrees { format!("{number}°") } else { number }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(marks: &[Tick]) -> Vec<f64> {
        marks.iter().map(|mark| mark.value).collect()
    }

    #[test]
    fn ticks_stand_at_round_numbers_and_include_the_ends() {
        assert_eq!(values(&ticks(-180.0, 180.0, 70.0, true)), [-180.0, -90.0, 0.0, 90.0, 180.0]);
        assert_eq!(values(&ticks(-0.1, 2.3, 0.6, false)), [0.0, 1.0, 2.0]);
        assert_eq!(values(&ticks(0.0, 0.1, 0.03, false)).len(), 3);
        assert!(ticks(0.0, 1.0, 0.0, false).is_empty(), "no room at all");
        let mark = Tick { value: -0.25, step: 0.05 };
        assert_eq!(tick_words(mark, false), "−0.25");
        let mark = Tick { value: -90.0, step: 45.0 };
        assert_eq!(tick_words(mark, true), "−90°");
    }
}
