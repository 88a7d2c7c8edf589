//! What a class did in a lesson: how many saw and solved a step, and held a misconception.

use bindpose_lesson::{Lesson, Misconception};
use bindpose_notebook::InventoryEntry;
use bindpose_notebook::exercise_cells::exercises_at;
use bindpose_notebook::inventory::Holding;

use super::questions::QuestionsOfLesson;
use super::report::{
    LessonOfClass, LessonOfStudent, MisconceptionOfClass, QuestionOfClass, StepOfClass,
};

impl LessonOfClass {
    pub(super) fn new(
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

impl StepOfClass {
    pub(super) fn new(lesson: &Lesson, index: usize, done: &[&LessonOfStudent]) -> Self {
        let (step, number) = (&lesson.steps[index], index + 1);
        Self {
            number,
            step: step.slug.clone(),
            title: step.title.clone(),
            has_exercise: has_exercise(lesson, index),
            seen: done.iter().filter(|one| one.seen.contains(&number)).count(),
            solved: done.iter().filter(|one| one.solved.contains(&number)).count(),
        }
    }
}

impl MisconceptionOfClass {
    pub(super) fn new(of: &Misconception, done: &[&LessonOfStudent]) -> Self {
        let inventories = done.iter().filter_map(|one| one.inventory.as_ref());
        let holdings: Vec<(Holding, Holding)> =
            inventories.filter_map(|inventory| holdings(inventory, &of.id)).collect();
        let count = |is: fn(&&(Holding, Holding)) -> bool| holdings.iter().filter(is).count();
        Self {
            misconception: of.id.clone(),
            belief: of.belief.clone(),
            held_before: count(|(before, _)| *before == Holding::Held),
            answered_before: count(|(before, _)| *before != Holding::NotAnswered),
            held_after: count(|(_, after)| *after == Holding::Held),
            answered_after: count(|(_, after)| *after != Holding::NotAnswered),
            remains: count(|both| **both == (Holding::Held, Holding::Held)),
        }
    }

    pub(super) fn is_answered(&self) -> bool {
        self.answered_before + self.answered_after > 0
    }
}

fn holdings(inventory: &InventoryEntry, id: &str) -> Option<(Holding, Holding)> {
    let mut all = inventory.misconceptions.iter();
    let one = all.find(|one| one.misconception == id)?;
    Some((one.before, one.after))
}

/// Is there something to solve at the step of that index?
pub(super) fn has_exercise(lesson: &Lesson, step: usize) -> bool {
    exercises_at(lesson, step).next().is_some()
}
