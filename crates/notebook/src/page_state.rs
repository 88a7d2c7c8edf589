//! The current page and its parameters, as used by prose, plots and handouts.

use bindpose_gltf::Rig;
use bindpose_lesson::{Lesson, MAX_PARAM_ABS};
use bindpose_skin::JointIndex;

use super::{Derived, Document, TIME_PARAM, playback_param};

/// The document, its derived values, and the lesson that it is open in.
#[derive(Clone, Copy)]
pub struct PageState<'a> {
    pub document: &'a Document,
    pub derived: &'a Derived,
    pub lesson: &'a Lesson,
}

/// A parameter of any source, with its current value.
#[derive(Clone, Debug, PartialEq)]
pub struct PageParam {
    pub label: String,
    /// Value as stored.
    pub value: f64,
    /// Range of a drag, as stored.
    pub range: (f64, f64),
    /// Range of typed values, as stored.
    pub limits: (f64, f64),
    /// Whether only whole numbers are allowed.
    pub whole: bool,
    /// Whether it is an angle, stored in radians.
    pub angle: bool,
    /// Default value, as stored.
    pub default: f64,
    /// Joint highlighted together with it.
    pub joint: Option<JointIndex>,
    /// Suffix of the number, such as ` cm` or `%`. Empty for numbers without a
    /// unit and for angles.
    pub unit: String,
    /// Increment of sliders and arrow keys, as stored. If `None`, the last
    /// digit shown.
    pub step: Option<f64>,
    /// Formula that drives it. If `None`, it can be changed.
    pub driven: Option<String>,
}

/// Number of decimals that distinguishes multiples of a step.
pub fn decimals_of(step: f64) -> usize {
    for decimals in 0..6 {
        let scaled = step * 10_f64.powi(decimals);
        if scaled > 0.5 && (scaled - scaled.round()).abs() < 1e-6 * scaled.abs() {
            return decimals as usize;
        }
    }
    6
}

/// Returns a parameter of the rig, the lesson or playback. `all` sets every
/// angle of the rig and has the value of the first.
pub fn page_param(name: &str, page: PageState<'_>) -> Option<PageParam> {
    let rig = &page.derived.rig;
    let all = name == "all";
    let range = param_range(name, page.document, page.lesson, rig)?;
    let found = if all { page.derived.free_angles().next() } else { rig.param(name) };
    if let Some(param) = found {
        let driven = page.derived.driven(&param.name);
        let label = if all { "all joints" } else { &param.label };
        return Some(PageParam {
            label: label.to_owned(),
            value: page.derived.param(&param.name)?,
            range,
            limits: (-MAX_PARAM_ABS, MAX_PARAM_ABS),
            whole: false,
            angle: all || param.kind.is_angle(),
            default: if all { 0.0 } else { param.default },
            joint: param.kind.joint().filter(|_| !all),
            unit: String::new(),
            step: None,
            driven: driven.map(|driven| driven.formula.clone()),
        });
    }
    let value = page.derived.param(name)?;
    if let Some(param) = playback_param(name, rig) {
        return Some(PageParam {
            label: param.label.to_owned(),
            value,
            range,
            limits: param.range,
            whole: false,
            angle: false,
            default: param.range.0,
            joint: None,
            unit: String::new(),
            step: None,
            driven: None,
        });
    }
    let param = page.lesson.params.iter().find(|param| param.name == name)?;
    Some(PageParam {
        label: param.label.clone(),
        value,
        range,
        limits: param.range,
        whole: param.whole,
        angle: param.angle,
        default: param.default,
        joint: None,
        unit: if param.angle { String::new() } else { param.suffix() },
        step: param.step,
        driven: None,
    })
}

/// Returns the range of a drag, as stored. For `all`, it is the range of the
/// rig's first angle. For the time, it ends with the playing clip. Returns
/// `None` if there is no such parameter.
pub fn param_range(
    name: &str,
    document: &Document,
    lesson: &Lesson,
    rig: &Rig,
) -> Option<(f64, f64)> {
    let of_rig = match name {
        "all" => rig.angles().next(),
        _ => rig.param(name),
    };
    if let Some(param) = of_rig {
        return Some(param.range);
    }
    if let Some(param) = playback_param(name, rig) {
        let end = match name {
            TIME_PARAM => document.length_secs(rig),
            _ => param.range.1,
        };
        return Some((param.range.0, end));
    }
    lesson.params.iter().find(|param| param.name == name).map(|param| param.range)
}
