//! The lessons of one course, read, before they stand beside those of others.

use std::sync::Arc;

use bindpose_diagnostic::{Diagnostic, LineColumn, Place};
use include_dir::{Dir, include_dir};

use crate::course::{COURSE_FILE, GLOSSARY, parse_course};
use crate::course_archive::COURSE_FORMULAS;
use crate::inventory::read_inventory;
use crate::outline::with_parts;
use crate::reader::{Glossary, parse_glossary, parse_outlined, unread};
use crate::routes::{ROUTES, Route, parse_routes};
use crate::typeset::add_formulas;
use crate::{
    Course, CourseFiles, Lesson, LessonOutline, PackedFiles, read_data_files, read_picture_files,
};

/// Where what is wrong with a whole file is told.
pub(super) const START: LineColumn = LineColumn { line: 1, column: 1 };

static EMBEDDED: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../lessons");

/// Are the texts of all lessons in the program? In a browser those of most come with a
/// later part of it; until then their place is blank, but for heads and headings.
fn has_all_texts() -> bool {
    let mut folders = EMBEDDED.dirs();
    folders.all(|folder| {
        let notes = folder.get_file(folder.path().join("notes.md"));
        // They change in memory, which no compiler expects.
        notes.is_none_or(|notes| !std::hint::black_box(notes.contents()).starts_with(b" "))
    })
}

/// Texts beside the folders of the lessons.
pub const COURSE_TEXTS: [&str; 3] = [COURSE_FILE, GLOSSARY, ROUTES];

/// One folder or file of lessons.
#[derive(Debug, Default)]
pub(super) struct ReadCourse {
    pub(super) about: Course,
    /// What the paths of findings begin with: `lessons`, or the folder given.
    pub(super) root: String,
    pub(super) files: CourseFiles,
    /// By number, or as the course orders them.
    pub(super) lessons: Vec<Lesson>,
    /// One for each lesson, in the same order.
    pub(super) outlines: Vec<LessonOutline>,
    pub(super) glossary: Glossary,
    pub(super) routes: Vec<Route>,
    /// What is wrong with glossary, routes or the folder, its files named from the
    /// folder on.
    pub(super) findings: Vec<Diagnostic>,
    /// What folders without a `lesson.md` would hold.
    pub(super) missing: Vec<Lesson>,
    pub(super) origin: CourseOrigin,
    /// Is it one lesson, read out of a folder of several? Those are then `missing`.
    pub(super) alone: bool,
    /// Does a site of these lessons have pages for them? Of what a reader opens it has
    /// none.
    pub(super) has_pages: bool,
}

/// Where it was read from.
#[derive(Debug, Default)]
pub(super) enum CourseOrigin {
    #[default]
    Memory,
    Program {
        /// Were the texts of all lessons here?
        whole: bool,
    },
    #[cfg(not(target_arch = "wasm32"))]
    Folder(super::folder::FolderState),
}

/// The texts of a course before they are read.
#[derive(Default)]
pub(super) struct CourseTexts {
    pub(super) lessons: Vec<PairOfTexts>,
    /// Of `lessons.toml`; absent where there is none.
    pub(super) course: Option<String>,
    pub(super) glossary: String,
    pub(super) routes: String,
}

/// The two texts of a lesson, or why one cannot be read.
pub(super) struct PairOfTexts {
    pub(super) folder: String,
    pub(super) lesson: Result<String, Diagnostic>,
    pub(super) notes: Result<String, Diagnostic>,
}

impl ReadCourse {
    /// The lessons that are part of the program.
    pub(super) fn in_program() -> Arc<Self> {
        let whole = has_all_texts();
        let text = |path: String| {
            EMBEDDED
                .get_file(path)
                .and_then(|file| file.contents_utf8())
                .unwrap_or_default()
                .to_owned()
        };
        let lessons = EMBEDDED.dirs().filter_map(|dir| {
            let folder = dir.path().to_str()?;
            Some(PairOfTexts {
                folder: folder.to_owned(),
                lesson: Ok(text(format!("{folder}/lesson.md"))),
                notes: Ok(text(format!("{folder}/notes.md"))),
            })
        });
        let texts = CourseTexts {
            lessons: lessons.collect(),
            course: None,
            glossary: text(GLOSSARY.to_owned()),
            routes: text(ROUTES.to_owned()),
        };
        let files = CourseFiles::in_program(&EMBEDDED);
        let read = Self::of_texts("lessons", files, texts);
        Arc::new(Self { origin: CourseOrigin::Program { whole }, has_pages: true, ..read })
    }

    /// Of texts: (folder, `lesson.md`, `notes.md`) each, and the glossary.
    pub(super) fn in_memory(
        lessons: &[(&str, &str, &str)],
        glossary: &str,
        files: CourseFiles,
    ) -> Arc<Self> {
        let lessons = lessons.iter().map(|&(folder, lesson, notes)| PairOfTexts {
            folder: folder.to_owned(),
            lesson: Ok(lesson.to_owned()),
            notes: Ok(notes.to_owned()),
        });
        let texts = CourseTexts {
            lessons: lessons.collect(),
            glossary: glossary.to_owned(),
            ..CourseTexts::default()
        };
        let read = Self::of_texts("lessons", files, texts);
        Arc::new(Self { has_pages: true, ..read })
    }

