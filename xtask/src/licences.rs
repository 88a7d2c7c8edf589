//! `cargo xtask licences`: writes the license notices of the program.
//!
//! If a package offers several licenses, one is chosen: preferably Apache-2.0, whose text is the
//! same for all packages. The texts of other licenses contain the names of the authors.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::process::{cargo_at_root, root};

const NOTICES: &str = "assets/licences/third-party.txt";

/// Targets of the released programs.
const TARGETS: [&str; 4] = [
    "x86_64-unknown-linux-gnu",
    "aarch64-apple-darwin",
    "x86_64-pc-windows-msvc",
    "wasm32-unknown-unknown",
];

/// Known licenses in order of preference, each with a phrase that identifies its text.
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

/// Name and version of a package.
type Package = (String, String);

/// Packages with the same license text.
#[derive(Default)]
struct LicenceGroup {
    terms: String,
    /// Packages by the copyright lines above the terms.
    owners: BTreeMap<String, BTreeSet<String>>,
}

/// License groups, sorted by rank in [`LICENCES`] and by normalized terms.
#[derive(Default)]
struct LicenceGroups(BTreeMap<(usize, String), LicenceGroup>);

impl LicenceGroups {
    /// Adds a package with a license text. The rank of other notices is `LICENCES.len()`.
    fn add(&mut self, rank: usize, text: &str, package: &str) {
        let terms_start = LICENCES.get(rank).and_then(|(_, phrase)| text.find(phrase));
        let (head, terms) = text.split_at(terms_start.unwrap_or(0));
        let group = self.0.entry((rank, normalize_whitespace(terms))).or_default();
        terms.trim().clone_into(&mut group.terms);
        group.owners.entry(copyright_lines(head)).or_default().insert(package.to_owned());
    }
}

/// Writes the file with the notices.
pub fn write() -> Result<(), String> {
    let file = root().join(NOTICES);
    let text = notices()?;
    let folder = file.parent().unwrap_or(&file);
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(&file, text))
        .map_err(|error| format!("{NOTICES} could not be written: {error}"))
}

fn notices() -> Result<String, String> {
    let shipped = shipped_packages()?;
    let folders = source_folders()?;
    let mut groups = LicenceGroups::default();
    for ((name, version), expression) in &shipped {
        let package = format!("{name} {version}");
        let folder = folders
            .get(&format!("{name}-{version}"))
            .ok_or_else(|| format!("the source of {package} was not found"))?;
        let ranks = choose_licences(expression)
            .ok_or_else(|| format!("{package}: “{expression}” is no licence that we know"))?;
        let texts = licence_texts(folder)?;
        for rank in ranks {
            let (licence, phrase) = LICENCES[rank];
            if licence == "Apache-2.0" {
                groups.add(rank, &read(&root().join("LICENSE-APACHE"))?, &package);
                continue;
            }
            match texts.iter().find(|(_, text)| text.contains(phrase)) {
                Some((_, text)) => groups.add(rank, text, &package),
                None => groups.add(rank, &default_text(licence, folder)?, &package),
            }
        }
        for (name, text) in &texts {
            if name.starts_with("NOTICE") || name.contains("THIRD-PARTY") {
                groups.add(LICENCES.len(), text, &package);
            }
        }
    }
    let mut out = HEAD.to_owned();
    for font in sorted(&root().join("assets/fonts"))? {
        if font.extension().is_some_and(|extension| extension == "txt") {
            write_section(&mut out, "Fonts", read(&font)?.trim());
        }
    }
    for ((rank, _), group) in &groups.0 {
        let licence = LICENCES.get(*rank).map_or("Notice", |(name, _)| name);
        let mut text = String::new();
        for (owners, packages) in &group.owners {
            let packages: Vec<&str> = packages.iter().map(String::as_str).collect();
            text += &wrap(&packages.join(", "));
            for line in owners.lines() {
                text += "\n    ";
                text += line;
            }
            text += "\n\n";
        }
        write_section(&mut out, licence, &(text + &group.terms));
    }
    let others: Vec<String> = locked_packages()?
        .into_iter()
        .filter(|package| !shipped.contains_key(package))
        .map(|(name, version)| format!("{name} {version}"))
        .collect();
    let heading = "Used to build or to test, or on other systems, and no part of the program";
    write_section(&mut out, heading, &wrap(&others.join(", ")));
    Ok(out)
}

