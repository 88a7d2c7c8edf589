//! Motion that starts by itself: it runs while a reader is present, and leaves time for the
//! rest of the page.

use bindpose_notebook::GpuLimits;
use eframe::egui::Ui;

/// Time without input after which the reader counts as absent.
pub(crate) const PRESENCE_TIMEOUT_SECS: f64 = 20.0;
/// Time between two frames of a clip where a processor draws them.
const SOFTWARE_FRAME_SECS: f32 = 1.0 / 15.0;
/// Time between two frames of a page that sways, which is laid out anew in each frame.
const SWAYING_SOFTWARE_FRAME_SECS: f32 = 1.0 / 8.0;

/// Tracks whether a reader is present by their input.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ReaderPresence {
    /// Time of the last input on egui's clock. `None` before the first frame.
    pub touched_secs: Option<f64>,
}

/// The sway of the open step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sway {
    /// Time since the sway began.
    pub(crate) time_secs: f64,
    /// The parameter's own value, around which it sways.
    pub(crate) at_rest: f64,
    /// Offset from that value in this frame.
    pub(crate) offset: f64,
    /// True while the parameter eases back to its own value, and afterwards.
    pub(crate) is_ending: bool,
}

impl ReaderPresence {
    /// Updates the presence from the input of a frame. Called once a frame.
    ///
    /// Returns false if the window has no focus or there was no input for
    /// `PRESENCE_TIMEOUT_SECS`.
    pub fn is_there(&mut self, ui: &Ui) -> bool {
        ui.input(|input| {
            let touched_secs = self.touched_secs.get_or_insert(input.time);
            if !input.events.is_empty() || input.pointer.any_down() {
                *touched_secs = input.time;
            }
            input.focused && input.time - *touched_secs < PRESENCE_TIMEOUT_SECS
        })
    }
}

/// Requests the next frame of a clip that plays by itself.
pub(crate) fn request_frame(ui: &Ui, limits: Option<&GpuLimits>) {
    request_frame_after(ui, limits, SOFTWARE_FRAME_SECS);
}

/// Requests the next frame of a page that sways. Where a processor draws, all of the page
/// must cost at most 40% of a core.
pub(crate) fn request_swaying_frame(ui: &Ui, limits: Option<&GpuLimits>) {
    request_frame_after(ui, limits, SWAYING_SOFTWARE_FRAME_SECS);
}

// egui treats such a frame as the first after a pause, so its `stable_dt` is meaningless.
fn request_frame_after(ui: &Ui, limits: Option<&GpuLimits>, software_frame_secs: f32) {
    let in_software = limits.is_some_and(GpuLimits::draws_in_software);
    ui.ctx().request_repaint_after_secs(if in_software { software_frame_secs } else { 0.0 });
}
