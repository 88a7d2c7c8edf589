//! The ring around what Tab has led to: one look for every control, outside it and
//! with a gap, so that it is seen on filled buttons too.

use eframe::egui::{Context, Id, Stroke, StrokeKind};

use crate::theme::Theme;

/// Between a control and its ring, in points.
const GAP: f32 = 2.0;
const WIDTH: f32 = 2.0;

/// Draws it over everything that was laid out in this frame. A text field shows
/// its caret and needs none.
pub fn focus_ring(ctx: &Context, theme: &Theme, focused: Id) {
    let Some(response) = ctx.read_response(focused).filter(|_| !ctx.text_edit_focused()) else {
        return;
    };
    let reach = GAP + WIDTH;
    let seen = response.interact_rect;
    if seen.width() < 0.0 || seen.height() < 0.0 {
        return;
    }
    let painter = ctx.layer_painter(response.layer_id);
    // What has been scrolled away has no ring over the bar.
    let painter = painter.with_clip_rect(seen.expand(reach + 1.0));
    let rect = response.rect.expand(GAP);
    let inside_page = ctx.content_rect().shrink(WIDTH);
    let rect = rect.intersect(inside_page);
    let under = Stroke::new(GAP, theme.paper);
    painter.rect_stroke(rect, 6.0, under, StrokeKind::Inside);
    let ring = Stroke::new(WIDTH, theme.accent);
    painter.rect_stroke(rect, 6.0, ring, StrokeKind::Outside);
}
