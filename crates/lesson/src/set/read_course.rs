//! Loads the lessons of a single course, before courses are merged.

use std::sync::Arc;

use bindpose_diagnostic::{Diagnostic, LineColumn, Place};
use include_dir::{Dir, include_dir};

use crate::course::{COURSE_FILE, GLOSSARY, parse_course};
use crate::course_archive::COURSE_FORMULAS;
use crate::inventory::read_inventory;
use crate::outline::insert_parts;
use crate::reader::{Glossary, parse_glossary, parse_outlined, unreadable_lesson};
use crate::routes::{ROUTES, Route, parse_routes};
use crate::typeset::add_formulas;
use crate::{
    Course, CourseFiles, Lesson, LessonOutline, PackedFiles, read_data_files, read_picture_files,
};

/// Position of findings about a whole file.
pub(super) const START: LineColumn = LineColumn { line: 1, column: 1 };

static EMBEDDED: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../lessons");

/// Whether the texts of all lessons are available. In a browser most are downloaded after
/// the program. Until then they are blank, except for front matter and headings.
fn has_all_texts() -> bool {
    let mut folders = EMBEDDED.dirs();
    folders.all(|folder| {
        let notes = folder.get_file(folder.path().join("notes.md"));
        // The download replaces the bytes in memory, which the compiler must not assume
        // to be constant.
        notes.is_none_or(|notes| !std::hint::black_box(notes.contents()).starts_with(b" "))
    })
}

/// Texts of a course beside the folders of its lessons.
pub const COURSE_TEXTS: [&str; 3] = [COURSE_FILE, GLOSSARY, ROUTES];

/// A loaded course: a folder or file of lessons.
#[derive(Debug, Default)]
pub(super) struct LoadedCourse {
    pub(super) about: Course,
    /// Prefix of the paths in findings: `lessons`, or the folder as given.
    pub(super) root: String,
    pub(super) files: CourseFiles,
    /// Lessons in the order of the course, or by number.
    pub(super) lessons: Vec<Lesson>,
    /// Outline of each lesson, in the same order.
    pub(super) outlines: Vec<LessonOutline>,
    pub(super) glossary: Glossary,
    pub(super) routes: Vec<Route>,
    /// Errors in glossary, routes or the folder, with paths relative to the folder.
    pub(super) findings: Vec<Diagnostic>,
    /// Lessons of folders without a `lesson.md`, and those that were not requested.
    pub(super) missing: Vec<Lesson>,
    pub(super) origin: CourseOrigin,
    /// Whether it is a single lesson of a folder; the others are then `missing`.
    pub(super) alone: bool,
    /// Whether a web site of these lessons has pages for them. It has none for courses
    /// opened by a reader.
    pub(super) has_pages: bool,
}

/// Source of a course.
#[derive(Debug, Default)]
pub(super) enum CourseOrigin {
    #[default]
    Memory,
    Program {
        /// Whether the texts of all lessons were available.
        whole: bool,
    },
    #[cfg(not(target_arch = "wasm32"))]
    Folder(super::folder::FolderState),
}

/// The unparsed texts of a course.
#[derive(Default)]
pub(super) struct CourseTexts {
    pub(super) lessons: Vec<UnparsedLesson>,
    /// Text of `lessons.toml`, if there is one.
    pub(super) course: Option<String>,
    pub(super) glossary: String,
    pub(super) routes: String,
}

/// The two texts of a lesson, or the errors of reading them.
pub(super) struct UnparsedLesson {
    pub(super) folder: String,
    pub(super) lesson: Result<String, Diagnostic>,
    pub(super) notes: Result<String, Diagnostic>,
}

impl LoadedCourse {
    /// Loads the built-in lessons.
    pub(super) fn in_program() -> Arc<Self> {
        let whole = has_all_texts();
        let lessons = EMBEDDED.dirs().filter_map(|dir| {
            let folder = dir.path().to_str()?;
            Some(UnparsedLesson {
                folder: folder.to_owned(),
                lesson: Ok(embedded_text(&format!("{folder}/lesson.md"))),
                notes: Ok(embedded_text(&format!("{folder}/notes.md"))),
            })
        });
        let texts = CourseTexts {
            lessons: lessons.collect(),
            course: None,
            glossary: embedded_text(GLOSSARY),
            routes: embedded_text(ROUTES),
        };
        let files = CourseFiles::in_program(&EMBEDDED);
        let read = Self::from_texts("lessons", files, texts);
        Arc::new(Self { origin: CourseOrigin::Program { whole }, has_pages: true, ..read })
    }

