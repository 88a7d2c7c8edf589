//! What moves by itself does so while somebody may be looking, and leaves time for the
//! rest of the page.

use bindpose_notebook::GpuLimits;
use eframe::egui::Ui;

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

/// A parameter that sways around its value.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sway {
    /// For whom it sways.
    pub reader: ReaderPresence,
    /// For how long it has.
    pub time_secs: f64,
    /// The value that it sways around.
    pub around: f64,
    /// How far it is from there now.
    pub offset: f64,
    /// Is it on its way back, or there?
    pub over: bool,
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
