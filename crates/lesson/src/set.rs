//! The set of all open lessons: the built-in ones, those of folders, which are reloaded when
//! they change, and those of packed courses.
//!
//! # Where lessons come from
//!
//! `lesson/set/` loads courses from folders, packed files or memory (`read_course.rs`), and
//! merges them (`assembled.rs`) into one list of lessons, one glossary and one list of
//! routes. `lesson/course.rs` holds the metadata of a course. Only
//! `lesson/course_archive.rs` accesses the files of a course, in the program, in a folder
//! or in memory, and it never reads outside that folder. A packed course is a ZIP archive
//! (`lesson/course_archive.rs`), which is unpacked in memory with limits on everything;
//! `app/host/desktop/packed_courses.rs` collects the files that lessons name. In a set, slugs and file
//! ids are prefixed by the course. `lesson/outline.rs` inserts included files into a text
//! before it is parsed; positions refer to the combined text until the content check maps
//! them back. `notebook/lesson_assets.rs` opens the models of lessons. The rig on the stage
//! depends on the step, `Lesson::rig_at`; a step that changes the rig resets the page.

mod assembled;
#[cfg(not(target_arch = "wasm32"))]
mod disk;
#[cfg(not(target_arch = "wasm32"))]
mod folder;
#[cfg(not(target_arch = "wasm32"))]
mod formulas;
mod read_course;

use std::sync::Arc;

use bindpose_diagnostic::Diagnostic;

use super::outline::{LessonOutline, Mention};
use super::routes::Route;
use super::{Course, CourseFiles, Lesson, PackedFiles, SymbolTable, Term, find_lesson, find_page};
use read_course::LoadedCourse;

pub use read_course::COURSE_TEXTS;

/// All lessons in order, with the glossary and the routes of their courses.
#[derive(Clone, Debug, Default)]
pub struct LessonSet {
    /// Lessons by course, and by number within a course.
    pub lessons: Vec<Lesson>,
    /// Terms in the order of the glossaries. A term of a later course replaces one of the
    /// same name.
    pub glossary: Vec<Term>,
    /// Symbols of formulas, from the tables of the glossaries.
    pub symbols: SymbolTable,
    /// Routes in the order of their files.
    pub routes: Vec<Route>,
    /// Routes from a file that belongs to no course.
    external_routes: Option<ExternalRoutes>,
    /// Errors in glossaries, routes and folders. Findings about a lesson are in the lesson.
    pub findings: Vec<Diagnostic>,
    /// Courses in the order of their lessons.
    courses: Vec<Arc<LoadedCourse>>,
    /// Outline of each lesson, in the same order.
    outlines: Vec<LessonOutline>,
    /// Course index of each lesson.
    course_of: Vec<usize>,
    /// Slug of a lesson that is kept although its file is gone.
    kept: Option<String>,
}

/// A file of routes that belongs to no course.
#[derive(Clone, Debug)]
struct ExternalRoutes {
    /// Path as given, which findings show.
    #[cfg_attr(target_arch = "wasm32", expect(dead_code, reason = "browsers do not reload files"))]
    file: String,
    routes: Vec<Route>,
    findings: Vec<Diagnostic>,
}

/// Result of checking the folders for changes.
#[derive(Debug)]
pub enum DiskChange {
    Nothing,
    /// The lessons were reloaded. Holds the previous set.
    Read(Box<LessonSet>),
    /// A folder no longer holds any lesson. Its previous lessons are kept.
    Gone,
}

impl LessonSet {
    /// The built-in lessons.
    pub fn embedded() -> Self {
        Self::assembled(vec![LoadedCourse::in_program()])
    }

    /// Builds a set from texts in memory: the folder name, `lesson.md` and `notes.md` of
    /// each lesson, and the glossary.
    pub fn from_memory(lessons: &[(&str, &str, &str)], glossary: &str) -> Self {
        Self::from_memory_with(lessons, glossary, CourseFiles::default())
    }

    /// Like [`Self::from_memory`], with further files that the lessons can name.
    pub fn from_memory_with(
        lessons: &[(&str, &str, &str)],
        glossary: &str,
        files: CourseFiles,
    ) -> Self {
        Self::assembled(vec![LoadedCourse::in_memory(lessons, glossary, files)])
    }

    /// Course of the lesson at an index.
    pub fn course_of(&self, lesson: usize) -> Option<&Course> {
        Some(&self.courses.get(*self.course_of.get(lesson)?)?.about)
    }

