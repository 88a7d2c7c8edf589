//! Numbers as authors write them and as readers see and type them.

use bindpose_diagnostic::{Diagnostic, grouped, short_number};

use super::expr::{Unit, constant};
use super::toml_error::LINES_HELP;

/// Largest absolute value of a parameter of a rig: a hundred turns, far more than any
/// lesson needs and far below the size at which an f32 angle loses precision.
pub const MAX_PARAM_ABS: f64 = 1000.0;
/// Largest absolute value of all other numbers: parameters of lessons, which can be large
/// counts, and keys of cells.
pub const MAX_NUMBER_ABS: f64 = 1e6;
/// Maximum number of digits after the point of a live number.
pub const MAX_DECIMALS: usize = 9;

/// Parses a number, which can be a formula of constants: `0.8`, `pi/2`, `sqrt(2)/2`.
/// Angles are in radians unless a unit follows: `45deg`.
///
/// # Errors
/// If the text is not a number, or the number is not finite or beyond ±[`MAX_NUMBER_ABS`].
pub fn parse_quantity(text: &str) -> Result<f64, Diagnostic> {
    let (value, _) =
        constant(text).ok_or_else(|| Diagnostic::expected(QUANTITY, format!("`{text}`")))?;
    check_number(value)
}

const QUANTITY: &str = "a number such as 0.8, pi/2 or \"45deg\"";

/// Rejects NaN, infinity and numbers beyond ±[`MAX_NUMBER_ABS`].
pub(crate) fn check_number(value: f64) -> Result<f64, Diagnostic> {
    if value.is_nan() {
        Err(Diagnostic::expected("a number", "NaN (not a number)"))
    } else if value.is_infinite() {
        Err(Diagnostic::expected("a finite number", "infinity"))
    } else {
        within(value, MAX_NUMBER_ABS)
    }
}

/// Returns the value if it is at most `limit` from zero.
///
/// # Errors
/// If it is beyond ±`limit`.
pub fn within(value: f64, limit: f64) -> Result<f64, Diagnostic> {
    if value.abs() > limit {
        let expected = format!("a number from −{limit} to {limit}");
        return Err(Diagnostic::expected(expected, short_number(value)));
    }
    Ok(value)
}

/// A number with an optional unit: `0.8`, `"45.8deg"`. Radians for angles.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Quantity(pub f64);

impl TryFrom<toml::Value> for Quantity {
    type Error = Diagnostic;

    fn try_from(value: toml::Value) -> Result<Self, Diagnostic> {
        match value {
            toml::Value::Integer(number) => check_number(number as f64),
            toml::Value::Float(number) => check_number(number),
            toml::Value::String(text) => parse_quantity(&text),
            other => Err(Diagnostic::expected(QUANTITY, format!("a {}", other.type_str()))),
        }
        .map(Self)
        .map_err(|error| error.help(LINES_HELP))
    }
}

/// Largest distance from the right number that still counts, above 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance(pub f64);

impl TryFrom<toml::Value> for Tolerance {
    type Error = Diagnostic;

    fn try_from(value: toml::Value) -> Result<Self, Diagnostic> {
        let Quantity(tolerance) = Quantity::try_from(value)?;
        if tolerance > 0.0 {
            return Ok(Self(tolerance));
        }
        Err(Diagnostic::expected("a tolerance above 0", tolerance.to_string())
            .help("write how far off still counts, such as 0.05"))
    }
}

/// Format of a live number, taken from the text of its link.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NumberFormat {
    /// Digits after the point; `0.80` has 2.
    pub decimals: usize,
    /// Text before the number, without a sign.
    pub prefix: String,
    /// Text after the number. `°` converts radians to degrees, `%` multiplies by 100.
    pub suffix: String,
}

impl NumberFormat {
    /// Takes the format from an example: the text before the number, its decimals, and the
    /// text after it.
    ///
    /// # Errors
    /// If the text contains no number, or one with more than [`MAX_DECIMALS`] decimals.
    pub fn parse(text: &str) -> Result<Self, Diagnostic> {
        let start = text.find(|c: char| c.is_ascii_digit()).ok_or_else(|| {
            Diagnostic::expected("a number as the words of the link", format!("`{text}`"))
        })?;
        let (before, rest) = text.split_at(start);
        let whole = whole_digits(rest);
        let mut after = &rest[whole..];
        let mut decimals = 0;
        if let Some(fraction) = after.strip_prefix('.') {
            let end = fraction.find(|c: char| !c.is_ascii_digit()).unwrap_or(fraction.len());
            if end > 0 {
                decimals = end;
                after = &fraction[end..];
            }
        }
        if decimals > MAX_DECIMALS {
            return Err(Diagnostic::expected(
                format!("at most {MAX_DECIMALS} decimals"),
                decimals.to_string(),
            ));
        }
        Ok(Self {
            decimals,
            prefix: before.trim_end_matches(['-', '−', '+']).to_owned(),
            suffix: after.to_owned(),
        })
    }

