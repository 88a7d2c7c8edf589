//! The open page as it is remembered, and opened again in another run: lessons
//! and models may have changed meanwhile.

use std::sync::Arc;

use bindpose_asset::Rig;
use bindpose_diagnostic::Diagnostic;
use bindpose_lesson::{find_lesson, find_page, moved_steps};

use super::super::lesson_assets::OWN_RIG;
use super::super::link::{self, own_model};
use super::super::moment::{Everywhere, Histories, KeptSteps, OpenedB, UndoPoint};
use super::super::navigation::AwaitedPage;
use super::super::progress::StepRecord;
use super::super::{
    Cameras, Document, History, KeptPage, ReaderProgress, StepMarks, step_document,
};
use super::Notebook;

/// How far a page could be opened again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reopened {
    /// The model that is to be opened first: the page stands there without its
    /// values.
    pub missing_model: Option<String>,
    /// What the reader should know: a step or values that are not there any more.
    pub remark: Option<String>,
}

impl Notebook {
    /// The open page. Where the reader's model lies is not the notebook's to know.
    pub fn kept_page(&self) -> KeptPage {
        KeptPage { link: self.page_link(), step: Some(self.document.step + 1), model: None }
    }

    /// Forgets what could be undone here: how the page opens is no change.
    pub fn forget_history(&mut self) {
        self.history = History::default();
    }

    /// Opens a page that was remembered, with all of it that there still is.
    ///
    /// Fails when its lesson is not there; what was open stays open.
    pub fn reopen(&mut self, page: &KeptPage, gesture: u64) -> Result<Reopened, Diagnostic> {
        let mut address = link::address(&page.link)?;
        let mut index = find_lesson(&self.set.lessons, &address.lesson)?;
        if let Some(route) = link::take_route(&mut address.values) {
            self.take_route(Some(&route));
        }
        let form = link::take_form(&mut address.values);
        let lesson = &self.set.lessons[index];
        let mut remarks = Vec::new();
        let found = find_page(&self.set.lessons, &address.lesson, address.step.as_deref());
        let step = match (address.step.as_deref(), found) {
            (None, _) => 0,
            (_, Ok((of, step))) => {
                index = of;
                step
            }
            (Some(name), Err(_)) => {
                let last = lesson.steps.len().saturating_sub(1);
                let step = page.step.unwrap_or(1).saturating_sub(1).min(last);
                remarks.push(format!(
                    "There is no step “{name}” any more. This is step {} of “{}”.",
                    step + 1,
                    lesson.title
                ));
                step
            }
        };
        let rig = self.rig_or_wait((index, step), |_| AwaitedPage::Kept(page.clone()))?;
        let lesson = &self.set.lessons[index];
        let mut missing_model = None;
        if lesson.rig == OWN_RIG {
            let named = own_model::take_model(&mut address.values);
            if named.as_deref() != self.own_here(lesson) {
                address.values.clear();
                missing_model = named;
            }
        }
        let mut wanted = step_document(lesson, step, Some(&rig));
        let mut cameras = Cameras::new();
        let values = &address.values;
        let left = link::read_what_fits(values, &mut wanted, &mut cameras, lesson, &rig);
        if !left.is_empty() {
            remarks.push(format!(
                "Some values of this page do not fit it any more and were left out: {}.",
                left.join(", ")
            ));
        }
        self.open(index, step)?;
        if !values.is_empty() {
            self.change(wanted, "opening the page again".to_owned(), gesture);
            self.cameras = cameras;
        }
        self.overlook_answers();
        remarks.extend(self.follow_form(form));
        Ok(Reopened { missing_model, remark: (!remarks.is_empty()).then(|| remarks.join(" ")) })
    }
}

// Undo and redo, of the step in sight.

impl Notebook {
    /// One step of undo. False when there is nothing to undo at this step.
    pub fn undo(&mut self) -> bool {
        self.typing.stop();
        self.note_answers();
        let now = self.moment_like(self.history.past().next());
        let before = self.history.undo(&now);
        before.map(|moment| self.put_back(moment)).is_some()
    }

