//! The curves of a plot in words, for those who do not see them.

use egui_plot::PlotPoint;

use super::plot_curves::Curves;
use super::plot_sweep::Sweep;
use crate::lesson::PlotCell;
use crate::notebook::number_text;

/// One sentence a line: `measured: 2.000 now, from 1.532 at −100° to 2.000 at 0°.`
pub(super) fn curve_words(
    cell: &PlotCell,
    sweep: &Sweep,
    curves: &Curves,
    now: &[Option<f64>],
) -> String {
    let lines = cell.lines.iter().zip(&curves.lines).zip(now);
    let sentences = lines.map(|((line, runs), now)| {
        let now = now.map(|now| format!("{} now, ", value(now)));
        let points = || runs.iter().flatten().copied();
        let least = points().min_by(|a, b| a.y.total_cmp(&b.y));
        let most = points().max_by(|a, b| a.y.total_cmp(&b.y));
        let between = match (least, most) {
            (Some(least), Some(most)) if value(least.y) == value(most.y) => {
                format!("{} everywhere", value(least.y))
            }
            (Some(least), Some(most)) => {
                format!("from {} to {}", place(sweep, least), place(sweep, most))
            }
            _ => "no value anywhere".to_owned(),
        };
        format!("{}: {}{between}.", line.label, now.unwrap_or_default())
    });
    sentences.collect::<Vec<_>>().join(" ")
}

fn value(value: f64) -> String {
    number_text::fixed(value, 3)
}

/// `1.532 at −100°`
fn place(sweep: &Sweep, point: PlotPoint) -> String {
    format!(
        "{} at {}",
        value(point.y),
        sweep.words(sweep.stored(point.x))
    )
}
