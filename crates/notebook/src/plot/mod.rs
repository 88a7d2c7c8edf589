//! Plots without their picture: what is along the axis, the curves, their ticks and
//! words.

mod curves;

pub use curves::{
    CurvesKey, PlotCurves, Tick, curve_words, line_words, readout, sampled, tick_words, ticks,
    told, value_words, values_now,
};

use bindpose_asset::Rig;
use bindpose_lesson::{
    DataTable, MAX_PATH, PathMeasure, PlotCell, PlotLine, Quantity, Text, Values,
};
use bindpose_skin::Interpolation;

use crate::page_state::page_param;
use crate::{Derived, Document, PageState, TIME, number_text};

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

// What stands along the horizontal axis of a plot: a parameter from one end to the
// other, vertices of a path, or the numbers of a table.

/// Samples of one curve, evenly spread.
const SAMPLES: u32 = 181;

/// Jumps of a curve that are drawn upright, at most.
const JUMPS: usize = 256;

/// What runs along the axis.
#[derive(Clone, Debug, PartialEq)]
pub enum PlotOver {
    /// A parameter of that name, or `all`.
    Param(String),
    /// Vertices, each with its place along the axis.
    Path(Vec<(u32, f64)>),
    /// The numbers of a column.
    Data,
}

/// The horizontal axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// What runs along it.
    pub over: PlotOver,
    /// For people.
    pub label: String,
    /// What the axis shows.
    pub axis: String,
    /// One end, in the parameter's own unit.
    pub from: f64,
    /// The other end.
    pub to: f64,
    /// Is it an angle, stored in radians?
    pub angle: bool,
    /// Whole numbers only?
    pub whole: bool,
    /// After its numbers, of a parameter of the lesson: ` kg`, or `%`, whose hundredth
    /// is stored.
    pub unit: String,
    /// As stored, until something else is said.
    pub default: f64,
    /// Where the page stands on it: the value of the parameter, or the chosen vertex;
    /// `None` when `all` stands for angles that differ, when the chosen vertex is
    /// not on the path, and for data.
    pub now: Option<f64>,
}

impl Axis {
    /// Where the curves are sampled, in order: evenly, and on both sides of where
    /// a clip jumps, so that a jump stands upright.
    fn samples(&self, rig: &Rig, clips: &[usize]) -> Vec<f64> {
        let span = self.to - self.from;
        let even = (0..SAMPLES).map(|at| f64::from(at) / f64::from(SAMPLES - 1));
        let mut samples: Vec<f64> = even.map(|part| self.from + span * part).collect();
        if self.is_over(TIME) {
            let clips = clips.iter().filter_map(|&clip| rig.clips.get(clip));
            let channels = clips.flat_map(|clip| &clip.channels);
            let mut keys: Vec<f64> = channels
                .filter(|channel| channel.track.interpolation == Interpolation::Step)
                .flat_map(|channel| channel.track.times_secs.iter().copied().map(f64::from))
                .filter(|&key| key > self.from && key <= self.to)
                .collect();
            keys.sort_by(f64::total_cmp);
            keys.dedup();
            if keys.len() <= JUMPS {
                samples
                    .extend(keys.iter().flat_map(|&key| [(key - span * 1e-6).max(self.from), key]));
                samples.sort_by(f64::total_cmp);
                samples.dedup();
            }
        }
        samples
    }

    /// `None` when there is no such parameter, a formula drives it, its data was not
    /// read, or nothing is between the ends.
    pub fn new(cell: &PlotCell, page: PageState<'_>) -> Option<Self> {
        let axis = if !cell.along.is_empty() {
            Self::along(cell, page)?
        } else if cell.sweep.is_empty() {
            Self::of_data(cell)?
        } else {
            Self::sweep(cell, page)?
        };
        (axis.from < axis.to).then_some(axis)
    }

    fn sweep(cell: &PlotCell, page: PageState<'_>) -> Option<Self> {
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
                "" => axis(label),
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

    /// The vertices that the mesh has, in their order.
    fn along(cell: &PlotCell, page: PageState<'_>) -> Option<Self> {
        let stored = &page.derived.rig.mesh.positions;
        let vertices = cell.along.iter().flat_map(|part| part.vertices());
        let mut length = 0.0;
        let mut before = None;
        let mut path = Vec::new();
        for vertex in vertices.take(MAX_PATH) {
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
        let numbers = || table.column(name).into_iter().flatten().flatten().copied();
        let least = numbers().min_by(f64::total_cmp)?;
        let most = numbers().max_by(f64::total_cmp)?;
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

    /// Along the axis: degrees for angles, percent for what is shown in it.
    pub fn shown(&self, value: f64) -> f64 {
        match self.unit.as_str() {
            _ if self.angle => value.to_degrees(),
            "%" => value * 100.0,
            _ => value,
        }
    }

    /// From what stands along the axis.
    pub fn stored(&self, shown: f64) -> f64 {
        match self.unit.as_str() {
            _ if self.angle => shown.to_radians(),
            "%" => shown / 100.0,
            _ => shown,
        }
    }

    /// `45.8°`, `2.50 kg`
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

    /// Is this the parameter that is swept, or one of them?
    fn is_swept(&self, param: &str, rig: &Rig) -> bool {
        if self.is_over("all") {
            rig.angles().any(|angle| angle.name == param)
        } else {
            self.is_over(param)
        }
    }

    /// Puts what is swept to a value.
    fn put(&self, document: &mut Document, rig: &Rig, value: f64) {
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

/// As the cell says, else these.
fn ends(cell: &PlotCell, (from, to): (f64, f64)) -> (f64, f64) {
    let or = |written: Option<Quantity>, usual| written.map_or(usual, |written| written.0);
    (or(cell.from, from), or(cell.to, to))
}

/// The column along the axis.
fn x_column<'a>(cell: &'a PlotCell, table: &'a DataTable) -> Option<&'a str> {
    cell.x.as_deref().or_else(|| table.names().next())
}

/// A joint is not a number; its angle is.
fn axis(label: &str) -> String {
    if label == "all joints" || label.starts_with("joint ") {
        format!("the angle of {label}")
    } else {
        label.to_owned()
    }
}

fn angles_agree(derived: &Derived) -> bool {
    let value = |name: &str| Values::param(derived, name);
    let first = value("all").unwrap_or_default();
    let mut angles = derived.free_angles();
    angles.all(|angle| value(&angle.name).is_some_and(|other| (other - first).abs() < 1e-9))
}

/// As the cell says it.
fn axis_label(cell: &PlotCell) -> Option<String> {
    cell.x_label.as_ref().map(Text::words)
}

#[cfg(test)]
mod tests {
    use bindpose_asset::builtin;

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
    fn a_jump_of_a_clip_is_sampled_on_both_of_its_sides() {
        let arm = builtin("arm").unwrap();
        let all: Vec<usize> = (0..arm.clips.len()).collect();
        let samples = over(TIME, 2.0).samples(&arm, &all);
        assert!(samples.is_sorted() && samples.len() > SAMPLES as usize);
        let place = samples.iter().position(|&at| at == 0.5).unwrap();
        assert!(0.5 - samples[place - 1] < 1e-5, "{}", samples[place - 1]);
        let even = over("b0", 2.0).samples(&arm, &all);
        assert_eq!(even.len(), SAMPLES as usize);
        assert_eq!((even[0], even[180]), (0.0, 2.0));
        let nothing_plays = over(TIME, 2.0).samples(&arm, &[]);
        assert_eq!(nothing_plays.len(), SAMPLES as usize);
    }
}
