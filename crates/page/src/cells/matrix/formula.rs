//! A formula that the reader may rewrite, with the matrix, vector or number to which it evaluates.

use bindpose_kit::theme::Theme;
use bindpose_kit::widgets::{
    FittedMatrix, MatrixHeads, chip_size, frame_color_and_name, paint_chip,
};
use bindpose_lesson::number_text::fixed;
use bindpose_lesson::significant_digits::{Magnitude, USUAL_DECIMALS};
use bindpose_lesson::{FormulaOutcome, FormulaValue, Matrix, MatrixCell};
use bindpose_notebook::cell_text::value_of_text;
use bindpose_skin::CoordinateFrame;
use eframe::egui::accesskit::Role;
use eframe::egui::{RichText, Sense, Ui, WidgetInfo};

use crate::PageContext;
use crate::cells::formula_field::{formula_error_ui, formula_field_ui};

/// The last value of the formula, shown while its text is wrong.
#[derive(Default)]
struct LastValue(Option<FormulaValue>);

/// Draws the text field with its errors, and the value below it.
pub(super) fn ui(
    ui: &mut Ui,
    cell: &MatrixCell,
    lesson_text: &str,
    id: &str,
    page: &mut PageContext<'_>,
) {
    let text = page.document.text_of(id, lesson_text).to_owned();
    let result = value_of_text(&text, page.derived);
    let wrong_columns: Vec<usize> = match &result {
        Ok(outcome) => outcome.seams.iter().map(|seam| seam.column).collect(),
        Err(error) => vec![error.at.column],
    };
    formula_field_ui(ui, (&text, lesson_text), id, &wrong_columns, page);
    let decimals = cell.decimals.map_or(USUAL_DECIMALS, |decimals| decimals.0);
    match result {
        Ok(FormulaOutcome { value, seams }) => {
            page.state::<LastValue>(id).0 = Some(value);
            draw_value(ui, &value, decimals, id, page);
            for seam in &seams {
                formula_error_ui(ui, page, seam.column, &seam.words());
            }
        }
        Err(error) => {
            formula_error_ui(ui, page, error.at.column, &error.words);
            if let Some(value) = page.state::<LastValue>(id).0 {
                ui.label(page.theme.caption("What it was before the mistake:"));
                ui.scope(|ui| {
                    ui.multiply_opacity(0.6);
                    draw_value(ui, &value, decimals, id, page);
                });
            }
        }
    }
}

fn draw_value(
    ui: &mut Ui,
    value: &FormulaValue,
    decimals: usize,
    id: &str,
    page: &PageContext<'_>,
) {
    let frame = match value {
        FormulaValue::Mat4(matrix) => return draw_matrix(ui, matrix, decimals, id, page),
        FormulaValue::Number(number) => {
            let text = format!("= {}", fixed(*number, decimals));
            ui.label(RichText::new(text).monospace());
            return;
        }
        FormulaValue::Vec3(vector) => vector.frame,
        FormulaValue::Vec4(vector) => vector.frame,
        FormulaValue::Quat(_) => None,
    };
    ui.horizontal_wrapped(|ui| {
        if frame.is_some() {
            draw_frame_chip(ui, page.theme, frame);
        }
        let components = value.numbers().into_iter().zip(["x", "y", "z", "w"]);
        for (number, name) in components {
            ui.label(page.theme.caption(name));
            ui.label(RichText::new(fixed(number, decimals)).monospace());
        }
        ui.label(page.theme.caption(value.type_name()));
    });
}

fn draw_matrix(ui: &mut Ui, matrix: &Matrix, decimals: usize, id: &str, page: &PageContext<'_>) {
    let conventions = page.conventions();
    if matrix.to.is_some() || matrix.from.is_some() {
        ui.horizontal(|ui| {
            let (first, between, last) = if conventions.has_rows() {
                (matrix.from, "to", matrix.to)
            } else {
                (matrix.to, "from", matrix.from)
            };
            draw_frame_chip(ui, page.theme, first);
            ui.label(page.theme.caption(between));
            draw_frame_chip(ui, page.theme, last);
        });
    }
    let mat = conventions.axes.of(&matrix.mat.as_mat4());
    let size = page.derived.size_in(matrix.to.unwrap_or(CoordinateFrame::World))
        * f64::from(conventions.axes.units_in_metre());
    let name = FormulaValue::Mat4(*matrix).frame_words();
    FittedMatrix {
        theme: page.theme,
        id: format!("{id}/written"),
        name: name.unwrap_or_else(|| "matrix".to_owned()),
        matrix: mat,
        magnitude: Magnitude::from_matrix(&mat, size),
        decimals,
        heads: MatrixHeads::for_vectors(conventions.has_rows()),
    }
    .show(ui);
}

/// Draws a chip with the name of the frame, or "not known" if it is `None`.
fn draw_frame_chip(ui: &mut Ui, theme: &Theme, frame: Option<CoordinateFrame>) {
    let (fill, text) = match frame {
        Some(frame) => frame_color_and_name(theme, frame),
        None => (theme.rule, "not known".to_owned()),
    };
    let (rect, response) = ui.allocate_exact_size(chip_size(ui, &text), Sense::hover());
    paint_chip(ui, theme, rect, &text, fill);
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &text));
}
