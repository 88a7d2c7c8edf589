//! Tables: columns as wide as their contents want, narrowed where the page is
//! narrow, scrolled sideways only when nothing else helps.

use bindpose_lesson::Inline;
use eframe::egui::{self, Pos2, Rect, Role, Stroke, Ui, UiBuilder, vec2};

use super::paragraph;
use super::typeset::{Face, MEASURE};
use crate::PageContext;
use crate::theme::{CAPTION, INTERFACE, Theme};
use crate::touch;

/// Between columns: where there is no room, and where there is.
const COLUMN_GAP: (f32, f32) = (12.0, 20.0);
/// Above and below a row's text.
const ROW_PAD: f32 = 5.0;

pub(super) fn table_ui(
    ui: &mut Ui,
    header: &[Vec<Inline>],
    right: &[bool],
    rows: &[Vec<Vec<Inline>>],
    page: &mut PageContext<'_>,
) {
    let face = |size, line, color| Face { size, line, color, strong: false };
    let head = face(CAPTION, 18.0, page.theme.quiet);
    let body = face(INTERFACE, 21.0, page.theme.ink);
    let lines = || std::iter::once((head, header)).chain(rows.iter().map(|row| (body, &row[..])));
    let columns = lines().map(|(_, row)| row.len()).max().unwrap_or(0);
    let mut wants = vec![Want::default(); columns];
    for (face, row) in lines() {
        for (want, cell) in wants.iter_mut().zip(row) {
            want.hold(ui, cell, face, page);
        }
    }
    let gaps = columns.saturating_sub(1) as f32;
    let least: f32 = wants.iter().map(|want| want.least).sum();
    let gap = ((ui.available_width() - least) / gaps.max(1.0)).clamp(COLUMN_GAP.0, COLUMN_GAP.1);
    let (gaps, least) = (gap * gaps, least + gap * gaps);
    // Beyond the measure only where it can't be helped.
    let room = ui.available_width().min(MEASURE.max(least));
    let widths = share(&wants, room - gaps);
    let columns = TableColumns { widths: &widths, right, gap };
    let total = widths.iter().sum::<f32>() + gaps;
    let mut all = |ui: &mut Ui| {
        set_role(ui, Role::Table);
        let top = ui.cursor().min;
        for (index, (face, row)) in lines().enumerate() {
            let id = ui.scope_id().with(index);
            let role = if index == 0 { Role::ColumnHeader } else { Role::Cell };
            row_ui(ui, (id, role), row, face, &columns, page);
            let strong = index == 0 && !rows.is_empty();
            hairline(ui, top.x, total, strong, page.theme);
        }
    };
    if total > room + 1.0 {
        let shown =
            egui::ScrollArea::horizontal().auto_shrink([false, true]).show(ui, |ui| all(ui));
        touch::pass_on(ui, shown.id);
    } else {
        ui.scope(|ui| all(ui));
    }
}

struct TableColumns<'t> {
    /// In points.
    widths: &'t [f32],
    /// Aligned to the right?
    right: &'t [bool],
    /// In points.
    gap: f32,
}

/// What a column would like, in points.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Want {
    /// Its longest word.
    least: f32,
    /// Everything on one line.
    most: f32,
}

impl Want {
    fn hold(&mut self, ui: &Ui, cell: &[Inline], face: Face, page: &PageContext<'_>) {
        let text = paragraph::running_text(ui, cell, face, f32::INFINITY, page);
        let set = text.run.set(ui, f32::INFINITY);
        self.least = self.least.max(set.narrowest().ceil() + 1.0);
        self.most = self.most.max(set.width().ceil() + 1.0);
    }
}

/// Gives every column what it wants if there is room, else its longest word and
/// an equal share of the rest: a column that wants less than its share takes
/// what it wants, and leaves what it does not need to the others.
fn share(wants: &[Want], room: f32) -> Vec<f32> {
    let mut widths: Vec<f32> = wants.iter().map(|want| want.least).collect();
    let mut rest = (room - widths.iter().sum::<f32>()).max(0.0);
    let lack = |column: usize| wants[column].most - wants[column].least;
    let mut columns: Vec<usize> = (0..wants.len()).collect();
    columns.sort_by(|&a, &b| lack(a).total_cmp(&lack(b)));
    for (given, &column) in columns.iter().enumerate() {
        let part = lack(column).min(rest / (columns.len() - given) as f32);
        widths[column] += part;
        rest -= part;
    }
    widths
}

fn row_ui(
    ui: &mut Ui,
    (id, role): (egui::Id, Role),
    row: &[Vec<Inline>],
    face: Face,
    columns: &TableColumns<'_>,
    page: &mut PageContext<'_>,
) {
    let corner = ui.cursor().min + vec2(0.0, ROW_PAD);
    let whole = UiBuilder::new().max_rect(ui.available_rect_before_wrap());
    let mut line = ui.new_child(whole.scope_id(id));
    set_role(&line, Role::Row);
    let mut left = corner.x;
    let mut bottom = corner.y + face.line;
    for (column, (cell, &width)) in row.iter().zip(columns.widths).enumerate() {
        let rect = Rect::from_min_size(Pos2::new(left, corner.y), vec2(width, 0.0));
        let align = f32::from(u8::from(columns.right.get(column).copied().unwrap_or(false)));
        let builder = UiBuilder::new().max_rect(rect).scope_id(id.with(column));
        let mut child = line.new_child(builder);
        set_role(&child, role);
        let response = paragraph::aligned_ui(&mut child, cell, face, width, align, page);
        bottom = bottom.max(response.rect.bottom());
        left += width + columns.gap;
    }
    let rect = Rect::from_min_max(
        corner - vec2(0.0, ROW_PAD),
        Pos2::new(left - columns.gap, bottom + ROW_PAD),
    );
    ui.allocate_rect(rect, egui::Sense::hover());
}

fn set_role(ui: &Ui, role: Role) {
    let ctx = ui.ctx();
    ctx.accesskit_node_builder(ui.unique_id(), |node| node.set_role(role));
}

fn hairline(ui: &Ui, left: f32, width: f32, strong: bool, theme: &Theme) {
    let color = if strong { theme.rule.lerp_to_gamma(theme.quiet, 0.6) } else { theme.rule };
    let y = ui.cursor().top().round();
    ui.painter().hline(left..=left + width, y, Stroke::new(1.0, color));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_get_what_they_want_or_a_fair_share() {
        let wants = [Want { least: 20.0, most: 40.0 }, Want { least: 50.0, most: 250.0 }];
        assert_eq!(share(&wants, 400.0), [40.0, 250.0]);
        let tight = share(&wants, 180.0);
        assert!((tight.iter().sum::<f32>() - 180.0).abs() < 1e-3);
        assert_eq!(tight[0], 40.0, "what is short is not broken");
        assert_eq!(share(&wants, 30.0), [20.0, 50.0], "then it scrolls");
        assert!(share(&[], 30.0).is_empty());
    }
}
