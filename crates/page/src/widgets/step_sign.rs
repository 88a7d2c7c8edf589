//! Signs of what readers put on a step: a ribbon for a bookmark, a sheet with lines
//! for a note. Told by their shapes, filled where there is one.

use bindpose_notebook::StepProgress;
use eframe::egui::{
    Color32, Painter, Pos2, Rect, Response, Sense, Shape, Stroke, Ui, WidgetInfo, accesskit, vec2,
};

use crate::theme::{Theme, font};

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

// How far a step has come, as a sign that is told by its shape: a ring, a disc,
// a disc in a ring, a disc with a tick.

/// Says it to those who hear the page, beside the name of what bears the sign.
pub fn describe_progress(ui: &Ui, response: &Response, progress: StepProgress) {
    ui.ctx().accesskit_node_builder(response.id, |node| {
        node.set_description(progress.words());
    });
}

/// Paints the sign. `radius` is that of the largest; give the word too.
pub fn paint_progress(ui: &Ui, theme: &Theme, center: Pos2, radius: f32, progress: StepProgress) {
    let painter = ui.painter();
    let line = (radius * 0.24).max(1.0);
    let ring = |color| {
        painter.circle_stroke(center, radius - line / 2.0, Stroke::new(line, color));
    };
    match progress {
        StepProgress::NotSeen => ring(theme.quiet),
        StepProgress::Seen => {
            painter.circle_filled(center, radius * 0.56, theme.quiet);
        }
        StepProgress::Tried => {
            ring(theme.accent);
            painter.circle_filled(center, radius * 0.46, theme.accent);
        }
        StepProgress::Solved => {
            painter.circle_filled(center, radius * 1.15, theme.right);
            let points = [(-0.52, 0.04), (-0.14, 0.42), (0.55, -0.38)];
            let points = points.map(|(x, y)| center + vec2(x, y) * radius);
            let stroke = Stroke::new((radius * 0.3).max(1.2), theme.on(theme.right));
            painter.add(Shape::line(points.to_vec(), stroke));
        }
    }
}

// The signs of right and wrong: a tick and a cross on a disc, beside their word.

/// A tick and a word, said aloud when it appears.
pub fn tick(ui: &mut Ui, theme: &Theme, word: &str, size: f32) -> Response {
    verdict(ui, theme, word, size, true)
}

/// The same, or where it is not `right` a cross and a word.
pub fn verdict(ui: &mut Ui, theme: &Theme, word: &str, size: f32, right: bool) -> Response {
    let color = if right { theme.right } else { theme.wrong };
    let font = font::strong(size);
    let galley = ui.painter().layout_no_wrap(word.to_owned(), font, color);
    let sign = size + 3.0;
    let room = vec2(sign + 6.0 + galley.size().x, galley.size().y.max(sign));
    let (rect, response) = ui.allocate_exact_size(room, Sense::hover());
    if ui.is_rect_visible(rect) {
        let center = Pos2::new(rect.left() + sign / 2.0, rect.center().y);
        paint_verdict(ui, theme, center, sign / 2.0, right);
        let at = Pos2::new(rect.left() + sign + 6.0, rect.center().y - galley.size().y / 2.0);
        ui.painter().galley(at, galley, color);
    }
    response.widget_info(|| WidgetInfo::labeled(accesskit::Role::Label, true, word));
    ui.ctx().accesskit_node_builder(response.id, |node| {
        node.set_live(accesskit::Live::Polite);
    });
    response
}

/// A tick, or where it is not `right` a cross. Give the word too.
pub fn paint_verdict(ui: &Ui, theme: &Theme, center: Pos2, radius: f32, right: bool) {
    let painter = ui.painter();
    let fill = if right { theme.right } else { theme.wrong };
    painter.circle_filled(center, radius, fill);
    let stroke = Stroke::new(radius * 0.24, theme.on(fill));
    let line = |points: &[(f32, f32)]| {
        let points = points.iter().map(|&(x, y)| center + vec2(x, y) * radius);
        painter.add(Shape::line(points.collect(), stroke));
    };
    if right {
        line(&[(-0.45, 0.02), (-0.12, 0.36), (0.47, -0.32)]);
    } else {
        line(&[(-0.36, -0.36), (0.36, 0.36)]);
        line(&[(-0.36, 0.36), (0.36, -0.36)]);
    }
}
