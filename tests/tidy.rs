//! House rules, as tests: the arrows between modules, complete folders, and
//! what must not stand anywhere. Each message says what to do.

#[path = "tidy/circles.rs"]
mod circles;
#[path = "tidy/files.rs"]
mod files;
#[path = "tidy/source.rs"]
mod source;
#[path = "tidy/tokens.rs"]
mod tokens;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use circles::Crate;
use files::{
    file_name, files_below, folders_in, has_extension, is_blank, read, root, tracked_files,
};
use source::{SourceFile, all_sources, sources};

/// What a module may name with `crate::`. Arrows run from the later to the
/// earlier; `cli` stands above all and the program above it.
const ARROWS: [(&str, &[&str]); 12] = [
    ("diagnostic", &[]),
    ("shipped", &[]),
    ("skin", &[]),
    ("asset", &["diagnostic", "shipped", "skin"]),
    ("lesson", &["diagnostic", "shipped", "skin"]),
    ("notebook", &["diagnostic", "skin", "asset", "lesson"]),
    ("ui", &["diagnostic", "shipped", "skin", "asset", "lesson", "notebook"]),
    ("render", &["skin", "asset", "lesson", "notebook"]),
    ("handout", &["diagnostic", "skin", "asset", "lesson", "notebook"]),
    ("site", &["diagnostic", "shipped", "skin", "asset", "lesson", "notebook", "handout"]),
    (
        "app",
        &[
            "diagnostic",
            "shipped",
            "skin",
            "asset",
            "lesson",
            "notebook",
            "ui",
            "render",
            "handout",
            "site",
        ],
    ),
    (
        "cli",
        &[
            "diagnostic",
            "shipped",
            "skin",
            "asset",
            "lesson",
            "notebook",
            "ui",
            "render",
            "handout",
            "site",
            "app",
        ],
    ),
];

/// Circles of files that lie in the nature of the thing, with the reason;
/// ARCHITECTURE.md names the first file of each.
const CIRCLES: [(&[&str], &str); 1] = [(
    &[
        "src/ui/prose/blocks.rs",
        "src/ui/prose/inline.rs",
        "src/ui/prose/links.rs",
        "src/ui/prose/paragraph.rs",
        "src/ui/prose/symbols.rs",
        "src/ui/prose/table.rs",
    ],
    "a link or a symbol in prose opens what the glossary says of it, which is prose",
)];

/// No egui and no GL: what they do can be done without a screen.
const HEADLESS: [&str; 8] =
    ["diagnostic", "shipped", "skin", "asset", "lesson", "notebook", "handout", "site"];

const PAGE: [&str; 5] = ["eframe", "egui", "egui_extras", "egui_plot", "epaint"];
const GL: [&str; 4] = ["glow", "three_d", "glutin", "egui_glow"];

/// Where three-d is named: a new version of it, or its absence, changes these.
const THREE_D: [&str; 3] =
    ["src/render/buffers.rs", "src/render/program.rs", "src/render/texture.rs"];

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
fn files_use_each_other_in_no_circle() {
    let files = sources("src");
    let parts = Crate::new(&files);
    let arrows = parts.arrows();
    let found = parts.circles();
    let known: Vec<&[&str]> = CIRCLES.iter().map(|&(files, _)| files).collect();
    let mut problems = Vec::new();
    for circle in found.iter().filter(|circle| !known.contains(&&names(circle)[..])) {
        problems.push(
            "a circle of files: move what both sides use into a file below both, or, where it lies \
             in the nature of the thing, name it in CIRCLES in tests/tidy.rs and in ARCHITECTURE.md:"
                .to_owned(),
        );
        for (from, to) in
            circle.iter().flat_map(|from| arrows[from.as_str()].iter().map(move |to| (from, to)))
        {
            if circle.contains(to.0) {
                problems.push(format!("    {from} uses of {}: {}", to.0, to.1.join(", ")));
            }
        }
    }
    for circle in known.iter().filter(|circle| !found.iter().any(|one| names(one) == **circle)) {
        problems.push(format!(
            "{}: these are no circle any more, or not the whole one; correct CIRCLES in tests/tidy.rs",
            circle.join(", ")
        ));
    }
    let map = read("ARCHITECTURE.md");
    for (circle, reason) in &CIRCLES {
        if !map.contains(circle[0]) {
            problems.push(format!("{}: say in ARCHITECTURE.md that {reason}", circle[0]));
        }
    }
    conclude(arrows.values().map(BTreeMap::len).sum(), &problems);
}

