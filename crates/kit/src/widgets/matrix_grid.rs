//! A 4×4 matrix as it is set on paper: brackets, a wash behind each column, and numbers
//! aligned on the point.

use bindpose_lesson::significant_digits::{self, Magnitude};
use bindpose_lesson::{COLUMN_MEANINGS, number_text};
use eframe::egui::{
    Color32, FontId, Painter, Pos2, Rect, Response, Sense, Stroke, StrokeKind, Ui, Vec2,
    WidgetInfo, accesskit::Role, pos2, vec2,
};
use glam::Mat4;

use super::matrix_density::{Density, MatrixRoom};
use super::tip::Tip as _;
use super::{PaintText, Scrub, ScrubChange, TableNodes, highlight_shape};
use crate::theme::{Theme, family};
use crate::touch;

/// Appearance of one number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NumberStyle {
    /// Has the background of linked things.
    pub lit: bool,
    /// Has an outline, because a task refers to this very cell.
    pub outlined: bool,
    /// Differs from the stored value. Drawn in bold with a dot.
    pub changed: bool,
    /// An exact zero in a difference, drawn in a quiet color.
    pub dim: bool,
    /// Nonzero in a difference, and therefore highlighted.
    pub differs: bool,
}

pub struct MatrixGrid<'a> {
    pub theme: &'a Theme,
    /// Stable id, made of the cell id and the position within the cell.
    pub id: String,
    /// Accessible name, such as `world from joint 1`.
    pub name: String,
    pub matrix: Mat4,
    /// Magnitude of the numbers, which determines their decimals.
    pub magnitude: Magnitude,
    pub density: Density,
    /// Space for the numbers, shared by the matrices in a row with the same decimals.
    pub room: MatrixRoom,
    /// Color of the outline of outlined cells.
    pub outline: Color32,
    /// Color of the brackets: ink, or the joint's color while the joint is highlighted.
    pub brackets: Color32,
    pub editable: bool,
    /// Headings and orientation.
    pub heads: MatrixHeads,
    /// Number of rows of the matrix that are shown: 4, or 3 without the last one, which is
    /// 0 0 0 1 in every affine matrix.
    pub row_count: usize,
}

/// Headings of rows and columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatrixHeads {
    /// A heading over each column that names the image of an axis, or the origin.
    Columns,
    /// Written for row vectors: each column of the matrix is drawn as a row, with its
    /// heading before it. The indices of [`MatrixGrid::show`] and [`GridOutput`] remain
    /// rows and columns of the matrix.
    Rows,
    /// Numbers from 1. For a matrix that may be transposed, when the reader has to find
    /// out whether it is.
    Numbers,
}

impl MatrixHeads {
    /// Returns the headings for row vectors or for column vectors.
    pub fn for_vectors(are_row_vectors: bool) -> Self {
        if are_row_vectors { Self::Rows } else { Self::Columns }
    }
}

/// Result of drawing a [`MatrixGrid`].
pub struct GridOutput {
    /// Response of the whole grid.
    pub response: Response,
    /// Row and column of the number under the pointer.
    pub hovered: Option<(usize, usize)>,
    /// Column of the matrix whose heading is under the pointer.
    pub hovered_column: Option<usize>,
    /// Row and column of the number that the reader has changed, and the change.
    pub change: Option<(usize, usize, ScrubChange)>,
}

/// Height of the line of column headings, in points.
pub const HEADINGS_HEIGHT_PTS: f32 = 18.0;

/// Row headings for screen readers.
const ROW_HEADS: [&str; 4] = ["x", "y", "z", "w"];

/// Headings of rows and columns without names.
const NUMBER_HEADS: [&str; 4] = ["1", "2", "3", "4"];

/// Meanings of the columns of a matrix: long, shorter and shortest.
const COLUMN_HEADS: [[&str; 4]; 3] =
    [COLUMN_MEANINGS, ["x axis", "y axis", "z axis", "origin"], ["x", "y", "z", "o"]];

