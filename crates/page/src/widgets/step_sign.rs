//! Signs of what readers put on a step: a ribbon for a bookmark, a sheet with lines
//! for a note. Told by their shapes, filled where there is one.

use eframe::egui::{Color32, Painter, Pos2, Rect, Shape, Stroke, vec2};

/// Paints a ribbon, `height` points high.
pub fn paint_bookmark(painter: &Painter, center: Pos2, height: f32, color: Color32, filled: bool) {
    let half = vec2(0.34, 0.5) * height;
    let [left, right] = [center.x - half.x, center.x + half.x];
    let (top, bottom, notch) =
        (center.y - half.y, center.y + half.y, center.y + half.y - 0.3 * height);
    let corners = [
        Pos2::new(left, top),
        Pos2::new(right, top),
        Pos2::new(right, bottom),
        Pos2::new(center.x, notch),
        Pos2::new(left, bottom),
    ];
    if filled {
        // Two convex parts: the notch makes the whole none.
        for [a, b, c, d] in [
            [corners[0], Pos2::new(center.x, top), corners[3], corners[4]],
            [Pos2::new(center.x, top), corners[1], corners[2], corners[3]],
        ] {
            painter.add(Shape::convex_polygon(vec![a, b, c, d], color, Stroke::NONE));
        }
    }
    let line = Stroke::new((height * 0.09).max(1.0), color);
    painter.add(Shape::closed_line(corners.to_vec(), line));
}

/// Paints a sheet, `height` points high; with lines on it where there is a note.
pub fn paint_note(painter: &Painter, center: Pos2, height: f32, color: Color32, written: bool) {
    let size = vec2(0.8, 1.0) * height;
    let sheet = Rect::from_center_size(center, size);
    let line = Stroke::new((height * 0.09).max(1.0), color);
    painter.rect_stroke(sheet, 0.12 * height, line, eframe::egui::StrokeKind::Middle);
    let lines: &[f32] = if written { &[0.28, 0.5, 0.72] } else { &[0.72] };
    for part in lines {
        let y = sheet.top() + part * size.y;
        let inset = 0.22 * size.x;
        let end = if written { inset } else { 0.5 * size.x };
        painter.hline(sheet.left() + inset..=sheet.right() - end, y, line);
    }
}
