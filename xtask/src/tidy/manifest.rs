//! `Cargo.toml`, read just well enough to see what a package depends on.

use std::collections::BTreeMap;

/// One line of a table of dependencies.
#[derive(Debug, PartialEq)]
pub struct Dependency {
    pub line: usize,
    /// What it is called here.
    pub name: String,
    /// What it is, where `package = "…"` says so.
    pub package: Option<String>,
}

/// Of all tables: for tests, for build scripts and for some platforms too. Not of
/// the workspace's.
pub fn dependencies(text: &str) -> Vec<Dependency> {
    tables(text)
        .into_iter()
        .filter(|(table, _)| !table.starts_with("workspace."))
        .map(|(_, dependency)| dependency)
        .collect()
}

/// What the workspace calls by another name: the name, then the package.
pub fn renamed(text: &str) -> BTreeMap<String, String> {
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
