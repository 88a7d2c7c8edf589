//! All lessons together: those in the program, or those of a folder, which are
//! read again when they change.

#[cfg(not(target_arch = "wasm32"))]
mod disk;
mod kept;
mod texts;

use include_dir::{Dir, include_dir};

use super::outline::{Mention, Outline};
use super::reader::{Glossary, parse_glossary};
use super::routes::{ROUTES, Route, parse_routes};
use super::{Lesson, SymbolTable, Term, find_lesson, find_step};
use crate::diagnostic::{Diagnostic, Place};
#[cfg(not(target_arch = "wasm32"))]
use disk::Read;
use texts::{GLOSSARY, Texts};

static EMBEDDED: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/lessons");

/// Lessons in order, and the glossary.
#[derive(Clone, Debug, Default)]
pub struct LessonSet {
    /// By number.
    pub lessons: Vec<Lesson>,
    /// In the order of the glossary's text.
    pub glossary: Vec<Term>,
    /// What formulas may use, by the glossary's table.
    pub symbols: SymbolTable,
    /// In the order of their text.
    pub routes: Vec<Route>,
    /// The file of routes that lies elsewhere than the lessons.
    outside: Option<String>,
    /// What is wrong with the glossary, the routes or the folder; lessons carry
    /// their own findings.
    pub findings: Vec<Diagnostic>,
    /// What the paths of findings are relative to: `lessons`, or the folder
    /// given.
    pub root: String,
    /// One for each lesson, in the same order.
    outlines: Vec<Outline>,
    glossary_mentions: Vec<Mention>,
    /// Was the glossary not read to its end, so that terms may be missing?
    glossary_incomplete: bool,
    /// What folders without a `lesson.md` would hold.
    missing: Vec<Lesson>,
    /// Is it one lesson, read out of a folder of several?
    alone: bool,
    /// Slug of a lesson that stays though its file is gone.
    kept: Option<String>,
    #[cfg(not(target_arch = "wasm32"))]
    disk: Option<disk::Disk>,
}

/// What became of the folder since it was last looked at.
#[derive(Debug)]
pub enum DiskChange {
    /// Nothing.
    Nothing,
    /// The lessons were read again; these stood there before.
    Read(Box<LessonSet>),
    /// It holds no lesson any more; those that were read stay.
    Gone,
}

impl LessonSet {
    /// The lessons that are part of the program.
    #[must_use]
    pub fn embedded() -> Self {
        let text = |path: String| {
            EMBEDDED
                .get_file(path)
                .and_then(|file| file.contents_utf8())
                .unwrap_or_default()
                .to_owned()
        };
        let texts = EMBEDDED.dirs().filter_map(|dir| {
            let folder = dir.path().to_str()?;
            Some(Texts {
                folder: folder.to_owned(),
                lesson: Ok(text(format!("{folder}/lesson.md"))),
                notes: Ok(text(format!("{folder}/notes.md"))),
            })
        });
        let glossary = text(GLOSSARY.to_owned());
        let mut set = Self::from_texts("lessons", texts.collect(), &glossary);
        set.add_routes(ROUTES, &text(ROUTES.to_owned()));
        set
    }

    /// A set from texts in memory: (folder, `lesson.md`, `notes.md`) each, and
    /// the glossary.
    #[must_use]
    pub fn from_memory(lessons: &[(&str, &str, &str)], glossary: &str) -> Self {
        let texts = lessons.iter().map(|&(folder, lesson, notes)| Texts {
            folder: folder.to_owned(),
            lesson: Ok(lesson.to_owned()),
            notes: Ok(notes.to_owned()),
        });
        Self::from_texts("lessons", texts.collect(), glossary)
    }

    fn from_texts(root: &str, texts: Vec<Texts>, glossary: &str) -> Self {
        let Glossary {
            terms,
            mentions,
            findings,
            incomplete,
        } = parse_glossary(glossary);
        let mut read: Vec<_> = texts.into_iter().map(Texts::parse).collect();
        read.sort_by(|(a, _), (b, _)| (a.number, &a.slug).cmp(&(b.number, &b.slug)));
        let (lessons, outlines) = read.into_iter().unzip();
        Self {
            lessons,
            symbols: SymbolTable::from_terms(&terms),
            glossary: terms,
            routes: Vec::new(),
            outside: None,
            findings,
            root: root.to_owned(),
            outlines,
            glossary_mentions: mentions,
            glossary_incomplete: incomplete,
            missing: Vec::new(),
            alone: false,
            kept: None,
            #[cfg(not(target_arch = "wasm32"))]
            disk: None,
        }
    }

    /// Adds the routes of a text, which findings call `file`; one whose name is
    /// taken takes the place of the other.
    pub fn add_routes(&mut self, file: &str, text: &str) {
        let (routes, findings) = parse_routes(file, text);
        for route in routes {
            match self.routes.iter_mut().find(|one| one.name == route.name) {
                Some(same) => *same = route,
                None => self.routes.push(route),
            }
        }
        self.findings.extend(findings);
    }

    /// The file of routes that was read besides the lessons' own; findings name it
    /// as it was given.
    #[must_use]
    pub fn outside(&self) -> Option<&str> {
        self.outside.as_deref()
    }

