//! One question a step, and goals that are shown in the unit they are written in.

use bindpose_diagnostic::{Diagnostic, LineColumn};
use bindpose_lesson::{Condition, NamedThing, OutlinePlace, key_of_condition};

use super::checker::Checker;
use crate::exercise_cells::{Exercise, exercises_at};

impl Checker<'_> {
    /// While a question is open, what is pressed in the picture belongs to it: a
    /// second one would wait unseen.
    pub(super) fn questions(&mut self, step: usize, at: LineColumn) {
        let exercises = exercises_at(self.lesson, step).map(|(_, exercise)| exercise);
        let (mut guesses, mut open) = (0, 0);
        for exercise in exercises {
            match exercise {
                Exercise::Predict(_) => guesses += 1,
                Exercise::Check(cell) => {
                    let conditions = &cell.with(0).conditions;
                    open += usize::from(conditions.iter().any(|condition| condition.secret));
                }
                Exercise::Chain(_) | Exercise::Diagnose(_) => {}
                // Others are answered beside the picture.
                Exercise::Ask(cell) => {
                    let cell = cell.with(0);
                    open += usize::from(cell.vertex.is_some() || cell.joint.is_some());
                }
            }
        }
        if guesses + open < 2 {
            return;
        }
        let title = if guesses > 1 {
            format!("the step has {guesses} cells `predict`")
        } else {
            format!("the step asks {} questions", guesses + open)
        };
        let wrong = Diagnostic::said("TWO_QUESTIONS", title);
        let help = "ask one question a step: make two steps of it";
        self.error_in(OutlinePlace::Step(step), at, wrong.help(help));
    }

    /// An angle is shown in degrees where its condition says so.
    pub(super) fn unit(
        &mut self,
        place: OutlinePlace,
        condition: &Condition,
        index: usize,
        key_at: &dyn Fn(&str) -> LineColumn,
    ) {
        if !condition.unit.is_empty() || !self.asks_for_angle(condition) {
            return;
        }
        let shown = self.state(place).map(|state| condition.goal.eval(state));
        let shown = shown.and_then(Result::ok).unwrap_or_default();
        let title = format!("the goal is an angle and is shown as {shown:.2}, in radians");
        let wrong = Diagnostic::said("UNIT", title).help("add unit = \"°\"");
        self.error_in(place, key_at(&key_of_condition(index, "goal")), wrong);
    }

    /// Is the goal written in degrees, or the measure a single angle?
    fn asks_for_angle(&self, condition: &Condition) -> bool {
        let goal = &condition.goal.source;
        // The sine of an angle is none.
        let in_degrees = !goal.contains('(') && (goal.contains("deg") || goal.contains('°'));
        let measure = condition.measure.source.trim();
        let angle = match condition.measure.named().as_slice() {
            [NamedThing::Param(name)] => name == measure && self.is_angle(name),
            _ => false,
        };
        let between = measure.starts_with("angle_between(") && measure.ends_with(')');
        in_degrees || angle || between
    }
}
