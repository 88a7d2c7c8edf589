//! Hints of exercises and questions, which open one at a time.

use bindpose_kit::theme::CARD_SIZE;
use bindpose_kit::widgets::Emphasis;
use bindpose_lesson::Text;
use eframe::egui::Ui;

use crate::PageContext;
use crate::prose::text_ui;

/// Draws the first `open_count` hints.
pub(super) fn open_hints_ui(
    ui: &mut Ui,
    hints: &[Text],
    open_count: usize,
    page: &mut PageContext<'_>,
) {
    for (index, hint) in hints.iter().take(open_count).enumerate() {
        let hint = hint.led_by(&format!("Hint {}. ", index + 1));
        text_ui(ui, &hint, CARD_SIZE, Emphasis::Quiet, page);
    }
}

/// Draws the button that opens the next hint, if there is one.
pub(super) fn next_hint_button(ui: &mut Ui, hints: &[Text], open_count: &mut usize) {
    if *open_count < hints.len()
        && ui.button(format!("Hint {} of {}", *open_count + 1, hints.len())).clicked()
    {
        *open_count += 1;
    }
}
