//! Numbers in the prose that change: a `value:` link keeps its number over all
//! that its step invites the reader to change. Which sentence is true of a number
//! that does not, its author says, by `now:` or `start:`.

use bindpose_diagnostic::{Diagnostic, LineColumn};
use bindpose_lesson::{Expr, NumberFormat, OutlinePlace};

use super::carried::edit_words;
use super::checker::{ChangedPage, Checker};
use super::figures::shown;
use super::invited::Invited;
use crate::{Derived, Document, Edit, apply, param_range, step_document};

/// Where along its range each parameter is tried: the ends, and between them what
/// falls on no zero of a sine.
const ALONG: [f64; 6] = [7.0 / 12.0, 1.0, 0.0, 5.0 / 6.0, 1.0 / 6.0, 0.55];

/// Where all are tried together, each elsewhere.
const TOGETHER: usize = 3;

impl Checker<'_> {
    /// Says so when a number that is told as one and the same changes.
    pub(super) fn steady(
        &mut self,
        place: OutlinePlace,
        at: LineColumn,
        (expr, format): (&Expr, &NumberFormat),
    ) {
        let Some(start) = self.state(place).and_then(|state| expr.eval(state).ok()) else {
            return;
        };
        let start = format.print(start);
        let printed = |changed: &ChangedPage| {
            let value = expr.eval(&changed.numbers);
            value.map_or_else(|_| "no number".to_owned(), |value| format.print(value))
        };
        let mut changes = self.changes(place).iter();
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
        self.error_in(place, at, wrong);
    }

    /// Every state of the page that is looked at for a step; worked out once.
    fn changes(&self, place: OutlinePlace) -> &[ChangedPage] {
        let step = self.step_of(place);
        let Some(cell) = self.changes.get(step) else {
            return &[];
        };
        cell.get_or_init(|| self.changes_at(step).unwrap_or_default())
    }

    fn changes_at(&self, step: usize) -> Option<Vec<ChangedPage>> {
        let rig = self.known_rig.as_ref()?;
        let start = step_document(self.lesson, step, Some(rig));
        let derived = self.state(OutlinePlace::Step(step))?;
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
        format!("{name} at {}", shown(value, self.is_angle(name)))
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
