//! The concept inventory of a lesson: the questions of its two forms, the answers to them,
//! and the misconceptions that those show.

mod option_values;

use std::collections::{BTreeMap, BTreeSet};

use bindpose_diagnostic::Diagnostic;
use bindpose_lesson::{Inventory, InventoryQuestion, Lesson};
use serde::{Deserialize, Serialize};

use crate::shuffle::shuffle_indices;

pub use option_values::{OptionValue, QuestionError, option_values, option_words, question_values};

/// Time of the questions of an inventory: before or after the lesson.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum InventoryForm {
    /// Before the lesson. Answers are not graded.
    #[default]
    Before,
    /// After the lesson. Each answer is graded, with the reason.
    After,
}

/// A form shown in place of the page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpenForm {
    pub form: InventoryForm,
    /// Index of the question. Past the last question, the result is shown.
    pub at: usize,
}

/// Actions in the forms of the open lesson.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FormAct {
    Open(InventoryForm),
    /// Turns to the next question, or to the previous one if false. Beyond the ends, closes
    /// the form.
    Turn(bool),
    /// Answers a question. Later answers to the same question are ignored.
    Answer {
        /// Id of the question.
        question: String,
        /// Index of the choice in the author's order.
        option: usize,
    },
    /// Forgets the answers and starts again.
    Again,
    /// Returns to the lesson.
    Leave,
}

impl InventoryForm {
    pub const ALL: [Self; 2] = [Self::Before, Self::After];

    /// Name in links and on the command line.
    pub fn key(self) -> &'static str {
        match self {
            Self::Before => "before",
            Self::After => "after",
        }
    }

    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|form| form.key() == key)
    }
}

/// Returns the questions of a form, grouped by misconception. Questions about the same
/// misconception take turns before and after the lesson.
pub fn questions_of(lesson: &Lesson, form: InventoryForm) -> Vec<&InventoryQuestion> {
    let Inventory { misconceptions, questions } = &lesson.inventory;
    let first = match form {
        InventoryForm::Before => 0,
        InventoryForm::After => 1,
    };
    misconceptions
        .iter()
        .flat_map(|one| {
            questions
                .iter()
                .filter(|question| question.misconception == one.id)
                .skip(first)
                .step_by(2)
        })
        .collect()
}

/// Like [`questions_of`].
///
/// # Errors
///
/// Fails if the form has no questions.
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

/// Name of the printed form's file, without extension.
pub fn form_file(lesson: &Lesson, form: InventoryForm) -> String {
    format!("{}-{}", lesson.site_folder(), form.key())
}

/// Returns the order in which the choices are shown, as indices into the author's list. It
/// is the same for every reader.
pub fn shown_options(question: &InventoryQuestion) -> Vec<usize> {
    shuffle_indices(&question.id, question.ask.choices.len())
}

/// Returns the letter of a choice on the page, which names a choice without words.
pub fn option_letter(order: &[usize], place: usize) -> char {
    let at = order.iter().position(|other| *other == place);
    ('A'..='Z').nth(at.unwrap_or(0)).unwrap_or('A')
}

/// First answers to the questions of a form.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FormRecord {
    /// Answers by the id of the question.
    pub answers: BTreeMap<String, FormAnswer>,
}

/// An answer with its grade at the time, because the question may change later.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FormAnswer {
    /// Number of the choice in the author's order, from 1.
    pub option: usize,
    pub right: bool,
    /// Id of the misconception that leads to a wrong answer.
    pub misconception: Option<String>,
    /// Date of the answer, if known.
    pub day: Option<String>,
}

/// The two forms of a lesson.
#[derive(Clone, Copy, Debug, Default)]
pub struct Forms<'a> {
    /// Form shown in place of the page, if any.
    pub open: Option<OpenForm>,
    /// Answers before the lesson, if any.
    pub before: Option<&'a FormRecord>,
    /// Answers after the lesson, if any.
    pub after: Option<&'a FormRecord>,
}