    /// Formats a number for readers: fixed decimals, a true minus sign, never `−0.00`.
    /// Integers of five digits and more are grouped, `3,000,000`. A suffix `°` converts
    /// radians to degrees, `%` multiplies by a hundred. Numbers that are not finite print
    /// as `—`.
    pub fn print(&self, value: f64) -> String {
        let Self { decimals, prefix, suffix } = self;
        let shown = value * self.shown_per_stored();
        if !shown.is_finite() {
            return format!("{prefix}—{suffix}");
        }
        let decimals = (*decimals).min(MAX_DECIMALS);
        let size = shown.abs();
        let digits = if size >= 1e12 {
            format!("{size:.decimals$e}")
        } else if decimals == 0 && (1e4..4e9).contains(&size) {
            grouped(size.round() as usize)
        } else {
            format!("{size:.decimals$}")
        };
        let is_zero = !digits.contains(|c: char| ('1'..='9').contains(&c));
        let sign = if shown < 0.0 && !is_zero { "−" } else { "" };
        format!("{prefix}{sign}{digits}{suffix}")
    }

    /// Parses a number typed by the reader and returns the value to store, or `None` if it
    /// is not a number. It can be a formula of constants, and a plain number can have a
    /// decimal comma. A number without a unit is in the unit shown, except that multiples
    /// of π are radians where an angle is expected.
    pub fn read(&self, typed: &str) -> Option<f64> {
        let shown_in = self.suffix.trim();
        let typed = typed.trim();
        let own = if self.shown_per_stored() == 1.0 { shown_in } else { "" };
        let typed = typed.strip_suffix(own).unwrap_or(typed);
        let (typed, is_percent) = match typed.strip_suffix('%') {
            Some(number) => (number, true),
            None => (typed, false),
        };
        let (value, unit) = constant(&with_decimal_point(typed))?;
        let in_degrees = shown_in.starts_with('°');
        let in_percent = shown_in.starts_with('%');
        match unit {
            Unit::Plain if is_percent && !in_degrees => Some(value / 100.0),
            _ if is_percent => None,
            Unit::Angle if in_percent => None,
            Unit::Mixed if in_degrees => None,
            Unit::Plain if in_degrees => Some(value.to_radians()),
            _ if in_percent => Some(value / 100.0),
            _ => Some(value),
        }
    }

    /// Factor from the stored to the shown value: 180/π for degrees, 100 for percent,
    /// otherwise 1.
    pub fn shown_per_stored(&self) -> f64 {
        match self.suffix.trim_start().chars().next() {
            Some('°') => 1f64.to_degrees(),
            Some('%') => 100.0,
            _ => 1.0,
        }
    }
}

/// Replaces the decimal comma of a plain number by a point. Leaves other texts unchanged.
fn with_decimal_point(typed: &str) -> String {
    let number = typed.trim_end_matches(|c: char| c.is_alphabetic() || matches!(c, '°' | ' '));
    let is_plain = number.chars().all(|c| c.is_ascii_digit() || "+-−,eE ".contains(c));
    if is_plain && number.matches(',').count() == 1 {
        typed.replace(',', ".")
    } else {
        typed.to_owned()
    }
}

/// Length in bytes of the digits before the point, including grouped ones: `3,000,000`.
fn whole_digits(text: &str) -> usize {
    let mut end = leading_digits(text);
    while let Some(group) = text[end..].strip_prefix(',').filter(|rest| leading_digits(rest) == 3) {
        end = text.len() - group.len() + 3;
    }
    end
}

