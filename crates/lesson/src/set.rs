//! All lessons together: those in the program, those of folders, which are read again
//! when they change, and those of courses in files.
//!
//! # Where lessons come from
//!
//! `lesson/set/` reads courses, one folder, file or text in memory each
//! (`read_course.rs`), and puts them side by side (`assembled.rs`): one list of lessons,
//! one glossary, one list of routes. What a course says of itself is `lesson/course.rs`;
//! where its files lie, in the program, in a folder or in memory, knows
//! `lesson/course_archive.rs` alone, which reads below that folder and nowhere else. A
//! packed course is a ZIP archive (`lesson/course_archive.rs`), unpacked in memory with
//! bounds on everything; `app/packed_courses.rs` gathers what lessons name. Slugs and ids of files
//! have the course before them once lessons stand in a set. `lesson/outline.rs`
//! puts a text together from the files that it includes before anything reads it; places
//! are those of the whole text until the content check tells them.
//! `notebook/lesson_assets.rs` opens the models that lessons bring along. What stands on
//! the stage is asked by step, `Lesson::rig_at`; a step with a rig of its own begins
//! anew.

mod assembled;
#[cfg(not(target_arch = "wasm32"))]
mod disk;
#[cfg(not(target_arch = "wasm32"))]
mod folder;
mod read_course;

use std::sync::Arc;

use bindpose_diagnostic::Diagnostic;

use super::outline::{LessonOutline, Mention};
use super::routes::Route;
use super::{Course, CourseFiles, Lesson, PackedFiles, SymbolTable, Term, find_lesson, find_page};
use read_course::ReadCourse;

pub use read_course::COURSE_TEXTS;

/// Lessons in order, and the glossary.
#[derive(Clone, Debug, Default)]
pub struct LessonSet {
    /// By course, within one by number.
    pub lessons: Vec<Lesson>,
    /// In the order of the glossaries' texts; an entry of a later course stands in the
    /// place of an earlier one of the same name.
    pub glossary: Vec<Term>,
    /// What formulas may use, by the glossaries' tables.
    pub symbols: SymbolTable,
    /// In the order of their texts.
    pub routes: Vec<Route>,
    /// The file of routes that lies elsewhere than the lessons, and what is wrong with
    /// it.
    outside: Option<Outside>,
    /// What is wrong with glossaries, routes or folders, by the names that the files
    /// have here; lessons carry their own findings.
    pub findings: Vec<Diagnostic>,
    /// In the order in which they stand.
    courses: Vec<Arc<ReadCourse>>,
    /// One for each lesson, in the same order.
    outlines: Vec<LessonOutline>,
    /// For each lesson, the index of its course.
    course_of: Vec<usize>,
    /// Slug of a lesson that stays though its file is gone.
    kept: Option<String>,
}

/// A file of routes beside the lessons' own.
#[derive(Clone, Debug)]
struct Outside {
    /// As it was given; findings name it so.
    #[cfg_attr(
        target_arch = "wasm32",
        expect(dead_code, reason = "in a browser, no file is read again")
    )]
    file: String,
    routes: Vec<Route>,
    findings: Vec<Diagnostic>,
}

/// What became of the folders since they were last looked at.
#[derive(Debug)]
pub enum DiskChange {
    /// Nothing.
    Nothing,
    /// The lessons were read again; these stood there before.
    Read(Box<LessonSet>),
    /// A folder holds no lesson any more; those that were read stay.
    Gone,
}

impl LessonSet {
    /// The lessons that are part of the program.
    pub fn embedded() -> Self {
        Self::assembled(vec![ReadCourse::in_program()])
    }

    /// A set from texts in memory: (folder, `lesson.md`, `notes.md`) each, and
    /// the glossary.
    pub fn from_memory(lessons: &[(&str, &str, &str)], glossary: &str) -> Self {
        Self::from_memory_with(lessons, glossary, CourseFiles::default())
    }

    /// As [`Self::from_memory`], with files that the lessons may name.
    pub fn from_memory_with(
        lessons: &[(&str, &str, &str)],
        glossary: &str,
        files: CourseFiles,
    ) -> Self {
        Self::assembled(vec![ReadCourse::in_memory(lessons, glossary, files)])
    }

