//! Signs for the progress of a step, distinguished by shape: a ring, a disc, a disc in a ring,
//! a disc with a tick.

use bindpose_kit::theme::Theme;
use bindpose_kit::widgets::paint_mark;
use bindpose_notebook::StepProgress;
use eframe::egui::{Pos2, Response, Stroke, Ui};

/// Sets the progress as the accessible description of a response.
pub(crate) fn describe_progress(ui: &Ui, response: &Response, progress: StepProgress) {
    ui.ctx().accesskit_node_builder(response.id, |node| {
        node.set_description(progress.words());
    });
}

/// Paints the sign of a progress, with the radius of the largest sign. The caller adds
/// the text.
pub(crate) fn paint_progress(
    ui: &Ui,
    theme: &Theme,
    center: Pos2,
    radius: f32,
    progress: StepProgress,
) {
    let painter = ui.painter();
    let ring_width = (radius * 0.24).max(1.0);
    let ring_radius = radius - ring_width / 2.0;
    match progress {
        StepProgress::NotSeen => {
            painter.circle_stroke(center, ring_radius, Stroke::new(ring_width, theme.quiet));
        }
        StepProgress::Seen => {
            painter.circle_filled(center, radius * 0.56, theme.quiet);
        }
        StepProgress::Tried => {
            painter.circle_stroke(center, ring_radius, Stroke::new(ring_width, theme.accent));
            painter.circle_filled(center, radius * 0.46, theme.accent);
        }
        StepProgress::Solved => {
            painter.circle_filled(center, radius * 1.15, theme.right);
            let tick = [(-0.52, 0.04), (-0.14, 0.42), (0.55, -0.38)];
            let stroke = Stroke::new((radius * 0.3).max(1.2), theme.text_on_fill(theme.right));
            paint_mark(painter, center, radius, &tick, stroke);
        }
    }
}