fn leading_digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn print(words: &str, value: f64) -> String {
        NumberFormat::parse(words).unwrap().print(value)
    }

    #[test]
    fn prints_numbers_in_the_format_of_the_link() {
        assert_eq!(print("0.80", 1.2345), "1.23");
        assert_eq!(print("45°", 0.8), "46°");
        assert_eq!(print("45.8 °", 0.8), "45.8 °");
        assert_eq!(print("50%", 0.125), "12%");
        assert_eq!(print("(1.0)", -2.0), "(−2.0)");
        assert_eq!(print("−3.5", 2.0), "2.0");
        assert_eq!(print("13 joints", 29.0), "29 joints");
        assert_eq!(print("ends in 5.", 7.2), "ends in 7.");
        assert_eq!(print("10,000 vertices", 3_000_000.0), "3,000,000 vertices");
        assert_eq!(print("1, or 2", 9999.0), "9999, or 2");
        assert_eq!(print("1,5000", 12.0), "12,5000");
    }

    #[test]
    fn zero_has_no_sign_and_nan_prints_as_a_dash() {
        assert_eq!(print("0.00", -0.001), "0.00");
        assert_eq!(print("0.00", -0.0), "0.00");
        assert_eq!(print("0.00", -0.006), "−0.01");
        assert_eq!(print("0.0", f64::NAN), "—");
        assert_eq!(print("0.0%", f64::INFINITY), "—%");
        assert_eq!(print("0.0", 1e300), "1.0e300");
    }

    #[test]
    fn rejects_texts_without_a_number_and_with_too_many_decimals() {
        assert_eq!(NumberFormat::parse("much").unwrap_err().found, "`much`");
        assert!(NumberFormat::parse("0.0123456789").is_err());
        assert!(NumberFormat::parse("").is_err());
    }

    #[test]
    fn parses_quantities_in_radians_and_degrees_within_limits() {
        assert_eq!(parse_quantity("0.8"), Ok(0.8));
        assert_eq!(parse_quantity("-90deg"), Ok(-std::f64::consts::FRAC_PI_2));
        assert_eq!(parse_quantity(" 180 deg "), Ok(std::f64::consts::PI));
        assert_eq!(parse_quantity("+1/4"), Ok(0.25));
        assert_eq!(parse_quantity("−pi/2"), Ok(-std::f64::consts::FRAC_PI_2));
        assert_eq!(parse_quantity("1.5 rad"), Ok(1.5));
        for text in [
            "nan",
            "inf",
            "-inf",
            "1e400",
            "1e7",
            "deg",
            "",
            "4 5",
            "45degrees",
            "0,5",
            "v2",
            "nod",
            "joints()",
            "1/0",
        ] {
            assert!(parse_quantity(text).is_err(), "{text}");
        }
        assert_eq!(parse_quantity("1e7").unwrap_err().found, "10000000");
    }

    #[test]
    fn typed_numbers_are_in_the_unit_shown_by_default() {
        use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI, SQRT_2};
        for (shown_in, typed, stored) in [
            ("", "0.8", Some(0.8)),
            ("", "0,5", Some(0.5)),
            ("", " −2 ", Some(-2.0)),
            ("", "+3", Some(3.0)),
            ("", "-1e-3", Some(-0.001)),
            ("", "1,5e3", Some(1500.0)),
            ("", "1/3", Some(1.0 / 3.0)),
            ("", "sqrt(2)/2", Some(SQRT_2 / 2.0)),
            ("", "min(1,2)", Some(1.0)),
            ("", "pi/2", Some(FRAC_PI_2)),
            ("", "π", Some(PI)),
            ("", "90deg", Some(FRAC_PI_2)),
            ("", "2*45°", Some(FRAC_PI_2)),
            ("", "25%", Some(0.25)),
            ("°", " −45 ", Some(-FRAC_PI_4)),
            ("°", "45°", Some(FRAC_PI_4)),
            ("°", "45 deg", Some(FRAC_PI_4)),
            ("°", "22,5°", Some(FRAC_PI_4 / 2.0)),
            ("°", "0.8rad", Some(0.8)),
            ("°", "0,8 rad", Some(0.8)),
            ("°", "pi/4", Some(FRAC_PI_4)),
            ("°", "pi/4 rad", Some(FRAC_PI_4)),
            ("°", "90/2", Some(FRAC_PI_4)),
            ("°", "90/2°", Some(FRAC_PI_4)),
            ("°", "10deg + 35deg", Some(FRAC_PI_4)),
            ("°", "acos(0)", Some(FRAC_PI_2)),
            ("°", "90*sin(pi/2)", Some(FRAC_PI_2)),
            ("°)", "45", Some(FRAC_PI_4)),
            ("%", "50", Some(0.5)),
            ("%", "50 %", Some(0.5)),
            (" s", "1.5 s", Some(1.5)),
            (" ×", "1/2", Some(0.5)),
            ("°", "45deg + 10", None),
            ("°", "25%", None),
            ("%", "45deg", None),
            ("", "", None),
            ("", "NaN", None),
            ("", "-inf", None),
            ("", "1e999", None),
            ("", "1/0", None),
            ("", "sqrt(-1)", None),
            ("", "12 apples", None),
            ("", "0x10", None),
            ("", "°", None),
            ("", "1..2", None),
            ("", "1,2,3", None),
            ("", "1,5/2", None),
            ("", "−", None),
            ("", "é", None),
            ("", "nan°", None),
            ("", "v2", None),
            ("", "x(v2)", None),
            ("", "joints()", None),
        ] {
            let format = NumberFormat { suffix: shown_in.to_owned(), ..NumberFormat::default() };
            let read = format.read(typed);
            let same = match (read, stored) {
                (Some(read), Some(stored)) => (read - stored).abs() < 1e-12,
                _ => read == stored,
            };
            assert!(same, "{typed} in {shown_in}: {read:?}");
        }
    }
}
