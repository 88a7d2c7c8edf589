//! Arrows from lines of the JSON to the bytes that they determine.

use bindpose_kit::theme::Theme;
use eframe::egui::{
    Color32, Pos2, Rect, Shape, Stroke, StrokeKind, Ui, epaint::CubicBezierShape, pos2, vec2,
};

use super::hex::HexGrid;
use super::json::JsonLine;
use super::selection::{BytesView, GovernedBytes};

/// Width of the space for the arrows, between the JSON and the bytes.
pub(super) const GUTTER_WIDTH_PTS: f32 = 34.0;

/// Draws the arrows. Those of the hovered line are on top and in colour.
pub(super) fn draw_arrows(
    ui: &Ui,
    theme: &Theme,
    view: &BytesView<'_>,
    lines: &[JsonLine],
    grid: &HexGrid,
    hovered: Option<GovernedBytes>,
) {
    for is_lit in [false, true] {
        for line in lines {
            if (hovered == Some(line.governs)) == is_lit
                && let Some(range) = byte_range(view, line.governs)
            {
                draw_arrow(ui, theme, grid, line.rect, range, is_lit);
            }
        }
    }
}

/// A range of bytes in the buffer.
#[derive(Clone, Copy)]
struct ByteRange {
    start: usize,
    length: usize,
}

/// Returns `None` if the line determines no bytes, or if these do not exist.
fn byte_range(view: &BytesView<'_>, governs: GovernedBytes) -> Option<ByteRange> {
    let buffer_view = view.accessor.view.and_then(|index| view.layout.views.get(index));
    match governs {
        GovernedBytes::ViewStart => {
            Some(ByteRange { start: buffer_view?.byte_offset.unwrap_or(0), length: 1 })
        }
        GovernedBytes::ViewEnd => {
            let start = buffer_view?.byte_offset.unwrap_or(0);
            let end = start.checked_add(buffer_view?.byte_length)?;
            Some(ByteRange { start: end.checked_sub(1)?, length: 1 })
        }
        GovernedBytes::FirstElement => {
            let first = view.layout.element(view.accessor_index, 0, view.ignore_stride)?;
            Some(ByteRange { start: first.start, length: 1 })
        }
        GovernedBytes::Stride => {
            // The stride to the next element, or from the previous one to the last.
            let index = view.accessor_index;
            let next = view
                .layout
                .element(index, view.element_index + 1, view.ignore_stride)
                .or_else(|| view.layout.element(index, view.element_index, view.ignore_stride))?;
            let stride = view.layout.stride(view.accessor, view.ignore_stride);
            Some(ByteRange { start: next.start.checked_sub(stride)?, length: stride })
        }
        GovernedBytes::Component => {
            let length = view.accessor.format.component.size();
            Some(ByteRange { start: view.place?.start, length })
        }
        GovernedBytes::Element => {
            let place = view.place?;
            Some(ByteRange { start: place.start, length: place.size })
        }
        GovernedBytes::Last => {
            let last = view.accessor.count.checked_sub(1)?;
            let place = view.layout.element(view.accessor_index, last, view.ignore_stride)?;
            Some(ByteRange { start: place.start + place.size - 1, length: 1 })
        }
        GovernedBytes::Nothing => None,
    }
}

/// Draws an arrow from the right end of a line to the top of a byte. If the byte is not
/// visible, the arrow ends at the edge beyond which it is.
fn draw_arrow(
    ui: &Ui,
    theme: &Theme,
    grid: &HexGrid,
    line_rect: Rect,
    range: ByteRange,
    is_lit: bool,
) {
    let color = if is_lit { theme.accent } else { theme.paper.lerp_to_gamma(theme.quiet, 0.55) };
    let stroke = Stroke::new(if is_lit { 2.0 } else { 1.0 }, color);
    let area = grid.area;
    // A straight line past the text of all lines, so that the curve crosses none.
    let text_end = line_rect.right_center() + vec2(6.0, 0.0);
    let gutter_left = area.left() - GUTTER_WIDTH_PTS;
    let curve_start = pos2(gutter_left.max(text_end.x), text_end.y);
    ui.painter().line_segment([text_end, curve_start], stroke);
    let corner = grid.byte_position(range.start);
    if corner.y < area.top() - 1.0 || corner.y > area.bottom() - 8.0 {
        let is_below = corner.y > area.top();
        let y = if is_below { area.bottom() - 4.0 } else { area.top() + 4.0 };
        let curve_end = pos2(area.left() + 6.0, y);
        draw_curve(ui, curve_start, curve_end, stroke);
        let direction = if is_below { 1.0 } else { -1.0 };
        draw_arrow_head(ui, curve_end + vec2(0.0, 6.0 * direction), direction, color);
        return;
    }
    if is_lit {
        let painter = ui.painter().with_clip_rect(area.expand(2.0));
        for rect in grid.byte_rects(range.start, range.length) {
            painter.rect_stroke(rect, 3.0, stroke, StrokeKind::Outside);
        }
    }
    // Along the upper edge of the row, then down into the byte.
    let curve_end = pos2(area.left() + 2.0, corner.y);
    draw_curve(ui, curve_start, curve_end, stroke);
    let end = corner + vec2(6.0, 0.0);
    ui.painter().line_segment([curve_end, end], stroke);
    draw_arrow_head(ui, end + vec2(0.0, 6.0), 1.0, color);
}

fn draw_curve(ui: &Ui, from: Pos2, to: Pos2, stroke: Stroke) {
    let reach = vec2(((to.x - from.x) * 0.6).max(8.0), 0.0);
    ui.painter().add(CubicBezierShape::from_points_stroke(
        [from, from + reach, to - reach, to],
        false,
        Color32::TRANSPARENT,
        stroke,
    ));
}

/// Draws a small triangle that points down for a `direction` of 1, or up for −1.
fn draw_arrow_head(ui: &Ui, tip: Pos2, direction: f32, color: Color32) {
    let base = tip - vec2(0.0, 6.0 * direction);
    let corners = vec![tip, base - vec2(3.5, 0.0), base + vec2(3.5, 0.0)];
    ui.painter().add(Shape::convex_polygon(corners, color, Stroke::NONE));
}
