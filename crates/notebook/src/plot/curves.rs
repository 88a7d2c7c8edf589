//! Curves of a plot: lines sampled over the sweep, and the inputs that they
//! depend on.

use std::sync::Arc;

use bindpose_diagnostic::LineColumn;
use bindpose_gltf::Rig;
use bindpose_lesson::{
    DataTable, EvalError, PageAtPoint, PlotCell, PlotLine, number_text, significant_digits,
};
use bindpose_skin::SharedInfluences;

use super::{Axis, PlotOver, x_column};
use crate::computed_weights::finished_count;
use crate::{
    Derived, Document, PageState, Playback, SettingGroup, StepState, apply_setting, copy_settings,
};

/// Sampled lines of a plot.
#[derive(Debug, Default)]
pub struct PlotCurves {
    /// For each line, runs of points between gaps. x is in units of the axis.
    pub lines: Vec<Vec<Vec<[f64; 2]>>>,
    /// Range of values to show: (minimum, maximum).
    pub values: (f64, f64),
    /// Errors of lines that have no value anywhere.
    pub errors: Vec<String>,
}

/// All inputs of curves. Curves stay valid while it is equal.
pub struct CurvesKey {
    cell: PlotCell,
    rig: Arc<Rig>,
    influences: SharedInfluences,
    /// Parameters that are not swept or driven.
    params: Vec<(String, f64)>,
    /// Names and formulas of driven parameters.
    driven: Vec<(String, String)>,
    /// State without parameters, selection and display.
    state: StepState,
    /// Changes when computed weights become available, which lines with own
    /// settings may use.
    finished_count: u64,
}

impl CurvesKey {
    /// Inputs of this cell's curves.
    pub fn new(cell: &PlotCell, axis: &Axis, page: PageState<'_>) -> Self {
        let derived = page.derived;
        let mut state = page.document.state.clone();
        state.params.clear();
        let ignored = [SettingGroup::Selection, SettingGroup::Display];
        copy_settings(&mut state, &StepState::default(), &ignored);
        Self {
            cell: cell.clone(),
            rig: Arc::clone(&derived.rig),
            influences: derived.influences.clone(),
            params: derived
                .params
                .iter()
                .filter(|(name, _)| {
                    !axis.is_swept(name, &derived.rig) && derived.driven(name).is_none()
                })
                .cloned()
                .collect(),
            driven: derived
                .driven
                .iter()
                .map(|driven| (driven.name.clone(), driven.formula.clone()))
                .collect(),
            state,
            finished_count: finished_count(),
        }
    }
}

impl PartialEq for CurvesKey {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.rig, &other.rig)
            && (self.influences.is_same(&other.influences) || self.influences == other.influences)
            && self.params == other.params
            && self.driven == other.driven
            && self.state == other.state
            && self.finished_count == other.finished_count
            && self.cell == other.cell
    }
}

/// Derived values for the formulas of a plot: shared by most lines, separate
/// for lines with own settings.
struct LineStates {
    plain: Derived,
    own: Vec<Option<Derived>>,
}

impl LineStates {
    fn new(cell: &PlotCell, document: &Document, page: PageState<'_>) -> Self {
        let lesson = Some(page.lesson);
        let own = cell
            .lines
            .iter()
            .map(|line| {
                (!line.set.0.is_empty())
                    .then(|| page.derived.of_other(&with_settings(document, line, page), lesson))
            })
            .collect();
        Self { plain: page.derived.of_other(document, lesson), own }
    }

    /// Explains that the pose program was stopped because it is too slow for a
    /// frame.
    fn endless_program(&self) -> Option<String> {
        let states = self.own.iter().flatten().chain([&self.plain]);
        let runs = states.filter_map(|derived| derived.joints.program_run.as_ref());
        let mut errors = runs.filter_map(|run| run.error.as_ref());
        let stopped = errors.find(|wrong| matches!(wrong.error, EvalError::TooMuchWork { .. }))?;
        let LineColumn { line, column } = stopped.at;
        Some(format!(
            "The program of the pose was stopped in line {line}, column {column}: {}. The curves \
             are drawn when it ends.",
            stopped.error
        ))
    }

    fn get(&self, line: usize) -> &Derived {
        self.own.get(line).and_then(Option::as_ref).unwrap_or(&self.plain)
    }
}

/// The document with the settings of a line.
fn with_settings(document: &Document, line: &PlotLine, page: PageState<'_>) -> Document {
    let mut document = document.clone();
    for setting in &line.set.0 {
        apply_setting(&mut document, setting, Some(&page.derived.rig));
    }
    document
}

