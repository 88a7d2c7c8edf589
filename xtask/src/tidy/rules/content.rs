//! Rules on lessons, shaders, models, fonts and their licenses, and on all tracked files.

use std::collections::BTreeSet;

use crate::prose;
use crate::tidy::checkout::{file_name, has_extension};

use super::{Checkout, Outcome, Rule, RuleReport};

pub const RULES: [Rule; 8] = [
    Rule {
        name: "no file names a place on one machine",
        check: no_file_names_a_place_on_one_machine,
    },
    Rule { name: "every lesson folder is complete", check: every_lesson_folder_is_complete },
    Rule {
        name: "lessons ask for nothing that a finger cannot do",
        check: lessons_ask_for_nothing_that_a_finger_cannot_do,
    },
    Rule {
        name: "lessons have one word for one thing",
        check: lessons_have_one_word_for_one_thing,
    },
    Rule { name: "every shader is used", check: every_shader_is_used },
    Rule { name: "every model says whose it is", check: every_model_says_whose_it_is },
    Rule {
        name: "every font has its licence beside it",
        check: every_font_has_its_licence_beside_it,
    },
    Rule {
        name: "the notices name what the lock file names",
        check: the_notices_name_what_the_lock_file_names,
    },
];

fn no_file_names_a_place_on_one_machine(checkout: &Checkout) -> Outcome {
    let places = [
        concat!("/ho", "me/"),
        concat!("/ro", "ot/"),
        concat!("/Us", "ers/"),
        concat!("C:\\Us", "ers"),
    ];
    let mut problems = Vec::new();
    let mut seen = 0;
    for name in checkout.tracked_files() {
        let Ok(text) = checkout.read(&name) else {
            // A binary file.
            continue;
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
    Ok(RuleReport { checked_count: seen, problems })
}

fn every_lesson_folder_is_complete(checkout: &Checkout) -> Outcome {
    let mut problems = Vec::new();
    let folders = checkout.folders_in("lessons");
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
            if checkout.is_blank(&format!("lessons/{folder}/{file}")) {
                problems.push(format!(
                    "lessons/{folder}: write {file}; docs/lesson-format.md says how"
                ));
            }
        }
    }
    Ok(RuleReport { checked_count: folders.len(), problems })
}

fn lessons_ask_for_nothing_that_a_finger_cannot_do(checkout: &Checkout) -> Outcome {
    let mut problems = Vec::new();
    let folders = checkout.folders_in("lessons");
    for folder in &folders {
        for file in ["lesson.md", "notes.md"] {
            let name = format!("lessons/{folder}/{file}");
            let text = checkout.read(&name)?;
            for (number, line) in text.lines().enumerate() {
                let line = line.to_lowercase();
                let mentions_mouse = ["click", "mouse", "the wheel", "hovering"]
                    .iter()
                    .any(|word| line.contains(word));
                let mentions_touch = [" tap", "finger"].iter().any(|word| line.contains(word));
                if mentions_mouse && !mentions_touch {
                    problems.push(format!(
                        "{name}:{}: with a finger there is no mouse: write \u{201c}choose\u{201d}, \
                         \u{201c}press\u{201d} or \u{201c}drag\u{201d}, or say beside it what a finger does",
                        number + 1
                    ));
                }
            }
        }
    }
    Ok(RuleReport { checked_count: folders.len(), problems })
}

/// Quoted text is not checked.
fn lessons_have_one_word_for_one_thing(checkout: &Checkout) -> Outcome {
    let mut files = checkout.files_below("lessons");
    files.extend(checkout.files_below("assets/words"));
    files.extend(checkout.files_below("crates/doctor/words"));
    files.retain(|name| has_extension(name, &["md", "toml"]));
    let mut problems = Vec::new();
    for name in &files {
        for (number, line) in checkout.read(name)?.lines().enumerate() {
            let unquoted: String = prose::plain(line)
                .split('\u{201c}')
                .map(|part| part.split('\u{201d}').next_back().unwrap_or(""))
                .collect();
            for (word, better) in prose::REFUSED.iter().filter(|(word, _)| unquoted.contains(word))
            {
                problems.push(format!("{name}:{}: `{word}`: write: {better}", number + 1));
            }
        }
    }
    Ok(RuleReport { checked_count: files.len(), problems })
}

fn every_shader_is_used(checkout: &Checkout) -> Outcome {
    let sources = checkout.sources("crates/render/src");
    let shaders = checkout.files_below("crates/render/src/shaders");
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
                "{shader}: no include_str! in crates/render/src names it; use it or remove it"
            ));
        }
    }
    Ok(RuleReport { checked_count: shaders.len(), problems })
}

fn every_model_says_whose_it_is(checkout: &Checkout) -> Outcome {
    let mut problems = Vec::new();
    let folders = checkout.folders_in("assets/models");
    for folder in &folders {
        for file in ["LICENSE", "SOURCE.md"] {
            if checkout.is_blank(&format!("assets/models/{folder}/{file}")) {
                problems.push(format!(
                    "assets/models/{folder}: add {file}: LICENSE holds the terms, SOURCE.md where the model comes from"
                ));
            }
        }
    }
    Ok(RuleReport { checked_count: folders.len(), problems })
}

fn every_font_has_its_licence_beside_it(checkout: &Checkout) -> Outcome {
    let files = checkout.files_below("assets/fonts");
    let licences = files
        .iter()
        .filter(|name| has_extension(name, &["txt", "md"]))
        .map(|name| checkout.read(name))
        .collect::<Result<String, _>>()?;
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
    Ok(RuleReport { checked_count: fonts.len(), problems })
}

/// Ensures that the notices mention every package in the program.
fn the_notices_name_what_the_lock_file_names(checkout: &Checkout) -> Outcome {
    let name = "assets/licences/third-party.txt";
    let notices = checkout.read(name)?;
    let words: BTreeSet<(&str, &str)> = notices
        .lines()
        .flat_map(|line| line.split(','))
        .filter_map(|package| package.trim().split_once(' '))
        .collect();
    let lock = checkout.read("Cargo.lock")?;
    let packages: BTreeSet<(String, String)> = lock
        .split("[[package]]")
        .skip(1)
        .filter(|entry| entry.contains("\nsource = "))
        .map(|entry| (lock_value(entry, "name = "), lock_value(entry, "version = ")))
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
    for licence in checkout.files_below("assets/fonts") {
        if has_extension(&licence, &["txt"]) && !notices.contains(checkout.read(&licence)?.trim()) {
            problems.push(format!("{name}: {licence} is not there"));
        }
    }
    if !problems.is_empty() {
        problems.push("run `cargo xtask licences`, and commit the file".to_owned());
    }
    Ok(RuleReport { checked_count: packages.len(), problems })
}

/// Returns a value of an entry in `Cargo.lock`, or an empty text if it has none.
fn lock_value(entry: &str, key: &str) -> String {
    let value = entry.lines().find_map(|line| line.strip_prefix(key));
    value.unwrap_or_default().trim_matches('"').to_owned()
}
