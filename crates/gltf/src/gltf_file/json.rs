//! Tolerant JSON parsing: accepts numbers that overflow and excessive nesting, and reports
//! them.

use bindpose_diagnostic::{LineColumn, json_wrong};
use serde_json::{Number, Value};

/// The text of a JSON file or chunk, without byte order mark and padding.
#[derive(Clone, Copy, Debug)]
pub struct JsonText<'a> {
    /// The JSON itself, in UTF-8.
    pub text: &'a [u8],
    /// Whether a byte order mark preceded the text.
    pub has_mark: bool,
    /// Whether the text was padded with zeros.
    pub has_zeros: bool,
}

impl<'a> JsonText<'a> {
    /// Strips the byte order mark and the padding from the bytes of a file or chunk.
    pub fn of(bytes: &'a [u8]) -> Self {
        let unmarked = bytes.strip_prefix(b"\xEF\xBB\xBF");
        let text = unmarked.unwrap_or(bytes);
        let end = text.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
        let has_zeros = end < text.len();
        Self { text: &text[..end], has_mark: unmarked.is_some(), has_zeros }
    }
}

/// Result of parsing a JSON text.
#[derive(Debug)]
pub struct Parsed {
    /// Root of the parsed text.
    pub value: Value,
    /// JSON pointers of numbers too large for 64-bit floats. Each is replaced by the largest
    /// float of its sign.
    pub too_large: Vec<String>,
    /// Whether a part that was nested too deeply is replaced by `null`.
    pub cut: bool,
}

/// Maximum nesting of lists and objects. The limit of the parser is 128. Nothing in glTF but
/// `extras` and extensions is nested half as deeply.
const MAX_DEPTH: usize = 100;

/// Parses a JSON text.
///
/// # Errors
///
/// Returns a description with line and column if the text is not JSON.
pub fn parse(text: &[u8]) -> Result<Parsed, String> {
    let error = match serde_json::from_slice(text) {
        Ok(value) => {
            return Ok(Parsed { value, too_large: Vec::new(), cut: false });
        }
        Err(error) => error,
    };
    let (patched, cut) = patch_text(text).ok_or_else(|| describe_error(&error))?;
    let value = serde_json::from_slice(&patched).map_err(|error| describe_error(&error))?;
    let mut too_large = Vec::new();
    find_largest_floats(&value, &mut String::new(), &mut too_large);
    Ok(Parsed { value, too_large, cut })
}