/// Indices of the clips that play in some line.
fn clips(cell: &PlotCell, page: PageState<'_>) -> Vec<usize> {
    let mut clips = Vec::new();
    for line in cell.lines.iter() {
        let document = with_settings(page.document, line, page);
        let Playback { clip, fade_to, .. } = document.state.playback;
        clips.extend(clip);
        clips.extend(fade_to);
    }
    clips.sort_unstable();
    clips.dedup();
    clips
}

/// Returns the current values of all lines. Table columns have none.
pub fn values_now(cell: &PlotCell, axis: &Axis, page: PageState<'_>) -> Vec<Option<f64>> {
    cell.lines.iter().map(|line| value_now(line, axis, page)).collect()
}

fn value_now(line: &PlotLine, axis: &Axis, page: PageState<'_>) -> Option<f64> {
    let expr = line.expr.as_ref()?;
    let own;
    let derived = if line.set.0.is_empty() {
        page.derived
    } else {
        let document = with_settings(page.document, line, page);
        own = page.derived.of_other(&document, Some(page.lesson));
        &own
    };
    match &axis.over {
        PlotOver::Param(_) => expr.eval(derived).ok(),
        PlotOver::Path(_) => {
            // The selected vertex must be on the path.
            axis.now?;
            let here = f64::from(page.document.state.vertex);
            expr.eval(&PageAtPoint { page: derived, here }).ok()
        }
        PlotOver::Data => None,
    }
}

/// A line being sampled.
#[derive(Clone, Default)]
struct CurveBuilder {
    runs: Vec<Vec<[f64; 2]>>,
    open: bool,
    error: Option<String>,
}

impl CurveBuilder {
    fn add(&mut self, x: f64, y: Result<f64, EvalError>, line: &PlotLine) {
        match y {
            Ok(y) => self.add_point([x, y]),
            Err(found) => {
                self.error.get_or_insert_with(|| format!("{}: {found}", line.label.words()));
                self.open = false;
            }
        }
    }

    fn add_point(&mut self, point: [f64; 2]) {
        if !std::mem::replace(&mut self.open, true) {
            self.runs.push(Vec::new());
        }
        if let Some(run) = self.runs.last_mut() {
            run.push(point);
        }
    }
}

/// Samples all curves of a plot.
pub fn sample_curves(cell: &PlotCell, axis: &Axis, page: PageState<'_>) -> PlotCurves {
    let mut lines = vec![CurveBuilder::default(); cell.lines.len()];
    match &axis.over {
        PlotOver::Param(_) => sample_sweep(&mut lines, cell, axis, page),
        PlotOver::Path(path) => {
            let along: Vec<(f64, f64)> =
                path.iter().map(|&(vertex, x)| (x, f64::from(vertex))).collect();
            sample_places(&mut lines, cell, &along, page);
        }
        PlotOver::Data => {
            let samples = axis.samples(&page.derived.rig, &[]);
            let along: Vec<(f64, f64)> = samples.into_iter().map(|x| (x, x)).collect();
            sample_places(&mut lines, cell, &along, page);
        }
    }
    if let Some(table) = cell.data.as_ref().and_then(|data| data.table()) {
        add_columns(&mut lines, cell, table);
    }
    let errors = lines
        .iter()
        .filter(|line| line.runs.is_empty())
        .filter_map(|line| line.error.clone())
        .collect();
    let lines: Vec<_> = lines.into_iter().map(|line| line.runs).collect();
    PlotCurves {
        values: shown_range(lines.iter().flatten().flatten().map(|point| point[1])),
        errors,
        lines,
    }
}

/// Samples lines for each value of the swept parameter.
fn sample_sweep(lines: &mut [CurveBuilder], cell: &PlotCell, axis: &Axis, page: PageState<'_>) {
    let rig = &page.derived.rig;
    let mut document = page.document.clone();
    for value in axis.samples(rig, &clips(cell, page)) {
        axis.set_swept(&mut document, rig, value);
        let states = LineStates::new(cell, &document, page);
        if let Some(endless) = states.endless_program() {
            // It would be stopped for each value, so give up.
            let mut drawn = lines.iter_mut().zip(cell.lines.iter());
            if let Some((first, _)) = drawn.find(|(_, line)| line.expr.is_some()) {
                first.error = Some(endless);
            }
            for line in lines {
                line.runs.clear();
            }
            return;
        }
        for (index, (drawing, line)) in lines.iter_mut().zip(cell.lines.iter()).enumerate() {
            if let Some(expr) = &line.expr {
                drawing.add(axis.shown(value), expr.eval(states.get(index)), line);
            }
        }
    }
}

