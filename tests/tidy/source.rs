//! Rust code, read just well enough to see what it names.

use super::files::{files_below, has_extension, read};

pub(crate) fn sources(folder: &str) -> Vec<SourceFile> {
    files_below(folder)
        .into_iter()
        .filter(|name| has_extension(name, &["rs"]))
        .map(|name| {
            let text = read(&name);
            SourceFile::new(name, text)
        })
        .collect()
}

pub(crate) fn all_sources() -> Vec<SourceFile> {
    ["src", "tests", "xtask", "benches", "examples"].into_iter().flat_map(sources).collect()
}

/// One Rust file: as written, and with comments and the insides of strings
/// blanked out.
pub(crate) struct SourceFile {
    /// From the root, with forward slashes.
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) code: String,
    product: String,
}

impl SourceFile {
    pub(crate) fn new(name: String, text: String) -> Self {
        let code = code_of(&text);
        let product = without_tests(&code);
        Self { name, text, code, product }
    }

    /// `ui` for `src/ui/theme.rs`, `app` for `src/app.rs`.
    pub(crate) fn module(&self) -> String {
        let inside = self.name.trim_start_matches("src/");
        let first = inside.split('/').next().unwrap_or_default();
        first.trim_end_matches(".rs").to_owned()
    }

    /// How many `super`s lead from this module to the crate's root.
    pub(crate) fn depth(&self) -> usize {
        let inside = self.name.trim_start_matches("src/");
        inside.split('/').count() - usize::from(inside.ends_with("/mod.rs"))
    }

    /// The code without unit tests: these may use what they like.
    pub(crate) fn product(&self) -> &str {
        &self.product
    }

    /// Top-level modules named by `crate::a` and `crate::{a, b::c}`, with lines.
    pub(crate) fn crate_paths(&self) -> Vec<(usize, String)> {
        let product = &self.product;
        let mut paths = Vec::new();
        for (at, found) in product.match_indices("crate::") {
            if ends_in_word(&product[..at]) {
                continue;
            }
            let line = line_of(product, at);
            let rest = &product[at + found.len()..];
            let names = match rest.strip_prefix('{') {
                Some(group) => group_names(group),
                None => vec![leading_word(rest)],
            };
            paths.extend(names.into_iter().map(|name| (line, name.to_owned())));
        }
        paths
    }

    /// Runs of `super::super::`, as (line, length).
    pub(crate) fn supers(&self) -> Vec<(usize, usize)> {
        let product = &self.product;
        let mut runs = Vec::new();
        let mut end = 0;
        for (at, found) in product.match_indices("super::") {
            if at < end || ends_in_word(&product[..at]) {
                continue;
            }
            let mut length = 0;
            end = at;
            while product[end..].starts_with(found) {
                length += 1;
                end += found.len();
            }
            runs.push((line_of(product, at), length));
        }
        runs
    }

    /// Lines where `name` stands as a piece of a path or is imported.
    pub(crate) fn lines_with_path(&self, name: &str) -> Vec<usize> {
        self.words(name)
            .filter(|(before, after)| {
                after.starts_with("::") || before.ends_with("::") || before.ends_with("use ")
            })
            .map(|(before, _)| line_of(before, before.len()))
            .collect()
    }

    pub(crate) fn lines_with_word(&self, word: &str) -> Vec<usize> {
        self.words(word).map(|(before, _)| line_of(before, before.len())).collect()
    }

    /// The code before and after each occurrence of a whole word.
    fn words<'a>(&'a self, word: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.code
            .match_indices(word)
            .map(|(at, found)| (&self.code[..at], &self.code[at + found.len()..]))
            .filter(|(before, after)| !ends_in_word(before) && leading_word(after).is_empty())
    }
}

