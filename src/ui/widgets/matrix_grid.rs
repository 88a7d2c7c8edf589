//! A 4×4 matrix as one would set it on paper: brackets, a wash per column,
//! numbers aligned on the point.

use eframe::egui::{
    Color32, FontId, Painter, Pos2, Rect, Response, Sense, Stroke, StrokeKind, Ui, Vec2,
    WidgetInfo, accesskit::Role, pos2, vec2,
};
use glam::Mat4;

use super::tip::Tip as _;
use super::{PaintText, Scrub, ScrubChange, TableNodes, lit_shape};
use crate::notebook::matrix::COLUMN_MEANINGS;
use crate::notebook::number_text;
use crate::notebook::significant_digits::{self, Magnitude};
use crate::ui::theme::{Theme, family};
use crate::ui::touch;

/// Size of type and number of digits: smaller where there is less room.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Density {
    /// Digits after the point, of numbers about 1.
    pub decimals: usize,
    /// Points.
    pub font: f32,
    /// Room beside each number.
    pub pad: f32,
    /// Room for a bracket.
    pub bracket: f32,
    /// Room for an operator between matrices.
    pub operator: f32,
}

impl Density {
    /// From roomy to dense, never with more digits than asked for. Type shrinks
    /// before digits go: two matrices with different digits do not compare.
    pub fn choices(decimals: usize) -> impl Iterator<Item = Self> {
        Self::list([
            (decimals, 14.0, 8.0, 7.0, 26.0),
            (decimals, 14.0, 5.0, 7.0, 24.0),
            (decimals, 13.0, 4.0, 7.0, 22.0),
            (decimals, 12.0, 3.0, 6.0, 20.0),
            (decimals, 11.5, 2.0, 5.0, 16.0),
            (decimals, 11.0, 1.0, 5.0, 14.0),
            (decimals.min(2), 12.0, 1.0, 5.0, 14.0),
        ])
    }

    /// Larger than all of these, for a cell that has the page to itself.
    pub fn enlarged(decimals: usize) -> impl Iterator<Item = Self> {
        Self::list([
            (decimals, 26.0, 12.0, 9.0, 40.0),
            (decimals, 22.0, 10.0, 9.0, 34.0),
            (decimals, 18.0, 9.0, 8.0, 30.0),
            (decimals, 16.0, 7.0, 8.0, 28.0),
        ])
    }

    fn list<const N: usize>(rows: [(usize, f32, f32, f32, f32); N]) -> impl Iterator<Item = Self> {
        let of_row = |(decimals, font, pad, bracket, operator)| Self {
            decimals,
            font,
            pad,
            bracket,
            operator,
        };
        rows.into_iter().map(of_row)
    }

    /// As wide, in smaller type with more room between numbers that are longer
    /// than usual, where these would touch.
    #[must_use]
    pub fn airy(self) -> Self {
        Self {
            font: self.font.min(10.5),
            pad: self.pad.max(2.0),
            ..self
        }
    }

    fn row(self) -> f32 {
        (self.font * 1.65).round()
    }
}

/// Room that matrices in a row with the same decimals keep for their numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Room {
    /// Which columns keep room for a minus.
    pub signs: [bool; 4],
    /// Digits before the point, by column.
    pub digits: [usize; 4],
}

impl Room {
    /// Room for this matrix as well, with so many decimals by column.
    pub fn grow(&mut self, matrix: &Mat4, decimals: [usize; 4]) {
        for (column, decimals) in decimals.into_iter().enumerate() {
            for number in matrix.col(column).to_array() {
                let text = number_text::fixed(number.into(), decimals);
                self.signs[column] |= text.starts_with(number_text::MINUS);
                self.digits[column] = self.digits[column].max(digits_before_point(&text));
            }
        }
    }

    /// Room for both.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        for column in 0..4 {
            self.signs[column] |= other.signs[column];
            self.digits[column] = self.digits[column].max(other.digits[column]);
        }
        self
    }
}

