//! A page as it stands, and a parameter as it shows there: what prose, plots and handouts
//! are worked out from.

use bindpose_asset::Rig;
use bindpose_lesson::{Lesson, PARAM_LIMIT};
use bindpose_skin::JointIndex;

use super::{Derived, Document, TIME, playback_param};

/// The document, what follows from it, and the lesson that it is open at.
#[derive(Clone, Copy)]
pub struct PageState<'a> {
    /// What is open.
    pub document: &'a Document,
    /// What follows from it.
    pub derived: &'a Derived,
    /// The lesson.
    pub lesson: &'a Lesson,
}

// A parameter as prose and plots show it, wherever it comes from.

/// A parameter as the page sees it now.
#[derive(Clone, Debug, PartialEq)]
pub struct PageParam {
    /// For people.
    pub label: String,
    /// As stored.
    pub value: f64,
    /// Range of a drag, as stored.
    pub range: (f64, f64),
    /// What may be typed, as stored.
    pub limits: (f64, f64),
    /// Whole numbers only?
    pub whole: bool,
    /// Is it an angle, stored in radians?
    pub angle: bool,
    /// As stored, until something else is said.
    pub default: f64,
    /// What lights up with it.
    pub joint: Option<JointIndex>,
    /// Written after its number: ` cm`, `%`; empty for numbers without one, and for
    /// angles.
    pub unit: String,
    /// What sliders and arrow keys add, as stored; absent: the last digit shown.
    pub step: Option<f64>,
    /// The formula that it follows; absent: it can be changed.
    pub driven: Option<String>,
}

/// Digits after the point that tell multiples of a step apart.
pub fn decimals_of(step: f64) -> usize {
    let fits = |decimals: &usize| {
        let scaled = step * 10_f64.powi(*decimals as i32);
        scaled > 0.5 && (scaled - scaled.round()).abs() < 1e-6 * scaled.abs()
    };
    (0..6).find(fits).unwrap_or(6)
}

/// Finds a parameter of the rig or of the lesson; `all` stands for every angle
/// of the rig and has the value of the first.
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
            limits: (-PARAM_LIMIT, PARAM_LIMIT),
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

/// The range of a drag, as stored, of a parameter of the rig or the lesson, or of
/// `all`, which goes as far as the rig's first angle; `None`: there is no such
/// parameter. Time goes to the end of what plays in `document`.
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
            TIME => document.length_secs(rig),
            _ => param.range.1,
        };
        return Some((param.range.0, end));
    }
    let mut params = lesson.params.iter();
    params.find(|param| param.name == name).map(|param| param.range)
}
