//! JSON, also where numbers are too large for it.

use std::ops::Range;

use bindpose_diagnostic::{LineColumn, json_wrong};
use serde_json::{Number, Value};

/// The text of a JSON file, or of a chunk, without what does not belong to it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JsonText<'a> {
    pub(crate) text: &'a [u8],
    /// Was there a byte order mark before it?
    pub(crate) has_mark: bool,
    /// Were there zeros behind it, as padding?
    pub(crate) has_zeros: bool,
}

impl<'a> JsonText<'a> {
    pub(crate) fn of(bytes: &'a [u8]) -> Self {
        let unmarked = bytes.strip_prefix(b"\xEF\xBB\xBF");
        let text = unmarked.unwrap_or(bytes);
        let end = text.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
        let has_zeros = end < text.len();
        Self { text: &text[..end], has_mark: unmarked.is_some(), has_zeros }
    }
}

/// What became of a text.
#[derive(Debug)]
pub(crate) struct Parsed {
    pub(crate) value: Value,
    /// JSON pointers of numbers too large for 64-bit floats, which stand as the
    /// largest that fits, with their signs.
    pub(crate) too_large: Vec<String>,
    /// Does `null` stand where something is nested too deeply?
    pub(crate) cut: bool,
}

/// Lists and objects in one another that are read; the parser’s own limit is 128.
/// Nothing in glTF but `extras` and extensions is nested half as deep.
const MOST_DEEP: usize = 100;

/// Reads a text.
pub(crate) fn parse(text: &[u8]) -> Result<Parsed, String> {
    let error = match serde_json::from_slice(text) {
        Ok(value) => {
            return Ok(Parsed { value, too_large: Vec::new(), cut: false });
        }
        Err(error) => error,
    };
    let (patched, cut) = patched(text).ok_or_else(|| not_json(&error))?;
    let value = serde_json::from_slice(&patched).map_err(|error| not_json(&error))?;
    let mut too_large = Vec::new();
    largest(&value, &mut String::new(), &mut too_large);
    Ok(Parsed { value, too_large, cut })
}

/// Makes integers of numbers that are whole but written as floats, `2.0`, as glTF
/// 2.0.1 allows (section 2.7, JSON encoding).
pub(crate) fn write_whole_numbers_as_integers(value: &mut Value) {
    match value {
        Value::Number(number) => {
            // Beyond this, floats are no longer exact.
            const MOST: f64 = 9_007_199_254_740_992.0;
            let float = number.as_f64().filter(|_| number.is_f64());
            let whole = float.filter(|x| x.fract() == 0.0 && x.abs() <= MOST);
            if let Some(whole) = whole.filter(|x| *x != 0.0 || x.is_sign_positive()) {
                *number = Number::from(whole as i64);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(write_whole_numbers_as_integers),
        Value::Object(entries) => entries.values_mut().for_each(write_whole_numbers_as_integers),
        _ => {}
    }
}

fn not_json(error: &serde_json::Error) -> String {
    let (why, LineColumn { line, column }) = json_wrong(error);
    format!("{why}, in line {line}, column {column}")
}

/// The text with numbers that overflow replaced by the largest float, and with
/// what is nested too deeply by `null` (and whether that was so); `None` when
/// there is neither.
fn patched(text: &[u8]) -> Option<(Vec<u8>, bool)> {
    let mut patched = Vec::new();
    let mut copied = 0;
    let mut at = 0;
    let mut depth = 0_usize;
    let mut cut = false;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'"' => at = end_of_string(text, at),
            b'-' | b'0'..=b'9' => {
                let token = at..end_of_number(text, at);
                if let Some(replacement) = replacement(text, &token) {
                    patched.extend_from_slice(&text[copied..token.start]);
                    patched.extend_from_slice(replacement.as_bytes());
                    copied = token.end;
                }
                at = token.end;
            }
            b'{' | b'[' if depth == MOST_DEEP => {
                let end = end_of_nested(text, at)?;
                patched.extend_from_slice(&text[copied..at]);
                patched.extend_from_slice(b"null");
                (copied, at, cut) = (end, end, true);
            }
            b'{' | b'[' => (at, depth) = (at + 1, depth + 1),
            b'}' | b']' => (at, depth) = (at + 1, depth.saturating_sub(1)),
            _ => at += 1,
        }
    }
    if copied == 0 {
        return None;
    }
    patched.extend_from_slice(&text[copied..]);
    Some((patched, cut))
}