    /// One step of redo. False when there is nothing to redo at this step.
    pub fn redo(&mut self) -> bool {
        self.typing.stop();
        self.note_answers();
        let now = self.moment_like(self.history.future().next());
        let after = self.history.redo(&now);
        after.map(|moment| self.put_back(moment)).is_some()
    }

    /// The page before the last change that undo knows, if that was made on this
    /// model.
    pub fn before_last_change(&self) -> Option<&Document> {
        let before = self.history.past().next()?;
        let same_model = match (&before.own, &self.own) {
            _ if self.lesson().rig != OWN_RIG => true,
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            (one, other) => one.is_none() && other.is_none(),
        };
        let document = &before.document;
        let here = (&document.lesson, document.step) == (&self.document.lesson, self.document.step);
        (same_model && here).then_some(document)
    }

    /// The step as it is, for a change of that step alone.
    pub(super) fn moment(&self) -> UndoPoint {
        let own = (self.lesson().rig == OWN_RIG).then(|| self.own.clone());
        UndoPoint {
            document: self.document.clone(),
            own: own.flatten(),
            own_before: None,
            model_b: None,
            everywhere: None,
        }
    }

    /// As much of now as the other side of a change holds.
    fn moment_like(&self, other: Option<&UndoPoint>) -> UndoPoint {
        let everywhere = other.is_some_and(|moment| moment.everywhere.is_some());
        let model_b = other.is_some_and(|moment| moment.model_b.is_some());
        let own_before = other.is_some_and(|moment| moment.own_before.is_some());
        UndoPoint {
            own_before: own_before.then(|| OpenedB(self.own_before.clone())),
            model_b: model_b.then(|| OpenedB(self.model_b.clone())),
            everywhere: everywhere.then(|| Box::new(self.everywhere())),
            ..self.moment()
        }
    }

    fn put_back(&mut self, moment: UndoPoint) {
        if self.lesson().rig == OWN_RIG {
            self.take_model(moment.own);
        }
        if let Some(OpenedB(own_before)) = moment.own_before {
            self.own_before = own_before;
        }
        if let Some(OpenedB(model_b)) = moment.model_b {
            self.model_b = model_b;
        }
        if let Some(everywhere) = moment.everywhere {
            self.put_back_everywhere(*everywhere);
        }
        let mut document = moment.document;
        // Lessons may have been read again, with their steps in another order.
        document.step = self.document.step;
        self.replace(document);
        self.overlook_answers();
    }
}

// Links to states of a page that is not gone to: what is kept for comparison.

impl Notebook {
    /// The link to a state of some page on the rig that its lesson stands on;
    /// `None`: there is no such lesson.
    pub fn link_to(&self, document: &Document, rig: &Rig) -> Option<String> {
        let mut lessons = self.set.lessons.iter();
        let lesson = lessons.find(|lesson| lesson.slug == document.lesson)?;
        let link = link::write(document, &Cameras::new(), lesson, rig);
        Some(match self.own_here(lesson) {
            Some(model) => link::own_model::name_model(&link, model),
            None => link,
        })
    }
}

// Beginning anew: nothing that was changed, answered or seen is kept.

impl Notebook {
    /// Is anything kept that the next class should not see: changes, answers,
    /// cameras?
    pub fn keeps_anything(&self) -> bool {
        let answered = |record: &StepRecord| !record.answers.is_empty();
        let mut records = self.progress.records();
        !self.kept.is_empty() || self.is_changed() || records.any(|(.., one)| answered(one))
    }

