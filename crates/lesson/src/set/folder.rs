//! The lessons in a folder, and its state on disk, to detect changes.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::course::{COURSE_FILE, GLOSSARY};
use crate::routes::ROUTES;

/// Name of the text of a lesson in its folder.
pub(super) const LESSON: &str = "lesson.md";
/// Maximum number of lessons in a folder; further ones are ignored.
const MAX_LESSONS: usize = 500;
/// Maximum number of files watched for changes.
const MAX_FILES: usize = 4000;
/// Depth of folders within that of a lesson up to which files are watched.
const MAX_DEPTH: usize = 3;

/// State of a folder of lessons when it was read.
#[derive(Clone, Debug)]
pub(super) struct FolderState {
    folder: PathBuf,
    stamps: Vec<Stamp>,
    /// Included texts. `None` for a file that did not exist.
    parts: Vec<(PathBuf, Option<Stamp>)>,
}

/// Path, modification time and size of a file, or of a folder without a lesson.
type Stamp = (PathBuf, Option<SystemTime>, u64);

/// Names of folders, sorted.
#[derive(Default)]
pub(super) struct Folders {
    pub(super) lessons: Vec<String>,
    /// Folders named like a lesson, but without a `lesson.md`.
    pub(super) empty: Vec<String>,
}

/// Returns the folder that holds all lessons. For the folder or the text of a single
/// lesson, this is the enclosing folder, and the name of the lesson is returned too.
pub(super) fn root_of(given: &Path) -> (PathBuf, Option<String>) {
    let is_text = given.file_name().is_some_and(|name| name == LESSON) && given.is_file();
    let given = match given.parent().filter(|_| is_text) {
        Some(here) if here.as_os_str().is_empty() => Path::new("."),
        Some(folder) => folder,
        None => given,
    };
    match enclosing_folder(given) {
        Some((enclosing, name)) => (enclosing, Some(name)),
        None => (given.to_owned(), None),
    }
}

/// Returns the folder around that of a lesson, and the name of the latter. Returns `None`
/// if `folder` holds no lesson itself.
fn enclosing_folder(folder: &Path) -> Option<(PathBuf, String)> {
    if !folder.join(LESSON).is_file() {
        return None;
    }
    let whole = match folder.file_name() {
        Some(_) => folder.to_owned(),
        // A path such as `.` has no name.
        None => folder.canonicalize().ok()?,
    };
    let name = whole.file_name()?.to_str()?.to_owned();
    let parent = whole.parent()?;
    let is_current = parent.as_os_str().is_empty();
    let parent = if is_current { Path::new(".") } else { parent };
    Some((parent.to_owned(), name))
}

impl FolderState {
    /// Reads the current state.
    pub(super) fn read(given: &Path) -> Self {
        Self { folder: given.to_owned(), stamps: read_stamps(given), parts: Vec::new() }
    }

    /// Adds included texts, which can be anywhere in the folder.
    pub(super) fn with_parts(mut self, mut parts: Vec<PathBuf>) -> Self {
        parts.sort();
        parts.dedup();
        self.parts = parts
            .into_iter()
            .map(|path| {
                let stamp = read_stamp(path.clone());
                (path, stamp)
            })
            .collect();
        self
    }

    /// Returns the folder if any of its files changed.
    pub(super) fn changed(&self) -> Option<&Path> {
        let has_changed = read_stamps(&self.folder) != self.stamps
            || self.parts.iter().any(|(path, before)| read_stamp(path.clone()) != *before);
        has_changed.then_some(&self.folder)
    }
}

impl Folders {
    pub(super) fn read(folder: &Path) -> std::io::Result<Self> {
        let mut folders = Self::default();
        for entry in std::fs::read_dir(folder)?.filter_map(Result::ok) {
            let path = entry.path();
            match entry.file_name().into_string() {
                Ok(name) if path.join("lesson.md").exists() => folders.lessons.push(name),
                Ok(name) if path.is_dir() && is_lesson_name(&name) => folders.empty.push(name),
                _ => {}
            }
        }
        folders.lessons.sort();
        folders.lessons.truncate(MAX_LESSONS);
        folders.empty.sort();
        folders.empty.truncate(MAX_LESSONS);
        Ok(folders)
    }
}

/// Whether a folder is named like a lesson, `20-bind-pose`. Others, such as `pictures`, are
/// ignored.
fn is_lesson_name(folder: &str) -> bool {
    let number = folder.split_once('-').map_or("", |(number, _)| number);
    number.parse::<u32>().is_ok()
}

/// Stamps of all files that were or may be read. A lesson can name any file in its folder.
fn read_stamps(given: &Path) -> Vec<Stamp> {
    let (root, alone) = root_of(given);
    let folder = root.as_path();
    let mut folders = Folders::read(folder).unwrap_or_default();
    if let Some(alone) = alone {
        folders.lessons.retain(|name| *name == alone);
    }
    let mut paths: Vec<PathBuf> =
        [COURSE_FILE, GLOSSARY, ROUTES].map(|file| folder.join(file)).into();
    for name in &folders.lessons {
        files_below(&folder.join(name), MAX_DEPTH, &mut paths);
    }
    paths.extend(folders.empty.iter().map(|name| folder.join(name)));
    paths.into_iter().filter_map(read_stamp).collect()
}

/// Returns `None` if there is no such file.
fn read_stamp(path: PathBuf) -> Option<Stamp> {
    let data = std::fs::metadata(&path).ok()?;
    Some((path, data.modified().ok(), data.len()))
}

/// Collects the files of a folder and its subfolders, sorted, up to [`MAX_FILES`].
fn files_below(folder: &Path, depth: usize, paths: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    let mut found: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    found.sort();
    for path in found {
        if paths.len() >= MAX_FILES {
            return;
        }
        if !path.is_dir() {
            paths.push(path);
        } else if depth > 0 {
            files_below(&path, depth - 1, paths);
        }
    }
}
