//! Numbers and formulas: do they hold at the start of their step?

use super::checker::{Checker, step_of};
use super::formula_places::place_in_formula;
use super::symbols::unknown_symbols;
use crate::diagnostic::{At, Diagnostic, did_you_mean};
use crate::lesson::{
    EvalError, Expr, NumberFormat, Place, PlotCell, PlotLine, Setting, Values, When, formula_error,
};
use crate::notebook::{Derived, apply_setting, step_document};

/// Points of a plot at which its formulas are tried.
const PLOT_SAMPLES: u32 = 8;

impl Checker<'_> {
    /// The words of a `param` link are its value at the start of the step.
    pub(super) fn param_words(
        &mut self,
        place: Place,
        at: At,
        text: &str,
        name: &str,
        format: &NumberFormat,
    ) {
        let value = self
            .state(place)
            .and_then(|state| Values::param(state, name));
        if let Some(value) = value {
            self.words(place, at, text, &format.print(value));
        }
    }

    /// The words of a `value` link are its value at the start of the step.
    pub(super) fn value_words(
        &mut self,
        place: Place,
        (at, expr_at): (At, At),
        text: &str,
        (expr, when): (&Expr, When),
        format: &NumberFormat,
    ) {
        let state = match when {
            When::AtStart => self.start(place),
            When::Always | When::Now => self.state(place),
        };
        let Some(result) = state.map(|state| expr.eval(state)) else {
            return;
        };
        match result {
            Ok(value) => self.words(place, at, text, &format.print(value)),
            Err(error) => self.eval_error(place, expr_at, &error),
        }
    }

    fn words(&mut self, place: Place, at: At, text: &str, prints: &str) {
        // Notes stand at no step: their numbers may be of any.
        if text != prints && place != Place::Notes {
            let when = match place {
                _ if self.after.is_some() => "when this is read",
                Place::Step(_) => "at the start of this step",
                Place::Intro | Place::Notes | Place::Glossary => "at the start of the lesson",
            };
            let wrong = Diagnostic::expected(prints, text)
                .title(format!("{when} this prints {prints}, the text says {text}"))
                .help(format!(
                    "write [{prints}](…), or set what it depends on in this step"
                ));
            self.error_in(place, at, wrong);
        }
    }

    pub(super) fn eval_error(&mut self, place: Place, at: At, error: &EvalError) {
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
            EvalError::NoJoint { .. } => "write the number of a joint".to_owned(),
            EvalError::NoCell { .. } => "rows and columns are counted from 0".to_owned(),
            EvalError::NotFinite => {
                "look for a division by zero or the root of a negative number".to_owned()
            }
        };
        let wrong = Diagnostic::said("NO_VALUE", error.to_string()).help(help);
        self.error_in(place, at.right(error.column() - 1), wrong);
    }

    /// A curve has a value somewhere, and names only what there is.
    pub(super) fn plot_line(&mut self, place: Place, at: At, plot: &PlotCell, line: &PlotLine) {
        let Some(rig) = self.known_rig.clone() else {
            return;
        };
        let start = step_document(self.lesson, step_of(place), Some(&rig));
        let influences = Derived::edited_influences(&start, &rig);
        let mut last = None;
        for sample in 0..=PLOT_SAMPLES {
            let along = f64::from(sample) / f64::from(PLOT_SAMPLES);
            let value = plot.from.0 + (plot.to.0 - plot.from.0) * along;
            let mut document = start.clone();
            let setting = Setting::Param(plot.sweep.clone(), value);
            for setting in std::iter::once(&setting).chain(&line.set.0) {
                apply_setting(&mut document, setting, Some(&rig));
            }
            let state = Derived::new(&document, Some(self.lesson), &rig, influences.clone());
            match line.expr.eval(&state) {
                Ok(_) => return,
                Err(error @ EvalError::NotFinite) => last = Some(error),
                Err(error) => return self.eval_error(place, at, &error),
            }
        }
        if let Some(error) = last {
            self.eval_error(place, at, &error);
        }
    }

    pub(super) fn math(&mut self, place: Place, at: At, formula: &str) {
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
pub(super) fn math_error(formula: &str, begin: At) -> Option<(At, Diagnostic)> {
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
