//! A folder of lessons: which lessons are in it, and how it was when it was read.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::course::{COURSE_FILE, GLOSSARY};
use crate::routes::ROUTES;

/// The text of a lesson, in its folder.
pub(super) const LESSON: &str = "lesson.md";
/// More folders than this are not lessons.
const MAX_LESSONS: usize = 500;
/// Changes of further files are not seen.
const MAX_FILES: usize = 4000;
/// Nor are those in folders nested more deeply in that of a lesson.
const MAX_DEPTH: usize = 3;

/// A folder of lessons and how it was when it was read.
#[derive(Clone, Debug)]
pub(super) struct FolderState {
    folder: PathBuf,
    stamps: Vec<Stamp>,
    /// Texts that lessons include, as they were when they had been read.
    parts: Vec<(PathBuf, Option<Stamp>)>,
}

/// Path, time and size of a file, or of a folder without its file.
type Stamp = (PathBuf, Option<SystemTime>, u64);

/// Names of folders, sorted.
#[derive(Default)]
pub(super) struct Folders {
    pub(super) lessons: Vec<String>,
    /// Named as a lesson is, without a `lesson.md`.
    pub(super) empty: Vec<String>,
}

/// The folder that holds the lessons; of the folder of one lesson, or of its text, that
/// around it and the lesson's own name.
pub(super) fn root_of(given: &Path) -> (PathBuf, Option<String>) {
    let is_text = given.file_name().is_some_and(|name| name == LESSON) && given.is_file();
    let given = match given.parent().filter(|_| is_text) {
        Some(here) if here.as_os_str().is_empty() => Path::new("."),
        Some(folder) => folder,
        None => given,
    };
    let around = || {
        if !given.join(LESSON).is_file() {
            return None;
        }
        let whole = match given.file_name() {
            Some(_) => given.to_owned(),
            // As `.` is written.
            None => given.canonicalize().ok()?,
        };
        let name = whole.file_name()?.to_str()?.to_owned();
        let around = whole.parent()?;
        let here = around.as_os_str().is_empty();
        let around = if here { Path::new(".") } else { around };
        Some((around.to_owned(), Some(name)))
    };
    around().unwrap_or_else(|| (given.to_owned(), None))
}

impl FolderState {
    /// As it is now.
    pub(super) fn of(given: &Path) -> Self {
        Self { folder: given.to_owned(), stamps: stamps(given), parts: Vec::new() }
    }

    /// With texts that lessons include from elsewhere in the folder.
    pub(super) fn with_parts(mut self, mut parts: Vec<PathBuf>) -> Self {
        parts.sort();
        parts.dedup();
        let stamped = parts.into_iter().map(|path| {
            let stamp = stamp(path.clone());
            (path, stamp)
        });
        self.parts = stamped.collect();
        self
    }

    /// The folder, if a file of it is no longer as it was.
    pub(super) fn changed(&self) -> Option<&Path> {
        let part_changed =
            |(path, before): &(PathBuf, Option<Stamp>)| stamp(path.clone()) != *before;
        let changed = stamps(&self.folder) != self.stamps || self.parts.iter().any(part_changed);
        changed.then_some(&self.folder)
    }
}

impl Folders {
    pub(super) fn of(folder: &Path) -> std::io::Result<Self> {
        let mut folders = Self::default();
        for entry in std::fs::read_dir(folder)?.filter_map(Result::ok) {
            let (path, name) = (entry.path(), entry.file_name().into_string());
            match name {
                Ok(name) if path.join("lesson.md").exists() => folders.lessons.push(name),
                Ok(name) if path.is_dir() && is_of_lesson(&name) => folders.empty.push(name),
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

/// `20-bind-pose`; others, such as `pictures`, are none of ours.
fn is_of_lesson(folder: &str) -> bool {
    let number = folder.split_once('-').map_or("", |(number, _)| number);
    number.parse::<u32>().is_ok()
}

/// Of all that is read, or may be: a lesson may name any file in its folder.
fn stamps(given: &Path) -> Vec<Stamp> {
    let (root, alone) = root_of(given);
    let folder = root.as_path();
    let mut folders = Folders::of(folder).unwrap_or_default();
    if let Some(alone) = alone {
        folders.lessons.retain(|name| *name == alone);
    }
    let mut paths: Vec<PathBuf> =
        [COURSE_FILE, GLOSSARY, ROUTES].map(|file| folder.join(file)).into();
    for name in &folders.lessons {
        files_below(&folder.join(name), MAX_DEPTH, &mut paths);
    }
    paths.extend(folders.empty.iter().map(|name| folder.join(name)));
    paths.into_iter().filter_map(stamp).collect()
}

/// `None` where there is no such file.
fn stamp(path: PathBuf) -> Option<Stamp> {
    let data = std::fs::metadata(&path).ok()?;
    Some((path, data.modified().ok(), data.len()))
}

/// The files of a folder and of those in it, sorted, as far as there is room for more.
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
