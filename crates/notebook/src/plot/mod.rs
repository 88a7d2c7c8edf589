//! Plots without their drawing: axis, curves, ticks and texts.

mod curves;

use bindpose_lesson::number_text;
pub use curves::{
    CurvesKey, PlotCurves, Tick, describe_curves, format_legend, format_legend_value,
    format_readout, format_tick, format_value, sample_curves, ticks, values_now,
};

use bindpose_gltf::Rig;
use bindpose_lesson::{
    DataTable, MAX_PATH_VERTICES, PathMeasure, PlotCell, PlotLine, Text, Values,
};
use bindpose_skin::Interpolation;

use crate::page_state::page_param;
use crate::{Derived, Document, PageState, TIME_PARAM};

/// Returns the lines with a formula and their current values, by index.
pub fn formula_values<'a>(
    cell: &'a PlotCell,
    now: &'a [Option<f64>],
) -> impl DoubleEndedIterator<Item = (usize, Option<f64>)> + ExactSizeIterator + 'a {
    let mut values: Vec<(usize, Option<f64>)> = Vec::new();
    for (index, (line, &value)) in cell.lines.iter().zip(now).enumerate() {
        if line.expr.is_some() {
            values.push((index, value));
        }
    }
    values.into_iter()
}

/// Returns true if the line is dashed. Every second line is, because colours
/// alone are hard to distinguish for many people.
pub fn is_dashed(line: &PlotLine, index: usize) -> bool {
    line.dashed || index % 2 == 1
}

/// Caption such as `length of v2–v3 against the angle of joint 1`.
pub fn caption(cell: &PlotCell, axis: &Axis) -> String {
    let what = match (&cell.y_label, &*cell.lines) {
        (label, [line]) if label.is_empty() => line.label.words(),
        (label, _) => label.words(),
    };
    format!("{what} against {}", axis.axis).trim().to_owned()
}

// The horizontal axis of a plot: a parameter over a range, vertices of a path,
// or a column of a table.

/// Number of evenly spaced samples of a curve.
const SAMPLE_COUNT: u32 = 181;

/// Maximum number of jumps of a curve that are drawn vertically.
const MAX_JUMPS: usize = 256;

/// Quantity along the axis.
#[derive(Clone, Debug, PartialEq)]
pub enum PlotOver {
    /// A parameter, or `all`.
    Param(String),
    /// Vertices with their positions along the axis.
    Path(Vec<(u32, f64)>),
    /// Numbers of a table column.
    Data,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// Quantity along the axis.
    pub over: PlotOver,
    pub label: String,
    pub axis: String,
    /// Start, in the parameter's own unit.
    pub from: f64,
    /// End, in the parameter's own unit.
    pub to: f64,
    /// Whether it is an angle, stored in radians.
    pub angle: bool,
    /// Whether only whole numbers are allowed.
    pub whole: bool,
    /// Unit of a parameter of the lesson: ` kg`, or `%`, for which hundredths
    /// are stored.
    pub unit: String,
    /// Default value, as stored.
    pub default: f64,
    /// Current position on the axis: the value of the parameter, or the
    /// selected vertex. `None` if the angles of `all` differ, if the selected
    /// vertex is not on the path, and for data.
    pub now: Option<f64>,
}

impl Axis {
    /// Positions at which curves are sampled, in order: evenly spaced, and on
    /// both sides of jumps of a clip, so that jumps are vertical.
    fn samples(&self, rig: &Rig, clips: &[usize]) -> Vec<f64> {
        let span = self.to - self.from;
        let mut samples: Vec<f64> = (0..SAMPLE_COUNT)
            .map(|index| self.from + span * (f64::from(index) / f64::from(SAMPLE_COUNT - 1)))
            .collect();
        if self.is_over(TIME_PARAM) {
            let clips = clips.iter().filter_map(|&clip| rig.clips.get(clip));
            let channels = clips.flat_map(|clip| &clip.channels);
            let mut keys: Vec<f64> = channels
                .filter(|channel| channel.track.interpolation == Interpolation::Step)
                .flat_map(|channel| channel.track.times_secs.iter().copied().map(f64::from))
                .filter(|&key| key > self.from && key <= self.to)
                .collect();
            keys.sort_by(f64::total_cmp);
            keys.dedup();
            if keys.len() <= MAX_JUMPS {
                samples
                    .extend(keys.iter().flat_map(|&key| [(key - span * 1e-6).max(self.from), key]));
                samples.sort_by(f64::total_cmp);
                samples.dedup();
            }
        }
        samples
    }

