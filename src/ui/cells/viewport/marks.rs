//! What several marks over a picture are made of.

use eframe::egui::{Painter, Pos2};

use crate::ui::theme::Theme;

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
