//! Who may use whom. That a crate sees only what it depends on, cargo holds; these
//! say what it may depend on, and what cargo does not see.

use std::collections::BTreeMap;

use crate::tidy::checkout::lies_in;

use super::circles::Crate;
use super::{Checkout, Looked, Outcome, Rule};

pub const RULES: [Rule; 4] = [
    Rule { name: "arrows between crates run down", check: arrows_between_crates_run_down },
    Rule { name: "arrows inside a crate run down", check: arrows_inside_a_crate_run_down },
    Rule { name: "gui and gl stay in their crates", check: gui_and_gl_stay_in_their_crates },
    Rule {
        name: "every crate has its place in the map",
        check: every_crate_has_its_place_in_the_map,
    },
];

/// What a crate may use of the others. Arrows run from the later to the earlier;
/// the root's package stands above all.
const ARROWS: [(&str, &[&str]); 11] = [
    ("diagnostic", &[]),
    ("shipped", &[]),
    ("skin", &[]),
    ("classroom", &[]),
    ("server", &["classroom"]),
    ("asset", &["diagnostic", "shipped", "skin"]),
    ("lesson", &["diagnostic", "shipped", "skin"]),
    ("notebook", &["asset", "diagnostic", "lesson", "skin"]),
    ("page", &["asset", "classroom", "diagnostic", "lesson", "notebook", "shipped", "skin"]),
    ("render", &["asset", "lesson", "notebook", "skin"]),
    ("paper", &["asset", "classroom", "diagnostic", "lesson", "notebook", "shipped", "skin"]),
];

/// Folders of one crate, of which the first uses nothing of the second.
const LAYERS: [(&str, &str, &str); 2] = [
    ("", "src/app", "src/cli"),
    ("crates/paper/", "crates/paper/src/handout", "crates/paper/src/site"),
];

/// No egui and no GL: what they do can be done without a screen.
const HEADLESS: [&str; 9] = [
    "diagnostic",
    "shipped",
    "skin",
    "classroom",
    "server",
    "asset",
    "lesson",
    "notebook",
    "paper",
];

/// Beginnings of the names of packages.
pub const PAGE: [&str; 5] = ["eframe", "egui", "epaint", "emath", "ecolor"];
pub const GL: [&str; 4] = ["glow", "three-d", "glutin", "egui-glow"];

/// What no package but the root's depends on: it has the command line.
const OF_THE_ROOT: &str = "clap";

/// Packages beside the crates and the root's.
const OTHERS: [&str; 4] = ["web", "benches/web", "xtask", "xtask/api"];

fn arrows_between_crates_run_down(checkout: &Checkout) -> Outcome {
    let renamed = renamed(&checkout.read("Cargo.toml")?);
    let mut problems = Vec::new();
    let mut at = 0;
    let crates = checkout.folders_in("crates");
    let others = OTHERS.iter().map(|&folder| (folder.to_owned(), None));
    let packages = crates.iter().map(|name| (format!("crates/{name}"), Some(name.as_str())));
    for (folder, name) in packages.chain(others) {
        let manifest = format!("{folder}/Cargo.toml");
        let text = checkout.read(&manifest)?;
        if let Some(name) = name
            && !text.lines().any(|line| line.trim() == format!("name = \"bindpose-{name}\""))
        {
            problems.push(format!(
                "{manifest}: a crate is called as its folder; name it bindpose-{name}"
            ));
        }
        for dependency in dependencies(&text) {
            at += 1;
            let alias = dependency.name;
            let package =
                dependency.package.or_else(|| renamed.get(&alias).cloned()).unwrap_or(alias);
            if let Some(why_not) = refused(name, &package.replace('_', "-")) {
                problems.push(format!("{manifest}:{}: {why_not}", dependency.line));
            }
        }
    }
    let unknown = crates.iter().filter(|name| !ARROWS.iter().any(|(known, _)| known == name));
    problems.extend(unknown.map(|name| {
        format!(
            "crates/{name}: add it to ARROWS in xtask/src/tidy/rules/arrows.rs, with what it may use"
        )
    }));
    Ok(Looked { at, problems })
}

