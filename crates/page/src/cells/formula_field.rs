//! A field in which readers rewrite the formula of a cell.

use bindpose_notebook::Edit;
use eframe::egui::text::CCursor;
use eframe::egui::{FontId, Id, RichText, Stroke, TextEdit, Ui, vec2};

use crate::PageContext;
use crate::theme::SMALL;
use crate::widgets::{Tip as _, small_button};

/// Room for the button beside the text.
const BUTTON: f32 = 84.0;

/// The text, with a mark under each column where something is wrong, and the way back.
pub(super) fn field(
    ui: &mut Ui,
    (text, own): (&str, &str),
    id: &str,
    wrong_columns: &[usize],
    page: &mut PageContext<'_>,
) {
    let mut buffer = text.to_owned();
    let field = Id::unique(("formula", &page.document.lesson, id));
    // Undo is the notebook’s: it knows every change of the page in its order.
    if let Some(mut state) = TextEdit::load_state(ui.ctx(), field) {
        state.clear_undoer();
        TextEdit::store_state(ui.ctx(), field, state);
    }
    let back = ui.horizontal(|ui| {
        let output = TextEdit::singleline(&mut buffer)
            .id(field)
            .font(FontId::monospace(SMALL))
            .desired_width((ui.available_width() - BUTTON).max(80.0))
            .show(ui);
        for column in wrong_columns {
            let cursor = CCursor::new(column.saturating_sub(1));
            let at = output.galley.pos_from_cursor(cursor).left_bottom();
            let left = output.galley_pos + at.to_vec2();
            let painter = ui.painter().with_clip_rect(output.text_clip_rect.expand(3.0));
            let stroke = Stroke::new(2.0, page.theme.wrong);
            painter.line_segment([left, left + vec2(7.0, 0.0)], stroke);
        }
        output.response.response.accessible_name("Formula");
        // Always there, so that nothing moves under the pointer.
        ui.add_enabled(text != own, small_button("Put back"))
            .tip(format!("The lesson’s own: {own}"))
            .tip_disabled("This is the lesson’s own.")
            .clicked()
    });
    if back.inner {
        put(None, id, page);
    } else if buffer != text {
        put(Some(buffer), id, page);
    }
}

/// What is wrong, with its column.
pub(super) fn wrong_at(ui: &mut Ui, page: &PageContext<'_>, column: usize, words: &str) {
    let words = format!("Column {column}: {words}");
    ui.label(RichText::new(words).size(SMALL).color(page.theme.wrong));
}

/// `None`: the lesson's own, which a button puts.
pub(super) fn put(text: Option<String>, id: &str, page: &mut PageContext<'_>) {
    page.edits.push(Edit::Text { cell: id.to_owned(), typed: text.is_some(), text });
}
