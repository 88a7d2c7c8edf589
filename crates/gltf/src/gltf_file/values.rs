//! Typed access to JSON values of a glTF file that has not been validated.

use std::collections::BTreeSet;

use serde_json::Value;

/// Maximum number of characters of a file's text that a message quotes.
const MAX_QUOTED_CHARS: usize = 60;

/// Returns the list under `name`, or an empty one if `object` has no such list.
pub fn get_list<'v>(object: &'v Value, name: &str) -> &'v [Value] {
    object.get(name).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Returns the index or count under `name`. See [`as_usize`].
pub fn get_usize(object: &Value, name: &str) -> Option<usize> {
    object.get(name).and_then(as_usize)
}

/// Converts a number without a fraction to an index or a count. Accepts `2.0` too, as glTF
/// 2.0.1 does.
pub fn as_usize(value: &Value) -> Option<usize> {
    // Above 2^53, consecutive integers share one 64-bit float.
    const MAX_EXACT: f64 = (1_u64 << 53) as f64;
    let whole = value.as_u64().or_else(|| {
        let number = value.as_f64()?;
        let is_exact = number.fract() == 0.0 && (0.0..=MAX_EXACT).contains(&number);
        is_exact.then_some(number as u64)
    })?;
    usize::try_from(whole).ok()
}

/// Returns the string under `name`.
pub fn get_str<'v>(object: &'v Value, name: &str) -> Option<&'v str> {
    object.get(name).and_then(Value::as_str)
}

/// Returns the list of exactly `N` numbers under `name`.
pub fn get_numbers<const N: usize>(object: &Value, name: &str) -> Option<[f64; N]> {
    let items = object.get(name)?.as_array()?;
    let numbers: Vec<f64> = items.iter().filter_map(Value::as_f64).collect();
    numbers.try_into().ok()
}

/// Returns the strings in the list under `name`. Ignores other entries.
pub fn get_strings<'v>(object: &'v Value, name: &str) -> BTreeSet<&'v str> {
    get_list(object, name).iter().filter_map(Value::as_str).collect()
}

/// Quotes text from a file for a message: escaped, and cut after `MAX_QUOTED_CHARS`.
pub fn quoted(text: &str) -> String {
    let mut shown: String = text.chars().take(MAX_QUOTED_CHARS).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    format!("“{}”", shown.escape_debug())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_text_is_cut_and_escaped() {
        assert_eq!(quoted("a\nb"), "“a\\nb”");
        assert!(quoted(&"x".repeat(500)).chars().count() < 70);
    }
}
