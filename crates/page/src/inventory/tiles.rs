//! Answers that are pictures or matrices, side by side where there is room.

use bindpose_lesson::{InventoryQuestion, Text, Value};
use bindpose_notebook::inventory::{OptionValue, option_letter};
use bindpose_notebook::significant_digits::Magnitude;
use eframe::egui::{Rect, Sense, Ui, UiBuilder, vec2};

use super::figure::{Shown, picture};
use crate::PageContext;
use crate::cells::choice_row;
use crate::widgets::{FittedMatrix, MatrixHeads};

/// Between tiles, in points.
const GAP: f32 = 14.0;
/// A tile is no narrower than this.
const LEAST: f32 = 150.0;
/// Height of a picture.
const PICTURE: f32 = 190.0;

/// Draws them in `order`; `chosen` is the place of one among the options.
pub(super) fn ui(
    ui: &mut Ui,
    question: &InventoryQuestion,
    order: &[usize],
    shown: &mut Shown,
    chosen: &mut Option<usize>,
    page: &mut PageContext<'_>,
) {
    let wide = ui.available_width();
    let across = (((wide + GAP) / (LEAST + GAP)).floor() as usize).clamp(1, order.len().max(1));
    // Four in two rows of two, not three and one.
    let across = if across < order.len() { across.min(2) } else { across };
    let width = ((wide - GAP * (across as f32 - 1.0)) / across as f32).floor();
    for row in order.chunks(across) {
        let top = ui.cursor().min;
        let mut bottom = top.y;
        for (column, &place) in row.iter().enumerate() {
            let at = top + vec2(column as f32 * (width + GAP), 0.0);
            let room = Rect::from_min_size(at, vec2(width, PICTURE));
            let salt = (&question.id, place);
            let mut tile = ui.new_child(UiBuilder::new().id_salt(salt).max_rect(room));
            tile_ui(&mut tile, question, (place, order), shown, chosen, page);
            bottom = bottom.max(tile.min_rect().bottom());
        }
        ui.allocate_exact_size(vec2(wide, bottom - top.y + 4.0), Sense::hover());
    }
}

fn tile_ui(
    ui: &mut Ui,
    question: &InventoryQuestion,
    (place, order): (usize, &[usize]),
    shown: &mut Shown,
    chosen: &mut Option<usize>,
    page: &mut PageContext<'_>,
) {
    let letter = option_letter(order, place);
    let name = match shown.values.get(place) {
        Some(OptionValue::Picture(_)) => {
            if let Some(cell) = &question.viewport {
                picture(ui, cell, (shown, Some(place)), page, PICTURE);
            }
            format!("Picture {letter}")
        }
        Some(OptionValue::Value(Value::Mat4(matrix))) => {
            let matrix = matrix.mat.as_mat4();
            FittedMatrix {
                theme: page.theme,
                id: format!("inventory/{}/{place}", question.id),
                name: format!("matrix {letter}"),
                matrix,
                magnitude: Magnitude::from_matrix(&matrix, 1.0),
                decimals: question.decimals,
                // One of them may be the transpose of another.
                heads: MatrixHeads::Numbers,
            }
            .show(ui);
            format!("Matrix {letter}")
        }
        Some(OptionValue::Value(_) | OptionValue::Words(_)) | None => return,
    };
    let on = *chosen == Some(place);
    let text = Text::from(name);
    if choice_row(ui, &text, on, false, page).clicked() {
        *chosen = Some(place);
    }
}
