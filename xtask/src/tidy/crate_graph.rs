//! Dependencies between the files of a crate, and their cycles.
//!
//! A file depends on another if it uses an item that is defined there. Paths are resolved through
//! modules and re-exports. A module that only declares and re-exports its children does not depend
//! on them. Method calls are not resolved.

use std::collections::{BTreeMap, BTreeSet};

use crate::tidy::source::SourceFile;
use crate::tidy::tokens::{Declared, declared};

use super::{Checkout, Outcome, Rule, RuleReport};

pub const RULES: [Rule; 1] =
    [Rule { name: "files use each other in no circle", check: files_use_each_other_in_no_circle }];

/// Accepted cycles with their reasons. ARCHITECTURE.md mentions the first file of each.
const CIRCLES: [(&[&str], &str); 1] = [(
    &[
        "crates/page/src/prose/blocks.rs",
        "crates/page/src/prose/links.rs",
        "crates/page/src/prose/paragraph.rs",
        "crates/page/src/prose/symbols.rs",
        "crates/page/src/prose/table.rs",
    ],
    "a link or a symbol in prose opens what the glossary says of it, which is prose",
)];

fn files_use_each_other_in_no_circle(checkout: &Checkout) -> Outcome {
    let known: Vec<&[&str]> = CIRCLES.iter().map(|&(files, _)| files).collect();
    let mut found: BTreeSet<Vec<String>> = BTreeSet::new();
    let mut problems = Vec::new();
    let mut checked_count = 0;
    for package in checkout.packages() {
        let source = format!("{package}src");
        let parts = Crate::new(&checkout.sources(&source), &source);
        let arrows = parts.arrows();
        checked_count += arrows.values().map(BTreeMap::len).sum::<usize>();
        let circles = parts.circles();
        for circle in circles.iter().filter(|circle| !known.contains(&&names(circle)[..])) {
            problems.push(
                "a circle of files: move what both sides use into a file below both, or, where it \
                 lies in the nature of the thing, name it in CIRCLES in \
                 xtask/src/tidy/rules/circles.rs and in ARCHITECTURE.md:"
                    .to_owned(),
            );
            for (from, to) in circle
                .iter()
                .flat_map(|from| arrows[from.as_str()].iter().map(move |to| (from, to)))
            {
                if circle.contains(to.0) {
                    problems.push(format!("    {from} uses of {}: {}", to.0, to.1.join(", ")));
                }
            }
        }
        found.extend(circles);
    }
    for circle in known.iter().filter(|circle| !found.iter().any(|one| names(one) == **circle)) {
        problems.push(format!(
            "{}: these are no circle any more, or not the whole one; correct CIRCLES in xtask/src/tidy/rules/circles.rs",
            circle.join(", ")
        ));
    }
    let map = checkout.read("ARCHITECTURE.md")?;
    for (circle, reason) in &CIRCLES {
        if !map.contains(circle[0]) {
            problems.push(format!("{}: say in ARCHITECTURE.md that {reason}", circle[0]));
        }
    }
    Ok(RuleReport { checked_count, problems })
}

fn names(files: &[String]) -> Vec<&str> {
    files.iter().map(String::as_str).collect()
}

/// Path of a module in its crate, such as `["asset", "gltf"]`.
type Place = Vec<String>;

/// The files that a file depends on, each with the names of the items it uses.
pub type FileArrows = BTreeMap<String, Vec<String>>;

/// The modules of a crate.
pub struct Crate {
    modules: BTreeMap<Place, ModuleFiles>,
}

struct ModuleFiles {
    /// Path relative to the root of the repository.
    file: String,
    declared: Declared,
}

enum PathTarget {
    /// An item defined in this file.
    Item(String),
    Module(Place),
}

impl Crate {
    /// Parses the files below `source`, the folder of the crate's `lib.rs` or else `main.rs`.
    /// Omits modules that exist only in tests, which may use anything.
    pub fn new(files: &[&SourceFile], source: &str) -> Self {
        let is_library = files.iter().any(|file| inside(&file.name, source) == "lib.rs");
        let top = if is_library { "lib" } else { "main" };
        let mut modules: BTreeMap<Place, ModuleFiles> = files
            .iter()
            .map(|file| {
                let declared = declared(file.product());
                let module = ModuleFiles { file: file.name.clone(), declared };
                (place_of(inside(&file.name, source), top), module)
            })
            .collect();
        let mut known: BTreeSet<Place> = BTreeSet::from([Vec::new()]);
        let mut open = vec![Vec::new()];
        while let Some(place) = open.pop() {
            let children = modules.get(&place).map(|module| &module.declared.children);
            for child in children.into_iter().flatten() {
                let inside = [place.as_slice(), std::slice::from_ref(child)].concat();
                known.insert(inside.clone());
                open.push(inside);
            }
        }
        modules.retain(|place, _| known.contains(place));
        Self { modules }
    }

    /// Returns the dependencies of each file.
    pub fn arrows(&self) -> BTreeMap<&str, FileArrows> {
        let mut arrows: BTreeMap<&str, FileArrows> = BTreeMap::new();
        for (place, module) in &self.modules {
            let from = arrows.entry(&module.file).or_default();
            for path in used_paths(&module.declared) {
                for target in self.resolve(place, &path, &mut BTreeSet::new()) {
                    if let PathTarget::Item(file) = target
                        && file != module.file
                    {
                        let name = path.last().cloned().unwrap_or_default();
                        let names = from.entry(file).or_default();
                        if !names.contains(&name) {
                            names.push(name);
                        }
                    }
                }
            }
        }
        arrows
    }

