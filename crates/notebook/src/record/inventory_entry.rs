//! What a reader answered to a lesson's inventory, and which misconceptions that shows.

use std::fmt::Write as _;

use bindpose_lesson::Lesson;
use serde::Serialize;

use crate::ReaderProgress;
use crate::inventory::{Holding, InventoryForm, holding, questions_of};

/// Both forms of a lesson's inventory.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct InventoryEntry {
    /// All that the lesson is about.
    pub misconceptions: Vec<MisconceptionEntry>,
    /// Those before the lesson first.
    pub answers: Vec<InventoryAnswerEntry>,
}

/// What the answers show of one misconception.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MisconceptionEntry {
    /// Its id.
    pub misconception: String,
    /// What is believed.
    pub belief: String,
    /// Was it held before the lesson?
    pub before: Holding,
    /// And after it?
    pub after: Holding,
}

/// The first answer to a question.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct InventoryAnswerEntry {
    /// When it was asked.
    pub form: InventoryForm,
    /// Its id.
    pub question: String,
    /// Its words.
    pub ask: String,
    /// Its place among the options, in the author's order, from 1.
    pub option: usize,
    /// Its words; empty where it is a number, a matrix or a picture.
    pub words: String,
    /// Was it right?
    pub right: bool,
    /// What leads to a wrong answer.
    pub misconception: Option<String>,
    /// The day of the answer; `None`: not known.
    pub answered: Option<String>,
}

impl InventoryEntry {
    /// `None` where nothing was answered.
    pub fn new(lesson: &Lesson, progress: &ReaderProgress) -> Option<Self> {
        let record = |form| progress.form(&lesson.slug, form);
        let answers = InventoryForm::ALL.into_iter().flat_map(|form| {
            let questions = questions_of(lesson, form).into_iter();
            questions.filter_map(move |question| {
                let answer = record(form)?.answers.get(&question.id)?;
                let option = answer.option.checked_sub(1);
                let option = option.and_then(|index| question.options.get(index));
                Some(InventoryAnswerEntry {
                    form,
                    question: question.id.clone(),
                    ask: question.ask.clone(),
                    option: answer.option,
                    words: option.map(|one| one.text.clone()).unwrap_or_default(),
                    right: answer.right,
                    misconception: answer.misconception.clone(),
                    answered: answer.day.clone(),
                })
            })
        });
        let answers: Vec<_> = answers.collect();
        if answers.is_empty() {
            return None;
        }
        let misconceptions = lesson.inventory.misconceptions.iter();
        let misconceptions = misconceptions.map(|one| {
            let [before, after] =
                InventoryForm::ALL.map(|form| holding(lesson, form, record(form), &one.id));
            MisconceptionEntry {
                misconception: one.id.clone(),
                belief: one.belief.clone(),
                before,
                after,
            }
        });
        let misconceptions = misconceptions.collect();
        Some(Self { misconceptions, answers })
    }

    /// A table of the misconceptions, for people.
    pub(super) fn write(&self, text: &mut String) {
        text.push_str("\n| Misconception | Before | After |\n| --- | --- | --- |\n");
        for one in &self.misconceptions {
            let (id, belief) = (&one.misconception, markdown_cell(&one.belief));
            let (before, after) = (one.before.words(), one.after.words());
            let _ = writeln!(text, "| {id}: {belief} | {before} | {after} |");
        }
    }
}

// Pieces of Markdown.

/// A line that says whose words they are, and the words as a quotation.
pub(super) fn quote(text: &mut String, head: &str, words: &str) {
    let _ = writeln!(text, "\n{head}:\n");
    for line in words.trim_end().lines() {
        let _ = writeln!(text, "{}", format!("> {line}").trim_end());
    }
}

/// As it may stand in a table of Markdown.
pub(super) fn markdown_cell(text: &str) -> String {
    text.replace('\n', " ").replace('|', "\\|")
}
