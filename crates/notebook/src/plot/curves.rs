//! What a plot draws: its lines sampled over the sweep, and what they follow from.

use std::sync::Arc;

use bindpose_asset::Rig;
use bindpose_diagnostic::LineColumn;
use bindpose_lesson::{DataTable, EvalError, Here, PlotCell, PlotLine};
use bindpose_skin::SharedInfluences;

use super::{Axis, PlotOver, x_column};
use crate::computed_weights::arrivals;
use crate::{
    Derived, Document, PageState, Playback, SettingGroup, StepState, apply_setting, copy_settings,
    number_text, significant_digits,
};

/// The lines of a plot.
#[derive(Debug, Default)]
pub struct PlotCurves {
    /// By line: runs of points between gaps; x as along the axis.
    pub lines: Vec<Vec<Vec<[f64; 2]>>>,
    /// Least and largest value worth showing.
    pub values: (f64, f64),
    /// Of lines that have no value anywhere, why.
    pub errors: Vec<String>,
}

/// Everything that curves follow from: while it is the same, so are they.
pub struct CurvesKey {
    cell: PlotCell,
    rig: Arc<Rig>,
    influences: SharedInfluences,
    /// All but the swept ones and what follows from them.
    params: Vec<(String, f64)>,
    /// Names and formulas of those that follow.
    driven: Vec<(String, String)>,
    /// But for parameters, what is chosen and how it is shown.
    state: StepState,
    /// Weights of lines of their own may have come.
    arrivals: u64,
}

impl CurvesKey {
    /// What the curves of this cell follow from now.
    pub fn new(cell: &PlotCell, axis: &Axis, page: PageState<'_>) -> Self {
        let derived = page.derived;
        let mut state = page.document.state.clone();
        state.params.clear();
        let ignored = [SettingGroup::Selection, SettingGroup::Display];
        copy_settings(&mut state, &StepState::default(), &ignored);
        let params = derived.params.iter();
        Self {
            cell: cell.clone(),
            rig: Arc::clone(&derived.rig),
            influences: derived.influences.clone(),
            params: params
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
            arrivals: arrivals(),
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
            && self.arrivals == other.arrivals
            && self.cell == other.cell
    }
}

/// What the formulas of a plot see: most of them the document, some with
/// something changed.
struct LineStates {
    plain: Derived,
    own: Vec<Option<Derived>>,
}

impl LineStates {
    fn new(cell: &PlotCell, document: &Document, page: PageState<'_>) -> Self {
        let derived = |document: &Document| page.derived.of_other(document, Some(page.lesson));
        let own = |line: &PlotLine| {
            (!line.set.0.is_empty()).then(|| derived(&with_settings(document, line, page)))
        };
        Self { plain: derived(document), own: cell.lines.iter().map(own).collect() }
    }

    /// What stopped the program that poses because it does more than a frame has time
    /// for, in words.
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

/// The document as one line sees it.
fn with_settings(document: &Document, line: &PlotLine, page: PageState<'_>) -> Document {
    let mut document = document.clone();
    for setting in &line.set.0 {
        apply_setting(&mut document, setting, Some(&page.derived.rig));
    }
    document
}

/// The clips that play in some line.
fn clips(cell: &PlotCell, page: PageState<'_>) -> Vec<usize> {
    let of = |playback: &Playback| [playback.clip, playback.fade_to];
    let lines = cell.lines.iter();
    let own = lines.flat_map(|line| of(&with_settings(page.document, line, page).state.playback));
    let mut clips: Vec<usize> = own.flatten().collect();
    clips.sort_unstable();
    clips.dedup();
    clips
}

/// The values of all lines now; none of columns, which do not follow.
pub fn values_now(cell: &PlotCell, axis: &Axis, page: PageState<'_>) -> Vec<Option<f64>> {
    let of = |line: &PlotLine| {
        let expr = line.expr.as_ref()?;
        let eval = |derived: &Derived| match &axis.over {
            PlotOver::Param(_) => expr.eval(derived).ok(),
            // The chosen vertex, where it is on the path.
            PlotOver::Path(_) => axis.now.and_then(|_| {
                let here = f64::from(page.document.state.vertex);
                let page = derived;
                expr.eval(&Here { page, here }).ok()
            }),
            PlotOver::Data => None,
        };
        if line.set.0.is_empty() {
            return eval(page.derived);
        }
        let document = with_settings(page.document, line, page);
        eval(&page.derived.of_other(&document, Some(page.lesson)))
    };
    cell.lines.iter().map(of).collect()
}

/// A line in the making.
#[derive(Clone, Default)]
struct CurveBuilder {
    runs: Vec<Vec<[f64; 2]>>,
    open: bool,
    error: Option<String>,
}

impl CurveBuilder {
    fn add(&mut self, x: f64, y: Result<f64, EvalError>, line: &PlotLine) {
        match y {
            Ok(y) => self.point([x, y]),
            Err(found) => {
                self.error.get_or_insert_with(|| format!("{}: {found}", line.label.words()));
                self.open = false;
            }
        }
    }