    /// What is wrong with that file.
    pub fn outside_findings(&self) -> impl Iterator<Item = &Diagnostic> {
        let of_file = |finding: &&Diagnostic| matches!(&finding.at, Place::Text { file, .. } if Some(&**file) == self.outside());
        self.findings.iter().filter(of_file)
    }

    /// The route of that name.
    ///
    /// # Errors
    /// With the nearest names.
    pub fn route(&self, name: &str) -> Result<&Route, Diagnostic> {
        let found = self.routes.iter().find(|route| route.name == name.trim());
        found.ok_or_else(|| {
            let names: Vec<&str> = self.routes.iter().map(|route| &*route.name).collect();
            Diagnostic::unknown("route", name, &names)
        })
    }

    /// Lessons with the places of all they name.
    pub fn outlined(&self) -> impl Iterator<Item = (&Lesson, &Outline)> {
        self.lessons.iter().zip(&self.outlines)
    }

    /// What the glossary names.
    #[must_use]
    pub fn glossary_mentions(&self) -> &[Mention] {
        &self.glossary_mentions
    }

    /// Was the glossary not read to its end? Then a term may be missing that is
    /// there.
    #[must_use]
    pub fn is_glossary_incomplete(&self) -> bool {
        self.glossary_incomplete
    }

    /// Is it one lesson, read out of a folder of several? What glossary and routes say
    /// of the others cannot be looked up then.
    #[must_use]
    pub fn is_alone(&self) -> bool {
        self.alone
    }

    /// Is it the name of a lesson, as [`find_lesson`] takes it, whose folder has
    /// no `lesson.md`? A finding says so.
    #[must_use]
    pub fn is_missing(&self, lesson: &str) -> bool {
        find_lesson(&self.missing, lesson).is_ok()
    }

    /// The link to a step as the lesson begins it. `lesson` and `step` as
    /// [`find_lesson`] and [`find_step`] take them; no step is the first.
    ///
    /// # Errors
    /// With the nearest names.
    pub fn page_link(&self, lesson: &str, step: Option<&str>) -> Result<String, Diagnostic> {
        let lesson = &self.lessons[find_lesson(&self.lessons, lesson)?];
        let index = step.map_or(Ok(0), |step| find_step(lesson, step))?;
        let step = lesson.steps.get(index).map_or("", |step| &step.slug);
        Ok(format!("bindpose://{}/{step}", lesson.slug))
    }

    /// The entry of the glossary.
    #[must_use]
    pub fn term(&self, slug: &str) -> Option<&Term> {
        self.glossary.iter().find(|term| term.slug == slug)
    }
}

#[cfg(not(target_arch = "wasm32"))]
impl LessonSet {
    /// The lessons of a folder: every `NN-slug` in it with a `lesson.md`,
    /// `glossary.md` and `routes.toml`; or, by its own folder, one lesson with the
    /// glossary beside it. Never fails; what cannot be read becomes a finding.
    #[must_use]
    pub fn from_dir(folder: &std::path::Path) -> Self {
        let Read {
            root,
            alone,
            texts,
            glossary,
            routes,
            missing,
            findings,
            disk,
        } = disk::read(folder);
        let mut set = Self::from_texts(
            &root.display().to_string(),
            texts,
            glossary.as_deref().unwrap_or_default(),
        );
        set.findings.extend(glossary.err());
        match routes {
            Ok(routes) => set.add_routes(ROUTES, &routes),
            Err(wrong) => set.findings.push(wrong),
        }
        set.findings.extend(findings);
        set.missing = missing;
        set.alone = alone;
        set.disk = Some(disk);
        set
    }

    /// Do the lessons lie in a folder, where they may change?
    #[must_use]
    pub fn is_on_disk(&self) -> bool {
        self.disk.is_some()
    }

    /// Adds the routes of a file of the reader's own. What cannot be read becomes a
    /// finding.
    pub fn add_routes_from(&mut self, file: &std::path::Path) {
        let name = file.display().to_string();
        self.outside = Some(name.clone());
        match disk::read_text(file, &name) {
            Ok(text) => self.add_routes(&name, &text),
            Err(wrong) => self.findings.push(wrong),
        }
    }

    /// Reads everything again if a file of the folder changed since it was
    /// read. Only looks at sizes and times, so that it can be asked every second.
    /// Lessons keep their order. If the folder itself is gone, the lessons stay,
    /// with a finding.
    pub fn read_changes(&mut self) -> DiskChange {
        let Some(folder) = self.disk.as_ref().and_then(disk::Disk::changed) else {
            return DiskChange::Nothing;
        };
        let mut read = Self::from_dir(folder);
        if let Some(file) = &self.outside {
            read.add_routes_from(std::path::Path::new(file));
        }
        if read.lessons.is_empty() && !self.lessons.is_empty() {
            self.findings = read.findings;
            self.disk = read.disk;
            return DiskChange::Gone;
        }
        DiskChange::Read(Box::new(std::mem::replace(self, read)))
    }
}

#[cfg(target_arch = "wasm32")]
impl LessonSet {
    /// On the web there is no disk.
    pub fn read_changes(&mut self) -> DiskChange {
        DiskChange::Nothing
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
            assert_eq!(set.root, dir.path().display().to_string());
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
