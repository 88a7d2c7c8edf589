//! The ruler along the top of the texture: coordinates from 0 to 1, and where
//! the shader reads.

use bindpose_lesson::SkinningFault;
use eframe::egui::{
    Align2, Color32, FontId, Sense, Stroke, Ui, WidgetInfo, accesskit::Role, pos2, vec2,
};

use super::grid::TexelGrid;
use super::texel;
use crate::PageContext;
use crate::theme::{CAPTION, FINE, font};

const HEIGHT: f32 = 46.0;

/// Edges above the line, below it what is read: centres, (x + 0.5) / 4, or, as a
/// fault, edges.
pub(super) fn ui(ui: &mut Ui, page: &PageContext<'_>, grid: &TexelGrid) {
    let theme = page.theme;
    let edge = page.document.state.faults.contains(&SkinningFault::Edge);
    let (rect, response) = ui.allocate_exact_size(vec2(grid.width(), HEIGHT), Sense::hover());
    let read: Vec<String> = (0..4).map(|x| texel::coordinate(x, 4, edge)).collect();
    response.widget_info(|| {
        let what = if edge { "edges" } else { "centres" };
        let words = format!("texel {what} along the width: {}", read.join(", "));
        WidgetInfo::labeled(Role::Label, true, words)
    });
    let y = rect.top() + 22.0;
    let left = rect.left() + grid.gutter;
    let ends = [pos2(left, y), pos2(left + 4.0 * grid.pitch, y)];
    let painter = ui.painter();
    painter.line_segment(ends, Stroke::new(1.0, theme.quiet));
    let text = |x: f32, y: f32, anchor: Align2, words: &str, font: FontId, color: Color32| {
        painter.text(pos2(x, y), anchor, words, font, color);
    };
    for (edge, words) in ["0", "0.25", "0.5", "0.75", "1"].into_iter().enumerate() {
        let x = left + grid.pitch * edge as f32;
        let tick = [pos2(x, y - 5.0), pos2(x, y)];
        painter.line_segment(tick, Stroke::new(1.0, theme.quiet));
        let (anchor, x) = match edge {
            4 => (Align2::RIGHT_BOTTOM, x + 1.0),
            _ => (Align2::CENTER_BOTTOM, x),
        };
        let font = FontId::proportional(FINE);
        text(x, y - 6.0, anchor, words, font, theme.quiet);
    }
    let color = if edge { theme.wrong } else { theme.accent };
    for (column, words) in read.iter().enumerate() {
        let into = if edge { 0.0 } else { 0.5 };
        let x = left + grid.pitch * (column as f32 + into);
        let tick = [pos2(x, y), pos2(x, y + 7.0)];
        painter.line_segment(tick, Stroke::new(2.0, color));
        let font = font::strong(CAPTION);
        text(x, y + 7.0, Align2::CENTER_TOP, words, font, color);
    }
}
