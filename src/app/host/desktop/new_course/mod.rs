//! Creates new courses: a folder with its `lessons.toml`, and a first lesson without findings of
//! the check. Templates contain words such as `@title@`, which are replaced for each lesson or
//! model.

mod editor_files;
mod of_model;

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::{fs, io};

use bindpose_check::check_lessons;
use bindpose_diagnostic::{Diagnostic, Severity};
use bindpose_gltf::{ModelSource, Rig};
use bindpose_lesson::{COURSE_FILE, LessonSet, MAX_FILE_BYTES, PackedFiles};
use of_model::{ModelFacts, toml_string};

use self::editor_files::editor_files;
use super::write_file::write_file;

/// Distance between the numbers of two folders, which leaves room for lessons in between.
const FOLDER_NUMBER_STEP: u32 = 10;

const MAX_TITLE_LETTERS: usize = 80;

/// Subject of a new lesson.
#[derive(Clone, Debug)]
pub struct NewLesson<'a> {
    /// Title, or that of the template if `None`.
    pub title: Option<&'a str>,
    /// A built-in rig, or a model, whose files are copied.
    pub rig: &'a Rig,
}

/// Files of a new course or lesson.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewFiles {
    /// Folder of the lesson in that of the course, as in `10-squash`.
    pub lesson_folder: String,
    /// Paths of all files in the course, with `/`.
    pub paths: Vec<String>,
}

/// Writes a folder with `lessons.toml`, one lesson, and files for editors. The folder may exist if
/// it is empty. Its parent must exist.
///
/// # Errors
///
/// A diagnostic if the folder is not empty, the model has no joint that could be turned, or a file
/// cannot be written.
pub fn new_course(folder: &Path, lesson: &NewLesson<'_>) -> Result<NewFiles, Diagnostic> {
    if folder.symlink_metadata().is_ok() {
        let mut entries = fs::read_dir(folder).map_err(|error| write_error(folder, &error))?;
        if entries.next().is_some() {
            let title = format!("there is something in {} already", folder.display());
            let help = "name another folder, or add --lesson for one more lesson in this course";
            return Err(Diagnostic::said("FOLDER_NOT_EMPTY", title).help(help));
        }
    }
    let name = folder_name(folder)?;
    let (lesson_folder, mut files) = lesson_files(FOLDER_NUMBER_STEP, lesson)?;
    files.insert(COURSE_FILE.to_owned(), course_text(&name).into_bytes().into());
    for (path, text) in editor_files()? {
        files.insert(path, text.into_bytes().into());
    }
    if let Err(error) = fs::create_dir(folder)
        && !folder.is_dir()
    {
        return Err(write_error(folder, &error));
    }
    write_all(folder, &files)?;
    Ok(NewFiles { lesson_folder, paths: files.into_keys().collect() })
}

/// Adds a lesson after the other lessons of a course.
///
/// # Errors
///
/// Those of [`new_course`], and if the folder is not a course or has a lesson of that name.
pub fn new_lesson(folder: &Path, lesson: &NewLesson<'_>) -> Result<NewFiles, Diagnostic> {
    let existing = existing_slugs(folder)?;
    let last_number = existing.keys().next_back().copied().unwrap_or(0);
    let number = (last_number / FOLDER_NUMBER_STEP + 1) * FOLDER_NUMBER_STEP;
    let (lesson_folder, files) = lesson_files(number, lesson)?;
    let slug = lesson_folder.split_once('-').map_or("", |(_, slug)| slug);
    if existing.values().flatten().any(|taken| taken == slug) {
        let title = format!("there is a lesson `{slug}` in {} already", folder.display());
        let help = "give the new one another --title: its slug comes from that";
        return Err(Diagnostic::said("NAME_TAKEN", title).help(help));
    }
    write_all(folder, &files)?;
    Ok(NewFiles { lesson_folder, paths: files.into_keys().collect() })
}

