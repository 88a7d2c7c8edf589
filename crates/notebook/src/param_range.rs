//! How far the drag of a parameter goes.

use bindpose_asset::Rig;
use bindpose_lesson::Lesson;

use super::{Document, TIME, playback_param};

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
