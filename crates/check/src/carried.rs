//! Check of steps that carry on with the page of the step before, and of numbers in the prose
//! that change while the reader drags.
//!
//! A step that carries on is checked from a clean start, and from the pages that the
//! exercises of the step before leave: the solution of each of their draws, and revealed
//! answers.

use std::sync::Arc;

use bindpose_diagnostic::{Diagnostic, LineColumn};
use bindpose_gltf::Rig;
use bindpose_lesson::{
    CellKind, CheckCell, Expr, MentionKind, NumberFormat, OutlinePlace, PredictCell,
};

use super::checker::{ChangedPage, Checker, format_figures};
use super::formulas::InvitedChanges;
use bindpose_notebook::exercise::{is_solved, position_with, solution};
use bindpose_notebook::exercise_cells::{Exercise, cells_at, exercises_at};
use bindpose_notebook::{Derived, Document, Edit, apply, carried_on, param_range, step_document};

/// Maximum number of carried pages that are checked for one step.
const MAX_CARRIED_STARTS: usize = 48;

/// Help of findings on exercises that fail on a carried page.
const HELP: &str = "put back in the `set` of this step what the one before changes, as by \
                    edits = \"none\", or leave out `carry`";

impl Checker<'_> {
    /// Returns the pages at which a step that carries on can start, other than the clean
    /// one, each with a description of the changes before. Returns none for a step that
    /// does not carry on.
    pub(super) fn find_carried_starts(&self, step: usize, rig: &Rig) -> Vec<(Document, String)> {
        let carries = self.lesson.steps.get(step).is_some_and(|step| step.carry);
        let Some(before) = step.checked_sub(1).filter(|_| carries) else {
            return Vec::new();
        };
        let number = before + 1;
        let clean = step_document(self.lesson, before, Some(rig));
        let mut left = Vec::new();
        for (begin, words) in self.find_carried_starts(before, rig) {
            left.push((begin.clone(), words.clone()));
            left.extend(self.solved_documents(&begin, &format!("{words}, then "), number, rig));
        }
        left.extend(self.solved_documents(&clean, "", number, rig));
        left.truncate(MAX_CARRIED_STARTS);
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

    /// Returns the page after each exercise of its step is solved or revealed.
    fn solved_documents(
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
                    cell.iter().map(|draw| Edit::Settings(draw.cell.set.0.clone())).collect()
                }
                // Answers to these do not change the page.
                Exercise::Ask(_) | Exercise::Diagnose(_) | Exercise::Chain(_) => Vec::new(),
            };
            for edit in edits {
                let mut document = begin.clone();
                if apply(&mut document, &edit, self.lesson, rig).is_ok() {
                    let words = format!("{before}step {number} solved ({})", describe_edit(&edit));
                    solved.push((document, words));
                }
            }
        }
        solved
    }

    /// Reports exercises of a step that carries on which are solved when the step starts,
    /// or which their stored solution does not solve.
    pub(super) fn check_carried_exercises(&mut self, step: usize) {
        let Some(rig) = self.rig_with_numbers() else {
            return;
        };
        let lesson = self.lesson;
        for (start, words) in self.find_carried_starts(step, &rig) {
            let derived = Derived::of_document(&start, Some(lesson), &rig);
            for cell in cells_at(lesson, step) {
                let wrong = match &cell.kind {
                    CellKind::Check(check) => check
                        .iter()
                        .find_map(|draw| self.carried_check_problem(&draw.cell, &start, &derived)),
                    CellKind::Predict(predict) => predict.iter().find_map(|draw| {
                        self.carried_predict_problem(&draw.cell, &start, &derived)
                    }),
                    _ => None,
                };
                let Some(wrong) = wrong else { continue };
                let at = self.position_of_cell(&cell.kind, step);
                let title = format!("with {words}, {wrong}");
                let wrong = Diagnostic::said("EXERCISE", title).help(HELP);
                // One failing page is enough.
                return self.error(at, wrong);
            }
        }
    }

    fn carried_check_problem(
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

    fn carried_predict_problem(
        &self,
        cell: &PredictCell,
        start: &Document,
        derived: &Derived,
    ) -> Option<String> {
        let before = derived.position(cell.vertex as usize)?;
        let after = position_with(&cell.set.0, cell.vertex, start, self.lesson, derived);
        let moves = before.distance(after.ok()??);
        (moves <= cell.close.0).then(|| {
            format!(
                "v{} moves by {moves:.4}, and a guess within {} is right: there is nothing to predict",
                cell.vertex, cell.close.0
            )
        })
    }

    /// Returns the position in the text of a cell of the step or the stage.
    pub(super) fn position_of_cell(&self, kind: &CellKind, step: usize) -> LineColumn {
        let mention = self.outline.mentions.iter().find(|mention| {
            (mention.place == OutlinePlace::Step(step) || mention.place == OutlinePlace::Intro)
                && matches!(&mention.what, MentionKind::Cell { kind: other, .. } if **other == *kind)
        });
        mention.map_or(super::START, |mention| mention.at)
    }
}

/// Describes an edit in the syntax of links.
pub(super) fn describe_edit(edit: &Edit) -> String {
    match edit {
        Edit::Settings(settings) | Edit::Solve(settings) => {
            let words: Vec<String> = settings
                .iter()
                .map(|setting| format!("{}={}", setting.key(), setting.text()))
                .collect();
            words.join(", ")
        }
        Edit::Weight { vertex, lane, weight } => {
            format!("the weight in lane {lane} of v{vertex} at {weight}")
        }
        _ => String::new(),
    }
}