/// How one number looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// On the wash of linked things.
    pub lit: bool,
    /// With an outline: this very cell is meant.
    pub outlined: bool,
    /// Differs from what is stored: bold, with a dot.
    pub changed: bool,
    /// May be overlooked: an exact zero in a difference.
    pub dim: bool,
    /// Not zero in a difference.
    pub differs: bool,
}

/// A matrix, ready to be drawn.
pub struct MatrixGrid<'a> {
    /// Colours.
    pub theme: &'a Theme,
    /// Stable: cell id and place in it.
    pub id: String,
    /// `world from joint 1`, for those who hear the page.
    pub name: String,
    /// What is shown.
    pub matrix: Mat4,
    /// How large its numbers are: what gives them their decimals.
    pub magnitude: Magnitude,
    /// Size of type.
    pub density: Density,
    /// Shared by the matrices in a row with the same decimals.
    pub room: Room,
    /// The outline of outlined cells.
    pub outline: Color32,
    /// The brackets: ink, or a joint's colour while the joint is lit.
    pub brackets: Color32,
    /// Can it be edited?
    pub editable: bool,
}

/// What happened over a [`MatrixGrid`].
pub struct GridAnswer {
    /// Of the whole grid.
    pub response: Response,
    /// (row, column) under the pointer.
    pub hovered: Option<(usize, usize)>,
    /// Column whose heading is under the pointer.
    pub hovered_column: Option<usize>,
    /// (row, column) and what the reader did to it.
    pub change: Option<(usize, usize, ScrubChange)>,
}

/// Height of the line of column headings.
pub const HEADINGS: f32 = 18.0;

/// Heads of the rows, for those who hear the page.
const ROWS: [&str; 4] = ["x", "y", "z", "w"];

/// What the columns of a matrix say, long, shorter, shortest.
const MEANING: [[&str; 4]; 3] = [
    COLUMN_MEANINGS,
    ["x axis", "y axis", "z axis", "origin"],
    ["x", "y", "z", "o"],
];

