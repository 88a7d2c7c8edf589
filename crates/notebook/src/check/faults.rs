//! Faults that a step offers: each does something there, and where one is hidden, no
//! two look alike.

use bindpose_diagnostic::{Diagnostic, LineColumn};
use bindpose_lesson::{CellKind, FaultName, FaultsCell, OutlinePlace};

use super::checker::Checker;
use crate::exercise_cells::cells_at;
use crate::faults::{Evidence, FaultSwitch, evidence_with, offered};
use crate::{Derived, apply_setting, step_document};

impl Checker<'_> {
    /// All cells with faults on the page at a step.
    pub(super) fn faults(&mut self, step: usize, at: LineColumn) {
        let Some(rig) = self.known_rig.clone() else {
            return;
        };
        let lesson = self.lesson;
        for cell in cells_at(lesson, step) {
            let CellKind::Faults(faults) = &cell.kind else {
                continue;
            };
            let switches: Vec<FaultSwitch> =
                offered(faults).into_iter().map(FaultSwitch::new).collect();
            // One of them may be on as the step opens.
            let mut document = step_document(lesson, step, Some(&rig));
            for setting in FaultSwitch::all_off(&switches, &document.state) {
                apply_setting(&mut document, &setting, Some(&rig));
            }
            let influences = Derived::edited_influences(&document, &rig);
            let derived = Derived::new(&document, Some(lesson), &rig, influences);
            let of = |fault| {
                let there = evidence_with(fault, &document, lesson, &derived)?;
                Some((fault?, there))
            };
            let Some(right) = evidence_with(None, &document, lesson, &derived) else {
                continue;
            };
            let shown: Vec<(FaultName, Evidence)> =
                switches.iter().filter_map(|switch| of(Some(switch.fault))).collect();
            self.each_fault_acts(step, at, &right, &shown);
            self.no_two_alike(step, at, faults, &shown);
        }
    }

    fn each_fault_acts(
        &mut self,
        step: usize,
        at: LineColumn,
        right: &Evidence,
        shown: &[(FaultName, Evidence)],
    ) {
        for (fault, there) in shown {
            if there.difference(right, 0).is_none() {
                let title = format!("the fault `{}` changes no number at this step", fault.id);
                let help = "pose the rig so that it shows, or leave it out of `faults`";
                let wrong = Diagnostic::said("FAULT", title).help(help);
                self.error_in(OutlinePlace::Step(step), at, wrong);
            }
        }
    }

    fn no_two_alike(
        &mut self,
        step: usize,
        at: LineColumn,
        cell: &FaultsCell,
        shown: &[(FaultName, Evidence)],
    ) {
        if !cell.diagnose {
            return;
        }
        for (nth, (one, here)) in shown.iter().enumerate() {
            for (other, there) in shown.iter().skip(nth + 1) {
                if here.difference(there, 0).is_none() {
                    let title = format!(
                        "the faults `{}` and `{}` give the same numbers at this step",
                        one.id, other.id
                    );
                    let help = "pose the rig so that they differ, or leave one out of `faults`";
                    let wrong = Diagnostic::said("FAULT", title).help(help);
                    self.error_in(OutlinePlace::Step(step), at, wrong);
                }
            }
        }
    }
}
