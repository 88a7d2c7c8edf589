//! Reading what somebody types over a live number.

use crate::lesson::{NUMBER_LIMIT, NumberFormat};
use crate::notebook::numbers;

/// What somebody typed, as stored. A number without a unit is in the unit that
/// is shown; `deg`, `°`, `rad` and `%` say otherwise.
///
/// # Errors
/// In words for the reader: no number, or one beyond ±[`NUMBER_LIMIT`]. Angles
/// have a nearer limit, which the notebook holds.
pub(super) fn parse(typed: &str, format: &NumberFormat) -> Result<f64, String> {
    let typed = typed.trim();
    let number = typed.trim_end_matches(|c: char| c.is_alphabetic() || matches!(c, '°' | '%'));
    let stored_per_typed = match typed[number.len()..].trim() {
        "" => 1.0 / format.shown_per_stored(),
        "°" | "deg" => std::f64::consts::PI / 180.0,
        "rad" => 1.0,
        "%" => 0.01,
        _ => return Err(format!("“{typed}” is not a number")),
    };
    let stored = numbers::parse(number, "")? * stored_per_typed;
    if stored.abs() <= NUMBER_LIMIT {
        Ok(stored)
    } else {
        let limit = NUMBER_LIMIT * format.shown_per_stored();
        Err(format!("beyond ±{limit:.0}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn format(decimals: usize, suffix: &str) -> NumberFormat {
        NumberFormat {
            decimals,
            prefix: String::new(),
            suffix: suffix.to_owned(),
        }
    }

    #[test]
    fn what_is_typed_is_read_in_the_unit_shown_unless_it_says_another() {
        let (plain, degrees) = (format(2, ""), format(0, "°"));
        for (typed, format, stored) in [
            ("0.8", &plain, 0.8),
            (" −45 ", &degrees, -std::f64::consts::FRAC_PI_4),
            ("90deg", &plain, std::f64::consts::FRAC_PI_2),
            ("1.5 rad", &degrees, 1.5),
            ("0,5", &plain, 0.5),
            ("25%", &plain, 0.25),
        ] {
            let read = parse(typed, format).expect(typed);
            assert!((read - stored).abs() < 1e-12, "{typed}: {read}");
        }
    }

    #[test]
    fn what_is_no_number_or_absurd_is_refused() {
        for typed in [
            "",
            "NaN",
            "inf",
            "-inf",
            "1e9",
            "12 apples",
            "°",
            "1..2",
            "−",
            "é",
            "nan°",
        ] {
            assert!(parse(typed, &format(2, "")).is_err(), "{typed}");
        }
    }
}
