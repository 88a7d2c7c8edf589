//! `cargo xtask licences`: the notices that go with the program.
//!
//! Of licences that a package offers, one is taken: Apache-2.0 where it can be,
//! as its text is the same for all. The others bring their own text, with the
//! names of those who wrote the package.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::process::{cargo_at_root, root};

const NOTICES: &str = "assets/licences/third-party.txt";

/// What the program is built for.
const TARGETS: [&str; 4] = [
    "x86_64-unknown-linux-gnu",
    "aarch64-apple-darwin",
    "x86_64-pc-windows-msvc",
    "wasm32-unknown-unknown",
];

/// Licences from the one that is taken first, with words that only their text
/// has.
const LICENCES: [(&str, &str); 8] = [
    ("Apache-2.0", "Apache License"),
    ("Zlib", "This software is provided 'as-is'"),
    ("MIT", "Permission is hereby granted, free of charge"),
    ("ISC", "Permission to use, copy, modify, and/or distribute"),
    ("BSD-2-Clause", "Redistribution and use in source"),
    ("BSD-3-Clause", "Redistribution and use in source"),
    ("Unicode-3.0", "UNICODE LICENSE V3"),
    ("BSL-1.0", "Boost Software License"),
];

const HEAD: &str = "\
Notices for what Bindpose is made of
====================================

Bindpose itself is licensed under MIT or Apache-2.0, at your choice. It is built
with the Rust standard library, which is licensed in the same way, and with the
fonts and packages below. Where a package offers several licences, one is named.
";

/// A package and a version of it.
type Package = (String, String);

/// Packages under the same terms.
#[derive(Default)]
struct LicenceGroup {
    terms: String,
    /// What stands above the terms, and the packages that have it so.
    owners: BTreeMap<String, BTreeSet<String>>,
}

/// Writes the file again.
pub fn write() -> Result<(), String> {
    let file = root().join(NOTICES);
    let text = notices()?;
    let folder = file.parent().unwrap_or(&file);
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(&file, text))
        .map_err(|error| format!("{NOTICES} could not be written: {error}"))
}

fn notices() -> Result<String, String> {
    let shipped = shipped()?;
    let folders = folders()?;
    let mut groups: BTreeMap<(usize, String), LicenceGroup> = BTreeMap::new();
    let mut add = |rank: usize, text: &str, package: &str| {
        let mark = LICENCES.get(rank).and_then(|(_, mark)| text.find(mark));
        let (head, terms) = text.split_at(mark.unwrap_or(0));
        let group = groups.entry((rank, words(terms))).or_default();
        terms.trim().clone_into(&mut group.terms);
        let owners = group.owners.entry(owners(head)).or_default();
        owners.insert(package.to_owned());
    };
    for ((name, version), expression) in &shipped {
        let package = format!("{name} {version}");
        let folder = folders
            .get(&format!("{name}-{version}"))
            .ok_or_else(|| format!("the source of {package} was not found"))?;
        let ranks = chosen(expression)
            .ok_or_else(|| format!("{package}: “{expression}” is no licence that we know"))?;
        let texts = texts(folder)?;
        for rank in ranks {
            let (licence, mark) = LICENCES[rank];
            if licence == "Apache-2.0" {
                add(rank, &read(&root().join("LICENSE-APACHE"))?, &package);
                continue;
            }
            let text = texts.iter().find(|(_, text)| text.contains(mark));
            match text {
                Some((_, text)) => add(rank, text, &package),
                None => add(rank, &without_text(licence, folder)?, &package),
            }
        }
        for (name, text) in &texts {
            if name.starts_with("NOTICE") || name.contains("THIRD-PARTY") {
                add(LICENCES.len(), text, &package);
            }
        }
    }
    let mut out = HEAD.to_owned();
    for font in sorted(&root().join("assets/fonts"))? {
        if font.extension().is_some_and(|extension| extension == "txt") {
            section(&mut out, "Fonts", read(&font)?.trim());
        }
    }
    for ((rank, _), group) in &groups {
        let licence = LICENCES.get(*rank).map_or("Notice", |(name, _)| name);
        let mut text = String::new();
        for (owners, packages) in &group.owners {
            let packages: Vec<&str> = packages.iter().map(String::as_str).collect();
            text += &wrapped(&packages.join(", "));
            for line in owners.lines() {
                text += "\n    ";
                text += line;
            }
            text += "\n\n";
        }
        section(&mut out, licence, &(text + &group.terms));
    }
    let others: Vec<String> = locked()?
        .into_iter()
        .filter(|package| !shipped.contains_key(package))
        .map(|(name, version)| format!("{name} {version}"))
        .collect();
    let heading = "Used to build or to test, or on other systems, and no part of the program";
    section(&mut out, heading, &wrapped(&others.join(", ")));
    Ok(out)
}

