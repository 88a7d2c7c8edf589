//! The signs of right and wrong: a tick and a cross on a disc, beside their word.

use eframe::egui::{Pos2, Response, Sense, Shape, Stroke, Ui, WidgetInfo, accesskit, vec2};

use crate::theme::{Theme, font};

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
