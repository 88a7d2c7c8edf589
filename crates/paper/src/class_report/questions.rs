//! The questions of a lesson that a class answered, who answered what, and what an answer is
//! worth where its question stands in the lesson.

use std::collections::BTreeSet;
use std::sync::Arc;

use bindpose_asset::Rig;
use bindpose_classroom::{AnswerKey, QuestionAddress, Round, StudentView};
use bindpose_lesson::{
    AskCell, AskedFor, CellKind, FaultName, FaultsCell, Lesson, LessonSet, PredictCell,
};
use bindpose_notebook::exercise::{Nearness, handed_in_place, position_with};
use bindpose_notebook::exercise_cells::{Exercise, cells_at};
use bindpose_notebook::faults::{fault_of_draw, offered_by_id};
use bindpose_notebook::number_text::point;
use bindpose_notebook::question::{answer_words, is_answer, judge, right_answer};
use glam::Vec3;

use super::report::{AnswerOfStudent, JudgedAnswer};
use crate::handout::{HandoutPage, OpenedStep};

/// The questions of one lesson, in the order of its steps.
pub(super) struct QuestionsOfLesson {
    questions: Vec<AnsweredQuestion>,
    /// By student.
    answers: Vec<Vec<AnswerOfStudent>>,
}

impl QuestionsOfLesson {
    /// Of the lesson of that index. `numbered`: how many questions there are before them.
    pub(super) fn new(
        set: &LessonSet,
        index: usize,
        students: &[&StudentView],
        numbered: usize,
        rigs: &dyn Fn(&str) -> Option<Arc<Rig>>,
    ) -> Self {
        let lesson = &set.lessons[index];
        let mut found =
            Self { questions: Vec::new(), answers: students.iter().map(|_| Vec::new()).collect() };
        let keys = students.iter().flat_map(|student| student.record.answers.keys());
        let asked: BTreeSet<&QuestionAddress> =
            keys.map(|key| &key.question).filter(|asked| asked.lesson == lesson.slug).collect();
        if asked.is_empty() {
            return found;
        }
        let mut asked: Vec<AskedCell<'_>> =
            asked.into_iter().filter_map(|address| AskedCell::find(lesson, address)).collect();
        asked.sort_by_key(|asked| (asked.step, asked.place, asked.draw));
        // A rig is set up once for all questions of a step.
        let mut last = None;
        for asked in asked {
            if last.as_ref().is_none_or(|(step, _)| *step != asked.step) {
                let page = HandoutPage { lesson: index, step: asked.step, minutes: None };
                last = Some((asked.step, OpenedStep::new(set, page, rigs, None)));
            }
            let opened = last.as_ref().and_then(|(_, opened)| opened.as_ref());
            found.add(&asked, students, opened, numbered);
        }
        found
    }

    fn add(
        &mut self,
        asked: &AskedCell<'_>,
        students: &[&StudentView],
        opened: Option<&OpenedStep<'_>>,
        numbered: usize,
    ) {
        let number = numbered + self.questions.len() + 1;
        let truth = asked.truth(opened);
        let mut is_answered = false;
        for (student, answers) in students.iter().zip(&mut self.answers) {
            let answer = |round| {
                let key = AnswerKey { question: asked.address.clone(), round };
                asked.judged(student.record.answers.get(&key)?, opened, truth)
            };
            let (alone, after_talking) = (answer(Round::First), answer(Round::Second));
            if alone.is_some() || after_talking.is_some() {
                is_answered = true;
                answers.push(AnswerOfStudent { question: number, alone, after_talking });
            }
        }
        if is_answered {
            self.questions.push(asked.answered(number, opened, truth));
        }
    }

    pub(super) fn count(&self) -> usize {
        self.questions.len()
    }

