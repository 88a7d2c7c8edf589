//! Rules on dependencies: between crates, and between the folders of a crate, which cargo does not
//! check.

use std::collections::BTreeMap;

use crate::tidy::checkout::is_below;
use crate::tidy::crate_graph::CrateGraph;

use super::{Checkout, Outcome, Rule, RuleReport};

pub const RULES: [Rule; 4] = [
    Rule { name: "arrows between crates run down", check: arrows_between_crates_run_down },
    Rule { name: "arrows inside a crate run down", check: arrows_inside_a_crate_run_down },
    Rule { name: "gui and gl stay in their crates", check: gui_and_gl_stay_in_their_crates },
    Rule {
        name: "every crate has its place in the map",
        check: every_crate_has_its_place_in_the_map,
    },
];

/// The crates that each crate may depend on. A crate can depend only on crates that precede it,
/// and the root package on all of them.
const ARROWS: [(&str, &[&str]); 18] = [
    ("diagnostic", &[]),
    ("fetch", &[]),
    ("skin", &[]),
    ("class-protocol", &[]),
    ("class-server", &["class-protocol"]),
    ("relay", &["class-protocol", "class-server"]),
    ("gltf", &["diagnostic", "skin"]),
    ("rigs", &["diagnostic", "fetch", "gltf", "skin"]),
    // The tests examine the built-in rigs.
    ("doctor", &["diagnostic", "gltf", "rigs", "skin"]),
    ("lesson", &["diagnostic", "fetch", "skin"]),
    ("notebook", &["diagnostic", "gltf", "lesson", "rigs", "skin"]),
    ("workbench", &["diagnostic", "doctor", "gltf", "lesson", "notebook", "rigs", "skin"]),
    ("check", &["diagnostic", "gltf", "lesson", "notebook", "rigs", "skin"]),
    // For tests alone.
    ("testkit", &[]),
    ("kit", &["fetch", "lesson", "skin", "testkit"]),
    (
        "page",
        &[
            "class-protocol",
            "diagnostic",
            "doctor",
            "gltf",
            "kit",
            "lesson",
            "notebook",
            "rigs",
            "skin",
            "testkit",
            "workbench",
        ],
    ),
    ("render", &["gltf", "lesson", "notebook", "rigs", "skin"]),
    (
        "paper",
        &[
            "class-protocol",
            "diagnostic",
            "doctor",
            "gltf",
            "lesson",
            "notebook",
            "rigs",
            "skin",
            "workbench",
        ],
    ),
];

/// Package, lower and higher folder. The lower folder must not use the higher one.
const LAYERS: [(&str, &str, &str); 2] = [
    ("", "src/app", "src/cli"),
    ("crates/paper/", "crates/paper/src/handout", "crates/paper/src/site"),
];

/// Crates that must work without a screen, and so must not use egui and GL.
const HEADLESS: [&str; 14] = [
    "diagnostic",
    "fetch",
    "skin",
    "class-protocol",
    "class-server",
    "relay",
    "gltf",
    "rigs",
    "doctor",
    "lesson",
    "notebook",
    "workbench",
    "check",
    "paper",
];

/// Crates that draw with egui, on any renderer, and so must not use GL.
const EGUI_ONLY: [&str; 3] = ["kit", "page", "testkit"];

/// Prefixes of the names of packages of egui.
pub const PAGE: [&str; 5] = ["eframe", "egui", "epaint", "emath", "ecolor"];
/// Prefixes of the names of packages of GL.
pub const GL: [&str; 4] = ["glow", "three-d", "glutin", "egui-glow"];

/// Package of the command line, which only the root package may depend on.
const COMMAND_LINE: &str = "clap";

/// Packages that are neither crates nor the root package.
pub const OTHERS: [&str; 4] = ["web", "benches/web", "xtask", "xtask/api"];

fn arrows_between_crates_run_down(checkout: &Checkout) -> Outcome {
    let renamed = renamed(&checkout.read("Cargo.toml")?);
    let mut problems = Vec::new();
    let mut checked_count = 0;
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
            checked_count += 1;
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
    Ok(RuleReport { checked_count, problems })
}

/// Returns the reason why a crate must not depend on a package, or `None` if it may. `name` is
/// `None` for the packages in [`OTHERS`].
fn refused(name: Option<&str>, package: &str) -> Option<String> {
    if package == COMMAND_LINE {
        return Some(format!(
            "`{package}` belongs in the root's package: src/cli has the command line"
        ));
    }
    let name = name?;
    if let Some(used) = package.strip_prefix("bindpose-") {
        let allowed = ARROWS.iter().find(|(known, _)| *known == name).map(|(_, allowed)| allowed);
        // The tests of a crate may depend on it to enable its own features.
        return allowed.filter(|allowed| used != name && !allowed.contains(&used)).map(|_| {
            format!("`{name}` must not use `{used}`; hand it a value instead, or move the code up")
        });
    }
    let is_page = PAGE.iter().any(|prefix| package.starts_with(prefix));
    let is_gl = GL.iter().any(|prefix| package.starts_with(prefix));
    let is_headless = HEADLESS.contains(&name);
    (is_headless && (is_page || is_gl) || EGUI_ONLY.contains(&name) && is_gl).then(|| {
        format!("`{package}` does not belong in `{name}`; see the arrows in ARCHITECTURE.md")
    })
}

