//! Which models are examined: files that are named, and all that lie in folders.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs::DirEntry;
use std::io;
use std::path::{Component, MAIN_SEPARATOR_STR, Path, PathBuf};

use bindpose_asset::doctor::DoctorReport;
use bindpose_diagnostic::{Diagnostic, Place};

/// How the names of models end, in folders.
const ENDINGS: [&str; 3] = ["glb", "gltf", "ezm"];

/// What a command line names.
#[derive(Default)]
pub(super) struct NamedModels {
    /// In the order named, those of a folder by their names; none twice.
    pub(super) files: Vec<PathBuf>,
    /// Folders that cannot be read, or hold no model.
    pub(super) unread: Vec<Diagnostic>,
    seen: BTreeSet<String>,
}

/// A model, and what was found in it.
pub(super) struct ExaminedFile {
    /// As it was named.
    pub(super) file: String,
    /// See [`name_here`].
    pub(super) name: String,
    /// Without what the baseline has.
    pub(super) report: DoctorReport,
    /// Findings that the baseline has.
    pub(super) in_baseline: usize,
}

impl NamedModels {
    pub(super) fn new(given: &[PathBuf]) -> Self {
        let mut models = Self::default();
        for path in given {
            if !path.is_dir() {
                models.add(path.clone());
                continue;
            }
            let before = (models.seen.len(), models.unread.len());
            models.add_folder(path);
            if before == (models.seen.len(), models.unread.len()) {
                let expected = "a folder with .glb, .gltf or .ezm files";
                let wrong = Diagnostic::expected(expected, "none in it").help("check the name");
                models.unread.push(wrong.at(within(path)));
            }
        }
        models
    }

    fn add(&mut self, path: PathBuf) {
        if self.seen.insert(name_here(&path)) {
            self.files.push(path);
        }
    }

    /// What is hidden is left out, as `._hand.glb` is no model; so are folders behind
    /// symbolic links, which may lead back here.
    fn add_folder(&mut self, folder: &Path) {
        let entries = std::fs::read_dir(folder).and_then(|entries| {
            let entry = |entry: io::Result<DirEntry>| {
                let entry = entry?;
                Ok((entry.file_name(), entry.file_type()?.is_dir()))
            };
            entries.map(entry).collect::<io::Result<Vec<(OsString, bool)>>>()
        });
        let mut entries = entries.unwrap_or_else(|error| {
            let wrong = Diagnostic::expected("a folder that can be read", error.to_string());
            self.unread.push(wrong.help("check who may read it").at(within(folder)));
            Vec::new()
        });
        entries.sort();
        for (name, is_folder) in entries {
            if name.as_encoded_bytes().starts_with(b".") {
                continue;
            }
            let path = folder.join(&name);
            if is_folder {
                self.add_folder(&path);
            } else if is_model(&path) && path.is_file() {
                self.add(path);
            }
        }
    }
}

fn within(path: &Path) -> Place {
    Place::Whole.within(path.display().to_string())
}

fn is_model(path: &Path) -> bool {
    let ending = path.extension().unwrap_or(OsStr::new(""));
    ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known))
}

/// The path from the folder in which the program runs, with `/`: the same however the
/// file was named, and on every system. Whole for what lies elsewhere.
pub(super) fn name_here(path: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    let path = path.strip_prefix(&here).unwrap_or(path);
    let parts = path.components().filter(|part| *part != Component::CurDir);
    let path: PathBuf = parts.collect();
    path.to_string_lossy().replace(MAIN_SEPARATOR_STR, "/")
}
