//! Builds a class report from the students' records: first the results of each student per lesson,
//! then counts over the whole class.

use std::cmp::Reverse;
use std::sync::Arc;

use bindpose_class_protocol::{LessonProgress, StudentNames, StudentView};
use bindpose_gltf::Rig;
use bindpose_lesson::{Lesson, LessonSet, Misconception};
use bindpose_notebook::exercise::Nearness;
use bindpose_notebook::exercise_cells::exercises_at;
use bindpose_notebook::inventory::{
    Holding, InventoryForm, option_letter, questions_of, shown_options,
};
use bindpose_notebook::{InventoryEntry, ReaderProgress};
use glam::Vec3;

use super::questions::{AnsweredQuestion, LessonQuestions};
use super::report::{
    AnswerCount, ByRound, ClassReport, GuessDistance, JudgedAnswer, LessonSummary,
    MisconceptionSummary, QuestionSummary, ReportedStudent, StepSummary, StudentAnswer,
    StudentLesson,
};

/// Version of the JSON format. Incremented when a key changes its meaning or is removed, but not
/// when a key is added.
const FORMAT_VERSION: u32 = 1;

/// The class that a report is about.
#[derive(Clone, Debug)]
pub struct ReportedClass<'a> {
    /// All students who joined, in the order in which they joined.
    pub students: Vec<&'a StudentView>,
    /// How students are named in the report.
    pub names: StudentNames,
    /// Code by which students join the class.
    pub room: &'a str,
    /// Date of the report, as `2026-11-22`. `None` if unknown.
    pub day: Option<String>,
}

impl ClassReport {
    /// Creates the report of a class on the lessons of `set`.
    ///
    /// `rigs` looks up a built-in rig by its id. If a rig is missing, answers that depend on it are
    /// counted but not judged.
    pub fn new(
        class: &ReportedClass<'_>,
        set: &LessonSet,
        rigs: &dyn Fn(&str) -> Option<Arc<Rig>>,
    ) -> Self {
        let names = class.names.of(class.students.iter().copied());
        let mut report = Self {
            format: "bindpose-class-report",
            version: FORMAT_VERSION,
            program: concat!("bindpose ", env!("CARGO_PKG_VERSION")),
            written: class.day.clone(),
            room: class.room.to_owned(),
            names: class.names,
            lessons: Vec::new(),
            students: names
                .into_iter()
                .map(|name| ReportedStudent { name, lessons: Vec::new() })
                .collect(),
        };
        let mut question_count = 0;
        for (index, lesson) in set.lessons.iter().enumerate() {
            let mut questions =
                LessonQuestions::new(set, index, &class.students, question_count, rigs);
            question_count += questions.count();
            let student_lessons: Vec<Option<StudentLesson>> = class
                .students
                .iter()
                .enumerate()
                .map(|(student_index, student)| {
                    StudentLesson::new(lesson, student, questions.take_answers(student_index))
                })
                .collect();
            if student_lessons.iter().all(Option::is_none) {
                continue;
            }
            report.lessons.push(LessonSummary::new(lesson, &questions, &student_lessons));
            for (student, student_lesson) in report.students.iter_mut().zip(student_lessons) {
                student.lessons.extend(student_lesson);
            }
        }
        report
    }
}

impl StudentLesson {
    /// Returns `None` if the student did nothing in the lesson.
    fn new(lesson: &Lesson, student: &StudentView, answers: Vec<StudentAnswer>) -> Option<Self> {
        let no_progress = LessonProgress::default();
        let progress = student.record.lessons.get(&lesson.slug).unwrap_or(&no_progress);
        let mut seen = Vec::new();
        let mut solved = Vec::new();
        for step in &progress.seen {
            let index = usize::from(*step);
            if index >= lesson.steps.len() {
                continue;
            }
            seen.push(index + 1);
            if progress.solved.contains(step) && has_exercise(lesson, index) {
                solved.push(index + 1);
            }
        }
        let inventory = inventory_entry(lesson, progress);
        if seen.is_empty() && answers.is_empty() && inventory.is_none() {
            return None;
        }
        Some(Self { lesson: lesson.slug.clone(), seen, solved, answers, inventory })
    }
}