    /// Every step opens as its author meant it, nothing is answered, and nothing
    /// has been seen. One step of undo, here, brings all of it back.
    pub fn begin_anew(&mut self, gesture: u64) {
        self.typing.stop();
        self.note_answers();
        let mut before = self.moment();
        before.everywhere = Some(Box::new(self.everywhere()));
        self.history.record(&before, "beginning anew".to_owned(), gesture);
        self.classes += 1;
        self.class = self.classes;
        self.kept = KeptSteps::default();
        self.histories = Histories::default();
        self.progress = ReaderProgress::default();
        self.cameras.clear();
        let begin = step_document(self.lesson(), self.document.step, Some(&self.rig));
        self.replace(begin);
        self.overlook_answers();
    }

    /// Takes what a reader did and noted before; of steps that were renamed or moved, it goes
    /// to where they are now.
    pub fn take_memory(&mut self, progress: ReaderProgress, marks: StepMarks) {
        (self.progress, self.marks) = (progress, marks);
        for (was, (lesson, step)) in moved_steps(&self.set.lessons) {
            let lesson = &self.set.lessons[lesson];
            if let Some(from) = was.split_once('/') {
                let to = (lesson.slug.as_str(), lesson.steps[step].slug.as_str());
                self.progress.rename(from, to);
                self.marks.rename(from, to);
            }
        }
    }

    /// Whose changes are in sight: another number, never used before, once
    /// everything was begun anew, and the one before when that is undone.
    pub fn class(&self) -> u64 {
        self.class
    }

    pub(super) fn everywhere(&self) -> Everywhere {
        Everywhere {
            kept: self.kept.clone(),
            histories: self.histories.clone(),
            progress: self.progress.clone(),
            cameras: self.cameras.clone(),
            class: self.class,
        }
    }

    pub(super) fn put_back_everywhere(&mut self, everywhere: Everywhere) {
        self.kept = everywhere.kept;
        self.histories = everywhere.histories;
        self.progress = everywhere.progress;
        self.cameras = everywhere.cameras;
        self.class = everywhere.class;
    }
}

#[cfg(test)]
mod tests {

    use std::sync::Arc;

    use bindpose_asset::builtin;
    use bindpose_lesson::LessonSet;

    use super::*;
    use crate::inventory::InventoryForm;
    use crate::{Edit, test_sample};

    const ARM: &str = "+++\ntitle = \"Arm\"\nminutes = 5\nrig = \"arm\"\n+++\n\n\
        ## One\n\nWords.\n\n## Two\n\nWords.\n\n## Three\n\nWords.\n";
    const OWN: &str = "+++\ntitle = \"Yours\"\nminutes = 5\nrig = \"own\"\n+++\n\n\
        ## One\n\nWords.\n\n## Two\n\nWords.\n";

    fn notebook(arm: &str) -> Notebook {
        let lessons = [("10-arm", arm, ""), ("160-yours", OWN, "")];
        Notebook::new(LessonSet::from_memory(&lessons, ""), builtin).unwrap()
    }

    fn page(link: &str, step: Option<usize>) -> KeptPage {
        KeptPage { link: link.to_owned(), step, model: None }
    }

    #[test]
    fn a_renamed_step_keeps_the_rest_of_the_page() {
        let mut before = notebook(ARM);
        let angle = before.derived().rig.params[0].name.clone();
        before.follow(&format!("bindpose://arm/two?{angle}=0.5&joint=1"), 1).unwrap();
        let kept = before.kept_page();
        assert_eq!(kept.step, Some(2));

        let mut after = notebook(&ARM.replace("## Two", "## Second"));
        let reopened = after.reopen(&kept, 1).unwrap();
        assert_eq!(after.document().step, 1);
        assert_eq!(after.document().state, before.document().state);
        let remark = reopened.remark.unwrap();
        assert!(remark.contains("no step “two”") && remark.contains("step 2 of “Arm”"), "{remark}");

        let shorter = ARM.split("## Two").next().unwrap();
        let mut shorter = notebook(shorter);
        assert!(shorter.reopen(&kept, 1).unwrap().remark.is_some());
        assert_eq!(shorter.document().step, 0, "the last that there is");
        let mut unknown = notebook(&ARM.replace("## Two", "## Second"));
        let old = page(&kept.link, None);
        assert!(unknown.reopen(&old, 1).is_ok());
        assert_eq!(unknown.document().step, 0, "the number is not known");
    }

