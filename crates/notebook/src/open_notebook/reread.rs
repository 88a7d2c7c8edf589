//! Reloading of lessons while they are open, when their author saves them. The
//! open page stays, even while its file is missing, because editors remove a
//! file briefly when they save it.
//!
//! # Live editing
//!
//! A folder of lessons is checked for changes every second
//! (`LessonSet::read_changes`). After a change all lessons are parsed again.
//! The open step is found by its slug and opened with the author's new content
//! and the reader's changes. Then `app/host/desktop/content_check.rs` runs the content
//! check on a thread; earlier findings are shown until it ends.
//! `findings_here.rs` sorts findings by step, and `page/diagnostic.rs` shows
//! them. Built-in lessons are not checked at run time, and the check is not
//! part of the browser's download.

use bindpose_diagnostic::Diagnostic;
use bindpose_lesson::{DiskChange, LessonSet, find_lesson};

use super::super::{Cameras, Document};
use super::{Notebook, StepStart};

/// Outcome of reloading lessons.
#[derive(Clone, Debug, PartialEq)]
pub enum ReloadOutcome {
    Nothing,
    Read,
    /// The folder has no lessons. The loaded ones are kept.
    FolderGone,
    /// The file of the open lesson is missing or has no step, so the loaded
    /// version is kept. Contains its title, and the first error in the file, if
    /// any.
    Kept(String, Option<Box<Diagnostic>>),
    /// The file of the open lesson is back. Contains its title.
    Back(String),
}

impl Notebook {
    /// Reloads the lessons if they come from a folder and have changed.
    pub fn read_again(&mut self) -> ReloadOutcome {
        let mut set = std::mem::take(&mut self.set);
        match set.read_changes() {
            DiskChange::Nothing => {
                self.set = set;
                ReloadOutcome::Nothing
            }
            DiskChange::Gone => {
                self.set = set;
                ReloadOutcome::FolderGone
            }
            DiskChange::Read(before) => {
                self.set = *before;
                self.reload(set)
            }
        }
    }

    /// Reloads built-in lessons whose texts have been downloaded. The open
    /// lesson was loaded before.
    pub fn take_texts(&mut self) {
        let _ = self.set.read_changes();
    }

    /// Replaces the lessons, keeping the reader's state and page. Does nothing
    /// if the set is empty.
    pub fn reload(&mut self, mut set: LessonSet) -> ReloadOutcome {
        if set.lessons.is_empty() {
            return ReloadOutcome::FolderGone;
        }
        let slug = self.document.lesson.clone();
        let title = self.lesson().title.clone();
        let was_kept = self.set.is_kept(&slug);
        let step = self.step().map(|step| step.slug.clone());
        let was_changed = self.is_changed();
        self.kept = self.kept_with_current();
        let mut outcome = ReloadOutcome::Read;
        if set.has_steps(&slug) {
            if was_kept {
                outcome = ReloadOutcome::Back(title);
            }
        } else {
            let read = set.lessons.iter().find(|lesson| lesson.slug == slug);
            let wrong = read.and_then(|lesson| lesson.findings.first().cloned().map(Box::new));
            set.keep(&self.set, &slug);
            if !was_kept {
                outcome = ReloadOutcome::Kept(title, wrong);
            }
        }
        self.set = set;
        self.start = StepStart::default();
        if let Ok(lesson) = find_lesson(&self.set.lessons, &slug) {
            self.lesson = lesson;
        }
        let mut document = self.document.clone();
        // Steps before it may have been added or removed.
        let found = self.lesson().steps.iter().position(|other| Some(&other.slug) == step.as_ref());
        if let Some(index) = found {
            document.step = index;
        }
        let cameras = self.cameras.clone();
        let reopened = self.reopen_step(document.step, found.is_some() || !was_changed);
        let (document, cameras) = reopened.unwrap_or((document, cameras));
        self.replace(document);
        self.cameras = cameras;
        self.ignore_current_answers();
        outcome
    }

    /// Returns the step with the author's new content and the reader's changes.
    /// Returns `None` if the changes cannot be matched, because the step was
    /// renamed.
    fn reopen_step(&self, step: usize, is_known: bool) -> Option<(Document, Cameras)> {
        let lesson = self.lesson();
        let step = step.min(lesson.steps.len().saturating_sub(1));
        let rig = self.rig_of(lesson, step).filter(|_| is_known)?;
        Some(self.last_state(lesson, step, &rig))
    }
}

#[cfg(test)]
mod tests {
    use bindpose_rigs::builtin;

    use super::*;
    use crate::Edit;
    use crate::test_sample::{lesson_set, notebook_of};

    const FIRST: &str = "+++\ntitle = \"First\"\nminutes = 5\nrig = \"head\"\n+++\n\n\
        ## One\n\nWords.\n\n## Two\n\nWords.\n";
    const SECOND: &str = "+++\ntitle = \"Second\"\nminutes = 5\nrig = \"bone_grid\"\n+++\n\n\
        ## One\n\nWords.\n";

    fn notebook() -> Notebook {
        let mut notebook = notebook_of(&[("10-first", FIRST), ("20-second", SECOND)]);
        notebook.follow("bindpose://first/two", 1).unwrap();
        notebook.edit(&Edit::param("nod", 0.5), 2).unwrap();
        notebook
    }

