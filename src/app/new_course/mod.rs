//! A course to begin with: a folder that says what it is, and a first lesson in which the
//! check finds nothing. A template has words such as `@title@` in the places of what is said
//! of one lesson or one model.

mod editor_files;
mod of_model;

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::{fs, io};

use bindpose_asset::{self as asset, ModelSource, Rig};
use bindpose_check::check_lessons;
use bindpose_diagnostic::{Diagnostic, Severity};
use bindpose_lesson::{COURSE_FILE, LessonSet, MAX_FILE_BYTES, PackedFiles};
use of_model::{ModelFacts, in_toml};

use self::editor_files::editor_files;
use super::write_file::write_file;

/// Numbers of folders go up by as many, which leaves room between two lessons.
const NUMBERS_APART: u32 = 10;
/// Longer titles are none.
const MAX_TITLE: usize = 80;

/// What the first lesson is about.
#[derive(Clone, Debug)]
pub struct NewLesson<'a> {
    /// For people; absent: the template's.
    pub title: Option<&'a str>,
    /// What it stands on: a built-in rig, or a model, whose files go along.
    pub rig: &'a Rig,
}

/// What was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewFiles {
    /// The folder of the lesson, in that of the course: `10-squash`.
    pub lesson_folder: String,
    /// All files, by their paths in the course, with `/`.
    pub paths: Vec<String>,
}

/// Writes a folder with `lessons.toml`, one lesson, and what editors need to help. The folder may be there, if it
/// is empty; the one around it must be there.
///
/// Fails when something is in it already, the model has nothing that could be turned, or a
/// file cannot be written.
pub fn new_course(folder: &Path, lesson: &NewLesson<'_>) -> Result<NewFiles, Diagnostic> {
    if folder.symlink_metadata().is_ok() {
        let mut entries = fs::read_dir(folder).map_err(|error| unwritten(folder, &error))?;
        if entries.next().is_some() {
            let title = format!("there is something in {} already", folder.display());
            let help = "name another folder, or add --lesson for one more lesson in this course";
            return Err(Diagnostic::said("FOLDER_NOT_EMPTY", title).help(help));
        }
    }
    let name = folder_name(folder)?;
    let (lesson_folder, mut files) = lesson_files(NUMBERS_APART, lesson)?;
    files.insert(COURSE_FILE.to_owned(), course_text(&name).into_bytes().into());
    for (path, text) in editor_files()? {
        files.insert(path, text.into_bytes().into());
    }
    let made = fs::create_dir(folder);
    match made {
        Err(error) if !folder.is_dir() => return Err(unwritten(folder, &error)),
        _ => {}
    }
    write_all(folder, &files)?;
    Ok(NewFiles { lesson_folder, paths: files.into_keys().collect() })
}

/// Writes one more lesson into a course, behind those that are there.
///
/// Errors: as [`new_course`]; when the folder is no course, or has a lesson of that name.
pub fn new_lesson(folder: &Path, lesson: &NewLesson<'_>) -> Result<NewFiles, Diagnostic> {
    let there = lessons_in(folder)?;
    let last = there.keys().next_back().copied().unwrap_or(0);
    let number = (last / NUMBERS_APART + 1) * NUMBERS_APART;
    let (lesson_folder, files) = lesson_files(number, lesson)?;
    let slug = lesson_folder.split_once('-').map_or("", |(_, slug)| slug);
    if there.values().flatten().any(|taken| taken == slug) {
        let title = format!("there is a lesson `{slug}` in {} already", folder.display());
        let help = "give the new one another --title: its slug comes from that";
        return Err(Diagnostic::said("NAME_TAKEN", title).help(help));
    }
    write_all(folder, &files)?;
    Ok(NewFiles { lesson_folder, paths: files.into_keys().collect() })
}

/// Slugs of the lessons in a course, by number.
fn lessons_in(folder: &Path) -> Result<BTreeMap<u32, Vec<String>>, Diagnostic> {
    let entries = fs::read_dir(folder).map_err(|error| {
        let title = format!("{} cannot be read: {error}", folder.display());
        let help = "leave --lesson out to begin a course";
        Diagnostic::said("NO_FOLDER", title).help(help)
    })?;
    let mut lessons: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    for entry in entries.filter_map(Result::ok) {
        let name = entry.file_name();
        let parts = name.to_str().and_then(|name| name.split_once('-'));
        if let Some((number, slug)) = parts
            && let Ok(number) = number.parse::<u32>()
        {
            lessons.entry(number).or_default().push(slug.to_owned());
        }
    }
    if lessons.is_empty() && !folder.join(COURSE_FILE).is_file() {
        let title = format!("{} is no course", folder.display());
        let expected = "lessons.toml, or folders of lessons, NN-slug";
        let help = "leave --lesson out to begin a course in another folder";
        return Err(Diagnostic::expected(expected, "neither").title(title).help(help));
    }
    Ok(lessons)
}

