//! Steps on rigs of their own: what stands on the stage of the whole lesson makes
//! sense on each of them, and with a rig all begins anew.

use bindpose_diagnostic::{Diagnostic, LineColumn};
use bindpose_lesson::{Mention, Mentioned, OutlinePlace};

use super::checker::Checker;
use crate::{OWN_RIG, lesson_rig};

impl Checker<'_> {
    /// A cell of the whole lesson is looked at on every rig that it stands with: at the
    /// first step on each that does not leave it out.
    pub(super) fn on_other_rigs(&mut self, mention: &Mention) {
        let is_of_lesson = mention.place == OutlinePlace::Intro;
        if !is_of_lesson || !matches!(mention.what, Mentioned::Cell { .. }) {
            return;
        }
        let mut seen = vec![self.lesson.rig_at(0)];
        for step in 1..self.lesson.steps.len() {
            let rig = self.lesson.rig_at(step);
            let mut shown = self.lesson.on_stage(step);
            if seen.contains(&rig) || !shown.any(|cell| cell.line == mention.at.line) {
                continue;
            }
            seen.push(rig);
            let known = self.findings.len();
            self.seen_at = step;
            self.stand_at(step);
            self.mention(mention);
            self.seen_at = 0;
            let title = &self.lesson.steps[step].title;
            for finding in &mut self.findings[known..] {
                finding.title = format!("at the step `{title}`, on another rig: {}", finding.title);
            }
        }
    }

    /// What the rig of a step does not go with.
    pub(super) fn step_rig(&mut self, index: usize, at: LineColumn) {
        let Some(step) = self.lesson.steps.get(index) else {
            return;
        };
        let Some(rig) = &step.rig else {
            return;
        };
        let place = OutlinePlace::Step(index);
        if self.own_model || rig == OWN_RIG {
            let title = "a lesson stands on the reader’s own model in all of its steps, or in none";
            let wrong = Diagnostic::said("OWN_MODEL", title);
            let help = "write rig = \"own\" in the front matter alone";
            self.error_in(place, at, wrong.help(help));
        }
        if step.carry {
            let title = format!("`{}` stands on a rig of its own, and begins anew", step.title);
            let wrong = Diagnostic::said("MISPLACED", title);
            self.error_in(place, at, wrong.help("leave out `carry`, or `rig`"));
        }
    }

    /// The rig that a picture has of its own: from here on the check stands on it,
    /// until the next mention. False where there is none. `cell_at` is where the cell
    /// begins.
    pub(super) fn picture_rig(
        &mut self,
        place: OutlinePlace,
        at: LineColumn,
        cell_at: LineColumn,
        rig: &str,
    ) -> bool {
        // As its author writes it the name of a file stands in no set.
        let mut cells = self.lesson.cells();
        let placed = cells.find(|cell| cell.line == cell_at.line);
        let id = placed.and_then(|cell| cell.kind.own_rig()).unwrap_or(rig);
        if rig == OWN_RIG {
            let title = "a picture cannot have the reader’s own model beside the page’s rig";
            let wrong = Diagnostic::said("OWN_MODEL", title);
            self.error_in(place, at, wrong.help("name a built-in rig, or a file"));
            return false;
        }
        let known = lesson_rig(self.set, id, self.rigs);
        if known.is_none() {
            self.no_rig(place, at, id);
            return false;
        }
        self.known_rig = known;
        true
    }
}
