//! Is a page as settings would make it?

use super::setting::{copy_setting, put_setting};
use super::{Derived, Document, StepState};
use crate::lesson::Setting;

/// Has the document, from which `derived` follows, all these values already?
#[must_use]
pub fn holds(settings: &[Setting], document: &Document, derived: &Derived) -> bool {
    let near = |a: Option<f64>, b: f64| a.is_some_and(|a| (a - b).abs() < 1e-6);
    settings.iter().all(|setting| match setting {
        Setting::Param(name, value) if name == "all" => derived
            .rig
            .angles()
            .all(|angle| near(derived.param(&angle.name), *value)),
        Setting::Param(name, value) => near(derived.param(name), *value),
        other => holds_setting(other, document, derived),
    })
}

/// A state with nothing but the wanted value is one with nothing but the
/// present one.
fn holds_setting(setting: &Setting, document: &Document, derived: &Derived) -> bool {
    let (mut wanted, mut present) = (StepState::default(), StepState::default());
    copy_setting(&mut present, &document.state, setting, &derived.rig);
    put_setting(&mut wanted, setting, Some(&derived.rig)).is_ok() && wanted == present
}
