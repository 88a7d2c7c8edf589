//! The buttons of a bar, and the title of the lesson.

use bindpose_notebook::Notebook;
use eframe::egui::{self, Align, Layout, Rect, Stroke, Ui, UiBuilder, WidgetInfo, vec2};

use crate::command::Command;
use crate::icons;
use crate::theme::{INTERFACE, SMALL, Theme, font};
use crate::widgets::{Tip as _, icon_line};

fn title_words(notebook: &Notebook) -> String {
    let lesson = notebook.lesson();
    format!("{} · {}", lesson.number, lesson.title)
}

/// Room for all of the title.
pub(super) fn title_width(ui: &Ui, notebook: &Notebook) -> f32 {
    let font = egui::FontId::proportional(SMALL);
    let words = title_words(notebook);
    let galley = ui.painter().layout_no_wrap(words, font, egui::Color32::PLACEHOLDER);
    galley.size().x
}

/// Number and title of the lesson; what has no room is cut off.
pub(super) fn title(ui: &mut Ui, theme: &Theme, notebook: &Notebook, place: Rect) {
    let title = title_words(notebook);
    let line = Layout::left_to_right(Align::Center);
    let mut child = ui.new_child(UiBuilder::new().max_rect(place).layout(line));
    child.add(egui::Label::new(theme.label(title)).truncate());
}

/// What undo or redo would change now, in words.
pub(super) fn done(command: Command, notebook: &Notebook) -> Option<&str> {
    match command {
        Command::Undo => notebook.history().to_undo(),
        Command::Redo => notebook.history().to_redo(),
        _ => None,
    }
}

/// Is there anything for it to do?
pub(super) fn is_enabled(command: Command, notebook: &Notebook) -> bool {
    match command {
        Command::Undo | Command::Redo => done(command, notebook).is_some(),
        Command::Back => notebook.can_turn(false),
        Command::Next => notebook.can_turn(true),
        _ => true,
    }
}

/// The commands of a bar as buttons: what they read, and where they say what was asked
/// for.
pub struct CommandButtons<'a> {
    /// Says what can be done now.
    pub notebook: &'a Notebook,
    /// Its colours.
    pub theme: &'a Theme,
    /// Gets what the reader asks for.
    pub commands: &'a mut Vec<Command>,
}

impl CommandButtons<'_> {
    /// A button with an icon, and its word where there is room.
    pub(crate) fn button(&mut self, ui: &mut Ui, command: Command, icon: &str, word: bool) {
        let enabled = is_enabled(command, self.notebook);
        let ink = self.theme.ink;
        let color = if enabled { ink } else { self.theme.quiet.gamma_multiply(0.6) };
        let text = word.then(|| (command.text(), 6.0, egui::FontId::proportional(SMALL)));
        let parts = [(icon, 0.0, font::icon(17.0))].into_iter().chain(text);
        let job = icon_line(parts, color);
        let button = egui::Button::new(job).min_size(vec2(32.0, 30.0)).frame_when_inactive(false);
        let response = ui.add_enabled(enabled, button);
        response.widget_info(|| WidgetInfo::labeled(egui::Role::Button, enabled, command.text()));
        let hint = command.hint(ui.ctx(), done(command, self.notebook));
        if response.tip(hint).clicked() {
            self.commands.push(command);
        }
    }

    /// The one that leads on.
    pub(crate) fn next_button(&mut self, ui: &mut Ui, word: bool) {
        let enabled = is_enabled(Command::Next, self.notebook);
        let text = word.then(|| ("Next", 0.0, font::strong(SMALL)));
        let lead = if word { 4.0 } else { 0.0 };
        let icon = (icons::CARET_RIGHT, lead, font::icon(INTERFACE));
        let job = icon_line(text.into_iter().chain([icon]), self.theme.on_accent);
        let button = egui::Button::new(job)
            .fill(self.theme.accent)
            .stroke(Stroke::new(1.0, self.theme.accent))
            .min_size(vec2(36.0, 30.0));
        let response = ui.add_enabled(enabled, button);
        response.widget_info(|| WidgetInfo::labeled(egui::Role::Button, enabled, "Next"));
        let hint = Command::Next.hint(ui.ctx(), None);
        if response.tip(hint).clicked() {
            self.commands.push(Command::Next);
        }
    }
}
