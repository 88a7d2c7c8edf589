//! GLSL cut into words, numbers and signs, with comments left out.

/// A word, a number or a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GlslToken<'a> {
    pub(super) text: &'a str,
    /// From 1.
    pub(super) line: usize,
}

impl GlslToken<'_> {
    pub(super) fn is_name(&self) -> bool {
        self.text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
    }
}

/// Signs of more than one character that matter here.
const SIGNS: [&str; 10] = ["++", "--", "+=", "-=", "*=", "/=", "<=", ">=", "==", "!="];

/// All tokens; directives, from their `#` to the end of the line, are one each.
pub(super) fn tokens(source: &str) -> Vec<GlslToken<'_>> {
    let mut out = Vec::new();
    let (mut at, mut line) = (0, 1);
    while let Some(first) = source[at..].chars().next() {
        let rest = &source[at..];
        let length = length(rest, first);
        let text = &rest[..length];
        let comment = text.starts_with("//") || text.starts_with("/*");
        if !comment && !first.is_whitespace() {
            out.push(GlslToken { text, line });
        }
        line += text.matches('\n').count();
        at += length;
    }
    out
}

/// In bytes; at least one character.
fn length(rest: &str, first: char) -> usize {
    let to_line_end = rest.find('\n').unwrap_or(rest.len());
    if rest.starts_with("//") || first == '#' {
        return to_line_end;
    }
    if let Some(comment) = rest.strip_prefix("/*") {
        return comment.find("*/").map_or(rest.len(), |end| end + 4);
    }
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if first.is_ascii_digit()
        || (first == '.' && rest[1..].starts_with(|c: char| c.is_ascii_digit()))
    {
        return rest.find(|c| !(word(c) || c == '.')).unwrap_or(rest.len());
    }
    if word(first) {
        return rest.find(|c| !word(c)).unwrap_or(rest.len());
    }
    SIGNS.iter().find(|sign| rest.starts_with(**sign)).map_or(first.len_utf8(), |sign| sign.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_numbers_and_signs_have_their_lines_and_comments_are_gone() {
        let source = "a += .5; // b\n/* c\n d */ if (i <= 10u)\n#define N 4\nx";
        let found: Vec<(&str, usize)> = tokens(source).iter().map(|t| (t.text, t.line)).collect();
        assert_eq!(
            found,
            [
                ("a", 1),
                ("+=", 1),
                (".5", 1),
                (";", 1),
                ("if", 3),
                ("(", 3),
                ("i", 3),
                ("<=", 3),
                ("10u", 3),
                (")", 3),
                ("#define N 4", 4),
                ("x", 5),
            ]
        );
    }

    #[test]
    fn any_text_is_taken_apart_without_harm() {
        for source in ["", "/*", "//", "é→", "#", "0..", "\\\n", "/**", "\u{2212}1"] {
            let _ = tokens(source);
        }
    }
}