/// Returns the packages whose code is in the program, with their license expressions.
fn shipped_packages() -> Result<BTreeMap<Package, String>, String> {
    let mut args = vec!["tree", "--locked", "--package", "bindpose"];
    args.extend(["--edges", "normal,no-proc-macro", "--prefix", "none"]);
    args.extend(["--format", "{p}|{l}|"]);
    for target in TARGETS {
        args.extend(["--target", target]);
    }
    let tree = cargo_output(&args)?;
    Ok(tree.lines().filter_map(parse_tree_line).collect())
}

/// Parses a line such as `glam v0.34.0|MIT OR Apache-2.0|`. Returns `None` for the packages of
/// the repository.
fn parse_tree_line(line: &str) -> Option<(Package, String)> {
    let mut parts = line.split('|');
    let mut words = parts.next()?.split(' ');
    let licence = parts.next()?;
    let name = words.next()?;
    let version = words.next()?.strip_prefix('v')?;
    let is_ours = name == "bindpose" || name.starts_with("bindpose-");
    (!is_ours).then(|| ((name.to_owned(), version.to_owned()), licence.to_owned()))
}

/// Returns the folders of the sources, by `name-version`.
fn source_folders() -> Result<BTreeMap<String, PathBuf>, String> {
    let metadata = cargo_output(&["metadata", "--locked", "--format-version", "1"])?;
    Ok(metadata
        .split("\"manifest_path\":\"")
        .skip(1)
        .filter_map(|rest| {
            let path = PathBuf::from(rest.split('"').next()?.replace("\\\\", "\\"));
            let folder = path.parent()?;
            let name = folder.file_name()?.to_string_lossy().into_owned();
            Some((name, folder.to_owned()))
        })
        .collect())
}

/// Returns the packages in `Cargo.lock`, without those of the repository.
fn locked_packages() -> Result<Vec<Package>, String> {
    let lock = read(&root().join("Cargo.lock"))?;
    Ok(lock
        .split("[[package]]")
        .skip(1)
        .filter(|entry| entry.contains("\nsource = "))
        .filter_map(|entry| Some((lock_value(entry, "name = ")?, lock_value(entry, "version = ")?)))
        .collect())
}

fn lock_value(entry: &str, key: &str) -> Option<String> {
    let value = entry.lines().find_map(|line| line.strip_prefix(key))?;
    Some(value.trim_matches('"').to_owned())
}

/// Chooses the licenses of an SPDX expression whose texts are needed, as ranks in [`LICENCES`].
/// Returns `None` if the expression requires an unknown license.
fn choose_licences(expression: &str) -> Option<BTreeSet<usize>> {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let mut words: Vec<&str> = spaced.split_whitespace().rev().collect();
    let chosen = parse_or(&mut words);
    words.is_empty().then_some(chosen)?
}

fn parse_or(words: &mut Vec<&str>) -> Option<BTreeSet<usize>> {
    let mut best = parse_and(words);
    while words.pop_if(|word| *word == "OR").is_some() {
        let other = parse_and(words);
        best = match (best, other) {
            (Some(one), Some(other)) => Some(if other.last() < one.last() { other } else { one }),
            (one, other) => one.or(other),
        };
    }
    best
}

fn parse_and(words: &mut Vec<&str>) -> Option<BTreeSet<usize>> {
    let mut all = parse_term(words);
    while words.pop_if(|word| *word == "AND").is_some() {
        let other = parse_term(words);
        all = all.zip(other).map(|(one, other)| &one | &other);
    }
    all
}

