//! A text field for editing the formula of a cell.

use bindpose_kit::theme::SMALL_SIZE;
use bindpose_kit::widgets::{Tip as _, small_button};
use bindpose_notebook::{Edit, EditTarget};
use eframe::egui::text::CCursor;
use eframe::egui::{FontId, Id, RichText, Stroke, TextEdit, Ui, vec2};

use crate::PageContext;

/// Width reserved for the button beside the text, in points.
const BUTTON_WIDTH: f32 = 84.0;

/// Draws the field, with a mark under each wrong column, and a button that restores the
/// lesson's own formula.
pub(super) fn formula_field_ui(
    ui: &mut Ui,
    (text, own): (&str, &str),
    id: &str,
    wrong_columns: &[usize],
    page: &mut PageContext<'_>,
) {
    let mut buffer = text.to_owned();
    let field_id = Id::unique(("formula", &page.document.lesson, id));
    // The notebook implements undo, because it records all changes of the page in their
    // order.
    if let Some(mut state) = TextEdit::load_state(ui.ctx(), field_id) {
        state.clear_undoer();
        TextEdit::store_state(ui.ctx(), field_id, state);
    }
    let row = ui.horizontal(|ui| {
        let output = TextEdit::singleline(&mut buffer)
            .id(field_id)
            .font(FontId::monospace(SMALL_SIZE))
            .desired_width((ui.available_width() - BUTTON_WIDTH).max(80.0))
            .show(ui);
        for column in wrong_columns {
            let cursor = CCursor::new(column.saturating_sub(1));
            let offset = output.galley.pos_from_cursor(cursor).left_bottom();
            let left = output.galley_pos + offset.to_vec2();
            let painter = ui.painter().with_clip_rect(output.text_clip_rect.expand(3.0));
            let stroke = Stroke::new(2.0, page.theme.wrong);
            painter.line_segment([left, left + vec2(7.0, 0.0)], stroke);
        }
        output.response.response.accessible_name("Formula");
        // Always visible, so that nothing moves under the pointer.
        ui.add_enabled(text != own, small_button("Put back"))
            .tip(format!("The lesson’s own: {own}"))
            .tip_disabled("This is the lesson’s own.")
            .clicked()
    });
    if row.inner {
        set_cell_text(None, id, page);
    } else if buffer != text {
        set_cell_text(Some(buffer), id, page);
    }
}

/// Draws the error of a formula with its column.
pub(super) fn formula_error_ui(ui: &mut Ui, page: &PageContext<'_>, column: usize, message: &str) {
    let text = format!("Column {column}: {message}");
    ui.label(RichText::new(text).size(SMALL_SIZE).color(page.theme.wrong));
}

/// Adds an edit that sets the formula. `None` restores the lesson's own.
pub(super) fn set_cell_text(text: Option<String>, id: &str, page: &mut PageContext<'_>) {
    let cell = id.to_owned();
    page.requests.edits.push(match text {
        Some(text) => Edit::Text { cell, text, typed: true },
        None => Edit::Reset(EditTarget::Text(cell)),
    });
}
