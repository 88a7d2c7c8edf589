//! Rust code, read just well enough to see what it names.

/// One Rust file: as written, and with comments and the insides of strings
/// blanked out.
pub struct SourceFile {
    /// From the root, with forward slashes.
    pub name: String,
    pub text: String,
    pub code: String,
    product: String,
}

impl SourceFile {
    pub fn new(name: String, text: String) -> Self {
        let code = code_of(&text);
        let product = without_tests(&code);
        Self { name, text, code, product }
    }

    /// The code without unit tests: these may use what they like.
    pub fn product(&self) -> &str {
        &self.product
    }

    /// Lines where `name` stands as a piece of a path or is imported.
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

    /// The code before and after each occurrence of a whole word.
    fn words<'a>(&'a self, word: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.code
            .match_indices(word)
            .map(|(at, found)| (&self.code[..at], &self.code[at + found.len()..]))
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

/// What stands behind a mark of tests as spaces; lines stay.
fn without_tests(code: &str) -> String {
    // The second is for tests of other crates too; its string is blanked out.
    const MARKS: [&str; 2] = ["#[cfg(test)]", "#[cfg(any(test, feature =          ))]"];
    let mut product = String::with_capacity(code.len());
    let mut rest = code;
    while let Some((at, mark)) =
        MARKS.iter().filter_map(|mark| Some((rest.find(mark)?, mark))).min()
    {
        let (before, tested) = rest.split_at(at);
        product.push_str(before);
        let end = item_length(&tested[mark.len()..]) + mark.len();
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
fn the_reader_of_code_sees_through_comments_strings_and_tests() {
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
