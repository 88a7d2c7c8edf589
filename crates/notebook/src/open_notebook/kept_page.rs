//! The open page as it is remembered, and opened again in another run: lessons
//! and models may have changed meanwhile.

use bindpose_diagnostic::Diagnostic;
use bindpose_lesson::{find_lesson, find_step};

use super::super::awaited::AwaitedPage;
use super::super::link::{self, own_model};
use super::super::own_model::OWN_RIG;
use super::super::{Cameras, History, KeptPage, step_document};
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
        let index = find_lesson(&self.set.lessons, &address.lesson)?;
        if let Some(route) = link::take_route(&mut address.values) {
            self.take_route(Some(&route));
        }
        let form = link::take_form(&mut address.values);
        let lesson = &self.set.lessons[index];
        let mut remarks = Vec::new();
        let step = match address.step.as_deref().map(|step| (step, find_step(lesson, step))) {
            None => 0,
            Some((_, Ok(step))) => step,
            Some((name, Err(_))) => {
                let last = lesson.steps.len().saturating_sub(1);
                let step = page.step.unwrap_or(1).saturating_sub(1).min(last);
                remarks.push(format!(
                    "There is no step “{name}” any more: step {} of “{}” stands here in its place.",
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
}
