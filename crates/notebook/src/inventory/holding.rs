//! Which misconceptions answers show, and the same in words.

use std::collections::BTreeSet;

use bindpose_lesson::Lesson;
use serde::Serialize;

use super::form::{Form, questions_of};
use super::form_record::{FormRecord, Forms};

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
pub fn holding(lesson: &Lesson, form: Form, record: Option<&FormRecord>, id: &str) -> Holding {
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
    let held = |form: Form| {
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
    match (held(Form::Before), held(Form::After)) {
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