/// All packages whose code is in the program, with what they say of their
/// licence.
fn shipped() -> Result<BTreeMap<Package, String>, String> {
    let mut args = vec!["tree", "--locked", "--package", "bindpose"];
    args.extend(["--edges", "normal,no-proc-macro", "--prefix", "none"]);
    args.extend(["--format", "{p}|{l}|"]);
    for target in TARGETS {
        args.extend(["--target", target]);
    }
    let tree = output(&args)?;
    let lines = tree.lines().filter_map(|line| {
        let mut parts = line.split('|');
        let (package, licence) = (parts.next()?, parts.next()?);
        let mut words = package.split(' ');
        let (name, version) = (words.next()?, words.next()?.strip_prefix('v')?);
        let package = (name.to_owned(), version.to_owned());
        let is_ours = name == "bindpose" || name.starts_with("bindpose-");
        (!is_ours).then(|| (package, licence.to_owned()))
    });
    Ok(lines.collect())
}

/// Where the sources lie, by name and version with a hyphen.
fn folders() -> Result<BTreeMap<String, PathBuf>, String> {
    let metadata = output(&["metadata", "--locked", "--format-version", "1"])?;
    let manifests = metadata.split("\"manifest_path\":\"").skip(1);
    let folders = manifests.filter_map(|rest| {
        let path = PathBuf::from(rest.split('"').next()?.replace("\\\\", "\\"));
        let folder = path.parent()?;
        let name = folder.file_name()?.to_string_lossy().into_owned();
        Some((name, folder.to_owned()))
    });
    Ok(folders.collect())
}

/// What stands in `Cargo.lock`, without our own packages.
fn locked() -> Result<Vec<Package>, String> {
    let lock = read(&root().join("Cargo.lock"))?;
    let value = |entry: &str, key: &str| {
        let line = entry.lines().find_map(|line| line.strip_prefix(key));
        line.map(|value| value.trim_matches('"').to_owned())
    };
    let entries = lock.split("[[package]]").skip(1);
    Ok(entries
        .filter(|entry| entry.contains("\nsource = "))
        .filter_map(|entry| Some((value(entry, "name = ")?, value(entry, "version = ")?)))
        .collect())
}

/// Ranks in [`LICENCES`] of those that are to be kept; `None` where one is
/// needed that is not there.
fn chosen(expression: &str) -> Option<BTreeSet<usize>> {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let mut words: Vec<&str> = spaced.split_whitespace().rev().collect();
    let chosen = any_of(&mut words);
    words.is_empty().then_some(chosen)?
}

fn any_of(words: &mut Vec<&str>) -> Option<BTreeSet<usize>> {
    let mut best = all_of(words);
    while words.pop_if(|word| *word == "OR").is_some() {
        let other = all_of(words);
        best = match (best, other) {
            (Some(one), Some(other)) => Some(if other.last() < one.last() { other } else { one }),
            (one, other) => one.or(other),
        };
    }
    best
}

fn all_of(words: &mut Vec<&str>) -> Option<BTreeSet<usize>> {
    let mut all = single(words);
    while words.pop_if(|word| *word == "AND").is_some() {
        let other = single(words);
        all = all.zip(other).map(|(one, other)| &one | &other);
    }
    all
}

fn single(words: &mut Vec<&str>) -> Option<BTreeSet<usize>> {
    let word = words.pop()?;
    if word == "(" {
        let inside = any_of(words);
        words.pop_if(|word| *word == ")")?;
        return inside;
    }
    if words.pop_if(|word| *word == "WITH").is_some() {
        // An exception only permits more; but then the text is another one.
        words.pop();
        return None;
    }
    let rank = LICENCES.iter().position(|(name, _)| *name == word)?;
    Some(BTreeSet::from([rank]))
}