/// Why this crate must not depend on the package; other packages have no name here.
fn refused(name: Option<&str>, package: &str) -> Option<String> {
    if package == OF_THE_ROOT {
        return Some(format!(
            "`{package}` belongs in the root's package: src/cli has the command line"
        ));
    }
    let name = name?;
    if let Some(used) = package.strip_prefix("bindpose-") {
        let allowed = ARROWS.iter().find(|(known, _)| *known == name).map(|(_, allowed)| allowed);
        // A crate's tests may ask for its own features.
        return allowed.filter(|allowed| used != name && !allowed.contains(&used)).map(|_| {
            format!("`{name}` must not use `{used}`; hand it a value instead, or move the code up")
        });
    }
    let begins = |beginnings: &[&str]| beginnings.iter().any(|one| package.starts_with(one));
    let headless = HEADLESS.contains(&name) && (begins(&PAGE) || begins(&GL));
    (headless || name == "page" && begins(&GL)).then(|| {
        format!("`{package}` does not belong in `{name}`; see the arrows in ARCHITECTURE.md")
    })
}

fn arrows_inside_a_crate_run_down(checkout: &Checkout) -> Outcome {
    let mut problems = Vec::new();
    let mut at = 0;
    for (package, lower, higher) in LAYERS {
        let source = format!("{package}src");
        let parts = Crate::new(&checkout.sources(&source), &source);
        if checkout.sources(lower).is_empty() || checkout.sources(higher).is_empty() {
            problems.push(format!(
                "{lower}, {higher}: not both are there; correct LAYERS in xtask/src/tidy/rules/arrows.rs"
            ));
        }
        for (from, to) in parts.arrows() {
            at += to.len();
            for (file, names) in to.iter().filter(|(file, _)| lies_in(file, higher)) {
                if lies_in(from, lower) {
                    problems.push(format!(
                        "{from}: {lower} must not use {higher}, and uses of {file}: {}; hand it a value instead, or move the code up",
                        names.join(", ")
                    ));
                }
            }
        }
    }
    Ok(Looked { at, problems })
}

/// What crates hand on of their dependencies, and what the parts of a crate with
/// all dependencies leave to one of them.
fn gui_and_gl_stay_in_their_crates(checkout: &Checkout) -> Outcome {
    let mut problems = Vec::new();
    let files = checkout.product_sources();
    for file in &files {
        let inside = |folder| lies_in(&file.name, folder);
        let mut forbidden: Vec<&str> = Vec::new();
        if inside("crates/page") {
            forbidden.extend(["glow", "three_d", "glutin", "egui_glow"]);
        }
        if !inside("crates/render") {
            forbidden.push("cgmath");
        }
        if !inside("src/cli") && file.name != "src/main.rs" {
            forbidden.push(OF_THE_ROOT);
        }
        // A handout is one file, made without any.
        if inside("crates/paper/src/handout") {
            forbidden.push("bindpose_shipped");
        }
        for name in forbidden {
            for line in file.lines_with_path(name) {
                problems.push(format!(
                    "{}:{line}: `{name}` does not belong here; see the arrows in ARCHITECTURE.md",
                    file.name
                ));
            }
        }
    }
    Ok(Looked { at: files.len(), problems })
}

fn every_crate_has_its_place_in_the_map(checkout: &Checkout) -> Outcome {
    let map = checkout.read("ARCHITECTURE.md")?;
    let crates = checkout.folders_in("crates");
    let mut places: Vec<String> = crates.iter().map(|name| format!("crates/{name}")).collect();
    places.extend(checkout.folders_in("src").iter().map(|name| format!("src/{name}")));
    let missing = places.iter().filter(|place| !map.contains(place.as_str()));
    let problems =
        missing.map(|place| format!("{place}: say in ARCHITECTURE.md what it is")).collect();
    Ok(Looked { at: places.len(), problems })
}

