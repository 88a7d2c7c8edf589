//! The reader's own model, in the place of a lesson's rig.

use bindpose_asset::Rig;
use bindpose_lesson::Lesson;

use super::{Document, SettingGroup, copy_settings, step_document};

/// What the front matter of a lesson says that stands on the reader's own
/// model: `rig = "own"`.
pub const OWN_RIG: &str = "own";

/// The built-in rig that stands there while no model is open.
pub const OWN_FALLBACK: &str = "whale";

/// The id of the built-in rig that a lesson stands on while no model is open.
pub fn builtin_id(rig_of_lesson: &str) -> &str {
    if rig_of_lesson == OWN_RIG { OWN_FALLBACK } else { rig_of_lesson }
}

/// What the reader knows a model by: the name of its file, or its title.
pub fn model_name(rig: &Rig) -> &str {
    rig.origin.as_ref().map_or(rig.title.as_str(), |origin| origin.source.name.as_str())
}

/// The same step with another model on it. What names joints, vertices or
/// parameters of the old one is as the step gives it, unless both have the same; how
/// the page looks and how it is computed stays.
pub(super) fn on_another_model(
    document: &Document,
    lesson: &Lesson,
    (before, rig): (&Rig, &Rig),
) -> Document {
    let mut next = step_document(lesson, document.step, Some(rig));
    let kept = [SettingGroup::Display, SettingGroup::Computation];
    copy_settings(&mut next.state, &document.state, &kept);
    next.state.shaders.clone_from(&document.state.shaders);
    if have_the_same_parts(before, rig) {
        let kept = [SettingGroup::Selection, SettingGroup::Model];
        copy_settings(&mut next.state, &document.state, &kept);
        next.state.params.clone_from(&document.state.params);
        return next;
    }
    for param in &lesson.params {
        match document.state.params.get(&param.name) {
            Some(&value) => next.state.params.insert(param.name.clone(), value),
            None => next.state.params.remove(&param.name),
        };
    }
    next
}

/// Joints, vertices, clips and parameters that answer to the same names, as in a mended
/// copy.
fn have_the_same_parts(a: &Rig, b: &Rig) -> bool {
    a.mesh.positions.len() == b.mesh.positions.len()
        && a.skeleton.joints().iter().map(|one| &one.name).eq(b
            .skeleton
            .joints()
            .iter()
            .map(|one| &one.name))
        && a.clips.iter().map(|clip| &clip.name).eq(b.clips.iter().map(|clip| &clip.name))
        && a.params.iter().map(|param| &param.name).eq(b.params.iter().map(|param| &param.name))
}
