//! House rules, as tests: the arrows between modules, complete folders, and
//! what must not stand anywhere. Each message says what to do.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What a module may name with `crate::`. Arrows run from the later to the
/// earlier; `cli` stands above all and the program above it.
const ARROWS: [(&str, &[&str]); 8] = [
    ("skin", &[]),
    ("asset", &["skin"]),
    ("lesson", &["skin"]),
    ("notebook", &["skin", "asset", "lesson"]),
    ("ui", &["skin", "asset", "lesson", "notebook"]),
    ("render", &["skin", "asset", "lesson", "notebook"]),
    (
        "app",
        &["skin", "asset", "lesson", "notebook", "ui", "render"],
    ),
    (
        "cli",
        &["skin", "asset", "lesson", "notebook", "ui", "render", "app"],
    ),
];

const PAGE: [&str; 5] = ["eframe", "egui", "egui_extras", "egui_plot", "epaint"];
const GL: [&str; 4] = ["glow", "three_d", "glutin", "egui_glow"];

#[test]
fn arrows_between_modules_run_down() {
    let mut problems = Vec::new();
    let files = sources("src");
    for file in &files {
        let Some((_, allowed)) = ARROWS.iter().find(|(name, _)| *name == file.module()) else {
            continue;
        };
        for (line, named) in file.crate_paths() {
            let known = ARROWS.iter().any(|(name, _)| *name == named);
            if known && named != file.module() && !allowed.contains(&named.as_str()) {
                problems.push(format!(
                    "{}:{line}: `{}` must not use `{named}`; hand it a value instead, or move the code up",
                    file.name,
                    file.module(),
                ));
            }
        }
        for (line, supers) in file.supers() {
            if supers >= file.depth() {
                problems.push(format!(
                    "{}:{line}: `super` climbs to the crate's root; write `crate::…`, so that the arrow can be read",
                    file.name
                ));
            }
        }
    }
    conclude(files.len(), &problems);
}

#[test]
fn every_module_has_its_arrows_and_its_place_in_the_map() {
    let map = read("ARCHITECTURE.md");
    let modules: BTreeSet<String> = sources("src")
        .iter()
        .map(SourceFile::module)
        .filter(|module| module != "lib" && module != "main")
        .collect();
    let mut problems = Vec::new();
    for module in &modules {
        if !ARROWS.iter().any(|(name, _)| name == module) {
            problems.push(format!(
                "src/{module}: add it to ARROWS in tests/tidy.rs, with what it may use"
            ));
        }
        if !map.contains(&format!("src/{module}")) {
            problems.push(format!("src/{module}: say in ARCHITECTURE.md what it is"));
        }
    }
    conclude(modules.len(), &problems);
}

#[test]
fn gui_and_gl_stay_in_their_modules() {
    let mut problems = Vec::new();
    let files = sources("src");
    for file in &files {
        let module = file.module();
        let mut forbidden: Vec<&str> = Vec::new();
        if ["skin", "asset", "lesson", "notebook"].contains(&module.as_str()) {
            forbidden.extend(PAGE.iter().chain(&GL));
        }
        if module == "ui" {
            forbidden.extend(GL);
        }
        if module != "render" {
            forbidden.push("cgmath");
        }
        if module != "cli" && module != "main" {
            forbidden.push("clap");
        }
        for name in forbidden {
            for line in file.lines_with_path(name) {
                problems.push(format!(
                    "{}:{line}: `{name}` does not belong in `{module}`; see the arrows in ARCHITECTURE.md",
                    file.name
                ));
            }
        }
    }
    conclude(files.len(), &problems);
}

#[test]
fn unsafe_stays_in_the_renderer() {
    let mut problems = Vec::new();
    let files = all_sources();
    for file in &files {
        if file.name.starts_with("src/render/") || file.name.starts_with("tests/common/") {
            continue;
        }
        for line in file.lines_with_word("unsafe") {
            problems.push(format!(
                "{}:{line}: `unsafe` stands only in src/render and tests/common; put it there behind a safe function",
                file.name
            ));
        }
    }
    conclude(files.len(), &problems);
}

#[test]
fn colours_are_named_in_the_theme() {
    let mut problems = Vec::new();
    let files = sources("src/ui");
    for file in &files {
        if file.name == "src/ui/theme.rs" {
            continue;
        }
        for (number, line) in file.code.lines().enumerate() {
            let literal = line
                .split("Color32::from_")
                .skip(1)
                .filter_map(|rest| rest.split_once('('))
                .any(|(_, args)| args.trim_start().starts_with(|c: char| c.is_ascii_digit()));
            if literal {
                problems.push(format!(
                    "{}:{}: give this colour a role in src/ui/theme.rs and use it by name",
                    file.name,
                    number + 1
                ));
            }
        }
    }
    conclude(files.len(), &problems);
}

#[test]
fn files_are_short_or_say_why_not() {
    let mut problems = Vec::new();
    let files = sources("src");
    for file in &files {
        let lines = file.text.lines().count();
        let reason = file
            .text
            .lines()
            .take(10)
            .any(|l| l.contains("long because"));
        if lines > 500 && !reason {
            problems.push(format!(
                "{}: {lines} lines; split it, or begin it with the reason: \"long because …\"",
                file.name
            ));
        }
    }
    conclude(files.len(), &problems);
}

