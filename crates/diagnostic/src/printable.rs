//! Formatting for terminals and logs: escaped control characters, shortened texts, numbers.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Number of characters of a long text that are kept at its start.
const MAX_START_CHARS: usize = 1000;
/// Number of characters of a long text that are kept at its end.
const MAX_END_CHARS: usize = 200;

/// Formats a text from a file for a terminal, on one line.
///
/// Escapes control and invisible characters, as in `\u{1b}`. Replaces the middle of a very long
/// text by `[…]`.
pub fn printable(text: &str) -> Cow<'_, str> {
    let shortened = shorten(text);
    if !shortened.chars().any(is_obeyed) {
        return shortened;
    }
    let mut escaped = String::with_capacity(shortened.len() + 16);
    for c in shortened.chars() {
        if is_obeyed(c) {
            // Writing to a string cannot fail.
            let _ = write!(escaped, "{}", c.escape_unicode());
        } else {
            escaped.push(c);
        }
    }
    escaped.into()
}

/// Returns whether a terminal interprets a character instead of displaying it: control
/// characters, line separators, changes of the writing direction, and invisible characters.
pub fn is_obeyed(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}')
}

fn shorten(text: &str) -> Cow<'_, str> {
    if text.len() <= MAX_START_CHARS + MAX_END_CHARS {
        return text.into();
    }
    let start_len = text.char_indices().nth(MAX_START_CHARS).map(|(index, _)| index);
    let end_start = text.char_indices().nth_back(MAX_END_CHARS - 1).map(|(index, _)| index);
    match (start_len, end_start) {
        (Some(start_len), Some(end_start)) if start_len < end_start => {
            format!("{} […] {}", &text[..start_len], &text[end_start..]).into()
        }
        _ => text.into(),
    }
}

/// Formats a number with all of its digits, in scientific notation if it is very small or large:
/// `0.8`, `1e300`.
pub fn short_number(number: f64) -> String {
    if (1e-9..1e15).contains(&number.abs()) || number == 0.0 {
        number.to_string()
    } else {
        format!("{number:e}")
    }
}

/// Formats a number with a noun, in the plural unless it is 1: `1 error`, `2 errors`,
/// `16,384 vertices`. Knows the plurals of “vertex” and “mesh”.
pub fn counted(number: usize, what: &str) -> String {
    let number_text = grouped(number);
    match (number, what) {
        (1, _) => format!("{number_text} {what}"),
        (_, "vertex") => format!("{number_text} vertices"),
        (_, "mesh") => format!("{number_text} meshes"),
        _ => format!("{number_text} {what}s"),
    }
}

/// Formats a number with commas between groups of three digits: `16,384`.
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped() {
        let malicious = "\u{1b}[2J\u{202e}gnp.exe\u{9b}31m\u{8}\r\nfake\u{7f}";
        let escaped = r"\u{1b}[2J\u{202e}gnp.exe\u{9b}31m\u{8}\u{d}\u{a}fake\u{7f}";
        assert_eq!(printable(malicious), escaped);
        assert_eq!(printable(escaped), escaped, "escaping twice changes nothing");
        for plain in ["", "joint 0", "Bär_左足 “x”", "नमस्ते", "👩\u{200d}🚀"]
        {
            assert!(matches!(printable(plain), Cow::Borrowed(same) if same == plain));
        }
    }

    #[test]
    fn very_small_and_large_numbers_are_in_scientific_notation() {
        let texts = [0.0, -0.8, 1e6, 1e300, -3e-20, f64::INFINITY].map(short_number);
        assert_eq!(texts, ["0", "-0.8", "1000000", "1e300", "-3e-20", "inf"]);
    }

    #[test]
    fn long_texts_lose_their_middle() {
        let long = format!("begin{}end", "ü".repeat(1_000_000));
        let shortened = printable(&long);
        assert!(shortened.starts_with("begin") && shortened.ends_with("end"));
        assert!(shortened.contains(" […] ") && shortened.chars().count() < 1300);
        let longest_kept = "ü".repeat(MAX_START_CHARS + MAX_END_CHARS);
        assert_eq!(printable(&longest_kept), longest_kept);
    }

    #[test]
    fn counts_have_plurals_and_grouped_digits() {
        assert_eq!(counted(1, "error"), "1 error");
        assert_eq!(counted(0, "note"), "0 notes");
        assert_eq!(counted(1, "vertex"), "1 vertex");
        assert_eq!(counted(2, "mesh"), "2 meshes");
        assert_eq!(counted(16_384, "vertex"), "16,384 vertices");
    }
}
