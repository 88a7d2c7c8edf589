//! Access to the files of the repository.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::source::SourceFile;

/// Folders with Rust code.
const FOLDERS: [&str; 8] =
    ["src", "crates", "tests", "web", "xtask", "benches", "fuzz", "examples"];

/// The repository. Paths are relative to its root, with forward slashes.
pub struct Checkout {
    root: PathBuf,
    sources: Vec<SourceFile>,
}

impl Checkout {
    /// Reads the Rust code of the repository.
    pub fn open(root: PathBuf) -> Result<Self, String> {
        Self::open_folders(root, &FOLDERS)
    }

    /// Reads all Rust code below a folder that need not be a repository.
    pub fn open_folder(root: PathBuf) -> Result<Self, String> {
        Self::open_folders(root, &[""])
    }

    fn open_folders(root: PathBuf, folders: &[&str]) -> Result<Self, String> {
        let mut checkout = Self { root, sources: Vec::new() };
        let names: Vec<String> =
            folders.iter().flat_map(|folder| checkout.files_below(folder)).collect();
        for name in names {
            if has_extension(&name, &["rs"]) {
                let text = checkout.read(&name)?;
                checkout.sources.push(SourceFile::new(name, text));
            }
        }
        Ok(checkout)
    }

    /// Returns all Rust files, including tests and xtask.
    pub fn all_sources(&self) -> &[SourceFile] {
        &self.sources
    }

    /// Returns the Rust files below a folder.
    pub fn sources(&self, folder: &str) -> Vec<&SourceFile> {
        self.sources.iter().filter(|file| is_below(&file.name, folder)).collect()
    }

    /// Returns the Rust files of the program: those of the crates and of the root package.
    pub fn product_sources(&self) -> Vec<&SourceFile> {
        self.packages().iter().flat_map(|package| self.sources(&format!("{package}src"))).collect()
    }

    /// Returns the folders of the packages of the program, each with a trailing slash. That of
    /// the root package is empty.
    pub fn packages(&self) -> Vec<String> {
        let mut packages: Vec<String> =
            self.folders_in("crates").iter().map(|name| format!("crates/{name}/")).collect();
        packages.push(String::new());
        packages
    }

    pub fn read(&self, name: &str) -> Result<String, String> {
        fs::read_to_string(self.root.join(name)).map_err(|error| format!("{name}: {error}"))
    }

    pub fn write(&self, name: &str, text: &str) -> Result<(), String> {
        fs::write(self.root.join(name), text).map_err(|error| format!("{name}: {error}"))
    }

    pub fn is_blank(&self, name: &str) -> bool {
        self.read(name).map_or(true, |text| text.trim().is_empty())
    }

    /// Returns the sorted names of the direct subfolders. Returns none if the folder does not
    /// exist.
    pub fn folders_in(&self, folder: &str) -> BTreeSet<String> {
        let Ok(entries) = fs::read_dir(self.root.join(folder)) else {
            return BTreeSet::new();
        };
        entries
            .flatten()
            .filter(|entry| entry.path().is_dir())
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect()
    }

    /// Returns the sorted files below a folder, without build outputs and hidden files.
    pub fn files_below(&self, folder: &str) -> Vec<String> {
        let mut names = Vec::new();
        let mut open: Vec<PathBuf> = vec![self.root.join(folder)];
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
                } else if let Ok(inside) = path.strip_prefix(&self.root) {
                    names.push(inside.to_string_lossy().replace('\\', "/"));
                }
            }
        }
        names.sort();
        names
    }

    /// Returns the files tracked by git, or all files if git is missing.
    pub fn tracked_files(&self) -> Vec<String> {
        let listed = Command::new("git").args(["ls-files", "-z"]).current_dir(&self.root).output();
        match listed {
            Ok(output) if output.status.success() && !output.stdout.is_empty() => {
                String::from_utf8_lossy(&output.stdout)
                    .split_terminator('\0')
                    .map(str::to_owned)
                    .collect()
            }
            _ => self.files_below(""),
        }
    }
}

pub fn has_extension(name: &str, extensions: &[&str]) -> bool {
    Path::new(name)
        .extension()
        .and_then(|extension| extension.to_str())
        .is_some_and(|extension| extensions.contains(&extension))
}

pub fn file_name(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

/// Returns whether a file is below a folder.
pub fn is_below(name: &str, folder: &str) -> bool {
    name.strip_prefix(folder).is_some_and(|inside| inside.starts_with('/'))
}
