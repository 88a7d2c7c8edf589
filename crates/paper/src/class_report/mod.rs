//! What a class did, for its teacher to keep: by class and by person which steps were seen
//! and solved, what was answered to questions that were put to all, and which
//! misconceptions remain. To print, as a table, or as one object for programs.
//!
//! What students send is not trusted: what no lesson, step or question answers to is left
//! out.

mod csv;
mod html;
mod questions;
mod summary;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use bindpose_asset::Rig;
use bindpose_classroom::{LessonProgress, ReportNames, StudentView};
use bindpose_lesson::{Lesson, LessonSet};
use bindpose_notebook::exercise_cells::exercises_at;
use bindpose_notebook::inventory::{InventoryForm, option_letter, questions_of, shown_options};
use bindpose_notebook::{InventoryEntry, ReaderProgress};
use serde::Serialize;

use crate::handout::HandoutLook;
use questions::{JudgedAnswer, QuestionsOfLesson};
use summary::{MisconceptionOfClass, QuestionOfClass, StepOfClass};

/// Of the form of the JSON file. It grows when a key means something else or is gone; new
/// keys may come without.
const VERSION: u32 = 1;

/// Which class a report is of.
#[derive(Clone, Debug)]
pub struct ReportedClass<'a> {
    /// Everyone who came, in the order of coming.
    pub students: Vec<&'a StudentView>,
    /// What they are called in it.
    pub names: ReportNames,
    /// The room's code.
    pub room: &'a str,
    /// As `2026-11-22`; `None`: not known.
    pub day: Option<String>,
}

/// A report of a class.
#[derive(Clone, Debug, Serialize)]
pub struct ClassReport {
    format: &'static str,
    version: u32,
    program: &'static str,
    written: Option<String>,
    room: String,
    names: ReportNames,
    /// Those that somebody opened, or answered a question of.
    lessons: Vec<LessonOfClass>,
    /// In the order of coming.
    students: Vec<ReportedStudent>,
}

/// A lesson in a class.
#[derive(Clone, Debug, Serialize)]
struct LessonOfClass {
    number: u32,
    /// Its slug.
    lesson: String,
    title: String,
    /// How many opened it.
    opened: usize,
    steps: Vec<StepOfClass>,
    questions: Vec<QuestionOfClass>,
    misconceptions: Vec<MisconceptionOfClass>,
}

/// One who came.
#[derive(Clone, Debug, Serialize)]
struct ReportedStudent {
    name: String,
    /// Those that it opened, or answered a question of.
    lessons: Vec<LessonOfStudent>,
}

/// A lesson, as one student did it.
#[derive(Clone, Debug, Serialize)]
struct LessonOfStudent {
    /// Its slug.
    lesson: String,
    /// Numbers of steps, from 1.
    seen: Vec<usize>,
    /// Those of them whose exercises are solved.
    solved: Vec<usize>,
    answers: Vec<AnswerOfStudent>,
    /// Absent where none of its questions was answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    inventory: Option<InventoryEntry>,
}

/// What a student answered to one question.
#[derive(Clone, Debug, Serialize)]
struct AnswerOfStudent {
    /// Its number in the report.
    question: usize,
    alone: Option<JudgedAnswer>,
    after_talking: Option<JudgedAnswer>,
}

impl ClassReport {
    /// Of these lessons. `rigs` looks up a built-in rig by its id: where it is not there,
    /// answers that hang on it are not judged.
    pub fn new(
        class: &ReportedClass<'_>,
        set: &LessonSet,
        rigs: &dyn Fn(&str) -> Option<Arc<Rig>>,
    ) -> Self {
        let names = class.names.of(class.students.iter().copied()).into_iter();
        let mut report = Self {
            format: "bindpose-class-report",
            version: VERSION,
            program: concat!("bindpose ", env!("CARGO_PKG_VERSION")),
            written: class.day.clone(),
            room: class.room.to_owned(),
            names: class.names,
            lessons: Vec::new(),
            students: names.map(|name| ReportedStudent { name, lessons: Vec::new() }).collect(),
        };
        let mut numbered = 0;
        for (index, lesson) in set.lessons.iter().enumerate() {
            let mut questions = QuestionsOfLesson::new(set, index, &class.students, numbered, rigs);
            numbered += questions.count();
            let each = class.students.iter().enumerate();
            let done: Vec<Option<LessonOfStudent>> = each
                .map(|(at, student)| {
                    LessonOfStudent::new(lesson, student, questions.take_answers(at))
                })
                .collect();
            if done.iter().all(Option::is_none) {
                continue;
            }
            report.lessons.push(LessonOfClass::new(lesson, &questions, &done));
            for (student, done) in report.students.iter_mut().zip(done) {
                student.lessons.extend(done);
            }
        }
        report
    }

