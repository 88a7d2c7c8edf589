//! Plots without their picture: what is along the axis, the curves, their ticks and
//! words.

mod axis;
mod curves;
mod ticks;
mod words;

pub use axis::{Axis, PlotOver};
pub use curves::{CurvesKey, PlotCurves, sampled, values_now};
pub use ticks::{Tick, tick_words, ticks};
pub use words::{curve_words, line_words, readout, told, value_words};

use bindpose_lesson::{PlotCell, PlotLine};

/// The lines with a formula, each with its value now, by their index.
pub fn followed<'a>(
    cell: &'a PlotCell,
    now: &'a [Option<f64>],
) -> impl DoubleEndedIterator<Item = (usize, Option<f64>)> + ExactSizeIterator + 'a {
    let lines = cell.lines.iter().zip(now).enumerate();
    let lines: Vec<_> = lines
        .filter(|(_, (line, _))| line.expr.is_some())
        .map(|(index, (_, &now))| (index, now))
        .collect();
    lines.into_iter()
}

/// Colour alone says nothing to many people.
pub fn is_dashed(line: &PlotLine, index: usize) -> bool {
    line.dashed || index % 2 == 1
}

/// `length of v2–v3 against the angle of joint 1`
pub fn caption(cell: &PlotCell, axis: &Axis) -> String {
    let what = match (&cell.y_label, cell.lines.as_slice()) {
        (label, [line]) if label.is_empty() => line.label.words(),
        (label, _) => label.words(),
    };
    format!("{what} against {}", axis.axis).trim().to_owned()
}
