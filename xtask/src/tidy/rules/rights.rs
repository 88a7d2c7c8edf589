//! Whose work goes with the program.

use std::collections::BTreeSet;

use crate::tidy::checkout::{file_name, has_extension};

use super::{Checkout, Looked, Outcome, Rule};

pub const RULES: [Rule; 3] = [
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
    Ok(Looked { at: folders.len(), problems })
}

fn every_font_has_its_licence_beside_it(checkout: &Checkout) -> Outcome {
    let files = checkout.files_below("assets/fonts");
    let licences = files.iter().filter(|name| has_extension(name, &["txt", "md"]));
    let licences = licences.map(|name| checkout.read(name)).collect::<Result<String, _>>()?;
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
    Ok(Looked { at: fonts.len(), problems })
}

/// So that nobody is left out whose work goes with the program.
fn the_notices_name_what_the_lock_file_names(checkout: &Checkout) -> Outcome {
    let name = "assets/licences/third-party.txt";
    let notices = checkout.read(name)?;
    let words: BTreeSet<(&str, &str)> = notices
        .lines()
        .flat_map(|line| line.split(','))
        .filter_map(|package| package.trim().split_once(' '))
        .collect();
    let lock = checkout.read("Cargo.lock")?;
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
    for licence in checkout.files_below("assets/fonts") {
        if has_extension(&licence, &["txt"]) && !notices.contains(checkout.read(&licence)?.trim()) {
            problems.push(format!("{name}: {licence} is not there"));
        }
    }
    if !problems.is_empty() {
        problems.push("run `cargo xtask licences`, and commit the file".to_owned());
    }
    Ok(Looked { at: packages.len(), problems })
}
