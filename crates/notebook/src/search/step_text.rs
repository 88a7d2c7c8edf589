//! What a step says, all of it that stands on its page when it opens.

use bindpose_lesson::Lesson;

use super::plain_text::{add_cell, passages_of};

/// The passages of a step: the introduction of the lesson with the first, the
/// prose, and the cells that the step adds to the stage.
pub fn step_passages(lesson: &Lesson, step: usize) -> Vec<String> {
    let mut passages = Vec::new();
    if step == 0 {
        passages.extend(passages_of(&lesson.intro));
    }
    let Some(step) = lesson.steps.get(step) else {
        return passages;
    };
    passages.extend(passages_of(&step.blocks));
    for cell in &step.stage {
        add_cell(cell, &mut passages);
    }
    passages
}