/// First words of the parts of `a::{b, c}, d}`, up to the closing brace.
fn group_names(group: &str) -> Vec<&str> {
    let mut names = Vec::new();
    let mut depth = 0;
    let mut start = 0;
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' | '}' if depth == 0 => {
                names.push(leading_word(group[start..at].trim_start()));
                start = at + 1;
                if c == '}' {
                    break;
                }
            }
            _ => {}
        }
    }
    names.retain(|name| !name.is_empty());
    names
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

/// The text with comments and the insides of literals as spaces; lines stay.
fn code_of(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let skipped = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if c == '"' {
            string_length(rest)
        } else if c == 'r' && !ends_in_word(&code) {
            raw_string_length(rest)
        } else if c == '\'' {
            char_length(rest)
        } else {
            0
        };
        if skipped == 0 {
            code.push(c);
            rest = &rest[c.len_utf8()..];
        } else {
            let blank = rest[..skipped].chars();
            code.extend(blank.map(|c| if c == '\n' { '\n' } else { ' ' }));
            rest = &rest[skipped..];
        }
    }
    code
}

/// What stands behind `#[cfg(test)]` as spaces; lines stay.
fn without_tests(code: &str) -> String {
    const MARK: &str = "#[cfg(test)]";
    let mut product = String::with_capacity(code.len());
    let mut rest = code;
    while let Some(at) = rest.find(MARK) {
        let (before, tested) = rest.split_at(at);
        product.push_str(before);
        let end = item_length(&tested[MARK.len()..]) + MARK.len();
        let blank = tested[..end].chars();
        product.extend(blank.map(|c| if c == '\n' { '\n' } else { ' ' }));
        rest = &tested[end..];
    }
    product.push_str(rest);
    product
}

/// Up to the `;` or the closing brace that ends an item.
fn item_length(code: &str) -> usize {
    let mut depth = 0;
    for (at, c) in code.char_indices() {
        match c {
            '{' | '(' | '[' => depth += 1,
            '}' | ')' | ']' => depth -= 1,
            _ => {}
        }
        let brace_ends = c == '}' && depth == 0 && !code[at + 1..].trim_start().starts_with(';');
        if depth == 0 && (c == ';' || brace_ends) {
            return at + 1;
        }
    }
    code.len()
}

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

/// 0 when it is only a name that begins with r.
fn raw_string_length(text: &str) -> usize {
    let hashes = text[1..].chars().take_while(|&c| c == '#').count();
    if !text[1 + hashes..].starts_with('"') {
        return 0;
    }
    let end = format!("\"{}", "#".repeat(hashes));
    let start = hashes + 2;
    text[start..].find(&end).map_or(text.len(), |at| start + at + end.len())
}

/// 0 for a lifetime.
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
fn the_reader_of_code_sees_through_comments_strings_and_groups() {
    let file = SourceFile::new(
        "src/ui/cells/x.rs".to_owned(),
        "// crate::render\nuse crate::{skin::{A, B}, lesson};\nlet s = \"crate::app\"; /* crate::cli */\n\
         let c = '\"'; let r = r#\"crate::app \" \"#; fn f<'a>(x: &'a crate::asset::Rig) {}\n\
         use super::super::super::notebook;\nuse egui::Ui; let glow = 1; eframe::glow::Context;\n\
         #[cfg(test)]\nmod more;\nuse crate::ui;\n#[cfg(test)]\nmod tests { use crate::render; }\n"
            .to_owned(),
    );
    let named: Vec<_> = file.crate_paths().into_iter().collect();
    let expected =
        [(2, "skin"), (2, "lesson"), (4, "asset"), (9, "ui")].map(|(l, n)| (l, n.to_owned()));
    assert_eq!(named, expected);
    assert_eq!(file.module(), "ui");
    assert_eq!(file.depth(), 3);
    assert_eq!(file.supers(), [(5, 3)]);
    assert_eq!(file.lines_with_path("egui"), [6]);
    assert_eq!(file.lines_with_path("glow"), [6]);
    assert!(file.lines_with_path("gl").is_empty());
}
