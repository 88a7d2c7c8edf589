//! The canvas that shows the notebook.

use eframe::egui::Context;

/// Error if a screenshot does not arrive.
pub(in crate::app) const SCREENSHOT_ERROR: &str =
    "The browser gave no picture of the page. Try again while its tab is in front.";

/// Does nothing: `device.rs` follows the presenter mode instead.
pub(in crate::app) fn set_full_screen(_: &Context, _: bool) {}