    fn point(&mut self, point: [f64; 2]) {
        if !std::mem::replace(&mut self.open, true) {
            self.runs.push(Vec::new());
        }
        if let Some(run) = self.runs.last_mut() {
            run.push(point);
        }
    }
}

/// The curves.
pub fn sampled(cell: &PlotCell, axis: &Axis, page: PageState<'_>) -> PlotCurves {
    let mut lines = vec![CurveBuilder::default(); cell.lines.len()];
    match &axis.over {
        PlotOver::Param(_) => sweep(&mut lines, cell, axis, page),
        PlotOver::Path(path) => {
            let along = path.iter().map(|&(vertex, x)| (x, f64::from(vertex)));
            let along: Vec<(f64, f64)> = along.collect();
            at_places(&mut lines, cell, &along, page);
        }
        PlotOver::Data => {
            let along = axis.samples(&page.derived.rig, &[]).into_iter();
            let along: Vec<(f64, f64)> = along.map(|x| (x, x)).collect();
            at_places(&mut lines, cell, &along, page);
        }
    }
    if let Some(table) = cell.data.as_ref().and_then(|data| data.table()) {
        columns(&mut lines, cell, table);
    }
    let errors = lines.iter().filter(|line| line.runs.is_empty());
    let errors = errors.filter_map(|line| line.error.clone()).collect();
    let lines: Vec<_> = lines.into_iter().map(|line| line.runs).collect();
    PlotCurves {
        values: worth_showing(lines.iter().flatten().flatten().map(|point| point[1])),
        errors,
        lines,
    }
}

/// With the parameter at one value after the other.
fn sweep(lines: &mut [CurveBuilder], cell: &PlotCell, axis: &Axis, page: PageState<'_>) {
    let rig = &page.derived.rig;
    let mut document = page.document.clone();
    for value in axis.samples(rig, &clips(cell, page)) {
        axis.put(&mut document, rig, value);
        let states = LineStates::new(cell, &document, page);
        if let Some(endless) = states.endless_program() {
            // It would be stopped for each of them.
            let mut drawn = lines.iter_mut().zip(&cell.lines);
            if let Some((first, _)) = drawn.find(|(_, line)| line.expr.is_some()) {
                first.error = Some(endless);
            }
            for line in lines {
                line.runs.clear();
            }
            return;
        }
        for (index, (drawing, line)) in lines.iter_mut().zip(&cell.lines).enumerate() {
            if let Some(expr) = &line.expr {
                drawing.add(axis.shown(value), expr.eval(states.get(index)), line);
            }
        }
    }
}

/// On the page as it is, at places along the axis, each with what is `here`.
fn at_places(
    lines: &mut [CurveBuilder],
    cell: &PlotCell,
    places: &[(f64, f64)],
    page: PageState<'_>,
) {
    let states = LineStates::new(cell, page.document, page);
    for (index, (drawing, line)) in lines.iter_mut().zip(&cell.lines).enumerate() {
        let Some(expr) = &line.expr else {
            continue;
        };
        for &(x, here) in places {
            let page = states.get(index);
            drawing.add(x, expr.eval(&Here { page, here }), line);
        }
    }
}

/// Lines that are columns of the data; a cell without a number is a gap.
fn columns(lines: &mut [CurveBuilder], cell: &PlotCell, table: &DataTable) {
    let x = x_column(cell, table).map(|name| table.column(name));
    for (drawing, line) in lines.iter_mut().zip(&cell.lines) {
        let Some(name) = &line.column else {
            continue;
        };
        match (&x, table.column(name)) {
            (Some(Ok(x)), Ok(y)) => {
                for (x, y) in x.iter().zip(y) {
                    match (x, y) {
                        (Some(x), Some(y)) => drawing.point([*x, *y]),
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

/// Least and largest, without the spikes of a pole; never the same.
fn worth_showing(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    let at = |part: f64| {
        let place = part * values.len().saturating_sub(1) as f64;
        values.get(place.round() as usize).copied().unwrap_or(0.0)
    };
    let (mut low, mut high) = (at(0.0), at(1.0));
    let (inner_low, inner_high) = (at(0.05), at(0.95));
    let inner = inner_high - inner_low;
    if inner > 0.0 && high - low > 12.0 * inner {
        (low, high) = (inner_low, inner_high);
    }
    if high - low < 1e-6 * high.abs().max(1.0) {
        let half = 0.5 * high.abs().max(1.0);
        (low, high) = (low - half, high + half);
    }
    (low, high)
}

// The curves of a plot in words, for those who do not see them.

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

// Where the axes of a plot have their ticks.

/// A tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tick {
    /// Where it stands.
    pub value: f64,
    /// How far it is to the next.
    pub step: f64,
}

/// Ticks at round numbers, `least` or more apart, from `low` to `high`.
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

/// As many digits as steps of this size need.
pub fn tick_words(mark: Tick, degrees: bool) -> String {
    let decimals = (-mark.step.log10().floor()).clamp(0.0, 9.0) as usize;
    let number = number_text::fixed(mark.value, decimals);
    if degrees { format!("{number}°") } else { number }
}

#[cfg(test)]
mod tests {

    use super::*;

    #[test]
    fn the_spikes_of_a_pole_do_not_flatten_the_rest() {
        let tangent = (0..181).map(|degree| (f64::from(degree) + 0.01).to_radians().tan());
        let (low, high) = worth_showing(tangent);
        assert!(low > -20.0 && high < 20.0, "{low} {high}");
        let (low, high) = worth_showing([2.0, 2.0].into_iter());
        assert!(low < 2.0 && high > 2.0, "a constant has room around it");
        assert_eq!(worth_showing([0.0, 1.0, 2.0].into_iter()), (0.0, 2.0));
    }

    fn values(marks: &[Tick]) -> Vec<f64> {
        marks.iter().map(|mark| mark.value).collect()
    }

    #[test]
    fn ticks_stand_at_round_numbers_and_include_the_ends() {
        assert_eq!(values(&ticks(-180.0, 180.0, 70.0, true)), [-180.0, -90.0, 0.0, 90.0, 180.0]);
        assert_eq!(values(&ticks(-0.1, 2.3, 0.6, false)), [0.0, 1.0, 2.0]);
        assert_eq!(values(&ticks(0.0, 0.1, 0.03, false)).len(), 3);
        assert!(ticks(0.0, 1.0, 0.0, false).is_empty(), "no room at all");
        let mark = Tick { value: -0.25, step: 0.05 };
        assert_eq!(tick_words(mark, false), "−0.25");
        let mark = Tick { value: -90.0, step: 45.0 };
        assert_eq!(tick_words(mark, true), "−90°");
    }
}
