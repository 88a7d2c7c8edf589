//! The questions of a lesson that a class answered, and who answered what.

use std::collections::BTreeSet;
use std::sync::Arc;

use bindpose_asset::Rig;
use bindpose_classroom::{AnswerKey, QuestionAddress, Round, StudentView};
use bindpose_lesson::LessonSet;

use super::asked_cell::{AnsweredQuestion, AskedCell};
use super::report::AnswerOfStudent;
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
