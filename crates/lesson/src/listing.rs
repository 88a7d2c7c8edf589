//! A small syntax highlighter for listings in GLSL, Rust, JavaScript, JSON and TOML.
//!
//! It recognises words, numbers, strings and comments, but no grammar: enough for listings of
//! twenty lines.

use std::ops::Range;

use PieceKind as Kind;

/// Kind of a piece of source code. The first five are in the order of the theme's colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PieceKind {
    /// A word of the language.
    Keyword,
    /// A type, a built-in function, or a key.
    Type,
    Number,
    Str,
    Comment,
    Plain,
}

/// Splits source code into pieces that cover all of it, in order. Code in an unknown language
/// is all plain.
pub fn pieces(language_name: &str, source: &str) -> Vec<(PieceKind, Range<usize>)> {
    tokenize(find_language(language_name), source)
}

struct Language {
    /// Words separated by spaces, like `types`.
    keywords: &'static str,
    types: &'static str,
    line_comment: Option<&'static str>,
    block_comments: bool,
    quotes: &'static [char],
    /// Whether `#` begins a directive to the end of the line: `#version`, `#[attribute]`.
    directives: bool,
    /// Character after a string or word that makes it a key: `:` or `=`.
    keys: Option<char>,
    /// Whether capitalised words are types: `Vec3`, `Skeleton`.
    capitals: bool,
}

const PLAIN: Language = Language {
    keywords: "",
    types: "",
    line_comment: None,
    block_comments: false,
    quotes: &[],
    directives: false,
    keys: None,
    capitals: false,
};

const GLSL: Language = Language {
    keywords: "in out inout uniform layout const attribute varying precision highp mediump lowp if \
        else for while do return break continue discard switch case default struct flat void \
        true false",
    types: "float int uint bool vec2 vec3 vec4 ivec2 ivec3 ivec4 uvec2 uvec3 uvec4 bvec4 mat2 \
        mat3 mat4 mat4x3 mat3x4 sampler2D samplerBuffer texture texture2D texelFetch \
        texelFetchBuffer normalize dot cross mix clamp transpose inverse length sin cos min \
        max abs floor gl_Position gl_VertexID gl_FragColor",
    line_comment: Some("//"),
    block_comments: true,
    directives: true,
    ..PLAIN
};

const RUST: Language = Language {
    keywords: "as async await break const continue crate dyn else enum false fn for if impl in let \
        loop match mod move mut pub ref return self static struct super trait true type \
        unsafe use where while",
    types: "bool char str f32 f64 i8 i16 i32 i64 isize u8 u16 u32 u64 usize",
    line_comment: Some("//"),
    block_comments: true,
    quotes: &['"'],
    capitals: true,
    ..PLAIN
};

const JAVASCRIPT: Language = Language {
    keywords: "async await break case class const continue default else export false for function \
        if import in let new null of return switch this true undefined var while",
    line_comment: Some("//"),
    block_comments: true,
    quotes: &['"', '\'', '`'],
    capitals: true,
    ..PLAIN
};

const JSON: Language = Language {
    keywords: "true false null",
    line_comment: Some("//"),
    quotes: &['"'],
    keys: Some(':'),
    ..PLAIN
};

const TOML: Language = Language {
    keywords: "true false inf nan",
    line_comment: Some("#"),
    quotes: &['"', '\''],
    keys: Some('='),
    ..PLAIN
};

fn find_language(name: &str) -> &'static Language {
    match name.to_ascii_lowercase().as_str() {
        "glsl" | "vert" | "frag" => &GLSL,
        "rust" | "rs" => &RUST,
        "js" | "javascript" => &JAVASCRIPT,
        "json" | "gltf" => &JSON,
        "toml" => &TOML,
        _ => &PLAIN,
    }
}

/// Splits source code into pieces that cover all of it, in order.
fn tokenize(language: &Language, source: &str) -> Vec<(Kind, Range<usize>)> {
    let mut out: Vec<(Kind, Range<usize>)> = Vec::new();
    let mut at = 0;
    let mut line_start = true;
    while let Some(first) = source[at..].chars().next() {
        let (kind, length) = next_token(language, &source[at..], first, line_start);
        let piece = &source[at..at + length];
        let (has_new_line, last_line) = match piece.rsplit_once('\n') {
            Some((_, last_line)) => (true, last_line),
            None => (false, piece),
        };
        line_start = (line_start || has_new_line) && last_line.trim_matches([' ', '\t']).is_empty();
        match out.last_mut() {
            Some((last, range)) if *last == kind => range.end += length,
            _ => out.push((kind, at..at + length)),
        }
        at += length;
    }
    out
}

/// Kind and length in bytes of the piece at the start of `rest`. At least one character.
fn next_token(language: &Language, rest: &str, first: char, line_start: bool) -> (Kind, usize) {
    if language.line_comment.is_some_and(|mark| rest.starts_with(mark)) {
        return (Kind::Comment, line_length(rest));
    }
    if language.block_comments && rest.starts_with("/*") {
        let end = rest[2..].find("*/").map_or(rest.len(), |end| end + 4);
        return (Kind::Comment, end);
    }
    if language.directives && first == '#' && line_start {
        return (Kind::Keyword, line_length(rest));
    }
    if language.quotes.contains(&first) {
        let length = string_length(rest, first);
        let kind = if is_key(language, &rest[length..]) { Kind::Type } else { Kind::Str };
        return (kind, length);
    }
    if first.is_ascii_digit() {
        return (Kind::Number, number_length(rest));
    }
    if first.is_alphabetic() || first == '_' {
        let hyphens = language.keys == Some('=');
        let length = rest
            .find(|c: char| !(c.is_alphanumeric() || c == '_' || hyphens && c == '-'))
            .unwrap_or(rest.len());
        return (word_kind(language, &rest[..length], &rest[length..], line_start), length);
    }
    (Kind::Plain, first.len_utf8())
}