/// The last part of a path as it lies on the disk: of `.` too.
fn folder_name(folder: &Path) -> Result<String, Diagnostic> {
    let whole = match folder.file_name() {
        Some(_) => folder.to_owned(),
        None => folder.canonicalize().map_err(|error| unwritten(folder, &error))?,
    };
    let name = whole.file_name().map(|name| name.to_string_lossy());
    Ok(name.unwrap_or_default().into_owned())
}

/// The folder of a lesson and its files, checked, by their paths in the course.
fn lesson_files(number: u32, lesson: &NewLesson<'_>) -> Result<(String, PackedFiles), Diagnostic> {
    let title = lesson.title.map(checked_title).transpose()?;
    let source = brought_along(lesson.rig);
    let rig = source.map_or(&*lesson.rig.id, |source| &*source.name);
    let texts = lesson_texts(title.as_deref(), rig, lesson.rig)?;
    let folder = format!("{number}-{}", ascii_slug(&texts.title, "lesson"));
    let mut files = PackedFiles::new();
    let mut add = |name: &str, bytes: &[u8]| {
        files.insert(format!("{folder}/{name}"), bytes.into());
    };
    add("lesson.md", texts.lesson.as_bytes());
    add("notes.md", texts.notes.as_bytes());
    if let Some(source) = source {
        for (name, bytes) in model_files(source)? {
            add(name, bytes);
        }
    }
    checked(&files, rig)?;
    Ok((folder, files))
}

/// The files of a model, and none of a built-in rig.
fn brought_along(rig: &Rig) -> Option<&ModelSource> {
    let is_built_in = asset::builtin_ids().contains(&&*rig.id);
    let origin = rig.origin.as_ref().filter(|_| !is_built_in);
    origin.map(|origin| &origin.source)
}

/// Names and bytes, each of which a lesson can name from its folder.
fn model_files(source: &ModelSource) -> Result<Vec<(&str, &[u8])>, Diagnostic> {
    let main = (&*source.name, &*source.main);
    let beside = source.beside.iter().map(|(name, bytes)| (&**name, &**bytes));
    let files: Vec<(&str, &[u8])> = std::iter::once(main).chain(beside).collect();
    let below = |name: &str| {
        let parts = Path::new(name).components();
        parts.into_iter().all(|part| matches!(part, Component::Normal(_)))
    };
    let help = "save the model as one .glb file, and name that";
    if let Some((name, _)) = files.iter().find(|(name, _)| !below(name)) {
        let title = format!("the model names a file outside of its folder: {name}");
        return Err(Diagnostic::said("OUTSIDE", title).help(help));
    }
    if let Some((name, _)) = files.iter().find(|(_, bytes)| bytes.len() > MAX_FILE_BYTES) {
        let most = MAX_FILE_BYTES >> 20;
        let title = format!("{name} is longer than the {most} MiB that a lesson can bring along");
        return Err(Diagnostic::said("TOO_LARGE", title).help("make its images smaller"));
    }
    Ok(files)
}

/// Has the check nothing to say of this lesson? Models may be such that it has.
fn checked(lesson: &PackedFiles, rig: &str) -> Result<(), Diagnostic> {
    let mut files = lesson.clone();
    files.insert(COURSE_FILE.to_owned(), course_text("new").into_bytes().into());
    let (set, _) = LessonSet::embedded().with_course("new", files)?;
    let findings = check_lessons(&set, &|id| asset::builtin(id));
    let errors = findings.iter().filter(|finding| finding.severity == Severity::Error);
    match errors.map(Diagnostic::sentence).next() {
        None => Ok(()),
        Some(first) => {
            let title = format!("the first lesson cannot be written for {rig}: {first}");
            let help = format!("`bindpose doctor {rig}` says what is wrong with the model");
            Err(Diagnostic::said("MODEL_UNFIT", title).help(help))
        }
    }
}

