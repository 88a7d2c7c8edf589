//! The answers of a question: words and numbers one below the other, pictures and
//! matrices side by side.

use std::borrow::Cow;

use bindpose_lesson::{FormulaValue, InventoryQuestion, Text, short_text};
use bindpose_notebook::inventory::{OptionValue, option_letter, option_words};
use bindpose_notebook::significant_digits::Magnitude;
use eframe::egui::{Rect, Sense, Ui, UiBuilder, vec2};

use super::figure::{QuestionFigure, picture};
use crate::PageContext;
use crate::cells::{choice_row, choice_rows};
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
    shown: Option<&mut QuestionFigure>,
    chosen: &mut Option<usize>,
    page: &mut PageContext<'_>,
) {
    let is_drawn = |value: &OptionValue| {
        matches!(value, OptionValue::Picture(_) | OptionValue::Value(FormulaValue::Mat4(_)))
    };
    match shown {
        Some(shown) if shown.values.iter().any(is_drawn) => {
            tiles(ui, question, order, shown, chosen, page);
        }
        shown => {
            let rows = order.iter().map(|&place| {
                let value = shown.as_ref().and_then(|shown| shown.values.get(place));
                let words = option_words(question, place, value).unwrap_or_default();
                (place, Cow::Owned(short_text(&words)), *chosen == Some(place))
            });
            if let Some(place) = choice_rows(ui, rows, false, page) {
                *chosen = Some(place);
            }
        }
    }
}

/// Pictures or matrices, side by side where there is room.
fn tiles(
    ui: &mut Ui,
    question: &InventoryQuestion,
    order: &[usize],
    shown: &mut QuestionFigure,
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
    shown: &mut QuestionFigure,
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
        Some(OptionValue::Value(FormulaValue::Mat4(matrix))) => {
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

/// What an answer is called in a sentence: its words, its number, `picture B`.
pub(super) fn name(
    question: &InventoryQuestion,
    place: usize,
    order: &[usize],
    shown: Option<&QuestionFigure>,
) -> String {
    let value = shown.and_then(|shown| shown.values.get(place));
    let words = option_words(question, place, value).unwrap_or_default();
    match value {
        Some(OptionValue::Picture(_)) => format!("picture {}", option_letter(order, place)),
        Some(OptionValue::Value(FormulaValue::Mat4(_))) => {
            format!("matrix {}", option_letter(order, place))
        }
        Some(OptionValue::Value(_)) => words,
        Some(OptionValue::Words(_)) | None => format!("“{}”", words.trim_end_matches('.')),
    }
}
