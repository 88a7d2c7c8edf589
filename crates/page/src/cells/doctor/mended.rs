//! The mended copy of a file. The reader can try it on the page, with the original as a ghost
//! behind it, and save it as a new file.

use std::sync::Arc;

use bindpose_gltf::ModelSource;
use bindpose_kit::theme::{CARD_SIZE, SMALL_SIZE};
use bindpose_kit::touch;
use bindpose_kit::widgets::{Emphasis, Tip as _, Tone, card, paragraph_ui, small_button};
use bindpose_notebook::{Navigation, OWN_RIG};
use eframe::egui::{Response, Ui};

use crate::PageContext;
use crate::mended_copy::CopyState;
use crate::view::SaveRequest;
use crate::work::progress_ui;

/// Requests of the reader, carried out as soon as the copy is ready.
#[derive(Default)]
pub(super) struct MendingRequests {
    /// Put the copy on the page.
    opens: bool,
    /// Save the copy as a file.
    saves: bool,
    /// Report progress and result, because the reader has made one of the requests.
    reports: bool,
}

/// Draws the buttons that try and keep a copy. Draws nothing while a copy is on the page.
pub(super) fn draw_mending_buttons(
    ui: &mut Ui,
    page: &mut PageContext<'_>,
    requests: &mut MendingRequests,
) {
    let rig = &page.derived.stored_rig;
    if page.view.mended_copy.stored_rig_of_copy(rig).is_some() {
        return;
    }
    // Other lessons need the model that they have chosen.
    if page.lesson.rig == OWN_RIG {
        let tip =
            "Put a mended copy on the page, with the file faint behind it. Undo takes it back";
        let response = ui.add(small_button("Try the mended copy")).tip(tip);
        if touch::is_pointed_at(&response) || response.has_focus() || response.clicked() {
            page.view.mended_copy.begin(ui.ctx(), rig);
            page.view.mended_copy.show_ghost(ui.ctx());
        }
        requests.opens |= response.clicked();
    }
    if draw_save_button(ui).clicked() {
        page.view.mended_copy.begin(ui.ctx(), rig);
        requests.saves = true;
    }
    requests.reports |= requests.opens || requests.saves;
}

fn draw_save_button(ui: &mut Ui) -> Response {
    let tip = "Write the mended copy as a new file; this one stays as it is";
    ui.add(small_button("Keep the mended copy…")).tip(tip)
}

/// Draws the progress of the copy, or what was mended in it. While the copy is on the page, there
/// are buttons that return to the file and save the copy.
pub(super) fn ui(ui: &mut Ui, page: &mut PageContext<'_>, requests: &mut MendingRequests) {
    let ctx = ui.ctx().clone();
    let theme = page.theme;
    let rig = &page.derived.stored_rig;
    let waits = page.view.pictures.waits_for_work;
    // The original, if the copy is on the page.
    let stored = page.view.mended_copy.stored_rig_of_copy(rig).cloned();
    if stored.is_some() {
        page.view.mended_copy.show_ghost(&ctx);
    }
    let reports = requests.reports || stored.is_some();
    let (file, copy) = match page.view.mended_copy.state(&ctx, rig, waits) {
        Some(CopyState::Ready(file, copy)) => (file, copy),
        Some(CopyState::UnderWay(fraction)) if reports => {
            return progress_ui(ui, theme, "Mending a copy", fraction);
        }
        Some(CopyState::Failed(reason)) if reports => {
            card(ui, theme, Tone::Wrong, |ui| {
                paragraph_ui(ui, theme, "No copy was made.", CARD_SIZE, Emphasis::Strong);
                paragraph_ui(ui, theme, &reason, SMALL_SIZE, Emphasis::Plain);
            });
            return;
        }
        _ => return,
    };
    if std::mem::take(&mut requests.opens) {
        page.requests.navigation.push(Navigation::OpenRead(Arc::clone(copy)));
    }
    let mut saves = std::mem::take(&mut requests.saves);
    if reports {
        card(ui, theme, Tone::Right, |ui| {
            ui.spacing_mut().item_spacing.y = 4.0;
            let heading = match &stored {
                Some(_) => "This is the mended copy. The pale shape is the file as stored.",
                None => "What is mended in the copy:",
            };
            paragraph_ui(ui, theme, heading, CARD_SIZE, Emphasis::Strong);
            for line in &file.lines {
                paragraph_ui(ui, theme, line, SMALL_SIZE, Emphasis::Plain);
            }
            if let Some(stored) = stored {
                ui.horizontal_wrapped(|ui| {
                    if ui.add(small_button("Back to the file")).clicked() {
                        page.requests.navigation.push(Navigation::OpenRead(stored));
                    }
                    saves |= draw_save_button(ui).clicked();
                });
            }
        });
    }
    if saves {
        let ModelSource { name, main, .. } = &file.source;
        page.view.files.saves.push(SaveRequest { name: name.clone(), bytes: main.to_vec() });
    }
}
