//! A simple parser for Rust code, which collects the declarations of a module and the paths that
//! it uses.

use std::collections::BTreeSet;

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
    pub paths: Vec<Vec<String>>,
    /// All identifiers outside imports.
    pub words: BTreeSet<String>,
}

/// A leaf of a `use` tree. For a glob, the path is that of its module.
#[derive(Debug)]
pub struct Import {
    pub name: String,
    pub path: Vec<String>,
    /// Whether it is re-exported.
    pub is_public: bool,
}

/// Parses a module. Comments and contents of strings must be blanked out in `code`.
pub fn declared(code: &str) -> Declared {
    let tokens = tokens(code);
    let mut declared = Declared::default();
    let mut depth = 0_usize;
    let mut at = 0;
    while let Some(&token) = tokens.get(at) {
        let next = tokens.get(at + 1).copied().unwrap_or_default();
        match token {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            "use" => {
                let is_public = at > 0 && ["pub", ")"].contains(&tokens[at - 1]);
                at = declared.import(&tokens, at + 1, &[], is_public);
                continue;
            }
            "mod" if depth == 0 && tokens.get(at + 2) == Some(&";") => {
                declared.children.insert(next.to_owned());
                at += 1;
            }
            "fn" | "struct" | "enum" | "union" | "trait" | "type" | "const" | "static" | "mod"
                if depth == 0 =>
            {
                declared.items.insert(next.to_owned());
            }
            "macro_rules" if next == "!" => {
                let name = tokens.get(at + 2).copied().unwrap_or_default();
                declared.items.insert(name.to_owned());
            }
            _ if is_name(token) => {
                let path = path_at(&tokens, at);
                declared.words.insert(token.to_owned());
                at += 2 * (path.len() - 1);
                if path.len() > 1 {
                    declared.paths.push(path);
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
        tokens: &[&str],
        mut at: usize,
        before: &[String],
        is_public: bool,
    ) -> usize {
        let mut path = before.to_vec();
        while let Some(&token) = tokens.get(at) {
            match token {
                "::" => {}
                "{" => {
                    at += 1;
                    while tokens.get(at).is_some_and(|&token| token != "}") {
                        at = self.import(tokens, at, &path, is_public);
                        at += usize::from(tokens.get(at) == Some(&","));
                    }
                    return at + 1;
                }
                "*" => {
                    self.globs.push(Import { name: String::new(), path, is_public });
                    return at + 1;
                }
                "self" if path.len() > before.len() || !before.is_empty() => {}
                _ if is_name(token) => path.push(token.to_owned()),
                _ => break,
            }
            at += 1;
            if tokens.get(at) == Some(&"as") {
                break;
            }
        }
        let name = if tokens.get(at) == Some(&"as") {
            at += 2;
            tokens.get(at - 1).map(|&name| name.to_owned())
        } else {
            path.last().cloned()
        };
        self.imports.push(Import { name: name.unwrap_or_default(), path, is_public });
        at
    }
}

/// Returns the segments of the path that starts at a token.
fn path_at(tokens: &[&str], at: usize) -> Vec<String> {
    let mut path = vec![tokens[at].to_owned()];
    for pair in tokens[at + 1..].chunks_exact(2) {
        let [join, name] = pair else { break };
        if *join != "::" || !is_name(name) {
            break;
        }
        path.push((*name).to_owned());
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
