//! What a plot draws: its lines sampled over the sweep, kept as long as nothing
//! they follow from changes; and where its axes have their ticks.

use std::sync::Arc;

use egui_plot::{GridMark, PlotPoint};

use super::plot_sweep::Sweep;
use crate::asset::Rig;
use crate::lesson::{PlotCell, PlotLine};
use crate::notebook::{
    Derived, Document, Playback, SettingGroup, StepState, apply_setting, copy_settings,
    number_text, significant_digits,
};
use crate::skin::Influences;
use crate::ui::PageContext;

/// The lines of a plot.
#[derive(Debug, Default)]
pub(super) struct Curves {
    /// By line: runs of points between gaps; x as along the axis.
    pub(super) lines: Vec<Vec<Vec<PlotPoint>>>,
    /// Least and largest value worth showing.
    pub(super) values: (f64, f64),
    /// Of lines that have no value anywhere, why.
    pub(super) errors: Vec<String>,
}

/// Everything the curves follow from.
struct Key {
    cell: PlotCell,
    rig: Arc<Rig>,
    influences: Arc<[Influences]>,
    /// All but the swept ones.
    params: Vec<(String, f64)>,
    /// But for parameters, what is chosen and how it is shown.
    state: StepState,
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.rig, &other.rig)
            && (Arc::ptr_eq(&self.influences, &other.influences)
                || self.influences == other.influences)
            && self.params == other.params
            && self.state == other.state
            && self.cell == other.cell
    }
}

/// The last curves, and what they follow from.
#[derive(Default)]
struct CachedCurves(Option<(Key, Arc<Curves>)>);

/// The curves, sampled anew only when something other than the swept parameter
/// has changed.
pub(super) fn curves(
    id: &str,
    cell: &PlotCell,
    sweep: &Sweep,
    page: &mut PageContext<'_>,
) -> Arc<Curves> {
    let derived = page.derived;
    let mut state = page.document.state.clone();
    state.params.clear();
    let ignored = [SettingGroup::Selection, SettingGroup::Display];
    copy_settings(&mut state, &StepState::default(), &ignored);
    let key = Key {
        cell: cell.clone(),
        rig: Arc::clone(&derived.rig),
        influences: Arc::clone(&derived.influences),
        params: derived
            .params
            .iter()
            .filter(|(name, _)| !sweep.is_swept(name, &derived.rig))
            .cloned()
            .collect(),
        state,
    };
    if let Some((of, curves)) = &page.state::<CachedCurves>(id).0
        && *of == key
    {
        return Arc::clone(curves);
    }
    let curves = Arc::new(sampled(cell, sweep, page));
    page.state::<CachedCurves>(id).0 = Some((key, Arc::clone(&curves)));
    curves
}

/// What the formulas of a plot see: most of them the document, some with
/// something changed.
struct LineStates {
    plain: Derived,
    own: Vec<Option<Derived>>,
}

impl LineStates {
    fn new(cell: &PlotCell, document: &Document, page: &PageContext<'_>) -> Self {
        let derived = |document: &Document| page.derived.of_other(document, Some(page.lesson));
        let own = |line: &PlotLine| {
            (!line.set.0.is_empty()).then(|| derived(&with_settings(document, line, page)))
        };
        Self {
            plain: derived(document),
            own: cell.lines.iter().map(own).collect(),
        }
    }

    fn get(&self, line: usize) -> &Derived {
        self.own
            .get(line)
            .and_then(Option::as_ref)
            .unwrap_or(&self.plain)
    }
}

/// The document as one line sees it.
fn with_settings(document: &Document, line: &PlotLine, page: &PageContext<'_>) -> Document {
    let mut document = document.clone();
    for setting in &line.set.0 {
        apply_setting(&mut document, setting, Some(&page.derived.rig));
    }
    document
}

/// The clips that play in some line.
fn clips(cell: &PlotCell, page: &PageContext<'_>) -> Vec<usize> {
    let of = |playback: &Playback| [playback.clip, playback.fade_to];
    let lines = cell.lines.iter();
    let own = lines.flat_map(|line| of(&with_settings(page.document, line, page).state.playback));
    let mut clips: Vec<usize> = own.flatten().collect();
    clips.sort_unstable();
    clips.dedup();
    clips
}

/// The values of all lines now.
pub(super) fn values_now(cell: &PlotCell, page: &PageContext<'_>) -> Vec<Option<f64>> {
    let of = |line: &PlotLine| {
        if line.set.0.is_empty() {
            return line.expr.eval(page.derived).ok();
        }
        let document = with_settings(page.document, line, page);
        let derived = page.derived.of_other(&document, Some(page.lesson));
        line.expr.eval(&derived).ok()
    };
    cell.lines.iter().map(of).collect()
}

