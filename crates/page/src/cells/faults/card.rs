//! What is known of a fault, in lines.

use bindpose_lesson::KnownFault;
use eframe::egui::Ui;

use crate::theme::{SMALL, Theme};
use crate::widgets::{Emphasis, note};

/// In the picture, and which number tells.
pub(super) fn signs(ui: &mut Ui, theme: &Theme, fault: &KnownFault) {
    note(ui, theme, fault.looks, SMALL, Emphasis::Plain);
    labelled(ui, theme, "What tells it", fault.tell);
}

/// Where it was seen, and what is behind it.
pub(super) fn provenance(ui: &mut Ui, theme: &Theme, fault: &KnownFault) {
    labelled(ui, theme, "Seen", fault.seen);
    if !fault.belief.is_empty() {
        labelled(ui, theme, "Believed", fault.belief);
    }
}

fn labelled(ui: &mut Ui, theme: &Theme, label: &str, words: &str) {
    ui.vertical(|ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        ui.label(theme.caption(label));
        note(ui, theme, words, SMALL, Emphasis::Plain);
    });
}
