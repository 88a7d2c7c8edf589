//! What a plot sweeps over: one parameter, from one end of the axis to the other.

use crate::asset::Rig;
use crate::lesson::{PlotCell, Text, Values};
use crate::notebook::page_param::page_param;
use crate::notebook::{Derived, Document, PageState, TIME, number_text};
use crate::skin::Interpolation;

/// Samples of one curve, evenly spread.
const SAMPLES: u32 = 181;

/// Jumps of a curve that are drawn upright, at most.
const JUMPS: usize = 256;

/// The parameter along the horizontal axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Sweep {
    /// Of the parameter.
    pub name: String,
    /// For people.
    pub label: String,
    /// What the axis shows.
    pub axis: String,
    /// Ends of the axis, in the parameter's own unit.
    pub from: f64,
    /// The other end.
    pub to: f64,
    /// Is it an angle, stored in radians?
    pub angle: bool,
    /// Whole numbers only?
    pub whole: bool,
    /// As stored, until something else is said.
    pub default: f64,
    /// Its value; `None` when `all` stands for angles that differ.
    pub now: Option<f64>,
}

impl Sweep {
    /// Where the curves are sampled, in order: evenly, and on both sides of where
    /// a clip jumps, so that a jump stands upright.
    pub(super) fn samples(&self, rig: &Rig, clips: &[usize]) -> Vec<f64> {
        let span = self.to - self.from;
        let even = (0..SAMPLES).map(|at| f64::from(at) / f64::from(SAMPLES - 1));
        let mut samples: Vec<f64> = even.map(|part| self.from + span * part).collect();
        if self.name == TIME {
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
                samples.extend(
                    keys.iter()
                        .flat_map(|&key| [(key - span * 1e-6).max(self.from), key]),
                );
                samples.sort_by(f64::total_cmp);
                samples.dedup();
            }
        }
        samples
    }

    /// `None` when there is no such parameter, or nothing between the ends.
    #[must_use]
    pub fn new(cell: &PlotCell, page: PageState<'_>) -> Option<Self> {
        let (from, to) = (cell.from.0.min(cell.to.0), cell.from.0.max(cell.to.0));
        if from >= to {
            return None;
        }
        let name = cell.sweep.as_str();
        let param = page_param(name, page)?;
        let mut now = Values::param(page.derived, name);
        if name == "all" {
            now = now.filter(|_| angles_agree(page.derived));
        }
        let label = param.label.as_str();
        Some(Self {
            name: name.to_owned(),
            label: label.to_owned(),
            axis: (cell.x_label.as_ref()).map_or_else(|| axis(label), Text::words),
            from,
            to,
            angle: param.angle,
            whole: param.whole,
            default: param.default,
            now,
        })
    }

    /// Along the axis: degrees for angles.
    #[must_use]
    pub fn shown(&self, value: f64) -> f64 {
        if self.angle {
            value.to_degrees()
        } else {
            value
        }
    }

    /// From what stands along the axis.
    #[must_use]
    pub fn stored(&self, shown: f64) -> f64 {
        if self.angle {
            shown.to_radians()
        } else {
            shown
        }
    }

    /// `45.8°`
    #[must_use]
    pub fn words(&self, value: f64) -> String {
        if self.angle {
            format!("{}°", number_text::fixed(value.to_degrees(), 1))
        } else {
            number_text::fixed(value, if self.whole { 0 } else { 2 })
        }
    }

    /// Is this the parameter that is swept, or one of them?
    pub(super) fn is_swept(&self, param: &str, rig: &Rig) -> bool {
        if self.name == "all" {
            rig.angles().any(|angle| angle.name == param)
        } else {
            self.name == param
        }
    }

    /// Puts it to a value.
    pub(super) fn put(&self, document: &mut Document, rig: &Rig, value: f64) {
        if self.name == "all" {
            for angle in rig.angles() {
                document.state.params.insert(angle.name.clone(), value);
            }
        } else {
            document.state.params.insert(self.name.clone(), value);
        }
    }
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
    let mut angles = derived.rig.angles();
    angles.all(|angle| value(&angle.name).is_some_and(|other| (other - first).abs() < 1e-9))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asset::builtin;

    fn over(name: &str, to: f64) -> Sweep {
        Sweep {
            name: name.to_owned(),
            label: name.to_owned(),
            axis: name.to_owned(),
            from: 0.0,
            to,
            angle: false,
            whole: false,
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
