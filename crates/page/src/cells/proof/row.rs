//! A row of the table: side by side in columns if there is room, or in three lines.

use bindpose_kit::theme::{CAPTION_SIZE, FINE_SIZE, SMALL_SIZE, Theme, font};
use bindpose_kit::widgets::{PaintText, paint_verdict};
use bindpose_lesson::number_text::{grouped, scientific};
use bindpose_notebook::Entity;
use bindpose_notebook::gpu_proof::ProofOutcome;
use eframe::egui::{
    Align, Color32, FontId, Layout, Link, Pos2, Rect, RichText, Role, Sense, Ui, UiBuilder,
    WidgetInfo, pos2, vec2,
};

use super::results::RowResult;
use crate::PageContext;

/// Widths of the columns for a font of 12 points: method, largest error, mean error,
/// normals, worst vertex, verdict.
const COLUMN_WIDTHS_PTS: [f32; 6] = [96.0, 82.0, 82.0, 82.0, 44.0, 74.0];
const COLUMN_TITLES: [&str; 6] = ["method", "largest error", "mean error", "normals", "worst", ""];
/// Index of the column that is left out first.
const MEAN_COLUMN: usize = 2;
/// Width of the column with the number of vertices, which is only shown if there is room.
const VERTICES_WIDTH_PTS: f32 = 62.0;

pub(super) enum ProofColumns {
    SideBySide(SideColumns),
    /// Three lines for each row.
    Stacked,
}

/// Widths of columns that are side by side.
pub(super) struct SideColumns {
    font_size: f32,
    /// Widths in the order of [`COLUMN_WIDTHS_PTS`]. 0 for a column that is left out.
    widths: [f32; 6],
    /// Width of the column with the number of vertices, if there is one.
    vertices_width: Option<f32>,
}

impl ProofColumns {
    /// Returns the layout with the most columns that fit into the width.
    pub(super) fn fit(available_width: f32) -> Self {
        let total: f32 = COLUMN_WIDTHS_PTS.iter().sum();
        let mean_width = COLUMN_WIDTHS_PTS[MEAN_COLUMN];
        if available_width < total - mean_width {
            return Self::Stacked;
        }
        let mut widths = COLUMN_WIDTHS_PTS;
        let mut vertices_width = None;
        let mut min_width = total;
        if available_width >= total + VERTICES_WIDTH_PTS {
            vertices_width = Some(VERTICES_WIDTH_PTS);
            min_width += VERTICES_WIDTH_PTS;
        } else if available_width < total {
            widths[MEAN_COLUMN] = 0.0;
            min_width -= mean_width;
        }
        let scale = available_width / min_width;
        Self::SideBySide(SideColumns {
            font_size: (FINE_SIZE * scale).min(SMALL_SIZE),
            widths: widths.map(|width| width * scale),
            vertices_width: vertices_width.map(|width| width * scale),
        })
    }

    /// Draws the column titles. Rows in lines have their titles in each line instead.
    pub(super) fn titles_ui(&self, ui: &mut Ui, theme: &Theme) {
        let Self::SideBySide(columns) = self else {
            return;
        };
        let rect = allocate_row(ui, 22.0);
        let font = FontId::proportional(FINE_SIZE);
        let painter = ui.painter();
        painter.text_left(rect.left_center(), COLUMN_TITLES[0], font.clone(), theme.quiet);
        let y = rect.center().y;
        let mut right = rect.left() + columns.widths[0];
        if let Some(width) = columns.vertices_width {
            right += width;
            painter.text_right(pos2(right, y), "vertices", font.clone(), theme.quiet);
        }
        for (width, title) in columns.widths.iter().zip(COLUMN_TITLES).skip(1) {
            right += width;
            if *width > 0.0 {
                painter.text_right(pos2(right, y), title, font.clone(), theme.quiet);
            }
        }
    }
}

/// A row of the table.
pub(super) struct ProofRow<'a> {
    /// Name of the transport, for the accessible name.
    pub(super) transport: &'a str,
    pub(super) method: &'a str,
    /// `None` if not compared yet.
    pub(super) result: Option<&'a RowResult>,
    /// Message that replaces the numbers.
    pub(super) error: Option<&'a str>,
    /// Whether the picture is drawn with this transport and method.
    pub(super) is_picture: bool,
}

