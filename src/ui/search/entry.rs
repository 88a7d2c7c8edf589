//! A word of the glossary, or a fault of the doctor's, read where it was found.

use eframe::egui::{RichText, Ui};

use super::goal::Goal;
use crate::asset::doctor::known_faults;
use crate::lesson::{CellKind, LessonSet, Step};
use crate::notebook::PageAddress;
use crate::ui::prose::blocks_ui;
use crate::ui::theme::{CAPTION, SMALL, font};
use crate::ui::widgets::{Emphasis, note};
use crate::ui::{PageContext, diagnostic};

/// Shows it; nothing for what is gone to, or done, instead of read.
pub(super) fn ui(ui: &mut Ui, goal: &Goal, page: &mut PageContext<'_>) {
    match goal {
        Goal::Term(slug) => {
            if let Some(term) = page.set.term(slug) {
                blocks_ui(ui, &term.blocks, page, &mut |_, _, _| {});
            }
        }
        Goal::Fault(code) => fault(ui, code, page),
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
    for (label, words) in [
        ("what is wrong", &fault.title),
        ("effect", &fault.effect),
        ("remedy", &fault.help),
    ] {
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

/// The step with the doctor, which looks at the reader's own file.
fn examination(set: &LessonSet) -> Option<(String, PageAddress)> {
    let examines = |step: &&Step| {
        let mut cells = step.cells();
        cells.any(|cell| matches!(cell.kind, CellKind::Doctor(_)))
    };
    // Lessons about the reader's own model stand at the end.
    let mut lessons = set.lessons.iter().rev();
    lessons.find_map(|lesson| {
        let step = lesson.steps.iter().find(examines)?;
        let words = format!(
            "Lesson {}, “{}”, examines your own file",
            lesson.number, step.title
        );
        Some((words, PageAddress::step(&lesson.slug, &step.slug)))
    })
}
