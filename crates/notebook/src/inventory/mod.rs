//! The concept inventory of a lesson at work: which questions its two forms ask, what
//! was answered, and which misconceptions that shows.

mod option_values;

use std::collections::{BTreeMap, BTreeSet};

use bindpose_diagnostic::Diagnostic;
use bindpose_lesson::{InventoryQuestion, Lesson};
use serde::{Deserialize, Serialize};

use crate::shuffle::shuffle_indices;

pub use option_values::{
    OptionValue, QuestionError, QuestionWrong, option_values, option_words, question_values,
};

/// When questions are asked.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum InventoryForm {
    /// Before the lesson: answers are kept and not judged.
    #[default]
    Before,
    /// After it: each answer is told right or wrong, with the reason.
    After,
}

/// A form in the place of the page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpenForm {
    /// Which.
    pub form: InventoryForm,
    /// Index of the question in sight; behind the last one stands the result.
    pub at: usize,
}

/// What a reader does with the forms of the open lesson.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FormAct {
    /// Open one.
    Open(InventoryForm),
    /// To its next question, or the one before; beyond the ends, out of it.
    Turn(bool),
    /// Answer a question: the first answer counts.
    Answer {
        /// Its id.
        question: String,
        /// Index of the answer among its options.
        option: usize,
    },
    /// Forget its answers, and begin again.
    Again,
    /// Back to the lesson.
    Leave,
}

impl InventoryForm {
    /// In their order.
    pub const ALL: [Self; 2] = [Self::Before, Self::After];

    /// In links and on the command line.
    pub fn key(self) -> &'static str {
        match self {
            Self::Before => "before",
            Self::After => "after",
        }
    }

    /// The form of that key.
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|form| form.key() == key)
    }
}

/// The questions of a form, by their misconceptions. Of those about one
/// misconception every second is asked before the lesson, the others after it.
pub fn questions_of(lesson: &Lesson, form: InventoryForm) -> Vec<&InventoryQuestion> {
    let inventory = &lesson.inventory;
    let first = match form {
        InventoryForm::Before => 0,
        InventoryForm::After => 1,
    };
    let of_one = |id: &str| {
        let id = id.to_owned();
        let questions = inventory.questions.iter();
        let about = questions.filter(move |question| question.misconception == id);
        about.skip(first).step_by(2)
    };
    let misconceptions = inventory.misconceptions.iter();
    misconceptions.flat_map(|one| of_one(&one.id)).collect()
}

/// The same of a lesson that is to have some.
///
/// Fails when it has none.
pub fn asked_questions(
    lesson: &Lesson,
    form: InventoryForm,
) -> Result<Vec<&InventoryQuestion>, Diagnostic> {
    let questions = questions_of(lesson, form);
    if questions.is_empty() {
        let (number, when) = (lesson.number, form.key());
        let title = format!("lesson {number} has no questions {when} it");
        return Err(Diagnostic::said("MISSING", title));
    }
    Ok(questions)
}

/// What the file of a form on paper is called, without its ending.
pub fn form_file(lesson: &Lesson, form: InventoryForm) -> String {
    format!("{}-{}", lesson.site_folder(), form.key())
}

/// In which order answers stand on the page, by their places in the author's: the same
/// for every reader.
pub fn shown_options(question: &InventoryQuestion) -> Vec<usize> {
    shuffle_indices(&question.id, question.options.len())
}

/// By which an answer is called where it has no words: its letter on the page.
pub fn option_letter(order: &[usize], place: usize) -> char {
    let at = order.iter().position(|other| *other == place);
    ('A'..='Z').nth(at.unwrap_or(0)).unwrap_or('A')
}

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
    pub fn record(&self, form: InventoryForm) -> Option<&'a FormRecord> {
        match form {
            InventoryForm::Before => self.before,
            InventoryForm::After => self.after,
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
    pub fn answered(&self, lesson: &Lesson, form: InventoryForm) -> usize {
        let questions = questions_of(lesson, form).into_iter();
        questions.filter(|question| self.answers.contains_key(&question.id)).count()
    }
}

/// What a form shows of one misconception.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Holding {
    /// Its questions were not answered.
    NotAnswered,
    /// An answer was chosen that it leads to.
    Held,
    /// Another wrong answer was chosen.
    Otherwise,
    /// All of its questions that were answered were answered right.
    NotHeld,
}

impl Holding {
    /// For the reader.
    pub fn words(self) -> &'static str {
        match self {
            Self::NotAnswered => "not answered",
            Self::Held => "held",
            Self::Otherwise => "wrong in another way",
            Self::NotHeld => "not held",
        }
    }
}

/// What a form of a lesson shows of the misconception of that id. `record`: what was
/// answered in it.
pub fn holding(
    lesson: &Lesson,
    form: InventoryForm,
    record: Option<&FormRecord>,
    id: &str,
) -> Holding {
    let Some(record) = record else {
        return Holding::NotAnswered;
    };
    let mut all = record.answers.values();
    if all.any(|answer| answer.misconception.as_deref() == Some(id)) {
        return Holding::Held;
    }
    let questions = questions_of(lesson, form).into_iter();
    let about = questions.filter(|question| question.misconception == id);
    let answers: Vec<bool> =
        about.filter_map(|question| Some(record.answers.get(&question.id)?.right)).collect();
    match &answers[..] {
        [] => Holding::NotAnswered,
        answers if answers.iter().all(|right| *right) => Holding::NotHeld,
        _ => Holding::Otherwise,
    }
}

/// Ids of misconceptions that answers of a form show, and that other lessons are about.
pub fn held_elsewhere<'a>(lesson: &Lesson, record: Option<&'a FormRecord>) -> BTreeSet<&'a str> {
    let own = &lesson.inventory.misconceptions;
    let answers = record.into_iter().flat_map(|record| record.answers.values());
    let held = answers.filter_map(|answer| answer.misconception.as_deref());
    held.filter(|id| own.iter().all(|one| one.id != *id)).collect()
}

/// `Before the lesson you held 3 of these 4 misconceptions, after it 1.` Only forms of
/// which every question was answered are told.
pub fn result_words(lesson: &Lesson, forms: &Forms<'_>) -> String {
    let all = lesson.inventory.misconceptions.len();
    let held = |form: InventoryForm| {
        let count = questions_of(lesson, form).len();
        let whole = forms.record(form).filter(|record| record.answered(lesson, form) == count)?;
        let own = lesson.inventory.misconceptions.iter();
        let held = own.filter(|one| holding(lesson, form, Some(whole), &one.id) == Holding::Held);
        Some(held.count())
    };
    let these = if all == 1 {
        "this misconception".to_owned()
    } else {
        format!("these {all} misconceptions")
    };
    let of = |count: usize| match (all, count) {
        (1, 0) => "did not hold".to_owned(),
        (1, _) => "held".to_owned(),
        (_, 0) => "held none of".to_owned(),
        (_, count) => format!("held {count} of"),
    };
    match (held(InventoryForm::Before), held(InventoryForm::After)) {
        (Some(before), Some(after)) => {
            let (before, after) = (of(before), of(after));
            format!(
                "Before the lesson you {before} {these}; after it you {after} {}.",
                if all == 1 { "it" } else { "them" }
            )
        }
        (Some(before), None) => format!("Before the lesson you {} {these}.", of(before)),
        (None, Some(after)) => format!("After the lesson you {} {these}.", of(after)),
        (None, None) => "Not all questions are answered yet.".to_owned(),
    }
}