impl<'a> Forms<'a> {
    /// Returns the answers to a form, if any.
    pub fn record(&self, form: InventoryForm) -> Option<&'a FormRecord> {
        match form {
            InventoryForm::Before => self.before,
            InventoryForm::After => self.after,
        }
    }
}

impl FormRecord {
    /// Notes an answer, by the index of its choice. Returns false if there is no such choice,
    /// or the question is already answered.
    pub fn note(
        &mut self,
        question: &InventoryQuestion,
        option: usize,
        day: Option<String>,
    ) -> bool {
        let Some((choice, origin)) = question.choices().nth(option) else {
            return false;
        };
        if self.answers.contains_key(&question.id) {
            return false;
        }
        let answer = FormAnswer {
            option: option + 1,
            right: choice.right,
            misconception: origin.misconception.clone(),
            day,
        };
        self.answers.insert(question.id.clone(), answer);
        true
    }

    /// Number of answered questions of the form in its current version.
    pub fn answered(&self, lesson: &Lesson, form: InventoryForm) -> usize {
        let questions = questions_of(lesson, form).into_iter();
        questions.filter(|question| self.answers.contains_key(&question.id)).count()
    }
}

/// Whether the answers to a form show a misconception.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Holding {
    /// None of its questions was answered.
    NotAnswered,
    /// A choice that it leads to was chosen.
    Held,
    /// Another wrong choice was chosen.
    Otherwise,
    /// All answers to its questions were right.
    NotHeld,
}

impl Holding {
    /// Description for readers.
    pub fn words(self) -> &'static str {
        match self {
            Self::NotAnswered => "not answered",
            Self::Held => "held",
            Self::Otherwise => "wrong in another way",
            Self::NotHeld => "not held",
        }
    }
}

/// Returns what the answers to a form show about the misconception with this id.
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

/// Returns the ids of misconceptions of other lessons that the answers to a form show.
pub fn held_elsewhere<'a>(lesson: &Lesson, record: Option<&'a FormRecord>) -> BTreeSet<&'a str> {
    let own = &lesson.inventory.misconceptions;
    let answers = record.into_iter().flat_map(|record| record.answers.values());
    let held = answers.filter_map(|answer| answer.misconception.as_deref());
    held.filter(|id| own.iter().all(|one| one.id != *id)).collect()
}

/// Describes the result: `Before the lesson you held 3 of these 4 misconceptions; after it
/// you held 1 of them.` Forms with unanswered questions are left out.
pub fn result_words(lesson: &Lesson, forms: &Forms<'_>) -> String {
    let all = lesson.inventory.misconceptions.len();
    let (these, them) = if all == 1 {
        ("this misconception".to_owned(), "it")
    } else {
        (format!("these {all} misconceptions"), "them")
    };
    let [before, after] = InventoryForm::ALL
        .map(|form| held_count(lesson, form, forms).map(|held| held_words(held, all)));
    match (before, after) {
        (Some(before), Some(after)) => {
            format!("Before the lesson you {before} {these}; after it you {after} {them}.")
        }
        (Some(before), None) => format!("Before the lesson you {before} {these}."),
        (None, Some(after)) => format!("After the lesson you {after} {these}."),
        (None, None) => "Not all questions are answered yet.".to_owned(),
    }
}

/// Returns the number of misconceptions that the answers to a form show, or `None` if a
/// question is not answered.
fn held_count(lesson: &Lesson, form: InventoryForm, forms: &Forms<'_>) -> Option<usize> {
    let question_count = questions_of(lesson, form).len();
    let record = forms.record(form)?;
    if record.answered(lesson, form) != question_count {
        return None;
    }
    let misconceptions = lesson.inventory.misconceptions.iter();
    let held =
        misconceptions.filter(|one| holding(lesson, form, Some(record), &one.id) == Holding::Held);
    Some(held.count())
}

fn held_words(held: usize, all: usize) -> String {
    match (all, held) {
        (1, 0) => "did not hold".to_owned(),
        (1, _) => "held".to_owned(),
        (_, 0) => "held none of".to_owned(),
        (_, held) => format!("held {held} of"),
    }
}