    /// Loads a course from texts: the folder name, `lesson.md` and `notes.md` of each
    /// lesson, and the glossary.
    pub(super) fn in_memory(
        lessons: &[(&str, &str, &str)],
        glossary: &str,
        files: CourseFiles,
    ) -> Arc<Self> {
        let lessons = lessons.iter().map(|&(folder, lesson, notes)| UnparsedLesson {
            folder: folder.to_owned(),
            lesson: Ok(lesson.to_owned()),
            notes: Ok(notes.to_owned()),
        });
        let texts = CourseTexts {
            lessons: lessons.collect(),
            glossary: glossary.to_owned(),
            ..CourseTexts::default()
        };
        let read = Self::from_texts("lessons", files, texts);
        Arc::new(Self { has_pages: true, ..read })
    }

    /// Loads an unpacked course. `root` is the name of its file in findings.
    ///
    /// # Errors
    /// If it has no name or no lesson.
    pub(super) fn packed(root: &str, files: PackedFiles) -> Result<Self, Diagnostic> {
        let paths: Vec<String> = files.keys().cloned().collect();
        let files = CourseFiles::in_memory(files);
        let mut findings = Vec::new();
        let [course, glossary, routes] = COURSE_TEXTS.map(|path| {
            files.text(path).unwrap_or_else(|error| {
                findings.push(error.at(Place::text(path, START)));
                None
            })
        });
        let lessons = paths
            .iter()
            .filter_map(|path| path.strip_suffix("/lesson.md"))
            .filter(|folder| !folder.contains('/'))
            .map(|folder| UnparsedLesson {
                folder: folder.to_owned(),
                lesson: packed_text(&files, format!("{folder}/lesson.md")),
                notes: packed_text(&files, format!("{folder}/notes.md")),
            })
            .collect();
        let texts = CourseTexts {
            lessons,
            course,
            glossary: glossary.unwrap_or_default(),
            routes: routes.unwrap_or_default(),
        };
        if let Ok(Some(formulas)) = files.text(COURSE_FORMULAS) {
            add_formulas(&formulas);
        }
        let mut read = Self::from_texts(root, files.clone(), texts);
        read.findings.extend(findings);
        if read.about.name.is_empty() {
            // The name distinguishes its lessons from those of other courses.
            return Err(Diagnostic::expected("the name of the course in lessons.toml", "none")
                .help("write name = \"hands\" there, and pack it again")
                .at(Place::Whole.within(root.to_owned())));
        }
        if read.lessons.is_empty() {
            return Err(Diagnostic::expected("lessons in this course", "none")
                .help("pack the folder that holds the folders NN-slug")
                .at(Place::Whole.within(root.to_owned())));
        }
        Ok(read)
    }

    /// Parses the texts of a course.
    pub(super) fn from_texts(root: &str, files: CourseFiles, texts: CourseTexts) -> Self {
        let (about, mut findings) = match &texts.course {
            Some(text) => parse_course(text),
            None => (Course::unnamed(), Vec::new()),
        };
        let glossary = parse_glossary(&texts.glossary);
        let (routes, wrong_routes) = parse_routes(ROUTES, &texts.routes);
        findings.extend(glossary.findings.iter().cloned());
        findings.extend(wrong_routes);
        let mut read: Vec<_> = texts.lessons.into_iter().map(|texts| texts.parse(&files)).collect();
        read.sort_by(|(a, _), (b, _)| (a.number, &a.slug).cmp(&(b.number, &b.slug)));
        // The sort is stable, so lessons that the course does not list stay in order.
        read.sort_by_key(|(lesson, _)| {
            about.order.iter().position(|slug| *slug == lesson.slug).unwrap_or(usize::MAX)
        });
        for slug in &about.order {
            if !read.iter().any(|(lesson, _)| lesson.slug == *slug) {
                let slugs: Vec<&str> = read.iter().map(|(lesson, _)| &*lesson.slug).collect();
                let error = Diagnostic::unknown("lesson", slug, &slugs);
                findings.push(error.at(Place::text(COURSE_FILE, START)));
            }
        }
        let (lessons, outlines) = read.into_iter().unzip();
        Self {
            about,
            root: root.to_owned(),
            files,
            lessons,
            outlines,
            glossary,
            routes,
            findings,
            ..Self::default()
        }
    }