    /// One object, for programs.
    ///
    /// Errors: never in practice: all of it is text and finite numbers.
    pub fn json(&self) -> Result<Vec<u8>, serde_json::Error> {
        let mut text = serde_json::to_string_pretty(self)?;
        text.push('\n');
        Ok(text.into_bytes())
    }

    /// A table for spreadsheets: a row for each student with each step, with each question
    /// in each round, and with each question before and after a lesson.
    pub fn csv(&self) -> Vec<u8> {
        csv::table(self).into_bytes()
    }

    /// A page to print on A4, in one file.
    pub fn html(&self, look: &HandoutLook) -> Vec<u8> {
        html::page(self, look).into_bytes()
    }
}

impl LessonOfClass {
    fn new(
        lesson: &Lesson,
        questions: &QuestionsOfLesson,
        done: &[Option<LessonOfStudent>],
    ) -> Self {
        let done: Vec<&LessonOfStudent> = done.iter().flatten().collect();
        let step = |index: usize| StepOfClass::new(lesson, index, &done);
        let about = lesson.inventory.misconceptions.iter();
        let mut misconceptions: Vec<MisconceptionOfClass> =
            about.map(|one| MisconceptionOfClass::new(one, &done)).collect();
        misconceptions.retain(MisconceptionOfClass::is_answered);
        Self {
            number: lesson.number,
            lesson: lesson.slug.clone(),
            title: lesson.title.clone(),
            opened: done.iter().filter(|one| !one.seen.is_empty()).count(),
            steps: (0..lesson.steps.len()).map(step).collect(),
            questions: questions.iter().map(|one| QuestionOfClass::new(one, &done)).collect(),
            misconceptions,
        }
    }
}

impl LessonOfStudent {
    /// `None` where the student did nothing of it.
    fn new(lesson: &Lesson, student: &StudentView, answers: Vec<AnswerOfStudent>) -> Option<Self> {
        let none = LessonProgress::default();
        let progress = student.record.lessons.get(&lesson.slug).unwrap_or(&none);
        let is_there = |step: &u16| usize::from(*step) < lesson.steps.len();
        let numbers = |step: &u16| usize::from(*step) + 1;
        let seen: Vec<usize> = progress.seen.iter().filter(|s| is_there(s)).map(numbers).collect();
        let solved = progress.solved.iter().filter(|step| is_there(step)).filter(|step| {
            progress.seen.contains(step) && has_exercise(lesson, usize::from(**step))
        });
        let solved: Vec<usize> = solved.map(numbers).collect();
        let inventory = inventory(lesson, progress);
        let is_empty = seen.is_empty() && answers.is_empty() && inventory.is_none();
        let lesson = lesson.slug.clone();
        (!is_empty).then_some(Self { lesson, seen, solved, answers, inventory })
    }
}

fn has_exercise(lesson: &Lesson, step: usize) -> bool {
    exercises_at(lesson, step).next().is_some()
}

/// Both forms, as far as they were answered. An answer that is a number or a picture has the
/// letter that it has on the page.
fn inventory(lesson: &Lesson, progress: &LessonProgress) -> Option<InventoryEntry> {
    if progress.inventory.is_empty() {
        return None;
    }
    let mut reader = ReaderProgress::default();
    for form in InventoryForm::ALL {
        let record = reader.form_mut(&lesson.slug, form);
        for question in questions_of(lesson, form) {
            let option = progress.inventory.get(&question.id);
            if let Some(index) = option.and_then(|option| option.checked_sub(1)) {
                record.note(question, index.into(), None);
            }
        }
    }
    let mut inventory = InventoryEntry::new(lesson, &reader)?;
    for answer in inventory.answers.iter_mut().filter(|answer| answer.words.is_empty()) {
        let question = lesson.inventory.question(&answer.question);
        let order = question.map(shown_options).unwrap_or_default();
        answer.words = option_letter(&order, answer.option.saturating_sub(1)).to_string();
    }
    Some(inventory)
}
