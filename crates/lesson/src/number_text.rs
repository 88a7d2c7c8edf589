//! Formatting of numbers for the screen, with a true minus and fixed decimals.

use bindpose_diagnostic as diagnostic;

/// U+2212, as wide as a digit in tabular fonts.
pub const MINUS: char = '−';

/// Formats with fixed decimals and a true minus, but never `−0.00`. Values that
/// are not finite are `NaN`, `∞` and `−∞`. Large numbers, whose digits would
/// mean nothing, use a power of ten.
pub fn fixed(value: f64, decimals: usize) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "∞" } else { "−∞" }.to_owned();
    }
    if value.abs() >= 1e15 {
        return scientific(value);
    }
    let text = format!("{value:.decimals$}");
    match text.strip_prefix('-') {
        None => text,
        Some(digits) if digits.bytes().all(|byte| matches!(byte, b'0' | b'.')) => digits.to_owned(),
        Some(digits) => format!("{MINUS}{digits}"),
    }
}

/// Formats like `3.1 × 10⁻⁷`. 0 is `0`. For values that are not finite, see
/// [`fixed`].
pub fn scientific(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return fixed(value, 0);
    }
    let text = format!("{value:.1e}");
    let Some((digits, exponent)) = text.split_once('e') else {
        return text;
    };
    let raised: String = exponent
        .chars()
        .map(|sign| match sign {
            '-' => '⁻',
            '1' => '¹',
            '2' => '²',
            '3' => '³',
            digit => char::from_u32(digit as u32 - '0' as u32 + '⁰' as u32).unwrap_or(digit),
        })
        .collect();
    format!("{} × 10{raised}", digits.replace('-', "−"))
}

/// Formats with thousands separators: `16,384`.
pub fn grouped(number: u32) -> String {
    diagnostic::grouped(number as usize)
}

/// Formats a vector with fixed decimals: `(0.25, 2.00)`.
pub fn point(numbers: &[f32], decimals: usize) -> String {
    let numbers: Vec<String> =
        numbers.iter().map(|&number| fixed(number.into(), decimals)).collect();
    format!("({})", numbers.join(", "))
}

pub fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().into_iter().flat_map(char::to_uppercase);
    first.chain(chars.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_a_true_minus_and_no_negative_zero() {
        assert_eq!(fixed(-1.2345, 3), "−1.234");
        assert_eq!(fixed(-0.0004, 3), "0.000");
        assert_eq!(fixed(-0.0, 1), "0.0");
        assert_eq!(fixed(-0.000_500_1, 3), "−0.001");
        assert_eq!(fixed(12.0, 0), "12");
        assert_eq!(fixed(f64::NAN, 2), "NaN");
        assert_eq!(fixed(f64::NEG_INFINITY, 2), "−∞");
        assert_eq!(fixed(-3e38, 2), "−3.0 × 10³⁸");
        assert_eq!(fixed(1e300, 0), "1.0 × 10³⁰⁰");
    }

    #[test]
    fn small_numbers_are_written_with_a_power_of_ten() {
        assert_eq!(scientific(3.14e-7), "3.1 × 10⁻⁷");
        assert_eq!(scientific(9.96e-11), "1.0 × 10⁻¹⁰");
        assert_eq!(scientific(0.25), "2.5 × 10⁻¹");
        assert_eq!(scientific(12_345.0), "1.2 × 10⁴");
        assert_eq!(scientific(0.0), "0");
        assert_eq!(scientific(f64::INFINITY), "∞");
    }
}