/// Samples lines on the current page at positions along the axis, given as
/// pairs of x and the value of `here`.
fn sample_places(
    lines: &mut [CurveBuilder],
    cell: &PlotCell,
    places: &[(f64, f64)],
    page: PageState<'_>,
) {
    let states = LineStates::new(cell, page.document, page);
    for (index, (drawing, line)) in lines.iter_mut().zip(cell.lines.iter()).enumerate() {
        let Some(expr) = &line.expr else {
            continue;
        };
        for &(x, here) in places {
            let page = states.get(index);
            drawing.add(x, expr.eval(&PageAtPoint { page, here }), line);
        }
    }
}

/// Adds lines that are columns of the table. A cell without a number is a gap.
fn add_columns(lines: &mut [CurveBuilder], cell: &PlotCell, table: &DataTable) {
    let x = x_column(cell, table).map(|name| table.column(name));
    for (drawing, line) in lines.iter_mut().zip(cell.lines.iter()) {
        let Some(name) = &line.column else {
            continue;
        };
        match (&x, table.column(name)) {
            (Some(Ok(x)), Ok(y)) => {
                for (x, y) in x.iter().zip(y) {
                    match (x, y) {
                        (Some(x), Some(y)) => drawing.add_point([*x, *y]),
                        _ => drawing.open = false,
                    }
                }
            }
            (Some(Err(wrong)), _) => drawing.error = Some(wrong.sentence()),
            (_, Err(wrong)) => drawing.error = Some(wrong.sentence()),
            (None, _) => {}
        }
    }
}

/// Range of values without the spikes at poles. Never empty.
fn shown_range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    let mut low = quantile(&values, 0.0);
    let mut high = quantile(&values, 1.0);
    let inner_low = quantile(&values, 0.05);
    let inner_high = quantile(&values, 0.95);
    let inner = inner_high - inner_low;
    if inner > 0.0 && high - low > 12.0 * inner {
        low = inner_low;
        high = inner_high;
    }
    if high - low < 1e-6 * high.abs().max(1.0) {
        let half = 0.5 * high.abs().max(1.0);
        low -= half;
        high += half;
    }
    (low, high)
}

fn quantile(sorted: &[f64], part: f64) -> f64 {
    let index = (part * sorted.len().saturating_sub(1) as f64).round() as usize;
    sorted.get(index).copied().unwrap_or(0.0)
}

// Descriptions of curves for readers who cannot see them.

/// Describes each line in a sentence: `measured: 2.000 now, from 1.532 at −100°
/// to 2.000 at 0°.`
pub fn describe_curves(
    cell: &PlotCell,
    axis: &Axis,
    curves: &PlotCurves,
    now: &[Option<f64>],
) -> String {
    let mut sentences = Vec::new();
    for ((line, runs), now) in cell.lines.iter().zip(&curves.lines).zip(now) {
        let now = now.map(|now| format!("{} now, ", format_number(now)));
        let points = runs.iter().flatten().copied();
        let least = points.clone().min_by(|a, b| a[1].total_cmp(&b[1]));
        let most = points.max_by(|a, b| a[1].total_cmp(&b[1]));
        let between = match (least, most) {
            (Some(least), Some(most)) if format_number(least[1]) == format_number(most[1]) => {
                format!("{} everywhere", format_number(least[1]))
            }
            (Some(least), Some(most)) => {
                format!("from {} to {}", format_point(axis, least), format_point(axis, most))
            }
            _ => "no value anywhere".to_owned(),
        };
        let label = line.label.words();
        sentences.push(format!("{label}: {}{between}.", now.unwrap_or_default()));
    }
    sentences.join(" ")
}

fn format_number(value: f64) -> String {
    number_text::fixed(value, 3)
}

/// Formats a point, such as `1.532 at −100°`.
fn format_point(axis: &Axis, point: [f64; 2]) -> String {
    format!("{} at {}", format_number(point[1]), axis.words(axis.stored(point[0])))
}