fn parse_term(words: &mut Vec<&str>) -> Option<BTreeSet<usize>> {
    let word = words.pop()?;
    if word == "(" {
        let inside = parse_or(words);
        words.pop_if(|word| *word == ")")?;
        return inside;
    }
    if words.pop_if(|word| *word == "WITH").is_some() {
        // An exception only grants more rights, but such a license has another text.
        words.pop();
        return None;
    }
    let rank = LICENCES.iter().position(|(name, _)| *name == word)?;
    Some(BTreeSet::from([rank]))
}

/// Returns the names in upper case and the contents of the license files in a folder.
fn licence_texts(folder: &Path) -> Result<Vec<(String, String)>, String> {
    let prefixes = ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE"];
    let mut texts = Vec::new();
    for file in sorted(folder)? {
        let name = file.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
        if prefixes.iter().any(|prefix| name.starts_with(prefix)) && file.is_file() {
            texts.push((name, read(&file)?));
        }
    }
    Ok(texts)
}

/// Returns the license text for a package that contains none: the authors in its manifest, and the
/// standard terms.
fn default_text(licence: &str, folder: &Path) -> Result<String, String> {
    let manifest = read(&folder.join("Cargo.toml"))?;
    let authors = match manifest_value(&manifest, "authors") {
        Some(authors) => authors.to_owned(),
        None => manifest_value(&manifest, "repository").map_or_else(
            || "its authors".to_owned(),
            |repository| format!("the authors of {repository}"),
        ),
    };
    match licence {
        "MIT" => {
            let ours = read(&root().join("LICENSE-MIT"))?;
            let phrase = "Permission is hereby granted";
            let (_, terms) = ours.split_once(phrase).unwrap_or_default();
            Ok(format!("Copyright (c) {authors}\n\n{phrase}{terms}"))
        }
        "BSL-1.0" => Ok("This licence asks for no text beside a built program.".to_owned()),
        _ => {
            Err(format!("{}: the text of its licence, {licence}, was not found", folder.display()))
        }
    }
}

/// Returns the first quoted value of a key. Returns `None` if it is missing or empty.
fn manifest_value<'a>(manifest: &'a str, key: &str) -> Option<&'a str> {
    let (_, rest) = manifest.split_once(&format!("\n{key} = "))?;
    rest.split('"').nth(1).filter(|value| !value.is_empty())
}

/// Returns the lines about copyright, without the title of the license.
fn copyright_lines(head: &str) -> String {
    let mut lines = Vec::new();
    for line in head.lines().map(str::trim) {
        let lower_case = line.to_lowercase();
        if ["copyright", "authors", "http"].iter().any(|word| lower_case.contains(word)) {
            lines.push(line);
        }
    }
    lines.join("\n")
}

/// Makes texts equal that differ only in their line breaks.
fn normalize_whitespace(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn write_section(out: &mut String, heading: &str, text: &str) {
    let line = "-".repeat(80);
    // Writing to a string cannot fail.
    let _ = write!(out, "\n{line}\n{heading}\n{line}\n\n");
    for line in text.lines() {
        let _ = writeln!(out, "{}", line.trim_end());
    }
}

/// Breaks a list with commas into lines of at most 80 characters.
fn wrap(text: &str) -> String {
    let mut lines = String::new();
    let mut length = 0;
    for word in text.split_inclusive(", ") {
        let word_length = word.trim_end().chars().count();
        if length > 0 && length + word_length > 80 {
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

fn cargo_output(args: &[&str]) -> Result<String, String> {
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
    fn the_preferred_license_of_an_expression_is_chosen() {
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
            let names = choose_licences(expression)
                .map(|ranks| ranks.into_iter().map(|rank| LICENCES[rank].0).collect::<Vec<_>>());
            assert_eq!(names, expected, "{expression}");
        }
    }
}
