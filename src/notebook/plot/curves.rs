//! What a plot draws: its lines sampled over the sweep, and what they follow from.

use std::sync::Arc;

use super::sweep::Sweep;
use crate::asset::Rig;
use crate::lesson::{PlotCell, PlotLine};
use crate::notebook::{
    Derived, Document, PageState, Playback, SettingGroup, StepState, apply_setting, copy_settings,
};
use crate::skin::Influences;

/// The lines of a plot.
#[derive(Debug, Default)]
pub struct Curves {
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
    influences: Arc<[Influences]>,
    /// All but the swept ones.
    params: Vec<(String, f64)>,
    /// But for parameters, what is chosen and how it is shown.
    state: StepState,
}

impl CurvesKey {
    /// What the curves of this cell follow from now.
    #[must_use]
    pub fn new(cell: &PlotCell, sweep: &Sweep, page: PageState<'_>) -> Self {
        let derived = page.derived;
        let mut state = page.document.state.clone();
        state.params.clear();
        let ignored = [SettingGroup::Selection, SettingGroup::Display];
        copy_settings(&mut state, &StepState::default(), &ignored);
        let params = derived.params.iter();
        Self {
            cell: cell.clone(),
            rig: Arc::clone(&derived.rig),
            influences: Arc::clone(&derived.influences),
            params: params
                .filter(|(name, _)| !sweep.is_swept(name, &derived.rig))
                .cloned()
                .collect(),
            state,
        }
    }
}

impl PartialEq for CurvesKey {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.rig, &other.rig)
            && (Arc::ptr_eq(&self.influences, &other.influences)
                || self.influences == other.influences)
            && self.params == other.params
            && self.state == other.state
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

/// The values of all lines now.
#[must_use]
pub fn values_now(cell: &PlotCell, page: PageState<'_>) -> Vec<Option<f64>> {
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

/// The curves.
#[must_use]
pub fn sampled(cell: &PlotCell, sweep: &Sweep, page: PageState<'_>) -> Curves {
    let rig = &page.derived.rig;
    let mut document = page.document.clone();
    let mut lines: Vec<Vec<Vec<[f64; 2]>>> = vec![vec![Vec::new()]; cell.lines.len()];
    let mut errors: Vec<Option<String>> = vec![None; cell.lines.len()];
    for value in sweep.samples(rig, &clips(cell, page)) {
        sweep.put(&mut document, rig, value);
        let states = LineStates::new(cell, &document, page);
        for (index, (runs, error)) in lines.iter_mut().zip(&mut errors).enumerate() {
            let line = &cell.lines[index];
            match line.expr.eval(states.get(index)) {
                Ok(y) => {
                    if let Some(run) = runs.last_mut() {
                        run.push([sweep.shown(value), y]);
                    }
                }
                Err(found) => {
                    error.get_or_insert_with(|| format!("{}: {found}", line.label.words()));
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
        values: worth_showing(lines.iter().flatten().flatten().map(|point| point[1])),
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
}
