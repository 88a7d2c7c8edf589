//! What was answered in a form.

use std::collections::BTreeMap;

use bindpose_lesson::{InventoryQuestion, Lesson};
use serde::{Deserialize, Serialize};

use super::form::{Form, OpenForm, questions_of};

/// The first answer to each question of a form.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FormRecord {
    /// By the id of the question.
    pub answers: BTreeMap<String, FormAnswer>,
}

/// An answer, with what it showed when it was given: the question may be another one
/// later.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FormAnswer {
    /// Its place among the options, in the author's order, from 1.
    pub option: usize,
    /// Was it right?
    pub right: bool,
    /// Of a wrong answer, the id of the misconception that leads to it.
    pub misconception: Option<String>,
    /// The day of the answer; `None`: not known.
    pub day: Option<String>,
}

/// The two forms of a lesson.
#[derive(Clone, Copy, Debug, Default)]
pub struct Forms<'a> {
    /// The one that stands in the place of the page; `None`: the page does.
    pub open: Option<OpenForm>,
    /// What was answered before the lesson; `None`: nothing yet.
    pub before: Option<&'a FormRecord>,
    /// And after it.
    pub after: Option<&'a FormRecord>,
}

impl<'a> Forms<'a> {
    /// What was answered in one of them.
    pub fn record(&self, form: Form) -> Option<&'a FormRecord> {
        match form {
            Form::Before => self.before,
            Form::After => self.after,
        }
    }
}

impl FormRecord {
    /// Notes an answer, by its index; false where the question has none of that index,
    /// or was answered before.
    pub fn note(
        &mut self,
        question: &InventoryQuestion,
        option: usize,
        day: Option<String>,
    ) -> bool {
        let Some(chosen) = question.options.get(option) else {
            return false;
        };
        if self.answers.contains_key(&question.id) {
            return false;
        }
        let answer = FormAnswer {
            option: option + 1,
            right: chosen.right,
            misconception: chosen.misconception.clone(),
            day,
        };
        self.answers.insert(question.id.clone(), answer);
        true
    }

    /// How many questions of the form as it is now were answered.
    pub fn answered(&self, lesson: &Lesson, form: Form) -> usize {
        let questions = questions_of(lesson, form).into_iter();
        questions.filter(|question| self.answers.contains_key(&question.id)).count()
    }
}