/// Returns the slugs of the lessons in a course, by number.
fn existing_slugs(folder: &Path) -> Result<BTreeMap<u32, Vec<String>>, Diagnostic> {
    let entries = fs::read_dir(folder).map_err(|error| {
        let title = format!("{} cannot be read: {error}", folder.display());
        let help = "leave --lesson out to begin a course";
        Diagnostic::said("NO_FOLDER", title).help(help)
    })?;
    let mut slugs: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    for entry in entries.filter_map(Result::ok) {
        let name = entry.file_name();
        let parts = name.to_str().and_then(|name| name.split_once('-'));
        if let Some((number, slug)) = parts
            && let Ok(number) = number.parse::<u32>()
        {
            slugs.entry(number).or_default().push(slug.to_owned());
        }
    }
    if slugs.is_empty() && !folder.join(COURSE_FILE).is_file() {
        let title = format!("{} is no course", folder.display());
        let expected = "lessons.toml, or folders of lessons, NN-slug";
        let help = "leave --lesson out to begin a course in another folder";
        return Err(Diagnostic::expected(expected, "neither").title(title).help(help));
    }
    Ok(slugs)
}

/// Returns the name of a folder, also for paths such as `.`.
fn folder_name(folder: &Path) -> Result<String, Diagnostic> {
    let path = match folder.file_name() {
        Some(_) => folder.to_owned(),
        None => folder.canonicalize().map_err(|error| write_error(folder, &error))?,
    };
    Ok(path.file_name().unwrap_or_default().to_string_lossy().into_owned())
}

/// Makes a lesson without errors. Returns its folder, and its files by their paths in the course.
fn lesson_files(number: u32, lesson: &NewLesson<'_>) -> Result<(String, PackedFiles), Diagnostic> {
    let title = lesson.title.map(normalized_title).transpose()?;
    let source = model_source(lesson.rig);
    let rig_name = source.map_or(&*lesson.rig.id, |source| &*source.name);
    let texts = lesson_texts(title.as_deref(), rig_name, lesson.rig)?;
    let folder = format!("{number}-{}", ascii_slug(&texts.title, "lesson"));
    let mut files = PackedFiles::new();
    files.insert(format!("{folder}/lesson.md"), texts.lesson.into_bytes().into());
    files.insert(format!("{folder}/notes.md"), texts.notes.into_bytes().into());
    if let Some(source) = source {
        for (name, bytes) in model_files(source)? {
            files.insert(format!("{folder}/{name}"), bytes.into());
        }
    }
    reject_errors(&files, rig_name)?;
    Ok((folder, files))
}

/// Files of a model. Returns `None` for a built-in rig.
fn model_source(rig: &Rig) -> Option<&ModelSource> {
    let is_built_in = bindpose_rigs::builtin_ids().contains(&&*rig.id);
    let origin = rig.origin.as_ref().filter(|_| !is_built_in);
    origin.map(|origin| &origin.source)
}

/// Lists names and contents of the files of a model. Rejects files that a lesson cannot contain.
fn model_files(source: &ModelSource) -> Result<Vec<(&str, &[u8])>, Diagnostic> {
    let mut files: Vec<(&str, &[u8])> = vec![(&*source.name, &*source.main)];
    for (name, bytes) in &source.beside {
        files.push((&**name, &**bytes));
    }
    if let Some((name, _)) = files.iter().find(|(name, _)| !is_inside_folder(name)) {
        let title = format!("the model names a file outside of its folder: {name}");
        let help = "save the model as one .glb file, and name that";
        return Err(Diagnostic::said("OUTSIDE", title).help(help));
    }
    if let Some((name, _)) = files.iter().find(|(_, bytes)| bytes.len() > MAX_FILE_BYTES) {
        let max_mib = MAX_FILE_BYTES >> 20;
        let title =
            format!("{name} is longer than the {max_mib} MiB that a lesson can bring along");
        return Err(Diagnostic::said("TOO_LARGE", title).help("make its images smaller"));
    }
    Ok(files)
}

fn is_inside_folder(name: &str) -> bool {
    Path::new(name).components().all(|part| matches!(part, Component::Normal(_)))
}

/// Rejects a lesson with errors, which the template has for some models.
fn reject_errors(lesson: &PackedFiles, rig: &str) -> Result<(), Diagnostic> {
    let mut files = lesson.clone();
    files.insert(COURSE_FILE.to_owned(), course_text("new").into_bytes().into());
    let (set, _) = LessonSet::embedded().with_course("new", files)?;
    let findings = check_lessons(&set, &|id| bindpose_rigs::builtin(id));
    match findings.iter().find(|finding| finding.severity == Severity::Error) {
        None => Ok(()),
        Some(error) => {
            let error = error.sentence();
            let title = format!("the first lesson cannot be written for {rig}: {error}");
            let help = format!("`bindpose doctor {rig}` says what is wrong with the model");
            Err(Diagnostic::said("MODEL_UNFIT", title).help(help))
        }
    }
}

