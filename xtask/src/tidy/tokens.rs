//! A simple parser for Rust code, which collects the declarations of a module and the paths that
//! it uses.

use std::collections::{BTreeMap, BTreeSet};

/// A word or sign of code with its line number, from 1.
pub struct Token<'a> {
    pub text: &'a str,
    pub line: usize,
}

/// Declarations and uses of names in a module.
#[derive(Debug, Default)]
pub struct Declared {
    /// Child modules in separate files.
    pub children: BTreeSet<String>,
    /// Names of the functions, types, constants and macros.
    pub items: BTreeSet<String>,
    pub imports: Vec<Import>,
    pub globs: Vec<Import>,
    /// Paths with at least two segments, outside imports.
    pub paths: Vec<UsedPath>,
    /// All identifiers outside imports, with the line of their first use.
    pub words: BTreeMap<String, usize>,
}

#[derive(Debug, Clone)]
pub struct UsedPath {
    pub line: usize,
    pub segments: Vec<String>,
}

/// A leaf of a `use` tree. For a glob, the path is that of its module.
#[derive(Debug)]
pub struct Import {
    pub line: usize,
    pub name: String,
    pub path: Vec<String>,
    /// Whether it is re-exported.
    pub is_public: bool,
}

/// Parses a module. Comments and contents of strings must be blanked out in `code`.
pub fn declared(code: &str) -> Declared {
    let tokens = numbered_tokens(code);
    let mut declared = Declared::default();
    let mut depth = 0_usize;
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let next = text_at(&tokens, at + 1);
        match token.text {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            "use" => {
                let is_public = at > 0 && ["pub", ")"].contains(&tokens[at - 1].text);
                at = declared.import(&tokens, at + 1, &[], is_public);
                continue;
            }
            "mod" if depth == 0 && text_at(&tokens, at + 2) == ";" => {
                declared.children.insert(next.to_owned());
                at += 1;
            }
            "fn" | "struct" | "enum" | "union" | "trait" | "type" | "const" | "static" | "mod"
                if depth == 0 =>
            {
                declared.items.insert(next.to_owned());
            }
            "macro_rules" if next == "!" => {
                declared.items.insert(text_at(&tokens, at + 2).to_owned());
            }
            word if is_name(word) => {
                let segments = path_at(&tokens, at);
                declared.words.entry(word.to_owned()).or_insert(token.line);
                at += 2 * (segments.len() - 1);
                if segments.len() > 1 {
                    declared.paths.push(UsedPath { line: token.line, segments });
                }
            }
            _ => {}
        }
        at += 1;
    }
    declared
}

impl Declared {
    /// Parses a `use` tree and returns the index of the token after it.
    fn import(
        &mut self,
        tokens: &[Token<'_>],
        mut at: usize,
        before: &[String],
        is_public: bool,
    ) -> usize {
        let mut path = before.to_vec();
        let line = tokens.get(at).map_or(0, |token| token.line);
        while let Some(token) = tokens.get(at) {
            match token.text {
                "::" => {}
                "{" => {
                    at += 1;
                    while tokens.get(at).is_some_and(|token| token.text != "}") {
                        at = self.import(tokens, at, &path, is_public);
                        at += usize::from(text_at(tokens, at) == ",");
                    }
                    return at + 1;
                }
                "*" => {
                    self.globs.push(Import { line, name: String::new(), path, is_public });
                    return at + 1;
                }
                "self" if path.len() > before.len() || !before.is_empty() => {}
                word if is_name(word) => path.push(word.to_owned()),
                _ => break,
            }
            at += 1;
            if text_at(tokens, at) == "as" {
                break;
            }
        }
        let name = if text_at(tokens, at) == "as" {
            at += 2;
            Some(text_at(tokens, at - 1).to_owned())
        } else {
            path.last().cloned()
        };
        self.imports.push(Import { line, name: name.unwrap_or_default(), path, is_public });
        at
    }
}

/// Returns the segments of the path that starts at a token.
fn path_at(tokens: &[Token<'_>], at: usize) -> Vec<String> {
    let mut path = vec![tokens[at].text.to_owned()];
    for pair in tokens[at + 1..].chunks_exact(2) {
        let [join, name] = pair else { break };
        if join.text != "::" || !is_name(name.text) {
            break;
        }
        path.push(name.text.to_owned());
    }
    path
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Splits code into identifiers, `::` and single characters.
pub fn tokens(code: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = code.trim_start();
    while let Some(first) = rest.chars().next() {
        let word = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let length = match first {
            _ if word > 0 => word,
            ':' if rest.starts_with("::") => 2,
            _ => first.len_utf8(),
        };
        tokens.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    tokens
}

/// Like [`tokens`], with line numbers.
pub fn numbered_tokens(code: &str) -> Vec<Token<'_>> {
    let mut numbered = Vec::new();
    for (index, line) in code.lines().enumerate() {
        for text in tokens(line) {
            numbered.push(Token { text, line: index + 1 });
        }
    }
    numbered
}

/// Returns an empty text behind the last token.
pub fn text_at<'a>(tokens: &[Token<'a>], index: usize) -> &'a str {
    tokens.get(index).map_or("", |token| token.text)
}
