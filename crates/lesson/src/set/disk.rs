//! Loads lessons from folders and packed courses on disk.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;

use bindpose_diagnostic::{Diagnostic, Place};

use super::folder::{FolderState, Folders, LESSON, root_of};
use super::read_course::{
    COURSE_TEXTS, CourseOrigin, CourseTexts, LoadedCourse, START, UnparsedLesson,
};
use crate::CourseFiles;
use crate::course_archive::{COURSE_EXTENSION, MAX_ARCHIVE_BYTES, unpack};
use crate::reader::unreadable_lesson;
use crate::routes::ROUTES;
use crate::toml_body::MAX_BYTES;

/// Loads a folder of lessons or a packed course.
///
/// # Errors
/// If it has no lesson, or is no course.
pub(super) fn load_path(path: &Path) -> Result<Arc<LoadedCourse>, Diagnostic> {
    let name = path.display().to_string();
    if path.is_file() && path.file_name().is_none_or(|name| name != LESSON) {
        let files = read_packed(path)
            .and_then(|bytes| unpack(&bytes))
            .map_err(|error| Diagnostic { at: error.at.clone().within(&name), ..error })?;
        return LoadedCourse::packed(&name, files).map(Arc::new);
    }
    let ending = format!(".{COURSE_EXTENSION}");
    if name.ends_with(&ending) && !path.exists() {
        let error = Diagnostic::said("IO_ERROR", "there is no such file");
        let help = "write the path of a packed course, or of a folder of lessons";
        return Err(error.help(help).at(Place::Whole.within(name)));
    }
    let read = load_folder(path);
    if read.lessons.is_empty()
        && let Some(error) = read.findings.first()
    {
        return Err(error.clone().at(Place::Whole.within(name)));
    }
    // If no lesson can be shown, the error of the first one is the most useful message.
    let mut without_steps = read.lessons.iter().filter(|lesson| lesson.steps.is_empty());
    if without_steps.clone().count() == read.lessons.len()
        && let Some(error) = without_steps.find_map(|lesson| lesson.findings.first())
    {
        let place = error.at.clone().within(name);
        return Err(error.clone().at(place));
    }
    Ok(read)
}

fn read_packed(path: &Path) -> Result<Vec<u8>, Diagnostic> {
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|error| read_error(&error))?;
    let limit = MAX_ARCHIVE_BYTES as u64 + 1;
    file.take(limit).read_to_end(&mut bytes).map_err(|error| read_error(&error))?;
    Ok(bytes)
}

/// Loads the lessons of a folder, or the single lesson of its own folder.
pub(super) fn load_folder(given: &Path) -> Arc<LoadedCourse> {
    let state = FolderState::read(given);
    let mut findings = Vec::new();
    let (root, alone) = root_of(given);
    let folder = root.as_path();
    let mut folders = Folders::read(folder).unwrap_or_else(|error| {
        findings.push(
            Diagnostic::expected("a folder with lessons", format!("none: {error}"))
                .help("give the folder that holds the folders NN-slug")
                .at(Place::text("", START)),
        );
        Folders::default()
    });
    if findings.is_empty() && folders.lessons.is_empty() {
        findings.push(
            Diagnostic::expected("lessons in this folder", "none")
                .help("put each lesson in a folder named NN-slug with a lesson.md")
                .at(Place::text("", START)),
        );
    }
    let mut missing = Vec::new();
    if let Some(alone) = &alone {
        let elsewhere = Diagnostic::said("ELSEWHERE", "another lesson was asked for");
        folders.lessons.retain(|name| {
            if name != alone {
                missing.push(unreadable_lesson(name, elsewhere.clone()).0);
            }
            name == alone
        });
        folders.empty.clear();
    }
    let lessons = folders
        .lessons
        .into_iter()
        .map(|name| UnparsedLesson {
            lesson: read_text_of(folder, format!("{name}/lesson.md")),
            notes: read_optional_text(folder, format!("{name}/notes.md"))
                .map(Option::unwrap_or_default),
            folder: name,
        })
        .collect();
    for name in folders.empty {
        let error = Diagnostic::said("MISSING", format!("the folder `{name}` has no lesson.md"))
            .help("write it, or take the folder away")
            .at(Place::text(format!("{name}/lesson.md"), START));
        missing.push(unreadable_lesson(&name, error.clone()).0);
        findings.push(error);
    }
    let [course, glossary, routes] = COURSE_TEXTS.map(|name| {
        // Routes also lead to lessons that are not loaded with a single one.
        if name == ROUTES && alone.is_some() {
            return None;
        }
        read_optional_text(folder, name.to_owned()).unwrap_or_else(|error| {
            findings.push(error);
            None
        })
    });
    let texts = CourseTexts {
        lessons,
        course,
        glossary: glossary.unwrap_or_default(),
        routes: routes.unwrap_or_default(),
    };
    let files = CourseFiles::in_folder(folder);
    let mut read = LoadedCourse::from_texts(&folder.display().to_string(), files, texts);
    read.findings.extend(findings);
    read.missing = missing;
    read.alone = alone.is_some();
    read.has_pages = true;
    let parts = read
        .outlines
        .iter()
        .flat_map(|outline| outline.parts.files())
        .map(|file| folder.join(file))
        .collect();
    read.origin = CourseOrigin::Folder(state.with_parts(parts));
    Arc::new(read)
}

/// Reads a text of the folder. Returns `None` if the file does not exist.
fn read_optional_text(folder: &Path, name: String) -> Result<Option<String>, Diagnostic> {
    let there = folder.join(&name).exists();
    there.then(|| read_text_of(folder, name)).transpose()
}

/// Reads a text of the folder.
fn read_text_of(folder: &Path, name: String) -> Result<String, Diagnostic> {
    read_file(&folder.join(&name)).map_err(|error| error.at(Place::text(name, START)))
}

/// Reads any text file. `name` is its name in findings.
pub(super) fn read_text(path: &Path, name: &str) -> Result<String, Diagnostic> {
    read_file(path).map_err(|error| error.at(Place::text(name, START)))
}

fn read_file(path: &Path) -> Result<String, Diagnostic> {
    let kind = std::fs::metadata(path).map_err(|error| read_error(&error))?.file_type();
    // A pipe might never end, or never begin.
    if !kind.is_file() {
        let found = if kind.is_dir() { "a folder" } else { "a pipe or a device" };
        return Err(Diagnostic::expected("a file", found).help("put a text file in its place"));
    }
    let mut bytes = Vec::new();
    // At most one byte more than the parser accepts, whatever the size of the file.
    let file = File::open(path).map_err(|error| read_error(&error))?;
    file.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(|error| read_error(&error))?;
    String::from_utf8(bytes).ok().ok_or_else(|| {
        Diagnostic::expected("text in UTF-8", "other bytes").help("save the file as UTF-8")
    })
}

fn read_error(error: &std::io::Error) -> Diagnostic {
    Diagnostic::said("IO_ERROR", format!("cannot be read: {error}")).help("check its permissions")
}
