//! Arrows from the numbers of the JSON to the bytes they decide about.

use eframe::egui::{
    Color32, Pos2, Rect, Shape, Stroke, StrokeKind, Ui, epaint::CubicBezierShape, pos2, vec2,
};

use super::hex::HexGrid;
use super::json::JsonLine;
use super::selection::{BytesView, Governs};
use crate::theme::Theme;

/// Room for the arrows, between JSON and bytes.
pub(super) const GUTTER: f32 = 34.0;

/// Draws all arrows, that of the line under the pointer on top and in colour.
pub(super) fn paint(
    ui: &Ui,
    theme: &Theme,
    view: &BytesView<'_>,
    lines: &[JsonLine],
    grid: &HexGrid,
    lit: Option<Governs>,
) {
    let (last, first): (Vec<&JsonLine>, Vec<&JsonLine>) =
        lines.iter().partition(|line| lit == Some(line.governs));
    for (lines, lit) in [(first, false), (last, true)] {
        for line in lines {
            if let Some((start, length)) = target(view, line.governs) {
                arrow(ui, theme, grid, line.rect, (start, length), lit);
            }
        }
    }
}

/// First byte, and how many.
fn target(view: &BytesView<'_>, governs: Governs) -> Option<(usize, usize)> {
    let element = |index| view.layout.element(view.index, index, view.ignore_stride);
    let stored = view.accessor.view.and_then(|index| view.layout.views.get(index));
    let start_of_view = stored.map(|stored| stored.byte_offset.unwrap_or(0));
    match governs {
        Governs::ViewStart => start_of_view.map(|start| (start, 1)),
        Governs::ViewEnd => {
            let end = start_of_view?.checked_add(stored?.byte_length)?;
            end.checked_sub(1).map(|last| (last, 1))
        }
        Governs::FirstElement => element(0).map(|place| (place.start, 1)),
        Governs::Stride => {
            // To the next element; from the last one there is none.
            let next = element(view.element + 1).or_else(|| element(view.element))?;
            let stride = view.layout.stride(view.accessor, view.ignore_stride);
            Some((next.start.checked_sub(stride)?, stride))
        }
        Governs::Component => {
            let size = view.accessor.format.component.size();
            view.place.map(|place| (place.start, size))
        }
        Governs::Element => view.place.map(|place| (place.start, place.size)),
        Governs::Last => {
            let place = element(view.accessor.count.checked_sub(1)?)?;
            Some((place.start + place.size - 1, 1))
        }
        Governs::Nothing => None,
    }
}

/// From the right of a line to the top of a byte; when that is out of view, to
/// the edge beyond which it lies.
fn arrow(
    ui: &Ui,
    theme: &Theme,
    grid: &HexGrid,
    line: Rect,
    (start, length): (usize, usize),
    lit: bool,
) {
    let color = if lit { theme.accent } else { theme.paper.lerp_to_gamma(theme.quiet, 0.55) };
    let stroke = Stroke::new(if lit { 2.0 } else { 1.0 }, color);
    let words_end = line.right_center() + vec2(6.0, 0.0);
    // Straight to the edge of the words, so that none is crossed, then the bow.
    let edge = grid.area.left() - GUTTER;
    let from = pos2(edge.max(words_end.x), words_end.y);
    ui.painter().line_segment([words_end, from], stroke);
    let corner = grid.at(start);
    let area = grid.area;
    if corner.y < area.top() - 1.0 || corner.y > area.bottom() - 8.0 {
        let below = corner.y > area.top();
        let edge = if below { area.bottom() - 4.0 } else { area.top() + 4.0 };
        let end = pos2(area.left() + 6.0, edge);
        curve(ui, from, end, stroke);
        let tip = end + vec2(0.0, if below { 6.0 } else { -6.0 });
        head(ui, tip, if below { 1.0 } else { -1.0 }, color);
        return;
    }
    if lit {
        let painter = ui.painter().with_clip_rect(area.expand(2.0));
        for rect in grid.rects(start, length) {
            painter.rect_stroke(rect, 3.0, stroke, StrokeKind::Outside);
        }
    }
    // Along the upper edge of the line of bytes, then down into the byte.
    let turn = pos2(area.left() + 2.0, corner.y);
    curve(ui, from, turn, stroke);
    let end = corner + vec2(6.0, 0.0);
    ui.painter().line_segment([turn, end], stroke);
    head(ui, end + vec2(0.0, 6.0), 1.0, color);
}

fn curve(ui: &Ui, from: Pos2, to: Pos2, stroke: Stroke) {
    let reach = vec2(((to.x - from.x) * 0.6).max(8.0), 0.0);
    ui.painter().add(CubicBezierShape::from_points_stroke(
        [from, from + reach, to - reach, to],
        false,
        Color32::TRANSPARENT,
        stroke,
    ));
}

/// A small triangle that points down, or up for a negative `way`.
fn head(ui: &Ui, tip: Pos2, way: f32, color: Color32) {
    let back = tip - vec2(0.0, 6.0 * way);
    let corners = vec![tip, back - vec2(3.5, 0.0), back + vec2(3.5, 0.0)];
    ui.painter().add(Shape::convex_polygon(corners, color, Stroke::NONE));
}