/// Replaces whole numbers that are written as floats, such as `2.0`, by integers. glTF 2.0.1
/// allows that notation (section 2.7, JSON encoding).
pub(crate) fn write_whole_numbers_as_integers(value: &mut Value) {
    match value {
        Value::Number(number) => {
            // Larger floats do not represent all integers exactly.
            const MAX_EXACT_INTEGER: f64 = 9_007_199_254_740_992.0;
            let Some(float) = number.as_f64().filter(|_| number.is_f64()) else { return };
            let is_negative_zero = float == 0.0 && float.is_sign_negative();
            if float.fract() == 0.0 && float.abs() <= MAX_EXACT_INTEGER && !is_negative_zero {
                *number = Number::from(float as i64);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(write_whole_numbers_as_integers),
        Value::Object(entries) => entries.values_mut().for_each(write_whole_numbers_as_integers),
        _ => {}
    }
}

fn describe_error(error: &serde_json::Error) -> String {
    let (why, LineColumn { line, column }) = json_wrong(error);
    format!("{why}, in line {line}, column {column}")
}

/// Replaces numbers that overflow by the largest float, and lists and objects that are nested
/// too deeply by `null`. Returns the text, and whether there was excessive nesting. Returns
/// `None` if nothing was replaced.
fn patch_text(text: &[u8]) -> Option<(Vec<u8>, bool)> {
    let mut patched = Vec::new();
    let mut copied = 0;
    let mut offset = 0;
    let mut depth = 0_usize;
    let mut cut = false;
    while let Some(&byte) = text.get(offset) {
        match byte {
            b'"' => offset = end_of_string(text, offset),
            b'-' | b'0'..=b'9' => {
                let end = end_of_number(text, offset);
                if let Some(replacement) = replace_overflow(&text[offset..end]) {
                    patched.extend_from_slice(&text[copied..offset]);
                    patched.extend_from_slice(replacement.as_bytes());
                    copied = end;
                }
                offset = end;
            }
            b'{' | b'[' if depth == MAX_DEPTH => {
                let end = end_of_nested(text, offset)?;
                patched.extend_from_slice(&text[copied..offset]);
                patched.extend_from_slice(b"null");
                copied = end;
                offset = end;
                cut = true;
            }
            b'{' | b'[' => {
                offset += 1;
                depth += 1;
            }
            b'}' | b']' => {
                offset += 1;
                depth = depth.saturating_sub(1);
            }
            _ => offset += 1,
        }
    }
    if copied == 0 {
        return None;
    }
    patched.extend_from_slice(&text[copied..]);
    Some((patched, cut))
}

/// Returns the offset after the bracket that closes the one at `start`. Returns `None` if
/// there is none.
fn end_of_nested(text: &[u8], start: usize) -> Option<usize> {
    let mut offset = start;
    let mut depth = 0_usize;
    while let Some(&byte) = text.get(offset) {
        offset = if byte == b'"' { end_of_string(text, offset) } else { offset + 1 };
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' if depth == 1 => return Some(offset),
            b'}' | b']' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Returns the offset after the closing quote, or the end of the text.
fn end_of_string(text: &[u8], start: usize) -> usize {
    let mut offset = start + 1;
    while let Some(&byte) = text.get(offset) {
        match byte {
            b'"' => return offset + 1,
            b'\\' => offset += 2,
            _ => offset += 1,
        }
    }
    text.len()
}

fn end_of_number(text: &[u8], start: usize) -> usize {
    let length = text[start..]
        .iter()
        .take_while(|byte| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E'))
        .count();
    start + length
}

/// Returns the largest float of the same sign if a number overflows.
fn replace_overflow(number: &[u8]) -> Option<&'static str> {
    match std::str::from_utf8(number).ok()?.parse::<f64>().ok()? {
        f64::INFINITY => Some("1.7976931348623157e308"),
        f64::NEG_INFINITY => Some("-1.7976931348623157e308"),
        _ => None,
    }
}

/// Collects the JSON pointers of all numbers that equal the largest float. The recursion is
/// bounded by the parser's limit of nesting.
fn find_largest_floats(value: &Value, pointer: &mut String, found: &mut Vec<String>) {
    let length = pointer.len();
    match value {
        Value::Number(number) if number.as_f64().is_some_and(|x| x.abs() >= f64::MAX) => {
            found.push(pointer.clone());
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                pointer.push('/');
                pointer.push_str(&index.to_string());
                find_largest_floats(item, pointer, found);
                pointer.truncate(length);
            }
        }
        Value::Object(entries) => {
            for (key, item) in entries {
                pointer.push('/');
                pointer.push_str(&escaped(key));
                find_largest_floats(item, pointer, found);
                pointer.truncate(length);
            }
        }
        _ => {}
    }
}

/// Escapes a key for a JSON pointer (RFC 6901). Keys are truncated to 120 characters.
pub fn escaped(key: &str) -> String {
    let key: String = key.chars().take(120).collect();
    key.replace('~', "~0").replace('/', "~1")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overflowing_numbers_are_clamped_and_reported() {
        let text = br#"{"a": [1, -1e309], "b": "1e999", "c": {"d/e": 9e9999}}"#;
        let parsed = parse(text).unwrap();
        assert_eq!(parsed.too_large, ["/a/1", "/c/d~1e"]);
        assert_eq!(parsed.value["a"][1].as_f64(), Some(-f64::MAX));
        assert_eq!(parsed.value["b"], "1e999");
        assert!(parse(b"{\"a\": 1.5e300}").unwrap().too_large.is_empty());
    }

    #[test]
    fn excessive_nesting_is_replaced_by_null() {
        fn parse_nested(depth: usize) -> Parsed {
            let text =
                [&b"{\"a]\": "[..], &b"[".repeat(depth), &b"]".repeat(depth), b", \"b\": 1}"];
            parse(&text.concat()).unwrap()
        }
        assert!(!parse_nested(120).cut);
        let parsed = parse_nested(5000);
        assert!(parsed.cut);
        assert_eq!(parsed.value["b"], 1);
        assert!(parse(&b"[".repeat(5000)).is_err());
    }

    #[test]
    fn only_whole_numbers_become_integers() {
        let mut value = parse(br#"[2.0, -3e2, 2.5, 1e300, -0.0, "2.0", 7]"#).unwrap().value;
        write_whole_numbers_as_integers(&mut value);
        assert_eq!(value.to_string(), r#"[2,-300,2.5,1e+300,-0.0,"2.0",7]"#);
    }

    #[test]
    fn invalid_json_is_an_error_with_line_and_column() {
        for text in [&b"{]"[..], b"", b"{\"a\": \"", b"{\"a\": 1e309", b"\"\\", b"[-"] {
            assert!(parse(text).is_err(), "{text:?}");
        }
        let error = parse(b"{\n  \"a\": 1,\n}").unwrap_err();
        assert_eq!(error.matches("line").count(), 1, "{error}");
        assert!(error.contains(", in line 3, column "), "{error}");
    }

    #[test]
    fn byte_order_mark_and_padding_are_stripped_and_reported() {
        let text = JsonText::of(b"\xEF\xBB\xBF{} \0\0");
        assert_eq!((text.text, text.has_mark, text.has_zeros), (&b"{} "[..], true, true));
        let text = JsonText::of(b"{}");
        assert_eq!((text.text, text.has_mark, text.has_zeros), (&b"{}"[..], false, false));
        assert_eq!(JsonText::of(b"\0").text, b"");
    }
}
