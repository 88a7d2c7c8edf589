//! The time axis of the ruler and the rows, and edits that move the playhead.

use bindpose_kit::widgets::Rail;
use bindpose_notebook::{Edit, TIME_PARAM};
use eframe::egui::Rangef;

use crate::PageContext;

/// Horizontal positions of times, the same in the ruler and in every row.
#[derive(Clone, Copy)]
pub(super) struct TimeAxis {
    /// Screen x of time 0.
    pub(super) left: f32,
    /// Screen x of the end of the clip.
    pub(super) right: f32,
    pub(super) length_secs: f64,
    /// Duration of one frame of the clip.
    pub(super) frame_secs: f64,
}

impl TimeAxis {
    /// Returns the screen x of a time, clamped to the ends of the axis.
    pub(super) fn x(self, secs: f64) -> f32 {
        let fraction = (secs / self.length_secs).clamp(0.0, 1.0) as f32;
        self.left + (self.right - self.left) * fraction
    }

    /// Returns the time at a screen x, beyond the clip's ends if `x` is outside the axis.
    pub(super) fn secs(self, x: f32) -> f64 {
        f64::from((x - self.left) / self.width()) * self.length_secs
    }

    pub(super) fn rail(self) -> Rail {
        let x = Rangef::new(self.left, self.left + self.width());
        Rail { x, values: (0.0, self.length_secs) }
    }

    /// Width in points, at least 1.
    pub(super) fn width(self) -> f32 {
        (self.right - self.left).max(1.0)
    }
}

/// Moves the playhead by hand. Stops anything that plays.
pub(super) fn set_time(page: &mut PageContext<'_>, time_secs: f64) {
    page.view.playing.stop();
    // Rounded to a tenth of a millisecond, so that links stay short.
    let rounded_secs = (time_secs * 1e4).round() / 1e4;
    if rounded_secs != page.document.time_secs() {
        page.requests.edits.push(Edit::param(TIME_PARAM, rounded_secs));
    }
}

/// Moves the playhead to the time that the step sets. Stops anything that plays.
pub(super) fn reset_time(page: &mut PageContext<'_>) {
    page.view.playing.stop();
    page.requests.edits.push(Edit::reset_param(TIME_PARAM));
}
