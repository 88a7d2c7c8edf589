//! Where the characters of a text stand in the TOML that it comes from.

/// For each byte of a string as TOML gives it, and for its end, the byte of what is
/// written, quotes and escapes included.
pub(crate) fn written_places(written: &str, text: &str) -> Vec<usize> {
    let literal = written.starts_with('\'');
    let many_lines = written.starts_with("\"\"\"") || written.starts_with("'''");
    let mut at = if many_lines { 3 } else { 1 };
    let rest = |at: usize| written.get(at..).unwrap_or_default();
    if many_lines {
        // A line break right after the quotes is none of the text.
        let line = rest(at);
        let first = line.strip_prefix('\r').unwrap_or(line);
        if let Some(first) = first.strip_prefix('\n') {
            at += line.len() - first.len();
        }
    }
    let mut places = Vec::with_capacity(text.len() + 1);
    for c in text.chars() {
        let length = if literal {
            plain_length(rest(at), c)
        } else {
            at += joined_lines(rest(at));
            escape_length(rest(at)).unwrap_or_else(|| plain_length(rest(at), c))
        };
        places.extend(std::iter::repeat_n(at, c.len_utf8()));
        at = (at + length).min(written.len());
    }
    places.push(at);
    places
}

/// A line break may be two characters where TOML makes it one.
fn plain_length(rest: &str, c: char) -> usize {
    if c == '\n' && rest.starts_with("\r\n") { 2 } else { c.len_utf8() }
}

/// Of a backslash at the end of a line, and all space up to the next word.
fn joined_lines(rest: &str) -> usize {
    let Some(after) = rest.strip_prefix('\\') else {
        return 0;
    };
    let words = after.trim_start();
    if after.len() == words.len() { 0 } else { rest.len() - words.len() }
}

fn escape_length(rest: &str) -> Option<usize> {
    let letter = rest.strip_prefix('\\')?.chars().next()?;
    Some(match letter {
        'x' => 4,
        'u' => 6,
        'U' => 10,
        other => 1 + other.len_utf8(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_string_is_followed() {
        for (written, character, expected) in [
            ("\"ab c\"", "c", "c\""),
            ("'a\\b c'", "c", "c'"),
            ("\"\\\\frac \\\"x\\\" y\"", "y", "y\""),
            ("\"\\u00e9 \\U0001F600 z\"", "z", "z\""),
            ("\"\"\"\nab\n  c\"\"\"", "c", "c\"\""),
            ("\"\"\"a \\\n   b\"\"\"", "b", "b\"\""),
            ("'''\r\na\r\nb'''", "b", "b''"),
            ("\"é x\"", "x", "x\""),
        ] {
            let table: toml::Table = toml::from_str(&format!("key = {written}")).expect(written);
            let text = table["key"].as_str().expect("a string").to_owned();
            let places = written_places(written, &text);
            let place = places[text.find(character).expect(character)];
            let found: String = written[place..].chars().take(3).collect();
            assert!(found.starts_with(expected), "{written}: {found}");
        }
        assert_eq!(written_places("\"ab\"", "ab"), [1, 2, 3], "and the end");
        // What does not fit together comes to no harm.
        assert_eq!(written_places("\"", "long").len(), 5);
    }
}
