//! Text from files on its way to a terminal or a log: what a terminal would obey
//! is shown instead. And numbers in words.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Characters that are shown at the beginning and at the end of a longer text.
const SHOWN_FIRST: usize = 1000;
const SHOWN_LAST: usize = 200;

/// In one line: characters that are not shown but obeyed as `\u{1b}`, and a text
/// of absurd length without its middle.
pub fn printable(text: &str) -> Cow<'_, str> {
    let short = shortened(text);
    if !short.chars().any(is_obeyed) {
        return short;
    }
    let mut shown = String::with_capacity(short.len() + 16);
    for c in short.chars() {
        if is_obeyed(c) {
            // Writing to a string cannot fail.
            let _ = write!(shown, "{}", c.escape_unicode());
        } else {
            shown.push(c);
        }
    }
    shown.into()
}

/// Does a terminal do something else with it than show it? Control characters,
/// all line ends among them, and what changes the direction of writing or cannot
/// be seen.
pub fn is_obeyed(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}')
}

fn shortened(text: &str) -> Cow<'_, str> {
    if text.len() <= SHOWN_FIRST + SHOWN_LAST {
        return text.into();
    }
    let after = |count: usize| text.char_indices().nth(count).map(|(at, _)| at);
    let before = |count: usize| text.char_indices().nth_back(count - 1).map(|(at, _)| at);
    match (after(SHOWN_FIRST), before(SHOWN_LAST)) {
        (Some(first), Some(last)) if first < last => {
            format!("{} […] {}", &text[..first], &text[last..]).into()
        }
        _ => text.into(),
    }
}

// Numbers in words.

/// In the digits that it needs, and without rows of zeros: `0.8`, `1e300`.
pub fn short_number(number: f64) -> String {
    if (1e-9..1e15).contains(&number.abs()) || number == 0.0 {
        number.to_string()
    } else {
        format!("{number:e}")
    }
}

/// `1 error`, `2 errors`, `16,384 vertices`.
pub fn counted(number: usize, what: &str) -> String {
    let number_text = grouped(number);
    match (number, what) {
        (1, _) => format!("{number_text} {what}"),
        (_, "vertex") => format!("{number_text} vertices"),
        (_, "mesh") => format!("{number_text} meshes"),
        _ => format!("{number_text} {what}s"),
    }
}

/// `16,384`
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
    fn what_a_terminal_would_obey_is_shown() {
        let evil = "\u{1b}[2J\u{202e}gnp.exe\u{9b}31m\u{8}\r\nfake\u{7f}";
        let shown = r"\u{1b}[2J\u{202e}gnp.exe\u{9b}31m\u{8}\u{d}\u{a}fake\u{7f}";
        assert_eq!(printable(evil), shown);
        assert_eq!(printable(shown), shown, "once is enough");
        for plain in ["", "joint 0", "Bär_左足 “x”", "नमस्ते", "👩\u{200d}🚀"]
        {
            assert!(matches!(printable(plain), Cow::Borrowed(same) if same == plain));
        }
    }

    #[test]
    fn numbers_have_no_rows_of_zeros() {
        let shown = [0.0, -0.8, 1e6, 1e300, -3e-20, f64::INFINITY].map(short_number);
        assert_eq!(shown, ["0", "-0.8", "1000000", "1e300", "-3e-20", "inf"]);
    }

    #[test]
    fn a_text_of_absurd_length_loses_its_middle() {
        let long = format!("begin{}end", "ü".repeat(1_000_000));
        let shown = printable(&long);
        assert!(shown.starts_with("begin") && shown.ends_with("end"));
        assert!(shown.contains(" […] ") && shown.chars().count() < 1300);
        let all = "ü".repeat(SHOWN_FIRST + SHOWN_LAST);
        assert_eq!(printable(&all), all);
    }

    #[test]
    fn one_stands_alone_and_thousands_are_told_apart() {
        assert_eq!(counted(1, "error"), "1 error");
        assert_eq!(counted(0, "note"), "0 notes");
        assert_eq!(counted(1, "vertex"), "1 vertex");
        assert_eq!(counted(2, "mesh"), "2 meshes");
        assert_eq!(counted(16_384, "vertex"), "16,384 vertices");
    }
}