    pub(super) fn is_built_in(&self) -> bool {
        matches!(self.origin, CourseOrigin::Program { .. })
    }

    /// Whether texts of its lessons were downloaded since it was loaded.
    #[cfg(target_arch = "wasm32")]
    pub(super) fn has_more(&self) -> bool {
        matches!(self.origin, CourseOrigin::Program { whole: false }) && has_all_texts()
    }

    /// Whether only the front matter and the titles of the steps are known.
    pub(super) fn is_outline(&self, lesson: &Lesson) -> bool {
        matches!(self.origin, CourseOrigin::Program { whole: false }) && lesson.notes.is_empty()
    }

    /// Prefix of its file ids. `index` is its position among the courses of a set.
    pub(super) fn key(&self, index: usize) -> String {
        if self.about.name.is_empty() { index.to_string() } else { self.about.name.clone() }
    }

    /// Path in findings of a file of the course.
    pub(super) fn file_name(&self, file: &str) -> String {
        match (&*self.root, file) {
            ("", file) => file.to_owned(),
            (root, "") => root.to_owned(),
            (root, file) => format!("{}/{file}", root.trim_end_matches('/')),
        }
    }

    pub(super) fn glossary_file(&self) -> String {
        self.file_name(GLOSSARY)
    }
}

/// Text of a built-in lesson. Empty if there is no such file.
fn embedded_text(path: &str) -> String {
    let file = EMBEDDED.get_file(path);
    file.and_then(|file| file.contents_utf8()).unwrap_or_default().to_owned()
}

/// Reads a text of a packed course. Empty if there is no such file.
fn packed_text(files: &CourseFiles, path: String) -> Result<String, Diagnostic> {
    let text = files.text(&path).map_err(|error| error.at(Place::text(path, START)))?;
    Ok(text.unwrap_or_default())
}

impl UnparsedLesson {
    /// Parses the lesson and reads the files that it names.
    fn parse(self, files: &CourseFiles) -> (Lesson, LessonOutline) {
        let text = match self.lesson {
            Ok(text) => text,
            Err(error) => return unreadable_lesson(&self.folder, error),
        };
        let notes = self.notes.as_deref().unwrap_or_default();
        let (text, parts, unread_parts) = insert_parts(&self.folder, &text, files);
        let (mut lesson, mut outline) = parse_outlined(&self.folder, &text, notes);
        let folder = &self.folder;
        let read = |name: &str| files.read(&format!("{folder}/{name}"));
        read_data_files(&mut lesson, &mut outline, &read);
        read_picture_files(&mut lesson, &mut outline, &read);
        for finding in &mut lesson.findings {
            finding.at = parts.written_at(std::mem::take(&mut finding.at));
        }
        lesson.findings.extend(unread_parts);
        lesson.findings.extend(self.notes.err());
        let read = read_inventory(folder, files);
        lesson.inventory = read.inventory;
        outline.inventory = read.keys;
        lesson.findings.extend(read.findings);
        outline.parts = parts;
        (lesson, outline)
    }
}

#[cfg(not(target_arch = "wasm32"))]
impl LoadedCourse {
    pub(super) fn is_in_folder(&self) -> bool {
        matches!(self.origin, CourseOrigin::Folder(_))
    }

    /// Returns the folder if any of its files changed.
    pub(super) fn changed_folder(&self) -> Option<&std::path::Path> {
        match &self.origin {
            CourseOrigin::Folder(state) => state.changed(),
            CourseOrigin::Memory | CourseOrigin::Program { .. } => None,
        }
    }

    /// Copies the course with the current findings about its folder, in which `read` found
    /// no lesson any more.
    pub(super) fn with_folder_gone(&self, read: Arc<Self>) -> Self {
        let (findings, origin) =
            Arc::into_inner(read).map(|read| (read.findings, read.origin)).unwrap_or_default();
        Self {
            about: self.about.clone(),
            root: self.root.clone(),
            files: self.files.clone(),
            lessons: self.lessons.clone(),
            outlines: self.outlines.clone(),
            glossary: self.glossary.clone(),
            routes: self.routes.clone(),
            missing: self.missing.clone(),
            findings,
            origin,
            alone: self.alone,
            has_pages: self.has_pages,
        }
    }
}
