//! Formulas that drive parameters of the rig: there is such a one, the formula has a
//! value wherever what it names can be dragged, and nothing else puts it.

use bindpose_diagnostic::{Diagnostic, LineColumn};
use bindpose_lesson::{Drive, OutlinePlace, PARAM_LIMIT};

use super::checker::Checker;
use crate::param_values::ParamValues;
use crate::{Document, param_range};

impl Checker<'_> {
    pub(super) fn drive(&mut self, at: LineColumn, drive: &Drive, formula_at: LineColumn) {
        let mut rigs = self.rigs_of_steps.iter().flatten();
        let has = rigs.find(|rig| rig.param(&drive.param).is_some());
        let Some(rig) = has.or(self.known_rig.as_ref()).cloned() else {
            return;
        };
        if rig.param(&drive.param).is_none() {
            let names: Vec<&str> = rig.params.iter().map(|param| param.name.as_str()).collect();
            let wrong = Diagnostic::unknown("parameter", &drive.param, &names)
                .title(format!("the rig has no parameter `{}`", drive.param));
            return self.error(at, wrong);
        }
        let start = Document::default();
        let mut states = vec![(start.clone(), String::new())];
        for (name, _) in drive.formula.names() {
            let range = param_range(name, &start, self.lesson, &rig);
            for value in range.into_iter().flat_map(|(low, high)| [low, high]) {
                let mut document = start.clone();
                document.state.params.insert(name.to_owned(), value);
                states.push((document, format!(" with {}", self.at_words(name, value))));
            }
        }
        for (document, words) in states {
            let values = ParamValues::new(&document, Some(self.lesson), &rig);
            let Some(driven) = values.driven.iter().find(|one| one.name == drive.param) else {
                return;
            };
            if let Some(error) = &driven.error {
                self.eval_error(OutlinePlace::Intro, formula_at, error);
                if let Some(wrong) = self.findings.last_mut() {
                    wrong.title.push_str(&words);
                }
                return;
            }
            if driven.value.abs() >= PARAM_LIMIT {
                let title = format!("`{}` goes beyond ±{PARAM_LIMIT}{words}", drive.param);
                let wrong = Diagnostic::said("VALUE_NOT_IN_RANGE", title);
                let help = "write a formula that stays small";
                return self.error(formula_at, wrong.help(help));
            }
        }
    }

    /// True for a parameter that may be put to a value; says so of one that a formula
    /// drives.
    pub(super) fn is_free(&mut self, place: OutlinePlace, at: LineColumn, name: &str) -> bool {
        let Some(formula) = self.lesson.drive_of(name) else {
            return true;
        };
        let title = format!("`{name}` follows {}", formula.source);
        let own = formula.names();
        let help = match own.first() {
            Some((own, _)) => format!("name what it depends on, such as {own}"),
            None => format!("leave {name} out of [drive]"),
        };
        let wrong = Diagnostic::said("DRIVEN", title).help(help);
        self.error_in(place, at, wrong);
        false
    }
}
