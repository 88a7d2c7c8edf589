//! How far a step has come, as a sign that is told by its shape: a ring, a disc,
//! a disc in a ring, a disc with a tick.

use bindpose_notebook::StepProgress;
use eframe::egui::{Pos2, Response, Shape, Stroke, Ui, vec2};

use crate::theme::Theme;

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
