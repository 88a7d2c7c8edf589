//! The data of a class report. Field names are the keys of the JSON export.

use bindpose_class_protocol::StudentNames;
use bindpose_notebook::InventoryEntry;
use glam::Vec3;
use serde::Serialize;

/// A report on what a class did.
#[derive(Clone, Debug, Serialize)]
pub struct ClassReport {
    pub(super) format: &'static str,
    pub(super) version: u32,
    pub(super) program: &'static str,
    pub(super) written: Option<String>,
    pub(super) room: String,
    pub(super) names: StudentNames,
    /// Lessons in which at least one student saw a step or answered a question.
    pub(super) lessons: Vec<LessonSummary>,
    /// In the order in which they joined.
    pub(super) students: Vec<ReportedStudent>,
}

/// Results of the whole class in one lesson.
#[derive(Clone, Debug, Serialize)]
pub(super) struct LessonSummary {
    pub(super) number: u32,
    /// Slug of the lesson.
    pub(super) lesson: String,
    pub(super) title: String,
    /// Number of students who saw at least one step.
    pub(super) opened: usize,
    pub(super) steps: Vec<StepSummary>,
    pub(super) questions: Vec<QuestionSummary>,
    pub(super) misconceptions: Vec<MisconceptionSummary>,
}

#[derive(Clone, Debug, Serialize)]
pub(super) struct ReportedStudent {
    pub(super) name: String,
    /// Lessons in which the student saw a step or answered a question.
    pub(super) lessons: Vec<StudentLesson>,
}

/// Results of one student in one lesson.
#[derive(Clone, Debug, Serialize)]
pub(super) struct StudentLesson {
    /// Slug of the lesson.
    pub(super) lesson: String,
    /// Numbers of the steps that the student opened, from 1.
    pub(super) seen: Vec<usize>,
    /// The subset of `seen` with all exercises solved.
    pub(super) solved: Vec<usize>,
    pub(super) answers: Vec<StudentAnswer>,
    /// `None` if the student answered none of the inventory's questions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) inventory: Option<InventoryEntry>,
}

/// The answers of one student to one question, by round.
#[derive(Clone, Debug, Serialize)]
pub(super) struct StudentAnswer {
    /// Number of the question in the report, from 1.
    pub(super) question: usize,
    pub(super) alone: Option<JudgedAnswer>,
    pub(super) after_talking: Option<JudgedAnswer>,
}

/// An answer, judged against the state in which its step opens.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct JudgedAnswer {
    /// The answer as text.
    pub(super) answer: String,
    /// `None` if the right answer could not be computed.
    pub(super) right: Option<bool>,
    /// Distance of a guess from the right position, in world units.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) off: Option<f32>,
    /// Position of a guess, in world space.
    #[serde(skip)]
    pub(super) place: Option<Vec3>,
    /// The lesson's reply to this wrong answer. Empty if it has none.
    #[serde(skip)]
    pub(super) reply: String,
}

/// A value for each round: before and after the students discussed the question.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub(super) struct ByRound<T> {
    pub(super) alone: T,
    pub(super) after_talking: T,
}

/// Results of the whole class in one step.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct StepSummary {
    /// Number of the step in its lesson, from 1.
    pub(super) number: usize,
    /// Slug of the step.
    pub(super) step: String,
    pub(super) title: String,
    pub(super) has_exercise: bool,
    /// Number of students who opened the step.
    pub(super) seen: usize,
    /// Number of students who solved all its exercises.
    pub(super) solved: usize,
}

/// Results of the whole class in one question.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct QuestionSummary {
    /// Number of the question in the report, from 1.
    pub(super) number: usize,
    /// Number of the step in its lesson, from 1.
    pub(super) step: usize,
    /// Id of the question's cell.
    pub(super) cell: String,
    /// Number of the draw, from 1, for questions that draw their numbers.
    pub(super) draw: usize,
    pub(super) kind: &'static str,
    pub(super) ask: String,
    pub(super) right_answer: Option<String>,
    pub(super) answered: ByRound<usize>,
    pub(super) right: ByRound<usize>,
    /// Number of students who were wrong alone and right after talking.
    pub(super) changed_to_right: usize,
    /// Number of students who were right alone and wrong after talking.
    pub(super) changed_away: usize,
    /// Most frequent answer first. Guesses are grouped by nearness instead, nearest first.
    pub(super) answers: Vec<AnswerCount>,
    /// `None` unless the question asks for a position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) distance: Option<GuessDistance>,
}

/// Number of students who gave an answer, by round.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct AnswerCount {
    pub(super) answer: String,
    pub(super) right: Option<bool>,
    pub(super) alone: usize,
    pub(super) after_talking: usize,
    /// The lesson's reply to this wrong answer. Empty if it has none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) reply: String,
}

/// Distances of guesses, in world units.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct GuessDistance {
    /// Whether distances are measured from the right position. If it could not be computed, they
    /// are measured from the median of all guesses of the round.
    pub(super) from_right_place: bool,
    /// Distance up to which a guess counts as right.
    pub(super) close: f32,
    /// `None` for a round without guesses.
    pub(super) median: ByRound<Option<f32>>,
}

/// Number of students who held a misconception.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct MisconceptionSummary {
    /// Id of the misconception.
    pub(super) misconception: String,
    pub(super) belief: String,
    /// Number of students who held it before the lesson, out of `answered_before`.
    pub(super) held_before: usize,
    pub(super) answered_before: usize,
    /// Number of students who held it after the lesson, out of `answered_after`.
    pub(super) held_after: usize,
    pub(super) answered_after: usize,
    /// Number of students who held it both before and after the lesson.
    pub(super) remains: usize,
}

impl ClassReport {
    /// Returns the report as one JSON object.
    ///
    /// # Errors
    ///
    /// Never in practice, since the report consists of text and finite numbers.
    pub fn json(&self) -> Result<Vec<u8>, serde_json::Error> {
        let mut text = serde_json::to_string_pretty(self)?;
        text.push('\n');
        Ok(text.into_bytes())
    }
}