/// Returns the student's answers to the inventories before and after the lesson, or `None` if
/// there are none. An answer that is a number or a picture is reported by its letter on the page.
fn inventory_entry(lesson: &Lesson, progress: &LessonProgress) -> Option<InventoryEntry> {
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
    for answer in &mut inventory.answers {
        if answer.words.is_empty() {
            let question = lesson.inventory.question(&answer.question);
            let order = question.map(shown_options).unwrap_or_default();
            answer.words = option_letter(&order, answer.option.saturating_sub(1)).to_string();
        }
    }
    Some(inventory)
}

impl LessonSummary {
    fn new(
        lesson: &Lesson,
        questions: &LessonQuestions,
        student_lessons: &[Option<StudentLesson>],
    ) -> Self {
        let student_lessons: Vec<&StudentLesson> = student_lessons.iter().flatten().collect();
        Self {
            number: lesson.number,
            lesson: lesson.slug.clone(),
            title: lesson.title.clone(),
            opened: student_lessons.iter().filter(|entry| !entry.seen.is_empty()).count(),
            steps: (0..lesson.steps.len())
                .map(|index| StepSummary::new(lesson, index, &student_lessons))
                .collect(),
            questions: questions
                .iter()
                .map(|question| QuestionSummary::new(question, &student_lessons))
                .collect(),
            misconceptions: lesson
                .inventory
                .misconceptions
                .iter()
                .map(|misconception| MisconceptionSummary::new(misconception, &student_lessons))
                .filter(|summary| summary.answered_before + summary.answered_after > 0)
                .collect(),
        }
    }
}

impl StepSummary {
    fn new(lesson: &Lesson, index: usize, student_lessons: &[&StudentLesson]) -> Self {
        let step = &lesson.steps[index];
        let number = index + 1;
        Self {
            number,
            step: step.slug.clone(),
            title: step.title.clone(),
            has_exercise: has_exercise(lesson, index),
            seen: student_lessons.iter().filter(|entry| entry.seen.contains(&number)).count(),
            solved: student_lessons.iter().filter(|entry| entry.solved.contains(&number)).count(),
        }
    }
}

/// Returns whether the step at `step_index` has an exercise.
fn has_exercise(lesson: &Lesson, step_index: usize) -> bool {
    exercises_at(lesson, step_index).next().is_some()
}

impl MisconceptionSummary {
    fn new(misconception: &Misconception, student_lessons: &[&StudentLesson]) -> Self {
        let mut summary = Self {
            misconception: misconception.id.clone(),
            belief: misconception.belief.clone(),
            held_before: 0,
            answered_before: 0,
            held_after: 0,
            answered_after: 0,
            remains: 0,
        };
        for inventory in student_lessons.iter().filter_map(|entry| entry.inventory.as_ref()) {
            let Some(held) =
                inventory.misconceptions.iter().find(|held| held.misconception == misconception.id)
            else {
                continue;
            };
            summary.held_before += usize::from(held.before == Holding::Held);
            summary.answered_before += usize::from(held.before != Holding::NotAnswered);
            summary.held_after += usize::from(held.after == Holding::Held);
            summary.answered_after += usize::from(held.after != Holding::NotAnswered);
            summary.remains +=
                usize::from(held.before == Holding::Held && held.after == Holding::Held);
        }
        summary
    }
}

impl QuestionSummary {
    fn new(question: &AnsweredQuestion, student_lessons: &[&StudentLesson]) -> Self {
        let answers: Vec<&StudentAnswer> = student_lessons
            .iter()
            .flat_map(|entry| &entry.answers)
            .filter(|answer| answer.question == question.number)
            .collect();
        let alone: Vec<&JudgedAnswer> =
            answers.iter().filter_map(|answer| answer.alone.as_ref()).collect();
        let after_talking: Vec<&JudgedAnswer> =
            answers.iter().filter_map(|answer| answer.after_talking.as_ref()).collect();
        let mut changed_to_right = 0;
        let mut changed_away = 0;
        for answer in &answers {
            let right_alone = answer.alone.as_ref().and_then(|judged| judged.right);
            let right_after = answer.after_talking.as_ref().and_then(|judged| judged.right);
            match (right_alone, right_after) {
                (Some(false), Some(true)) => changed_to_right += 1,
                (Some(true), Some(false)) => changed_away += 1,
                _ => {}
            }
        }
        Self {
            number: question.number,
            step: question.step + 1,
            cell: question.cell.clone(),
            draw: question.draw + 1,
            kind: question.kind,
            ask: question.ask.clone(),
            right_answer: question.right_answer.clone(),
            answered: ByRound { alone: alone.len(), after_talking: after_talking.len() },
            right: ByRound {
                alone: count_right(&alone),
                after_talking: count_right(&after_talking),
            },
            changed_to_right,
            changed_away,
            answers: match question.close {
                Some(close) => count_by_nearness(close, &alone, &after_talking),
                None => count_by_answer(&alone, &after_talking),
            },
            distance: question.close.map(|close| GuessDistance {
                from_right_place: question.right_answer.is_some(),
                close,
                median: ByRound {
                    alone: median_distance(&alone),
                    after_talking: median_distance(&after_talking),
                },
            }),
        }
    }

