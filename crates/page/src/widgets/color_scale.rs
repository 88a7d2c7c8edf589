//! The colours of numbers from 0 to the largest.

use eframe::egui::{Painter, Rect, vec2};

use crate::theme::Theme;

/// Fills `bar` from left to right.
pub fn paint_color_scale(painter: &Painter, theme: &Theme, bar: Rect) {
    const STEPS: u16 = 32;
    let step = bar.width() / f32::from(STEPS);
    for index in 0..STEPS {
        let at = bar.left_top() + vec2(step * f32::from(index), 0.0);
        let part = Rect::from_min_size(at, vec2(step + 0.5, bar.height()));
        let value = (f32::from(index) + 0.5) / f32::from(STEPS);
        painter.rect_filled(part, 0.0, theme.weight(value));
    }
}
