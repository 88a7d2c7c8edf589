//! Signs for steps. Bookmarks (a ribbon) and notes (a sheet with lines) are distinguished
//! by shape, and filled if they exist.

use eframe::egui::{
    Color32, Painter, Pos2, Rect, Response, Sense, Shape, Stroke, Ui, WidgetInfo, accesskit, vec2,
};

use crate::theme::{Theme, font};

/// Paints a bookmark as a ribbon, `height` points high.
pub fn paint_bookmark(painter: &Painter, center: Pos2, height: f32, color: Color32, filled: bool) {
    let ribbon = Rect::from_center_size(center, vec2(0.68, 1.0) * height);
    let notch = Pos2::new(center.x, ribbon.bottom() - 0.3 * height);
    let corners =
        [ribbon.left_top(), ribbon.right_top(), ribbon.right_bottom(), notch, ribbon.left_bottom()];
    if filled {
        // The notch makes the ribbon concave, so that it is filled in two convex parts.
        let top = ribbon.center_top();
        for part in [
            vec![corners[0], top, corners[3], corners[4]],
            vec![top, corners[1], corners[2], corners[3]],
        ] {
            painter.add(Shape::convex_polygon(part, color, Stroke::NONE));
        }
    }
    let line = Stroke::new((height * 0.09).max(1.0), color);
    painter.add(Shape::closed_line(corners.to_vec(), line));
}

/// Paints a note as a sheet, `height` points high. A note that is written has three
/// lines.
pub fn paint_note(painter: &Painter, center: Pos2, height: f32, color: Color32, is_written: bool) {
    let size = vec2(0.8, 1.0) * height;
    let sheet = Rect::from_center_size(center, size);
    let line = Stroke::new((height * 0.09).max(1.0), color);
    painter.rect_stroke(sheet, 0.12 * height, line, eframe::egui::StrokeKind::Middle);
    let lines: &[f32] = if is_written { &[0.28, 0.5, 0.72] } else { &[0.72] };
    for fraction in lines {
        let y = sheet.top() + fraction * size.y;
        let inset = 0.22 * size.x;
        let end = if is_written { inset } else { 0.5 * size.x };
        painter.hline(sheet.left() + inset..=sheet.right() - end, y, line);
    }
}

/// Paints a line through points in units of `radius`, relative to `center`.
pub fn paint_mark(
    painter: &Painter,
    center: Pos2,
    radius: f32,
    points: &[(f32, f32)],
    stroke: Stroke,
) {
    let points = points.iter().map(|&(x, y)| center + vec2(x, y) * radius).collect();
    painter.add(Shape::line(points, stroke));
}

// Signs for right and wrong: a tick and a cross on a disc, beside their text.

/// Draws a tick and a text, which is announced when it appears.
pub fn draw_tick(ui: &mut Ui, theme: &Theme, text: &str, size: f32) -> Response {
    draw_verdict(ui, theme, text, size, true)
}

/// Draws a tick or, if `right` is false, a cross and a text, which is announced when it
/// appears.
pub fn draw_verdict(ui: &mut Ui, theme: &Theme, text: &str, size: f32, is_right: bool) -> Response {
    let color = if is_right { theme.right } else { theme.wrong };
    let font = font::strong(size);
    let galley = ui.painter().layout_no_wrap(text.to_owned(), font, color);
    let sign_size = size + 3.0;
    let total_size = vec2(sign_size + 6.0 + galley.size().x, galley.size().y.max(sign_size));
    let (rect, response) = ui.allocate_exact_size(total_size, Sense::hover());
    if ui.is_rect_visible(rect) {
        let center = Pos2::new(rect.left() + sign_size / 2.0, rect.center().y);
        paint_verdict(ui, theme, center, sign_size / 2.0, is_right);
        let text_corner =
            Pos2::new(rect.left() + sign_size + 6.0, rect.center().y - galley.size().y / 2.0);
        ui.painter().galley(text_corner, galley, color);
    }
    response.widget_info(|| WidgetInfo::labeled(accesskit::Role::Label, true, text));
    ui.ctx().accesskit_node_builder(response.id, |node| {
        node.set_live(accesskit::Live::Polite);
    });
    response
}

/// Paints a tick or, if `is_right` is false, a cross. The caller adds the text.
pub fn paint_verdict(ui: &Ui, theme: &Theme, center: Pos2, radius: f32, is_right: bool) {
    let painter = ui.painter();
    let fill = if is_right { theme.right } else { theme.wrong };
    painter.circle_filled(center, radius, fill);
    let stroke = Stroke::new(radius * 0.24, theme.text_on_fill(fill));
    if is_right {
        let tick = [(-0.45, 0.02), (-0.12, 0.36), (0.47, -0.32)];
        paint_mark(painter, center, radius, &tick, stroke);
    } else {
        for diagonal in [[(-0.36, -0.36), (0.36, 0.36)], [(-0.36, 0.36), (0.36, -0.36)]] {
            paint_mark(painter, center, radius, &diagonal, stroke);
        }
    }
}
