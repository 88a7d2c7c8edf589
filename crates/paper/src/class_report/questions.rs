//! The questions of a lesson that the class answered, and the judged answers of each student.

use std::collections::BTreeSet;
use std::sync::Arc;

use bindpose_class_protocol::{AnswerKey, QuestionAddress, Round, StudentView};
use bindpose_gltf::Rig;
use bindpose_lesson::number_text::point;
use bindpose_lesson::{
    AnswerKind, AskCell, CellKind, FaultName, FaultsCell, Lesson, LessonSet, PredictCell,
};
use bindpose_notebook::exercise::{Nearness, handed_in_place, position_with};
use bindpose_notebook::exercise_cells::{Exercise, cells_at};
use bindpose_notebook::faults::{fault_of_draw, offered_by_id};
use bindpose_notebook::question::{answer_words, is_answer, judge, right_answer};
use glam::Vec3;

use super::report::{JudgedAnswer, StudentAnswer};
use crate::handout::{HandoutPage, OpenedStep};

/// The answered questions of one lesson, in the order of its steps, and the answers to them.
pub(super) struct LessonQuestions {
    questions: Vec<AnsweredQuestion>,
    /// Answers of each student, by index of the student.
    answers: Vec<Vec<StudentAnswer>>,
}

impl LessonQuestions {
    /// Finds and judges the answers of all students to the questions of a lesson.
    ///
    /// `question_count` is the number of questions of earlier lessons. Numbering continues from it.
    pub(super) fn new(
        set: &LessonSet,
        lesson_index: usize,
        students: &[&StudentView],
        question_count: usize,
        rigs: &dyn Fn(&str) -> Option<Arc<Rig>>,
    ) -> Self {
        let lesson = &set.lessons[lesson_index];
        let mut result =
            Self { questions: Vec::new(), answers: students.iter().map(|_| Vec::new()).collect() };
        let addresses: BTreeSet<&QuestionAddress> = students
            .iter()
            .flat_map(|student| student.record.answers.keys())
            .map(|key| &key.question)
            .filter(|address| address.lesson == lesson.slug)
            .collect();
        if addresses.is_empty() {
            return result;
        }
        let mut questions: Vec<LocatedQuestion<'_>> = addresses
            .into_iter()
            .filter_map(|address| LocatedQuestion::find(lesson, address))
            .collect();
        questions.sort_by_key(|question| (question.step, question.cell_index, question.draw));
        // Opening a step sets up its rig, so each step is opened once for all its questions.
        let mut last_step: Option<(usize, Option<OpenedStep<'_>>)> = None;
        for question in questions {
            if last_step.as_ref().is_none_or(|(step, _)| *step != question.step) {
                let page = HandoutPage { lesson: lesson_index, step: question.step, minutes: None };
                last_step = Some((question.step, OpenedStep::new(set, page, rigs, None)));
            }
            let opened = last_step.as_ref().and_then(|(_, opened)| opened.as_ref());
            result.add(&question, students, opened, question_count);
        }
        result
    }

    /// Adds a question and the answers to it, unless nobody gave it a valid answer.
    fn add(
        &mut self,
        question: &LocatedQuestion<'_>,
        students: &[&StudentView],
        opened: Option<&OpenedStep<'_>>,
        question_count: usize,
    ) {
        let number = question_count + self.questions.len() + 1;
        let target = question.target_position(opened);
        let mut is_answered = false;
        for (student, answers) in students.iter().zip(&mut self.answers) {
            let [alone, after_talking] = [Round::First, Round::Second].map(|round| {
                let key = AnswerKey { question: question.address.clone(), round };
                question.judge_answer(student.record.answers.get(&key)?, opened, target)
            });
            if alone.is_some() || after_talking.is_some() {
                is_answered = true;
                answers.push(StudentAnswer { question: number, alone, after_talking });
            }
        }
        if is_answered {
            self.questions.push(question.to_answered(number, opened, target));
        }
    }

    pub(super) fn count(&self) -> usize {
        self.questions.len()
    }

    /// Moves out the answers of a student, leaving none.
    pub(super) fn take_answers(&mut self, student_index: usize) -> Vec<StudentAnswer> {
        self.answers.get_mut(student_index).map(std::mem::take).unwrap_or_default()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &AnsweredQuestion> {
        self.questions.iter()
    }
}

/// A question with at least one valid answer.
pub(super) struct AnsweredQuestion {
    /// Number in the report, from 1.
    pub(super) number: usize,
    /// Index of the step.
    pub(super) step: usize,
    /// Id of the cell.
    pub(super) cell: String,
    /// Index of the draw.
    pub(super) draw: usize,
    pub(super) kind: &'static str,
    pub(super) ask: String,
    /// The right answer as text. `None` if there is none, or it could not be computed.
    pub(super) right_answer: Option<String>,
    /// For a guess, the distance up to which it counts as right, in world units.
    pub(super) close: Option<f32>,
}

/// The kinds of questions that a teacher can ask a class.
#[derive(Clone, Copy)]
enum QuestionKind<'a> {
    Ask(&'a AskCell),
    /// A guess of a position.
    Predict(&'a PredictCell),
    /// A diagnosis, with the hidden fault.
    Faults(&'a FaultsCell, FaultName),
    /// An exercise with a goal. Students report that they reached it.
    Check,
}

/// A question, located in its lesson.
struct LocatedQuestion<'a> {
    address: &'a QuestionAddress,
    /// Index of the first step with the question.
    step: usize,
    /// Index among the cells of that step.
    cell_index: usize,
    draw: usize,
    ask: String,
    kind: QuestionKind<'a>,
}

impl<'a> LocatedQuestion<'a> {
    /// Returns `None` if the lesson has no such question, or no such draw of it.
    fn find(lesson: &'a Lesson, address: &'a QuestionAddress) -> Option<Self> {
        let draw = usize::try_from(address.draw).ok()?;
        let (step, cell_index, cell) = (0..lesson.steps.len()).find_map(|step| {
            let mut cells = cells_at(lesson, step).enumerate();
            let (cell_index, cell) = cells.find(|(_, cell)| cell.id == address.cell)?;
            Some((step, cell_index, cell))
        })?;
        let exercise = Exercise::from_cell(cell).filter(|exercise| draw < exercise.count())?;
        let kind = match &cell.kind {
            CellKind::Ask(cell) => QuestionKind::Ask(cell.with(draw)),
            CellKind::Predict(cell) => QuestionKind::Predict(cell.with(draw)),
            CellKind::Check(_) => QuestionKind::Check,
            CellKind::Faults(faults) => {
                QuestionKind::Faults(faults, fault_of_draw(faults, &cell.id, draw)?)
            }
            _ => return None,
        };
        Some(Self { address, step, cell_index, draw, ask: exercise.ask(draw), kind })
    }

    /// Computes the position that a guess is measured against. Returns `None` if the question asks
    /// for something else, or the position could not be computed.
    fn target_position(&self, opened: Option<&OpenedStep<'_>>) -> Option<Vec3> {
        let QuestionKind::Predict(cell) = self.kind else { return None };
        let opened = opened?;
        position_with(&cell.set.0, cell.vertex, &opened.document, opened.lesson, &opened.derived)
            .ok()
            .flatten()
    }

    /// Judges an answer as the student sent it. Returns `None` if it is not a valid answer to this
    /// question.
    fn judge_answer(
        &self,
        text: &str,
        opened: Option<&OpenedStep<'_>>,
        target: Option<Vec3>,
    ) -> Option<JudgedAnswer> {
        match self.kind {
            QuestionKind::Ask(cell) => {
                if !is_answer(cell, text) {
                    return None;
                }
                let judged = opened.and_then(|opened| judge(cell, text, &opened.derived).ok());
                let reply = match &judged {
                    Some(judged) if !judged.right => {
                        let replies: Vec<_> =
                            judged.replies.iter().map(|reply| reply.words()).collect();
                        replies.join(" ")
                    }
                    _ => String::new(),
                };
                Some(JudgedAnswer {
                    reply,
                    ..JudgedAnswer::from_text(
                        format_answer(cell, text),
                        judged.map(|judged| judged.right),
                    )
                })
            }
            QuestionKind::Predict(cell) => {
                let position = handed_in_place(text)?;
                let distance = target.map(|target| target.distance(position));
                let is_right = distance
                    .map(|distance| Nearness::from_distance(distance, cell.close.0).is_right());
                Some(JudgedAnswer {
                    off: distance,
                    place: Some(position),
                    ..JudgedAnswer::from_text(format_position(position, opened), is_right)
                })
            }
            QuestionKind::Faults(cell, hidden) => {
                let fault = offered_by_id(cell, text)?;
                Some(JudgedAnswer::from_text(fault.title.to_owned(), Some(fault == hidden)))
            }
            QuestionKind::Check => {
                (text == "solved").then(|| JudgedAnswer::from_text(text.to_owned(), Some(true)))
            }
        }
    }

    fn to_answered(
        &self,
        number: usize,
        opened: Option<&OpenedStep<'_>>,
        target: Option<Vec3>,
    ) -> AnsweredQuestion {
        let (kind, right_answer, close) = match self.kind {
            QuestionKind::Ask(cell) => {
                let right = opened.and_then(|opened| right_answer(cell, &opened.derived).ok());
                ("ask", right.map(|right| format_answer(cell, &right)), None)
            }
            QuestionKind::Predict(cell) => {
                let right = target.map(|target| format_position(target, opened));
                ("predict", right, Some(cell.close.0))
            }
            QuestionKind::Faults(_, hidden) => ("faults", Some(hidden.title.to_owned()), None),
            QuestionKind::Check => ("check", None, None),
        };
        AnsweredQuestion {
            number,
            step: self.step,
            cell: self.address.cell.clone(),
            draw: self.draw,
            kind,
            ask: self.ask.clone(),
            right_answer,
            close,
        }
    }
}

impl JudgedAnswer {
    fn from_text(answer: String, right: Option<bool>) -> Self {
        Self { answer, right, off: None, place: None, reply: String::new() }
    }
}

/// Formats an answer as text. Numbers get an ASCII minus sign even if the student typed another
/// one, because programs read the report.
fn format_answer(cell: &AskCell, text: &str) -> String {
    let words = answer_words(cell, text);
    let is_number = matches!(cell.answer_kind(), Some(AnswerKind::Number(_)));
    if is_number { words.replace('−', "-") } else { words }
}

/// Formats a position with the coordinates that the picture shows: two if the rig is flat.
fn format_position(position: Vec3, opened: Option<&OpenedStep<'_>>) -> String {
    let axes = if opened.is_some_and(|opened| opened.derived.rig.flat) { 2 } else { 3 };
    point(&position.to_array()[..axes], 2)
}
