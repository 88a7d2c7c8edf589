//! A 4×4 matrix as one would set it on paper: brackets, a wash per column,
//! numbers aligned on the point.

use bindpose_notebook::matrix::COLUMN_MEANINGS;
use bindpose_notebook::number_text;
use bindpose_notebook::significant_digits::{self, Magnitude};
use eframe::egui::{
    Color32, FontId, Painter, Pos2, Rect, Response, Sense, Stroke, StrokeKind, Ui, Vec2,
    WidgetInfo, accesskit::Role, pos2, vec2,
};
use glam::Mat4;

use super::matrix_density::{Density, MatrixRoom};
use super::tip::Tip as _;
use super::{PaintText, Scrub, ScrubChange, TableNodes, lit_shape};
use crate::theme::{Theme, family};
use crate::touch;

/// How one number looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NumberLook {
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
    pub room: MatrixRoom,
    /// The outline of outlined cells.
    pub outline: Color32,
    /// The brackets: ink, or a joint's colour while the joint is lit.
    pub brackets: Color32,
    /// Can it be edited?
    pub editable: bool,
    /// What stands at its edges, and how it lies.
    pub heads: MatrixHeads,
}

/// What the rows and columns of a matrix are named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatrixHeads {
    /// Over each column, where it takes what: an axis, or the origin.
    Columns,
    /// Written for row vectors: each column of the matrix is a row, with its name
    /// before it. What is asked for and answered stays in rows and columns of the
    /// matrix.
    Rows,
    /// By their numbers from 1 alone: of a matrix that may be transposed, and of
    /// which it is asked whether it is.
    Numbers,
}

impl MatrixHeads {
    /// Of the matrices of a page, by what its vectors are.
    pub fn of_vectors(are_rows: bool) -> Self {
        if are_rows { Self::Rows } else { Self::Columns }
    }
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

/// Heads of rows and columns that have no names.
const NUMBERS: [&str; 4] = ["1", "2", "3", "4"];

/// What the columns of a matrix say, long, shorter, shortest.
const MEANING: [[&str; 4]; 3] =
    [COLUMN_MEANINGS, ["x axis", "y axis", "z axis", "origin"], ["x", "y", "z", "o"]];

impl MatrixGrid<'_> {
    /// The room it takes, headings included.
    pub fn size(&self, ui: &Ui) -> Vec2 {
        let widths = self.widths(ui);
        vec2(
            self.row_heads(ui) + widths.iter().sum::<f32>() + 2.0 * self.density.bracket,
            HEADINGS + 4.0 * self.density.row() + 4.0,
        )
    }