fn line_length(rest: &str) -> usize {
    rest.find('\n').unwrap_or(rest.len())
}

fn word_kind(language: &Language, word: &str, after: &str, line_start: bool) -> Kind {
    if contains_word(language.keywords, word) {
        Kind::Keyword
    } else if contains_word(language.types, word)
        || (language.capitals && word.starts_with(|c: char| c.is_uppercase()))
        || (line_start && is_key(language, after))
    {
        Kind::Type
    } else {
        Kind::Plain
    }
}

fn contains_word(words: &str, word: &str) -> bool {
    words.split(' ').any(|other| other == word)
}

fn is_key(language: &Language, after: &str) -> bool {
    let after = after.trim_start_matches([' ', '\t']);
    language.keys.is_some_and(|mark| after.starts_with(mark))
}

/// Length of a string up to its closing quote. An unclosed string ends with its line.
fn string_length(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (index, c) in rest.char_indices().skip(1) {
        match c {
            '\n' => return index,
            c if c == quote && !escaped => return index + quote.len_utf8(),
            c => escaped = c == '\\' && !escaped,
        }
    }
    rest.len()
}

/// Length of a number such as `1`, `0.5f`, `1e-5`, `0xFF` or `1_000u32`. Stops at the second
/// point of `0..4`.
fn number_length(rest: &str) -> usize {
    let mut before = ' ';
    for (index, c) in rest.char_indices() {
        let exponent = matches!(c, '+' | '-') && matches!(before, 'e' | 'E');
        let point = c == '.' && !rest[index + 1..].starts_with('.') && before != '.';
        if !(c.is_ascii_alphanumeric() || c == '_' || exponent || point) {
            return index;
        }
        before = c;
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(name: &str, source: &str) -> Vec<(Kind, String)> {
        tokenize(find_language(name), source)
            .into_iter()
            .map(|(kind, range)| (kind, source[range].trim().to_owned()))
            .filter(|(kind, text)| *kind != Kind::Plain && !text.is_empty())
            .collect()
    }

    fn owned(list: &[(Kind, &str)]) -> Vec<(Kind, String)> {
        list.iter().map(|&(kind, text)| (kind, text.to_owned())).collect()
    }

    #[test]
    fn glsl_has_qualifiers_types_numbers_and_comments() {
        assert_eq!(
            kinds("glsl", "#version 330\nin uvec4 joints; // lanes\nfloat w = 0.5;"),
            owned(&[
                (Kind::Keyword, "#version 330"),
                (Kind::Keyword, "in"),
                (Kind::Type, "uvec4"),
                (Kind::Comment, "// lanes"),
                (Kind::Type, "float"),
                (Kind::Number, "0.5"),
            ])
        );
    }

    #[test]
    fn splits_rust_ranges_and_strings() {
        assert_eq!(
            kinds("rust", r#"for i in 0..4 { print("a \" b", 1e-5_f32); }"#),
            owned(&[
                (Kind::Keyword, "for"),
                (Kind::Keyword, "in"),
                (Kind::Number, "0"),
                (Kind::Number, "4"),
                (Kind::Str, r#""a \" b""#),
                (Kind::Number, "1e-5_f32"),
            ])
        );
    }

    #[test]
    fn distinguishes_keys_from_strings() {
        assert_eq!(
            kinds("json", r#"{"joints": [0, 1], "name": "whale"}"#),
            owned(&[
                (Kind::Type, r#""joints""#),
                (Kind::Number, "0"),
                (Kind::Number, "1"),
                (Kind::Type, r#""name""#),
                (Kind::Str, r#""whale""#),
            ])
        );
        assert_eq!(
            kinds("toml", "y-label = \"width\" # note"),
            owned(&[(Kind::Type, "y-label"), (Kind::Str, "\"width\""), (Kind::Comment, "# note"),])
        );
    }

    /// Pasted numbers are often a single long line.
    #[test]
    fn highlights_long_lines_in_linear_time() {
        let quickest = |numbers: usize| {
            let source = "0.25, ".repeat(numbers);
            let once = || {
                let began = std::time::Instant::now();
                assert_eq!(tokenize(&JSON, &source).len(), 2 * numbers);
                began.elapsed()
            };
            (0..3).map(|_| once()).min().unwrap_or_default()
        };
        let (short, long) = (quickest(5_000), quickest(20_000));
        assert!(long < short * 10, "{short:?}, {long:?}");
    }

    #[test]
    fn pieces_cover_any_text_in_order() {
        for name in ["glsl", "rust", "js", "json", "toml", "text"] {
            for source in
                ["", "\"open", "/* open", "é\"ü\n'", "0.", "1..", "#", "a\\\"", "'\u{2212}"]
            {
                let mut at = 0;
                for (_, range) in tokenize(find_language(name), source) {
                    assert_eq!(range.start, at);
                    at = range.end;
                }
                assert_eq!(at, source.len(), "{name}: {source}");
            }
        }
    }
}
