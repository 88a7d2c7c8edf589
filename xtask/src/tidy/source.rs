//! Reads Rust code as far as the rules require: words and paths, without comments and strings.

use std::ops::Range;

use super::tokens::tokens;

/// A Rust file, as written and with comments and literals replaced by spaces.
pub struct SourceFile {
    /// Path from the root, with forward slashes.
    pub name: String,
    pub text: String,
    pub code: String,
    /// Doc comments, without those of unit tests.
    pub docs: Vec<DocComment>,
    /// Number of lines of code: neither blank, nor a comment, nor part of a unit test.
    pub code_line_count: usize,
    /// Names of the modules that only tests have and that are files of their own.
    pub test_modules: Vec<String>,
    product: String,
}

/// A run of lines that begin with `///`, or of lines that begin with `//!`.
pub struct DocComment {
    /// Number of its first line, from 1.
    pub line: usize,
    /// Its lines without the marks.
    pub text: String,
    marks: &'static str,
    line_count: usize,
}

/// A stretch of a file that is of one kind.
struct Piece<'a> {
    kind: PieceKind,
    text: &'a str,
}

#[derive(Clone, Copy, PartialEq)]
enum PieceKind {
    Code,
    Comment,
    /// A string or a character.
    Literal,
}

/// Beginnings of the attributes that mark an item as one of tests. The last is for tests of
/// other crates too; the name of its feature is blanked out.
const TEST_MARKS: [&str; 4] =
    ["#[cfg(test)]", "#[test]", "#[cfg(all(test,", "#[cfg(any(test, feature ="];

impl SourceFile {
    pub fn new(name: String, text: String) -> Self {
        let pieces = split_pieces(&text);
        let code = blank_all_but_code(&pieces);
        let tests = find_test_items(&code);
        let product = blank_ranges(&code, &tests);
        let in_test = mark_test_lines(&code, &tests);
        let mut docs = read_docs(&pieces);
        docs.retain(|doc| !doc.belongs_to_test(&in_test));
        let code_line_count = mark_code_lines(&pieces)
            .into_iter()
            .zip(&in_test)
            .filter(|(is_code, is_test)| *is_code && !**is_test)
            .count();
        let test_modules =
            tests.iter().filter_map(|item| declared_file_module(&code[item.clone()])).collect();
        Self { name, text, code, docs, code_line_count, test_modules, product }
    }

    /// Returns the code without unit tests, to which the rules do not apply.
    pub fn product(&self) -> &str {
        &self.product
    }

    /// Returns the lines on which `name` is part of a path or imported.
    pub fn lines_with_path(&self, name: &str) -> Vec<usize> {
        self.words(name)
            .filter(|(before, after)| {
                after.starts_with("::") || before.ends_with("::") || before.ends_with("use ")
            })
            .map(|(before, _)| line_of(before, before.len()))
            .collect()
    }

    pub fn lines_with_word(&self, word: &str) -> Vec<usize> {
        self.words(word).map(|(before, _)| line_of(before, before.len())).collect()
    }

    /// Returns the code before and after each occurrence of a whole word.
    fn words<'a>(&'a self, word: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.code
            .match_indices(word)
            .map(|(start, word)| (&self.code[..start], &self.code[start + word.len()..]))
            .filter(|(before, after)| !ends_in_word(before) && leading_word(after).is_empty())
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn ends_in_word(text: &str) -> bool {
    text.ends_with(is_word)
}

fn leading_word(text: &str) -> &str {
    text.split(|c| !is_word(c)).next().unwrap_or_default()
}

fn line_of(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}

impl DocComment {
    /// Returns true if it lies inside an item of tests or directly above one.
    fn belongs_to_test(&self, in_test: &[bool]) -> bool {
        // Lines count from 1, so this is the index of the line below the comment.
        let below = self.line - 1 + self.line_count;
        in_test.get(self.line - 1) == Some(&true) || in_test.get(below) == Some(&true)
    }
}

/// Divides a file into code, comments and literals. Nothing is left out.
fn split_pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut code_start = 0;
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let (kind, length) = if rest.starts_with("//") {
            (PieceKind::Comment, rest.find('\n').unwrap_or(rest.len()))
        } else if rest.starts_with("/*") {
            (PieceKind::Comment, rest.find("*/").map_or(rest.len(), |end| end + 2))
        } else if c == '"' {
            (PieceKind::Literal, string_length(rest))
        } else if c == 'r' && !ends_in_word(&text[..at]) {
            (PieceKind::Literal, raw_string_length(rest))
        } else if c == '\'' {
            (PieceKind::Literal, char_length(rest))
        } else {
            (PieceKind::Code, 0)
        };
        if length == 0 {
            at += c.len_utf8();
            continue;
        }
        pieces.push(Piece { kind: PieceKind::Code, text: &text[code_start..at] });
        pieces.push(Piece { kind, text: &rest[..length] });
        at += length;
        code_start = at;
    }
    pieces.push(Piece { kind: PieceKind::Code, text: &text[code_start..] });
    pieces
}

