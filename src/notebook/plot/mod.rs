//! Plots without their picture: what is swept, the curves, their ticks and words.

mod curves;
mod sweep;
mod ticks;
mod words;

pub use curves::{Curves, CurvesKey, sampled, values_now};
pub use sweep::Sweep;
pub use ticks::{Tick, tick_words, ticks};
pub use words::{curve_words, readout, value_words};

use crate::lesson::{PlotCell, PlotLine};

/// Colour alone says nothing to many people.
#[must_use]
pub fn is_dashed(line: &PlotLine, index: usize) -> bool {
    line.dashed || index % 2 == 1
}

/// `length of v2–v3 against the angle of joint 1`
#[must_use]
pub fn caption(cell: &PlotCell, sweep: &Sweep) -> String {
    let what = match (cell.y_label.as_str(), cell.lines.as_slice()) {
        ("", [line]) => line.label.as_str(),
        (label, _) => label,
    };
    format!("{what} against {}", sweep.axis).trim().to_owned()
}