    /// Returns the cycles: sorted groups of files, each of which depends on all others of its
    /// group directly or indirectly.
    pub fn circles(&self) -> BTreeSet<Vec<String>> {
        let arrows = self.arrows();
        let all: BTreeMap<&str, BTreeSet<&str>> = arrows
            .keys()
            .map(|&from| {
                let mut reached = BTreeSet::new();
                let mut open = vec![from];
                while let Some(file) = open.pop() {
                    for next in arrows.get(file).into_iter().flat_map(BTreeMap::keys) {
                        if reached.insert(next.as_str()) {
                            open.push(next);
                        }
                    }
                }
                (from, reached)
            })
            .collect();
        all.iter()
            .filter(|(from, reached)| reached.contains(*from))
            .map(|(from, reached)| {
                reached
                    .iter()
                    .filter(|to| all[*to].contains(from))
                    .map(|&file| file.to_owned())
                    .collect()
            })
            .collect()
    }

    fn resolve(
        &self,
        place: &[String],
        path: &[String],
        seen: &mut BTreeSet<(Place, Vec<String>)>,
    ) -> Vec<PathTarget> {
        if !seen.insert((place.to_vec(), path.to_vec())) {
            return Vec::new();
        }
        let Some(module) = self.modules.get(place) else {
            return Vec::new();
        };
        let Some((first, rest)) = path.split_first() else {
            return vec![PathTarget::Module(place.to_vec())];
        };
        match first.as_str() {
            "crate" => return self.resolve(&[], rest, seen),
            "self" => return self.resolve(place, rest, seen),
            "super" => {
                let parent = &place[..place.len().saturating_sub(1)];
                return self.resolve(parent, rest, seen);
            }
            _ => {}
        }
        let mut targets = Vec::new();
        let declared = &module.declared;
        if declared.children.contains(first) {
            let inside = [place, std::slice::from_ref(first)].concat();
            targets.extend(self.resolve(&inside, rest, seen));
            if !rest.is_empty() {
                return targets;
            }
        }
        if declared.items.contains(first) {
            targets.push(PathTarget::Item(module.file.clone()));
            return targets;
        }
        let named = declared.imports.iter().filter(|one| one.name == *first);
        let paths: Vec<_> = named.map(|import| import.path.as_slice()).collect();
        for path in &paths {
            for target in self.resolve(place, path, seen) {
                match target {
                    PathTarget::Module(inside) => targets.extend(self.resolve(&inside, rest, seen)),
                    item @ PathTarget::Item(_) => targets.push(item),
                }
            }
        }
        if paths.is_empty() {
            for glob in &declared.globs {
                for target in self.resolve(place, &glob.path, seen) {
                    if let PathTarget::Module(inside) = target {
                        targets.extend(self.resolve(&inside, path, seen));
                    }
                }
            }
        }
        targets
    }
}

/// Returns the paths that a module uses, in code, imports and globs. Omits re-exports.
fn used_paths(declared: &Declared) -> Vec<Vec<String>> {
    let mut paths = declared.paths.clone();
    for import in &declared.imports {
        if !import.is_public || declared.words.contains(&import.name) {
            paths.push(import.path.clone());
        }
    }
    for glob in declared.globs.iter().filter(|glob| !glob.is_public) {
        for word in &declared.words {
            paths.push([glob.path.as_slice(), std::slice::from_ref(word)].concat());
        }
    }
    paths
}

fn inside<'a>(file: &'a str, source: &str) -> &'a str {
    file.strip_prefix(source).unwrap_or(file).trim_start_matches('/')
}

/// Returns the path of the module in a file. `top` is the file name of the crate root without its
/// extension.
fn place_of(file: &str, top: &str) -> Place {
    let inside = file.trim_end_matches(".rs");
    let inside = inside.strip_suffix("/mod").unwrap_or(inside);
    if inside == top {
        return Vec::new();
    }
    inside.split('/').map(str::to_owned).collect()
}

#[test]
fn cycles_are_found_through_re_exports() {
    let files = [
        ("src/lib.rs", "mod a; mod b; mod only;"),
        (
            "src/a/mod.rs",
            "mod one; mod two; pub use one::One; #[cfg(test)]\nmod tests;\npub use two::*;",
        ),
        ("src/a/one.rs", "use super::Two; pub struct One(Two);"),
        ("src/a/two.rs", "pub struct Two; fn f() { crate::b::g(); }"),
        ("src/a/tests.rs", "use crate::b;"),
        // Uses a re-export of the parent, and an imported module.
        ("src/b.rs", "use crate::a::{self, One as First}; pub fn g() {}"),
        ("src/only/mod.rs", "mod child; pub struct Here; fn f(_: child::There) {}"),
        ("src/only/child.rs", "pub struct There(super::Here);"),
    ];
    let files =
        files.map(|(name, text)| SourceFile::new(format!("crates/x/{name}"), text.to_owned()));
    let circles = Crate::new(&files.iter().collect::<Vec<_>>(), "crates/x/src").circles();
    let expected = [vec!["a/one.rs", "a/two.rs", "b.rs"], vec!["only/child.rs", "only/mod.rs"]];
    let from_root = |file: &str| format!("crates/x/src/{file}");
    let expected = expected.map(|group| group.into_iter().map(from_root).collect());
    assert_eq!(circles, BTreeSet::from(expected));
}
