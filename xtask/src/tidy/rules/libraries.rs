//! The crates that others take: what their packages need, and what must not come with them.

use std::collections::{BTreeMap, BTreeSet};

use crate::libraries::{PUBLISHED, rust_version};

use super::arrows::{GL, PAGE};
use super::{Checkout, Looked, Outcome, Rule};

pub const RULES: [Rule; 2] = [
    Rule {
        name: "what is published is whole, and the rest is not published",
        check: what_is_published_is_whole,
    },
    Rule {
        name: "no gui and no gl in the trees of libraries",
        check: no_gui_and_no_gl_in_the_trees_of_libraries,
    },
];

fn what_is_published_is_whole(checkout: &Checkout) -> Outcome {
    let mut problems = Vec::new();
    let mut versions = BTreeSet::new();
    let crates = checkout.folders_in("crates");
    for name in &crates {
        let file = format!("crates/{name}/Cargo.toml");
        let manifest = checkout.read(&file)?;
        let says = |key: &str| manifest.lines().any(|line| line.starts_with(key));
        if !PUBLISHED.contains(&name.as_str()) {
            if !says("publish.workspace = true") {
                problems.push(format!("{file}: add `publish.workspace = true`, or add the crate to PUBLISHED in xtask/src/libraries.rs"));
            }
            continue;
        }
        for key in ["description", "license", "readme", "keywords", "categories", "include"] {
            if !says(key) {
                problems.push(format!("{file}: a published crate needs `{key}`"));
            }
        }
        if says("publish") {
            problems.push(format!("{file}: remove `publish`: this crate is published"));
        }
        match rust_version(&manifest) {
            Some(version) => _ = versions.insert(version.to_owned()),
            None => problems.push(format!("{file}: name the oldest Rust that builds it")),
        }
        for file in ["README.md", "LICENSE-MIT", "LICENSE-APACHE"] {
            if checkout.is_blank(&format!("crates/{name}/{file}")) {
                problems
                    .push(format!("crates/{name}/{file}: is not there, and goes into the package"));
            }
        }
        let library = format!("crates/{name}/src/lib.rs");
        if !checkout.read(&library)?.contains("#![forbid(unsafe_code)]") {
            problems.push(format!("{library}: add #![forbid(unsafe_code)]"));
        }
    }
    if versions.len() > 1 {
        let versions = versions.into_iter().collect::<Vec<_>>().join(", ");
        problems.push(format!(
            "the published crates name several Rusts, {versions}: one is checked, so name one"
        ));
    }
    Ok(Looked { at: crates.len(), problems })
}

/// Of all features and of their tests too: the lock file has no others.
fn no_gui_and_no_gl_in_the_trees_of_libraries(checkout: &Checkout) -> Outcome {
    let lock = checkout.read("Cargo.lock")?;
    let uses = uses(&lock);
    let mut at = 0;
    let mut problems = Vec::new();
    for library in PUBLISHED.map(|name| format!("bindpose-{name}")) {
        for (package, by) in tree(&library, &uses) {
            at += 1;
            if PAGE.iter().chain(&GL).any(|begin| package.starts_with(begin)) {
                problems.push(format!(
                    "{library}: `{package}` comes with it, by `{by}`; engines take these crates without a window"
                ));
            }
        }
    }
    Ok(Looked { at, problems })
}

/// By the names of packages, all versions together.
fn uses(lock: &str) -> BTreeMap<&str, BTreeSet<&str>> {
    let mut uses: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for entry in lock.split("[[package]]").skip(1) {
        let name = entry.lines().find_map(|line| line.strip_prefix("name = "));
        let of = uses.entry(name.unwrap_or_default().trim_matches('"')).or_default();
        let listed = entry.split_once("dependencies = [").map_or("", |(_, rest)| rest);
        let listed = listed.split(']').next().unwrap_or_default();
        let names = listed.split('"').skip(1).step_by(2);
        of.extend(names.filter_map(|one| one.split(' ').next()));
    }
    uses
}

/// All that comes with a package, each with one that brings it.
fn tree<'a>(
    of: &'a str,
    uses: &BTreeMap<&'a str, BTreeSet<&'a str>>,
) -> BTreeMap<&'a str, &'a str> {
    let mut found = BTreeMap::new();
    let mut open = vec![of];
    while let Some(by) = open.pop() {
        for &package in uses.get(by).into_iter().flatten() {
            if package != of && !found.contains_key(package) {
                found.insert(package, by);
                open.push(package);
            }
        }
    }
    found
}

#[test]
fn what_comes_with_a_package_is_followed_through_the_lock_file() {
    let lock = "version = 4\n\n[[package]]\nname = \"a\"\nversion = \"1.0.0\"\ndependencies = [\n \
        \"b 1.0.0\",\n \"c\",\n]\n\n[[package]]\nname = \"b\"\ndependencies = [\n \"egui\",\n]\n\n\
        [[package]]\nname = \"c\"\nversion = \"1.0.0\"\n\n[[package]]\nname = \"d\"\n";
    let uses = uses(lock);
    let tree = tree("a", &uses);
    assert_eq!(tree, BTreeMap::from([("b", "a"), ("c", "a"), ("egui", "b")]));
}