    fn place(notebook: &Notebook) -> (&str, &str, f64) {
        let nod = notebook.derived().param("nod").unwrap();
        (&notebook.lesson().slug, &notebook.step().unwrap().slug, nod)
    }

    #[test]
    fn author_and_reader_changes_are_merged() {
        let mut notebook = notebook();
        let reload = |notebook: &mut Notebook, sets: &str| {
            let edited = FIRST.replace(
                "## Two",
                &format!("## Between\n\nWords.\n\n## Two\n\n```set\n{sets}\n```"),
            );
            notebook.reload(lesson_set(&[("10-first", &edited), ("20-second", SECOND)]))
        };
        assert_eq!(notebook.changes().len(), 1);
        assert_eq!(reload(&mut notebook, "nod = 1.0\nbind_tilt = 0.25"), ReloadOutcome::Read);
        let tilt = |notebook: &Notebook| notebook.derived().param("bind_tilt");
        assert_eq!(place(&notebook), ("first", "two", 0.5), "the reader's own stays");
        assert_eq!(tilt(&notebook), Some(0.25), "and the new values come");
        let labels: Vec<String> = notebook.changes().into_iter().map(|one| one.label).collect();
        assert_eq!(labels.len(), 1, "{labels:?}");
        notebook.edit(&Edit::ResetStep, 3).unwrap();
        assert_eq!(place(&notebook), ("first", "two", 1.0));
        assert_eq!(reload(&mut notebook, "nod = 0.75"), ReloadOutcome::Read);
        assert_eq!(place(&notebook), ("first", "two", 0.75), "untouched, it opens anew");
        assert_eq!((tilt(&notebook), notebook.changes().len()), (Some(0.0), 0));
        let renamed = FIRST.replace("## Two", "## Second\n\n```set\nnod = 0.125\n```");
        let read = notebook.reload(lesson_set(&[("10-first", &renamed), ("20-second", SECOND)]));
        assert_eq!(read, ReloadOutcome::Read);
        assert_eq!(place(&notebook), ("first", "second", 0.125));
    }

    #[test]
    fn step_is_found_by_name() {
        let mut notebook = notebook();
        let edited = FIRST.replace("## Two", "## Between\n\nWords.\n\n## Two");
        let read = notebook.reload(lesson_set(&[("10-first", &edited), ("20-second", SECOND)]));
        assert_eq!(read, ReloadOutcome::Read);
        assert_eq!(place(&notebook), ("first", "two", 0.5));
        assert_eq!(notebook.document().step, 2);
        assert_eq!(notebook.reload(lesson_set(&[])), ReloadOutcome::FolderGone);
        assert_eq!(place(&notebook), ("first", "two", 0.5));
    }

    #[test]
    fn page_stays_while_file_is_missing() {
        for meanwhile in [
            lesson_set(&[("20-second", SECOND)]),
            lesson_set(&[("10-first", ""), ("20-second", SECOND)]),
        ] {
            let mut notebook = notebook();
            let kept = notebook.reload(meanwhile.clone());
            assert!(matches!(&kept, ReloadOutcome::Kept(title, _) if title == "First"), "{kept:?}");
            assert_eq!(place(&notebook), ("first", "two", 0.5));
            assert_eq!(notebook.set.lessons.len(), 2);
            assert_eq!(notebook.set.lessons[0].slug, "first", "in its order");
            assert_eq!(notebook.reload(meanwhile), ReloadOutcome::Read, "told once");
            assert_eq!(place(&notebook), ("first", "two", 0.5));

            let again = FIRST.replace("Words.", "Other words.");
            let back = notebook.reload(lesson_set(&[("10-first", &again), ("20-second", SECOND)]));
            assert_eq!(back, ReloadOutcome::Back("First".to_owned()));
            assert_eq!(place(&notebook), ("first", "two", 0.5));
            assert!(notebook.undo(), "what was done before can still be undone");
            assert_eq!(place(&notebook), ("first", "two", 0.0));
        }
    }

    #[test]
    fn page_survives_brief_absence_of_file() {
        let dir = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            std::fs::create_dir_all(dir.path().join(name)).unwrap();
            std::fs::write(dir.path().join(name).join("lesson.md"), text).unwrap();
        };
        write("10-first", FIRST);
        write("20-second", SECOND);
        let mut notebook = Notebook::new(LessonSet::from_dir(dir.path()), builtin).unwrap();
        notebook.follow("bindpose://first/two?nod=0.5", 1).unwrap();
        assert_eq!(notebook.read_again(), ReloadOutcome::Nothing);
        std::fs::remove_dir_all(dir.path().join("10-first")).unwrap();
        assert!(matches!(notebook.read_again(), ReloadOutcome::Kept(_, None)));
        assert_eq!(place(&notebook), ("first", "two", 0.5));
        write("10-first", FIRST);
        assert_eq!(notebook.read_again(), ReloadOutcome::Back("First".to_owned()));
        assert_eq!(place(&notebook), ("first", "two", 0.5));

        std::fs::remove_dir_all(dir.path()).unwrap();
        assert_eq!(notebook.read_again(), ReloadOutcome::FolderGone);
        assert_eq!(place(&notebook), ("first", "two", 0.5));
        write("10-first", FIRST);
        assert_eq!(notebook.read_again(), ReloadOutcome::Read);
        assert_eq!(place(&notebook), ("first", "two", 0.5));
    }
}
