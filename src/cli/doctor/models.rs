//! The models that the doctor examines: given files, and all models in given folders.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Component, MAIN_SEPARATOR_STR, Path, PathBuf};

use bindpose_diagnostic::{Diagnostic, Place};
use bindpose_doctor::DoctorReport;

/// Extensions of models, by which they are found in folders.
const MODEL_EXTENSIONS: [&str; 3] = ["glb", "gltf", "ezm"];

#[derive(Default)]
pub(super) struct ModelPaths {
    /// Each file once, in the order of the arguments. Those of a folder are sorted by name.
    pub(super) files: Vec<PathBuf>,
    /// Errors for folders that could not be read or contain no model.
    pub(super) unread: Vec<Diagnostic>,
    /// Relative names of `files`.
    seen: BTreeSet<String>,
}

/// A model and the doctor's report about it.
pub(super) struct ExaminedFile {
    /// Path as the user gave it.
    pub(super) path: String,
    /// See [`relative_name`].
    pub(super) name: String,
    /// The report without the findings of the baseline.
    pub(super) report: DoctorReport,
    /// Number of findings that the baseline hides.
    pub(super) in_baseline: usize,
}

impl ModelPaths {
    /// Finds the models in the given files and folders.
    pub(super) fn find(paths: &[PathBuf]) -> Self {
        let mut models = Self::default();
        for path in paths {
            if !path.is_dir() {
                models.add(path.clone());
                continue;
            }
            let seen_before = models.seen.len();
            let unread_before = models.unread.len();
            models.add_folder(path);
            if models.seen.len() == seen_before && models.unread.len() == unread_before {
                let expected = "a folder with .glb, .gltf or .ezm files";
                let wrong = Diagnostic::expected(expected, "none in it").help("check the name");
                models.unread.push(wrong.at(place_of(path)));
            }
        }
        models
    }

    fn add(&mut self, path: PathBuf) {
        if self.seen.insert(relative_name(&path)) {
            self.files.push(path);
        }
    }

    /// Adds the models of a folder and its subfolders. Skips hidden files, since macOS stores
    /// metadata as `._hand.glb`, and symbolic links to folders, which could form a cycle.
    fn add_folder(&mut self, folder: &Path) {
        let mut entries = match read_folder(folder) {
            Ok(entries) => entries,
            Err(error) => {
                let wrong = Diagnostic::expected("a folder that can be read", error.to_string());
                self.unread.push(wrong.help("check who may read it").at(place_of(folder)));
                return;
            }
        };
        entries.sort();
        for (name, is_folder) in entries {
            if name.as_encoded_bytes().starts_with(b".") {
                continue;
            }
            let path = folder.join(&name);
            if is_folder {
                self.add_folder(&path);
            } else if has_model_extension(&path) && path.is_file() {
                self.add(path);
            }
        }
    }
}

/// Returns the name of each entry and whether it is a folder.
fn read_folder(folder: &Path) -> io::Result<Vec<(OsString, bool)>> {
    let mut entries = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        entries.push((entry.file_name(), entry.file_type()?.is_dir()));
    }
    Ok(entries)
}

fn place_of(path: &Path) -> Place {
    Place::Whole.within(path.display().to_string())
}

fn has_model_extension(path: &Path) -> bool {
    let extension = path.extension().unwrap_or(OsStr::new(""));
    MODEL_EXTENSIONS.iter().any(|known| extension.eq_ignore_ascii_case(known))
}

/// Returns the path relative to the working directory, with `/` as separator. It does not depend on
/// the system or on how the path was given. A path outside of the working directory stays absolute.
pub(super) fn relative_name(path: &Path) -> String {
    let working_directory = std::env::current_dir().unwrap_or_default();
    let relative = path.strip_prefix(&working_directory).unwrap_or(path);
    let normalized: PathBuf =
        relative.components().filter(|part| *part != Component::CurDir).collect();
    normalized.to_string_lossy().replace(MAIN_SEPARATOR_STR, "/")
}