    /// Returns `None` if there is no such parameter, if it is driven by a
    /// formula, if its data was not loaded, or if the range is empty.
    pub fn new(cell: &PlotCell, page: PageState<'_>) -> Option<Self> {
        let axis = if !cell.along.is_empty() {
            Self::along_path(cell, page)?
        } else if cell.sweep.is_empty() {
            Self::of_data(cell)?
        } else {
            Self::over_sweep(cell, page)?
        };
        (axis.from < axis.to).then_some(axis)
    }

    fn over_sweep(cell: &PlotCell, page: PageState<'_>) -> Option<Self> {
        let (from, to) = ends(cell, (0.0, 0.0));
        let name = cell.sweep.as_str();
        let param = page_param(name, page).filter(|param| param.driven.is_none())?;
        let mut now = Values::param(page.derived, name);
        if name == "all" {
            now = now.filter(|_| angles_agree(page.derived));
        }
        let label = param.label.as_str();
        Some(Self {
            over: PlotOver::Param(name.to_owned()),
            label: label.to_owned(),
            axis: axis_label(cell).unwrap_or_else(|| match param.unit.trim() {
                "" => quantity_label(label),
                unit => format!("{label} in {unit}"),
            }),
            from,
            to,
            angle: param.angle,
            whole: param.whole,
            unit: param.unit.clone(),
            default: param.default,
            now,
        })
    }

    /// Uses the vertices that the mesh has, in order.
    fn along_path(cell: &PlotCell, page: PageState<'_>) -> Option<Self> {
        let stored = &page.derived.rig.mesh.positions;
        let vertices = cell.along.iter().flat_map(|part| part.vertices());
        let mut length = 0.0;
        let mut before = None;
        let mut path = Vec::new();
        for vertex in vertices.take(MAX_PATH_VERTICES) {
            let Some(here) = stored.get(vertex as usize).map(|p| p.as_dvec3()) else {
                continue;
            };
            length += before.map_or(0.0, |before| here.distance(before));
            before = Some(here);
            let place = match cell.measure {
                PathMeasure::Length => length,
                PathMeasure::Number => path.len() as f64,
            };
            path.push((vertex, place));
        }
        let label = match cell.measure {
            PathMeasure::Length => "length along the path",
            PathMeasure::Number => "vertices along the path",
        };
        let chosen = page.document.state.vertex;
        let now = path.iter().find(|(vertex, _)| *vertex == chosen);
        Some(Self {
            label: label.to_owned(),
            axis: axis_label(cell).unwrap_or_else(|| label.to_owned()),
            from: 0.0,
            to: path.last()?.1,
            angle: false,
            whole: cell.measure == PathMeasure::Number,
            unit: String::new(),
            default: 0.0,
            now: now.map(|&(_, place)| place),
            over: PlotOver::Path(path),
        })
    }

    fn of_data(cell: &PlotCell) -> Option<Self> {
        let table = cell.data.as_ref()?.table()?;
        let name = x_column(cell, table)?;
        let numbers: Vec<f64> =
            table.column(name).into_iter().flatten().flatten().copied().collect();
        let least = numbers.iter().copied().min_by(f64::total_cmp)?;
        let most = numbers.iter().copied().max_by(f64::total_cmp)?;
        let (from, to) = ends(cell, (least, most));
        Some(Self {
            over: PlotOver::Data,
            label: name.to_owned(),
            axis: axis_label(cell).unwrap_or_else(|| name.to_owned()),
            from,
            to,
            angle: false,
            whole: false,
            unit: String::new(),
            default: from,
            now: None,
        })
    }

