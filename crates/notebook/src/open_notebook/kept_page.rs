//! Storing the open page and reopening it in a later run, when lessons and
//! models may have changed.

use std::sync::Arc;

use bindpose_diagnostic::Diagnostic;
use bindpose_gltf::Rig;
use bindpose_lesson::{find_lesson, find_page, moved_steps};

use super::super::lesson_assets::OWN_RIG;
use super::super::link::{self, own_model};
use super::super::moment::{Histories, NotebookSnapshot, SavedModel, StoredSteps, UndoPoint};
use super::super::navigation::PendingActionKind;
use super::super::{
    Cameras, Document, History, KeptPage, ReaderProgress, StepMarks, TIME_PARAM, step_document,
};
use super::Notebook;

/// Result of reopening a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReopenedPage {
    /// Name of the model to be opened first. Until then the page is shown
    /// without its values.
    pub missing_model: Option<String>,
    /// Message for the reader about a step or values that no longer exist.
    pub remark: Option<String>,
}

impl Notebook {
    /// Returns the open page for storage. The path of the reader's model is
    /// added by the caller, because the notebook does not know it.
    pub fn kept_page(&self) -> KeptPage {
        KeptPage { link: self.page_link(), step: Some(self.document.step + 1), model: None }
    }

    /// Clears the undo history of this step, so that opening the page cannot be
    /// undone.
    pub fn forget_history(&mut self) {
        self.history = History::default();
    }

    /// Reopens a stored page, as far as its parts still exist.
    ///
    /// # Errors
    ///
    /// Fails if its lesson does not exist. The open page then stays open.
    pub fn reopen(&mut self, page: &KeptPage, gesture: u64) -> Result<ReopenedPage, Diagnostic> {
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
        let rig = self.rig_or_wait(index, step, |_| PendingActionKind::Kept(page.clone()))?;
        let lesson = &self.set.lessons[index];
        let mut missing_model = None;
        if lesson.rig == OWN_RIG {
            let named = own_model::take_model(&mut address.values);
            if named.as_deref() != self.own_model_name(lesson) {
                address.values.clear();
                missing_model = named;
            }
        }
        let mut wanted = step_document(lesson, step, Some(&rig));
        let mut cameras = Cameras::new();
        let values = &address.values;
        let skipped = link::read_valid(values, &mut wanted, &mut cameras, lesson, &rig);
        if !skipped.is_empty() {
            remarks.push(format!(
                "Some values of this page do not fit it any more and were left out: {}.",
                skipped.join(", ")
            ));
        }
        self.open(index, step)?;
        if !values.is_empty() {
            self.change(wanted, "opening the page again".to_owned(), gesture);
            self.cameras = cameras;
        }
        self.ignore_current_answers();
        remarks.extend(self.follow_form(form));
        Ok(ReopenedPage { missing_model, remark: (!remarks.is_empty()).then(|| remarks.join(" ")) })
    }
}

// Undo and redo on the open step.

impl Notebook {
    /// Undoes one change. Returns false if there is nothing to undo on this
    /// step.
    pub fn undo(&mut self) -> bool {
        self.typing.end_run();
        self.note_answers();
        let now = self.undo_point_like(self.history.past().next());
        match self.history.undo(&now) {
            Some(point) => {
                self.restore(point);
                true
            }
            None => false,
        }
    }

    /// Redoes one change. Returns false if there is nothing to redo on this
    /// step.
    pub fn redo(&mut self) -> bool {
        self.typing.end_run();
        self.note_answers();
        let now = self.undo_point_like(self.history.future().next());
        match self.history.redo(&now) {
            Some(point) => {
                self.restore(point);
                true
            }
            None => false,
        }
    }

    /// Returns the document before the last change that can be undone, if it
    /// was made on this model.
    pub fn before_last_change(&self) -> Option<&Document> {
        let before = self.history.past().next()?;
        let same_model = match (&before.own, &self.own) {
            _ if self.lesson().rig != OWN_RIG => true,
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            (one, other) => one.is_none() && other.is_none(),
        };
        let document = &before.document;
        let is_this_step =
            document.lesson == self.document.lesson && document.step == self.document.step;
        (same_model && is_this_step).then_some(document)
    }