    /// The course of a lesson, by the lesson's index.
    pub fn course_of(&self, lesson: usize) -> Option<&Course> {
        Some(&self.courses.get(*self.course_of.get(lesson)?)?.about)
    }

    /// What the ids of the files of a lesson's course begin with, by the lesson's index.
    pub fn file_key_of(&self, lesson: usize) -> String {
        let course = self.course_of.get(lesson);
        course.map_or_else(String::new, |&course| self.courses[course].key(course))
    }

    /// Does a site of these lessons have a page for the lesson of that index?
    pub fn has_page(&self, lesson: usize) -> bool {
        let course = self.course_of.get(lesson);
        course.is_some_and(|&course| self.courses[course].has_pages)
    }

    /// Indices of the lessons that do not come with the program; of all, where these
    /// stand alone.
    pub fn own_lessons(&self) -> impl Iterator<Item = usize> {
        let alone = self.courses.iter().all(|course| course.is_built_in());
        let all = 0..self.lessons.len();
        all.filter(move |&lesson| alone || !self.is_built_in(lesson))
    }

    /// What findings call a file of a lesson's course, by the lesson's index; `file` is
    /// its path in there, and empty for the folder.
    pub fn file_name(&self, lesson: usize, file: &str) -> String {
        let course = self.course_of.get(lesson);
        course.map_or_else(|| file.to_owned(), |&course| self.courses[course].file_name(file))
    }

    /// Has the text of the lesson of that index not come yet? Then only its head and the
    /// names of its steps are known.
    pub fn is_outline(&self, lesson: usize) -> bool {
        let course = self.course_of.get(lesson).map(|&course| &self.courses[course]);
        course.is_some_and(|course| course.is_outline(&self.lessons[lesson]))
    }

    /// Are there such lessons?
    pub fn has_outlines(&self) -> bool {
        (0..self.lessons.len()).any(|lesson| self.is_outline(lesson))
    }

    /// Does the lesson of that index come with the program?
    pub fn is_built_in(&self, lesson: usize) -> bool {
        let course = self.course_of.get(lesson);
        course.is_some_and(|&course| self.courses[course].is_built_in())
    }

    /// The file that a lesson brings along, by the id that its lesson gives:
    /// see [`Lesson::rig`].
    ///
    /// Fails when it is not there, or cannot be read.
    pub fn file(&self, id: &str) -> Result<Arc<[u8]>, Diagnostic> {
        let (files, path) = self.files_of(id).ok_or_else(|| {
            let title = format!("there is no file `{id}` in these lessons");
            Diagnostic::said("MISSING", title).help("open the course that it belongs to")
        })?;
        files.read(path)
    }