    /// Prefix of the file ids in the course of the lesson at an index.
    pub fn file_key_of(&self, lesson: usize) -> String {
        let course = self.course_of.get(lesson);
        course.map_or_else(String::new, |&course| self.courses[course].key(course))
    }

    /// Whether a web site of these lessons has a page for the lesson at an index.
    pub fn has_page(&self, lesson: usize) -> bool {
        let course = self.course_of.get(lesson);
        course.is_some_and(|&course| self.courses[course].has_pages)
    }

    /// Indices of the lessons that are not built in, or of all lessons if only built-in ones
    /// are open.
    pub fn own_lessons(&self) -> impl Iterator<Item = usize> {
        let only_built_in = self.courses.iter().all(|course| course.is_built_in());
        (0..self.lessons.len()).filter(move |&lesson| only_built_in || !self.is_built_in(lesson))
    }

    /// Name in findings of a file in the course of the lesson at an index. `file` is its
    /// path in the course, or empty for the folder itself.
    pub fn file_name(&self, lesson: usize, file: &str) -> String {
        let course = self.course_of.get(lesson);
        course.map_or_else(|| file.to_owned(), |&course| self.courses[course].file_name(file))
    }

    /// Whether the text of the lesson at an index has not been downloaded yet, so that only
    /// its front matter and the titles of its steps are known.
    pub fn is_outline(&self, lesson: usize) -> bool {
        let course = self.course_of.get(lesson).map(|&course| &self.courses[course]);
        course.is_some_and(|course| course.is_outline(&self.lessons[lesson]))
    }

    /// Whether any lesson is still an outline, see [`Self::is_outline`].
    pub fn has_outlines(&self) -> bool {
        (0..self.lessons.len()).any(|lesson| self.is_outline(lesson))
    }

    /// Whether the lesson at an index is built in.
    pub fn is_built_in(&self, lesson: usize) -> bool {
        let course = self.course_of.get(lesson);
        course.is_some_and(|&course| self.courses[course].is_built_in())
    }

    /// Reads a model file of a lesson by its id, see [`Lesson::rig`].
    ///
    /// # Errors
    /// If there is no such file, or it cannot be read.
    pub fn file(&self, id: &str) -> Result<Arc<[u8]>, Diagnostic> {
        let (files, path) = self.files_of(id).ok_or_else(|| {
            let title = format!("there is no file `{id}` in these lessons");
            Diagnostic::said("MISSING", title).help("open the course that it belongs to")
        })?;
        files.read(path)
    }

    /// Files of the course that an id belongs to, and the path among them.
    pub fn files_of<'a>(&self, id: &'a str) -> Option<(&CourseFiles, &'a str)> {
        let (key, path) = id.split_once('/')?;
        let (_, course) =
            self.courses.iter().enumerate().find(|(index, course)| course.key(*index) == key)?;
        Some((&course.files, path))
    }

    /// Returns the route of that name.
    ///
    /// # Errors
    /// If there is none. The error suggests the nearest names.
    pub fn route(&self, name: &str) -> Result<&Route, Diagnostic> {
        let found = self.routes.iter().find(|route| route.name == name.trim());
        found.ok_or_else(|| {
            let names: Vec<&str> = self.routes.iter().map(|route| &*route.name).collect();
            Diagnostic::unknown("route", name, &names)
        })
    }

    /// Adds routes from a text that belongs to no course. `name` is its name in findings.
    pub fn add_routes_text(&mut self, name: &str, text: &str) {
        let (routes, findings) = super::routes::parse_routes(name, text);
        self.set_external_routes(ExternalRoutes { file: name.to_owned(), routes, findings });
    }

    /// Findings about the file of routes that belongs to no course.
    pub fn outside_findings(&self) -> impl Iterator<Item = &Diagnostic> {
        self.external_routes.iter().flat_map(|external| &external.findings)
    }

    /// All lessons with their outlines.
    pub fn outlined(&self) -> impl Iterator<Item = (&Lesson, &LessonOutline)> {
        self.lessons.iter().zip(&self.outlines)
    }

    /// Paths of the texts that a lesson includes, relative to the folder of its course.
    pub fn parts_of(&self, lesson: usize) -> impl Iterator<Item = &str> {
        let outline = self.outlines.get(lesson).into_iter();
        outline.flat_map(|outline| outline.parts.files())
    }

    /// Names in the glossaries, each with the name of its file. Excludes the built-in
    /// glossary, unless only built-in lessons are open.
    pub fn own_glossary_mentions(&self) -> impl Iterator<Item = (String, &Mention)> {
        let only_built_in = self.courses.iter().all(|course| course.is_built_in());
        let own = self.courses.iter().filter(move |course| only_built_in || !course.is_built_in());
        own.flat_map(|course| {
            let file = course.glossary_file();
            course.glossary.mentions.iter().map(move |mention| (file.clone(), mention))
        })
    }

    /// Whether parsing of a glossary stopped early, so that terms may be missing.
    pub fn is_glossary_incomplete(&self) -> bool {
        self.courses.iter().any(|course| course.glossary.incomplete)
    }

    /// Whether a single lesson of a folder is open. References from its glossary and routes
    /// to other lessons cannot be checked then.
    pub fn is_alone(&self) -> bool {
        self.courses.iter().any(|course| course.alone)
    }

    /// Whether a lesson, named as for [`find_lesson`], has a folder without `lesson.md`,
    /// which a finding reports.
    pub fn is_missing(&self, lesson: &str) -> bool {
        let mut courses = self.courses.iter();
        courses.any(|course| find_lesson(&course.missing, lesson).is_ok())
    }

    /// Link to a step in its initial state. `lesson` and `step` are names for [`find_page`].
    ///
    /// # Errors
    /// If there is no such step. The error suggests the nearest names.
    pub fn page_link(&self, lesson: &str, step: Option<&str>) -> Result<String, Diagnostic> {
        let (lesson, step) = find_page(&self.lessons, lesson, step)?;
        let lesson = &self.lessons[lesson];
        let step = lesson.steps.get(step).map_or("", |step| &step.slug);
        Ok(format!("bindpose://{}/{step}", lesson.slug))
    }

    /// Returns a term of the glossary by its slug.
    pub fn term(&self, slug: &str) -> Option<&Term> {
        self.glossary.iter().find(|term| term.slug == slug)
    }
}