    /// Undo point for a change of this step only.
    pub(super) fn undo_point(&self) -> UndoPoint {
        let own = (self.lesson().rig == OWN_RIG).then(|| self.own.clone());
        UndoPoint {
            document: self.document.clone(),
            own: own.flatten(),
            own_before: None,
            model_b: None,
            snapshot: None,
        }
    }

    /// Undo point with the same parts as the other side of a change.
    fn undo_point_like(&self, other: Option<&UndoPoint>) -> UndoPoint {
        let snapshot = other.is_some_and(|point| point.snapshot.is_some());
        let model_b = other.is_some_and(|point| point.model_b.is_some());
        let own_before = other.is_some_and(|point| point.own_before.is_some());
        UndoPoint {
            own_before: own_before.then(|| SavedModel(self.own_before.clone())),
            model_b: model_b.then(|| SavedModel(self.model_b.clone())),
            snapshot: snapshot.then(|| Box::new(self.snapshot())),
            ..self.undo_point()
        }
    }

    fn restore(&mut self, point: UndoPoint) {
        if self.lesson().rig == OWN_RIG {
            self.take_model(point.own);
        }
        if let Some(SavedModel(own_before)) = point.own_before {
            self.own_before = own_before;
        }
        if let Some(SavedModel(model_b)) = point.model_b {
            self.model_b = model_b;
        }
        if let Some(snapshot) = point.snapshot {
            self.restore_snapshot(*snapshot);
        }
        let mut document = point.document;
        // The order of steps may have changed if lessons were reloaded.
        document.step = self.document.step;
        self.replace(document);
        self.ignore_current_answers();
    }
}

// Links to page states kept for comparison.

impl Notebook {
    /// Returns the link to a page state on the rig of its lesson. Returns
    /// `None` if the lesson does not exist.
    pub fn link_to(&self, document: &Document, rig: &Rig) -> Option<String> {
        let lesson = self.set.lessons.iter().find(|lesson| lesson.slug == document.lesson)?;
        let link = link::write(document, &Cameras::new(), lesson, rig);
        Some(match self.own_model_name(lesson) {
            Some(model) => link::own_model::name_model(&link, model),
            None => link,
        })
    }
}

// Starting over for the next class.

impl Notebook {
    /// Returns true if the open lesson has changes, answers or cameras that the next
    /// class should not see. A clip that has played by itself is no change.
    pub fn lesson_keeps_work(&self) -> bool {
        let slug = &self.lesson().slug;
        let mut records = self.progress.records().filter(|(lesson, ..)| lesson == slug);
        let mut initial = self.initial_state(self.lesson(), self.document.step, &self.rig).state;
        let mut state = self.document.state.clone();
        for state in [&mut initial, &mut state] {
            state.params.remove(TIME_PARAM);
        }
        self.kept.has_lesson(slug)
            || state != initial
            || !self.cameras.is_empty()
            || records.any(|(.., record)| !record.answers.is_empty())
    }

    /// Resets all steps, answers and progress. One undo step restores
    /// everything.
    pub fn reset_progress(&mut self, gesture: u64) {
        self.typing.end_run();
        self.note_answers();
        let before = UndoPoint { snapshot: Some(Box::new(self.snapshot())), ..self.undo_point() };
        self.history.record(&before, "beginning anew".to_owned(), gesture);
        self.class_count += 1;
        self.class = self.class_count;
        self.kept = StoredSteps::default();
        self.histories = Histories::default();
        self.progress = ReaderProgress::default();
        self.cameras.clear();
        let start = step_document(self.lesson(), self.document.step, Some(&self.rig));
        self.replace(start);
        self.ignore_current_answers();
    }

    /// Restores progress and marks of an earlier run. Those of renamed or moved
    /// steps are transferred to their new names.
    pub fn take_memory(&mut self, progress: ReaderProgress, marks: StepMarks) {
        self.progress = progress;
        self.marks = marks;
        for (was, (lesson, step)) in moved_steps(&self.set.lessons) {
            let lesson = &self.set.lessons[lesson];
            if let Some(from) = was.split_once('/') {
                let to = (lesson.slug.as_str(), lesson.steps[step].slug.as_str());
                self.progress.rename(from, to);
                self.marks.rename(from, to);
            }
        }
    }

    /// Number of the class whose changes are shown. Starting over assigns a new
    /// number, undoing it restores the previous one.
    pub fn class(&self) -> u64 {
        self.class
    }

