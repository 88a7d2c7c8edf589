//! Actions that wait for a rig or a text to load.

use std::sync::Arc;

use bindpose_gltf::Rig;
use bindpose_lesson::{Lesson, is_file};
use bindpose_rigs::builtin_ids;

use super::super::EditError;
use super::super::lesson_assets::{builtin_id, file_rig};
use super::super::navigation::{PendingAction, PendingActionKind};
use super::Notebook;

impl Notebook {
    /// Returns the waiting action. Returns `None` if there is none.
    pub fn awaited(&self) -> Option<&PendingAction> {
        self.awaited.as_ref()
    }

    /// Returns true if following this link waits for its rig or text.
    pub fn awaits_link(&self, link: &str) -> bool {
        let asked = self.awaited.as_ref().map(|awaited| &awaited.asked);
        matches!(asked, Some(PendingActionKind::Link(same)) if same == link)
    }

    /// Removes and returns the waiting action if it can proceed now.
    pub fn take_awaited(&mut self) -> Option<PendingActionKind> {
        let is_ready = match &self.awaited.as_ref()?.rig {
            Some(rig) => (self.rigs)(rig).is_some(),
            None => !self.set.has_outlines(),
        };
        if !is_ready {
            return None;
        }
        self.awaited.take().map(|awaited| awaited.asked)
    }

    /// Cancels the waiting action.
    pub fn stop_waiting(&mut self) {
        self.awaited = None;
    }

    /// Returns the rig of a step. If it is not loaded yet, `action` waits for
    /// it.
    pub(super) fn rig_or_wait(
        &mut self,
        lesson: usize,
        step: usize,
        action: impl FnOnce(&Lesson) -> PendingActionKind,
    ) -> Result<Arc<Rig>, EditError> {
        if self.set.is_outline(lesson) {
            let lesson = &self.set.lessons[lesson];
            self.awaited = Some(PendingAction {
                asked: action(lesson),
                lesson: lesson.title.clone(),
                rig: None,
            });
            return Err(EditError::NotHereYet);
        }
        let lesson = &self.set.lessons[lesson];
        if let Some(rig) = self.rig_of(lesson, step) {
            return Ok(rig);
        }
        let id = lesson.rig_at(step);
        if is_file(id)
            && let Err(wrong) = file_rig(&self.set, id)
        {
            return Err(EditError::BadModel {
                lesson: lesson.title.clone(),
                wrong: wrong.to_string(),
            });
        }
        let rig = builtin_id(id);
        if !builtin_ids().contains(&rig) {
            return Err(EditError::NoRig { lesson: lesson.title.clone(), rig: id.to_owned() });
        }
        self.awaited = Some(PendingAction {
            asked: action(lesson),
            lesson: lesson.title.clone(),
            rig: Some(rig.to_owned()),
        });
        Err(EditError::NotHereYet)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use bindpose_lesson::LessonSet;
    use bindpose_rigs::builtin;

    use super::*;
    use crate::{KeptPage, Navigation, PageAddress, test_sample};

    thread_local! {
        static WHALE_IS_HERE: Cell<bool> = const { Cell::new(false) };
    }

    fn late_whale(id: &str) -> Option<Arc<Rig>> {
        let here = id != "whale" || WHALE_IS_HERE.get();
        here.then(|| builtin(id)).flatten()
    }

    fn lesson(title: &str, rig: &str) -> String {
        format!(
            "+++\ntitle = \"{title}\"\nminutes = 5\nrig = \"{rig}\"\n+++\n\n## One\n\nWords.\n\n\
             ## Two\n\nWords.\n"
        )
    }

    fn notebook() -> Notebook {
        WHALE_IS_HERE.set(false);
        let texts = [("arm", "arm"), ("whale", "whale"), ("yours", "own"), ("odd", "odd")];
        let texts = texts.map(|(title, rig)| lesson(title, rig));
        let lessons: Vec<_> = ["10-arm", "20-whale", "30-yours", "40-odd"]
            .into_iter()
            .zip(&texts)
            .map(|(folder, text)| (folder, text.as_str(), ""))
            .collect();
        Notebook::new(LessonSet::from_memory(&lessons, ""), late_whale).unwrap()
    }

    fn here(notebook: &Notebook) -> (&str, usize) {
        (&notebook.lesson().slug, notebook.document().step)
    }

    #[test]
    fn page_opens_when_its_rig_is_loaded() {
        let mut notebook = notebook();
        let page = PageAddress { lesson: "whale".to_owned(), step: Some("two".to_owned()) };
        let there = Navigation::Go(page.clone());
        assert_eq!(notebook.navigate(&there), Err(EditError::NotHereYet));
        assert_eq!(here(&notebook), ("arm", 0), "what was open stays open");
        assert_eq!(notebook.awaited().unwrap().lesson, "whale");
        assert!(notebook.take_awaited().is_none());
        WHALE_IS_HERE.set(true);
        let Some(PendingActionKind::Page(asked)) = notebook.take_awaited() else {
            panic!("{:?}", notebook.awaited());
        };
        assert_eq!(asked, page);
        assert_eq!(notebook.go(&asked), Ok(()));
        assert_eq!(here(&notebook), ("whale", 1));
        assert!(notebook.awaited().is_none());
    }

    #[test]
    fn links_pages_and_models_wait_for_rigs() {
        let mut notebook = notebook();
        let link = "bindpose://whale/two?joint=3";
        assert!(notebook.follow(link, 1).is_err());
        assert!(
            matches!(&notebook.awaited().unwrap().asked, PendingActionKind::Link(same) if same == link)
        );
        let page = KeptPage { link: link.to_owned(), ..KeptPage::default() };
        assert!(notebook.reopen(&page, 1).is_err());
        assert!(
            matches!(&notebook.awaited().unwrap().asked, PendingActionKind::Kept(same) if *same == page)
        );
        let model = Arc::new(test_sample::rig());
        assert_eq!(notebook.open_model(Arc::clone(&model), 1), Err(EditError::NotHereYet));
        assert!(notebook.own().is_none());
        WHALE_IS_HERE.set(true);
        let Some(PendingActionKind::Model(same)) = notebook.take_awaited() else {
            panic!("{:?}", notebook.awaited());
        };
        notebook.open_model(same, 2).unwrap();
        assert_eq!(notebook.derived().rig.id, "sample");
    }

    #[test]
    fn navigation_cancels_waiting_and_unknown_rigs_fail() {
        let mut notebook = notebook();
        assert!(!notebook.turn_page(true) || here(&notebook) == ("arm", 1));
        assert!(!notebook.turn_page(true), "there is the whale");
        assert!(notebook.awaited().is_some());
        assert!(notebook.turn_page(false));
        assert!(notebook.awaited().is_none(), "another page was opened");
        let _ = notebook.go(&PageAddress::lesson("whale"));
        notebook.stop_waiting();
        WHALE_IS_HERE.set(true);
        assert!(notebook.take_awaited().is_none());
        let odd = notebook.go(&PageAddress::lesson("odd"));
        assert!(matches!(odd, Err(EditError::NoRig { .. })), "{odd:?}");
        assert!(notebook.awaited().is_none());
    }
}