/// Joins the pieces again, with comments and literals as spaces. Lines stay.
fn blank_all_but_code(pieces: &[Piece<'_>]) -> String {
    let mut code = String::new();
    for piece in pieces {
        if piece.kind == PieceKind::Code {
            code.push_str(piece.text);
        } else {
            push_blank(&mut code, piece.text);
        }
    }
    code
}

/// Adds as many spaces as `text` has characters, and its line breaks.
fn push_blank(target: &mut String, text: &str) {
    target.extend(text.chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
}

/// Finds the items that only tests have, each with the attribute that marks it.
fn find_test_items(code: &str) -> Vec<Range<usize>> {
    let mut items = Vec::new();
    let mut at = 0;
    while let Some(distance) = TEST_MARKS.iter().filter_map(|mark| code[at..].find(mark)).min() {
        let start = at + distance;
        at = start + item_length(&code[start..]);
        items.push(start..at);
    }
    items
}

/// Replaces the ranges by spaces. Lines stay.
fn blank_ranges(code: &str, ranges: &[Range<usize>]) -> String {
    let mut product = String::with_capacity(code.len());
    let mut at = 0;
    for range in ranges {
        product.push_str(&code[at..range.start]);
        push_blank(&mut product, &code[range.clone()]);
        at = range.end;
    }
    product.push_str(&code[at..]);
    product
}

/// Returns for each line whether a part of an item of tests is on it.
fn mark_test_lines(code: &str, tests: &[Range<usize>]) -> Vec<bool> {
    let mut in_test = vec![false; code.split('\n').count()];
    for item in tests {
        let first = line_of(code, item.start) - 1;
        let last = line_of(code, item.end) - 1;
        in_test[first..=last].fill(true);
    }
    in_test
}

/// Returns for each line whether it has code. A part of a string counts as code.
fn mark_code_lines(pieces: &[Piece<'_>]) -> Vec<bool> {
    let mut has_code = vec![false];
    for piece in pieces {
        for (index, part) in piece.text.split('\n').enumerate() {
            if index > 0 {
                has_code.push(false);
            }
            if piece.kind != PieceKind::Comment
                && !part.trim().is_empty()
                && let Some(last) = has_code.last_mut()
            {
                *last = true;
            }
        }
    }
    has_code
}

/// Reads the doc comments. Ignores those between `/**` and `*/`, which this code does not use.
fn read_docs(pieces: &[Piece<'_>]) -> Vec<DocComment> {
    let mut docs: Vec<DocComment> = Vec::new();
    let mut line = 1;
    for piece in pieces {
        if let Some(marks) = doc_marks(piece) {
            let text = piece.text[marks.len()..].trim();
            match docs.last_mut() {
                Some(doc) if doc.line + doc.line_count == line && doc.marks == marks => {
                    doc.text.push('\n');
                    doc.text.push_str(text);
                    doc.line_count += 1;
                }
                _ => docs.push(DocComment { line, text: text.to_owned(), marks, line_count: 1 }),
            }
        }
        line += piece.text.matches('\n').count();
    }
    docs
}

/// Returns None if the piece is not a line of a doc comment.
fn doc_marks(piece: &Piece<'_>) -> Option<&'static str> {
    if piece.kind != PieceKind::Comment || piece.text.starts_with("////") {
        return None;
    }
    ["///", "//!"].into_iter().find(|marks| piece.text.starts_with(marks))
}

/// Returns the name of the module if the item is `mod name;`, which has a file of its own.
fn declared_file_module(item: &str) -> Option<String> {
    match tokens(item).as_slice() {
        [.., "mod", name, ";"] => Some((*name).to_owned()),
        _ => None,
    }
}

/// Returns the length of an item up to its final `;` or closing brace.
fn item_length(code: &str) -> usize {
    let mut depth = 0;
    for (at, c) in code.char_indices() {
        match c {
            '{' | '(' | '[' => depth += 1,
            '}' | ')' | ']' => depth -= 1,
            _ => {}
        }
        // The enclosing item ends here, because this one is a field without an end of its own.
        if depth < 0 {
            return at;
        }
        let ends_with_brace =
            c == '}' && depth == 0 && !code[at + 1..].trim_start().starts_with(';');
        if depth == 0 && (c == ';' || ends_with_brace) {
            return at + 1;
        }
    }
    code.len()
}

/// Returns the length of a string literal.
fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// Returns 0 for a name that begins with r.
fn raw_string_length(text: &str) -> usize {
    let hashes = text[1..].chars().take_while(|&c| c == '#').count();
    if !text[1 + hashes..].starts_with('"') {
        return 0;
    }
    let end = format!("\"{}", "#".repeat(hashes));
    let start = hashes + 2;
    text[start..].find(&end).map_or(text.len(), |at| start + at + end.len())
}

/// Returns the length of a character literal, or 0 for a lifetime.
fn char_length(text: &str) -> usize {
    let mut chars = text.char_indices().skip(1);
    match chars.next() {
        Some((_, '\\')) => {
            let quote = chars.skip(1).find(|&(_, c)| c == '\'');
            quote.map_or(0, |(at, _)| at + 1)
        }
        Some(_) => match chars.next() {
            Some((at, '\'')) => at + 1,
            _ => 0,
        },
        None => 0,
    }
}

#[test]
fn code_is_read_without_comments_strings_and_tests() {
    let file = SourceFile::new(
        "src/cells/x.rs".to_owned(),
        "// egui::Ui\nlet s = \"egui::Ui\"; /* egui::Ui */ use a::b;\n\
         let c = '\"'; let r = r#\"egui::Ui \" \"#; fn f<'a>(x: &'a egui::Rect) {}\n\
         use egui::Ui; let glow = 1; eframe::glow::Context;\n\
         #[cfg(test)]\nmod more;\nuse crate::page;\n#[cfg(test)]\nmod tests { use crate::render; }\n\
         #[cfg(any(test, feature = \"testing\"))]\nfn made() { made_up(); }\nfn last() {}\n"
            .to_owned(),
    );
    assert_eq!(file.lines_with_path("egui"), [3, 4]);
    assert_eq!(file.lines_with_path("glow"), [4]);
    assert!(file.lines_with_path("gl").is_empty());
    assert_eq!(file.lines_with_word("last"), [12]);
    let product = file.product();
    assert!(product.contains("crate::page") && product.contains("fn last"));
    assert!(!product.contains("more") && !product.contains("tests") && !product.contains("made"));
    assert_eq!(product.lines().count(), file.text.lines().count());
}

#[test]
fn docs_and_code_lines_are_counted_without_tests() {
    let file = SourceFile::new(
        "src/x.rs".to_owned(),
        "//! A module\n//! of two lines.\n/// A type.\nstruct A {\n    /// A field.\n    \
         a: u8, // No doc.\n}\n\n//// A line.\nconst B: &str = \"\n/// A string.\n\";\n\
         /// A test.\n#[test]\nfn f() {}\n#[cfg(all(test, unix))]\npub mod more;\n\
         #[cfg(test)]\nmod tests {\n    /// A helper.\n    mod inside;\n}\n\
         struct C {\n    #[cfg(test)]\n    c: u8,\n}\n/// A function.\nfn g() {}"
            .to_owned(),
    );
    let docs: Vec<_> = file.docs.iter().map(|doc| (doc.line, doc.text.as_str())).collect();
    let expected =
        [(1, "A module\nof two lines."), (3, "A type."), (5, "A field."), (27, "A function.")];
    assert_eq!(docs, expected);
    // `A` and `B` have three lines each, `C` its first, `g` one.
    assert_eq!(file.code_line_count, 8);
    assert_eq!(file.test_modules, ["more"]);
    assert!(file.product().contains("fn g"));
}
