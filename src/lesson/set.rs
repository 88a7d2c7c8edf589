//! All lessons together: those in the program, or those of a folder, which are
//! read again when they change.

#[cfg(not(target_arch = "wasm32"))]
use std::path::{Path, PathBuf};
#[cfg(not(target_arch = "wasm32"))]
use std::time::SystemTime;

use include_dir::{Dir, include_dir};

use super::outline::{Mention, Outline};
use super::reader::{parse_glossary, parse_outlined};
use super::{Lesson, Term, find_lesson, find_step};
use crate::diagnostic::Diagnostic;

static EMBEDDED: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/lessons");

const GLOSSARY: &str = "glossary.md";

/// Lessons in order, and the glossary.
#[derive(Clone, Debug, Default)]
pub struct LessonSet {
    /// By number.
    pub lessons: Vec<Lesson>,
    /// In the order of the glossary's text.
    pub glossary: Vec<Term>,
    /// What is wrong with the glossary or the folder; lessons carry their own
    /// findings.
    pub findings: Vec<Diagnostic>,
    /// What the paths of findings are relative to: `lessons`, or the folder
    /// given.
    pub root: String,
    /// One for each lesson, in the same order.
    outlines: Vec<Outline>,
    glossary_mentions: Vec<Mention>,
    #[cfg(not(target_arch = "wasm32"))]
    disk: Option<Disk>,
}

/// A folder of lessons and how it was when it was read.
#[cfg(not(target_arch = "wasm32"))]
#[derive(Clone, Debug)]
struct Disk {
    folder: PathBuf,
    stamps: Vec<Stamp>,
}

#[cfg(not(target_arch = "wasm32"))]
type Stamp = (PathBuf, Option<SystemTime>, u64);

