//! The window that shows the notebook.

use eframe::egui::{Context, ViewportCommand};

/// Error if a screenshot does not arrive.
pub(in crate::app) const SCREENSHOT_ERROR: &str =
    "The window gave no picture of itself. `bindpose shot` draws pages without one.";

pub(in crate::app) fn set_full_screen(ctx: &Context, is_full_screen: bool) {
    ctx.send_viewport_cmd(ViewportCommand::Fullscreen(is_full_screen));
}