/// Behind the bracket that closes the one at `from`; `None` where there is none.
fn end_of_nested(text: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    let mut depth = 0_usize;
    while let Some(&byte) = text.get(at) {
        at = if byte == b'"' { end_of_string(text, at) } else { at + 1 };
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' if depth == 1 => return Some(at),
            b'}' | b']' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Behind the closing quote, or the end of the text.
fn end_of_string(text: &[u8], from: usize) -> usize {
    let mut at = from + 1;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    text.len()
}

fn end_of_number(text: &[u8], from: usize) -> usize {
    let part = |byte: &u8| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
    let length = text[from..].iter().take_while(|byte| part(byte)).count();
    from + length
}

fn replacement(text: &[u8], token: &Range<usize>) -> Option<&'static str> {
    let number: f64 = std::str::from_utf8(&text[token.clone()]).ok()?.parse().ok()?;
    match number {
        f64::INFINITY => Some("1.7976931348623157e308"),
        f64::NEG_INFINITY => Some("-1.7976931348623157e308"),
        _ => None,
    }
}

/// Pointers of all numbers that are the largest float. As deep as the parser
/// allows, which is bounded.
fn largest(value: &Value, pointer: &mut String, found: &mut Vec<String>) {
    let length = pointer.len();
    match value {
        Value::Number(number) if number.as_f64().is_some_and(|x| x.abs() >= f64::MAX) => {
            found.push(pointer.clone());
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                pointer.push('/');
                pointer.push_str(&index.to_string());
                largest(item, pointer, found);
                pointer.truncate(length);
            }
        }
        Value::Object(entries) => {
            for (key, item) in entries {
                pointer.push('/');
                pointer.push_str(&escaped(key));
                largest(item, pointer, found);
                pointer.truncate(length);
            }
        }
        _ => {}
    }
}

/// A key as part of a JSON pointer (RFC 6901), cut where it is absurdly long.
pub(crate) fn escaped(key: &str) -> String {
    let key: String = key.chars().take(120).collect();
    key.replace('~', "~0").replace('/', "~1")
}

#[cfg(test)]
mod tests {

    use super::*;

    #[test]
    fn numbers_beyond_floats_become_the_largest_and_are_named() {
        let text = br#"{"a": [1, -1e309], "b": "1e999", "c": {"d/e": 9e9999}}"#;
        let parsed = parse(text).unwrap();
        assert_eq!(parsed.too_large, ["/a/1", "/c/d~1e"]);
        assert_eq!(parsed.value["a"][1].as_f64(), Some(-f64::MAX));
        assert_eq!(parsed.value["b"], "1e999");
        assert!(parse(b"{\"a\": 1.5e300}").unwrap().too_large.is_empty());
    }

    #[test]
    fn what_is_nested_too_deeply_is_left_out() {
        let nested = |depth: usize| {
            let text =
                [&b"{\"a]\": "[..], &b"[".repeat(depth), &b"]".repeat(depth), b", \"b\": 1}"];
            parse(&text.concat()).unwrap()
        };
        assert!(!nested(120).cut);
        let parsed = nested(5000);
        assert!(parsed.cut);
        assert_eq!(parsed.value["b"], 1);
        assert!(parse(&b"[".repeat(5000)).is_err());
    }

    #[test]
    fn whole_numbers_become_integers_and_no_others_change() {
        let mut value = parse(br#"[2.0, -3e2, 2.5, 1e300, -0.0, "2.0", 7]"#).unwrap().value;
        write_whole_numbers_as_integers(&mut value);
        assert_eq!(value.to_string(), r#"[2,-300,2.5,1e+300,-0.0,"2.0",7]"#);
    }

    #[test]
    fn what_is_not_json_is_refused_with_its_place() {
        for text in [&b"{]"[..], b"", b"{\"a\": \"", b"{\"a\": 1e309", b"\"\\", b"[-"] {
            assert!(parse(text).is_err(), "{text:?}");
        }
        let error = parse(b"{\n  \"a\": 1,\n}").unwrap_err();
        assert_eq!(error.matches("line").count(), 1, "{error}");
        assert!(error.contains(", in line 3, column "), "{error}");
    }

    #[test]
    fn marks_and_zeros_around_a_text_are_told_and_taken_away() {
        let text = JsonText::of(b"\xEF\xBB\xBF{} \0\0");
        assert_eq!((text.text, text.has_mark, text.has_zeros), (&b"{} "[..], true, true));
        let text = JsonText::of(b"{}");
        assert_eq!((text.text, text.has_mark, text.has_zeros), (&b"{}"[..], false, false));
        assert_eq!(JsonText::of(b"\0").text, b"");
    }
}