/// One line of a table of dependencies in a `Cargo.toml`, which is read just well enough for
/// these.
#[derive(Debug, PartialEq)]
struct Dependency {
    line: usize,
    /// What it is called here.
    name: String,
    /// What it is, where `package = "…"` says so.
    package: Option<String>,
}

/// Of all tables: for tests, for build scripts and for some platforms too. Not of
/// the workspace's.
fn dependencies(text: &str) -> Vec<Dependency> {
    tables(text)
        .into_iter()
        .filter(|(table, _)| !table.starts_with("workspace."))
        .map(|(_, dependency)| dependency)
        .collect()
}

/// What the workspace calls by another name: the name, then the package.
fn renamed(text: &str) -> BTreeMap<String, String> {
    tables(text)
        .into_iter()
        .filter(|(table, _)| table.starts_with("workspace."))
        .filter_map(|(_, dependency)| Some((dependency.name, dependency.package?)))
        .collect()
}

/// With the name of the table.
fn tables(text: &str) -> Vec<(String, Dependency)> {
    let mut found: Vec<(String, Dependency)> = Vec::new();
    let mut table = String::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if let Some(header) = line.strip_prefix('[') {
            // Of `[dependencies.gltf]` the keys are said of gltf.
            header.split(']').next().unwrap_or_default().trim().clone_into(&mut table);
            if let Some((whole, name)) = table.rsplit_once('.')
                && whole.ends_with("dependencies")
            {
                let name = name.trim_matches('"').to_owned();
                found
                    .push((whole.to_owned(), Dependency { line: number + 1, name, package: None }));
            }
            continue;
        }
        let Some((key, _)) = line.split_once('=').filter(|_| !line.starts_with('#')) else {
            continue;
        };
        let package = line
            .split_once("package")
            .and_then(|(_, rest)| rest.trim_start().strip_prefix('='))
            .and_then(|rest| rest.split('"').nth(1))
            .map(str::to_owned);
        if table.ends_with("dependencies") {
            let name = key.split('.').next().unwrap_or_default().trim().trim_matches('"');
            let name = name.to_owned();
            found.push((table.clone(), Dependency { line: number + 1, name, package }));
        } else if key.trim() == "package"
            && let Some((whole, _)) = table.rsplit_once('.')
            && whole.ends_with("dependencies")
            && let Some((_, dependency)) = found.last_mut()
        {
            dependency.package = package;
        }
    }
    found
}

#[test]
fn only_arrows_that_run_down_are_let_through() {
    let refuses = |name, package| refused(Some(name), package).is_some();
    assert!(refuses("skin", "bindpose-diagnostic") && refuses("paper", "bindpose-render"));
    assert!(!refuses("asset", "bindpose-asset"));
    assert!(!refuses("notebook", "bindpose-asset") && !refuses("page", "egui-plot"));
    assert!(refuses("paper", "egui-extras") && refuses("page", "glow"));
    assert!(!refuses("render", "three-d") && refuses("render", "clap"));
    assert!(refused(None, "clap").is_some());
}

#[test]
fn dependencies_are_seen_in_every_table_and_by_their_true_name() {
    let text = "[package]\nname = \"x\"\n[dependencies]\n# glow = \"1\"\nglam.workspace = true\n\
        three = { version = \"0.19\", package = \"three-d\" }\n\
        [target.'cfg(not(target_arch = \"wasm32\"))'.dev-dependencies]\nclap = \"4\"\n\
        [build-dependencies.gl]\nversion = \"1\"\npackage = \"glow\"\n[features]\ntesting = []\n\
        [workspace.dependencies]\npage = { package = \"egui\" }\nserde = \"1\"\n";
    let seen = dependencies(text);
    let seen: Vec<_> =
        seen.iter().map(|one| (one.line, one.name.as_str(), one.package.as_deref())).collect();
    let expected = [
        (5, "glam", None),
        (6, "three", Some("three-d")),
        (8, "clap", None),
        (9, "gl", Some("glow")),
    ];
    assert_eq!(seen, expected);
    assert_eq!(renamed(text), BTreeMap::from([("page".to_owned(), "egui".to_owned())]));
}
