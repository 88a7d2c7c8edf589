//! What a student's page says of how far it has come.

use bindpose_classroom::{LessonProgress, StudentClient};
use bindpose_notebook::inventory::InventoryForm;
use bindpose_notebook::{Notebook, StepProgress};

/// Says how far the reader has come with the open lesson, where that is anything.
pub(super) fn tell_progress(student: &mut StudentClient, notebook: &Notebook) {
    let progress = progress(notebook);
    if progress != LessonProgress::default() {
        student.has_done(&notebook.lesson().slug, progress);
    }
}

fn progress(notebook: &Notebook) -> LessonProgress {
    let (lesson, reader) = (notebook.lesson(), &notebook.progress);
    let mut progress = LessonProgress::default();
    for (index, step) in (0..lesson.steps.len()).zip(0_u16..) {
        let come = reader.of_step(lesson, index);
        if come != StepProgress::NotSeen {
            progress.seen.insert(step);
        }
        if come == StepProgress::Solved {
            progress.solved.insert(step);
        }
    }
    let records = InventoryForm::ALL.into_iter().filter_map(|form| reader.form(&lesson.slug, form));
    progress.inventory = records
        .flat_map(|record| &record.answers)
        .filter_map(|(question, answer)| Some((question.clone(), answer.option.try_into().ok()?)))
        .collect();
    progress
}