    #[test]
    fn a_link_to_a_renamed_step_opens_the_first_with_the_values() {
        let mut notebook = notebook(ARM);
        let angle = notebook.derived().rig.params[0].name.clone();
        let link = format!("bindpose://arm/gone?{angle}=0.5&joint=1&route=none");
        let remark = notebook.follow(&link, 1).unwrap().expect("a remark");
        assert!(
            remark.contains("no step “gone”") && remark.contains("step 1 of “Arm”"),
            "{remark}"
        );
        assert_eq!(notebook.document().step, 0);
        assert_eq!(notebook.document().state.params[&angle], 0.5);
    }

    #[test]
    fn values_that_do_not_fit_any_more_are_named_and_the_others_stand() {
        let mut notebook = notebook(ARM);
        let page = page("bindpose://arm/two?nonsense=3&joint=1&weights.999=1,0", None);
        let remark = notebook.reopen(&page, 1).unwrap().remark.unwrap();
        assert!(remark.contains("nonsense, weights.999"), "{remark}");
        assert_eq!(notebook.document().state.joint.index(), 1);
    }

    #[test]
    fn a_form_is_opened_again_at_its_question() {
        let mut notebook = Notebook::new(LessonSet::embedded(), builtin).unwrap();
        let kept = page("bindpose://hierarchy?form=after.3", None);
        assert_eq!(notebook.reopen(&kept, 1).unwrap(), Reopened::default());
        let open = notebook.forms().open.expect("a form");
        assert_eq!((open.form, open.at), (InventoryForm::After, 2));
        let kept = page("bindpose://hierarchy?form=later", None);
        let remark = notebook.reopen(&kept, 1).unwrap().remark;
        assert!(remark.is_some_and(|words| words.contains("later")));
    }

    #[test]
    fn a_lesson_that_is_gone_changes_nothing() {
        let mut notebook = notebook(ARM);
        let before = notebook.document().clone();
        assert!(notebook.reopen(&page("bindpose://leg/two", None), 1).is_err());
        assert!(notebook.reopen(&page("no link", None), 1).is_err());
        assert_eq!(*notebook.document(), before);
    }

    #[test]
    fn a_page_on_a_model_asks_for_it_and_is_whole_when_it_is_open() {
        let mut before = notebook(ARM);
        let model = Arc::new(test_sample::rig());
        before.open_model(Arc::clone(&model), 1).unwrap();
        before.edit(&Edit::param("nod", 0.5), 2).unwrap();
        let kept = before.kept_page();

        let mut after = notebook(ARM);
        let reopened = after.reopen(&kept, 1).unwrap();
        assert_eq!(reopened.missing_model.as_deref(), Some("Sample"));
        assert!(after.document().state.params.is_empty());
        after.open_model(model, 2).unwrap();
        assert_eq!(after.reopen(&kept, 3).unwrap(), Reopened::default());
        assert_eq!(after.document().state, before.document().state);
    }

    #[test]
    fn a_state_comes_back_from_its_link_and_of_another_lesson_none_does() {
        let mut notebook = Notebook::new(LessonSet::embedded(), builtin).expect("it has lessons");
        notebook.follow("bindpose://bind-pose/edit-it-yourself?nod=0.5", 0).expect("a page");
        let kept = notebook.document().clone();
        let link = notebook.link_to(&kept, &notebook.derived().stored_rig).expect("a link");
        notebook.follow("bindpose://bind-pose/guess-where-it-goes", 0).expect("a page");
        assert_eq!(notebook.read_aside(&link), Some(kept));
        assert_eq!(notebook.read_aside("bindpose://bind-pose/gone?nod=0.5"), None);
        notebook.follow("bindpose://bone-grid", 0).expect("a page");
        assert_eq!(notebook.read_aside(&link), None);
    }
}
