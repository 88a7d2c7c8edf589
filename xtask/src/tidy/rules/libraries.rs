//! Rules on the published crates: the contents of their packages, and their dependencies.

use std::collections::{BTreeMap, BTreeSet};

use crate::libraries::{PUBLISHED, rust_version};

use super::arrows::{GL, PAGE};
use super::{Checkout, Outcome, Rule, RuleReport};

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
        if !PUBLISHED.contains(&name.as_str()) {
            if !has_line(&manifest, "publish.workspace = true") {
                problems.push(format!("{file}: add `publish.workspace = true`, or add the crate to PUBLISHED in xtask/src/libraries.rs"));
            }
            continue;
        }
        for key in ["description", "license", "readme", "keywords", "categories", "include"] {
            if !has_line(&manifest, key) {
                problems.push(format!("{file}: a published crate needs `{key}`"));
            }
        }
        if has_line(&manifest, "publish") {
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
    Ok(RuleReport { checked_count: crates.len(), problems })
}

fn has_line(manifest: &str, prefix: &str) -> bool {
    manifest.lines().any(|line| line.starts_with(prefix))
}

/// Checks the dependencies of all features and of tests too, because the lock file does not
/// distinguish them.
fn no_gui_and_no_gl_in_the_trees_of_libraries(checkout: &Checkout) -> Outcome {
    let lock = checkout.read("Cargo.lock")?;
    let dependencies = parse_lock_file(&lock);
    let mut checked_count = 0;
    let mut problems = Vec::new();
    for library in PUBLISHED.map(|name| format!("bindpose-{name}")) {
        for (package, by) in dependency_tree(&library, &dependencies) {
            checked_count += 1;
            if PAGE.iter().chain(&GL).any(|begin| package.starts_with(begin)) {
                problems.push(format!(
                    "{library}: `{package}` comes with it, by `{by}`; engines take these crates without a window"
                ));
            }
        }
    }
    Ok(RuleReport { checked_count, problems })
}

/// Returns the direct dependencies of each package, with all versions of a package combined.
fn parse_lock_file(lock: &str) -> BTreeMap<&str, BTreeSet<&str>> {
    let mut dependencies: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for entry in lock.split("[[package]]").skip(1) {
        let name = entry.lines().find_map(|line| line.strip_prefix("name = "));
        let name = name.unwrap_or_default().trim_matches('"');
        let list = entry
            .split_once("dependencies = [")
            .and_then(|(_, rest)| rest.split(']').next())
            .unwrap_or_default();
        // A dependency is `"name"` or `"name version"`.
        let names = list.split('"').skip(1).step_by(2).filter_map(|text| text.split(' ').next());
        dependencies.entry(name).or_default().extend(names);
    }
    dependencies
}

/// Returns all direct and indirect dependencies of a package, each with a package that depends on
/// it.
fn dependency_tree<'a>(
    root: &'a str,
    dependencies: &BTreeMap<&'a str, BTreeSet<&'a str>>,
) -> BTreeMap<&'a str, &'a str> {
    let mut found = BTreeMap::new();
    let mut open = vec![root];
    while let Some(by) = open.pop() {
        for &package in dependencies.get(by).into_iter().flatten() {
            if package != root && !found.contains_key(package) {
                found.insert(package, by);
                open.push(package);
            }
        }
    }
    found
}

#[test]
fn indirect_dependencies_are_found_in_the_lock_file() {
    let lock = "version = 4\n\n[[package]]\nname = \"a\"\nversion = \"1.0.0\"\ndependencies = [\n \
        \"b 1.0.0\",\n \"c\",\n]\n\n[[package]]\nname = \"b\"\ndependencies = [\n \"egui\",\n]\n\n\
        [[package]]\nname = \"c\"\nversion = \"1.0.0\"\n\n[[package]]\nname = \"d\"\n";
    let dependencies = parse_lock_file(lock);
    let tree = dependency_tree("a", &dependencies);
    assert_eq!(tree, BTreeMap::from([("b", "a"), ("c", "a"), ("egui", "b")]));
}
