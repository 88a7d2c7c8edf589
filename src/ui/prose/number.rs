//! Live numbers as text: printed by the format of their link, read from what
//! somebody types.

use crate::asset::PARAM_LIMIT;
use crate::lesson::NumberFormat;

/// Units shown per unit stored: degrees per radian, percent per one.
pub(super) fn shown_per_stored(format: &NumberFormat) -> f64 {
    if format.suffix.contains('°') {
        180.0 / std::f64::consts::PI
    } else if format.suffix.contains('%') {
        100.0
    } else {
        1.0
    }
}

/// The value as the format asks: fixed decimals, a true minus sign (U+2212),
/// never −0. `value` is as stored: radians for what is shown in degrees.
#[must_use]
pub fn print(value: f64, format: &NumberFormat) -> String {
    let NumberFormat {
        decimals,
        prefix,
        suffix,
    } = format;
    let digits = format!("{:.*}", decimals, value * shown_per_stored(format));
    let number = match digits.strip_prefix('-') {
        Some(rest) if rest.bytes().all(|b| matches!(b, b'0' | b'.')) => rest.to_owned(),
        Some(rest) => format!("\u{2212}{rest}"),
        None => digits,
    };
    format!("{prefix}{number}{suffix}")
}

/// What somebody typed, as stored. A number without a unit is in the unit that
/// is shown; `deg`, `°`, `rad` and `%` say otherwise.
///
/// `None` for anything that is not a number within ±[`PARAM_LIMIT`].
#[must_use]
pub fn parse(typed: &str, format: &NumberFormat) -> Option<f64> {
    let typed = typed.trim().replace('\u{2212}', "-").replace(',', ".");
    let number = typed.trim_end_matches(|c: char| c.is_alphabetic() || matches!(c, '°' | '%'));
    let stored_per_typed = match typed[number.len()..].trim() {
        "" => 1.0 / shown_per_stored(format),
        "°" | "deg" => std::f64::consts::PI / 180.0,
        "rad" => 1.0,
        "%" => 0.01,
        _ => return None,
    };
    let value = number.trim().parse::<f64>().ok()? * stored_per_typed;
    (value.abs() <= PARAM_LIMIT).then_some(value)
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
    fn numbers_print_with_a_true_minus_and_without_a_negative_zero() {
        assert_eq!(print(-0.8, &format(2, "")), "−0.80");
        assert_eq!(print(-0.001, &format(2, "")), "0.00");
        assert_eq!(print(0.8, &format(1, "°")), "45.8°");
        assert_eq!(print(0.257, &format(0, "%")), "26%");
    }

    #[test]
    fn what_is_typed_is_read_in_the_unit_shown_unless_it_says_another() {
        let near = |a: Option<f64>, b: f64| (a.unwrap() - b).abs() < 1e-12;
        assert!(near(parse("0.8", &format(2, "")), 0.8));
        assert!(near(
            parse(" −45 ", &format(0, "°")),
            -0.25 * std::f64::consts::PI
        ));
        assert!(near(
            parse("90deg", &format(2, "")),
            0.5 * std::f64::consts::PI
        ));
        assert!(near(parse("1.5 rad", &format(0, "°")), 1.5));
        assert!(near(parse("0,5", &format(2, "")), 0.5));
        assert!(near(parse("25", &format(0, "%")), 0.25));
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
            assert_eq!(parse(typed, &format(2, "")), None, "{typed}");
        }
    }
}
