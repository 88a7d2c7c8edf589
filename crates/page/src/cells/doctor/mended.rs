//! A copy that the doctor has mended: tried on the page, with the other of the two faint
//! behind it, and kept as a file.

use std::sync::Arc;

use bindpose_asset::ModelSource;
use bindpose_notebook::{Navigation, OWN_RIG};
use eframe::egui::{Response, Ui};

use crate::mended_copy::CopyState;
use crate::theme::{CARD, SMALL};
use crate::view::SaveRequest;
use crate::widgets::{Emphasis, Tip as _, Tone, card, note, small_button};
use crate::work::under_way_at;
use crate::{PageContext, touch};

/// What the reader has asked of the copy.
#[derive(Default)]
pub(super) struct AskedMending {
    /// To put it on the page as soon as it is there.
    tries: bool,
    /// To save it as soon as it is there.
    keeps: bool,
    /// One of the two: then it is said how that went.
    told: bool,
}

/// One button to try a copy and one to keep it, while none is on the page.
pub(super) fn buttons(ui: &mut Ui, page: &mut PageContext<'_>, asked: &mut AskedMending) {
    let rig = &page.derived.stored_rig;
    if page.view.mended.stored_of(rig).is_some() {
        return;
    }
    // Other lessons stand on a model that they have chosen.
    if page.lesson.rig == OWN_RIG {
        let tip =
            "Put a mended copy on the page, with the file faint behind it. Undo takes it back";
        let tries = ui.add(small_button("Try the mended copy")).tip(tip);
        if touch::is_pointed_at(&tries) || tries.has_focus() || tries.clicked() {
            page.view.mended.begin(ui.ctx(), rig);
            page.view.mended.show_ghost(ui.ctx());
        }
        asked.tries |= tries.clicked();
    }
    if keep_button(ui).clicked() {
        page.view.mended.begin(ui.ctx(), rig);
        asked.keeps = true;
    }
    asked.told |= asked.tries || asked.keeps;
}

fn keep_button(ui: &mut Ui) -> Response {
    let tip = "Write the mended copy as a new file; this one stays as it is";
    ui.add(small_button("Keep the mended copy…")).tip(tip)
}

/// How far the copy is and what was mended in it; while it is on the page, the way back.
pub(super) fn ui(ui: &mut Ui, page: &mut PageContext<'_>, asked: &mut AskedMending) {
    let (ctx, theme) = (ui.ctx().clone(), page.theme);
    let (rig, waits) = (&page.derived.stored_rig, page.view.pictures.waits);
    let stored = page.view.mended.stored_of(rig).cloned();
    if stored.is_some() {
        page.view.mended.show_ghost(&ctx);
    }
    let told = asked.told || stored.is_some();
    let (file, copy) = match page.view.mended.state(&ctx, rig, waits) {
        Some(CopyState::Ready(file, copy)) => (file, copy),
        Some(CopyState::UnderWay(fraction)) if told => {
            return under_way_at(ui, theme, "Mending a copy", fraction);
        }
        Some(CopyState::Failed(why)) if told => {
            card(ui, theme, Tone::Wrong, |ui| {
                note(ui, theme, "No copy was made.", CARD, Emphasis::Strong);
                note(ui, theme, &why, SMALL, Emphasis::Plain);
            });
            return;
        }
        _ => return,
    };
    if std::mem::take(&mut asked.tries) {
        page.navigation.push(Navigation::OpenRead(Arc::clone(copy)));
    }
    let mut keeps = std::mem::take(&mut asked.keeps);
    if told {
        card(ui, theme, Tone::Right, |ui| {
            ui.spacing_mut().item_spacing.y = 4.0;
            let heading = match &stored {
                Some(_) => "This is the mended copy. The pale shape is the file as stored.",
                None => "What is mended in the copy:",
            };
            note(ui, theme, heading, CARD, Emphasis::Strong);
            for line in &file.lines {
                note(ui, theme, line, SMALL, Emphasis::Plain);
            }
            if let Some(stored) = stored {
                ui.horizontal_wrapped(|ui| {
                    if ui.add(small_button("Back to the file")).clicked() {
                        page.navigation.push(Navigation::OpenRead(stored));
                    }
                    keeps |= keep_button(ui).clicked();
                });
            }
        });
    }
    if keeps {
        let ModelSource { name, main, .. } = &file.source;
        page.view.files.saves.push(SaveRequest { name: name.clone(), bytes: main.to_vec() });
    }
}
