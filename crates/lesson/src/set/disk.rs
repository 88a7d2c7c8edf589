//! The lessons of a folder on disk, read again when they change.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bindpose_diagnostic::{Diagnostic, Place};

use super::folder::{FolderState, Folders, LESSON, root_of};
use super::read_course::{CourseOrigin, CourseTexts, PairOfTexts, ReadCourse, START};
use crate::CourseFiles;
use crate::course::{COURSE_FILE, GLOSSARY};
use crate::course_archive::{COURSE_ENDING, MAX_ARCHIVE_BYTES, unpack};
use crate::reader::unread;
use crate::routes::ROUTES;
use crate::toml_body::MAX_BYTES;

/// Reads a folder of lessons or a packed course.
///
/// Fails when it has no lesson, or is no course.
pub(super) fn read_path(path: &Path) -> Result<Arc<ReadCourse>, Diagnostic> {
    let name = path.display().to_string();
    if path.is_file() && path.file_name().is_none_or(|name| name != LESSON) {
        let files = read_packed(path).and_then(|bytes| unpack(&bytes));
        let files =
            files.map_err(|wrong| Diagnostic { at: wrong.at.clone().within(&name), ..wrong })?;
        return ReadCourse::packed(&name, files).map(Arc::new);
    }
    let ending = format!(".{COURSE_ENDING}");
    if name.ends_with(&ending) && !path.exists() {
        let wrong = Diagnostic::said("IO_ERROR", "there is no such file");
        let help = "write the path of a packed course, or of a folder of lessons";
        return Err(wrong.help(help).at(Place::Whole.within(name)));
    }
    let read = read(path);
    if let (true, Some(wrong)) = (read.lessons.is_empty(), read.findings.first()) {
        return Err(wrong.clone().at(Place::Whole.within(name)));
    }
    // None can be shown: what is wrong with the first says more than that.
    let mut unread = read.lessons.iter().filter(|lesson| lesson.steps.is_empty());
    if unread.clone().count() == read.lessons.len()
        && let Some(wrong) = unread.find_map(|lesson| lesson.findings.first())
    {
        let place = wrong.at.clone().within(name);
        return Err(wrong.clone().at(place));
    }
    Ok(read)
}

fn read_packed(path: &Path) -> Result<Vec<u8>, Diagnostic> {
    let unreadable = |error: std::io::Error| {
        Diagnostic::said("IO_ERROR", format!("cannot be read: {error}"))
            .help("check its permissions")
    };
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(unreadable)?;
    let limit = MAX_ARCHIVE_BYTES as u64 + 1;
    file.take(limit).read_to_end(&mut bytes).map_err(unreadable)?;
    Ok(bytes)
}

/// Reads all texts of a folder, or of one lesson by its own folder.
pub(super) fn read(given: &Path) -> Arc<ReadCourse> {
    let state = FolderState::of(given);
    let mut findings = Vec::new();
    let (root, alone) = root_of(given);
    let folder = root.as_path();
    let mut folders = Folders::of(folder).unwrap_or_else(|error| {
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
                missing.push(unread(name, elsewhere.clone()).0);
            }
            name == alone
        });
        folders.empty.clear();
    }
    let lessons = folders.lessons.into_iter().map(|name| PairOfTexts {
        lesson: text(folder, format!("{name}/lesson.md")),
        notes: text_if_there(folder, format!("{name}/notes.md")).map(Option::unwrap_or_default),
        folder: name,
    });
    let lessons = lessons.collect();
    for name in folders.empty {
        let wrong = Diagnostic::said("MISSING", format!("the folder `{name}` has no lesson.md"))
            .help("write it, or take the folder away")
            .at(Place::text(format!("{name}/lesson.md"), START));
        missing.push(unread(&name, wrong.clone()).0);
        findings.push(wrong);
    }
    let mut beside = |name: &str| match text_if_there(folder, name.to_owned()) {
        Ok(text) => text,
        Err(wrong) => {
            findings.push(wrong);
            None
        }
    };
    let texts = CourseTexts {
        lessons,
        course: beside(COURSE_FILE),
        glossary: beside(GLOSSARY).unwrap_or_default(),
        // They lead over the others too.
        routes: match alone {
            Some(_) => String::new(),
            None => beside(ROUTES).unwrap_or_default(),
        },
    };
    let files = CourseFiles::in_folder(folder);
    let mut read = ReadCourse::of_texts(&folder.display().to_string(), files, texts);
    read.findings.extend(findings);
    read.missing = missing;
    read.alone = alone.is_some();
    read.has_pages = true;
    let parts = read.outlines.iter().flat_map(|outline| outline.parts.files());
    let parts: Vec<PathBuf> = parts.map(|file| folder.join(file)).collect();
    read.origin = CourseOrigin::Folder(state.with_parts(parts));
    Arc::new(read)
}

/// The text of a file, if there is one.
fn text_if_there(folder: &Path, name: String) -> Result<Option<String>, Diagnostic> {
    let there = folder.join(&name).exists();
    there.then(|| text(folder, name)).transpose()
}

/// The text of a file of the folder.
fn text(folder: &Path, name: String) -> Result<String, Diagnostic> {
    read_file(&folder.join(&name)).map_err(|wrong| wrong.at(Place::text(name, START)))
}

/// The text of any file, which findings call `name`.
pub(super) fn read_text(path: &Path, name: &str) -> Result<String, Diagnostic> {
    read_file(path).map_err(|wrong| wrong.at(Place::text(name, START)))
}

fn read_file(path: &Path) -> Result<String, Diagnostic> {
    let unreadable = |error| {
        Diagnostic::said("IO_ERROR", format!("cannot be read: {error}"))
            .help("check its permissions")
    };
    let kind = std::fs::metadata(path).map_err(unreadable)?.file_type();
    // A pipe would never end, or never begin.
    if !kind.is_file() {
        let found = if kind.is_dir() { "a folder" } else { "a pipe or a device" };
        return Err(Diagnostic::expected("a file", found).help("put a text file in its place"));
    }
    let mut bytes = Vec::new();
    // Never more than the reader takes, whatever the file is.
    let file = File::open(path).map_err(unreadable)?;
    file.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    String::from_utf8(bytes).ok().ok_or_else(|| {
        Diagnostic::expected("text in UTF-8", "other bytes").help("save the file as UTF-8")
    })
}
