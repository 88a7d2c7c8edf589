//! Uses of items between the files of a crate.
//!
//! A file uses another if it names an item that is defined there. Paths are resolved through
//! modules and re-exports. A module that only declares and re-exports its children does not use
//! them. Method calls are not resolved.

use std::collections::{BTreeMap, BTreeSet};

use super::source::SourceFile;
use super::tokens::{Declared, UsedPath, declared};

/// Path of a module in its crate, such as `["asset", "gltf"]`.
type Place = Vec<String>;

/// The other files that a file uses, each with the names of the items and the line of their first
/// use.
pub type FileUses = BTreeMap<String, BTreeMap<String, usize>>;

/// The modules of a crate.
pub struct CrateGraph {
    modules: BTreeMap<Place, ModuleFile>,
}

struct ModuleFile {
    /// Path relative to the root of the repository.
    file: String,
    declared: Declared,
}

enum PathTarget {
    Item(DefinedItem),
    Module(Place),
}

struct DefinedItem {
    file: String,
    name: String,
}

impl CrateGraph {
    /// Parses the files below `source`, the folder of the crate's `lib.rs` or else `main.rs`.
    /// Omits modules that exist only in tests, which may use anything.
    pub fn new(files: &[&SourceFile], source: &str) -> Self {
        let is_library = files.iter().any(|file| inside(&file.name, source) == "lib.rs");
        let top = if is_library { "lib" } else { "main" };
        let mut modules: BTreeMap<Place, ModuleFile> = files
            .iter()
            .map(|file| {
                let declared = declared(file.product());
                let module = ModuleFile { file: file.name.clone(), declared };
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

    /// Returns the uses of each file.
    pub fn uses(&self) -> BTreeMap<&str, FileUses> {
        let mut uses: BTreeMap<&str, FileUses> = BTreeMap::new();
        for (place, module) in &self.modules {
            let from = uses.entry(&module.file).or_default();
            for path in used_paths(&module.declared) {
                for target in self.resolve(place, &path.segments, &mut BTreeSet::new()) {
                    if let PathTarget::Item(item) = target
                        && item.file != module.file
                    {
                        let names = from.entry(item.file).or_default();
                        let first_line = names.entry(item.name).or_insert(path.line);
                        *first_line = path.line.min(*first_line);
                    }
                }
            }
        }
        uses
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
            let item = DefinedItem { file: module.file.clone(), name: first.clone() };
            targets.push(PathTarget::Item(item));
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
fn used_paths(declared: &Declared) -> Vec<UsedPath> {
    let mut paths = declared.paths.clone();
    for import in &declared.imports {
        if !import.is_public || declared.words.contains_key(&import.name) {
            paths.push(UsedPath { line: import.line, segments: import.path.clone() });
        }
    }
    for glob in declared.globs.iter().filter(|glob| !glob.is_public) {
        for (word, &line) in &declared.words {
            let segments = [glob.path.as_slice(), std::slice::from_ref(word)].concat();
            paths.push(UsedPath { line, segments });
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
fn uses_are_resolved_through_re_exports_to_items_and_lines() {
    let files = [
        ("src/lib.rs", "mod a;\nmod b;"),
        ("src/a/mod.rs", "mod one;\npub use one::One;\n#[cfg(test)]\nmod tests;"),
        ("src/a/one.rs", "pub struct One;\nfn f() {\n    crate::b::g();\n}"),
        ("src/a/tests.rs", "use crate::b;"),
        (
            "src/b.rs",
            "\nuse crate::a::{self, One as First};\npub fn g() -> First {\n    a::One::new()\n}",
        ),
    ];
    let files =
        files.map(|(name, text)| SourceFile::new(format!("crates/x/{name}"), text.to_owned()));
    let graph = CrateGraph::new(&files.iter().collect::<Vec<_>>(), "crates/x/src");
    let uses = graph.uses();
    let names = |name: &str, line| BTreeMap::from([(name.to_owned(), line)]);
    let one = "crates/x/src/a/one.rs";
    let expected_b = FileUses::from([(one.to_owned(), names("One", 2))]);
    assert_eq!(uses["crates/x/src/b.rs"], expected_b);
    let expected_one = FileUses::from([("crates/x/src/b.rs".to_owned(), names("g", 3))]);
    assert_eq!(uses[one], expected_one);
    assert!(!uses.contains_key("crates/x/src/a/tests.rs"));
}