/// The two texts of a lesson.
struct Texts {
    folder: String,
    lesson: String,
    notes: String,
    findings: Vec<Diagnostic>,
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
                lesson: text(format!("{folder}/lesson.md")),
                notes: text(format!("{folder}/notes.md")),
                findings: Vec::new(),
            })
        });
        Self::from_texts("lessons", texts.collect(), &text(GLOSSARY.to_owned()))
    }

    /// A set from texts in memory: (folder, `lesson.md`, `notes.md`) each, and
    /// the glossary.
    #[must_use]
    pub fn from_memory(lessons: &[(&str, &str, &str)], glossary: &str) -> Self {
        let texts = lessons.iter().map(|&(folder, lesson, notes)| Texts {
            folder: folder.to_owned(),
            lesson: lesson.to_owned(),
            notes: notes.to_owned(),
            findings: Vec::new(),
        });
        Self::from_texts("lessons", texts.collect(), glossary)
    }

    fn from_texts(root: &str, texts: Vec<Texts>, glossary: &str) -> Self {
        let (glossary, glossary_mentions, findings) = parse_glossary(glossary);
        let mut read: Vec<(Lesson, Outline)> = texts
            .into_iter()
            .map(|texts| {
                let mut read = parse_outlined(&texts.folder, &texts.lesson, &texts.notes);
                read.0.findings.extend(texts.findings);
                read
            })
            .collect();
        read.sort_by(|(a, _), (b, _)| (a.number, &a.slug).cmp(&(b.number, &b.slug)));
        let (lessons, outlines) = read.into_iter().unzip();
        Self {
            lessons,
            glossary,
            findings,
            root: root.to_owned(),
            outlines,
            glossary_mentions,
            #[cfg(not(target_arch = "wasm32"))]
            disk: None,
        }
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

#[cfg(target_arch = "wasm32")]
impl LessonSet {
    /// On the web there is no disk; always false.
    pub fn changed_on_disk(&mut self) -> bool {
        false
    }
}

#[cfg(not(target_arch = "wasm32"))]
mod disk {
    use super::{Disk, GLOSSARY, LessonSet, Path, Stamp, Texts};
    use crate::diagnostic::{At, Diagnostic, Place};
    use crate::lesson::reader::MAX_BYTES;
    use std::io::Read as _;

    /// More folders than this are not lessons.
    const MAX_LESSONS: usize = 500;
    const START: At = At { line: 1, column: 1 };

    impl LessonSet {
        /// The lessons of a folder: every `NN-slug` in it with a `lesson.md`, and
        /// `glossary.md`. Never fails; what cannot be read becomes a finding.
        #[must_use]
        pub fn from_dir(folder: &Path) -> Self {
            let stamps = stamps(folder);
            let mut findings = Vec::new();
            let texts = match lesson_folders(folder) {
                Ok(names) => names.into_iter().map(|name| texts(folder, name)).collect(),
                Err(error) => {
                    let none = format!("none: {error}");
                    findings.push(
                        Diagnostic::expected("a folder with lessons", none)
                            .help("give the folder that holds the folders NN-slug")
                            .at(Place::text("", START)),
                    );
                    Vec::new()
                }
            };
            if findings.is_empty() && texts.is_empty() {
                findings.push(
                    Diagnostic::expected("lessons in this folder", "none")
                        .help("put each lesson in a folder named NN-slug with a lesson.md")
                        .at(Place::text("", START)),
                );
            }
            let path = folder.join(GLOSSARY);
            let glossary = if path.exists() {
                text(&path, GLOSSARY, &mut findings)
            } else {
                String::new()
            };
            let mut set = Self::from_texts(&folder.display().to_string(), texts, &glossary);
            set.findings.append(&mut findings);
            set.disk = Some(Disk {
                folder: folder.to_owned(),
                stamps,
            });
            set
        }

        /// Reads everything again if a file of the folder changed since it was
        /// read; true if so. Only looks at sizes and times, so that it can be
        /// asked every second. Lessons keep their order. If the folder itself is
        /// gone, the lessons stay, with a finding.
        pub fn changed_on_disk(&mut self) -> bool {
            let Some(disk) = &self.disk else {
                return false;
            };
            let folder = disk.folder.clone();
            let stamps = stamps(&folder);
            if stamps == disk.stamps {
                return false;
            }
            let read = Self::from_dir(&folder);
            if read.lessons.is_empty() && !self.lessons.is_empty() {
                self.findings = read.findings;
                self.disk = read.disk;
            } else {
                *self = read;
            }
            true
        }
    }

    /// Names of the folders that hold a lesson, sorted.
    fn lesson_folders(folder: &Path) -> std::io::Result<Vec<String>> {
        let mut names: Vec<String> = std::fs::read_dir(folder)?
            .filter_map(Result::ok)
            .filter(|entry| entry.path().join("lesson.md").exists())
            .filter_map(|entry| entry.file_name().into_string().ok())
            .collect();
        names.sort();
        names.truncate(MAX_LESSONS);
        Ok(names)
    }

    fn texts(folder: &Path, name: String) -> Texts {
        let mut findings = Vec::new();
        let mut read = |file: &str| {
            let path = folder.join(&name).join(file);
            if file == "notes.md" && !path.exists() {
                return String::new();
            }
            text(&path, &format!("{name}/{file}"), &mut findings)
        };
        let (lesson, notes) = (read("lesson.md"), read("notes.md"));
        Texts {
            folder: name,
            lesson,
            notes,
            findings,
        }
    }

    /// The text of a file; empty, with a finding, when it cannot be read.
    fn text(path: &Path, name: &str, findings: &mut Vec<Diagnostic>) -> String {
        // Never more than the reader takes, whatever the file is.
        let read = std::fs::File::open(path).and_then(|file| {
            let mut bytes = Vec::new();
            file.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes)?;
            Ok(bytes)
        });
        let wrong = match read {
            Ok(bytes) => match String::from_utf8(bytes) {
                Ok(text) => return text,
                Err(_) => Diagnostic::expected("text in UTF-8", "other bytes")
                    .help("save the file as UTF-8"),
            },
            Err(error) => Diagnostic::said("IO_ERROR", format!("cannot be read: {error}"))
                .help("check its permissions"),
        };
        findings.push(wrong.at(Place::text(name, START)));
        String::new()
    }

    /// Path, time and size of every file that is read.
    fn stamps(folder: &Path) -> Vec<Stamp> {
        let mut paths = vec![folder.join(GLOSSARY)];
        for name in lesson_folders(folder).unwrap_or_default() {
            paths.push(folder.join(&name).join("lesson.md"));
            paths.push(folder.join(&name).join("notes.md"));
        }
        let stamp = |path: std::path::PathBuf| {
            let data = std::fs::metadata(&path).ok()?;
            Some((path, data.modified().ok(), data.len()))
        };
        paths.into_iter().filter_map(stamp).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn embedded_lessons_come_by_number() {
        let set = LessonSet::embedded();
        let numbers: Vec<u32> = set.lessons.iter().map(|lesson| lesson.number).collect();
        assert!(numbers.is_sorted(), "{numbers:?}");
        assert!(!set.changed_on_disk_for_tests());
    }

    impl LessonSet {
        fn changed_on_disk_for_tests(&self) -> bool {
            self.clone().changed_on_disk()
        }
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
        assert!(!set.changed_on_disk(), "nothing happened yet");

        write(dir.path(), "20-b", "Better");
        assert!(set.changed_on_disk());
        assert_eq!(titles(&set), ["Better", "C"]);
        write(dir.path(), "10-a", "A");
        assert!(set.changed_on_disk());
        assert_eq!(titles(&set), ["A", "Better", "C"]);
        assert!(!set.changed_on_disk());
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
        assert!(set.changed_on_disk());
        assert_eq!(set.lessons.len(), 2, "the lessons stay on the page");
        assert_eq!(set.findings[0].expected, "a folder with lessons");
        assert!(!set.changed_on_disk(), "said once");
    }
}
