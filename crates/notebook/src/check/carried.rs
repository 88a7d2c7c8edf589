//! Steps that carry on: they hold from a clean start, and from what the exercises
//! of the step before leave: their solutions with each of their draws, and what
//! their answers reveal.

use bindpose_asset::Rig;
use bindpose_diagnostic::{Diagnostic, LineColumn};
use bindpose_lesson::{
    CellKind, CheckCell, DataEdit, Expr, Mentioned, NumberFormat, OutlinePlace, PredictCell,
    Setting,
};

use super::checker::{ChangedPage, Checker, shown_figures};
use super::formulas::Invited;
use crate::exercise::{is_solved, position_with, solution};
use crate::exercise_cells::{Exercise, cells_at, exercises_at};
use crate::{Derived, Document, Edit, apply, carried_on, param_range, step_document};

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
        let Some(rig) = self.rig_with_numbers() else {
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
                return self.error(at, wrong);
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

// Numbers in the prose that change: a `value:` link keeps its number over all
// that its step invites the reader to change. Which sentence is true of a number
// that does not, its author says, by `now:` or `start:`.

/// Where along its range each parameter is tried: the ends, and between them what
/// falls on no zero of a sine.
const ALONG: [f64; 6] = [7.0 / 12.0, 1.0, 0.0, 5.0 / 6.0, 1.0 / 6.0, 0.55];

/// Where all are tried together, each elsewhere.
const TOGETHER: usize = 3;

impl Checker<'_> {
    /// Says so when a number that is told as one and the same changes.
    pub(super) fn steady(&mut self, at: LineColumn, (expr, format): (&Expr, &NumberFormat)) {
        let Some(start) = self.state().and_then(|state| expr.eval(state).ok()) else {
            return;
        };
        let start = format.print(start);
        let printed = |changed: &ChangedPage| {
            let value = expr.eval(&changed.numbers);
            value.map_or_else(|_| "no number".to_owned(), |value| format.print(value))
        };
        let mut changes = self.changes().iter();
        let Some((words, other)) = changes.find_map(|changed| {
            let other = printed(changed);
            (other != start).then(|| (changed.words.clone(), other))
        }) else {
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

    /// Every state of the page that is looked at for a step; worked out once.
    fn changes(&self) -> &[ChangedPage] {
        let step = self.step();
        let Some(cell) = self.changes.get(step) else {
            return &[];
        };
        cell.get_or_init(|| self.changes_at(step).unwrap_or_default())
    }

    fn changes_at(&self, step: usize) -> Option<Vec<ChangedPage>> {
        let rig = self.known_rig.as_ref()?;
        let start = step_document(self.lesson, step, Some(rig));
        let derived = self.state()?;
        let invited = Invited::at(self.lesson, step, &start, derived);
        let mut changes = Vec::new();
        let mut look = |document: &Document, words: String| {
            let influences = Derived::edited_influences(document, rig);
            let numbers = Derived::new(document, Some(self.lesson), rig, influences);
            changes.push(ChangedPage { words, numbers });
        };
        let mut begins = vec![(start.clone(), String::new())];
        for edit in &invited.edits {
            let mut document = start.clone();
            if apply(&mut document, edit, self.lesson, rig).is_ok() && document != start {
                let words = match edit {
                    Edit::Solve(..) => format!("the exercise solved ({})", edit_words(edit)),
                    _ => edit_words(edit),
                };
                begins.push((document, words));
            }
        }
        begins.extend(self.carried_starts(step, rig));
        // What is dragged alone comes before what is dragged after something else.
        for (begin, words) in &begins {
            if !words.is_empty() {
                look(begin, words.clone());
            }
            let mut all = begin.clone();
            for (index, name) in invited.params.iter().enumerate() {
                let Some(range) = param_range(name, begin, self.lesson, rig) else {
                    continue;
                };
                for along in ALONG {
                    let value = self.along(name, range, along);
                    let mut document = begin.clone();
                    let edit = Edit::param(name.as_str(), value);
                    if apply(&mut document, &edit, self.lesson, rig).is_ok() {
                        look(&document, joined(words, &self.at_words(name, value)));
                    }
                }
                let along = ALONG[(TOGETHER + index) % ALONG.len()];
                let edit = Edit::param(name.as_str(), self.along(name, range, along));
                let _ = apply(&mut all, &edit, self.lesson, rig);
            }
            if invited.params.len() > 1 {
                look(&all, joined(words, &self.all_words(&all, &invited.params)));
            }
        }
        Some(changes)
    }

    /// A value of a parameter, as stored.
    fn along(&self, name: &str, (low, high): (f64, f64), along: f64) -> f64 {
        let value = low + (high - low) * along;
        let mut own = self.lesson.params.iter();
        match own.find(|param| param.name == name) {
            Some(param) if param.whole => value.round(),
            _ => value,
        }
    }

    /// `nod at 30°`
    pub(super) fn at_words(&self, name: &str, value: f64) -> String {
        let value = if self.is_angle(name) { value } else { (value * 1000.0).round() / 1000.0 };
        format!("{name} at {}", shown_figures(value, self.is_angle(name)))
    }

    fn all_words(&self, document: &Document, names: &[String]) -> String {
        let params = &document.state.params;
        let words = names.iter().filter_map(|name| {
            let value = params.get(name)?;
            Some(self.at_words(name, *value))
        });
        words.collect::<Vec<_>>().join(", ")
    }
}

fn joined(before: &str, after: &str) -> String {
    match before {
        "" => after.to_owned(),
        before => format!("{before} and {after}"),
    }
}