    fn snapshot(&self) -> NotebookSnapshot {
        NotebookSnapshot {
            kept: self.kept.clone(),
            histories: self.histories.clone(),
            progress: self.progress.clone(),
            cameras: self.cameras.clone(),
            class: self.class,
        }
    }

    fn restore_snapshot(&mut self, snapshot: NotebookSnapshot) {
        self.kept = snapshot.kept;
        self.histories = snapshot.histories;
        self.progress = snapshot.progress;
        self.cameras = snapshot.cameras;
        self.class = snapshot.class;
    }
}

#[cfg(test)]
mod tests {

    use std::sync::Arc;

    use bindpose_lesson::LessonSet;
    use bindpose_rigs::builtin;

    use super::*;
    use crate::inventory::InventoryForm;
    use crate::test_sample::notebook_of;
    use crate::{Edit, test_sample};

    const ARM: &str = "+++\ntitle = \"Arm\"\nminutes = 5\nrig = \"arm\"\n+++\n\n\
        ## One\n\nWords.\n\n## Two\n\nWords.\n\n## Three\n\nWords.\n";
    const OWN: &str = "+++\ntitle = \"Yours\"\nminutes = 5\nrig = \"own\"\n+++\n\n\
        ## One\n\nWords.\n\n## Two\n\nWords.\n";

    fn notebook(arm: &str) -> Notebook {
        notebook_of(&[("10-arm", arm), ("160-yours", OWN)])
    }

    fn page(link: &str, step: Option<usize>) -> KeptPage {
        KeptPage { link: link.to_owned(), step, model: None }
    }

    #[test]
    fn renamed_step_opens_by_number_with_values() {
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
    fn link_to_renamed_step_opens_first_step_with_values() {
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
    fn invalid_values_are_reported_and_others_kept() {
        let mut notebook = notebook(ARM);
        let page = page("bindpose://arm/two?nonsense=3&joint=1&weights.999=1,0", None);
        let remark = notebook.reopen(&page, 1).unwrap().remark.unwrap();
        assert!(remark.contains("nonsense, weights.999"), "{remark}");
        assert_eq!(notebook.document().state.joint.index(), 1);
    }

    #[test]
    fn form_is_reopened_at_its_question() {
        let mut notebook = Notebook::new(LessonSet::embedded(), builtin).unwrap();
        let kept = page("bindpose://hierarchy?form=after.3", None);
        assert_eq!(notebook.reopen(&kept, 1).unwrap(), ReopenedPage::default());
        let open = notebook.forms().open.expect("a form");
        assert_eq!((open.form, open.at), (InventoryForm::After, 2));
        let kept = page("bindpose://hierarchy?form=later", None);
        let remark = notebook.reopen(&kept, 1).unwrap().remark;
        assert!(remark.is_some_and(|words| words.contains("later")));
    }

    #[test]
    fn missing_lesson_changes_nothing() {
        let mut notebook = notebook(ARM);
        let before = notebook.document().clone();
        assert!(notebook.reopen(&page("bindpose://leg/two", None), 1).is_err());
        assert!(notebook.reopen(&page("no link", None), 1).is_err());
        assert_eq!(*notebook.document(), before);
    }

    #[test]
    fn page_on_a_model_asks_for_it() {
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
        assert_eq!(after.reopen(&kept, 3).unwrap(), ReopenedPage::default());
        assert_eq!(after.document().state, before.document().state);
    }

    #[test]
    fn read_aside_reads_links_to_this_lesson_only() {
        let mut notebook = Notebook::new(LessonSet::embedded(), builtin).expect("it has lessons");
        notebook.follow("bindpose://bind-pose/edit-it-yourself?nod=0.5", 0).expect("a page");
        let kept = notebook.document().clone();
        let link = notebook.link_to(&kept, &notebook.derived().stored_rig).expect("a link");
        notebook.follow("bindpose://bind-pose/guess-where-it-goes", 0).expect("a page");
        assert_eq!(notebook.parse_link_document(&link), Some(kept));
        assert_eq!(notebook.parse_link_document("bindpose://bind-pose/gone?nod=0.5"), None);
        notebook.follow("bindpose://bone-grid", 0).expect("a page");
        assert_eq!(notebook.parse_link_document(&link), None);
    }
}
