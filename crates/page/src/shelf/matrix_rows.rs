//! The matrix of the shelf's joint: its upper three rows, to read, or the inverse bind matrix,
//! to edit. Written for row vectors, it has four rows of three numbers.

use bindpose_kit::theme::{CAPTION_SIZE, family, font};
use bindpose_kit::widgets::{PaintText as _, Scrub, ScrubChange, Tip as _};
use bindpose_lesson::{DataEdit, MatrixRef, number_text};
use bindpose_notebook::matrix::{resolve, row_as_written, with_operators};
use bindpose_notebook::shelf::Shelf;
use bindpose_notebook::{Edit, Entity};
use bindpose_skin::JointIndex;
use eframe::egui::{FontId, Rect, Role, Sense, Ui, WidgetInfo, pos2, vec2};
use glam::Mat4;

use crate::PageContext;

const DECIMALS: usize = 2;
/// Size of the numbers, in points.
const NUMBER_SIZE: f32 = 11.5;
/// Gap between two columns, in points.
const COLUMN_GAP: f32 = 7.0;
/// Width of the symbol before the numbers, in points.
const SYMBOL_WIDTH: f32 = 30.0;

/// The matrix as it is written on the page.
pub(super) struct MatrixRows {
    joint: JointIndex,
    matrix: Mat4,
    title: String,
    is_editable: bool,
    is_transposed: bool,
    /// Letter of the matrix in formulas.
    symbol: &'static str,
    column_widths: Vec<f32>,
}

impl MatrixRows {
    /// Returns `None` if the joint has no such matrix.
    pub(super) fn new(ui: &Ui, page: &PageContext<'_>, shelf: &Shelf<'_>) -> Option<Self> {
        let (document, derived) = match &page.view.presenter.frozen {
            Some(held) => (&held.document, &held.derived),
            None => (page.document, page.derived),
        };
        let source = resolve(&shelf.matrix_of_chosen, document, derived).ok()?;
        let conventions = page.conventions();
        let cell = bindpose_lesson::MatrixCell::default();
        let (blocks, seams) = with_operators(&cell, vec![source], derived);
        let (blocks, _) = row_as_written(&blocks, &seams, conventions);
        let source = &blocks.first()?.source;
        let is_inverse_bind = matches!(shelf.matrix_of_chosen, MatrixRef::JointFromBind(_));
        let mut rows = Self {
            joint: shelf.joint,
            matrix: source.named.mat,
            title: source.title.clone(),
            is_editable: is_inverse_bind && source.editable.is_some(),
            is_transposed: conventions.has_rows(),
            symbol: if is_inverse_bind { "B⁻¹" } else { "M" },
            column_widths: Vec::new(),
        };
        let digit_width =
            ui.fonts_mut(|fonts| fonts.glyph_width(&FontId::monospace(NUMBER_SIZE), '0'));
        for across in 0..rows.column_count() {
            let texts = (0..rows.row_count()).map(|down| rows.text(down, across));
            let char_count = texts.map(|text| text.chars().count()).max().unwrap_or_default();
            // Wide enough for a sign, so that nothing moves while numbers change it.
            rows.column_widths.push(char_count.max(5) as f32 * digit_width + COLUMN_GAP);
        }
        Some(rows)
    }

    fn row_count(&self) -> usize {
        if self.is_transposed { 4 } else { 3 }
    }

    fn column_count(&self) -> usize {
        if self.is_transposed { 3 } else { 4 }
    }

    /// Returns the row and column in the matrix of the number at a place on the page.
    fn element_at(&self, down: usize, across: usize) -> (usize, usize) {
        if self.is_transposed { (across, down) } else { (down, across) }
    }

    fn value(&self, down: usize, across: usize) -> f64 {
        let (row, column) = self.element_at(down, across);
        f64::from(self.matrix.col(column)[row])
    }

    fn text(&self, down: usize, across: usize) -> String {
        number_text::fixed(self.value(down, across), DECIMALS)
    }

    pub(super) fn width(&self) -> f32 {
        SYMBOL_WIDTH + self.column_widths.iter().sum::<f32>()
    }

    pub(super) fn show(&self, ui: &mut Ui, page: &mut PageContext<'_>, height: f32) {
        let theme = page.theme;
        let size = vec2(self.width(), height);
        let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
        let description = self.describe();
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &description));
        let symbol_at = pos2(rect.left(), rect.center().y);
        let symbol = ui.painter().text_left(
            symbol_at,
            self.symbol,
            FontId::new(CAPTION_SIZE + 2.0, family::italic()),
            theme.ink,
        );
        ui.painter().text_left(
            pos2(symbol.right() + 1.0, symbol.center().y + 5.0),
            self.joint.0,
            FontId::proportional(10.0),
            theme.ink,
        );
        if bindpose_kit::touch::is_pointed_at(&response) {
            page.linked.hover(Entity::Joint(self.joint));
        }
        response.tip(format!("The {} of joint {}, without its last row", self.title, self.joint.0));
        let row_height = ((height - 4.0) / self.row_count() as f32).min(14.0);
        let top = rect.center().y - 0.5 * row_height * self.row_count() as f32;
        let mut left = rect.left() + SYMBOL_WIDTH;
        for (across, &width) in self.column_widths.iter().enumerate() {
            for down in 0..self.row_count() {
                let place = Rect::from_min_size(
                    pos2(left, top + down as f32 * row_height),
                    vec2(width, row_height),
                );
                let (_, column) = self.element_at(down, across);
                ui.painter().rect_filled(place, 0.0, theme.column_background(column));
                self.number_ui(ui, page, place, down, across);
            }
            left += width;
        }
    }

    fn number_ui(
        &self,
        ui: &mut Ui,
        page: &mut PageContext<'_>,
        place: Rect,
        down: usize,
        across: usize,
    ) {
        let (row, column) = self.element_at(down, across);
        let text_rect = place.shrink2(vec2(COLUMN_GAP / 2.0, 0.0));
        if !self.is_editable {
            ui.painter().text_right(
                text_rect.right_center(),
                self.text(down, across),
                font::mono(NUMBER_SIZE, column == 3),
                page.theme.ink,
            );
            return;
        }
        let label = format!("{}, row {}, column {}", self.title, down + 1, across + 1);
        let scrub = Scrub::new(
            ("shelf matrix", self.joint.0, row, column),
            self.value(down, across),
            label,
        )
        .decimals(DECIMALS)
        .font(font::mono(NUMBER_SIZE, column == 3));
        if let Some(ScrubChange::Set(value)) = scrub.show_at(ui, text_rect) {
            let mut matrix = self.matrix;
            matrix.col_mut(column)[row] = value as f32;
            let edit = DataEdit::InverseBind(self.joint.into(), matrix.to_cols_array());
            page.requests.edits.push(Edit::data(edit));
        }
    }

    /// Describes the matrix row by row.
    fn describe(&self) -> String {
        let rows: Vec<String> = (0..self.row_count())
            .map(|down| {
                let numbers: Vec<String> =
                    (0..self.column_count()).map(|across| self.text(down, across)).collect();
                numbers.join(" ")
            })
            .collect();
        format!("{} of joint {}: {}", self.title, self.joint.0, rows.join("; "))
    }
}
