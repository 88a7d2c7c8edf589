//! What is wrong with the file behind the rig: where, what it does to the
//! picture, how to mend it, and which lesson explains it.

mod finding;
mod place;
mod report_cache;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use eframe::egui::{Button, RichText, Ui, vec2};

use bindpose_asset::RigOrigin;
use bindpose_asset::doctor::DoctorReport;
use bindpose_diagnostic::{Severity, counted};
use bindpose_lesson::DoctorCell;

use crate::PageContext;
use crate::theme::{CAPTION, CARD, INTERFACE, SMALL, font};
use crate::widgets::Tip as _;
use crate::widgets::{Emphasis, Tone, card, note, small_button};
use crate::work::{PageWork, under_way};

use report_cache::ReportCache;

/// Findings shown at once where the lesson does not say.
const ROWS: usize = 10;

/// What was found, and what of it the reader wants to see.
#[derive(Default)]
struct DoctorCellState {
    cache: ReportCache,
    /// Errors, warnings, notes.
    hidden: [bool; 3],
    /// Also those past the first few.
    all: bool,
}

/// Draws the cell.
pub(super) fn ui(ui: &mut Ui, cell: &DoctorCell, id: &str, page: &mut PageContext<'_>) {
    let rig = Arc::clone(&page.derived.rig);
    let Some(origin) = &rig.origin else {
        let words = format!("{} was made in memory: there is no file to examine.", rig.title);
        ui.label(RichText::new(words).color(page.theme.quiet));
        return;
    };
    let rows = cell.rows.unwrap_or(ROWS);
    page.with_state(id, |memory: &mut DoctorCellState, page| {
        ui.label(
            RichText::new(&origin.source.name).font(font::mono_strong(SMALL)).color(page.theme.ink),
        );
        let report = match memory.cache.report(origin, ui.ctx(), page.view.pictures.waits) {
            PageWork::Done(report) => Arc::clone(report),
            PageWork::UnderWay(task) => {
                return under_way(ui, page.theme, "Examining the file", task);
            }
            PageWork::Broken => return broken(ui, page),
        };
        if report.findings.is_empty() {
            healthy(ui, page, "Nothing was found: the file is sound.");
        } else {
            tools(ui, page, origin, &report, memory);
            if report.is_sound() {
                healthy(ui, page, "The file is sound. What is good to know:");
            }
            list(ui, page, origin, &report, memory, rows);
        }
    });
}

fn broken(ui: &mut Ui, page: &PageContext<'_>) {
    card(ui, page.theme, Tone::Wrong, |ui| {
        let words = "The examination broke off by a fault of this program. Please report it, \
                     with the file if you can.";
        note(ui, page.theme, words, INTERFACE, Emphasis::Strong);
    });
}

fn healthy(ui: &mut Ui, page: &PageContext<'_>, words: &str) {
    card(ui, page.theme, Tone::Right, |ui| {
        note(ui, page.theme, words, INTERFACE, Emphasis::Strong);
    });
}

/// Which severities are shown, and what can be done with the whole list.
fn tools(
    ui: &mut Ui,
    page: &mut PageContext<'_>,
    origin: &Arc<RigOrigin>,
    report: &DoctorReport,
    memory: &mut DoctorCellState,
) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(6.0, 6.0);
        let counts = [report.errors, report.warnings, report.notes];
        for ((severity, count), hidden) in
            Severity::ALL.into_iter().zip(counts).zip(&mut memory.hidden)
        {
            if count == 0 {
                continue;
            }
            let words = counted(count, severity.key());
            let button = Button::selectable(!*hidden, RichText::new(words).size(CAPTION));
            let tip = format!("Show or hide the {}s", severity.key());
            let button = button.frame_when_inactive(true);
            if ui.add(button).tip(tip).clicked() {
                *hidden = !*hidden;
            }
        }
        let copy = small_button("Copy as JSON");
        let tip = "All findings, as `bindpose doctor --format json` writes them";
        if ui.add(copy).tip(tip).clicked() {
            ui.ctx().copy_text(report.to_json(&origin.source.name));
        }
        if report.is_mendable() {
            let mend = small_button("Mend…");
            let tip = "Write a mended copy as a new file; this one stays as it is";
            let mends = matches!(
                memory.cache.mending(page.view.pictures.waits),
                Some(PageWork::UnderWay(_))
            );
            if ui.add_enabled(!mends, mend).tip(tip).clicked() {
                memory.cache.mend(ui.ctx());
            }
        }
    });
    let mending = match memory.cache.mending(page.view.pictures.waits) {
        None => return,
        Some(PageWork::Done(mending)) => mending,
        Some(PageWork::UnderWay(task)) => return under_way(ui, page.theme, "Mending a copy", task),
        Some(PageWork::Broken) => return broken(ui, page),
    };
    page.view.files.saves.extend(mending.copy.take());
    let tone = if mending.failed { Tone::Wrong } else { Tone::Right };
    card(ui, page.theme, tone, |ui| {
        ui.spacing_mut().item_spacing.y = 4.0;
        note(ui, page.theme, &mending.heading, CARD, Emphasis::Strong);
        for line in &mending.lines {
            note(ui, page.theme, line, SMALL, Emphasis::Plain);
        }
    });
}

fn list(
    ui: &mut Ui,
    page: &mut PageContext<'_>,
    origin: &RigOrigin,
    report: &DoctorReport,
    memory: &mut DoctorCellState,
    rows: usize,
) {
    let shown = |severity: Severity| {
        let place = Severity::ALL.iter().position(|&other| other == severity);
        place.is_none_or(|place| !memory.hidden[place])
    };
    let wanted: Vec<_> = report.findings.iter().filter(|finding| shown(finding.severity)).collect();
    if wanted.is_empty() {
        let words = RichText::new("All findings are hidden by the buttons above.");
        ui.label(words.color(page.theme.quiet));
    }
    let most = if memory.all { usize::MAX } else { rows };
    for (place, finding) in wanted.iter().take(most).enumerate() {
        ui.push_id(place, |ui| finding::ui(ui, finding, origin, page));
    }
    if wanted.len() > rows {
        let words = if memory.all {
            format!("Show the first {rows}")
        } else {
            format!("Show all {}", wanted.len())
        };
        if ui.button(words).clicked() {
            memory.all = !memory.all;
        }
    }
}