/// Names, in capitals, and contents of the files that speak of licences.
fn texts(folder: &Path) -> Result<Vec<(String, String)>, String> {
    let begins = ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE"];
    let mut texts = Vec::new();
    for file in sorted(folder)? {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let name = name.to_uppercase();
        if begins.iter().any(|begin| name.starts_with(begin)) && file.is_file() {
            texts.push((name, read(&file)?));
        }
    }
    Ok(texts)
}

/// For a package that brings no text: who wrote it, as its manifest says, and
/// the words that the licence has everywhere.
fn without_text(licence: &str, folder: &Path) -> Result<String, String> {
    let manifest = read(&folder.join("Cargo.toml"))?;
    let value = |key: &str| {
        let (_, rest) = manifest.split_once(&format!("\n{key} = "))?;
        Some(rest.split('"').nth(1)?.to_owned()).filter(|value| !value.is_empty())
    };
    let authors =
        value("authors").or_else(|| Some(format!("the authors of {}", value("repository")?)));
    let authors = authors.unwrap_or_else(|| "its authors".to_owned());
    match licence {
        "MIT" => {
            let ours = read(&root().join("LICENSE-MIT"))?;
            let mark = "Permission is hereby granted";
            let (_, terms) = ours.split_once(mark).unwrap_or_default();
            Ok(format!("Copyright (c) {authors}\n\n{mark}{terms}"))
        }
        "BSL-1.0" => Ok("This licence asks for no text beside a built program.".to_owned()),
        _ => {
            Err(format!("{}: the text of its licence, {licence}, was not found", folder.display()))
        }
    }
}

/// The lines about copyright, without the title of the licence.
fn owners(head: &str) -> String {
    let lines = head.lines().map(str::trim);
    let said = lines.filter(|line| {
        let line = line.to_lowercase();
        line.contains("copyright") || line.contains("authors") || line.contains("http")
    });
    said.collect::<Vec<_>>().join("\n")
}

/// The text however its lines are broken.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn section(out: &mut String, heading: &str, text: &str) {
    let line = "-".repeat(80);
    // Writing to a string does not fail.
    let _ = write!(out, "\n{line}\n{heading}\n{line}\n\n");
    for line in text.lines() {
        let _ = writeln!(out, "{}", line.trim_end());
    }
}

/// Broken between words, at 80 signs.
fn wrapped(text: &str) -> String {
    let mut lines = String::new();
    let mut length = 0;
    for word in text.split_inclusive(", ") {
        let wide = word.trim_end().chars().count();
        if length > 0 && length + wide > 80 {
            lines.truncate(lines.trim_end().len());
            lines.push('\n');
            length = 0;
        }
        lines.push_str(word);
        length += word.chars().count();
    }
    lines
}

fn sorted(folder: &Path) -> Result<BTreeSet<PathBuf>, String> {
    let entries = std::fs::read_dir(folder)
        .map_err(|error| format!("{} could not be read: {error}", folder.display()))?;
    Ok(entries.flatten().map(|entry| entry.path()).collect())
}

fn read(file: &Path) -> Result<String, String> {
    std::fs::read(file)
        .map(|bytes| String::from_utf8_lossy(&bytes).replace("\r\n", "\n"))
        .map_err(|error| format!("{} could not be read: {error}", file.display()))
}

fn output(args: &[&str]) -> Result<String, String> {
    let output = cargo_at_root(args)
        .output()
        .map_err(|error| format!("cargo could not be started: {error}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let why = String::from_utf8_lossy(&output.stderr);
    Err(format!("cargo {} failed:\n{why}", args[0]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_several_licences_the_one_with_the_fewest_texts_is_taken() {
        for (expression, expected) in [
            ("MIT OR Apache-2.0", Some(vec!["Apache-2.0"])),
            ("Apache-2.0/MIT", Some(vec!["Apache-2.0"])),
            ("Unlicense OR MIT", Some(vec!["MIT"])),
            ("Apache-2.0 WITH LLVM-exception OR Apache-2.0 OR MIT", Some(vec!["Apache-2.0"])),
            ("(MIT OR Apache-2.0) AND Unicode-3.0", Some(vec!["Apache-2.0", "Unicode-3.0"])),
            ("GPL-2.0-only", None),
            ("MIT AND GPL-2.0-only", None),
            ("", None),
        ] {
            let names = chosen(expression).map(|ranks| {
                let names = ranks.into_iter().map(|rank| LICENCES[rank].0);
                names.collect::<Vec<_>>()
            });
            assert_eq!(names, expected, "{expression}");
        }
    }
}
