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
    let what = match (&cell.y_label, cell.lines.as_slice()) {
        (label, [line]) if label.is_empty() => line.label.words(),
        (label, _) => label.words(),
    };
    format!("{what} against {}", sweep.axis).trim().to_owned()
}