impl LessonSet {
    /// The lessons of a web site, from its packed course. `file` is its name in findings.
    ///
    /// # Errors
    /// If the course has no lesson.
    pub fn of_site(file: &str, files: PackedFiles) -> Result<Self, Diagnostic> {
        let read = LoadedCourse::packed(file, files)?;
        let course = LoadedCourse { has_pages: true, ..read };
        Ok(Self::with_built_in(vec![Arc::new(course)]))
    }

    /// Adds a packed course, replacing one of the same name. Returns the new set and the
    /// index of the first lesson of the course. `file` is its name in findings.
    ///
    /// # Errors
    /// If the course has no lesson.
    pub fn with_course(&self, file: &str, files: PackedFiles) -> Result<(Self, usize), Diagnostic> {
        Ok(self.with(&Arc::new(LoadedCourse::packed(file, files)?)))
    }

    fn with(&self, added: &Arc<LoadedCourse>) -> (Self, usize) {
        let mut courses = self.courses.clone();
        let name = &added.about.name;
        match courses.iter_mut().find(|one| !name.is_empty() && one.about.name == *name) {
            Some(same) => *same = Arc::clone(added),
            None => courses.push(Arc::clone(added)),
        }
        let place = courses.iter().position(|one| Arc::ptr_eq(one, added));
        let mut set = Self::assembled(courses);
        if let Some(external) = &self.external_routes {
            set.set_external_routes(external.clone());
        }
        let first = set.course_of.iter().position(|course| Some(*course) == place);
        (set, first.unwrap_or(0))
    }
}

#[cfg(not(target_arch = "wasm32"))]
impl LessonSet {
    /// Loads the lessons of a folder: each `NN-slug` in it with a `lesson.md`,
    /// `glossary.md` and `routes.toml`, and the built-in lessons if its `lessons.toml`
    /// includes them. The folder of a single lesson loads that lesson with the glossary of
    /// the enclosing folder. Never fails: errors become findings.
    pub fn from_dir(folder: &std::path::Path) -> Self {
        Self::with_built_in(vec![disk::load_folder(folder)])
    }

    /// Loads lessons from folders and packed courses. Without any, the built-in ones.
    ///
    /// # Errors
    /// If one of them has no lesson, or is no course.
    pub fn from_paths(paths: &[std::path::PathBuf]) -> Result<Self, Diagnostic> {
        if paths.is_empty() {
            return Ok(Self::embedded());
        }
        let courses = paths.iter().map(|path| disk::load_path(path));
        Ok(Self::with_built_in(courses.collect::<Result<_, _>>()?))
    }

    /// Whether any lessons are in a folder on disk, and can change.
    pub fn is_on_disk(&self) -> bool {
        self.courses.iter().any(|course| course.is_in_folder())
    }

