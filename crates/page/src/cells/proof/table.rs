//! The rows, by transport; below them what they add up to.

use bindpose_lesson::Transport;
use eframe::egui::{RichText, Role, Sense, Ui, WidgetInfo, vec2};

use super::results::ProofResults;
use super::row::{self, ProofColumns, ProofRow};
use super::subjects::{ProofSubject, Subjects};
use crate::PageContext;
use crate::theme::{CAPTION, SMALL, font};
use crate::widgets::verdict;

pub(super) fn ui(
    ui: &mut Ui,
    subjects: &Subjects,
    results: &ProofResults,
    page: &mut PageContext<'_>,
) {
    ui.add_space(4.0);
    ui.spacing_mut().item_spacing.y = 0.0;
    let columns = ProofColumns::fitting(ui.available_width());
    columns.titles(ui, page.theme);
    if let Some(drawn) = &subjects.drawn {
        title(ui, "as drawn now", page);
        let method = match (drawn.skinning.shader.is_some(), page.document.state.faults.is_empty())
        {
            (true, false) => "your shader, faults",
            (true, true) => "your shader",
            _ => "with faults",
        };
        let row = ProofRow {
            way: "as drawn now",
            method,
            found: results.found(ProofSubject::Drawn),
            instead: subjects.unproven,
            marked: true,
        };
        row.ui(ui, &columns, page);
    }
    for group in &subjects.groups {
        title(ui, group.transport.label(), page);
        if let Some(why) = &group.closed {
            closed(ui, group.transport, why, page);
            continue;
        }
        for (subject, method) in group.subjects().zip(&group.methods) {
            let row = ProofRow {
                way: group.transport.label(),
                method: method.label(),
                found: results.found(subject),
                instead: None,
                marked: subjects.marked == Some(subject),
            };
            row.ui(ui, &columns, page);
        }
    }
    ui.add_space(8.0);
    summary(ui, subjects, results, page);
}

/// The name of a transport, over its methods.
fn title(ui: &mut Ui, words: &str, page: &PageContext<'_>) {
    ui.add_space(8.0);
    let font = font::strong(SMALL);
    ui.label(RichText::new(words).font(font).color(page.theme.ink));
    ui.add_space(2.0);
}

/// One row for all methods of a transport that does not fit.
fn closed(ui: &mut Ui, transport: Transport, why: &str, page: &PageContext<'_>) {
    let words = format!("Does not fit here: {why}.");
    let label = format!("{}: does not fit here: {why}", transport.label());
    let text = RichText::new(words).size(CAPTION).color(page.theme.caution);
    let response = ui.label(text);
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &label));
    ui.add_space(2.0);
}

/// What all rows add up to, and what the mark means.
fn summary(ui: &mut Ui, subjects: &Subjects, results: &ProofResults, page: &PageContext<'_>) {
    let rows: Vec<ProofSubject> = subjects.computable().collect();
    let fresh: Vec<_> = rows.iter().filter_map(|&row| results.fresh(row)).collect();
    let failed = fresh.iter().filter(|found| !found.passes()).count();
    let (done, all) = (fresh.len(), rows.len());
    if done < all {
        let words = format!("{done} of {all} compared");
        ui.label(page.theme.label(words));
    } else if failed > 0 {
        let words = format!("{failed} of {all} failed");
        verdict(ui, page.theme, &words, SMALL, false);
    } else if all > 0 {
        let words = format!("all {all} passed");
        verdict(ui, page.theme, &words, SMALL, true);
    }
    if subjects.marked.is_some() {
        ui.add_space(4.0);
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            let (rect, _) = ui.allocate_exact_size(vec2(14.0, 14.0), Sense::hover());
            row::paint_mark(ui, rect, page.theme);
            let words = "the picture is drawn like this";
            ui.label(page.theme.caption(words));
        });
    }
}