fn arrows_inside_a_crate_run_down(checkout: &Checkout) -> Outcome {
    let mut problems = Vec::new();
    let mut checked_count = 0;
    for (package, lower, higher) in LAYERS {
        let source = format!("{package}src");
        let graph = CrateGraph::new(&checkout.sources(&source), &source);
        if checkout.sources(lower).is_empty() || checkout.sources(higher).is_empty() {
            problems.push(format!(
                "{lower}, {higher}: not both are there; correct LAYERS in xtask/src/tidy/rules/arrows.rs"
            ));
        }
        for (from, uses) in graph.uses() {
            checked_count += uses.len();
            if !is_below(from, lower) {
                continue;
            }
            for (file, names) in uses.iter().filter(|(file, _)| is_below(file, higher)) {
                for (name, line) in names {
                    problems.push(format!(
                        "{from}:{line}: {lower} must not use {higher}, and uses `{name}` of {file}; hand it a value instead, or move the code up"
                    ));
                }
            }
        }
    }
    Ok(RuleReport { checked_count, problems })
}

/// Checks the use of packages that reach a crate through re-exports, and of packages that only a
/// part of the root package may use.
fn gui_and_gl_stay_in_their_crates(checkout: &Checkout) -> Outcome {
    let mut problems = Vec::new();
    let files = checkout.product_sources();
    for file in &files {
        let mut forbidden: Vec<&str> = Vec::new();
        if EGUI_ONLY.iter().any(|name| is_below(&file.name, &format!("crates/{name}"))) {
            forbidden.extend(["glow", "three_d", "glutin", "egui_glow"]);
        }
        if !is_below(&file.name, "crates/render") {
            forbidden.push("cgmath");
        }
        if !is_below(&file.name, "src/cli") && file.name != "src/main.rs" {
            forbidden.push(COMMAND_LINE);
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
    Ok(RuleReport { checked_count: files.len(), problems })
}

fn every_crate_has_its_place_in_the_map(checkout: &Checkout) -> Outcome {
    let map = checkout.read("ARCHITECTURE.md")?;
    let crates = checkout.folders_in("crates");
    let mut places: Vec<String> = crates.iter().map(|name| format!("crates/{name}")).collect();
    places.extend(checkout.folders_in("src").iter().map(|name| format!("src/{name}")));
    let missing = places.iter().filter(|place| !map.contains(place.as_str()));
    let problems =
        missing.map(|place| format!("{place}: say in ARCHITECTURE.md what it is")).collect();
    Ok(RuleReport { checked_count: places.len(), problems })
}

/// A dependency in a `Cargo.toml`. The parser understands only the subset of TOML that the
/// manifests of the repository use.
#[derive(Debug, PartialEq)]
struct Dependency {
    line: usize,
    /// Name in the manifest.
    name: String,
    /// Name of the package in `package = "…"`, if it is renamed.
    package: Option<String>,
}

/// Parses all tables of dependencies, including those for tests, build scripts and single
/// platforms, but not those of the workspace.
fn dependencies(text: &str) -> Vec<Dependency> {
    tables(text)
        .into_iter()
        .filter(|(table, _)| !table.starts_with("workspace."))
        .map(|(_, dependency)| dependency)
        .collect()
}

/// Returns the packages that the workspace renames, by their names in the workspace.
fn renamed(text: &str) -> BTreeMap<String, String> {
    tables(text)
        .into_iter()
        .filter(|(table, _)| table.starts_with("workspace."))
        .filter_map(|(_, dependency)| Some((dependency.name, dependency.package?)))
        .collect()
}

/// Parses all dependencies, each with the name of its table.
fn tables(text: &str) -> Vec<(String, Dependency)> {
    let mut found: Vec<(String, Dependency)> = Vec::new();
    let mut table = String::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if let Some(header) = line.strip_prefix('[') {
            // A table such as `[dependencies.gltf]` describes a single dependency.
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
fn only_downward_dependencies_are_accepted() {
    let refuses = |name, package| refused(Some(name), package).is_some();
    assert!(refuses("skin", "bindpose-diagnostic") && refuses("paper", "bindpose-render"));
    assert!(!refuses("gltf", "bindpose-gltf"));
    assert!(!refuses("notebook", "bindpose-gltf") && !refuses("page", "egui-plot"));
    assert!(refuses("paper", "egui-extras") && refuses("page", "glow"));
    assert!(refuses("kit", "bindpose-notebook") && refuses("kit", "glow"));
    assert!(!refuses("render", "three-d") && refuses("render", "clap"));
    assert!(refused(None, "clap").is_some());
}

#[test]
fn dependencies_are_parsed_in_every_table_with_their_package_names() {
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
