//! The reader's own note on a step: a field for plain text, out of the way where
//! nothing is written.

use bindpose_notebook::MOST_NOTE_CHARS;
use eframe::egui::{FontId, Id, TextEdit, Ui};

use super::PageContext;
use super::command::Command;
use super::icons;
use super::theme::INTERFACE;
use super::widgets::{Tone, card, icon_button, keep_undo};

/// Lines that the field has at least.
const LINES: usize = 3;
const HINT: &str = if cfg!(target_arch = "wasm32") {
    "Kept in this browser as you type. The search finds it, and your record has it."
} else {
    "Kept on this machine as you type. The search finds it, and your record has it."
};

/// Shows the field, if it is open.
pub fn ui(ui: &mut Ui, note: &str, page: &mut PageContext<'_>, commands: &mut Vec<Command>) {
    if !page.view.note.is_shown(note, page.view.presenting) {
        return;
    }
    let theme = page.theme;
    card(ui, theme, Tone::Task, |ui| {
        ui.spacing_mut().item_spacing.y = 4.0;
        ui.horizontal(|ui| {
            ui.label(theme.caption("Your note"));
            if icon_button(ui, icons::X, "fold your note away", true) {
                commands.push(Command::OwnNote);
            }
        });
        let mut text = note.to_owned();
        // Its undo is of this step alone.
        let id = Id::unique("own note").with((&page.document.lesson, page.document.step));
        let edit = TextEdit::multiline(&mut text)
            .id(id)
            .hint_text(HINT)
            .font(FontId::proportional(INTERFACE))
            .desired_rows(LINES)
            .desired_width(f32::INFINITY)
            .char_limit(MOST_NOTE_CHARS);
        let response = ui.add(edit).accessible_name("your note on this step");
        if response.has_focus() {
            keep_undo(ui, id);
        }
        if std::mem::take(&mut page.view.note.takes_focus) {
            response.request_focus();
            response.scroll_to_me(None);
        }
        if response.changed() {
            page.view.note.written = Some(text);
        }
    });
    ui.add_space(12.0);
}