    /// The files of the course that an id belongs to, and the path among them.
    pub fn files_of<'a>(&self, id: &'a str) -> Option<(&CourseFiles, &'a str)> {
        let (key, path) = id.split_once('/')?;
        let course = self.courses.iter().enumerate();
        let mut course = course.filter(|(index, course)| course.key(*index) == key);
        course.next().map(|(_, course)| (&course.files, path))
    }

    /// The route of that name.
    ///
    /// Errors: with the nearest names.
    pub fn route(&self, name: &str) -> Result<&Route, Diagnostic> {
        let found = self.routes.iter().find(|route| route.name == name.trim());
        found.ok_or_else(|| {
            let names: Vec<&str> = self.routes.iter().map(|route| &*route.name).collect();
            Diagnostic::unknown("route", name, &names)
        })
    }

    /// Adds the routes of a text that stands beside the lessons; findings call it `name`.
    pub fn add_routes_text(&mut self, name: &str, text: &str) {
        let (routes, findings) = super::routes::parse_routes(name, text);
        self.take_outside(Outside { file: name.to_owned(), routes, findings });
    }

    /// What is wrong with the file of routes that was read besides the lessons' own.
    pub fn outside_findings(&self) -> impl Iterator<Item = &Diagnostic> {
        self.outside.iter().flat_map(|outside| &outside.findings)
    }

    /// Lessons with the places of all they name.
    pub fn outlined(&self) -> impl Iterator<Item = (&Lesson, &LessonOutline)> {
        self.lessons.iter().zip(&self.outlines)
    }

    /// The texts that a lesson includes, by their paths below the folder of its course.
    pub fn parts_of(&self, lesson: usize) -> impl Iterator<Item = &str> {
        let outline = self.outlines.get(lesson).into_iter();
        outline.flat_map(|outline| outline.parts.files())
    }

    /// What the glossaries name, each with its file; those of the program only where it
    /// stands alone.
    pub fn own_glossary_mentions(&self) -> impl Iterator<Item = (String, &Mention)> {
        let alone = self.courses.iter().all(|course| course.is_built_in());
        let own = self.courses.iter().filter(move |course| alone || !course.is_built_in());
        own.flat_map(|course| {
            let file = course.glossary_file();
            course.glossary.mentions.iter().map(move |mention| (file.clone(), mention))
        })
    }

    /// Was a glossary not read to its end? Then a term may be missing that is
    /// there.
    pub fn is_glossary_incomplete(&self) -> bool {
        self.courses.iter().any(|course| course.glossary.incomplete)
    }

    /// Is it one lesson, read out of a folder of several? What glossary and routes say
    /// of the others cannot be looked up then.
    pub fn is_alone(&self) -> bool {
        self.courses.iter().any(|course| course.alone)
    }

    /// Is it the name of a lesson, as [`find_lesson`] takes it, whose folder has
    /// no `lesson.md`? A finding says so.
    pub fn is_missing(&self, lesson: &str) -> bool {
        let mut courses = self.courses.iter();
        courses.any(|course| find_lesson(&course.missing, lesson).is_ok())
    }

    /// The link to a step as the lesson begins it. `lesson` and `step` as
    /// [`find_page`] takes them.
    ///
    /// Errors: with the nearest names.
    pub fn page_link(&self, lesson: &str, step: Option<&str>) -> Result<String, Diagnostic> {
        let (lesson, step) = find_page(&self.lessons, lesson, step)?;
        let lesson = &self.lessons[lesson];
        let step = lesson.steps.get(step).map_or("", |step| &step.slug);
        Ok(format!("bindpose://{}/{step}", lesson.slug))
    }

    /// The entry of the glossary.
    pub fn term(&self, slug: &str) -> Option<&Term> {
        self.glossary.iter().find(|term| term.slug == slug)
    }
}

impl LessonSet {
    /// The lessons of the packed course that a site was made of; `file` is what findings
    /// call it.
    ///
    /// Fails when it has no lesson.
    pub fn of_site(file: &str, files: PackedFiles) -> Result<Self, Diagnostic> {
        let read = ReadCourse::packed(file, files)?;
        let has_pages = true;
        let course = Arc::new(ReadCourse { has_pages, ..read });
        Ok(Self::with_built_in(vec![course]))
    }

    /// These lessons and those of a packed course, in the place of one of the same name.
    /// `file` is what findings call it. Also says the index of its first lesson.
    ///
    /// Fails when it has no lesson.
    pub fn with_course(&self, file: &str, files: PackedFiles) -> Result<(Self, usize), Diagnostic> {
        Ok(self.with(&Arc::new(ReadCourse::packed(file, files)?)))
    }

    fn with(&self, added: &Arc<ReadCourse>) -> (Self, usize) {
        let mut courses = self.courses.clone();
        let name = &added.about.name;
        match courses.iter_mut().find(|one| !name.is_empty() && one.about.name == *name) {
            Some(same) => *same = Arc::clone(added),
            None => courses.push(Arc::clone(added)),
        }
        let place = courses.iter().position(|one| Arc::ptr_eq(one, added));
        let mut set = Self::assembled(courses);
        if let Some(outside) = &self.outside {
            set.take_outside(outside.clone());
        }
        let first = set.course_of.iter().position(|course| Some(*course) == place);
        (set, first.unwrap_or(0))
    }
}

