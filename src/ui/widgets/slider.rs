//! A slider that shows where zero is and fills from there.

use eframe::egui::{self, Response, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};

use crate::ui::theme::Theme;

/// A value on a rail.
pub struct Slider<'a> {
    /// What it stands at; in the unit of `range`.
    pub value: f64,
    /// Ends of the rail; a value beyond stands at the end.
    pub range: (f64, f64),
    /// Where it belongs: marked, and where a double-click leads.
    pub home: f64,
    /// One press of an arrow key.
    pub step: f64,
    /// For people who cannot see it.
    pub label: &'a str,
    /// Colour of the filled part.
    pub color: egui::Color32,
}

/// What a reader did with a slider.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Slid {
    /// To this value.
    To(f64),
    /// Back to where it belongs.
    Home,
}

impl Slider<'_> {
    /// Takes the width that is left.
    pub fn show(self, ui: &mut Ui, width: f32, theme: &Theme) -> (Response, Option<Slid>) {
        let size = vec2(width.max(40.0), 24.0);
        let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
        let (low, high) = self.range;
        let span = (high - low).max(f64::EPSILON);
        let rail = rect.shrink2(vec2(9.0, 0.0));
        let x_of = |value: f64| {
            let part = ((value - low) / span).clamp(0.0, 1.0) as f32;
            rail.left() + rail.width() * part
        };

        let mut slid = None;
        if response.double_clicked() {
            slid = Some(Slid::Home);
        } else if response.is_pointer_button_down_on()
            && !response.double_clicked()
            && let Some(pointer) = response.interact_pointer_pos()
        {
            let part = f64::from((pointer.x - rail.left()) / rail.width().max(1.0));
            let mut value = low + part.clamp(0.0, 1.0) * span;
            // Near home, home: a slider must be able to say exactly zero.
            let near = span * 4.0 / f64::from(rail.width().max(1.0));
            if (value - self.home).abs() < near && !ui.input(|i| i.modifiers.shift) {
                value = self.home;
            }
            let moved = response.dragged() || response.drag_started() || response.clicked();
            if (moved || ui.input(|i| i.pointer.any_pressed())) && value != self.value {
                slid = Some(Slid::To(value));
            }
        }
        if response.has_focus() {
            slid = slid.or_else(|| self.keys(ui, &response));
        }

        response.widget_info(|| WidgetInfo::slider(ui.is_enabled(), self.value, self.label));
        if ui.is_rect_visible(rect) {
            let y = rect.center().y;
            let (x, zero) = (x_of(self.value), x_of(self.home));
            let painter = ui.painter();
            let line = |a: f32, b: f32, stroke: Stroke| {
                painter.line_segment([pos2(a, y), pos2(b, y)], stroke);
            };
            line(rail.left(), rail.right(), Stroke::new(4.0, theme.rule));
            line(zero, x, Stroke::new(4.0, self.color));
            painter.line_segment(
                [pos2(zero, y - 5.0), pos2(zero, y + 5.0)],
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
            if response.has_focus() {
                painter.circle_stroke(pos2(x, y), radius + 3.0, Stroke::new(1.0, self.color));
            }
        }
        let response = response.on_hover_cursor(egui::CursorIcon::ResizeHorizontal);
        (response, slid)
    }

    fn keys(&self, ui: &Ui, response: &Response) -> Option<Slid> {
        ui.memory_mut(|memory| {
            memory.set_focus_lock_filter(
                response.id,
                egui::EventFilter {
                    horizontal_arrows: true,
                    ..Default::default()
                },
            );
        });
        ui.input_mut(|input| {
            let mut presses =
                |key| f64::from(input.count_and_consume_key(egui::Modifiers::NONE, key) as u32);
            let steps = presses(egui::Key::ArrowRight) - presses(egui::Key::ArrowLeft);
            (steps != 0.0).then_some(Slid::To(self.value + steps * self.step))
        })
    }
}
