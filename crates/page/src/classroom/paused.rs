//! "Eyes up": a student's page, covered.

use eframe::egui::{Align2, Area, Context, Id, Order, Sense, WidgetInfo, accesskit::Role};

use crate::theme::{Theme, font};

/// Covers the page until the teacher takes it away.
pub fn paused(ctx: &Context, theme: &Theme) {
    let screen = ctx.content_rect();
    let area = Area::new(Id::unique("paused")).order(Order::Foreground).fixed_pos(screen.min);
    area.constrain(false).fade_in(false).show(ctx, |ui| {
        let (rect, response) = ui.allocate_exact_size(screen.size(), Sense::click_and_drag());
        let words = "Eyes up";
        let spoken = "Eyes up: the teacher has paused all pages. Your work is kept.";
        response.widget_info(|| WidgetInfo::labeled(Role::Alert, true, spoken));
        let painter = ui.painter();
        painter.rect_filled(rect, 0.0, theme.paper);
        let large = (0.09 * rect.width()).clamp(28.0, 72.0);
        let (at, below) = (rect.center(), eframe::egui::vec2(0.0, 0.9 * large));
        painter.text(at, Align2::CENTER_CENTER, words, font::strong(large), theme.ink);
        let more = "Your page comes back as you left it.";
        painter.text(at + below, Align2::CENTER_CENTER, more, font::strong(16.0), theme.quiet);
    });
}