#[test]
fn nothing_is_left_unfinished() {
    let marks = [
        concat!("to", "do!("),
        concat!("unimple", "mented!("),
        concat!("db", "g!("),
        concat!("FIX", "ME"),
        concat!("XX", "X:"),
    ];
    let mut problems = Vec::new();
    let files = all_sources();
    for file in &files {
        for (number, line) in file.text.lines().enumerate() {
            for mark in marks.iter().filter(|mark| line.contains(**mark)) {
                problems.push(format!(
                    "{}:{}: `{mark}`: finish it, or open an issue and take it out",
                    file.name,
                    number + 1
                ));
            }
        }
    }
    conclude(files.len(), &problems);
}

#[test]
fn no_file_names_a_place_on_one_machine() {
    let places = [
        concat!("/ho", "me/"),
        concat!("/ro", "ot/"),
        concat!("/Us", "ers/"),
        concat!("C:\\Us", "ers"),
    ];
    let mut problems = Vec::new();
    let mut seen = 0;
    for name in tracked_files() {
        let Ok(text) = fs::read_to_string(root().join(&name)) else {
            continue; // An image, a font.
        };
        seen += 1;
        for (number, line) in text.lines().enumerate() {
            for place in places.iter().filter(|place| line.contains(**place)) {
                problems.push(format!(
                    "{name}:{}: `{place}` exists on one machine only; write the path from the repository's root",
                    number + 1
                ));
            }
        }
    }
    conclude(seen, &problems);
}

#[test]
fn every_lesson_folder_is_complete() {
    let mut problems = Vec::new();
    let folders = folders_in("lessons");
    for folder in &folders {
        let well_named = folder.split_once('-').is_some_and(|(number, slug)| {
            number.parse::<u32>().is_ok()
                && !slug.is_empty()
                && slug
                    .chars()
                    .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
        });
        if !well_named {
            problems.push(format!(
                "lessons/{folder}: name it NN-slug: a number, then small letters, digits and hyphens"
            ));
        }
        for file in ["lesson.md", "notes.md"] {
            if is_blank(&format!("lessons/{folder}/{file}")) {
                problems.push(format!(
                    "lessons/{folder}: write {file}; docs/lesson-format.md says how"
                ));
            }
        }
    }
    conclude(folders.len(), &problems);
}

#[test]
fn every_model_says_whose_it_is() {
    let mut problems = Vec::new();
    let folders = folders_in("assets/models");
    for folder in &folders {
        for file in ["LICENSE", "SOURCE.md"] {
            if is_blank(&format!("assets/models/{folder}/{file}")) {
                problems.push(format!(
                    "assets/models/{folder}: add {file}: LICENSE holds the terms, SOURCE.md where the model comes from"
                ));
            }
        }
    }
    conclude(folders.len(), &problems);
}

#[test]
fn every_font_has_its_licence_beside_it() {
    let files = files_below("assets/fonts");
    let licences: String = files
        .iter()
        .filter(|name| has_extension(name, &["txt", "md"]))
        .map(|name| read(name))
        .collect();
    let words: BTreeSet<&str> = licences
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.len() >= 5)
        .collect();
    let fonts: Vec<_> = files
        .iter()
        .filter(|name| has_extension(name, &["ttf", "otf", "woff2"]))
        .collect();
    let mut problems = Vec::new();
    for font in &fonts {
        let name = file_name(font);
        if !words.iter().any(|word| name.starts_with(word)) {
            problems.push(format!(
                "{font}: no licence in assets/fonts names this family; put the font's licence beside it as a .txt file"
            ));
        }
    }
    conclude(fonts.len(), &problems);
}

#[test]
fn every_shader_is_used() {
    let sources = sources("src/render");
    let shaders = files_below("src/render/shaders");
    let mut problems = Vec::new();
    for shader in &shaders {
        let ending = format!("{}\")", file_name(shader));
        let used = sources.iter().any(|file| {
            file.text
                .split("include_str!(")
                .skip(1)
                .any(|rest| rest.lines().next().is_some_and(|l| l.contains(&ending)))
        });
        if !used {
            problems.push(format!(
                "{shader}: no include_str! in src/render names it; use it or remove it"
            ));
        }
    }
    conclude(shaders.len(), &problems);
}

