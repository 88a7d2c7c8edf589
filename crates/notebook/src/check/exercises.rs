//! Exercises: open when their step begins, and closed by their stored solution.

use bindpose_diagnostic::{Diagnostic, LineColumn};
use bindpose_lesson::{
    CellDraws, CheckCell, CompareCell, OutlinePlace, PredictCell, Settings, StopsCell,
    key_of_condition, numbers_text,
};

use super::checker::{Checker, unfit};
use crate::exercise::{MeasuredCondition, is_solved, position_with, solution};
use crate::{Derived, Edit, apply, is_same_setting, step_document};

/// Looks up where the value of a key is written: `also[0].goal`.
type KeyAt<'a> = &'a dyn Fn(&str) -> LineColumn;

impl Checker<'_> {
    /// Checks a cell with each of its draws; what is wrong with several is told of
    /// the first.
    pub(super) fn each_draw<T>(&mut self, cell: &CellDraws<T>, check: impl Fn(&mut Self, &T)) {
        let found = self.findings.len();
        for (index, draw) in cell.iter().enumerate() {
            check(self, &draw.cell);
            let Some(wrong) = self.findings.get_mut(found..).filter(|new| !new.is_empty()) else {
                continue;
            };
            if cell.count() > 1 {
                for wrong in wrong {
                    let numbers = numbers_text(&draw.numbers);
                    let sentence = wrong.sentence();
                    wrong.title = format!("with draw {} ({numbers}): {sentence}", index + 1);
                }
            }
            return;
        }
    }

    /// Every condition has a value, not all hold at the start, and all hold with
    /// the stored solution.
    pub(super) fn check_cell(&mut self, place: OutlinePlace, cell: &CheckCell, key_at: KeyAt<'_>) {
        self.printed_goal(place, cell, key_at("ask"));
        let found = self.findings.len();
        for index in 0..cell.conditions.len() {
            self.condition(place, cell, index, key_at);
        }
        self.settings(place, &cell.solution, "solution", key_at);
        if self.findings.len() > found {
            return;
        }
        if self.state(place).is_some_and(|derived| is_solved(cell, derived)) {
            let title = "the exercise is solved when its step begins";
            let wrong = Diagnostic::said("EXERCISE", title)
                .help("choose another goal, or begin the step elsewhere");
            self.error_in(place, key_at("goal"), wrong);
            return;
        }
        self.stored_solution(place, cell, key_at);
    }

    fn condition(
        &mut self,
        place: OutlinePlace,
        cell: &CheckCell,
        index: usize,
        key_at: KeyAt<'_>,
    ) {
        let Some(condition) = cell.conditions.get(index) else {
            return;
        };
        for (key, expr) in [("measure", &condition.measure), ("goal", &condition.goal)] {
            if self.not_formula_of_all(place, key_at(&key_of_condition(index, key)), expr) {
                continue;
            }
            let result = self.state(place).map(|derived| expr.eval(derived));
            if let Some(Err(error)) = result {
                // Behind the quote of the string.
                let at = key_at(&key_of_condition(index, key)).right(1);
                self.eval_error(place, at, &error);
            }
        }
        self.unit(place, condition, index, key_at);
    }

    fn stored_solution(&mut self, place: OutlinePlace, cell: &CheckCell, key_at: KeyAt<'_>) {
        if cell.solution.0.is_empty() && cell.solution_edits.0.is_empty() {
            let wrong = Diagnostic::said("NO_SOLUTION", "the exercise has no solution");
            let help = "write what solves it: solution = { b1 = \"30deg\" }, or \
                        solution-edits = { \"weights.3\" = \"0,1,0,0\" }";
            return self.error_in(place, key_at("solution"), wrong.help(help));
        }
        let Some(rig) = self.known_rig.clone() else {
            return;
        };
        let mut document = step_document(self.lesson, self.step_of(place), Some(&rig));
        for edit in &cell.solution_edits.0 {
            let alone = Edit::Solve(Vec::new(), vec![edit.clone()]);
            if let Err(refused) = apply(&mut document.clone(), &alone, self.lesson, &rig) {
                let at = key_at(&format!("solution-edits.{}", edit.key()));
                self.error_in(place, at, unfit(refused));
                return;
            }
        }
        let key = if cell.solution.0.is_empty() { "solution-edits" } else { "solution" };
        if let Err(refused) = apply(&mut document, &solution(cell), self.lesson, &rig) {
            self.error_in(place, key_at(key), unfit(refused));
            return;
        }
        let influences = Derived::edited_influences(&document, &rig);
        let derived = Derived::new(&document, Some(self.lesson), &rig, influences);
        for condition in &cell.conditions {
            let label = condition.label.words();
            let (title, help) = match MeasuredCondition::from_condition(condition, &derived) {
                Ok(measured) if measured.holds() => continue,
                Ok(measured) => (
                    format!(
                        "the stored solution does not solve the exercise: `{label}` comes to {:.4}, the goal is {:.4} ± {}",
                        measured.value, measured.goal, measured.tolerance
                    ),
                    "correct the solution, the goal or the tolerance",
                ),
                Err(error) => (
                    format!("with the stored solution `{label}` has no value: {error}"),
                    "correct the solution",
                ),
            };
            let wrong = Diagnostic::said("EXERCISE", title).help(help);
            self.error_in(place, key_at(key), wrong);
            return;
        }
        self.reach(place, cell, key_at);
    }

    /// There is such a vertex, and it goes somewhere.
    pub(super) fn predict_cell(
        &mut self,
        place: OutlinePlace,
        cell: &PredictCell,
        key_at: KeyAt<'_>,
    ) {
        let found = self.findings.len();
        self.vertex(place, key_at("vertex"), cell.vertex);
        self.settings(place, &cell.set, "set", key_at);
        if self.findings.len() > found {
            return;
        }
        let Some(rig) = self.known_rig.clone() else {
            return;
        };
        let document = step_document(self.lesson, self.step_of(place), Some(&rig));
        let Some(begin) = self.state(place) else {
            return;
        };
        let before = begin.position(cell.vertex as usize);
        let after = position_with(&cell.set.0, cell.vertex, &document, self.lesson, begin);
        let wrong = match (before, after) {
            (_, Err(refused)) => Some(unfit(refused)),
            (Some(before), Ok(Some(after))) if before.distance(after) > cell.close => None,
            (Some(before), Ok(Some(after))) => {
                let title = format!(
                    "v{} moves by {:.4}, and a guess within {} is right: there is nothing to predict",
                    cell.vertex,
                    before.distance(after),
                    cell.close
                );
                let help = "set what moves it farther, or a smaller `close`";
                Some(Diagnostic::said("EXERCISE", title).help(help))
            }
            _ => None,
        };
        if let Some(wrong) = wrong {
            self.error_in(place, key_at("set"), wrong);
        }
    }

    /// What each variant sets is there, and no two are the same.
    pub(super) fn compare_cell(
        &mut self,
        place: OutlinePlace,
        cell: &CompareCell,
        key_at: KeyAt<'_>,
    ) {
        for (index, variant) in cell.variants.iter().enumerate() {
            let mut earlier = cell.variants[..index].iter();
            if earlier.any(|other| self.is_same(&other.set, &variant.set)) {
                let label = variant.label.words();
                let title = format!("the variant `{label}` shows what an earlier one shows");
                let wrong = Diagnostic::said("REPEATED", title)
                    .help("leave one of them out, or write in `set` what is different");
                self.error_in(place, key_at(&format!("variants[{index}].label")), wrong);
            }
            self.settings(place, &variant.set, &format!("variants[{index}].set"), key_at);
        }
    }

    /// What each stop sets is there, and no two are the same.
    pub(super) fn stops_cell(&mut self, place: OutlinePlace, cell: &StopsCell, key_at: KeyAt<'_>) {
        for (index, stop) in cell.stops.iter().enumerate() {
            self.settings(place, &stop.set, &format!("stops[{index}].set"), key_at);
            let mut earlier = cell.stops[..index].iter();
            if earlier.any(|other| self.is_same(&other.set, &stop.set)) {
                let title =
                    format!("the stop `{}` sets what an earlier one sets", stop.label.words());
                let wrong = Diagnostic::said("REPEATED", title).help("leave one of them out");
                self.error_in(place, key_at(&format!("stops[{index}].label")), wrong);
            }
        }
    }

    /// Do both set the same, by whatever names of joints?
    fn is_same(&self, a: &Settings, b: &Settings) -> bool {
        let rig = self.known_rig.as_deref();
        let same = |(a, b)| a == b || rig.is_some_and(|rig| is_same_setting(a, b, rig));
        a.0.len() == b.0.len() && a.0.iter().zip(&b.0).all(same)
    }

    fn settings(
        &mut self,
        place: OutlinePlace,
        settings: &Settings,
        path: &str,
        key_at: KeyAt<'_>,
    ) {
        for setting in &settings.0 {
            self.setting(place, key_at(&format!("{path}.{}", setting.key())), setting);
        }
    }
}