    /// Converts to the number shown along the axis: degrees for angles,
    /// percentages for `%`.
    pub fn shown(&self, value: f64) -> f64 {
        match self.unit.as_str() {
            _ if self.angle => value.to_degrees(),
            "%" => value * 100.0,
            _ => value,
        }
    }

    /// Converts a number shown along the axis to the stored value.
    pub fn stored(&self, shown: f64) -> f64 {
        match self.unit.as_str() {
            _ if self.angle => shown.to_radians(),
            "%" => shown / 100.0,
            _ => shown,
        }
    }

    /// Formats a value with its unit, such as `45.8°` or `2.50 kg`.
    pub fn words(&self, value: f64) -> String {
        let decimals = match self.unit.as_str() {
            _ if self.angle => 1,
            "%" => 0,
            _ if self.whole => 0,
            _ => 2,
        };
        let number = number_text::fixed(self.shown(value), decimals);
        let unit = if self.angle { "°" } else { &self.unit };
        format!("{number}{unit}")
    }

    fn is_over(&self, name: &str) -> bool {
        matches!(&self.over, PlotOver::Param(param) if param == name)
    }

    /// Returns true if this parameter is swept.
    fn is_swept(&self, param: &str, rig: &Rig) -> bool {
        if self.is_over("all") {
            rig.angles().any(|angle| angle.name == param)
        } else {
            self.is_over(param)
        }
    }

    fn set_swept(&self, document: &mut Document, rig: &Rig, value: f64) {
        let PlotOver::Param(name) = &self.over else {
            return;
        };
        if name == "all" {
            for angle in rig.angles() {
                document.state.params.insert(angle.name.clone(), value);
            }
        } else {
            document.state.params.insert(name.clone(), value);
        }
    }
}

/// Ends of the axis from the cell, or these by default.
fn ends(cell: &PlotCell, default: (f64, f64)) -> (f64, f64) {
    (cell.from.map_or(default.0, |from| from.0), cell.to.map_or(default.1, |to| to.0))
}

/// Name of the column along the axis.
fn x_column<'a>(cell: &'a PlotCell, table: &'a DataTable) -> Option<&'a str> {
    cell.x.as_deref().or_else(|| table.names().next())
}

/// Names the angle of a joint.
fn quantity_label(label: &str) -> String {
    if label == "all joints" || label.starts_with("joint ") {
        format!("the angle of {label}")
    } else {
        label.to_owned()
    }
}

fn angles_agree(derived: &Derived) -> bool {
    let first = Values::param(derived, "all").unwrap_or_default();
    derived.free_angles().all(|angle| {
        Values::param(derived, &angle.name).is_some_and(|other| (other - first).abs() < 1e-9)
    })
}

/// Label of the axis from the cell, if any.
fn axis_label(cell: &PlotCell) -> Option<String> {
    cell.x_label.as_ref().map(Text::words)
}

#[cfg(test)]
mod tests {
    use bindpose_rigs::builtin;

    use super::*;

    fn over(name: &str, to: f64) -> Axis {
        Axis {
            over: PlotOver::Param(name.to_owned()),
            label: name.to_owned(),
            axis: name.to_owned(),
            from: 0.0,
            to,
            angle: false,
            whole: false,
            unit: String::new(),
            default: 0.0,
            now: None,
        }
    }

    #[test]
    fn jumps_are_sampled_on_both_sides() {
        let arm = builtin("arm").unwrap();
        let all: Vec<usize> = (0..arm.clips.len()).collect();
        let samples = over(TIME_PARAM, 2.0).samples(&arm, &all);
        assert!(samples.is_sorted() && samples.len() > SAMPLE_COUNT as usize);
        let place = samples.iter().position(|&at| at == 0.5).unwrap();
        assert!(0.5 - samples[place - 1] < 1e-5, "{}", samples[place - 1]);
        let even = over("b0", 2.0).samples(&arm, &all);
        assert_eq!(even.len(), SAMPLE_COUNT as usize);
        assert_eq!((even[0], even[180]), (0.0, 2.0));
        let nothing_plays = over(TIME_PARAM, 2.0).samples(&arm, &[]);
        assert_eq!(nothing_plays.len(), SAMPLE_COUNT as usize);
    }
}
