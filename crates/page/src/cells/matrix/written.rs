//! A formula that the reader may rewrite, and the matrix, vector or number that comes
//! of it, with its frames.

use bindpose_lesson::{FormulaOutcome, FormulaValue, Matrix, MatrixCell};
use bindpose_notebook::cell_text::value_of_text;
use bindpose_notebook::number_text::fixed;
use bindpose_notebook::significant_digits::{Magnitude, USUAL};
use bindpose_skin::CoordinateFrame;
use eframe::egui::accesskit::Role;
use eframe::egui::{Color32, RichText, Sense, Ui, WidgetInfo};

use crate::PageContext;
use crate::cells::formula_field::{field, wrong_at};
use crate::widgets::{FittedMatrix, MatrixHeads, chip_size, frame_look, paint_chip};

/// The last value that the formula had.
#[derive(Default)]
struct LastValue(Option<FormulaValue>);

/// Draws the field, what is wrong with its text, and its value.
pub(super) fn ui(ui: &mut Ui, cell: &MatrixCell, own: &str, id: &str, page: &mut PageContext<'_>) {
    let text = page.document.text_of(id, own).to_owned();
    let found = value_of_text(&text, page.derived);
    let columns: Vec<usize> = match &found {
        Ok(outcome) => outcome.seams.iter().map(|seam| seam.column).collect(),
        Err(error) => vec![error.at.column],
    };
    field(ui, (&text, own), id, &columns, page);
    let decimals = cell.decimals.unwrap_or(USUAL);
    match found {
        Ok(FormulaOutcome { value, seams }) => {
            page.state::<LastValue>(id).0 = Some(value);
            value_ui(ui, &value, decimals, id, page);
            for seam in &seams {
                wrong_at(ui, page, seam.column, &seam.words());
            }
        }
        Err(error) => {
            wrong_at(ui, page, error.at.column, &error.words);
            if let Some(value) = page.state::<LastValue>(id).0 {
                ui.label(page.theme.caption("What it was before the mistake:"));
                ui.scope(|ui| {
                    ui.multiply_opacity(0.6);
                    value_ui(ui, &value, decimals, id, page);
                });
            }
        }
    }
}

fn value_ui(ui: &mut Ui, value: &FormulaValue, decimals: usize, id: &str, page: &PageContext<'_>) {
    let frame = match value {
        FormulaValue::Mat4(matrix) => return matrix_ui(ui, matrix, decimals, id, page),
        FormulaValue::Number(number) => {
            let words = format!("= {}", fixed(*number, decimals));
            ui.label(RichText::new(words).monospace());
            return;
        }
        FormulaValue::Vec3(vector) => vector.frame,
        FormulaValue::Vec4(vector) => vector.frame,
        FormulaValue::Quat(_) => None,
    };
    ui.horizontal_wrapped(|ui| {
        if let Some(frame) = frame {
            chip_ui(ui, page, frame_look(page.theme, frame));
        }
        let parts = value.numbers().into_iter().zip(["x", "y", "z", "w"]);
        for (number, name) in parts {
            ui.label(page.theme.caption(name));
            ui.label(RichText::new(fixed(number, decimals)).monospace());
        }
        ui.label(page.theme.caption(value.type_name()));
    });
}

fn matrix_ui(ui: &mut Ui, matrix: &Matrix, decimals: usize, id: &str, page: &PageContext<'_>) {
    let look = |frame: Option<CoordinateFrame>| match frame {
        Some(frame) => frame_look(page.theme, frame),
        None => (page.theme.rule, "not known".to_owned()),
    };
    let conventions = page.conventions();
    if matrix.to.is_some() || matrix.from.is_some() {
        ui.horizontal(|ui| {
            let (first, between, last) = if conventions.has_rows() {
                (matrix.from, "to", matrix.to)
            } else {
                (matrix.to, "from", matrix.from)
            };
            chip_ui(ui, page, look(first));
            ui.label(page.theme.caption(between));
            chip_ui(ui, page, look(last));
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
        heads: MatrixHeads::of_vectors(conventions.has_rows()),
    }
    .show(ui);
}

fn chip_ui(ui: &mut Ui, page: &PageContext<'_>, (fill, text): (Color32, String)) {
    let (rect, response) = ui.allocate_exact_size(chip_size(ui, &text), Sense::hover());
    paint_chip(ui, page.theme, rect, &text, fill);
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &text));
}
