//! Waiting for a rig or a text that is yet to come, and going on when it is here.

use std::sync::Arc;

use bindpose_asset::{Rig, builtin_ids};
use bindpose_lesson::{Lesson, is_file};

use super::super::EditError;
use super::super::lesson_assets::{builtin_id, file_rig};
use super::super::navigation::{Awaited, AwaitedPage};
use super::Notebook;

impl Notebook {
    /// What waits for a rig or a text; `None`: nothing does.
    pub fn awaited(&self) -> Option<&Awaited> {
        self.awaited.as_ref()
    }

    /// Does this link wait to be followed?
    pub fn awaits_link(&self, link: &str) -> bool {
        let asked = self.awaited.as_ref().map(|awaited| &awaited.asked);
        matches!(asked, Some(AwaitedPage::Link(same)) if same == link)
    }

    /// What waited, if it can go on now.
    pub fn take_awaited(&mut self) -> Option<AwaitedPage> {
        let here = |awaited: &Awaited| match &awaited.rig {
            Some(rig) => (self.rigs)(rig).is_some(),
            None => !self.set.has_outlines(),
        };
        self.awaited.take_if(|awaited| here(awaited)).map(|awaited| awaited.asked)
    }

    /// The reader does not want it any more.
    pub fn stop_waiting(&mut self) {
        self.awaited = None;
    }

    /// What a step of a lesson stands on; else what was asked waits for it, if it can come.
    pub(super) fn rig_or_wait(
        &mut self,
        (lesson, step): (usize, usize),
        asked: impl FnOnce(&Lesson) -> AwaitedPage,
    ) -> Result<Arc<Rig>, EditError> {
        if self.set.is_outline(lesson) {
            let lesson = &self.set.lessons[lesson];
            let (asked, lesson) = (asked(lesson), lesson.title.clone());
            self.awaited = Some(Awaited { asked, lesson, rig: None });
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
        self.awaited = Some(Awaited {
            asked: asked(lesson),
            lesson: lesson.title.clone(),
            rig: Some(rig.to_owned()),
        });
        Err(EditError::NotHereYet)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use bindpose_asset::builtin;
    use bindpose_lesson::LessonSet;

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
    fn a_page_whose_rig_is_yet_to_come_is_opened_when_it_is_here() {
        let mut notebook = notebook();
        let page = PageAddress { lesson: "whale".to_owned(), step: Some("two".to_owned()) };
        let there = Navigation::Go(page.clone());
        assert_eq!(notebook.navigate(&there), Err(EditError::NotHereYet));
        assert_eq!(here(&notebook), ("arm", 0), "what was open stays open");
        assert_eq!(notebook.awaited().unwrap().lesson, "whale");
        assert!(notebook.take_awaited().is_none());
        WHALE_IS_HERE.set(true);
        let Some(AwaitedPage::Page(asked)) = notebook.take_awaited() else {
            panic!("{:?}", notebook.awaited());
        };
        assert_eq!(asked, page);
        assert_eq!(notebook.go(&asked), Ok(()));
        assert_eq!(here(&notebook), ("whale", 1));
        assert!(notebook.awaited().is_none());
    }

    #[test]
    fn a_link_a_kept_page_and_a_model_wait_too() {
        let mut notebook = notebook();
        let link = "bindpose://whale/two?joint=3";
        assert!(notebook.follow(link, 1).is_err());
        assert!(
            matches!(&notebook.awaited().unwrap().asked, AwaitedPage::Link(same) if same == link)
        );
        let page = KeptPage { link: link.to_owned(), ..KeptPage::default() };
        assert!(notebook.reopen(&page, 1).is_err());
        assert!(
            matches!(&notebook.awaited().unwrap().asked, AwaitedPage::Kept(same) if *same == page)
        );
        let model = Arc::new(test_sample::rig());
        assert_eq!(notebook.open_model(Arc::clone(&model), 1), Err(EditError::NotHereYet));
        assert!(notebook.own().is_none());
        WHALE_IS_HERE.set(true);
        let Some(AwaitedPage::Model(same)) = notebook.take_awaited() else {
            panic!("{:?}", notebook.awaited());
        };
        notebook.open_model(same, 2).unwrap();
        assert_eq!(notebook.derived().rig.id, "sample");
    }

    #[test]
    fn who_goes_elsewhere_or_stays_waits_no_more_and_an_unknown_rig_never_comes() {
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
