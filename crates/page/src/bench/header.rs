//! The title of the bench, the states that are kept, and the way out.

use bindpose_notebook::{Edit, PageSnapshot};
use eframe::egui::{Align, Layout, RichText, Ui, vec2};

use super::on_page;
use crate::command::Command;
use crate::theme::{INTERFACE, font};
use crate::widgets::{Tip as _, icon_button, option_button, small_button};
use crate::{PageContext, icons};

/// Shows it in one line, or in more where there is no room.
pub(super) fn ui(ui: &mut Ui, page: &mut PageContext<'_>) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(6.0, 4.0);
        let title = RichText::new("Bench").font(font::strong(INTERFACE));
        ui.label(title.color(page.theme.ink));
        ui.add_space(8.0);
        states(ui, page);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if icon_button(ui, icons::X, "close the bench", true) {
                page.view.bench.open = false;
            }
        });
    });
}

/// The states that are kept, and what is done with them.
pub(super) fn states(ui: &mut Ui, page: &mut PageContext<'_>) {
    for (which, command) in [(PageSnapshot::A, Command::KeepA), (PageSnapshot::B, Command::KeepB)] {
        snapshot(ui, which, command, page);
    }
    flip(ui, page);
    pictures(ui, page);
}

/// Keeps the page, and goes to what was kept.
fn snapshot(ui: &mut Ui, which: PageSnapshot, command: Command, page: &mut PageContext<'_>) {
    let rig = &page.derived.stored_rig;
    let kept = &page.view.bench.snapshots;
    let letter = if which == PageSnapshot::A { "A" } else { "B" };
    if let Some(snapshot) = kept.get(which, &page.document.lesson, rig) {
        let here = snapshot.document.step == page.document.step;
        let at = kept.is_at(which, page.document, rig);
        let words =
            if here { letter.to_owned() } else { format!("{letter} of step {}", snapshot.step) };
        let help = if here {
            format!("Go to snapshot {letter}")
        } else {
            format!("Kept at step {}: its matrices can be compared here", snapshot.step)
        };
        let button = ui.add_enabled(here, option_button(at, words));
        let name = format!("go to snapshot {letter}");
        let button = button.tip(&help).tip_disabled(&help);
        if button.accessible_name(name).clicked() {
            go(which, page);
        }
    }
    let button = ui.add(small_button(command.text()));
    if button.tip(command.hint(ui.ctx(), None)).clicked() {
        let bench = &mut page.view.bench;
        bench.snapshots.keep(which, page.document, &page.derived.stored_rig);
    }
}

fn flip(ui: &mut Ui, page: &mut PageContext<'_>) {
    let rig = &page.derived.stored_rig;
    let kept = &page.view.bench.snapshots;
    let leads_on = [PageSnapshot::A, PageSnapshot::B].into_iter().any(|which| {
        let of_lesson = kept.get(which, &page.document.lesson, rig);
        let of_step = of_lesson.is_some_and(|one| one.document.step == page.document.step);
        of_step && !kept.is_at(which, page.document, rig)
    });
    let leads_on = leads_on || kept.can_go_back(page.document);
    let button = ui.add_enabled(leads_on, small_button(Command::Flip.text()));
    let hint = Command::Flip.hint(ui.ctx(), None);
    let button = button.tip(&hint).tip_disabled(&hint);
    if button.clicked() {
        let snapshots = &mut page.view.bench.snapshots;
        if let Some((which, there)) = snapshots.flip(page.document, &page.derived.stored_rig) {
            page.edits.push(Edit::Recall(which, Box::new(there)));
        }
    }
    if page.view.bench.snapshots.can_go_back(page.document) {
        let help = "The page as it was before you went to a snapshot";
        let button = ui.add(small_button("back to how it was"));
        if button.tip(help).clicked() {
            go(PageSnapshot::Before, page);
        }
    }
}

/// The switch for the pictures of A, B and A − B, once both are there.
fn pictures(ui: &mut Ui, page: &mut PageContext<'_>) {
    if !on_page::are_possible(page) {
        return;
    }
    let help = "A, B, and how far each vertex of B is from where A has it";
    let button = ui.add(option_button(page.view.bench.pictures, "pictures of A, B, A − B"));
    if button.tip(help).clicked() {
        page.view.bench.pictures = !page.view.bench.pictures;
    }
}

fn go(which: PageSnapshot, page: &mut PageContext<'_>) {
    let snapshots = &mut page.view.bench.snapshots;
    if let Some(there) = snapshots.go(which, page.document, &page.derived.stored_rig) {
        page.edits.push(Edit::Recall(which, Box::new(there)));
    }
}
