//! What moves by itself does so while somebody may be looking, and leaves time for the
//! rest of the page.

use bindpose_notebook::GpuLimits;
use eframe::egui::Ui;

use crate::view::ViewState;

/// Without input it goes on for so long, in seconds.
pub(crate) const STAYS_SECS: f64 = 20.0;
/// Between two of its frames where a processor draws them, in seconds.
const SOFTWARE_FRAME_SECS: f32 = 1.0 / 15.0;

/// Whether a reader is there, by what they do.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ReaderPresence {
    /// When something was done last, by egui's clock; `None`: nobody has looked yet.
    pub touched_secs: Option<f64>,
}

impl ReaderPresence {
    /// Takes note of what is done; once a frame. Nobody is there when the window is behind
    /// others, or nothing has been done for a while.
    pub fn is_there(&mut self, ui: &Ui) -> bool {
        ui.input(|input| {
            let touched_secs = self.touched_secs.get_or_insert(input.time);
            if !input.events.is_empty() || input.pointer.any_down() {
                *touched_secs = input.time;
            }
            input.focused && input.time - *touched_secs < STAYS_SECS
        })
    }
}

/// Asks for the next frame of what moves by itself.
pub(crate) fn request_frame(ui: &Ui, limits: Option<&GpuLimits>) {
    let in_software = limits.is_some_and(GpuLimits::draws_in_software);
    ui.ctx().request_repaint_after_secs(if in_software { SOFTWARE_FRAME_SECS } else { 0.0 });
}

/// May things move by themselves on this page? Not in pictures of a page, on projectors, nor
/// for readers who want less motion.
pub(crate) fn motion_is_wanted(ui: &Ui, view: &ViewState) -> bool {
    ui.style().animation_time > 0.0 && !view.pictures.waits && !view.presenting
}