    /// Draws it. `look` says how the number at (row, column) looks.
    pub fn show(
        &self,
        ui: &mut Ui,
        at: Pos2,
        look: impl Fn(usize, usize) -> NumberLook,
    ) -> GridAnswer {
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
        let mut answer = GridAnswer { response, hovered: None, hovered_column: None, change: None };
        let body_left = rect.left() + self.row_heads(ui);
        let body = Rect::from_min_max(pos2(body_left, top), rect.max);
        self.brackets(ui.painter(), body);
        if self.is_transposed() {
            self.headings_of_rows(ui, rect, &widths, &mut answer, &mut table);
        } else {
            self.headings(ui, rect, &widths, &mut answer, &mut table);
        }
        let pointer = answer.response.hover_pos();
        let numbers_left = body_left + self.density.bracket;
        self.washes(ui.painter(), pos2(numbers_left, top + 2.0), &widths);
        // Over the washes of the columns: a number that is typed needs more room.
        let mut left = numbers_left;
        let mut typed = None;
        for (across, width) in widths.into_iter().enumerate() {
            for down in 0..4 {
                let cell = Rect::from_min_size(
                    pos2(left, top + 2.0 + down as f32 * self.density.row()),
                    vec2(width, self.density.row()),
                );
                let (row, column) = self.turned(down, across);
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
        let widths = [0, 1, 2, 3].map(|column: usize| {
            let sign = if self.room.signs[column] { 1.0 } else { 0.4 };
            let decimals = decimals[column];
            let point = usize::from(decimals > 0);
            let digits = self.room.digits[column].max(1) + point + decimals;
            ((sign + digits as f32) * glyph + 2.0 * self.density.pad).ceil()
        });
        if self.is_transposed() {
            // Each holds a number of every column of the matrix.
            return [widths.into_iter().fold(0.0, f32::max); 4];
        }
        widths
    }

    fn is_transposed(&self) -> bool {
        self.heads == MatrixHeads::Rows
    }

    /// Row and column of the matrix where it is written so far down and across; and the
    /// other way round.
    fn turned(&self, down: usize, across: usize) -> (usize, usize) {
        if self.is_transposed() { (across, down) } else { (down, across) }
    }

    /// A tint for each column of the matrix that has a name.
    fn washes(&self, painter: &Painter, at: Pos2, widths: &[f32; 4]) {
        if self.heads == MatrixHeads::Numbers {
            return;
        }
        let all = vec2(widths.iter().sum(), 4.0 * self.density.row());
        let mut corner = at;
        for (column, &width) in widths.iter().enumerate() {
            let size = if self.is_transposed() {
                vec2(all.x, self.density.row())
            } else {
                vec2(width, all.y)
            };
            let strip = Rect::from_min_size(corner, size);
            painter.rect_filled(strip, 0.0, self.theme.column(column));
            corner += if self.is_transposed() { vec2(0.0, size.y) } else { vec2(size.x, 0.0) };
        }
    }

    fn number(
        &self,
        ui: &mut Ui,
        cell: Rect,
        row: usize,
        column: usize,
        look: NumberLook,
    ) -> Option<ScrubChange> {
        let theme = self.theme;
        let value = f64::from(self.matrix.col(column)[row]);
        let decimals = self.magnitude.decimals(self.density.decimals)[column];
        if look.lit || look.differs {
            ui.painter().add(lit_shape(theme, cell, 2.0));
        }
        if look.outlined {
            let stroke = Stroke::new(2.0, self.outline);
            ui.painter().rect_stroke(cell.shrink(1.0), 3.0, stroke, StrokeKind::Inside);
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

    fn font(&self, column: usize, look: NumberLook) -> FontId {
        let is_origin = column == 3 && self.heads != MatrixHeads::Numbers;
        let strong = look.changed || look.differs || (is_origin && !look.dim);
        FontId::new(self.density.font, family::mono(strong))
    }

    /// A number that the reader may change.
    fn scrub(&self, row: usize, column: usize, look: NumberLook) -> Scrub {
        let value = f64::from(self.matrix.col(column)[row]);
        let unit = significant_digits::unit(self.magnitude.of_column(column));
        // In a tiny model, too, one may type 1.
        let most = 1000.0 * unit.max(1.0);
        let (down, across) = self.turned(row, column);
        let label = format!("{}, row {}, column {}", self.name, down + 1, across + 1);
        Scrub::new((&self.id, row, column), value, label)
            .decimals(self.magnitude.decimals(self.density.decimals)[column])
            // A hundred points are one unit: a head leaves its neck in one drag.
            .step(0.01 * unit)
            .limits(-most..=most)
            .changed(look.changed)
            .color(self.theme.text_on(self.theme.accent, self.theme.column(column)))
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
        let font = self.heading_font();
        let narrowest = widths.iter().copied().fold(f32::INFINITY, f32::min);
        let (heard, choices) = match self.heads {
            MatrixHeads::Numbers => (NUMBERS, &[NUMBERS; 3]),
            MatrixHeads::Columns | MatrixHeads::Rows => (MEANING[0], &MEANING),
        };
        let words = choices
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
            .unwrap_or(&choices[2]);
        let mut left = rect.left() + self.density.bracket;
        for (column, &width) in widths.iter().enumerate() {
            let heading = Rect::from_min_size(pos2(left, rect.top()), vec2(width, HEADINGS - 2.0));
            let id = eframe::egui::Id::unique(("matrix heading", &self.id, column));
            let words_heard = Some(heard[column]);
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
            if heard != NUMBERS {
                let meaning = heard[column].replace("goes to", "goes");
                response.tip(format!("Column {}: where the {meaning}.", column + 1));
            }
            left += width;
        }
    }

    fn heading_font(&self) -> FontId {
        FontId::proportional(self.density.font.min(12.0))
    }

    /// Room for what stands before the rows.
    fn row_heads(&self, ui: &Ui) -> f32 {
        if !self.is_transposed() {
            return 0.0;
        }
        let width = |words: &str| {
            let galley = ui.painter().layout_no_wrap(
                words.to_owned(),
                self.heading_font(),
                self.theme.quiet,
            );
            galley.size().x
        };
        let words = self.row_words();
        words.map(width).into_iter().fold(0.0, f32::max).ceil() + 6.0
    }

    /// Short where type is small.
    fn row_words(&self) -> [&'static str; 4] {
        MEANING[if self.density.font >= 13.0 { 1 } else { 2 }]
    }

    /// What the columns of the matrix mean stands before its rows, as it is written; over
    /// the columns the coordinates that they make.
    fn headings_of_rows(
        &self,
        ui: &mut Ui,
        rect: Rect,
        widths: &[f32; 4],
        answer: &mut GridAnswer,
        table: &mut TableNodes,
    ) {
        let heads = self.row_heads(ui);
        let mut left = rect.left() + heads + self.density.bracket;
        for (across, &width) in widths.iter().enumerate() {
            let heading = Rect::from_min_size(pos2(left, rect.top()), vec2(width, HEADINGS - 2.0));
            table.cell((0, across + 1), Role::ColumnHeader, Some(ROWS[across]), heading);
            ui.painter().text_right(
                pos2(heading.right() - self.density.pad, heading.center().y),
                ROWS[across],
                self.heading_font(),
                self.theme.quiet,
            );
            left += width;
        }
        for (column, words) in self.row_words().into_iter().enumerate() {
            let top = rect.top() + HEADINGS + 2.0 + column as f32 * self.density.row();
            let heading =
                Rect::from_min_size(pos2(rect.left(), top), vec2(heads, self.density.row()));
            let id = eframe::egui::Id::unique(("matrix heading", &self.id, column));
            let response = ui.interact(heading, id, Sense::hover());
            if touch::is_pointed_at(&response) {
                answer.hovered_column = Some(column);
            }
            ui.painter().text_right(
                pos2(heading.right() - 4.0, heading.center().y),
                words,
                self.heading_font(),
                self.theme.quiet,
            );
            response.tip(format!(
                "Row {}: where the {}.",
                column + 1,
                MEANING[0][column].replace("goes to", "goes")
            ));
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
        let heads = match self.heads {
            MatrixHeads::Columns => ROWS,
            MatrixHeads::Rows => MEANING[0],
            MatrixHeads::Numbers => NUMBERS,
        };
        let mut table = TableNodes::begin(ui, response.id, &lines, 5);
        for (row, line) in lines.into_iter().enumerate() {
            let head = line.with_max_x(line.left() + self.density.bracket);
            match row {
                0 => table.cell((0, 0), Role::Cell, None, head),
                row => table.cell((row, 0), Role::RowHeader, Some(heads[row - 1]), head),
            };
        }
        table
    }

    /// What holds the number at (row, column) for those who hear the page.
    fn cell(&self, table: &mut TableNodes, row: usize, column: usize, rect: Rect) -> Option<Ui> {
        let decimals = self.magnitude.decimals(self.density.decimals.max(3))[column];
        let number = f64::from(self.matrix.col(column)[row]);
        let words = (!self.editable).then(|| number_text::fixed(number, decimals));
        let (down, across) = self.turned(row, column);
        table.cell((down + 1, across + 1), Role::Cell, words.as_deref(), rect)
    }
}