/// Fractions of the range of a parameter at which numbers are checked: the ends, and
/// values between them that are no zeros of a sine.
const RANGE_FRACTIONS: [f64; 6] = [7.0 / 12.0, 1.0, 0.0, 5.0 / 6.0, 1.0 / 6.0, 0.55];

/// Index of the first fraction used when all parameters change at once. Each parameter
/// takes the next one.
const JOINT_FRACTION_INDEX: usize = 3;

impl Checker<'_> {
    /// Reports a `value:` link whose number changes with a change that the step invites
    /// the reader to make. Authors exempt sentences about a particular time with `now:`
    /// and `start:`.
    pub(super) fn check_steady_number(
        &mut self,
        at: LineColumn,
        expr: &Expr,
        format: &NumberFormat,
    ) {
        let Some(start) = self.current_state().and_then(|state| expr.eval(state).ok()) else {
            return;
        };
        let start = format.print(start);
        let changed = self.changed_pages().iter().find_map(|changed| {
            let other = expr
                .eval(&changed.numbers)
                .map_or_else(|_| "no number".to_owned(), |value| format.print(value));
            (other != start).then(|| (changed.words.clone(), other))
        });
        let Some((words, other)) = changed else {
            return;
        };
        let title =
            format!("this prints {start} at the start of the step, and {other} with {words}");
        let source = &expr.source;
        let help = format!(
            "write now:{source} if the sentence is true at every value, start:{source} if it tells how the step begins"
        );
        let wrong = Diagnostic::said("CHANGING_NUMBER", title).help(help);
        self.error(at, wrong);
    }

    /// Returns the pages after the changes that the step invites to.
    fn changed_pages(&self) -> &[ChangedPage] {
        let step = self.step_index();
        let Some(cell) = self.changes.get(step) else {
            return &[];
        };
        cell.get_or_init(|| self.compute_changed_pages(step).unwrap_or_default())
    }

    fn compute_changed_pages(&self, step: usize) -> Option<Vec<ChangedPage>> {
        let rig = self.known_rig.as_ref()?;
        let start = step_document(self.lesson, step, Some(rig));
        let derived = self.current_state()?;
        let invited = InvitedChanges::at(self.lesson, step, &start, derived);
        let mut changes = Vec::new();
        let mut begins = vec![(start.clone(), String::new())];
        for edit in &invited.edits {
            let mut document = start.clone();
            if apply(&mut document, edit, self.lesson, rig).is_ok() && document != start {
                let words = match edit {
                    Edit::Solve(_) => format!("the exercise solved ({})", describe_edit(edit)),
                    _ => describe_edit(edit),
                };
                begins.push((document, words));
            }
        }
        begins.extend(self.find_carried_starts(step, rig));
        // Single changes before combined ones, so that the shortest description is reported.
        for (begin, words) in &begins {
            if !words.is_empty() {
                changes.push(self.changed_page(begin, rig, words.clone()));
            }
            let mut all = begin.clone();
            for (index, name) in invited.params.iter().enumerate() {
                let Some(range) = param_range(name, begin, self.lesson, rig) else {
                    continue;
                };
                for fraction in RANGE_FRACTIONS {
                    let value = self.value_along(name, range, fraction);
                    let mut document = begin.clone();
                    let edit = Edit::param(name.as_str(), value);
                    if apply(&mut document, &edit, self.lesson, rig).is_ok() {
                        let description = self.describe_value(name, value);
                        let words = join_descriptions(words, &description);
                        changes.push(self.changed_page(&document, rig, words));
                    }
                }
                let fraction =
                    RANGE_FRACTIONS[(JOINT_FRACTION_INDEX + index) % RANGE_FRACTIONS.len()];
                let edit = Edit::param(name.as_str(), self.value_along(name, range, fraction));
                let _ = apply(&mut all, &edit, self.lesson, rig);
            }
            if invited.params.len() > 1 {
                let description = self.describe_values(&all, &invited.params);
                let words = join_descriptions(words, &description);
                changes.push(self.changed_page(&all, rig, words));
            }
        }
        Some(changes)
    }

    fn changed_page(&self, document: &Document, rig: &Arc<Rig>, words: String) -> ChangedPage {
        let numbers = Derived::of_document(document, Some(self.lesson), rig);
        ChangedPage { words, numbers }
    }

    /// Returns the stored value of a parameter at a fraction of its range.
    fn value_along(&self, name: &str, range: (f64, f64), fraction: f64) -> f64 {
        let (low, high) = range;
        let value = low + (high - low) * fraction;
        match self.lesson.params.iter().find(|param| param.name == name) {
            Some(param) if param.whole => value.round(),
            _ => value,
        }
    }

    /// Describes the value of a parameter, such as `nod at 30°`.
    pub(super) fn describe_value(&self, name: &str, value: f64) -> String {
        let value = if self.is_angle(name) { value } else { (value * 1000.0).round() / 1000.0 };
        format!("{name} at {}", format_figures(value, self.is_angle(name)))
    }

    fn describe_values(&self, document: &Document, names: &[String]) -> String {
        let params = &document.state.params;
        let words = names.iter().filter_map(|name| {
            let value = params.get(name)?;
            Some(self.describe_value(name, *value))
        });
        words.collect::<Vec<_>>().join(", ")
    }
}

fn join_descriptions(before: &str, after: &str) -> String {
    match before {
        "" => after.to_owned(),
        before => format!("{before} and {after}"),
    }
}