impl MatrixGrid<'_> {
    /// Size of the matrix, including headings.
    pub fn size(&self, ui: &Ui) -> Vec2 {
        vec2(
            self.row_heads_width(ui)
                + self.column_widths(ui).iter().sum::<f32>()
                + 2.0 * self.density.bracket,
            HEADINGS_HEIGHT_PTS + self.body_height() + 4.0,
        )
    }

    /// Draws the matrix at `at`. `look` returns the appearance of the number at a row and
    /// column.
    pub fn show(
        &self,
        ui: &mut Ui,
        at: Pos2,
        look: impl Fn(usize, usize) -> NumberStyle,
    ) -> GridOutput {
        let size = self.size(ui);
        let rect = Rect::from_min_size(at, size);
        let grid_rect = rect;
        let column_widths = self.column_widths(ui);
        let response = ui.interact(
            rect,
            eframe::egui::Id::unique(("matrix", &self.id)),
            // Not a stop for the Tab key, because the grid is read and not operated.
            Sense::CLICK,
        );
        let top = rect.top() + HEADINGS_HEIGHT_PTS;
        let mut table = self.describe_table(ui, &response, top);
        let mut output = GridOutput { response, hovered: None, hovered_column: None, change: None };
        let body_left = rect.left() + self.row_heads_width(ui);
        let body = Rect::from_min_max(pos2(body_left, top), rect.max);
        self.paint_brackets(ui.painter(), body);
        if self.is_transposed() {
            self.row_headings_ui(ui, rect, &column_widths, &mut output, &mut table);
        } else {
            self.column_headings_ui(ui, rect, &column_widths, &mut output, &mut table);
        }
        let pointer = output.response.hover_pos();
        let numbers_left = body_left + self.density.bracket;
        self.paint_washes(ui.painter(), pos2(numbers_left, top + 2.0), &column_widths);
        // A number that is being typed into needs more space, so that it is drawn last,
        // over the others.
        let mut typed = None;
        let mut left = numbers_left;
        for (across, width) in column_widths.into_iter().enumerate() {
            for down in 0..self.down_count() {
                let rect = Rect::from_min_size(
                    pos2(left, top + 2.0 + down as f32 * self.density.row_height()),
                    vec2(width, self.density.row_height()),
                );
                let (row, column) = self.transpose_if_rows(down, across);
                if pointer.is_some_and(|pointer| rect.contains(pointer)) {
                    output.hovered = Some((row, column));
                }
                let look = look(row, column);
                let mut cell_ui = self.add_cell_node(&mut table, row, column, rect);
                if self.editable && self.scrub(row, column, look).is_typed(ui) {
                    typed = Some((cell_ui, rect, row, column, look));
                    continue;
                }
                let ui = cell_ui.as_mut().unwrap_or(ui);
                if let Some(change) = self.number_ui(ui, grid_rect, rect, row, column, look) {
                    output.change = Some((row, column, change));
                }
            }
            left += width;
        }
        if let Some((cell_ui, rect, row, column, look)) = &mut typed {
            let ui = cell_ui.as_mut().unwrap_or(ui);
            if let Some(change) = self.number_ui(ui, grid_rect, *rect, *row, *column, *look) {
                output.change = Some((*row, *column, change));
            }
        }
        output
    }

    /// Number of numbers below each other on the page.
    fn down_count(&self) -> usize {
        if self.is_transposed() { 4 } else { self.row_count }
    }

    /// Height of the numbers, in points.
    fn body_height(&self) -> f32 {
        self.down_count() as f32 * self.density.row_height()
    }

    /// Widths of the columns on the page.
    fn column_widths(&self, ui: &Ui) -> Vec<f32> {
        let digit_width =
            ui.fonts_mut(|fonts| fonts.glyph_width(&FontId::monospace(self.density.font), '0'));
        let decimals = self.magnitude.decimals(self.density.decimals);
        let column_widths = [0, 1, 2, 3].map(|column: usize| {
            let sign_width = if self.room.signs[column] { 1.0 } else { 0.4 };
            let decimals = decimals[column];
            let point = usize::from(decimals > 0);
            let char_count = self.room.digits[column].max(1) + point + decimals;
            ((sign_width + char_count as f32) * digit_width + 2.0 * self.density.pad).ceil()
        });
        if self.is_transposed() {
            // Each column on the page has a number of every column of the matrix.
            return vec![column_widths.into_iter().fold(0.0, f32::max); self.row_count];
        }
        column_widths.to_vec()
    }

    fn is_transposed(&self) -> bool {
        self.heads == MatrixHeads::Rows
    }

    /// Converts a position on the page, counted downward and across, to a row and column
    /// of the matrix, or back.
    fn transpose_if_rows(&self, down: usize, across: usize) -> (usize, usize) {
        if self.is_transposed() { (across, down) } else { (down, across) }
    }

    /// Paints a tint behind each column of the matrix that has a name.
    fn paint_washes(&self, painter: &Painter, origin: Pos2, column_widths: &[f32]) {
        if self.heads == MatrixHeads::Numbers {
            return;
        }
        let total_size = vec2(column_widths.iter().sum(), self.body_height());
        let mut corner = origin;
        let strips = if self.is_transposed() {
            [vec2(total_size.x, self.density.row_height()); 4]
        } else {
            [0, 1, 2, 3].map(|column: usize| vec2(column_widths[column], total_size.y))
        };
        for (column, size) in strips.into_iter().enumerate() {
            let strip = Rect::from_min_size(corner, size);
            painter.rect_filled(strip, 0.0, self.theme.column_background(column));
            corner += if self.is_transposed() { vec2(0.0, size.y) } else { vec2(size.x, 0.0) };
        }
    }

    fn number_ui(
        &self,
        ui: &mut Ui,
        grid_rect: Rect,
        rect: Rect,
        row: usize,
        column: usize,
        look: NumberStyle,
    ) -> Option<ScrubChange> {
        let theme = self.theme;
        let value = f64::from(self.matrix.col(column)[row]);
        let decimals = self.magnitude.decimals(self.density.decimals)[column];
        if look.lit || look.differs {
            ui.painter().add(highlight_shape(theme, rect, 2.0));
        }
        if look.outlined {
            let stroke = Stroke::new(2.0, self.outline);
            ui.painter().rect_stroke(rect.shrink(1.0), 3.0, stroke, StrokeKind::Inside);
        }
        let font = self.font(column, look);
        let text_rect = rect.shrink2(vec2(self.density.pad, 0.0));
        if look.changed {
            let dot = pos2(rect.left() + self.density.pad * 0.5 + 0.5, rect.top() + 5.0);
            ui.painter().circle_filled(dot, 2.0, theme.accent);
        }
        if self.editable {
            return self.scrub(row, column, look).in_group(grid_rect).show_at(ui, text_rect);
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

    fn font(&self, column: usize, look: NumberStyle) -> FontId {
        let is_origin = column == 3 && self.heads != MatrixHeads::Numbers;
        let strong = look.changed || look.differs || (is_origin && !look.dim);
        FontId::new(self.density.font, family::mono(strong))
    }

    /// Returns the drag value for a number that the reader may change.
    fn scrub(&self, row: usize, column: usize, look: NumberStyle) -> Scrub {
        let value = f64::from(self.matrix.col(column)[row]);
        let unit = significant_digits::unit(self.magnitude.of_column(column));
        // Allows values up to at least 1000, also in a tiny model.
        let limit = 1000.0 * unit.max(1.0);
        let (down, across) = self.transpose_if_rows(row, column);
        let label = format!("{}, row {}, column {}", self.name, down + 1, across + 1);
        Scrub::new((&self.id, row, column), value, label)
            .decimals(self.magnitude.decimals(self.density.decimals)[column])
            // A drag of 100 points changes the number by one unit, enough to pull a
            // head off its neck.
            .step(0.01 * unit)
            .limits(-limit..=limit)
            .changed(look.changed)
            .color(self.theme.text_on(self.theme.accent, self.theme.column_background(column)))
            .font(self.font(column, look))
    }

    fn column_headings_ui(
        &self,
        ui: &mut Ui,
        rect: Rect,
        column_widths: &[f32],
        output: &mut GridOutput,
        table: &mut TableNodes,
    ) {
        let font = self.heading_font();
        let min_width = column_widths.iter().copied().fold(f32::INFINITY, f32::min);
        let (spoken_heads, candidates) = match self.heads {
            MatrixHeads::Numbers => (NUMBER_HEADS, &[NUMBER_HEADS; 3]),
            MatrixHeads::Columns | MatrixHeads::Rows => (COLUMN_HEADS[0], &COLUMN_HEADS),
        };
        let shown_heads = candidates
            .iter()
            .find(|heads| {
                heads.iter().all(|head| {
                    let galley = ui.painter().layout_no_wrap(
                        (*head).to_owned(),
                        font.clone(),
                        self.theme.quiet,
                    );
                    galley.size().x + 4.0 <= min_width
                })
            })
            .unwrap_or(&candidates[2]);
        let mut left = rect.left() + self.density.bracket;
        for (column, &width) in column_widths.iter().enumerate() {
            let heading_rect =
                Rect::from_min_size(pos2(left, rect.top()), vec2(width, HEADINGS_HEIGHT_PTS - 2.0));
            let id = eframe::egui::Id::unique(("matrix heading", &self.id, column));
            let spoken_head = Some(spoken_heads[column]);
            let mut cell_ui =
                table.add_cell(0, column + 1, Role::ColumnHeader, spoken_head, heading_rect);
            let ui = cell_ui.as_mut().unwrap_or(ui);
            let response = ui.interact(heading_rect, id, Sense::hover());
            if touch::is_pointed_at(&response) {
                output.hovered_column = Some(column);
            }
            ui.painter().text_right(
                pos2(heading_rect.right() - self.density.pad, heading_rect.center().y),
                shown_heads[column],
                font.clone(),
                self.theme.quiet,
            );
            if spoken_heads != NUMBER_HEADS {
                let meaning = spoken_heads[column].replace("goes to", "goes");
                response.tip(format!("Column {}: where the {meaning}.", column + 1));
            }
            left += width;
        }
    }

    fn heading_font(&self) -> FontId {
        FontId::proportional(self.density.font.min(12.0))
    }

    /// Width of the headings before the rows. 0 if there are none.
    fn row_heads_width(&self, ui: &Ui) -> f32 {
        if !self.is_transposed() {
            return 0.0;
        }
        let mut max_width: f32 = 0.0;
        for head in self.row_heads() {
            let galley =
                ui.painter().layout_no_wrap(head.to_owned(), self.heading_font(), self.theme.quiet);
            max_width = max_width.max(galley.size().x);
        }
        max_width.ceil() + 6.0
    }

    /// Headings of rows, which are shorter for small type.
    fn row_heads(&self) -> [&'static str; 4] {
        COLUMN_HEADS[if self.density.font >= 13.0 { 1 } else { 2 }]
    }

    /// Draws the headings of a transposed matrix: the meanings of its columns before the
    /// rows on the page, and coordinates over the columns on the page.
    fn row_headings_ui(
        &self,
        ui: &mut Ui,
        rect: Rect,
        column_widths: &[f32],
        output: &mut GridOutput,
        table: &mut TableNodes,
    ) {
        let heads_width = self.row_heads_width(ui);
        let mut left = rect.left() + heads_width + self.density.bracket;
        for (across, &width) in column_widths.iter().enumerate() {
            let heading =
                Rect::from_min_size(pos2(left, rect.top()), vec2(width, HEADINGS_HEIGHT_PTS - 2.0));
            table.add_cell(0, across + 1, Role::ColumnHeader, Some(ROW_HEADS[across]), heading);
            ui.painter().text_right(
                pos2(heading.right() - self.density.pad, heading.center().y),
                ROW_HEADS[across],
                self.heading_font(),
                self.theme.quiet,
            );
            left += width;
        }
        for (column, head) in self.row_heads().into_iter().enumerate() {
            let top =
                rect.top() + HEADINGS_HEIGHT_PTS + 2.0 + column as f32 * self.density.row_height();
            let heading = Rect::from_min_size(
                pos2(rect.left(), top),
                vec2(heads_width, self.density.row_height()),
            );
            let id = eframe::egui::Id::unique(("matrix heading", &self.id, column));
            let response = ui.interact(heading, id, Sense::hover());
            if touch::is_pointed_at(&response) {
                output.hovered_column = Some(column);
            }
            ui.painter().text_right(
                pos2(heading.right() - 4.0, heading.center().y),
                head,
                self.heading_font(),
                self.theme.quiet,
            );
            response.tip(format!(
                "Row {}: where the {}.",
                column + 1,
                COLUMN_HEADS[0][column].replace("goes to", "goes")
            ));
        }
    }

    fn paint_brackets(&self, painter: &Painter, body: Rect) {
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

    /// Describes the grid to screen readers as a table whose first row and column are
    /// headings. The body begins at `top`.
    fn describe_table(&self, ui: &mut Ui, response: &Response, top: f32) -> TableNodes {
        response.widget_info(|| WidgetInfo::labeled(Role::Table, true, &self.name));
        let row_height = self.density.row_height();
        let row_rects: Vec<Rect> = (0..=self.down_count())
            .map(|row| {
                let (row_top, height) = match row {
                    0 => (response.rect.top(), HEADINGS_HEIGHT_PTS),
                    row => (top + 2.0 + (row - 1) as f32 * row_height, row_height),
                };
                let size = vec2(response.rect.width(), height);
                Rect::from_min_size(pos2(response.rect.left(), row_top), size)
            })
            .collect();
        let heads = match self.heads {
            MatrixHeads::Columns => ROW_HEADS,
            MatrixHeads::Rows => COLUMN_HEADS[0],
            MatrixHeads::Numbers => NUMBER_HEADS,
        };
        let mut table = TableNodes::new(ui, response.id, &row_rects, 5);
        for (row, row_rect) in row_rects.into_iter().enumerate() {
            let rect = row_rect.with_max_x(row_rect.left() + self.density.bracket);
            match row {
                0 => table.add_cell(0, 0, Role::Cell, None, rect),
                row => table.add_cell(row, 0, Role::RowHeader, Some(heads[row - 1]), rect),
            };
        }
        table
    }

    /// Adds the table cell of the number at a row and column of the matrix. Returns
    /// `None` if no screen reader is in use.
    fn add_cell_node(
        &self,
        table: &mut TableNodes,
        row: usize,
        column: usize,
        rect: Rect,
    ) -> Option<Ui> {
        let decimals = self.magnitude.decimals(self.density.decimals.max(3))[column];
        let value = f64::from(self.matrix.col(column)[row]);
        let text = (!self.editable).then(|| number_text::fixed(value, decimals));
        let (down, across) = self.transpose_if_rows(row, column);
        table.add_cell(down + 1, across + 1, Role::Cell, text.as_deref(), rect)
    }
}