    /// What a student answered, by its index; nothing the second time.
    pub(super) fn take_answers(&mut self, student: usize) -> Vec<AnswerOfStudent> {
        self.answers.get_mut(student).map(std::mem::take).unwrap_or_default()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &AnsweredQuestion> {
        self.questions.iter()
    }
}

/// A question that somebody answered.
pub(super) struct AnsweredQuestion {
    /// In the report, from 1.
    pub(super) number: usize,
    /// Index of the step.
    pub(super) step: usize,
    /// Id of the cell.
    pub(super) cell: String,
    /// Index of the draw.
    pub(super) draw: usize,
    pub(super) kind: &'static str,
    pub(super) ask: String,
    /// In words; absent where there is none, or it could not be worked out.
    pub(super) right_answer: Option<String>,
    /// Of a guess: what still counts, in world units.
    pub(super) close: Option<f32>,
}

/// What a class can be asked.
#[derive(Clone, Copy)]
enum AskedKind<'a> {
    Question(&'a AskCell),
    Guess(&'a PredictCell),
    /// With the fault that is hidden.
    Diagnosis(&'a FaultsCell, FaultName),
    /// Something to bring to a goal: who has it hands in that.
    Goal,
}

/// A question where it stands.
struct AskedCell<'a> {
    address: &'a QuestionAddress,
    /// Index of the first step that has it.
    step: usize,
    /// Its place among the cells of that.
    place: usize,
    draw: usize,
    ask: String,
    kind: AskedKind<'a>,
}

impl<'a> AskedCell<'a> {
    /// `None`: the lesson has no such question, or not with that draw.
    fn find(lesson: &'a Lesson, address: &'a QuestionAddress) -> Option<Self> {
        let draw = usize::try_from(address.draw).ok()?;
        let at = |step: usize| {
            let mut cells = cells_at(lesson, step).enumerate();
            let (place, cell) = cells.find(|(_, cell)| cell.id == address.cell)?;
            Some((step, place, cell))
        };
        let (step, place, cell) = (0..lesson.steps.len()).find_map(at)?;
        let exercise = Exercise::from_cell(cell).filter(|exercise| draw < exercise.count())?;
        let kind = match &cell.kind {
            CellKind::Ask(cell) => AskedKind::Question(cell.with(draw)),
            CellKind::Predict(cell) => AskedKind::Guess(cell.with(draw)),
            CellKind::Check(_) => AskedKind::Goal,
            CellKind::Faults(faults) => {
                AskedKind::Diagnosis(faults, fault_of_draw(faults, &cell.id, draw)?)
            }
            _ => return None,
        };
        Some(Self { address, step, place, draw, ask: exercise.ask(draw), kind })
    }

    /// Where the vertex of a guess goes.
    fn truth(&self, opened: Option<&OpenedStep<'_>>) -> Option<Vec3> {
        let (AskedKind::Guess(cell), Some(opened)) = (self.kind, opened) else { return None };
        let (document, derived) = (&opened.document, &opened.derived);
        position_with(&cell.set.0, cell.vertex, document, opened.lesson, derived).ok().flatten()
    }

    /// `None`: the text is no answer to it.
    fn judged(
        &self,
        text: &str,
        opened: Option<&OpenedStep<'_>>,
        truth: Option<Vec3>,
    ) -> Option<JudgedAnswer> {
        let plain = |answer: String, right| JudgedAnswer {
            answer,
            right,
            off: None,
            place: None,
            reply: String::new(),
        };
        match self.kind {
            AskedKind::Question(cell) => {
                let answer = is_answer(cell, text).then(|| words_of(cell, text))?;
                let judged = opened.and_then(|opened| judge(cell, text, &opened.derived).ok());
                let right = judged.as_ref().map(|judged| judged.right);
                let replies = judged.filter(|judged| !judged.right).map(|judged| {
                    let replies = judged.replies.into_iter().map(|reply| reply.words());
                    replies.collect::<Vec<_>>().join(" ")
                });
                Some(JudgedAnswer { reply: replies.unwrap_or_default(), ..plain(answer, right) })
            }
            AskedKind::Guess(cell) => {
                let place = handed_in_place(text)?;
                let off = truth.map(|truth| truth.distance(place));
                let right = off.map(|off| Nearness::from_distance(off, cell.close).is_right());
                let words = place_words(place, opened);
                Some(JudgedAnswer { off, place: Some(place), ..plain(words, right) })
            }
            AskedKind::Diagnosis(cell, hidden) => {
                let named = offered_by_id(cell, text)?;
                Some(plain(named.title.to_owned(), Some(named == hidden)))
            }
            AskedKind::Goal => (text == "solved").then(|| plain(text.to_owned(), Some(true))),
        }
    }

    fn answered(
        &self,
        number: usize,
        opened: Option<&OpenedStep<'_>>,
        truth: Option<Vec3>,
    ) -> AnsweredQuestion {
        let (kind, right_answer, close) = match self.kind {
            AskedKind::Question(cell) => {
                let right = opened.and_then(|opened| right_answer(cell, &opened.derived).ok());
                ("ask", right.map(|right| words_of(cell, &right)), None)
            }
            AskedKind::Guess(cell) => {
                let right = truth.map(|truth| place_words(truth, opened));
                ("predict", right, Some(cell.close))
            }
            AskedKind::Diagnosis(_, hidden) => ("faults", Some(hidden.title.to_owned()), None),
            AskedKind::Goal => ("check", None, None),
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

/// Numbers have a plain minus, however it was typed: programs read it.
fn words_of(cell: &AskCell, text: &str) -> String {
    let words = answer_words(cell, text);
    let is_number = matches!(cell.asked_for(), Some(AskedFor::Number(_)));
    if is_number { words.replace('−', "-") } else { words }
}

/// Of as many axes as the picture has.
fn place_words(place: Vec3, opened: Option<&OpenedStep<'_>>) -> String {
    let axes = if opened.is_some_and(|opened| opened.derived.rig.flat) { 2 } else { 3 };
    point(&place.to_array()[..axes], 2)
}
