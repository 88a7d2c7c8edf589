//! The reader's answers to the inventory of a lesson in the record.

use std::fmt::Write as _;

use bindpose_lesson::Lesson;
use serde::Serialize;

use crate::ReaderProgress;
use crate::inventory::{Holding, InventoryForm, holding, questions_of};

/// Answers to both forms of a lesson's inventory.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct InventoryEntry {
    pub misconceptions: Vec<MisconceptionEntry>,
    /// Answers before the lesson, then those after it.
    pub answers: Vec<InventoryAnswerEntry>,
}

/// A misconception, and whether the answers show it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MisconceptionEntry {
    /// Id of the misconception.
    pub misconception: String,
    pub belief: String,
    /// Was it held before the lesson?
    pub before: Holding,
    /// Was it held after the lesson?
    pub after: Holding,
}

/// The first answer to a question.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct InventoryAnswerEntry {
    pub form: InventoryForm,
    /// Id of the question.
    pub question: String,
    /// Text of the question.
    pub ask: String,
    /// Number of the option in the author's order, from 1.
    pub option: usize,
    /// Text of the option. Empty for a number, a matrix or a picture.
    pub words: String,
    pub right: bool,
    /// Misconception that leads to the wrong answer.
    pub misconception: Option<String>,
    /// Date of the answer, if known.
    pub answered: Option<String>,
}

impl InventoryEntry {
    /// Returns `None` if no question was answered.
    pub fn new(lesson: &Lesson, progress: &ReaderProgress) -> Option<Self> {
        let mut answers = Vec::new();
        for form in InventoryForm::ALL {
            let Some(record) = progress.form(&lesson.slug, form) else { continue };
            for question in questions_of(lesson, form) {
                let Some(answer) = record.answers.get(&question.id) else { continue };
                let choice =
                    answer.option.checked_sub(1).and_then(|index| question.ask.choices.get(index));
                answers.push(InventoryAnswerEntry {
                    form,
                    question: question.id.clone(),
                    ask: question.ask.ask.source.clone(),
                    option: answer.option,
                    words: choice.map(|choice| choice.text.source.clone()).unwrap_or_default(),
                    right: answer.right,
                    misconception: answer.misconception.clone(),
                    answered: answer.day.clone(),
                });
            }
        }
        if answers.is_empty() {
            return None;
        }
        let misconceptions = lesson
            .inventory
            .misconceptions
            .iter()
            .map(|one| {
                let [before, after] = InventoryForm::ALL
                    .map(|form| holding(lesson, form, progress.form(&lesson.slug, form), &one.id));
                MisconceptionEntry {
                    misconception: one.id.clone(),
                    belief: one.belief.clone(),
                    before,
                    after,
                }
            })
            .collect();
        Some(Self { misconceptions, answers })
    }

    /// Writes a Markdown table of the misconceptions.
    pub(super) fn write(&self, text: &mut String) {
        text.push_str("\n| Misconception | Before | After |\n| --- | --- | --- |\n");
        for one in &self.misconceptions {
            let id = &one.misconception;
            let belief = markdown_cell(&one.belief);
            let before = one.before.words();
            let after = one.after.words();
            let _ = writeln!(text, "| {id}: {belief} | {before} | {after} |");
        }
    }
}

/// Writes a heading and a block quote.
pub(super) fn quote(text: &mut String, head: &str, words: &str) {
    let _ = writeln!(text, "\n{head}:\n");
    for line in words.trim_end().lines() {
        let _ = writeln!(text, "{}", format!("> {line}").trim_end());
    }
}

/// Escapes a text for a cell of a Markdown table.
pub(super) fn markdown_cell(text: &str) -> String {
    text.replace('\n', " ").replace('|', "\\|")
}
