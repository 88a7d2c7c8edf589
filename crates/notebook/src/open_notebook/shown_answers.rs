//! Answers that a presenter shows to a class without anybody having given them. The record
//! counts them as shown, not as solved.

use bindpose_lesson::Setting;
use bindpose_skin::JointIndex;

use super::super::Edit;
use super::super::chain_state::ChainState;
use super::super::exercise::{position_with, solution};
use super::super::exercise_cells::{Exercise, exercises_at};
use super::super::faults::fault_of_draw;
use super::super::question::{answer, right_answer};
use super::Notebook;

impl Notebook {
    /// Shows the right answer to an exercise of the open step, as one step of undo. A guess on
    /// the page is revealed and counts. Returns false if there is no such exercise, or its
    /// answer has no value now.
    pub fn show_answer(&mut self, cell: &str, gesture: u64) -> bool {
        if self.form.is_some() {
            return false;
        }
        let is_guess_open =
            self.document.state.predictions.get(cell).is_some_and(|guess| !guess.revealed);
        let Some(edits) = self.answer_edits(cell) else {
            return false;
        };
        // Earlier answers are the reader's own.
        self.note_answers();
        if !edits.iter().all(|edit| self.edit(edit, gesture).is_ok()) {
            return false;
        }
        if !is_guess_open {
            self.ignore_current_answers();
            let draw = self.document.draw_of(cell);
            self.update_answer(cell, draw, |answer| answer.shown |= !answer.solved);
        }
        true
    }

    /// Returns the edits that show an answer. The first names the step of undo.
    fn answer_edits(&self, cell: &str) -> Option<Vec<Edit>> {
        let (_, exercise) =
            exercises_at(self.lesson(), self.document.step).find(|(id, _)| *id == cell)?;
        let draw = self.document.draw_of(cell);
        match exercise {
            Exercise::Ask(question) => {
                let question = question.with(draw);
                let right = right_answer(question, &self.derived).ok()?;
                let text = right.strip_suffix(&question.unit).unwrap_or(&right);
                let mut edits = vec![answer(cell, text, true)];
                if question.vertex.is_some() {
                    edits.push(Edit::set(Setting::Vertex(text.parse().ok()?)));
                } else if question.joint.is_some() {
                    edits.push(Edit::set(Setting::Joint(JointIndex(text.parse().ok()?).into())));
                }
                Some(edits)
            }
            Exercise::Check(check) => Some(vec![solution(check.with(draw))]),
            Exercise::Chain(chain) => {
                let product = chain.solution().clone();
                let rung = *chain.rungs().end();
                let solved = ChainState { product, rung, travelled: 0.0 };
                Some(vec![Edit::Chain(cell.to_owned(), solved)])
            }
            Exercise::Diagnose(offer) => {
                Some(vec![answer(cell, fault_of_draw(offer, cell, draw)?.id, true)])
            }
            Exercise::Predict(predict) => {
                let predict = predict.with(draw);
                let mut edits = Vec::new();
                if !self.document.state.predictions.contains_key(cell) {
                    let settings = &predict.set.0;
                    let truth = position_with(
                        settings,
                        predict.vertex,
                        &self.document,
                        self.lesson(),
                        &self.derived,
                    );
                    edits.push(Edit::Predict(cell.to_owned(), truth.ok()??.to_array()));
                }
                edits.push(Edit::Reveal(cell.to_owned()));
                edits.push(Edit::Settings(predict.set.0.clone()));
                Some(edits)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use bindpose_lesson::LessonSet;
    use bindpose_rigs::builtin;

    use super::*;
    use crate::{OWN_RIG, PageAddress, StepProgress};

    /// Every exercise of the course can be shown by one press, which one undo takes back.
    #[test]
    fn answer_to_every_exercise_is_shown_undone_and_not_counted_as_solved() {
        let set = LessonSet::embedded();
        let mut notebook = Notebook::new(set.clone(), builtin).unwrap();
        let mut count = 0;
        for lesson in &set.lessons {
            for (index, step) in lesson.steps.iter().enumerate() {
                // Steps about the reader's own model open only with one.
                if lesson.rig_at(index) == OWN_RIG {
                    continue;
                }
                let address = PageAddress::step(&lesson.slug, &step.slug);
                notebook.go(&address).expect("a step");
                for (cell, _) in exercises_at(lesson, index) {
                    let place = format!("{}/{} {cell}", lesson.slug, step.slug);
                    if notebook.is_answered(cell) {
                        continue;
                    }
                    let before = notebook.document().clone();
                    count += 1;
                    assert!(notebook.show_answer(cell, 10 + count), "{place}");
                    assert!(notebook.is_answered(cell), "{place}");
                    assert!(!notebook.note_answers(), "{place}: nobody has answered");
                    let record = notebook.record().and_then(|record| record.answer(cell, 0));
                    assert!(record.is_some_and(|record| record.shown && !record.solved), "{place}");
                    notebook.undo();
                    assert_eq!(notebook.document().state.answers, before.state.answers, "{place}");
                    assert_eq!(notebook.document().state.params, before.state.params, "{place}");
                    assert!(!notebook.is_answered(cell), "{place}");
                }
            }
        }
        assert!(count > 100, "{count}");
    }

    #[test]
    fn guess_that_is_made_counts_when_it_is_revealed() {
        let mut notebook = Notebook::new(LessonSet::embedded(), builtin).unwrap();
        notebook.follow("bindpose://bone-grid/guess-half-of-two-joints", 1).unwrap();
        notebook.edit(&Edit::Predict("half".to_owned(), [6.0, 1.0, 0.0]), 2).unwrap();
        assert!(notebook.show_answer("half", 3));
        assert!(notebook.note_answers());
        let step = notebook.document().step;
        assert_eq!(notebook.progress.of_step(notebook.lesson(), step), StepProgress::Tried);
        let record = notebook.record().and_then(|record| record.answer("half", 0)).unwrap();
        assert!(!record.shown && record.guesses.len() == 1, "{record:?}");
    }
}