    /// Like [`Self::with_course`], for a file on this machine.
    ///
    /// # Errors
    /// If it cannot be read, or is no course.
    pub fn with_course_at(&self, path: &std::path::Path) -> Result<(Self, usize), Diagnostic> {
        Ok(self.with(&disk::load_path(path)?))
    }

    /// Adds routes from a file of the reader. Errors become findings.
    pub fn add_routes_from(&mut self, file: &std::path::Path) {
        let name = file.display().to_string();
        match disk::read_text(file, &name) {
            Ok(text) => self.add_routes_text(&name, &text),
            Err(error) => {
                self.set_external_routes(ExternalRoutes {
                    file: name,
                    routes: Vec::new(),
                    findings: vec![error],
                });
            }
        }
    }

    /// Reloads all lessons if a file of a folder changed. Compares only sizes and times, so
    /// it is cheap enough for every second. Lessons keep their order. If a folder is gone,
    /// its lessons are kept, with a finding.
    pub fn read_changes(&mut self) -> DiskChange {
        let mut gone = false;
        let mut changed = false;
        let mut courses = Vec::new();
        for course in &self.courses {
            let Some(folder) = course.changed_folder() else {
                courses.push(Arc::clone(course));
                continue;
            };
            let read = disk::load_folder(folder);
            if read.lessons.is_empty() && !course.lessons.is_empty() {
                gone = true;
                courses.push(Arc::new(course.with_folder_gone(read)));
            } else {
                changed = true;
                courses.push(read);
            }
        }
        if !gone && !changed {
            return DiskChange::Nothing;
        }
        let mut set = Self::with_built_in(courses);
        if let Some(external) = self.external_routes.take() {
            set.add_routes_from(std::path::Path::new(&external.file));
        }
        let before = std::mem::replace(self, set);
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
    /// Reloads the built-in lessons once all their texts are downloaded. Browsers have no
    /// folders on disk to reload.
    pub fn read_changes(&mut self) -> DiskChange {
        if !self.courses.iter().any(|course| course.has_more()) {
            return DiskChange::Nothing;
        }
        let courses =
            self.courses
                .iter()
                .map(|course| {
                    if course.has_more() { LoadedCourse::in_program() } else { Arc::clone(course) }
                })
                .collect();
        let mut set = Self::assembled(courses);
        if let Some(external) = self.external_routes.take() {
            set.set_external_routes(external);
        }
        DiskChange::Read(Box::new(std::mem::replace(self, set)))
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn embedded_lessons_are_sorted_by_number() {
        let set = LessonSet::embedded();
        let numbers: Vec<u32> = set.lessons.iter().map(|lesson| lesson.number).collect();
        assert!(numbers.is_sorted(), "{numbers:?}");
        let folders: Vec<&str> = set.lessons.iter().map(|lesson| &*lesson.folder).collect();
        assert!(folders.is_sorted(), "a file manager shows another order: {folders:?}");
        assert!(!changed(&mut set.clone()));
    }

    /// Links on other sites and bookmarks use these addresses.
    #[test]
    fn addresses_of_embedded_lessons_never_change() {
        let set = LessonSet::embedded();
        let addresses: Vec<&str> = set.lessons.iter().map(Lesson::site_folder).collect();
        let published = [
            "10-what-skinning-is",
            "20-bind-pose",
            "30-hierarchy",
            "40-bone-grid",
            "50-gltf-joint-matrices",
            "60-normals",
            "70-weights",
            "75-weight-sources",
            "80-texture-storage",
            "90-gltf-bytes",
            "100-scene-graph",
            "110-whale",
            "120-debugging",
            "130-time",
            "140-beyond-linear",
            "150-conventions",
            "160-your-model",
        ];
        assert_eq!(addresses, published);
    }

    #[test]
    fn addresses_have_no_zeros_that_only_sort_folders() {
        for (folder, address) in [
            ("020-bind-pose", "20-bind-pose"),
            ("0100-whale", "100-whale"),
            ("05-x", "05-x"),
            ("5-x", "5-x"),
            ("20-x", "20-x"),
            ("000-x", "00-x"),
            ("x", "x"),
        ] {
            let lesson = Lesson { folder: folder.to_owned(), ..Lesson::default() };
            assert_eq!(lesson.site_folder(), address);
            assert!(lesson.has_folder(folder) && lesson.has_folder(address));
        }
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
    fn loads_a_folder_in_order_and_reloads_it_on_changes() {
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
    fn loads_a_single_lesson_and_reloads_it_on_changes() {
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
    fn unreadable_files_become_findings() {
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