/// One line with at least a letter or digit.
fn checked_title(title: &str) -> Result<String, Diagnostic> {
    let words: Vec<&str> = title.split_whitespace().collect();
    let title = words.join(" ");
    let fits = title.chars().any(char::is_alphanumeric)
        && title.chars().count() <= MAX_TITLE
        && !title.chars().any(char::is_control);
    if fits {
        return Ok(title);
    }
    let expected = format!("a title of one line, up to {MAX_TITLE} letters");
    let help = "write --title \"Squash and stretch\"";
    Err(Diagnostic::expected(expected, format!("`{title}`")).help(help))
}

fn write_all(folder: &Path, files: &PackedFiles) -> Result<(), Diagnostic> {
    for (path, bytes) in files {
        let path: PathBuf = folder.join(path);
        let written = match path.parent() {
            Some(around) => {
                fs::create_dir_all(around).and_then(|()| write_file(&path, bytes, false))
            }
            None => write_file(&path, bytes, false),
        };
        written.map_err(|error| unwritten(&path, &error))?;
    }
    Ok(())
}

fn unwritten(path: &Path, error: &io::Error) -> Diagnostic {
    let title = format!("{} was not written: {error}", path.display());
    let help = "the folder around it must be there, and you must be allowed to write there";
    Diagnostic::said("IO_ERROR", title).help(help)
}

#[cfg(test)]
mod tests;

/// Names in links are no longer.
const MAX_SLUG: usize = 40;

/// In small letters, with hyphens for all that is no letter or digit of ASCII;
/// `otherwise` where nothing is left.
fn ascii_slug(words: &str, otherwise: &str) -> String {
    let mut slug = String::new();
    for c in words.chars().map(|c| c.to_ascii_lowercase()) {
        if c.is_ascii_alphanumeric() {
            slug.push(c);
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
        if slug.len() == MAX_SLUG {
            break;
        }
    }
    match slug.trim_end_matches('-') {
        "" => otherwise.to_owned(),
        slug => slug.to_owned(),
    }
}

const COURSE: &str = include_str!("templates/lessons.toml");
const ARM: [&str; 2] =
    [include_str!("templates/arm-lesson.md"), include_str!("templates/arm-notes.md")];
const MODEL: [&str; 2] =
    [include_str!("templates/model-lesson.md"), include_str!("templates/model-notes.md")];

/// A lesson in its two files.
struct LessonTexts {
    title: String,
    lesson: String,
    notes: String,
}

/// The texts of a lesson on a rig, which its front matter calls `rig_name`. For the arm
/// there is a lesson about arms; any other has one of its own joints.
///
/// Fails when no joint can be turned such that something moves.
fn lesson_texts(title: Option<&str>, rig_name: &str, rig: &Rig) -> Result<LessonTexts, Diagnostic> {
    let (usual, [lesson, notes], mut words) = if rig_name == "arm" {
        ("A twisted arm", ARM, Vec::new())
    } else {
        let facts = ModelFacts::of(rig)?;
        ("One joint of a model", MODEL, facts.words())
    };
    let title = title.unwrap_or(usual);
    words.push(("title", in_toml(title)));
    words.push(("rig", in_toml(rig_name)));
    Ok(LessonTexts {
        title: title.to_owned(),
        lesson: filled(lesson, &words),
        notes: filled(notes, &words),
    })
}

/// `lessons.toml` of a course in a folder of that name.
fn course_text(folder: &str) -> String {
    let name = ascii_slug(folder, "course");
    let words = name.replace('-', " ");
    let mut letters = words.chars();
    let first = letters.next().map(|c| c.to_ascii_uppercase());
    let title: String = first.into_iter().chain(letters).collect();
    filled(COURSE, &[("name", name), ("title", in_toml(&title))])
}

/// Each `@word@` by what stands for it. What is filled in is not looked at again.
fn filled(template: &str, words: &[(&str, String)]) -> String {
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('@') {
        text.push_str(before);
        let known = after.split_once('@').and_then(|(word, behind)| {
            let (_, value) = words.iter().find(|(known, _)| *known == word)?;
            Some((value, behind))
        });
        if let Some((value, behind)) = known {
            text.push_str(value);
            rest = behind;
        } else {
            text.push('@');
            rest = after;
        }
    }
    text.push_str(rest);
    text
}
