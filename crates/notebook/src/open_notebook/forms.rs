//! The two forms of the lesson's inventory, which replace its page while open.

use bindpose_diagnostic::Diagnostic;

use super::Notebook;
use crate::inventory::{FormAct, Forms, InventoryForm, OpenForm, asked_questions, questions_of};
use crate::{EditError, link};

impl Notebook {
    /// Returns the forms of the open lesson: the one shown, and the answers to
    /// both.
    pub fn forms(&self) -> Forms<'_> {
        let slug = &self.lesson().slug;
        Forms {
            open: self.form,
            before: self.progress.form(slug, InventoryForm::Before),
            after: self.progress.form(slug, InventoryForm::After),
        }
    }

    pub(super) fn act_on_form(&mut self, act: &FormAct) -> Result<(), EditError> {
        match act {
            FormAct::Open(form) => self.open_form(*form, None)?,
            FormAct::Turn(forward) => {
                self.turn_form(*forward);
            }
            FormAct::Answer { question, option } => {
                let slug = self.lesson().slug.clone();
                let today = self.answers.today.clone();
                let question = self.lesson().inventory.question(question).cloned();
                if let (Some(open), Some(question)) = (self.form, question) {
                    let record = self.progress.form_mut(&slug, open.form);
                    record.note(&question, *option, today);
                }
            }
            FormAct::Again => {
                if let Some(open) = self.form {
                    let slug = self.lesson().slug.clone();
                    self.progress.forget_form(&slug, open.form);
                    self.open_form(open.form, None)?;
                }
            }
            FormAct::Leave => self.form = None,
        }
        Ok(())
    }

    /// Opens a form of the open lesson at the question with this index, or at
    /// the first unanswered one.
    fn open_form(&mut self, form: InventoryForm, at: Option<usize>) -> Result<(), Diagnostic> {
        let lesson = self.lesson();
        let questions = asked_questions(lesson, form)?;
        let record = self.progress.form(&lesson.slug, form);
        let open = questions.iter().position(|question| {
            record.is_none_or(|record| !record.answers.contains_key(&question.id))
        });
        let all = questions.len();
        let at = at.or(open).unwrap_or(all).min(all);
        self.form = Some(OpenForm { form, at });
        Ok(())
    }

    /// Turns to the next or previous question of the open form, or closes it
    /// beyond its ends. Returns false if no form is open.
    pub(super) fn turn_form(&mut self, forward: bool) -> bool {
        let Some(open) = self.form else {
            return false;
        };
        let last = questions_of(self.lesson(), open.form).len();
        let at = if forward {
            Some(open.at + 1).filter(|at| *at <= last)
        } else {
            open.at.checked_sub(1)
        };
        self.form = at.map(|at| OpenForm { at, ..open });
        true
    }

    /// Opens the form named in a link. Returns a message if it does not exist.
    pub(super) fn follow_form(&mut self, named: Option<String>) -> Option<String> {
        self.form = None;
        let named = named?;
        let (key, at) = named.split_once('.').unwrap_or((&named, ""));
        let Some(form) = InventoryForm::from_key(key) else {
            return Some(Diagnostic::unknown("form", key, &["before", "after"]).to_string());
        };
        let at = at.parse::<usize>().ok().map(|at| at.saturating_sub(1));
        self.open_form(form, at).err().map(|wrong| wrong.to_string())
    }

    /// Adds the open form to a link.
    pub(super) fn with_form(&self, page: String) -> String {
        match self.form {
            Some(open) => link::name_form(&page, &format!("{}.{}", open.form.key(), open.at + 1)),
            None => page,
        }
    }
}

#[cfg(test)]
mod tests {
    use bindpose_lesson::LessonSet;
    use bindpose_rigs::builtin;

    use super::*;
    use crate::{Navigation, ReaderProgress};

    fn notebook() -> Notebook {
        let mut notebook = Notebook::new(LessonSet::embedded(), builtin).unwrap();
        notebook.follow("bindpose://bind-pose", 1).unwrap();
        notebook
    }

    fn act(notebook: &mut Notebook, act: FormAct) {
        notebook.navigate(&Navigation::Form(act)).unwrap();
    }

    #[test]
    fn answers_are_kept_once_and_turning_leads_through_the_form_and_out_of_it() {
        let mut notebook = notebook();
        act(&mut notebook, FormAct::Open(InventoryForm::Before));
        let ids: Vec<String> = questions_of(notebook.lesson(), InventoryForm::Before)
            .iter()
            .map(|question| question.id.clone())
            .collect();
        assert!(ids.len() >= 2);
        for question in ids.clone() {
            for option in [1, 0, 99] {
                let question = question.clone();
                act(&mut notebook, FormAct::Answer { question, option });
            }
            assert!(notebook.turn_page(true));
        }
        assert_eq!(notebook.forms().open.unwrap().at, ids.len(), "the result");
        let record = notebook.forms().before.unwrap().clone();
        assert_eq!(record.answered(notebook.lesson(), InventoryForm::Before), ids.len());
        assert!(record.answers.values().all(|answer| answer.option == 2));
        assert!(notebook.turn_page(true));
        assert_eq!(notebook.forms().open, None);
        assert_eq!(notebook.document().step, 0, "back where it was left");

        // Kept between runs, forgotten with all else, and begun again.
        let value = serde_json::to_value(&notebook.progress).unwrap();
        assert_eq!(ReaderProgress::from_value(&value), (notebook.progress.clone(), true));
        act(&mut notebook, FormAct::Open(InventoryForm::Before));
        assert_eq!(notebook.forms().open.unwrap().at, ids.len());
        act(&mut notebook, FormAct::Again);
        assert_eq!(notebook.forms().open.unwrap().at, 0);
        assert_eq!(notebook.forms().before, None);
        notebook.turn_page(false);
        assert_eq!(notebook.forms().open, None);
    }

    #[test]
    fn a_link_leads_to_a_form_and_another_page_out_of_it() {
        let mut notebook = notebook();
        notebook.follow("bindpose://bind-pose?form=after.2", 2).unwrap();
        let open = OpenForm { form: InventoryForm::After, at: 1 };
        assert_eq!(notebook.forms().open, Some(open));
        assert!(notebook.link().ends_with("?form=after.2"), "{}", notebook.link());
        notebook.follow("bindpose://bone-grid", 3).unwrap();
        assert_eq!(notebook.forms().open, None);
        let said = notebook.follow("bindpose://bind-pose?form=later", 4).unwrap();
        assert!(said.unwrap().contains("there is no form `later`"));
        notebook.follow("bindpose://bind-pose?form=before.99", 5).unwrap();
        let last = questions_of(notebook.lesson(), InventoryForm::Before).len();
        assert_eq!(notebook.forms().open.unwrap().at, last);
        notebook.go(&crate::PageAddress::lesson("bind-pose")).unwrap();
        assert_eq!(notebook.forms().open, None);
    }
}
