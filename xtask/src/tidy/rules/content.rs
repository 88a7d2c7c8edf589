//! What lies beside the code: lessons, shaders, and every file that is kept.

use crate::prose;
use crate::tidy::checkout::{file_name, has_extension};

use super::{Checkout, Looked, Outcome, Rule};

pub const RULES: [Rule; 5] = [
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
    Ok(Looked { at: seen, problems })
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
    Ok(Looked { at: folders.len(), problems })
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
    Ok(Looked { at: folders.len(), problems })
}

/// Quotations may say what they say.
fn lessons_have_one_word_for_one_thing(checkout: &Checkout) -> Outcome {
    let mut files = checkout.files_below("lessons");
    files.extend(checkout.files_below("assets/words"));
    files.extend(checkout.files_below("crates/asset/words"));
    files.retain(|name| has_extension(name, &["md", "toml"]));
    let mut problems = Vec::new();
    for name in &files {
        for (number, line) in checkout.read(name)?.lines().enumerate() {
            let unquoted = |part: &str| part.split('\u{201d}').next_back().unwrap_or("").to_owned();
            let line: String = prose::plain(line).split('\u{201c}').map(unquoted).collect();
            for (word, better) in prose::REFUSED.iter().filter(|(word, _)| line.contains(word)) {
                problems.push(format!("{name}:{}: `{word}`: write: {better}", number + 1));
            }
        }
    }
    Ok(Looked { at: files.len(), problems })
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
    Ok(Looked { at: shaders.len(), problems })
}
