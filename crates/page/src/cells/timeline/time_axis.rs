//! Time along the lanes, and how a hand moves it.

use bindpose_notebook::{Edit, TIME};

use crate::PageContext;

/// Where times are, the same in the ruler and in every row.
#[derive(Clone, Copy)]
pub(super) struct TimeAxis {
    pub(super) left: f32,
    pub(super) right: f32,
    pub(super) length_secs: f64,
    /// From one frame to the next.
    pub(super) frame_secs: f64,
}

impl TimeAxis {
    pub(super) fn x(self, secs: f64) -> f32 {
        let part = (secs / self.length_secs).clamp(0.0, 1.0) as f32;
        self.left + (self.right - self.left) * part
    }

    /// Beyond the ends where `x` is.
    pub(super) fn secs(self, x: f32) -> f64 {
        f64::from((x - self.left) / self.points()) * self.length_secs
    }

    pub(super) fn points(self) -> f32 {
        (self.right - self.left).max(1.0)
    }
}

/// A scrub by hand: what played stands still.
pub(super) fn put_time(page: &mut PageContext<'_>, time_secs: f64) {
    page.view.playing.stop();
    // To a tenth of a millisecond: links stay short.
    let rounded = (time_secs * 1e4).round() / 1e4;
    if rounded != page.document.time_secs() {
        page.edits.push(Edit::param(TIME, rounded));
    }
}

/// To where the step has it; what played stands still.
pub(super) fn reset_time(page: &mut PageContext<'_>) {
    page.view.playing.stop();
    page.edits.push(Edit::reset_param(TIME));
}