fn sampled(cell: &PlotCell, sweep: &Sweep, page: &PageContext<'_>) -> Curves {
    let rig = &page.derived.rig;
    let mut document = page.document.clone();
    let mut lines: Vec<Vec<Vec<PlotPoint>>> = vec![vec![Vec::new()]; cell.lines.len()];
    let mut errors: Vec<Option<String>> = vec![None; cell.lines.len()];
    for value in sweep.samples(rig, &clips(cell, page)) {
        sweep.put(&mut document, rig, value);
        let states = LineStates::new(cell, &document, page);
        for (index, (runs, error)) in lines.iter_mut().zip(&mut errors).enumerate() {
            let line = &cell.lines[index];
            match line.expr.eval(states.get(index)) {
                Ok(y) => {
                    if let Some(run) = runs.last_mut() {
                        run.push(PlotPoint::new(sweep.shown(value), y));
                    }
                }
                Err(found) => {
                    error.get_or_insert_with(|| format!("{}: {found}", line.label));
                    if runs.last().is_some_and(|run| !run.is_empty()) {
                        runs.push(Vec::new());
                    }
                }
            }
        }
    }
    for runs in &mut lines {
        runs.retain(|run| !run.is_empty());
    }
    Curves {
        values: worth_showing(lines.iter().flatten().flatten().map(|point| point.y)),
        errors: lines
            .iter()
            .zip(errors)
            .filter_map(|(runs, error)| error.filter(|_| runs.is_empty()))
            .collect(),
        lines,
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

/// Ticks at round numbers, `least` or more apart, from `low` to `high`.
pub(super) fn ticks(low: f64, high: f64, least: f64, degrees: bool) -> Vec<GridMark> {
    let step = if degrees {
        round_degrees(least)
    } else {
        significant_digits::round_up(least)
    };
    if !(least.is_finite() && least > 0.0 && (high - low) / step < 1000.0) {
        return Vec::new();
    }
    let slack = 1e-9 * (high - low);
    let first = ((low - slack) / step).ceil() as i64;
    let last = ((high + slack) / step).floor() as i64;
    (first..=last)
        .map(|index| GridMark {
            value: index as f64 * step,
            step_size: step,
        })
        .collect()
}

fn round_degrees(least: f64) -> f64 {
    [5.0, 10.0, 15.0, 30.0, 45.0, 90.0, 180.0, 360.0]
        .into_iter()
        .find(|&step| step >= least)
        .unwrap_or_else(|| significant_digits::round_up(least))
}

/// As many digits as steps of this size need.
pub(super) fn tick_words(mark: GridMark, degrees: bool) -> String {
    let decimals = (-mark.step_size.log10().floor()).clamp(0.0, 9.0) as usize;
    let number = number_text::fixed(mark.value, decimals);
    if degrees {
        format!("{number}°")
    } else {
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lesson::{Expr, Quantity, Settings};
    use crate::ui::cells::testing::{Page, harness};

    fn values(marks: &[GridMark]) -> Vec<f64> {
        marks.iter().map(|mark| mark.value).collect()
    }

    #[test]
    fn ticks_stand_at_round_numbers_and_include_the_ends() {
        assert_eq!(
            values(&ticks(-180.0, 180.0, 70.0, true)),
            [-180.0, -90.0, 0.0, 90.0, 180.0]
        );
        assert_eq!(values(&ticks(-0.1, 2.3, 0.6, false)), [0.0, 1.0, 2.0]);
        assert_eq!(values(&ticks(0.0, 0.1, 0.03, false)).len(), 3);
        assert!(ticks(0.0, 1.0, 0.0, false).is_empty(), "no room at all");
        let mark = GridMark {
            value: -0.25,
            step_size: 0.05,
        };
        assert_eq!(tick_words(mark, false), "−0.25");
        let mark = GridMark {
            value: -90.0,
            step_size: 45.0,
        };
        assert_eq!(tick_words(mark, true), "−90°");
    }

    #[test]
    fn the_spikes_of_a_pole_do_not_flatten_the_rest() {
        let tangent = (0..181).map(|degree| (f64::from(degree) + 0.01).to_radians().tan());
        let (low, high) = worth_showing(tangent);
        assert!(low > -20.0 && high < 20.0, "{low} {high}");
        let (low, high) = worth_showing([2.0, 2.0].into_iter());
        assert!(low < 2.0 && high > 2.0, "a constant has room around it");
        assert_eq!(worth_showing([0.0, 1.0, 2.0].into_iter()), (0.0, 2.0));
    }

    #[test]
    fn curves_are_sampled_anew_only_when_something_else_than_the_swept_angle_moves() {
        let line = |expr: &str| PlotLine {
            label: expr.to_owned(),
            expr: Expr::parse(expr).expect("a formula"),
            dashed: false,
            set: Settings::default(),
        };
        let cell = PlotCell {
            sweep: "b1".to_owned(),
            from: Quantity(-3.0),
            to: Quantity(3.0),
            lines: vec![line("distance(v2,v3)"), line("sqrt(b1)")],
            y_label: String::new(),
            x_label: None,
            height: None,
        };
        let harness = harness(Page::new("bone_grid"), move |_, page| {
            let mut document = page.document.clone();
            let lesson = page.lesson;
            let mut of = |name: &str, value: f64| {
                document.state.params.insert(name.to_owned(), value);
                let influences = Arc::clone(&page.derived.influences);
                let derived = Derived::new(&document, Some(lesson), &page.derived.rig, influences);
                let mut page = page.with(&document, &derived);
                let sweep = Sweep::new(&cell, &page).expect("b1");
                curves("p", &cell, &sweep, &mut page)
            };
            let first = of("b1", 0.0);
            assert_eq!(first.lines[0][0].len(), 181);
            assert_eq!(first.lines[1][0].len(), 91, "no root left of 0");
            assert!(Arc::ptr_eq(&first, &of("b1", 1.0)), "only b1 moved");
            assert!(!Arc::ptr_eq(&first, &of("b2", 1.0)), "b2 moved");
        });
        drop(harness);
    }
}
