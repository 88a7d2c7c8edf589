//! Text and attributes of HTML.

use std::borrow::Cow;

/// Text as HTML shows it, also between the quotes of an attribute.
pub fn escaped(text: &str) -> Cow<'_, str> {
    if !text.contains(['&', '<', '>', '"', '\'']) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// Around a paragraph of a text.
pub(super) const PARAGRAPH: (&str, &str) = ("<p>", "</p>");
/// The same of what may be overlooked.
pub(super) const QUIET: (&str, &str) = ("<p class=\"quiet\">", "</p>");

/// Short text, in which `` `code` `` is set in monospace.
pub(super) fn note(text: &str) -> String {
    let mut out = String::new();
    for (part, words) in text.split('`').enumerate() {
        if part % 2 == 1 {
            out.push_str("<code>");
            out.push_str(&escaped(words));
            out.push_str("</code>");
        } else {
            out.push_str(&escaped(words));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_text_is_read_as_a_tag() {
        assert_eq!(escaped("a < b & c"), "a &lt; b &amp; c");
        assert_eq!(escaped("\"'>"), "&quot;&#39;&gt;");
        assert_eq!(note("a `<b>` c"), "a <code>&lt;b&gt;</code> c");
    }
}
