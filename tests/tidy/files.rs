//! What lies in the repository.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

pub(crate) fn read(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

pub(crate) fn is_blank(name: &str) -> bool {
    fs::read_to_string(root().join(name)).map_or(true, |text| text.trim().is_empty())
}

pub(crate) fn has_extension(name: &str, extensions: &[&str]) -> bool {
    Path::new(name)
        .extension()
        .and_then(|extension| extension.to_str())
        .is_some_and(|extension| extensions.contains(&extension))
}

pub(crate) fn file_name(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

/// Names of the folders directly inside, sorted; none if it does not exist.
pub(crate) fn folders_in(folder: &str) -> BTreeSet<String> {
    let Ok(entries) = fs::read_dir(root().join(folder)) else {
        return BTreeSet::new();
    };
    entries
        .flatten()
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect()
}

/// Files at any depth, from the root with forward slashes, sorted; build
/// outputs and hidden folders left out.
pub(crate) fn files_below(folder: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut open: Vec<PathBuf> = vec![root().join(folder)];
    while let Some(folder) = open.pop() {
        let Ok(entries) = fs::read_dir(&folder) else {
            continue;
        };
        for entry in entries.flatten() {
            let path = entry.path();
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.starts_with('.') || name == "target" {
                continue;
            }
            if path.is_dir() {
                open.push(path);
            } else if let Ok(inside) = path.strip_prefix(root()) {
                names.push(inside.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    names.sort();
    names
}

/// What git knows; without git, what lies there.
pub(crate) fn tracked_files() -> Vec<String> {
    let listed = Command::new("git").args(["ls-files", "-z"]).current_dir(root()).output();
    match listed {
        Ok(output) if output.status.success() && !output.stdout.is_empty() => {
            String::from_utf8_lossy(&output.stdout)
                .split_terminator('\0')
                .map(str::to_owned)
                .collect()
        }
        _ => files_below(""),
    }
}