fn names(files: &[String]) -> Vec<&str> {
    files.iter().map(String::as_str).collect()
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
        if HEADLESS.contains(&module.as_str()) {
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
fn three_d_is_named_where_its_types_are_wrapped() {
    let mut problems = Vec::new();
    let files = all_sources();
    for file in &files {
        if THREE_D.contains(&file.name.as_str()) {
            continue;
        }
        for line in file.lines_with_path("three_d") {
            problems.push(format!(
                "{}:{line}: name three_d only in {}; take what you need from there",
                file.name,
                THREE_D.join(", ")
            ));
        }
    }
    conclude(files.len(), &problems);
}

#[test]
fn unsafe_stays_in_the_renderer() {
    let mut problems = Vec::new();
    let files = all_sources();
    for file in &files {
        let at_home =
            ["src/render/", "tests/common/", "tests/listings/whale_skin.rs", "benches/gpu/bare.rs"];
        if at_home.iter().any(|home| file.name.starts_with(home)) {
            continue;
        }
        for line in file.lines_with_word("unsafe") {
            problems.push(format!(
                "{}:{line}: `unsafe` stands only in src/render, tests/common, the whale's program that a lesson shows and the bare draw of the bench; put it there behind a safe function",
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
        if file.name.starts_with("src/ui/theme") {
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

/// What egui's memory holds for cells is about one widget of egui's: which button
/// has the focus, what a drag took hold of.
const OF_A_WIDGET: [&str; 2] =
    ["src/ui/cells/viewport/hover_controls.rs", "src/ui/cells/viewport/prediction_marks.rs"];

#[test]
fn cells_keep_their_state_in_types_of_their_own() {
    let mut problems = Vec::new();
    let files = sources("src/ui/cells");
    for file in &files {
        if OF_A_WIDGET.contains(&file.name.as_str()) {
            continue;
        }
        for word in ["data", "data_mut"] {
            for line in file.lines_with_word(word) {
                let text = file.code.lines().nth(line - 1).unwrap_or_default();
                if text.contains(&format!(".{word}(|")) {
                    problems.push(format!(
                        "{}:{line}: what a cell keeps is a type of its own; use `page.state(id)`",
                        file.name
                    ));
                }
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
        let reason = file.text.lines().take(10).any(|l| l.contains("long because"));
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
                && slug.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
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
fn lessons_ask_for_nothing_that_a_finger_cannot_do() {
    let mut problems = Vec::new();
    let folders = folders_in("lessons");
    for folder in &folders {
        for file in ["lesson.md", "notes.md"] {
            let name = format!("lessons/{folder}/{file}");
            let text = fs::read_to_string(root().join(&name)).expect("a lesson");
            for (number, line) in text.lines().enumerate() {
                let line = line.to_lowercase();
                let of_a_mouse = ["click", "mouse", "the wheel", "hovering"];
                let of_fingers = [" tap", "finger"];
                let says = |words: &[&str]| words.iter().any(|word| line.contains(word));
                if says(&of_a_mouse) && !says(&of_fingers) {
                    problems.push(format!(
                        "{name}:{}: with a finger there is no mouse: write \u{201c}choose\u{201d}, \
                         \u{201c}press\u{201d} or \u{201c}drag\u{201d}, or say beside it what a finger does",
                        number + 1
                    ));
                }
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
    let words: BTreeSet<&str> =
        licences.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() >= 5).collect();
    let fonts: Vec<_> =
        files.iter().filter(|name| has_extension(name, &["ttf", "otf", "woff2"])).collect();
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

/// So that nobody is left out whose work goes with the program.
#[test]
fn the_notices_name_what_the_lock_file_names() {
    let name = "assets/licences/third-party.txt";
    let notices = read(name);
    let words: BTreeSet<(&str, &str)> = notices
        .lines()
        .flat_map(|line| line.split(','))
        .filter_map(|package| package.trim().split_once(' '))
        .collect();
    let lock = read("Cargo.lock");
    let value = |entry: &str, key: &str| {
        let line = entry.lines().find_map(|line| line.strip_prefix(key));
        line.unwrap_or_default().trim_matches('"').to_owned()
    };
    let entries = lock.split("[[package]]").skip(1);
    let packages: BTreeSet<(String, String)> = entries
        .filter(|entry| entry.contains("\nsource = "))
        .map(|entry| (value(entry, "name = "), value(entry, "version = ")))
        .collect();
    let mut problems = Vec::new();
    for (package, version) in &packages {
        if !words.contains(&(package, version)) {
            problems.push(format!("{name}: {package} {version} is not there"));
        }
    }
    for (package, version) in words {
        let is_version = version.starts_with(|c: char| c.is_ascii_digit())
            && version.matches('.').count() >= 2
            && !version.ends_with('.')
            && !version.contains(' ');
        if is_version && !packages.contains(&(package.to_owned(), version.to_owned())) {
            problems.push(format!("{name}: {package} {version} is not used any more"));
        }
    }
    for licence in files_below("assets/fonts") {
        if has_extension(&licence, &["txt"]) && !notices.contains(read(&licence).trim()) {
            problems.push(format!("{name}: {licence} is not there"));
        }
    }
    if !problems.is_empty() {
        problems.push("run `cargo xtask licences`, and commit the file".to_owned());
    }
    conclude(packages.len(), &problems);
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

/// A rule that looked at nothing holds nothing.
#[track_caller]
fn conclude(seen: usize, problems: &[String]) {
    assert!(
        seen > 0,
        "this rule found nothing to look at; has a folder moved? Correct tests/tidy.rs"
    );
    assert!(problems.is_empty(), "\n{}\n", problems.join("\n"));
}