#[test]
fn the_reader_of_code_sees_through_comments_strings_and_groups() {
    let file = SourceFile::new(
        "src/ui/cells/x.rs".to_owned(),
        "// crate::render\nuse crate::{skin::{A, B}, lesson};\nlet s = \"crate::app\"; /* crate::cli */\n\
         let c = '\"'; let r = r#\"crate::app \" \"#; fn f<'a>(x: &'a crate::asset::Rig) {}\n\
         use super::super::super::notebook;\nuse egui::Ui; let glow = 1; eframe::glow::Context;\n\
         #[cfg(test)]\nmod tests { use crate::render; }\n"
            .to_owned(),
    );
    let named: Vec<_> = file.crate_paths().into_iter().collect();
    let expected = [(2, "skin"), (2, "lesson"), (4, "asset")].map(|(l, n)| (l, n.to_owned()));
    assert_eq!(named, expected);
    assert_eq!(file.module(), "ui");
    assert_eq!(file.depth(), 3);
    assert_eq!(file.supers(), [(5, 3)]);
    assert_eq!(file.lines_with_path("egui"), [6]);
    assert_eq!(file.lines_with_path("glow"), [6]);
    assert!(file.lines_with_path("gl").is_empty());
}

/// One Rust file: as written, and with comments and the insides of strings
/// blanked out.
struct SourceFile {
    /// From the root, with forward slashes.
    name: String,
    text: String,
    code: String,
}

impl SourceFile {
    fn new(name: String, text: String) -> Self {
        let code = code_of(&text);
        Self { name, text, code }
    }

    /// `ui` for `src/ui/theme.rs`, `app` for `src/app.rs`.
    fn module(&self) -> String {
        let inside = self.name.trim_start_matches("src/");
        let first = inside.split('/').next().unwrap_or_default();
        first.trim_end_matches(".rs").to_owned()
    }

    /// How many `super`s lead from this module to the crate's root.
    fn depth(&self) -> usize {
        let inside = self.name.trim_start_matches("src/");
        inside.split('/').count() - usize::from(inside.ends_with("/mod.rs"))
    }

    /// The code before the unit tests: these may use what they like.
    fn product(&self) -> &str {
        self.code
            .split_once("#[cfg(test)]\nmod ")
            .map_or(self.code.as_str(), |(product, _)| product)
    }

    /// Top-level modules named by `crate::a` and `crate::{a, b::c}`, with lines.
    fn crate_paths(&self) -> Vec<(usize, String)> {
        let product = self.product();
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
    fn supers(&self) -> Vec<(usize, usize)> {
        let product = self.product();
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
    fn lines_with_path(&self, name: &str) -> Vec<usize> {
        self.words(name)
            .filter(|(before, after)| {
                after.starts_with("::") || before.ends_with("::") || before.ends_with("use ")
            })
            .map(|(before, _)| line_of(before, before.len()))
            .collect()
    }

    fn lines_with_word(&self, word: &str) -> Vec<usize> {
        self.words(word)
            .map(|(before, _)| line_of(before, before.len()))
            .collect()
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
    text[start..]
        .find(&end)
        .map_or(text.len(), |at| start + at + end.len())
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

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn is_blank(name: &str) -> bool {
    fs::read_to_string(root().join(name)).map_or(true, |text| text.trim().is_empty())
}

fn sources(folder: &str) -> Vec<SourceFile> {
    files_below(folder)
        .into_iter()
        .filter(|name| has_extension(name, &["rs"]))
        .map(|name| {
            let text = read(&name);
            SourceFile::new(name, text)
        })
        .collect()
}

fn all_sources() -> Vec<SourceFile> {
    ["src", "tests", "xtask", "benches", "examples"]
        .into_iter()
        .flat_map(sources)
        .collect()
}

fn has_extension(name: &str, extensions: &[&str]) -> bool {
    Path::new(name)
        .extension()
        .and_then(|extension| extension.to_str())
        .is_some_and(|extension| extensions.contains(&extension))
}

fn file_name(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

/// Names of the folders directly inside, sorted; none if it does not exist.
fn folders_in(folder: &str) -> BTreeSet<String> {
    let Ok(entries) = fs::read_dir(root().join(folder)) else {
        return BTreeSet::new();
    };
    entries
        .flatten()
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect()
}

/// Files at any depth, from the root with forward slashes, sorted; build
/// outputs and hidden folders left out.
fn files_below(folder: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut open: Vec<PathBuf> = vec![root().join(folder)];
    while let Some(folder) = open.pop() {
        let Ok(entries) = fs::read_dir(&folder) else {
            continue;
        };
        for entry in entries.flatten() {
            let path = entry.path();
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.starts_with('.') || name == "target" {
                continue;
            }
            if path.is_dir() {
                open.push(path);
            } else if let Ok(inside) = path.strip_prefix(root()) {
                names.push(inside.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    names.sort();
    names
}

/// What git knows; without git, what lies there.
fn tracked_files() -> Vec<String> {
    let listed = Command::new("git")
        .args(["ls-files", "-z"])
        .current_dir(root())
        .output();
    match listed {
        Ok(output) if output.status.success() && !output.stdout.is_empty() => {
            String::from_utf8_lossy(&output.stdout)
                .split_terminator('\0')
                .map(str::to_owned)
                .collect()
        }
        _ => files_below(""),
    }
}

/// A rule that looked at nothing holds nothing.
#[track_caller]
fn conclude(seen: usize, problems: &[String]) {
    assert!(
        seen > 0,
        "this rule found nothing to look at; has a folder moved? Correct tests/tidy.rs"
    );
    assert!(problems.is_empty(), "\n{}\n", problems.join("\n"));
}