impl ProofRow<'_> {
    pub(super) fn ui(&self, ui: &mut Ui, columns: &ProofColumns, page: &mut PageContext<'_>) {
        if let Some(message) = self.error {
            self.error_ui(ui, message, page);
            return;
        }
        match self.result.map(|result| &result.outcome) {
            Some(Err(message)) => self.error_ui(ui, message, page),
            Some(Ok(outcome)) => self.numbers_ui(ui, columns, Some(outcome), page),
            None => self.numbers_ui(ui, columns, None, page),
        }
    }

    fn is_stale(&self) -> bool {
        self.result.is_some_and(|result| result.is_stale)
    }

    fn verdict(&self) -> &'static str {
        match self.result {
            None => "waiting",
            Some(result) if result.is_stale => "outdated",
            Some(result) if result.passes() => "passed",
            Some(_) => "failed",
        }
    }

    /// Draws the reason why there are no numbers.
    fn error_ui(&self, ui: &mut Ui, message: &str, page: &PageContext<'_>) {
        let theme = page.theme;
        let font = FontId::proportional(CAPTION_SIZE);
        let max_width = ui.available_width();
        let text = format!("{}: {message}", self.method);
        let galley = ui.painter().layout(text, font, theme.caution, max_width);
        let rect = allocate_row(ui, (galley.size().y + 6.0).max(24.0));
        self.draw_background(ui, rect, theme);
        ui.painter().galley_left(rect.left_center(), galley, theme.caution);
        self.add_label(ui, rect, message);
    }

    fn numbers_ui(
        &self,
        ui: &mut Ui,
        columns: &ProofColumns,
        outcome: Option<&ProofOutcome>,
        page: &mut PageContext<'_>,
    ) {
        let height = match columns {
            ProofColumns::SideBySide(_) => 24.0,
            ProofColumns::Stacked => 66.0,
        };
        let rect = allocate_row(ui, height);
        self.draw_background(ui, rect, page.theme);
        let verdict = self.verdict();
        let description = match outcome {
            None => verdict.to_owned(),
            Some(outcome) => format!(
                "{verdict}, {} vertices, largest error {}, mean error {}, normals {}, worst v{}",
                outcome.vertices,
                scientific(outcome.most),
                scientific(outcome.mean),
                scientific(outcome.most_normal),
                outcome.worst,
            ),
        };
        self.add_label(ui, rect, &description);
        match columns {
            ProofColumns::SideBySide(columns) => {
                self.side_by_side_ui(ui, rect, columns, outcome, page);
            }
            ProofColumns::Stacked => self.stacked_ui(ui, rect, outcome, page),
        }
    }

    fn side_by_side_ui(
        &self,
        ui: &mut Ui,
        rect: Rect,
        columns: &SideColumns,
        outcome: Option<&ProofOutcome>,
        page: &mut PageContext<'_>,
    ) {
        let SideColumns { font_size, widths, vertices_width } = *columns;
        let y = rect.center().y;
        let number_font = FontId::monospace(font_size);
        let number_color = self.number_color(page.theme);
        self.draw_method(ui, rect.left_center(), font_size + 1.0, page.theme);
        let mut right = rect.left() + widths[0];
        if let Some(width) = vertices_width {
            right += width;
            if let Some(outcome) = outcome {
                let count = grouped(outcome.vertices as u32);
                let position = pos2(right, y);
                ui.painter().text_right(position, count, number_font.clone(), number_color);
            }
        }
        for (column, width) in widths.iter().enumerate().skip(1) {
            let left = right;
            right += width;
            if *width == 0.0 {
                continue;
            }
            let column_rect = Rect::from_x_y_ranges(left..=right, rect.y_range());
            match column {
                1..=3 => {
                    let text = format_error(outcome, column - 1);
                    let position = pos2(right, y);
                    ui.painter().text_right(position, text, number_font.clone(), number_color);
                }
                4 => {
                    if let Some(outcome) = outcome {
                        let vertex = outcome.worst as u32;
                        self.worst_vertex_link(ui, column_rect, font_size, vertex, page);
                    }
                }
                _ => self.draw_verdict(ui, column_rect, font_size + 1.0, page.theme),
            }
        }
    }

    fn stacked_ui(
        &self,
        ui: &mut Ui,
        rect: Rect,
        outcome: Option<&ProofOutcome>,
        page: &mut PageContext<'_>,
    ) {
        let first_line_y = rect.top() + 13.0;
        self.draw_method(ui, pos2(rect.left(), first_line_y), SMALL_SIZE, page.theme);
        let first_line = rect.with_max_y(rect.top() + 26.0);
        self.draw_verdict(ui, first_line, CAPTION_SIZE, page.theme);
        let half_width = (rect.width() / 2.0).min(170.0);
        for (index, title) in ["largest", "mean", "normals", "worst"].into_iter().enumerate() {
            let column = (index % 2) as f32;
            let left = rect.left() + half_width * column + 8.0 * column;
            let right = left + half_width - 12.0;
            let y = first_line_y + 21.0 + 19.0 * (index / 2) as f32;
            let title_font = FontId::proportional(FINE_SIZE);
            ui.painter().text_left(pos2(left, y), title, title_font, page.theme.quiet);
            if let (3, Some(outcome)) = (index, outcome) {
                let center = pos2(left + half_width / 2.0, y);
                let link_rect = Rect::from_center_size(center, vec2(0.0, 19.0))
                    .with_min_x(left + 50.0)
                    .with_max_x(right);
                self.worst_vertex_link(ui, link_rect, FINE_SIZE, outcome.worst as u32, page);
            } else {
                let text = format_error(outcome, index);
                let color = self.number_color(page.theme);
                ui.painter().text_right(pos2(right, y), text, FontId::monospace(FINE_SIZE), color);
            }
        }
    }

    /// Draws a wash behind a failed row and behind that of the picture.
    fn draw_background(&self, ui: &Ui, rect: Rect, theme: &Theme) {
        let has_failed = self.result.is_some_and(|result| !result.is_stale && !result.passes());
        let fill = if has_failed {
            theme.wrong_wash
        } else if self.is_picture {
            theme.accent_wash
        } else {
            Color32::TRANSPARENT
        };
        let rect = rect.expand2(vec2(6.0, 0.0));
        ui.painter().rect_filled(rect, 3.0, fill);
        if self.is_picture {
            draw_picture_bar(ui, rect, theme);
        }
    }

    fn number_color(&self, theme: &Theme) -> Color32 {
        if self.result.is_none() || self.is_stale() { theme.quiet } else { theme.ink }
    }

    fn draw_method(&self, ui: &Ui, left_center: Pos2, font_size: f32, theme: &Theme) {
        let font = font::text(font_size, self.is_picture);
        ui.painter().text_left(left_center, self.method, font, theme.ink);
    }

    /// Draws the verdict at the right end of the rectangle, and its mark left of it.
    fn draw_verdict(&self, ui: &Ui, rect: Rect, font_size: f32, theme: &Theme) {
        let current = self.result.filter(|result| !result.is_stale);
        let color = match current.map(RowResult::passes) {
            Some(true) => theme.right,
            Some(false) => theme.wrong,
            None => theme.quiet,
        };
        let font = font::text(font_size, current.is_some());
        let text_rect = ui.painter().text_right(rect.right_center(), self.verdict(), font, color);
        if let Some(result) = current {
            let center = text_rect.left_center() - vec2(11.0, 0.0);
            paint_verdict(ui, theme, center, font_size * 0.5, result.passes());
        }
    }

    /// Draws a link to the worst vertex. Hovering highlights the vertex, a click selects it.
    fn worst_vertex_link(
        &self,
        ui: &mut Ui,
        rect: Rect,
        font_size: f32,
        vertex: u32,
        page: &mut PageContext<'_>,
    ) {
        let builder = UiBuilder::new()
            .id_salt((self.transport, self.method))
            .max_rect(rect)
            .layout(Layout::right_to_left(Align::Center));
        let mut ui = ui.new_child(builder);
        let color = if self.is_stale() { page.theme.quiet } else { page.theme.accent };
        let text = RichText::new(format!("v{vertex}")).font(FontId::monospace(font_size));
        let response = ui.add(Link::new(text.color(color)));
        let label = format!("v{vertex}, worst of {}, {}: choose it", self.transport, self.method);
        response.widget_info(|| WidgetInfo::labeled(Role::Link, true, &label));
        if response.has_focus() {
            page.linked.hover(Entity::Vertex(vertex));
        }
        page.link_response(&response, Entity::Vertex(vertex));
    }

    /// Adds an accessible label that has the whole row as one sentence.
    fn add_label(&self, ui: &Ui, rect: Rect, description: &str) {
        let drawn = if self.is_picture { ", the picture is drawn like this" } else { "" };
        let label = format!("{}, {}: {description}{drawn}", self.transport, self.method);
        let id = ui.scope_id().with((self.transport, self.method));
        let response = ui.interact(rect, id, Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &label));
    }
}

/// Formats the largest error, the mean error or the largest error of normals, by index.
fn format_error(outcome: Option<&ProofOutcome>, index: usize) -> String {
    let error = outcome
        .and_then(|outcome| [outcome.most, outcome.mean, outcome.most_normal].get(index).copied());
    error.map_or("…".to_owned(), scientific)
}

/// Allocates the available width with this height.
fn allocate_row(ui: &mut Ui, height: f32) -> Rect {
    let size = vec2(ui.available_width(), height);
    ui.allocate_exact_size(size, Sense::hover()).0
}

/// Draws the mark of the picture's row, for the legend.
pub(super) fn draw_picture_mark(ui: &Ui, rect: Rect, theme: &Theme) {
    ui.painter().rect_filled(rect, 3.0, theme.accent_wash);
    draw_picture_bar(ui, rect, theme);
}

fn draw_picture_bar(ui: &Ui, rect: Rect, theme: &Theme) {
    let bar = rect.with_max_x(rect.left() + 3.0);
    ui.painter().rect_filled(bar, 1.5, theme.accent);
}