/// Formats values at the current position, such as `1.842 at 45.8°`, or `0.5 at
/// v3` along a path. Repeated values are listed once. Empty if there is no
/// current position.
pub fn format_readout(axis: &Axis, values: &[Option<f64>]) -> String {
    let Some(now) = axis.now else {
        return match axis.over {
            PlotOver::Param(_) => "the angles differ".to_owned(),
            PlotOver::Path(_) | PlotOver::Data => String::new(),
        };
    };
    let mut words: Vec<String> = values.iter().map(|&value| format_value(value)).collect();
    words.dedup();
    let place = match &axis.over {
        PlotOver::Path(path) => {
            let here = path.iter().find(|&&(_, place)| place == now);
            here.map_or_else(|| axis.words(now), |(vertex, _)| format!("v{vertex}"))
        }
        PlotOver::Param(_) | PlotOver::Data => axis.words(now),
    };
    format!("{} at {place}", words.join(", "))
}

/// Formats a value, such as `1.842`.
pub fn format_value(value: Option<f64>) -> String {
    value.map_or("no value".to_owned(), |value| number_text::fixed(value, 3))
}

/// Legend of a line, such as `measured: 1.842 at 45.8°`. Only its name if it
/// has no current value.
pub fn format_legend(line: &PlotLine, axis: &Axis, now: Option<f64>) -> String {
    format!("{}{}", line.label.words(), format_legend_value(line, axis, now))
}

/// Legend without the name, such as `: 1.842 at 45.8°`, or empty.
pub fn format_legend_value(line: &PlotLine, axis: &Axis, now: Option<f64>) -> String {
    if line.expr.is_none() {
        return String::new();
    }
    let text = format_readout(axis, &[now]);
    if text.is_empty() { text } else { format!(": {text}") }
}

// Ticks of the axes.

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tick {
    /// Position on the axis.
    pub value: f64,
    /// Distance to the next tick.
    pub step: f64,
}

/// Returns ticks at round numbers from `low` to `high`, at least `least` apart.
pub fn ticks(low: f64, high: f64, least: f64, degrees: bool) -> Vec<Tick> {
    let step = if degrees { round_degrees(least) } else { significant_digits::round_up(least) };
    if !(least.is_finite() && least > 0.0 && (high - low) / step < 1000.0) {
        return Vec::new();
    }
    let slack = 1e-9 * (high - low);
    let first = ((low - slack) / step).ceil() as i64;
    let last = ((high + slack) / step).floor() as i64;
    (first..=last).map(|index| Tick { value: index as f64 * step, step }).collect()
}

fn round_degrees(least: f64) -> f64 {
    [5.0, 10.0, 15.0, 30.0, 45.0, 90.0, 180.0, 360.0]
        .into_iter()
        .find(|&step| step >= least)
        .unwrap_or_else(|| significant_digits::round_up(least))
}

/// Formats a tick with as many digits as its step needs.
pub fn format_tick(mark: Tick, degrees: bool) -> String {
    let decimals = (-mark.step.log10().floor()).clamp(0.0, 9.0) as usize;
    let number = number_text::fixed(mark.value, decimals);
    if degrees { format!("{number}°") } else { number }
}

#[cfg(test)]
mod tests {

    use super::*;

    #[test]
    fn spikes_do_not_flatten_curves() {
        let tangent = (0..181).map(|degree| (f64::from(degree) + 0.01).to_radians().tan());
        let (low, high) = shown_range(tangent);
        assert!(low > -20.0 && high < 20.0, "{low} {high}");
        let (low, high) = shown_range([2.0, 2.0].into_iter());
        assert!(low < 2.0 && high > 2.0, "a constant has room around it");
        assert_eq!(shown_range([0.0, 1.0, 2.0].into_iter()), (0.0, 2.0));
    }

    fn values(marks: &[Tick]) -> Vec<f64> {
        marks.iter().map(|mark| mark.value).collect()
    }

    #[test]
    fn ticks_are_round_and_include_the_ends() {
        assert_eq!(values(&ticks(-180.0, 180.0, 70.0, true)), [-180.0, -90.0, 0.0, 90.0, 180.0]);
        assert_eq!(values(&ticks(-0.1, 2.3, 0.6, false)), [0.0, 1.0, 2.0]);
        assert_eq!(values(&ticks(0.0, 0.1, 0.03, false)).len(), 3);
        assert!(ticks(0.0, 1.0, 0.0, false).is_empty(), "no room at all");
        let mark = Tick { value: -0.25, step: 0.05 };
        assert_eq!(format_tick(mark, false), "−0.25");
        let mark = Tick { value: -90.0, step: 45.0 };
        assert_eq!(format_tick(mark, true), "−90°");
    }
}
