//! Numbers and formulas: do they hold at the start of their step?

use bindpose_diagnostic::{Diagnostic, LineColumn, did_you_mean};
use bindpose_lesson::{
    CellKind, EvalError, Expr, LinkWhen, NumberFormat, OutlinePlace, Values, formula_error,
};

use super::checker::Checker;
use super::formula_places::place_in_formula;
use super::symbols::unknown_symbols;
use crate::exercise_cells::cells_at;

impl Checker<'_> {
    /// The words of a `param` link are its value at the start of the step.
    pub(super) fn param_words(
        &mut self,
        place: OutlinePlace,
        at: LineColumn,
        text: &str,
        name: &str,
        format: &NumberFormat,
    ) {
        let value = self.state(place).and_then(|state| Values::param(state, name));
        if let Some(value) = value {
            self.words(place, at, text, &format.print(value));
        }
    }

    /// The words of a `value` link are its value at the start of the step.
    pub(super) fn value_words(
        &mut self,
        place: OutlinePlace,
        (at, expr_at): (LineColumn, LineColumn),
        text: &str,
        (expr, when): (&Expr, LinkWhen),
        format: &NumberFormat,
    ) {
        if self.not_formula_of_all(place, expr_at, expr) {
            return;
        }
        let state = match when {
            LinkWhen::AtStart => self.start(place),
            LinkWhen::Always | LinkWhen::Now => self.state(place),
        };
        let Some(result) = state.map(|state| expr.eval(state)) else {
            return;
        };
        match result {
            Ok(value) => self.words(place, at, text, &format.print(value)),
            Err(error) => self.eval_error(place, expr_at, &error),
        }
    }

    fn words(&mut self, place: OutlinePlace, at: LineColumn, text: &str, prints: &str) {
        // Notes stand at no step: their numbers may be of any.
        if text != prints && place != OutlinePlace::Notes {
            let when = match place {
                _ if self.after.is_some() => "when this is read",
                OutlinePlace::Step(_) => "at the start of this step",
                OutlinePlace::Intro | OutlinePlace::Notes | OutlinePlace::Glossary => {
                    "at the start of the lesson"
                }
            };
            let wrong = Diagnostic::expected(prints, text)
                .title(format!("{when} this prints {prints}, the text says {text}"))
                .help(format!("write [{prints}](…), or set what it depends on in this step"));
            self.error_in(place, at, wrong);
        }
    }

    pub(super) fn eval_error(&mut self, place: OutlinePlace, at: LineColumn, error: &EvalError) {
        let help = match error {
            EvalError::UnknownParam { name, .. } => {
                let mut names = self.param_names();
                names.extend(["all", "pi"]);
                did_you_mean(name, &names)
            }
            EvalError::NoVertex { .. } => self.known_rig.as_ref().map_or_else(String::new, |rig| {
                let count = rig.mesh.positions.len();
                format!("the rig has {count} vertices, numbered from 0")
            }),
            EvalError::UnknownJoint { name, .. } => {
                self.known_rig.as_ref().map_or_else(String::new, |rig| {
                    let joints = rig.skeleton.joints().iter();
                    let names: Vec<&str> = joints.map(|joint| joint.name.as_str()).collect();
                    did_you_mean(name, &names)
                })
            }
            other => other.help().to_owned(),
        };
        let wrong = Diagnostic::said("NO_VALUE", error.to_string()).help(help);
        self.error_in(place, at.right(error.column() - 1), wrong);
    }

    /// The formula of a matrix must come to something as the step opens.
    pub(super) fn matrix_formula(&mut self, place: OutlinePlace, at: LineColumn, expr: &Expr) {
        if self.not_formula_of_all(place, at, expr) {
            return;
        }
        let value = self.state(place).map(|state| expr.value(state));
        if let Some(Err(error)) = value {
            self.eval_error(place, at, &error);
        }
    }

    /// The program of a step must come to its end as the step opens.
    pub(super) fn pose_program(&mut self, place: OutlinePlace, at: LineColumn) {
        let cells = cells_at(self.lesson, self.step_of(place));
        if cells.filter(|cell| matches!(cell.kind, CellKind::Pose(_))).count() > 1 {
            let wrong = Diagnostic::expected("one program that poses a step", "a second one");
            let help = "make one program of them, or leave one out with hide";
            return self.error_in(place, at, wrong.help(help));
        }
        let run = self.state(place).and_then(|state| state.program_run.as_ref());
        if let Some(error) = run.and_then(|run| run.error.clone()) {
            let wrong = Diagnostic::said("NO_VALUE", error.to_string());
            self.error_in(place, at, wrong.help(error.error.help().to_owned()));
        }
    }

    pub(super) fn math(&mut self, place: OutlinePlace, at: LineColumn, formula: &str) {
        if let Some((at, wrong)) = math_error(formula, at) {
            return self.error_in(place, at, wrong);
        }
        for (at, wrong) in unknown_symbols(formula, at, &self.set.symbols) {
            self.error_in(place, at, wrong);
        }
    }
}

/// Where, and what is wrong, when the formula, which begins at `begin`, cannot be
/// typeset.
pub(super) fn math_error(formula: &str, begin: LineColumn) -> Option<(LineColumn, Diagnostic)> {
    let error = formula_error(formula)?;
    let start = error.at;
    // A token has the space before it.
    let spaces = formula.get(start..).unwrap_or_default();
    let spaces = spaces.len() - spaces.trim_start().len();
    let at = place_in_formula(formula, start + spaces, begin);
    let title = format!("the formula cannot be typeset: {}", error.message);
    let wrong = Diagnostic::said("INVALID_LATEX", title);
    Some((at, wrong.help("write LaTeX as KaTeX takes it")))
}
