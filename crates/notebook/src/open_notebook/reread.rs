//! Lessons that are read again while they are open, as their author saves them.
//! The page stays where it is, also while its file is gone: editors take a file
//! away for a moment when they save it.
//!
//! # Lessons while they are written
//!
//! A folder of lessons is looked at once a second (`LessonSet::read_changes`); when
//! something changed, all of it is read, and `open_notebook/reread.rs` finds the open
//! step by its slug and opens it as a step is entered: what its author means now, with
//! what the reader has changed there. Then `app/shell/content_check.rs` runs the content check
//! on a thread; what was found before stays until it is done.
//! `notebook/findings_here.rs` sorts findings by step, `page/diagnostic.rs` shows
//! them. Built-in lessons are not checked while they are read, and the check is no part
//! of what a browser loads.

use bindpose_diagnostic::Diagnostic;
use bindpose_lesson::{DiskChange, LessonSet, find_lesson};

use super::super::{Cameras, Document};
use super::{Notebook, StepStart};

/// What the reader should know of it.
#[derive(Clone, Debug, PartialEq)]
pub enum Reread {
    /// Nothing has changed.
    Nothing,
    /// They were read.
    Read,
    /// The folder holds none; those that were read stay.
    FolderGone,
    /// The file of the open lesson is gone, or has no step: it stays as it was
    /// read before. With its title, and with the first thing wrong with the file
    /// if there is one.
    Kept(String, Option<Box<Diagnostic>>),
    /// The open lesson, by its title, has its file again.
    Back(String),
}

impl Notebook {
    /// Reads the lessons again if they come from a folder and have changed.
    pub fn read_again(&mut self) -> Reread {
        let mut set = std::mem::take(&mut self.set);
        match set.read_changes() {
            DiskChange::Nothing => {
                self.set = set;
                Reread::Nothing
            }
            DiskChange::Gone => {
                self.set = set;
                Reread::FolderGone
            }
            DiskChange::Read(before) => {
                self.set = *before;
                self.reload(set)
            }
        }
    }

    /// Reads the program's lessons again when texts of them have come. The open one was here.
    pub fn take_texts(&mut self) {
        let _ = self.set.read_changes();
    }

    /// Takes lessons that were read again, keeping the reader's state and page.
    /// An empty set changes nothing.
    pub fn reload(&mut self, mut set: LessonSet) -> Reread {
        if set.lessons.is_empty() {
            return Reread::FolderGone;
        }
        let (slug, title) = (self.document.lesson.clone(), self.lesson().title.clone());
        let was_kept = self.set.is_kept(&slug);
        let step = self.step().map(|step| step.slug.clone());
        let touched = self.is_changed();
        self.kept = self.all_kept();
        let mut outcome = Reread::Read;
        if set.has_steps(&slug) {
            if was_kept {
                outcome = Reread::Back(title);
            }
        } else {
            let mut read = set.lessons.iter();
            let read = read.find(|lesson| lesson.slug == slug);
            let wrong = read.and_then(|lesson| lesson.findings.first().cloned().map(Box::new));
            set.keep(&self.set, &slug);
            if !was_kept {
                outcome = Reread::Kept(title, wrong);
            }
        }
        self.set = set;
        self.start = StepStart::default();
        if let Ok(lesson) = find_lesson(&self.set.lessons, &slug) {
            self.lesson = lesson;
        }
        let mut document = self.document.clone();
        let mut steps = self.lesson().steps.iter();
        // Steps before it may have come or gone.
        let found = steps.position(|other| Some(&other.slug) == step.as_ref());
        if let Some(index) = found {
            document.step = index;
        }
        let cameras = self.cameras.clone();
        let anew = self.opened_anew(document.step, found.is_some() || !touched);
        let (document, cameras) = anew.unwrap_or((document, cameras));
        self.replace(document);
        self.cameras = cameras;
        self.overlook_answers();
        outcome
    }

    /// The open lesson's step as its author means it now, with what the reader has
    /// changed there; `None` where that cannot be said of it: its name is another, and
    /// something was changed.
    fn opened_anew(&self, step: usize, known: bool) -> Option<(Document, Cameras)> {
        let lesson = self.lesson();
        let step = step.min(lesson.steps.len().saturating_sub(1));
        let rig = self.rig_of(lesson, step).filter(|_| known)?;
        Some(self.opened(lesson, step, &rig))
    }
}

#[cfg(test)]
mod tests {
    use bindpose_asset::builtin;

    use super::*;
    use crate::Edit;

    const FIRST: &str = "+++\ntitle = \"First\"\nminutes = 5\nrig = \"head\"\n+++\n\n\
        ## One\n\nWords.\n\n## Two\n\nWords.\n";
    const SECOND: &str = "+++\ntitle = \"Second\"\nminutes = 5\nrig = \"bone_grid\"\n+++\n\n\
        ## One\n\nWords.\n";

    fn set(lessons: &[(&str, &str)]) -> LessonSet {
        let lessons: Vec<_> = lessons.iter().map(|&(name, text)| (name, text, "")).collect();
        LessonSet::from_memory(&lessons, "")
    }

    fn notebook() -> Notebook {
        let set = set(&[("10-first", FIRST), ("20-second", SECOND)]);
        let mut notebook = Notebook::new(set, builtin).unwrap();
        notebook.follow("bindpose://first/two", 1).unwrap();
        notebook.edit(&Edit::param("nod", 0.5), 2).unwrap();
        notebook
    }

