//! What one student did in a lesson.

use bindpose_classroom::{LessonProgress, StudentView};
use bindpose_lesson::Lesson;
use bindpose_notebook::inventory::{InventoryForm, option_letter, questions_of, shown_options};
use bindpose_notebook::{InventoryEntry, ReaderProgress};

use super::lesson_counts::has_exercise;
use super::report::{AnswerOfStudent, LessonOfStudent};

impl LessonOfStudent {
    /// `None` where the student did nothing of it.
    pub(super) fn new(
        lesson: &Lesson,
        student: &StudentView,
        answers: Vec<AnswerOfStudent>,
    ) -> Option<Self> {
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
