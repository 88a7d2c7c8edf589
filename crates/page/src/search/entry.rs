//! A word of the glossary, a fault of the doctor's or a known bug, read where it was
//! found.

use bindpose_asset::doctor::known_faults;
use bindpose_lesson::{CellKind, FaultName, FaultsCell, LessonSet, LessonStep};
use bindpose_notebook::PageAddress;
use bindpose_notebook::faults::offered_by_id;
use eframe::egui::{RichText, Ui};

use super::goal::ResultGoal;
use crate::prose::blocks_ui;
use crate::theme::{CAPTION, SMALL, font};
use crate::widgets::{Emphasis, note};
use crate::{PageContext, diagnostic};

/// Shows it; nothing for what is gone to, or done, instead of read.
pub(super) fn ui(ui: &mut Ui, goal: &ResultGoal, page: &mut PageContext<'_>) {
    match goal {
        ResultGoal::Term(slug) => {
            if let Some(term) = page.set.term(slug) {
                blocks_ui(ui, &term.blocks, page, &mut |_, _, _| {});
            }
        }
        ResultGoal::Fault(code) => fault(ui, code, page),
        ResultGoal::KnownFault(id) => known_fault(ui, id, page),
        _ => {}
    }
}

fn fault(ui: &mut Ui, code: &str, page: &mut PageContext<'_>) {
    let Some(fault) = known_faults().find(|fault| fault.code == code) else {
        return;
    };
    let theme = page.theme;
    let severity = RichText::new(fault.severity.key()).font(font::strong(CAPTION));
    ui.label(severity.color(diagnostic::color(theme, fault.severity)));
    for (label, words) in
        [("what is wrong", &fault.title), ("effect", &fault.effect), ("remedy", &fault.help)]
    {
        ui.add_space(4.0);
        ui.label(theme.caption(label));
        note(ui, theme, words, SMALL, Emphasis::Plain);
    }
    ui.add_space(6.0);
    if let Some(slug) = fault.lesson {
        diagnostic::lesson_link(ui, slug, page);
    }
    if let Some((words, address)) = examination(page.set) {
        diagnostic::page_link(ui, &words, address, page);
    }
}

fn known_fault(ui: &mut Ui, id: &str, page: &mut PageContext<'_>) {
    let Some(fault) = FaultName::from_id(id) else {
        return;
    };
    for (label, words) in
        [("what it looks like", fault.looks), ("what tells it", fault.tell), ("seen", fault.seen)]
    {
        ui.add_space(4.0);
        ui.label(page.theme.caption(label));
        note(ui, page.theme, words, SMALL, Emphasis::Plain);
    }
    ui.add_space(6.0);
    if let Some((words, address)) = switch_of(fault, page.set) {
        diagnostic::page_link(ui, &words, address, page);
    }
}

/// The first step on which the fault can be switched on; else the first with switches of
/// others.
fn switch_of(fault: FaultName, set: &LessonSet) -> Option<(String, PageAddress)> {
    let has_it = |cell: &FaultsCell| offered_by_id(cell, fault.id).is_some();
    step_with_switches(set, has_it, "has its switch")
        .or_else(|| step_with_switches(set, |_| true, "has switches of others"))
}

fn step_with_switches(
    set: &LessonSet,
    is_meant: impl Fn(&FaultsCell) -> bool,
    says: &str,
) -> Option<(String, PageAddress)> {
    let has_switches = |step: &&LessonStep| {
        let mut cells = step.cells();
        cells.any(|cell| match &cell.kind {
            CellKind::Faults(cell) => !cell.diagnose && is_meant(cell),
            _ => false,
        })
    };
    set.lessons.iter().find_map(|lesson| {
        let step = lesson.steps.iter().find(has_switches)?;
        let words = format!("Lesson {}, “{}”, {says}", lesson.number, step.title);
        Some((words, PageAddress::step(&lesson.slug, &step.slug)))
    })
}

/// The step with the doctor, which looks at the reader's own file.
fn examination(set: &LessonSet) -> Option<(String, PageAddress)> {
    let examines = |step: &&LessonStep| {
        let mut cells = step.cells();
        cells.any(|cell| matches!(cell.kind, CellKind::Doctor(_)))
    };
    // Lessons about the reader's own model stand at the end.
    let mut lessons = set.lessons.iter().rev();
    lessons.find_map(|lesson| {
        let step = lesson.steps.iter().find(examines)?;
        let words = format!("Lesson {}, “{}”, examines your own file", lesson.number, step.title);
        Some((words, PageAddress::step(&lesson.slug, &step.slug)))
    })
}

#[cfg(test)]
mod tests {
    use bindpose_lesson::known_faults;

    use super::*;

    #[test]
    fn every_known_fault_leads_to_a_step_with_its_switch_or_with_others() {
        let set = LessonSet::embedded();
        let mut own = 0;
        for fault in known_faults() {
            let (words, _) = switch_of(fault, &set).expect(fault.id);
            own += usize::from(words.ends_with("has its switch"));
        }
        assert!(own > 10, "{own}");
    }
}
