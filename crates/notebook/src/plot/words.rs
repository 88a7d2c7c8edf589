//! The curves of a plot in words, for those who do not see them.

use bindpose_lesson::{PlotCell, PlotLine};

use super::axis::{Axis, PlotOver};
use super::curves::PlotCurves;
use crate::number_text;

/// One sentence a line: `measured: 2.000 now, from 1.532 at −100° to 2.000 at 0°.`
pub fn curve_words(
    cell: &PlotCell,
    axis: &Axis,
    curves: &PlotCurves,
    now: &[Option<f64>],
) -> String {
    let lines = cell.lines.iter().zip(&curves.lines).zip(now);
    let sentences = lines.map(|((line, runs), now)| {
        let now = now.map(|now| format!("{} now, ", value(now)));
        let points = || runs.iter().flatten().copied();
        let least = points().min_by(|a, b| a[1].total_cmp(&b[1]));
        let most = points().max_by(|a, b| a[1].total_cmp(&b[1]));
        let between = match (least, most) {
            (Some(least), Some(most)) if value(least[1]) == value(most[1]) => {
                format!("{} everywhere", value(least[1]))
            }
            (Some(least), Some(most)) => {
                format!("from {} to {}", place(axis, least), place(axis, most))
            }
            _ => "no value anywhere".to_owned(),
        };
        format!("{}: {}{between}.", line.label.words(), now.unwrap_or_default())
    });
    sentences.collect::<Vec<_>>().join(" ")
}

fn value(value: f64) -> String {
    number_text::fixed(value, 3)
}

/// `1.532 at −100°`
fn place(axis: &Axis, point: [f64; 2]) -> String {
    format!("{} at {}", value(point[1]), axis.words(axis.stored(point[0])))
}

/// `1.842 at 45.8°`, `0.5 at v3` along a path; equal values once. Empty where the page stands nowhere on the
/// axis.
pub fn readout(axis: &Axis, values: &[Option<f64>]) -> String {
    let Some(now) = axis.now else {
        return match axis.over {
            PlotOver::Param(_) => "the angles differ".to_owned(),
            PlotOver::Path(_) | PlotOver::Data => String::new(),
        };
    };
    let mut words: Vec<String> = values.iter().map(|&value| value_words(value)).collect();
    words.dedup();
    let place = match &axis.over {
        PlotOver::Path(path) => {
            let mut path = path.iter();
            let here = path.find(|&&(_, place)| place == now);
            here.map_or_else(|| axis.words(now), |(vertex, _)| format!("v{vertex}"))
        }
        PlotOver::Param(_) | PlotOver::Data => axis.words(now),
    };
    format!("{} at {place}", words.join(", "))
}

/// `1.842`
pub fn value_words(value: Option<f64>) -> String {
    value.map_or("no value".to_owned(), |value| number_text::fixed(value, 3))
}

/// What the legend says of one line: `measured: 1.842 at 45.8°`, or its name alone
/// where it has no value of now.
pub fn line_words(line: &PlotLine, axis: &Axis, now: Option<f64>) -> String {
    format!("{}{}", line.label.words(), told(line, axis, now))
}

/// The same behind its name: `: 1.842 at 45.8°`, or nothing.
pub fn told(line: &PlotLine, axis: &Axis, now: Option<f64>) -> String {
    let told = line.expr.as_ref().map(|_| readout(axis, &[now]));
    let told = told.filter(|told| !told.is_empty());
    told.map_or_else(String::new, |told| format!(": {told}"))
}
