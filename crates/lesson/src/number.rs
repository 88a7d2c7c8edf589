//! Numbers as authors write them and as readers see them.

use bindpose_diagnostic::{Diagnostic, grouped, short_number};

use super::expr::{Unit, constant};
use super::toml_error::LINES_HELP;

/// Numbers beyond ± this are refused for parameters of a rig: a hundred turns is
/// more than any lesson asks for, and far below where an f32 angle loses its
/// digits.
pub const PARAM_LIMIT: f64 = 1000.0;
/// Numbers beyond ± this are refused everywhere else: lesson parameters (a count
/// of uniforms may be large), keys of cells.
pub const NUMBER_LIMIT: f64 = 1e6;
/// Digits after the point that a live number may have.
pub const MAX_DECIMALS: usize = 9;

/// A number, which may be a formula that names nothing of a page: `0.8`, `pi/2`,
/// `sqrt(2)/2`. Angles are radians unless a unit says otherwise: `45deg`.
///
/// Errors: what was expected instead, when it is not a number, not finite, or beyond
/// ±[`NUMBER_LIMIT`].
pub fn parse_quantity(text: &str) -> Result<f64, Diagnostic> {
    let (value, _) =
        constant(text).ok_or_else(|| Diagnostic::expected(QUANTITY, format!("`{text}`")))?;
    checked(value)
}

const QUANTITY: &str = "a number such as 0.8, pi/2 or \"45deg\"";

/// Refuses what is not finite or absurd.
///
/// Errors: what was expected and what was found.
pub(crate) fn checked(value: f64) -> Result<f64, Diagnostic> {
    if value.is_nan() {
        Err(Diagnostic::expected("a number", "NaN (not a number)"))
    } else if value.is_infinite() {
        Err(Diagnostic::expected("a finite number", "infinity"))
    } else {
        within(value, NUMBER_LIMIT)
    }
}

/// Refuses what is beyond ±`limit`.
///
/// Errors: what was expected and what was found.
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
            toml::Value::Integer(number) => checked(number as f64),
            toml::Value::Float(number) => checked(number),
            toml::Value::String(text) => parse_quantity(&text),
            other => Err(Diagnostic::expected(QUANTITY, format!("a {}", other.type_str()))),
        }
        .map(Self)
        .map_err(|wrong| wrong.help(LINES_HELP))
    }
}

/// How a live number is written; taken from the text of its link.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NumberFormat {
    /// Digits after the point: `0.80` gives 2.
    pub decimals: usize,
    /// Written before: `(`, `−` never.
    pub prefix: String,
    /// Written after: `°` converts radians to degrees, `%` multiplies by 100.
    pub suffix: String,
}

impl NumberFormat {
    /// The format that a number was written in: what stands before it, how many
    /// decimals it has, what stands after it.
    ///
    /// Fails when there is no number in the text, or it has too many decimals.
    pub fn parse(text: &str) -> Result<Self, Diagnostic> {
        let start = text.find(|c: char| c.is_ascii_digit()).ok_or_else(|| {
            Diagnostic::expected("a number as the words of the link", format!("`{text}`"))
        })?;
        let (before, rest) = text.split_at(start);
        let whole = whole_digits(rest);
        let (mut after, mut decimals) = (&rest[whole..], 0);
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

    /// The number as readers see it: fixed decimals, a true minus sign, never
    /// `−0.00`; a whole one of five digits and more in groups, `3,000,000`. With `°`
    /// after it, radians are shown in degrees; with `%`, times a hundred. What is not
    /// finite prints as `—`.
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

    /// What somebody types over the number, as stored; `None` when it is none. It
    /// may be a formula that names nothing of the page, and the point of a plain
    /// number a comma. Without a unit it is in the unit shown, but for multiples
    /// of π, which as angles are radians.
    pub fn read(&self, typed: &str) -> Option<f64> {
        let shown_in = self.suffix.trim();
        let typed = typed.trim();
        let own = if self.shown_per_stored() == 1.0 { shown_in } else { "" };
        let typed = typed.strip_suffix(own).unwrap_or(typed);
        let (typed, percent) = match typed.strip_suffix('%') {
            Some(number) => (number, true),
            None => (typed, false),
        };
        let (value, unit) = constant(&with_point(typed))?;
        let (in_degrees, in_percent) = (shown_in.starts_with('°'), shown_in.starts_with('%'));
        match unit {
            Unit::Plain if percent && !in_degrees => Some(value / 100.0),
            _ if percent => None,
            Unit::Angle if in_percent => None,
            Unit::Mixed if in_degrees => None,
            Unit::Plain if in_degrees => Some(value.to_radians()),
            _ if in_percent => Some(value / 100.0),
            _ => Some(value),
        }
    }

    /// What a stored value is multiplied with to be shown: 180/π for degrees,
    /// 100 for percent, otherwise 1.
    pub fn shown_per_stored(&self) -> f64 {
        match self.suffix.trim_start().chars().next() {
            Some('°') => 1f64.to_degrees(),
            Some('%') => 100.0,
            _ => 1.0,
        }
    }
}

/// A plain number with a comma in the place of its point, with a point; anything
/// else as it is.
fn with_point(typed: &str) -> String {
    let number = typed.trim_end_matches(|c: char| c.is_alphabetic() || matches!(c, '°' | ' '));
    let plain = |c: char| c.is_ascii_digit() || "+-−,eE ".contains(c);
    if number.chars().all(plain) && number.matches(',').count() == 1 {
        typed.replace(',', ".")
    } else {
        typed.to_owned()
    }
}

/// How many bytes its digits before the point take, `3,000,000` included.
fn whole_digits(text: &str) -> usize {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let mut end = digits(text);
    while let Some(group) = text[end..].strip_prefix(',').filter(|rest| digits(rest) == 3) {
        end = text.len() - group.len() + 3;
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn print(words: &str, value: f64) -> String {
        NumberFormat::parse(words).unwrap().print(value)
    }

    #[test]
    fn numbers_print_in_the_format_of_their_words() {
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
    fn zero_has_no_sign_and_what_is_no_number_prints_as_a_dash() {
        assert_eq!(print("0.00", -0.001), "0.00");
        assert_eq!(print("0.00", -0.0), "0.00");
        assert_eq!(print("0.00", -0.006), "−0.01");
        assert_eq!(print("0.0", f64::NAN), "—");
        assert_eq!(print("0.0%", f64::INFINITY), "—%");
        assert_eq!(print("0.0", 1e300), "1.0e300");
    }

    #[test]
    fn words_without_a_number_and_endless_decimals_are_refused() {
        assert_eq!(NumberFormat::parse("much").unwrap_err().found, "`much`");
        assert!(NumberFormat::parse("0.0123456789").is_err());
        assert!(NumberFormat::parse("").is_err());
    }

    #[test]
    fn quantities_are_radians_or_degrees_and_nothing_absurd() {
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
    /// `None`: refused.
    #[test]
    fn what_is_typed_is_read_in_the_unit_shown_unless_it_says_another() {
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
