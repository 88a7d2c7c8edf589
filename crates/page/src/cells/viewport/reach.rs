//! How near a mouse or a finger must come to a mark.

use eframe::egui::Ui;

use crate::touch;

/// How near the pointer must be to pick something, in points.
const REACH: f32 = 12.0;
/// How near a finger must be.
const FINGER_REACH: f32 = touch::TARGET / 2.0;

/// How near what points must be to pick something, in points.
pub(super) fn reach(ui: &Ui) -> f32 {
    if touch::is_at_work(ui.ctx()) { FINGER_REACH } else { REACH }
}
