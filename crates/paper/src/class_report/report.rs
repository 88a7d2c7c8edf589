//! What a report of a class holds.

use bindpose_classroom::StudentNames;
use bindpose_notebook::InventoryEntry;
use glam::Vec3;
use serde::Serialize;

/// A report of a class.
#[derive(Clone, Debug, Serialize)]
pub struct ClassReport {
    pub(super) format: &'static str,
    pub(super) version: u32,
    pub(super) program: &'static str,
    pub(super) written: Option<String>,
    pub(super) room: String,
    pub(super) names: StudentNames,
    /// Those that somebody opened, or answered a question of.
    pub(super) lessons: Vec<LessonOfClass>,
    /// In the order of coming.
    pub(super) students: Vec<ReportedStudent>,
}

/// A lesson in a class.
#[derive(Clone, Debug, Serialize)]
pub(super) struct LessonOfClass {
    pub(super) number: u32,
    /// Its slug.
    pub(super) lesson: String,
    pub(super) title: String,
    /// How many opened it.
    pub(super) opened: usize,
    pub(super) steps: Vec<StepOfClass>,
    pub(super) questions: Vec<QuestionOfClass>,
    pub(super) misconceptions: Vec<MisconceptionOfClass>,
}

/// One who came.
#[derive(Clone, Debug, Serialize)]
pub(super) struct ReportedStudent {
    pub(super) name: String,
    /// Those that it opened, or answered a question of.
    pub(super) lessons: Vec<LessonOfStudent>,
}

/// A lesson, as one student did it.
#[derive(Clone, Debug, Serialize)]
pub(super) struct LessonOfStudent {
    /// Its slug.
    pub(super) lesson: String,
    /// Numbers of steps, from 1.
    pub(super) seen: Vec<usize>,
    /// Those of them whose exercises are solved.
    pub(super) solved: Vec<usize>,
    pub(super) answers: Vec<AnswerOfStudent>,
    /// Absent where none of its questions was answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) inventory: Option<InventoryEntry>,
}

/// What a student answered to one question.
#[derive(Clone, Debug, Serialize)]
pub(super) struct AnswerOfStudent {
    /// Its number in the report.
    pub(super) question: usize,
    pub(super) alone: Option<JudgedAnswer>,
    pub(super) after_talking: Option<JudgedAnswer>,
}

/// An answer, and what it is worth at the step as that opens.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct JudgedAnswer {
    /// In words.
    pub(super) answer: String,
    /// Absent where that could not be worked out.
    pub(super) right: Option<bool>,
    /// Of a guess: how far from the right place, in world units.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) off: Option<f32>,
    /// Where a guess is, in world space.
    #[serde(skip)]
    pub(super) place: Option<Vec3>,
    /// What the lesson says of a wrong one; empty: nothing.
    #[serde(skip)]
    pub(super) reply: String,
}

/// Alone, and after they have talked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub(super) struct ByRound<T> {
    pub(super) alone: T,
    pub(super) after_talking: T,
}

/// A step in a class.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct StepOfClass {
    /// From 1.
    pub(super) number: usize,
    /// Its slug.
    pub(super) step: String,
    pub(super) title: String,
    pub(super) has_exercise: bool,
    /// How many saw it.
    pub(super) seen: usize,
    /// And how many solved all its exercises.
    pub(super) solved: usize,
}

/// A question that was put to a class.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct QuestionOfClass {
    /// In the report, from 1.
    pub(super) number: usize,
    /// Number of its step, from 1.
    pub(super) step: usize,
    /// Id of its cell.
    pub(super) cell: String,
    /// Of drawn numbers, from 1.
    pub(super) draw: usize,
    pub(super) kind: &'static str,
    pub(super) ask: String,
    pub(super) right_answer: Option<String>,
    pub(super) answered: ByRound<usize>,
    pub(super) right: ByRound<usize>,
    /// How many were wrong at first and right after talking.
    pub(super) changed_to_right: usize,
    /// And the other way.
    pub(super) changed_away: usize,
    /// The most frequent first; of guesses by how near they are.
    pub(super) answers: Vec<AnswerCount>,
    /// Of guesses; absent: it asks for something else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) distance: Option<GuessDistance>,
}

/// How often an answer was given.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct AnswerCount {
    pub(super) answer: String,
    pub(super) right: Option<bool>,
    pub(super) alone: usize,
    pub(super) after_talking: usize,
    /// What the lesson says of a wrong one; empty: nothing.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) reply: String,
}

/// How far guesses are off, in world units.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct GuessDistance {
    /// Measured from the right place; else from the median of all guesses of the round.
    pub(super) from_right_place: bool,
    /// What still counts as right.
    pub(super) close: f32,
    /// Absent: nobody guessed in that round.
    pub(super) median: ByRound<Option<f32>>,
}

/// A misconception in a class.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct MisconceptionOfClass {
    /// Its id.
    pub(super) misconception: String,
    pub(super) belief: String,
    /// How many held it before the lesson, of how many who answered.
    pub(super) held_before: usize,
    pub(super) answered_before: usize,
    /// And after it.
    pub(super) held_after: usize,
    pub(super) answered_after: usize,
    /// How many held it before and after.
    pub(super) remains: usize,
}

impl ClassReport {
    /// One object, for programs.
    ///
    /// Errors: never in practice: all of it is text and finite numbers.
    pub fn json(&self) -> Result<Vec<u8>, serde_json::Error> {
        let mut text = serde_json::to_string_pretty(self)?;
        text.push('\n');
        Ok(text.into_bytes())
    }
}
