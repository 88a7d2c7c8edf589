//! What moves by itself does so while somebody may be looking, and leaves time for the
//! rest of the page.

use bindpose_notebook::GpuLimits;
use eframe::egui::Ui;

/// Without input it goes on for so long, in seconds.
pub(crate) const STAYS_SECS: f64 = 20.0;
/// Time between two frames of a clip where a processor draws them.
const SOFTWARE_FRAME_SECS: f32 = 1.0 / 15.0;
/// The same for a page that sways, which is laid out anew with each frame.
const SWAYING_SOFTWARE_FRAME_SECS: f32 = 1.0 / 8.0;

/// Whether a reader is there, by what they do.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ReaderPresence {
    /// When something was done last, by egui's clock; `None`: nobody has looked yet.
    pub touched_secs: Option<f64>,
}

/// The sway of the open step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sway {
    /// How long it has swayed.
    pub(crate) time_secs: f64,
    /// The parameter's own value, around which it sways.
    pub(crate) at_rest: f64,
    /// Distance from that value in this frame.
    pub(crate) offset: f64,
    /// Eases back to the parameter's own value, or has arrived there.
    pub(crate) is_over: bool,
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

/// Requests the next frame of a clip that plays by itself.
pub(crate) fn request_frame(ui: &Ui, limits: Option<&GpuLimits>) {
    request_frame_after(ui, limits, SOFTWARE_FRAME_SECS);
}

/// Requests the next frame of a page that sways. Where a processor draws, all of the page
/// must cost at most 40% of a core.
pub(crate) fn request_swaying_frame(ui: &Ui, limits: Option<&GpuLimits>) {
    request_frame_after(ui, limits, SWAYING_SOFTWARE_FRAME_SECS);
}

// egui takes such a frame for the first after a pause: its `stable_dt` says nothing about it.
fn request_frame_after(ui: &Ui, limits: Option<&GpuLimits>, software_frame_secs: f32) {
    let in_software = limits.is_some_and(GpuLimits::draws_in_software);
    ui.ctx().request_repaint_after_secs(if in_software { software_frame_secs } else { 0.0 });
}
