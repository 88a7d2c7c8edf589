//! Two forms of an inventory: the same misconceptions, other questions.

use bindpose_diagnostic::Diagnostic;
use bindpose_lesson::{InventoryQuestion, Lesson};
use serde::{Deserialize, Serialize};

use crate::shuffled::shuffled;

/// When questions are asked.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
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
    pub form: Form,
    /// Index of the question in sight; behind the last one stands the result.
    pub at: usize,
}

/// What a reader does with the forms of the open lesson.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FormAct {
    /// Open one.
    Open(Form),
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

impl Form {
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
pub fn questions_of(lesson: &Lesson, form: Form) -> Vec<&InventoryQuestion> {
    let inventory = &lesson.inventory;
    let first = match form {
        Form::Before => 0,
        Form::After => 1,
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
pub fn asked_questions(lesson: &Lesson, form: Form) -> Result<Vec<&InventoryQuestion>, Diagnostic> {
    let questions = questions_of(lesson, form);
    if questions.is_empty() {
        let (number, when) = (lesson.number, form.key());
        let title = format!("lesson {number} has no questions {when} it");
        return Err(Diagnostic::said("MISSING", title));
    }
    Ok(questions)
}

/// What the file of a form on paper is called, without its ending.
pub fn form_file(lesson: &Lesson, form: Form) -> String {
    format!("{}-{}", lesson.folder, form.key())
}

/// In which order answers stand on the page, by their places in the author's: the same
/// for every reader.
pub fn shown_options(question: &InventoryQuestion) -> Vec<usize> {
    shuffled(&question.id, question.options.len())
}

/// By which an answer is called where it has no words: its letter on the page.
pub fn option_letter(order: &[usize], place: usize) -> char {
    let at = order.iter().position(|other| *other == place);
    ('A'..='Z').nth(at.unwrap_or(0)).unwrap_or('A')
}