#[cfg(not(target_arch = "wasm32"))]
impl LessonSet {
    /// The lessons of a folder: every `NN-slug` in it with a `lesson.md`,
    /// `glossary.md` and `routes.toml`; with the built-in ones where its
    /// `lessons.toml` asks for them; or, by its own folder, one lesson with the glossary
    /// beside it. Never fails; what cannot be read becomes a finding.
    pub fn from_dir(folder: &std::path::Path) -> Self {
        Self::with_built_in(vec![disk::read(folder)])
    }

    /// Lessons of folders and of packed courses. Without any, the built-in ones.
    ///
    /// Fails when one of them has no lesson, or is no course.
    pub fn from_paths(paths: &[std::path::PathBuf]) -> Result<Self, Diagnostic> {
        if paths.is_empty() {
            return Ok(Self::embedded());
        }
        let courses = paths.iter().map(|path| disk::read_path(path));
        Ok(Self::with_built_in(courses.collect::<Result<_, _>>()?))
    }

    /// Do lessons lie in a folder, where they may change?
    pub fn is_on_disk(&self) -> bool {
        self.courses.iter().any(|course| course.is_in_folder())
    }

    /// As [`Self::with_course`], of a file on this machine.
    ///
    /// Fails when it cannot be read, or is no course.
    pub fn with_course_at(&self, path: &std::path::Path) -> Result<(Self, usize), Diagnostic> {
        Ok(self.with(&disk::read_path(path)?))
    }

    /// Adds the routes of a file of the reader's own. What cannot be read becomes a
    /// finding.
    pub fn add_routes_from(&mut self, file: &std::path::Path) {
        let name = file.display().to_string();
        match disk::read_text(file, &name) {
            Ok(text) => self.add_routes_text(&name, &text),
            Err(wrong) => {
                self.take_outside(Outside {
                    file: name,
                    routes: Vec::new(),
                    findings: vec![wrong],
                });
            }
        }
    }

    /// Reads everything again if a file of a folder changed since it was
    /// read. Only looks at sizes and times, so that it can be asked every second.
    /// Lessons keep their order. If a folder itself is gone, its lessons stay,
    /// with a finding.
    pub fn read_changes(&mut self) -> DiskChange {
        let mut gone = false;
        let mut changed = false;
        let mut courses = Vec::new();
        for course in &self.courses {
            let Some(folder) = course.changed_folder() else {
                courses.push(Arc::clone(course));
                continue;
            };
            let read = disk::read(folder);
            if read.lessons.is_empty() && !course.lessons.is_empty() {
                gone = true;
                courses.push(Arc::new(course.gone(read)));
            } else {
                changed = true;
                courses.push(read);
            }
        }
        if !gone && !changed {
            return DiskChange::Nothing;
        }
        let mut read = Self::with_built_in(courses);
        if let Some(outside) = self.outside.take() {
            read.add_routes_from(std::path::Path::new(&outside.file));
        }
        let before = std::mem::replace(self, read);
        if changed {
            DiskChange::Read(Box::new(before))
        } else {
            self.kept = before.kept;
            DiskChange::Gone
        }
    }
}