    fn place(notebook: &Notebook) -> (&str, &str, f64) {
        let nod = notebook.derived().param("nod").unwrap();
        (&notebook.lesson().slug, &notebook.step().unwrap().slug, nod)
    }

    #[test]
    fn what_a_step_sets_comes_at_once_and_what_the_reader_changed_stays() {
        let mut notebook = notebook();
        let reload = |notebook: &mut Notebook, sets: &str| {
            let edited = FIRST.replace(
                "## Two",
                &format!("## Between\n\nWords.\n\n## Two\n\n```set\n{sets}\n```"),
            );
            notebook.reload(set(&[("10-first", &edited), ("20-second", SECOND)]))
        };
        assert_eq!(notebook.changes().len(), 1);
        assert_eq!(reload(&mut notebook, "nod = 1.0\nbind_tilt = 0.25"), Reread::Read);
        let tilt = |notebook: &Notebook| notebook.derived().param("bind_tilt");
        assert_eq!(place(&notebook), ("first", "two", 0.5), "the reader's own stays");
        assert_eq!(tilt(&notebook), Some(0.25), "and the new values come");
        let labels: Vec<String> = notebook.changes().into_iter().map(|one| one.label).collect();
        assert_eq!(labels.len(), 1, "{labels:?}");
        notebook.edit(&Edit::ResetStep, 3).unwrap();
        assert_eq!(place(&notebook), ("first", "two", 1.0));
        assert_eq!(reload(&mut notebook, "nod = 0.75"), Reread::Read);
        assert_eq!(place(&notebook), ("first", "two", 0.75), "untouched, it opens anew");
        assert_eq!((tilt(&notebook), notebook.changes().len()), (Some(0.0), 0));
        let renamed = FIRST.replace("## Two", "## Second\n\n```set\nnod = 0.125\n```");
        let read = notebook.reload(set(&[("10-first", &renamed), ("20-second", SECOND)]));
        assert_eq!(read, Reread::Read);
        assert_eq!(place(&notebook), ("first", "second", 0.125));
    }

    #[test]
    fn the_page_keeps_its_state_and_its_step_by_name() {
        let mut notebook = notebook();
        let edited = FIRST.replace("## Two", "## Between\n\nWords.\n\n## Two");
        let read = notebook.reload(set(&[("10-first", &edited), ("20-second", SECOND)]));
        assert_eq!(read, Reread::Read);
        assert_eq!(place(&notebook), ("first", "two", 0.5));
        assert_eq!(notebook.document().step, 2);
        assert_eq!(notebook.reload(set(&[])), Reread::FolderGone);
        assert_eq!(place(&notebook), ("first", "two", 0.5));
    }

    #[test]
    fn the_page_stays_while_its_file_is_gone_or_empty_and_is_told_once() {
        for meanwhile in
            [set(&[("20-second", SECOND)]), set(&[("10-first", ""), ("20-second", SECOND)])]
        {
            let mut notebook = notebook();
            let kept = notebook.reload(meanwhile.clone());
            assert!(matches!(&kept, Reread::Kept(title, _) if title == "First"), "{kept:?}");
            assert_eq!(place(&notebook), ("first", "two", 0.5));
            assert_eq!(notebook.set.lessons.len(), 2);
            assert_eq!(notebook.set.lessons[0].slug, "first", "in its order");
            assert_eq!(notebook.reload(meanwhile), Reread::Read, "told once");
            assert_eq!(place(&notebook), ("first", "two", 0.5));

            let again = FIRST.replace("Words.", "Other words.");
            let back = notebook.reload(set(&[("10-first", &again), ("20-second", SECOND)]));
            assert_eq!(back, Reread::Back("First".to_owned()));
            assert_eq!(place(&notebook), ("first", "two", 0.5));
            assert!(notebook.undo(), "what was done before can still be undone");
            assert_eq!(place(&notebook), ("first", "two", 0.0));
        }
    }

    #[test]
    fn a_file_that_is_away_for_a_moment_brings_the_page_back() {
        let dir = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            std::fs::create_dir_all(dir.path().join(name)).unwrap();
            std::fs::write(dir.path().join(name).join("lesson.md"), text).unwrap();
        };
        write("10-first", FIRST);
        write("20-second", SECOND);
        let mut notebook = Notebook::new(LessonSet::from_dir(dir.path()), builtin).unwrap();
        notebook.follow("bindpose://first/two?nod=0.5", 1).unwrap();
        assert_eq!(notebook.read_again(), Reread::Nothing);
        std::fs::remove_dir_all(dir.path().join("10-first")).unwrap();
        assert!(matches!(notebook.read_again(), Reread::Kept(_, None)));
        assert_eq!(place(&notebook), ("first", "two", 0.5));
        write("10-first", FIRST);
        assert_eq!(notebook.read_again(), Reread::Back("First".to_owned()));
        assert_eq!(place(&notebook), ("first", "two", 0.5));

        std::fs::remove_dir_all(dir.path()).unwrap();
        assert_eq!(notebook.read_again(), Reread::FolderGone);
        assert_eq!(place(&notebook), ("first", "two", 0.5));
        write("10-first", FIRST);
        assert_eq!(notebook.read_again(), Reread::Read);
        assert_eq!(place(&notebook), ("first", "two", 0.5));
    }
}