    /// Of an unpacked course; `root` is what findings call its file.
    ///
    /// Fails when it has no lesson.
    pub(super) fn packed(root: &str, files: PackedFiles) -> Result<Self, Diagnostic> {
        let paths: Vec<String> = files.keys().cloned().collect();
        let files = CourseFiles::in_memory(files);
        let mut findings = Vec::new();
        let mut text = |path: &str| match files.text(path) {
            Ok(text) => text,
            Err(wrong) => {
                findings.push(wrong.at(Place::text(path, START)));
                None
            }
        };
        let folders = paths.iter().filter_map(|path| path.strip_suffix("/lesson.md"));
        let lessons = folders.filter(|folder| !folder.contains('/')).map(|folder| {
            let text = |name: &str| {
                let path = format!("{folder}/{name}");
                let read = files.text(&path).map(Option::unwrap_or_default);
                read.map_err(|wrong| wrong.at(Place::text(path, START)))
            };
            PairOfTexts {
                folder: folder.to_owned(),
                lesson: text("lesson.md"),
                notes: text("notes.md"),
            }
        });
        let texts = CourseTexts {
            lessons: lessons.collect(),
            course: text(COURSE_FILE),
            glossary: text(GLOSSARY).unwrap_or_default(),
            routes: text(ROUTES).unwrap_or_default(),
        };
        if let Ok(Some(formulas)) = files.text(COURSE_FORMULAS) {
            add_formulas(&formulas);
        }
        let mut read = Self::of_texts(root, files.clone(), texts);
        read.findings.extend(findings);
        if read.about.name.is_empty() {
            // Its lessons could not be told from others.
            let wrong = Diagnostic::expected("the name of the course in lessons.toml", "none");
            let wrong = wrong.help("write name = \"hands\" there, and pack it again");
            return Err(wrong.at(Place::Whole.within(root.to_owned())));
        }
        if read.lessons.is_empty() {
            let wrong = Diagnostic::expected("lessons in this course", "none");
            let wrong = wrong.help("pack the folder that holds the folders NN-slug");
            return Err(wrong.at(Place::Whole.within(root.to_owned())));
        }
        Ok(read)
    }

    /// Reads the texts.
    pub(super) fn of_texts(root: &str, files: CourseFiles, texts: CourseTexts) -> Self {
        let (about, mut findings) = match &texts.course {
            Some(text) => parse_course(text),
            None => (Course::unnamed(), Vec::new()),
        };
        let glossary = parse_glossary(&texts.glossary);
        let (routes, wrong_routes) = parse_routes(ROUTES, &texts.routes);
        findings.extend(glossary.findings.iter().cloned());
        findings.extend(wrong_routes);
        let lessons = texts.lessons.into_iter();
        let mut read: Vec<_> = lessons.map(|texts| texts.parse(&files)).collect();
        read.sort_by(|(a, _), (b, _)| (a.number, &a.slug).cmp(&(b.number, &b.slug)));
        let place = |lesson: &Lesson| {
            let named = about.order.iter().position(|slug| *slug == lesson.slug);
            named.unwrap_or(usize::MAX)
        };
        read.sort_by_key(|(lesson, _)| place(lesson));
        for slug in &about.order {
            if !read.iter().any(|(lesson, _)| lesson.slug == *slug) {
                let slugs: Vec<&str> = read.iter().map(|(lesson, _)| &*lesson.slug).collect();
                let wrong = Diagnostic::unknown("lesson", slug, &slugs);
                findings.push(wrong.at(Place::text(COURSE_FILE, START)));
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

    /// Have texts of its lessons come since it was read?
    #[cfg(target_arch = "wasm32")]
    pub(super) fn has_more(&self) -> bool {
        matches!(self.origin, CourseOrigin::Program { whole: false }) && has_all_texts()
    }

    /// Is of this lesson only known what it is called, takes and needs?
    pub(super) fn is_outline(&self, lesson: &Lesson) -> bool {
        matches!(self.origin, CourseOrigin::Program { whole: false }) && lesson.notes.is_empty()
    }

    /// What ids of its files begin with, where it stands at `index` among others.
    pub(super) fn key(&self, index: usize) -> String {
        if self.about.name.is_empty() { index.to_string() } else { self.about.name.clone() }
    }

    /// What findings call a file of it.
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

impl PairOfTexts {
    /// With all that it names among the files of its course.
    fn parse(self, files: &CourseFiles) -> (Lesson, LessonOutline) {
        let text = match self.lesson {
            Ok(text) => text,
            Err(wrong) => return unread(&self.folder, wrong),
        };
        let notes = self.notes.as_deref().unwrap_or_default();
        let (text, parts, unread_parts) = with_parts(&self.folder, &text, files);
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
        let (inventory, keys, wrong) = read_inventory(folder, files);
        (lesson.inventory, outline.inventory) = (inventory, keys);
        lesson.findings.extend(wrong);
        outline.parts = parts;
        (lesson, outline)
    }
}

#[cfg(not(target_arch = "wasm32"))]
impl ReadCourse {
    pub(super) fn is_in_folder(&self) -> bool {
        matches!(self.origin, CourseOrigin::Folder(_))
    }

    /// Its folder, if a file of it is no longer as it was.
    pub(super) fn changed_folder(&self) -> Option<&std::path::Path> {
        match &self.origin {
            CourseOrigin::Folder(state) => state.changed(),
            CourseOrigin::Memory | CourseOrigin::Program { .. } => None,
        }
    }

    /// As it was, with what is wrong with its folder now: `read` found no lesson
    /// there.
    pub(super) fn gone(&self, read: Arc<Self>) -> Self {
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