impl MatrixGrid<'_> {
    /// The room it takes, headings included.
    #[must_use]
    pub fn size(&self, ui: &Ui) -> Vec2 {
        let widths = self.widths(ui);
        vec2(
            widths.iter().sum::<f32>() + 2.0 * self.density.bracket,
            HEADINGS + 4.0 * self.density.row() + 4.0,
        )
    }

    /// Draws it. `look` says how the number at (row, column) looks.
    pub fn show(&self, ui: &mut Ui, at: Pos2, look: impl Fn(usize, usize) -> Look) -> GridAnswer {
        let size = self.size(ui);
        let rect = Rect::from_min_size(at, size);
        let widths = self.widths(ui);
        let response = ui.interact(
            rect,
            eframe::egui::Id::unique(("matrix", &self.id)),
            // Not a stop for the Tab key: it is read, not worked.
            Sense::CLICK,
        );
        let top = rect.top() + HEADINGS;
        let mut table = self.describe(ui, &response, top);
        let mut answer = GridAnswer {
            response,
            hovered: None,
            hovered_column: None,
            change: None,
        };
        let body = Rect::from_min_max(pos2(rect.left(), top), rect.max);
        self.brackets(ui.painter(), body);
        self.headings(ui, rect, &widths, &mut answer, &mut table);
        let pointer = answer.response.hover_pos();
        let mut left = rect.left() + self.density.bracket;
        for (column, width) in widths.into_iter().enumerate() {
            let strip =
                Rect::from_min_size(pos2(left, top + 2.0), vec2(width, 4.0 * self.density.row()));
            ui.painter()
                .rect_filled(strip, 0.0, self.theme.column(column));
            left += width;
        }
        // Over the washes of the columns: a number that is typed needs more room.
        let mut left = rect.left() + self.density.bracket;
        let mut typed = None;
        for (column, width) in widths.into_iter().enumerate() {
            for row in 0..4 {
                let cell = Rect::from_min_size(
                    pos2(left, top + 2.0 + row as f32 * self.density.row()),
                    vec2(width, self.density.row()),
                );
                if pointer.is_some_and(|pointer| cell.contains(pointer)) {
                    answer.hovered = Some((row, column));
                }
                let look = look(row, column);
                let mut told = self.cell(&mut table, row, column, cell);
                if self.editable && self.scrub(row, column, look).is_typed(ui) {
                    typed = Some((told, cell, row, column, look));
                    continue;
                }
                let ui = told.as_mut().unwrap_or(ui);
                if let Some(change) = self.number(ui, cell, row, column, look) {
                    answer.change = Some((row, column, change));
                }
            }
            left += width;
        }
        if let Some((told, cell, row, column, look)) = &mut typed {
            let ui = told.as_mut().unwrap_or(ui);
            if let Some(change) = self.number(ui, *cell, *row, *column, *look) {
                answer.change = Some((*row, *column, change));
            }
        }
        answer
    }

    fn widths(&self, ui: &Ui) -> [f32; 4] {
        let glyph =
            ui.fonts_mut(|fonts| fonts.glyph_width(&FontId::monospace(self.density.font), '0'));
        let decimals = self.magnitude.decimals(self.density.decimals);
        [0, 1, 2, 3].map(|column: usize| {
            let sign = if self.room.signs[column] { 1.0 } else { 0.4 };
            let decimals = decimals[column];
            let point = usize::from(decimals > 0);
            let digits = self.room.digits[column].max(1) + point + decimals;
            ((sign + digits as f32) * glyph + 2.0 * self.density.pad).ceil()
        })
    }

    fn number(
        &self,
        ui: &mut Ui,
        cell: Rect,
        row: usize,
        column: usize,
        look: Look,
    ) -> Option<ScrubChange> {
        let theme = self.theme;
        let value = f64::from(self.matrix.col(column)[row]);
        let decimals = self.magnitude.decimals(self.density.decimals)[column];
        if look.lit || look.differs {
            ui.painter().add(lit_shape(theme, cell, 2.0));
        }
        if look.outlined {
            let stroke = Stroke::new(2.0, self.outline);
            ui.painter()
                .rect_stroke(cell.shrink(1.0), 3.0, stroke, StrokeKind::Inside);
        }
        let font = self.font(column, look);
        let text_rect = cell.shrink2(vec2(self.density.pad, 0.0));
        if look.changed {
            let dot = pos2(cell.left() + self.density.pad * 0.5 + 0.5, cell.top() + 5.0);
            ui.painter().circle_filled(dot, 2.0, theme.accent);
        }
        if self.editable {
            return self.scrub(row, column, look).show_at(ui, text_rect);
        }
        let color = if look.dim { theme.quiet } else { theme.ink };
        ui.painter().text_right(
            text_rect.right_center(),
            number_text::fixed(value, decimals),
            font,
            color,
        );
        None
    }

    fn font(&self, column: usize, look: Look) -> FontId {
        let strong = look.changed || look.differs || (column == 3 && !look.dim);
        FontId::new(self.density.font, family::mono(strong))
    }

    /// A number that the reader may change.
    fn scrub(&self, row: usize, column: usize, look: Look) -> Scrub {
        let value = f64::from(self.matrix.col(column)[row]);
        let unit = significant_digits::unit(self.magnitude.of_column(column));
        // In a tiny model, too, one may type 1.
        let most = 1000.0 * unit.max(1.0);
        let label = format!("{}, row {}, column {}", self.name, row + 1, column + 1);
        Scrub::new((&self.id, row, column), value, label)
            .decimals(self.magnitude.decimals(self.density.decimals)[column])
            // A hundred points are one unit: a head leaves its neck in one drag.
            .step(0.01 * unit)
            .limits(-most..=most)
            .changed(look.changed)
            .color(
                self.theme
                    .text_on(self.theme.accent, self.theme.column(column)),
            )
            .font(self.font(column, look))
    }

    fn headings(
        &self,
        ui: &mut Ui,
        rect: Rect,
        widths: &[f32; 4],
        answer: &mut GridAnswer,
        table: &mut TableNodes,
    ) {
        let font = FontId::proportional(self.density.font.min(12.0));
        let narrowest = widths.iter().copied().fold(f32::INFINITY, f32::min);
        let words = MEANING
            .iter()
            .find(|words| {
                words.iter().all(|word| {
                    let galley = ui.painter().layout_no_wrap(
                        (*word).to_owned(),
                        font.clone(),
                        self.theme.quiet,
                    );
                    galley.size().x + 4.0 <= narrowest
                })
            })
            .unwrap_or(&MEANING[2]);
        let mut left = rect.left() + self.density.bracket;
        for (column, &width) in widths.iter().enumerate() {
            let heading = Rect::from_min_size(pos2(left, rect.top()), vec2(width, HEADINGS - 2.0));
            let id = eframe::egui::Id::unique(("matrix heading", &self.id, column));
            let words_heard = Some(MEANING[0][column]);
            let mut told = table.cell((0, column + 1), Role::ColumnHeader, words_heard, heading);
            let ui = told.as_mut().unwrap_or(ui);
            let response = ui.interact(heading, id, Sense::hover());
            if touch::is_pointed_at(&response) {
                answer.hovered_column = Some(column);
            }
            ui.painter().text_right(
                pos2(heading.right() - self.density.pad, heading.center().y),
                words[column],
                font.clone(),
                self.theme.quiet,
            );
            response.tip(format!(
                "Column {}: where the {}.",
                column + 1,
                MEANING[0][column].replace("goes to", "goes")
            ));
            left += width;
        }
    }

    fn brackets(&self, painter: &Painter, body: Rect) {
        let stroke = Stroke::new(1.5, self.brackets);
        let reach = self.density.bracket - 2.0;
        for (x, inward) in [(body.left() + 2.0, reach), (body.right() - 2.0, -reach)] {
            painter.line(
                vec![
                    pos2(x + inward, body.top()),
                    pos2(x, body.top()),
                    pos2(x, body.bottom()),
                    pos2(x + inward, body.bottom()),
                ],
                stroke,
            );
        }
    }

    /// A table whose first row and column are heads; the body begins at `top`.
    fn describe(&self, ui: &mut Ui, response: &Response, top: f32) -> TableNodes {
        response.widget_info(|| WidgetInfo::labeled(Role::Table, true, &self.name));
        let whole = response.rect;
        let height = self.density.row();
        let line = |row: usize| {
            let (from, height) = match row {
                0 => (whole.top(), HEADINGS),
                row => (top + 2.0 + (row - 1) as f32 * height, height),
            };
            Rect::from_min_size(pos2(whole.left(), from), vec2(whole.width(), height))
        };
        let lines = [0, 1, 2, 3, 4].map(line);
        let mut table = TableNodes::begin(ui, response.id, &lines, 5);
        for (row, line) in lines.into_iter().enumerate() {
            let head = line.with_max_x(line.left() + self.density.bracket);
            match row {
                0 => table.cell((0, 0), Role::Cell, None, head),
                row => table.cell((row, 0), Role::RowHeader, Some(ROWS[row - 1]), head),
            };
        }
        table
    }

    /// What holds the number at (row, column) for those who hear the page.
    fn cell(&self, table: &mut TableNodes, row: usize, column: usize, rect: Rect) -> Option<Ui> {
        let decimals = self.magnitude.decimals(self.density.decimals.max(3))[column];
        let number = f64::from(self.matrix.col(column)[row]);
        let words = (!self.editable).then(|| number_text::fixed(number, decimals));
        table.cell((row + 1, column + 1), Role::Cell, words.as_deref(), rect)
    }
}

/// Digits before the point of a number as it is written.
#[must_use]
pub fn digits_before_point(text: &str) -> usize {
    let whole = text.trim_start_matches(number_text::MINUS);
    let whole = whole.split('.').next().unwrap_or_default();
    whole.chars().count()
}