    /// Returns the most frequent wrong answer, counted in the round in which it was given most
    /// often. Returns `None` if nobody was wrong or the lesson has no reply to that answer.
    pub(super) fn usual_mistake(&self) -> Option<&AnswerCount> {
        self.answers
            .iter()
            .filter(|count| count.right == Some(false))
            // `max_by_key` returns the last of equal maxima, but the first in the list is wanted.
            .rev()
            .max_by_key(|count| count.alone.max(count.after_talking))
            .filter(|count| !count.reply.is_empty())
    }
}

fn count_right(answers: &[&JudgedAnswer]) -> usize {
    answers.iter().filter(|answer| answer.right == Some(true)).count()
}

/// Counts equal answers, sorted by descending frequency after talking, then alone.
fn count_by_answer(alone: &[&JudgedAnswer], after_talking: &[&JudgedAnswer]) -> Vec<AnswerCount> {
    let mut counts = Vec::new();
    for answer in alone {
        count_of_answer(&mut counts, answer).alone += 1;
    }
    for answer in after_talking {
        count_of_answer(&mut counts, answer).after_talking += 1;
    }
    counts.sort_by_key(|count| Reverse((count.after_talking, count.alone)));
    counts
}

/// Returns the count of an answer, added with zeros if there is none yet.
fn count_of_answer<'a>(
    counts: &'a mut Vec<AnswerCount>,
    answer: &JudgedAnswer,
) -> &'a mut AnswerCount {
    let known_index = counts.iter().position(|count| count.answer == answer.answer);
    let index = known_index.unwrap_or_else(|| {
        counts.push(AnswerCount {
            answer: answer.answer.clone(),
            right: answer.right,
            alone: 0,
            after_talking: 0,
            reply: answer.reply.clone(),
        });
        counts.len() - 1
    });
    &mut counts[index]
}

/// Counts guesses by their nearness to the right position, nearest first. Returns an empty list if
/// the right position is unknown.
fn count_by_nearness(
    close: f32,
    alone: &[&JudgedAnswer],
    after_talking: &[&JudgedAnswer],
) -> Vec<AnswerCount> {
    [Nearness::SpotOn, Nearness::Close, Nearness::NotFar, Nearness::Far]
        .into_iter()
        .map(|nearness| AnswerCount {
            answer: nearness.words().to_owned(),
            right: Some(nearness.is_right()),
            alone: count_at_nearness(alone, close, nearness),
            after_talking: count_at_nearness(after_talking, close, nearness),
            reply: String::new(),
        })
        .filter(|count| count.alone + count.after_talking > 0)
        .collect()
}

fn count_at_nearness(guesses: &[&JudgedAnswer], close: f32, nearness: Nearness) -> usize {
    guesses
        .iter()
        .filter_map(|guess| guess.off)
        .filter(|distance| Nearness::from_distance(*distance, close) == nearness)
        .count()
}

/// Returns the median distance of the guesses from the right position or, if that is unknown, from
/// the median position of all guesses. Returns `None` if there are no guesses.
fn median_distance(guesses: &[&JudgedAnswer]) -> Option<f32> {
    let positions: Vec<Vec3> = guesses.iter().filter_map(|guess| guess.place).collect();
    let middle = Vec3::new(
        median(positions.iter().map(|position| position.x).collect())?,
        median(positions.iter().map(|position| position.y).collect())?,
        median(positions.iter().map(|position| position.z).collect())?,
    );
    let distances = guesses
        .iter()
        .filter_map(|guess| guess.off.or(Some(guess.place?.distance(middle))))
        .collect();
    median(distances)
}

/// Returns `None` if `numbers` is empty.
fn median(mut numbers: Vec<f32>) -> Option<f32> {
    numbers.sort_by(f32::total_cmp);
    let half = numbers.len() / 2;
    let upper = *numbers.get(half)?;
    let lower = if numbers.len().is_multiple_of(2) { numbers[half - 1] } else { upper };
    Some(f32::midpoint(lower, upper))
}
