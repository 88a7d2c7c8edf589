//! What several marks over a picture are made of.

use std::sync::Arc;

use eframe::egui::{Galley, Painter, Pos2, Rect, Vec2};

use crate::theme::Theme;

/// A frame, projected.
pub(super) struct JointMark {
    pub(super) at: Pos2,
    /// Where its axes end.
    pub(super) axes: [Option<Pos2>; 3],
    /// Its axes have letters, if axes are shown.
    pub(super) lettered: bool,
    /// Of no skin.
    pub(super) hollow: bool,
}

/// A ring of paper around a mark, so that it stands out on any ground.
pub(super) fn halo(painter: &Painter, theme: &Theme, at: Pos2, radius: f32) {
    painter.circle_filled(at, radius, theme.paper.gamma_multiply(0.85));
}

/// Laid out words on a ground of paper with this opacity, which goes `pad` beyond
/// them.
pub(super) fn words_on_paper(
    painter: &Painter,
    theme: &Theme,
    at: Pos2,
    galley: Arc<Galley>,
    (pad, opacity): (Vec2, f32),
) {
    let ground = Rect::from_min_size(at, galley.size()).expand2(pad);
    painter.rect_filled(ground, 6.0, theme.paper.gamma_multiply(opacity));
    painter.galley(at, galley, theme.ink);
}
