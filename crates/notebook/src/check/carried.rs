//! Steps that carry on: they hold from a clean start, and from what the exercises
//! of the step before leave: their solutions with each of their draws, and what
//! their answers reveal.

use bindpose_asset::Rig;
use bindpose_diagnostic::{Diagnostic, LineColumn};
use bindpose_lesson::{
    CellKind, CheckCell, DataEdit, Mentioned, OutlinePlace, PredictCell, Setting,
};

use super::checker::Checker;
use crate::exercise::{is_solved, position_with, solution};
use crate::exercise_cells::{Exercise, cells_at, exercises_at};
use crate::{Derived, Document, Edit, apply, carried_on, step_document};

/// More states than this of one step are not told apart by anybody.
const MOST_STARTS: usize = 48;

/// What must be mended there.
const HELP: &str = "put back in the `set` of this step what the one before changes, as by \
                    edits = \"none\", or leave out `carry`";

impl Checker<'_> {
    /// How a step may open that carries on, and in words what was done before; empty
    /// for one that does not.
    pub(super) fn carried_starts(&self, step: usize, rig: &Rig) -> Vec<(Document, String)> {
        let carries = self.lesson.steps.get(step).is_some_and(|step| step.carry);
        let Some(before) = step.checked_sub(1).filter(|_| carries) else {
            return Vec::new();
        };
        let number = before + 1;
        let clean = step_document(self.lesson, before, Some(rig));
        let mut left = Vec::new();
        for (begin, words) in self.carried_starts(before, rig) {
            left.push((begin.clone(), words.clone()));
            left.extend(self.solved(&begin, &format!("{words}, then "), number, rig));
        }
        left.extend(self.solved(&clean, "", number, rig));
        left.truncate(MOST_STARTS);
        let own = step_document(self.lesson, step, Some(rig));
        let mut starts: Vec<(Document, String)> = Vec::new();
        for (document, words) in left {
            let document = carried_on(&document, self.lesson, step, Some(rig));
            let known = starts.iter().any(|(start, _)| *start == document);
            if document != own && !known {
                starts.push((document, words));
            }
        }
        starts
    }

    /// A step with each of its exercises solved or revealed.
    fn solved(
        &self,
        begin: &Document,
        before: &str,
        number: usize,
        rig: &Rig,
    ) -> Vec<(Document, String)> {
        let mut solved = Vec::new();
        for (_, exercise) in exercises_at(self.lesson, begin.step) {
            let edits: Vec<Edit> = match exercise {
                Exercise::Check(cell) => cell.iter().map(|draw| solution(&draw.cell)).collect(),
                Exercise::Predict(cell) => {
                    let draws = cell.iter().map(|draw| draw.cell.set.0.clone());
                    draws.map(Edit::Settings).collect()
                }
                // An answer changes nothing of the page.
                Exercise::Ask(_) | Exercise::Diagnose(_) | Exercise::Chain(_) => Vec::new(),
            };
            for edit in edits {
                let mut document = begin.clone();
                if apply(&mut document, &edit, self.lesson, rig).is_ok() {
                    let words = format!("{before}step {number} solved ({})", edit_words(&edit));
                    solved.push((document, words));
                }
            }
        }
        solved
    }

    /// Exercises of a step that carries on are open when it begins, and closed by
    /// their solution, whatever was solved before.
    pub(super) fn carried_exercises(&mut self, step: usize) {
        let Some(rig) = self.known_rig.clone() else {
            return;
        };
        let lesson = self.lesson;
        for (start, words) in self.carried_starts(step, &rig) {
            let influences = Derived::edited_influences(&start, &rig);
            let derived = Derived::new(&start, Some(lesson), &rig, influences);
            for cell in cells_at(lesson, step) {
                let wrong = match &cell.kind {
                    CellKind::Check(check) => check
                        .iter()
                        .find_map(|draw| self.carried_check(&draw.cell, &start, &derived)),
                    CellKind::Predict(predict) => predict
                        .iter()
                        .find_map(|draw| self.carried_predict(&draw.cell, &start, &derived)),
                    _ => None,
                };
                let Some(wrong) = wrong else { continue };
                let at = self.place_of(&cell.kind, step);
                let title = format!("with {words}, {wrong}");
                let wrong = Diagnostic::said("EXERCISE", title).help(HELP);
                // One state that shows it is enough.
                return self.error_in(OutlinePlace::Step(step), at, wrong);
            }
        }
    }

    fn carried_check(
        &self,
        cell: &CheckCell,
        start: &Document,
        derived: &Derived,
    ) -> Option<String> {
        if is_solved(cell, derived) {
            return Some("this exercise is solved when its step begins".to_owned());
        }
        let mut after = start.clone();
        apply(&mut after, &solution(cell), self.lesson, &derived.stored_rig).ok()?;
        let there = derived.of_other(&after, Some(self.lesson));
        (!is_solved(cell, &there))
            .then(|| "its stored solution does not solve this exercise".to_owned())
    }

    fn carried_predict(
        &self,
        cell: &PredictCell,
        start: &Document,
        derived: &Derived,
    ) -> Option<String> {
        let before = derived.position(cell.vertex as usize)?;
        let after = position_with(&cell.set.0, cell.vertex, start, self.lesson, derived);
        let moves = before.distance(after.ok()??);
        (moves <= cell.close).then(|| {
            format!(
                "v{} moves by {moves:.4}, and a guess within {} is right: there is nothing to predict",
                cell.vertex, cell.close
            )
        })
    }

    /// Where a cell of a step, or of the stage, is written.
    pub(super) fn place_of(&self, kind: &CellKind, step: usize) -> LineColumn {
        let is_cell = |what: &Mentioned| matches!(what, Mentioned::Cell { kind: other, .. } if **other == *kind);
        let mut mentions = self.outline.mentions.iter();
        let of_step = |place| place == OutlinePlace::Step(step) || place == OutlinePlace::Intro;
        let found = mentions.find(|mention| of_step(mention.place) && is_cell(&mention.what));
        found.map_or(super::START, |mention| mention.at)
    }
}

/// What was chosen or edited, as links say it.
pub(super) fn edit_words(edit: &Edit) -> String {
    let settings = |settings: &[Setting]| -> Vec<String> {
        let words = settings.iter();
        words.map(|setting| format!("{}={}", setting.key(), setting.text())).collect()
    };
    let data = |edit: &DataEdit| format!("{}={}", edit.key(), edit.text());
    match edit {
        Edit::Settings(set) => settings(set).join(", "),
        Edit::Solve(set, edits) => {
            let mut words = settings(set);
            words.extend(edits.iter().map(data));
            words.join(", ")
        }
        Edit::Weight { vertex, lane, weight } => {
            format!("the weight in lane {lane} of v{vertex} at {weight}")
        }
        Edit::Data(edit) => data(edit),
        _ => String::new(),
    }
}
