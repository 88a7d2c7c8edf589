//! The sign of something that is right: a tick in a ring, beside its word.

use eframe::egui::{FontId, Pos2, Response, Sense, Shape, Stroke, Ui, WidgetInfo, accesskit, vec2};

use crate::ui::theme::{Theme, family};

/// A tick and a word, said aloud when it appears.
pub fn tick(ui: &mut Ui, theme: &Theme, word: &str, size: f32) -> Response {
    let font = FontId::new(size, family::strong());
    let galley = ui
        .painter()
        .layout_no_wrap(word.to_owned(), font, theme.right);
    let sign = size + 3.0;
    let room = vec2(sign + 6.0 + galley.size().x, galley.size().y.max(sign));
    let (rect, response) = ui.allocate_exact_size(room, Sense::hover());
    if ui.is_rect_visible(rect) {
        let center = Pos2::new(rect.left() + sign / 2.0, rect.center().y);
        paint_tick(ui, theme, center, sign / 2.0);
        let at = Pos2::new(
            rect.left() + sign + 6.0,
            rect.center().y - galley.size().y / 2.0,
        );
        ui.painter().galley(at, galley, theme.right);
    }
    response.widget_info(|| WidgetInfo::labeled(accesskit::Role::Label, true, word));
    ui.ctx().accesskit_node_builder(response.id, |node| {
        node.set_live(accesskit::Live::Polite);
    });
    response
}

fn paint_tick(ui: &Ui, theme: &Theme, center: Pos2, radius: f32) {
    let painter = ui.painter();
    painter.circle_filled(center, radius, theme.right);
    let stroke = Stroke::new(radius * 0.24, theme.on(theme.right));
    let points = [(-0.45, 0.02), (-0.12, 0.36), (0.47, -0.32)];
    let points = points.map(|(x, y)| center + vec2(x, y) * radius);
    painter.add(Shape::line(points.to_vec(), stroke));
}
