//! Tables. Columns are as wide as their contents, narrower on a narrow page, and scrolled
//! sideways only if they still do not fit.

use bindpose_kit::theme::{CAPTION_SIZE, INTERFACE_SIZE, Theme};
use bindpose_kit::touch;
use bindpose_kit::typeset::{Face, MEASURE};
use bindpose_lesson::Inline;
use eframe::egui::{self, Pos2, Rect, Role, Stroke, Ui, UiBuilder, vec2};

use super::paragraph;
use crate::PageContext;

/// Minimum and maximum gap between columns, in points.
const COLUMN_GAP_RANGE_PTS: (f32, f32) = (12.0, 20.0);
/// Padding above and below a row's text, in points.
const ROW_PADDING_PTS: f32 = 5.0;

pub(super) fn table_ui(
    ui: &mut Ui,
    header: &[Vec<Inline>],
    right: &[bool],
    rows: &[Vec<Vec<Inline>>],
    page: &mut PageContext<'_>,
) {
    let header_face =
        Face { size: CAPTION_SIZE, line: 18.0, color: page.theme.quiet, strong: false };
    let body_face = Face { size: INTERFACE_SIZE, line: 21.0, color: page.theme.ink, strong: false };
    let mut lines = vec![(header_face, header)];
    lines.extend(rows.iter().map(|row| (body_face, &row[..])));
    let column_count = lines.iter().map(|(_, row)| row.len()).max().unwrap_or(0);
    let mut natural_widths = vec![ColumnWidths::default(); column_count];
    for (face, row) in &lines {
        for (widths, cell) in natural_widths.iter_mut().zip(*row) {
            widths.include_cell(ui, cell, *face, page);
        }
    }
    let gap_count = column_count.saturating_sub(1) as f32;
    let min_widths: f32 = natural_widths.iter().map(|widths| widths.min).sum();
    let gap = ((ui.available_width() - min_widths) / gap_count.max(1.0))
        .clamp(COLUMN_GAP_RANGE_PTS.0, COLUMN_GAP_RANGE_PTS.1);
    let total_gap = gap * gap_count;
    // Wider than the measure only if necessary.
    let max_width = ui.available_width().min(MEASURE.max(min_widths + total_gap));
    let widths = distribute_width(&natural_widths, max_width - total_gap);
    let total_width = widths.iter().sum::<f32>() + total_gap;
    let table = TableLayout { lines: &lines, widths: &widths, right, gap, total_width };
    if total_width > max_width + 1.0 {
        let scrolled = egui::ScrollArea::horizontal()
            .auto_shrink([false, true])
            .show(ui, |ui| table.rows_ui(ui, page));
        touch::scroll_page_from(ui, scrolled.id);
    } else {
        ui.scope(|ui| table.rows_ui(ui, page));
    }
}

struct TableLayout<'t> {
    /// The header and the rows, each with its typeface.
    lines: &'t [(Face, &'t [Vec<Inline>])],
    /// Widths of the columns, in points.
    widths: &'t [f32],
    /// Whether each column is right-aligned.
    right: &'t [bool],
    /// Gap between columns, in points.
    gap: f32,
    /// In points, including gaps.
    total_width: f32,
}