#[cfg(target_arch = "wasm32")]
impl LessonSet {
    /// Reads the lessons of the program again once all their texts have come. On the web
    /// there is no disk.
    pub fn read_changes(&mut self) -> DiskChange {
        if !self.courses.iter().any(|course| course.has_more()) {
            return DiskChange::Nothing;
        }
        let read = |course: &Arc<ReadCourse>| match course.has_more() {
            true => ReadCourse::in_program(),
            false => Arc::clone(course),
        };
        let mut read = Self::assembled(self.courses.iter().map(read).collect());
        if let Some(outside) = self.outside.take() {
            read.take_outside(outside);
        }
        DiskChange::Read(Box::new(std::mem::replace(self, read)))
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn embedded_lessons_come_by_number() {
        let set = LessonSet::embedded();
        let numbers: Vec<u32> = set.lessons.iter().map(|lesson| lesson.number).collect();
        assert!(numbers.is_sorted(), "{numbers:?}");
        assert!(!changed(&mut set.clone()));
    }

    fn changed(set: &mut LessonSet) -> bool {
        !matches!(set.read_changes(), DiskChange::Nothing)
    }

    fn write(folder: &Path, name: &str, title: &str) {
        let folder = folder.join(name);
        std::fs::create_dir_all(&folder).unwrap();
        let text =
            format!("+++\ntitle = \"{title}\"\nminutes = 5\nrig = \"r\"\n+++\n## One\n\nText.\n");
        std::fs::write(folder.join("lesson.md"), text).unwrap();
    }

    fn titles(set: &LessonSet) -> Vec<&str> {
        set.lessons.iter().map(|l| l.title.as_str()).collect()
    }

    #[test]
    fn a_folder_is_read_in_order_and_again_when_it_changes() {
        let dir = tempfile::tempdir().unwrap();
        write(dir.path(), "100-c", "C");
        write(dir.path(), "20-b", "B");
        std::fs::create_dir(dir.path().join("pictures")).unwrap();
        std::fs::write(dir.path().join("glossary.md"), "## joint\n\nA frame.\n").unwrap();
        let mut set = LessonSet::from_dir(dir.path());
        assert_eq!(titles(&set), ["B", "C"]);
        assert_eq!(set.term("joint").unwrap().title, "joint");
        assert!(set.findings.is_empty(), "{:?}", set.findings);
        assert!(!changed(&mut set), "nothing happened yet");

        write(dir.path(), "20-b", "Better");
        assert!(changed(&mut set));
        assert_eq!(titles(&set), ["Better", "C"]);
        write(dir.path(), "10-a", "A");
        assert!(changed(&mut set));
        assert_eq!(titles(&set), ["A", "Better", "C"]);
        assert!(!changed(&mut set));
    }

    #[test]
    fn one_lesson_is_read_by_its_folder_or_its_text_and_again_when_it_changes() {
        let dir = tempfile::tempdir().unwrap();
        write(dir.path(), "20-b", "B");
        write(dir.path(), "30-c", "C");
        std::fs::write(dir.path().join("glossary.md"), "## joint\n\nA frame.\n").unwrap();
        for name in ["20-b", "20-b/lesson.md"] {
            let set = LessonSet::from_dir(&dir.path().join(name));
            assert_eq!(titles(&set), ["B"], "{name}");
            assert!(set.is_alone() && set.is_missing("c") && set.term("joint").is_some());
            assert_eq!(set.file_name(0, ""), dir.path().display().to_string());
        }
        let mut set = LessonSet::from_dir(&dir.path().join("20-b"));
        write(dir.path(), "30-c", "Another");
        assert!(!changed(&mut set), "not its own");
        write(dir.path(), "20-b", "Better");
        assert!(changed(&mut set));
        assert_eq!(titles(&set), ["Better"]);
        assert!(!LessonSet::from_dir(dir.path()).is_alone());
    }

    #[test]
    fn what_cannot_be_read_is_a_finding_and_the_rest_stays() {
        let dir = tempfile::tempdir().unwrap();
        let lessons = dir.path().join("lessons");
        write(&lessons, "20-b", "B");
        std::fs::write(lessons.join("20-b/notes.md"), [0xff, 0xfe, 0x00]).unwrap();
        std::fs::create_dir_all(lessons.join("30-x")).unwrap();
        let long = "x".repeat(600 * 1024);
        std::fs::write(lessons.join("30-x/lesson.md"), long).unwrap();
        let mut set = LessonSet::from_dir(&lessons);
        let found = |index: usize| format!("{:?}", set.lessons[index].findings);
        assert!(found(0).contains("UTF-8"), "{}", found(0));
        assert!(found(1).contains("bytes"), "{}", found(1));

        std::fs::remove_dir_all(&lessons).unwrap();
        assert!(matches!(set.read_changes(), DiskChange::Gone));
        assert_eq!(set.lessons.len(), 2, "the lessons stay on the page");
        assert_eq!(set.findings[0].expected, "a folder with lessons");
        assert!(!changed(&mut set), "said once");
    }
}
