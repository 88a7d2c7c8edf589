//! A slider that fills from where it belongs, or from its start, and marks where it
//! belongs.

use eframe::egui::{self, Response, Role, Sense, Stroke, Ui, pos2, vec2};

use super::{Rail, Scrub, ScrubChange};
use crate::theme::Theme;

/// A number on a rail.
pub struct Slider<'a> {
    /// What it stands at, and the ends of the rail; a value beyond stands at the
    /// end.
    pub number: &'a Scrub,
    /// Where it belongs, in the unit of the number: marked.
    pub home: f64,
    /// Where the filled part begins.
    pub filled_from: f64,
    /// Colour of the filled part.
    pub color: egui::Color32,
}

impl Slider<'_> {
    /// Takes the width that is left.
    pub fn show(self, ui: &mut Ui, width: f32, theme: &Theme) -> (Response, Option<ScrubChange>) {
        let size = vec2(width.max(40.0), 24.0);
        let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
        let (low, high) = self.number.ends();
        let span = (high - low).max(f64::EPSILON);
        let rail = rect.shrink2(vec2(9.0, 0.0));
        let x_of = |value: f64| {
            let part = ((value - low) / span).clamp(0.0, 1.0) as f32;
            rail.left() + rail.width() * part
        };
        let along = Rail { x: rail.x_range(), values: (low, low + span) };
        let change = self
            .number
            .pointed_at(ui, &response, along, Some(self.home))
            .or_else(|| self.number.asked(ui, &response));
        self.number.describe(ui, &response, Role::Slider);
        if ui.is_rect_visible(rect) {
            let y = rect.center().y;
            let (x, home) = (x_of(self.number.value()), x_of(self.home));
            let painter = ui.painter();
            let line = |a: f32, b: f32, stroke: Stroke| {
                painter.line_segment([pos2(a, y), pos2(b, y)], stroke);
            };
            line(rail.left(), rail.right(), Stroke::new(2.0, theme.track));
            line(x_of(self.filled_from), x, Stroke::new(4.0, self.color));
            painter.line_segment(
                [pos2(home, y - 5.0), pos2(home, y + 5.0)],
                Stroke::new(1.0, theme.quiet),
            );
            let lit = response.hovered() || response.dragged() || response.has_focus();
            let radius = if lit { 9.0 } else { 8.0 };
            painter.circle(
                pos2(x, y),
                radius,
                theme.paper,
                Stroke::new(if lit { 3.0 } else { 2.0 }, self.color),
            );
        }
        let response = response.on_hover_cursor(egui::CursorIcon::ResizeHorizontal);
        (response, change)
    }
}