impl TableLayout<'_> {
    fn rows_ui(&self, ui: &mut Ui, page: &mut PageContext<'_>) {
        set_role(ui, Role::Table);
        let left = ui.cursor().min.x;
        for (index, (face, row)) in self.lines.iter().enumerate() {
            let id = ui.scope_id().with(index);
            let role = if index == 0 { Role::ColumnHeader } else { Role::Cell };
            self.row_ui(ui, id, role, row, *face, page);
            let is_strong = index == 0 && self.lines.len() > 1;
            paint_rule(ui, left, self.total_width, is_strong, page.theme);
        }
    }

    fn row_ui(
        &self,
        ui: &mut Ui,
        id: egui::Id,
        role: Role,
        row: &[Vec<Inline>],
        face: Face,
        page: &mut PageContext<'_>,
    ) {
        let corner = ui.cursor().min + vec2(0.0, ROW_PADDING_PTS);
        let builder = UiBuilder::new().max_rect(ui.available_rect_before_wrap()).scope_id(id);
        let mut row_ui = ui.new_child(builder);
        set_role(&row_ui, Role::Row);
        let mut left = corner.x;
        let mut bottom = corner.y + face.line;
        for (column, (cell, &width)) in row.iter().zip(self.widths).enumerate() {
            let rect = Rect::from_min_size(Pos2::new(left, corner.y), vec2(width, 0.0));
            let is_right_aligned = self.right.get(column).copied().unwrap_or(false);
            let align = if is_right_aligned { 1.0 } else { 0.0 };
            let builder = UiBuilder::new().max_rect(rect).scope_id(id.with(column));
            let mut cell_ui = row_ui.new_child(builder);
            set_role(&cell_ui, role);
            let response = paragraph::aligned_ui(&mut cell_ui, cell, face, width, align, page);
            bottom = bottom.max(response.rect.bottom());
            left += width + self.gap;
        }
        let rect = Rect::from_min_max(
            corner - vec2(0.0, ROW_PADDING_PTS),
            Pos2::new(left - self.gap, bottom + ROW_PADDING_PTS),
        );
        ui.allocate_rect(rect, egui::Sense::hover());
    }
}

/// Minimum and natural width of a column, in points.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct ColumnWidths {
    /// Width of the longest word.
    min: f32,
    /// Width of the longest cell on one line.
    natural: f32,
}

impl ColumnWidths {
    fn include_cell(&mut self, ui: &Ui, cell: &[Inline], face: Face, page: &PageContext<'_>) {
        let text = paragraph::running_text(ui, cell, face, f32::INFINITY, page);
        let typeset = text.run.lay_out(ui, f32::INFINITY);
        self.min = self.min.max(typeset.longest_word_width().ceil() + 1.0);
        self.natural = self.natural.max(typeset.width().ceil() + 1.0);
    }
}

/// Distributes a width to the columns. Each column gets its natural width if all fit.
/// Otherwise it gets its minimum width and an equal share of the rest. A column that
/// needs less than its share leaves the remainder to the others.
fn distribute_width(columns: &[ColumnWidths], available_width: f32) -> Vec<f32> {
    let mut widths: Vec<f32> = columns.iter().map(|column| column.min).collect();
    let mut rest = (available_width - widths.iter().sum::<f32>()).max(0.0);
    let missing: Vec<f32> = columns.iter().map(|column| column.natural - column.min).collect();
    let mut order: Vec<usize> = (0..columns.len()).collect();
    order.sort_by(|&a, &b| missing[a].total_cmp(&missing[b]));
    for (done_count, &column) in order.iter().enumerate() {
        let part = missing[column].min(rest / (columns.len() - done_count) as f32);
        widths[column] += part;
        rest -= part;
    }
    widths
}

fn set_role(ui: &Ui, role: Role) {
    let ctx = ui.ctx();
    ctx.accesskit_node_builder(ui.unique_id(), |node| node.set_role(role));
}

fn paint_rule(ui: &Ui, left: f32, width: f32, is_strong: bool, theme: &Theme) {
    let color = if is_strong { theme.rule.lerp_to_gamma(theme.quiet, 0.6) } else { theme.rule };
    let y = ui.cursor().top().round();
    ui.painter().hline(left..=left + width, y, Stroke::new(1.0, color));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_get_their_natural_width_or_a_fair_share() {
        let columns =
            [ColumnWidths { min: 20.0, natural: 40.0 }, ColumnWidths { min: 50.0, natural: 250.0 }];
        assert_eq!(distribute_width(&columns, 400.0), [40.0, 250.0]);
        let tight = distribute_width(&columns, 180.0);
        assert!((tight.iter().sum::<f32>() - 180.0).abs() < 1e-3);
        assert_eq!(tight[0], 40.0, "a short column is not broken");
        assert_eq!(distribute_width(&columns, 30.0), [20.0, 50.0], "then it scrolls");
        assert!(distribute_width(&[], 30.0).is_empty());
    }
}
