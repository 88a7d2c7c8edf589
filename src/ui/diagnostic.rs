//! What is wrong, on the page: in a lesson's prose, in the window about a file
//! that did not open. The doctor's cards, whose places can be clicked, are the
//! cell's own.

use eframe::egui::{
    self, Color32, CornerRadius, FontId, Grid, Label, Margin, RichText, Role, Stroke, Ui,
    WidgetInfo,
};

use super::prose::{Face, inline_text_ui};
use super::theme::{CAPTION, INTERFACE, SMALL, Theme, family};
use super::widgets::{Voice, note};
use crate::diagnostic::{Diagnostic, Severity};

/// The colour of its word, its icon, its edge.
#[must_use]
pub fn color(theme: &Theme, severity: Severity) -> Color32 {
    match severity {
        Severity::Error => theme.wrong,
        Severity::Warning => theme.caution,
        Severity::Note => theme.quiet,
    }
}

/// A card in the place of what could not be read: where, what, and what to
/// write.
pub fn card_in_prose(ui: &mut Ui, wrong: &Diagnostic, theme: &Theme) {
    let color = color(theme, wrong.severity);
    let (place, sentence) = (wrong.at.to_string(), wrong.sentence());
    let width = ui.available_width();
    let response = egui::Frame::new()
        .fill(theme.wrong_wash)
        .stroke(Stroke::new(1.0, color))
        .corner_radius(CornerRadius::same(8))
        .inner_margin(Margin::symmetric(14, 10))
        .show(ui, |ui| {
            ui.set_width((width - 30.0).max(0.0));
            ui.spacing_mut().item_spacing.y = 4.0;
            let line = |strong| Face {
                size: INTERFACE,
                line: 21.0,
                color: theme.ink,
                strong,
            };
            let place = RichText::new(&place).font(FontId::monospace(CAPTION));
            ui.label(place.color(color));
            inline_text_ui(ui, &sentence, line(true), theme);
            if !wrong.help.is_empty() {
                inline_text_ui(ui, &wrong.help, line(false), theme);
            }
        })
        .response;
    response.widget_info(|| {
        let text = format!("{place}: {sentence}. {}", wrong.help);
        WidgetInfo::labeled(Role::Alert, true, text)
    });
}

/// Where, what should stand there, and what does, below each other.
pub fn parts(ui: &mut Ui, wrong: &Diagnostic, theme: &Theme) {
    Grid::new("place")
        .num_columns(2)
        .spacing([16.0, 6.0])
        .show(ui, |ui| {
            for (label, text, mono) in [
                ("where", &wrong.at.to_string(), true),
                ("expected", &wrong.expected, false),
                ("found", &wrong.found, false),
            ] {
                ui.label(theme.label(label));
                let text = RichText::new(text).size(SMALL);
                let text = if mono { text.monospace() } else { text };
                ui.add(Label::new(text).wrap());
                ui.end_row();
            }
        });
}

/// One of many: how bad, where, and in words.
pub fn in_list(ui: &mut Ui, wrong: &Diagnostic, theme: &Theme) {
    ui.horizontal_wrapped(|ui| {
        let severity = RichText::new(wrong.severity.key()).family(family::strong());
        ui.label(severity.size(CAPTION).color(color(theme, wrong.severity)));
        let at = RichText::new(wrong.at.to_string()).monospace();
        ui.label(at.size(CAPTION).color(theme.quiet));
    });
    let Diagnostic {
        expected,
        found,
        help,
        ..
    } = wrong;
    let words = format!("Expected {expected}, found {found}. {help}");
    note(ui, theme, &words, SMALL, Voice::Plain);
}
