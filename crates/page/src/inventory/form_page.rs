//! What the pages of a form have in common.

use bindpose_lesson::short_text;
use bindpose_notebook::Navigation;
use bindpose_notebook::inventory::{FormAct, FormRecord, Forms, OpenForm};
use eframe::egui::{Button, Response, RichText, Ui};

use crate::PageContext;
use crate::prose::{Face, inlines_ui};
use crate::theme::{CAPTION, Theme};
use crate::widgets::Emphasis;

/// A form that is open, and what was answered in both.
#[derive(Clone, Copy)]
pub(super) struct FormPage<'a> {
    pub(super) open: OpenForm,
    pub(super) forms: &'a Forms<'a>,
}

impl<'a> FormPage<'a> {
    /// What was answered in the one that is open.
    pub(super) fn record(&self) -> Option<&'a FormRecord> {
        self.forms.record(self.open.form)
    }
}

/// A button without a frame, whose words stand where those around it do.
pub(super) fn text_button(ui: &mut Ui, words: &str, theme: &Theme) -> Response {
    let text = RichText::new(words).size(CAPTION).color(theme.accent);
    let button = Button::new(text).frame_when_inactive(false);
    ui.scope(|ui| {
        ui.spacing_mut().button_padding.x = 0.0;
        ui.add(button)
    })
    .inner
}

/// A text of the inventory.
pub(super) fn text(
    ui: &mut Ui,
    words: &str,
    size: f32,
    emphasis: Emphasis,
    page: &mut PageContext<'_>,
) {
    let face = Face::of_text(size, emphasis, page.theme);
    inlines_ui(ui, short_text(words).line(), face, page);
}

/// Leads back to the lesson.
pub(super) fn leave(ui: &mut Ui, page: &mut PageContext<'_>) {
    if ui.button("To the lesson").clicked() {
        act(page, FormAct::Leave);
    }
}

/// Asks for it after the frame.
pub(super) fn act(page: &mut PageContext<'_>, act: FormAct) {
    page.navigation.push(Navigation::Form(act));
}
