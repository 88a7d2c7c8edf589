//! The curves of a plot in words, for those who do not see them.

use super::curves::Curves;
use super::sweep::Sweep;
use crate::lesson::PlotCell;
use crate::notebook::number_text;

/// One sentence a line: `measured: 2.000 now, from 1.532 at −100° to 2.000 at 0°.`
#[must_use]
pub fn curve_words(cell: &PlotCell, sweep: &Sweep, curves: &Curves, now: &[Option<f64>]) -> String {
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
                format!("from {} to {}", place(sweep, least), place(sweep, most))
            }
            _ => "no value anywhere".to_owned(),
        };
        format!(
            "{}: {}{between}.",
            line.label.words(),
            now.unwrap_or_default()
        )
    });
    sentences.collect::<Vec<_>>().join(" ")
}

fn value(value: f64) -> String {
    number_text::fixed(value, 3)
}

/// `1.532 at −100°`
fn place(sweep: &Sweep, point: [f64; 2]) -> String {
    format!(
        "{} at {}",
        value(point[1]),
        sweep.words(sweep.stored(point[0]))
    )
}

/// `1.842 at 45.8°`; equal values once.
#[must_use]
pub fn readout(sweep: &Sweep, values: &[Option<f64>]) -> String {
    let Some(now) = sweep.now else {
        return "the angles differ".to_owned();
    };
    let mut words: Vec<String> = values.iter().map(|&value| value_words(value)).collect();
    words.dedup();
    format!("{} at {}", words.join(", "), sweep.words(now))
}

/// `1.842`
#[must_use]
pub fn value_words(value: Option<f64>) -> String {
    value.map_or("no value".to_owned(), |value| number_text::fixed(value, 3))
}
