//! Check that the shelf does not show the answer to a question.

use bindpose_diagnostic::{Diagnostic, LineColumn};
use bindpose_lesson::{AskCell, CheckCell};

use super::checker::Checker;
use bindpose_notebook::exercise_cells::{Exercise, cells_at, exercises_at};
use bindpose_notebook::shelf::{Shelf, ShelfNumber, ShelfVertex, has_shelf, shelf_vertex};
use bindpose_notebook::shown_cells::shared_vertex;
use bindpose_notebook::{Derived, step_document};

/// Numbers that stand in nearly every matrix, so that they give nothing away.
const COMMON_NUMBERS: [f64; 3] = [-1.0, 0.0, 1.0];

impl Checker<'_> {
    /// Reports each question of the step whose answer is a number on the shelf. Parts that the
    /// shelf keeps back until the answer are left out, as are those that the step shows itself.
    pub(super) fn check_shelf(&mut self, step: usize, at: LineColumn) {
        let Some(rig) = self.rig_with_numbers() else {
            return;
        };
        let lesson = self.lesson;
        let Some(derived) = self.start_state() else {
            return;
        };
        if !has_shelf(lesson, step, &rig) {
            return;
        }
        let document = step_document(lesson, step, Some(&rig));
        let vertex = match shelf_vertex(lesson, &document) {
            ShelfVertex::Chosen(vertex) => Some(vertex),
            ShelfVertex::Shared => shared_vertex(&derived.influences, document.state.joint),
        };
        let shelf = Shelf::new(lesson, &document, derived, vertex);
        let cells: Vec<_> = cells_at(lesson, step).collect();
        let parts = shelf.parts().without(shelf.shown_by(&cells, &document, derived));
        let mut wrong = Vec::new();
        for (cell, exercise) in exercises_at(lesson, step) {
            for draw in 0..exercise.count() {
                let visible = parts.without(shelf.asked_by(exercise, draw, &rig));
                let mut numbers = shelf.numbers(visible, derived);
                numbers.retain(|number| {
                    COMMON_NUMBERS.iter().all(|common| (number.value - common).abs() > 0.005)
                });
                if let Some(number) = find_answer(exercise, draw, &numbers, derived) {
                    let value = number.value;
                    let decimals = number.decimals;
                    let title = format!(
                        "the shelf shows the answer to `{cell}`: {} is {value:.decimals$}",
                        number.name
                    );
                    wrong.push(Diagnostic::said("ON_SHELF", title).help(
                        "ask for another number, or leave the shelf out with hide = [\"shelf\"]",
                    ));
                    break;
                }
            }
        }
        for wrong in wrong {
            self.error(at, wrong);
        }
    }
}

/// Returns the number that answers the exercise.
fn find_answer<'a>(
    exercise: Exercise<'_>,
    draw: usize,
    numbers: &'a [ShelfNumber],
    derived: &Derived,
) -> Option<&'a ShelfNumber> {
    match exercise {
        Exercise::Ask(cell) => find_in_question(cell.with(draw), numbers, derived),
        Exercise::Check(cell) => find_secret_goal(cell.with(draw), numbers, derived),
        // The shelf shows no positions, and it keeps back what a product or a fault is about.
        Exercise::Predict(_) | Exercise::Chain(_) | Exercise::Diagnose(_) => None,
    }
}

fn find_in_question<'a>(
    cell: &AskCell,
    numbers: &'a [ShelfNumber],
    derived: &Derived,
) -> Option<&'a ShelfNumber> {
    if let Some(expr) = &cell.number {
        let answer = displayed(expr.eval(derived).ok()?, &cell.unit);
        let tolerance = cell.tolerance.as_ref().map_or(0.0, |tolerance| tolerance.0);
        return find_near(answer, displayed(tolerance, &cell.unit), numbers);
    }
    let find_in_choices = |is_right: bool| {
        let choices = cell.choices.iter().filter(|choice| choice.right == is_right);
        let mut values = choices.flat_map(|choice| numbers_in(&choice.text.words()));
        values.find_map(|value| find_near(value, 0.0, numbers))
    };
    // A number among the wrong answers too tells nothing.
    find_in_choices(true).filter(|_| find_in_choices(false).is_none())
}

fn find_secret_goal<'a>(
    cell: &CheckCell,
    numbers: &'a [ShelfNumber],
    derived: &Derived,
) -> Option<&'a ShelfNumber> {
    cell.conditions.iter().filter(|condition| condition.secret).find_map(|condition| {
        let goal = displayed(condition.goal.eval(derived).ok()?, &condition.unit);
        find_near(goal, displayed(condition.tolerance.0, &condition.unit), numbers)
    })
}

/// Converts a stored value to the unit in which it is displayed.
fn displayed(value: f64, unit: &str) -> f64 {
    if unit.trim() == "°" { value.to_degrees() } else { value }
}

/// Returns the number that equals `answer` as displayed, or within the tolerance.
fn find_near(answer: f64, tolerance: f64, numbers: &[ShelfNumber]) -> Option<&ShelfNumber> {
    numbers.iter().find(|number| {
        let rounding = 0.5 * 10_f64.powi(-(number.decimals as i32));
        (number.value - answer).abs() <= tolerance.max(rounding)
    })
}

/// Returns the numbers in a text that have a decimal point or a degree sign. Whole numbers
/// may count something else.
fn numbers_in(text: &str) -> Vec<f64> {
    text.replace('−', "-")
        .split(|letter: char| letter.is_whitespace() || "(),;".contains(letter))
        .filter(|word| word.contains('.') || word.ends_with('°'))
        .filter_map(|word| word.trim_end_matches(['°', '.']).parse().ok())
        .collect()
}