/// Joins a title to one line. Rejects titles that are too long, or without letters and digits.
fn normalized_title(title: &str) -> Result<String, Diagnostic> {
    let words: Vec<&str> = title.split_whitespace().collect();
    let title = words.join(" ");
    let is_valid = title.chars().any(char::is_alphanumeric)
        && title.chars().count() <= MAX_TITLE_LETTERS
        && !title.chars().any(char::is_control);
    if is_valid {
        return Ok(title);
    }
    let expected = format!("a title of one line, up to {MAX_TITLE_LETTERS} letters");
    let help = "write --title \"Squash and stretch\"";
    Err(Diagnostic::expected(expected, format!("`{title}`")).help(help))
}

fn write_all(folder: &Path, files: &PackedFiles) -> Result<(), Diagnostic> {
    for (path, bytes) in files {
        let path: PathBuf = folder.join(path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(|error| write_error(&path, &error))?;
        }
        write_file(&path, bytes, false).map_err(|error| write_error(&path, &error))?;
    }
    Ok(())
}

fn write_error(path: &Path, error: &io::Error) -> Diagnostic {
    let title = format!("{} was not written: {error}", path.display());
    let help = "the folder around it must be there, and you must be allowed to write there";
    Diagnostic::said("IO_ERROR", title).help(help)
}

#[cfg(test)]
mod tests;

/// Maximum length of a name in links.
const MAX_SLUG_LETTERS: usize = 40;

/// Converts words to lower case, and other characters than ASCII letters and digits to hyphens.
/// Returns `fallback` if nothing remains.
fn ascii_slug(words: &str, fallback: &str) -> String {
    let mut slug = String::new();
    for c in words.chars().map(|c| c.to_ascii_lowercase()) {
        if c.is_ascii_alphanumeric() {
            slug.push(c);
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
        if slug.len() == MAX_SLUG_LETTERS {
            break;
        }
    }
    match slug.trim_end_matches('-') {
        "" => fallback.to_owned(),
        slug => slug.to_owned(),
    }
}

const COURSE_TEMPLATE: &str = include_str!("templates/lessons.toml");

/// Texts of a lesson, or templates for them.
struct LessonTexts<T = String> {
    title: T,
    lesson: T,
    notes: T,
}

const ARM_TEMPLATE: LessonTexts<&str> = LessonTexts {
    title: "A twisted arm",
    lesson: include_str!("templates/arm-lesson.md"),
    notes: include_str!("templates/arm-notes.md"),
};

const MODEL_TEMPLATE: LessonTexts<&str> = LessonTexts {
    title: "One joint of a model",
    lesson: include_str!("templates/model-lesson.md"),
    notes: include_str!("templates/model-notes.md"),
};

/// Makes the texts of a lesson on a rig, which its front matter calls `rig_name`. The lesson of the
/// arm is about arms, and that of any other rig about one of its joints.
///
/// # Errors
///
/// A diagnostic if turning a joint moves no part of the model.
fn lesson_texts(title: Option<&str>, rig_name: &str, rig: &Rig) -> Result<LessonTexts, Diagnostic> {
    let (template, mut words) = if rig_name == "arm" {
        (ARM_TEMPLATE, Vec::new())
    } else {
        (MODEL_TEMPLATE, ModelFacts::find(rig)?.template_words())
    };
    let title = title.unwrap_or(template.title);
    words.push(("title", toml_string(title)));
    words.push(("rig", toml_string(rig_name)));
    Ok(LessonTexts {
        title: title.to_owned(),
        lesson: fill_template(template.lesson, &words),
        notes: fill_template(template.notes, &words),
    })
}

/// Makes the `lessons.toml` of a course in a folder of that name.
fn course_text(folder: &str) -> String {
    let name = ascii_slug(folder, "course");
    let mut title = name.replace('-', " ");
    if let Some(first) = title.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    fill_template(COURSE_TEMPLATE, &[("name", name), ("title", toml_string(&title))])
}

/// Replaces each `@word@` by its value. Values are not searched for further words.
fn fill_template(template: &str, words: &[(&str, String)]) -> String {
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('@') {
        text.push_str(before);
        if let Some((word, after_word)) = after.split_once('@')
            && let Some((_, value)) = words.iter().find(|(known, _)| *known == word)
        {
            text.push_str(value);
            rest = after_word;
        } else {
            text.push('@');
            rest = after;
        }
    }
    text.push_str(rest);
    text
}
