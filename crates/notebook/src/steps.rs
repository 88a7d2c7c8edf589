//! State of the document at the start of a step, transfer of state to another
//! step, and checks whether settings are already in force.

use bindpose_gltf::Rig;
use bindpose_lesson::{Cell, CellKind, Lesson, Setting, ViewportCell};

use super::setting::{copy_setting, put_setting};
use super::{Derived, Document, StepState};

/// Returns the document after reading a lesson up to and including step
/// `step_index`: defaults, then the `set` of each step in order.
///
/// A step with a rig of its own starts over: earlier steps do not count. If
/// `step_index` is too large, the last step is used. Without a rig, `all` sets
/// nothing.
pub fn step_document(lesson: &Lesson, step_index: usize, rig: Option<&Rig>) -> Document {
    let step = step_index.min(lesson.steps.len().saturating_sub(1));
    let mut document = Document { lesson: lesson.slug.clone(), step, ..Document::default() };
    let first = lesson.rig_begins_at(step);
    let steps = lesson.steps.iter().take(step + 1).skip(first);
    apply_settings(&mut document, steps.flat_map(|step| &step.set), lesson, rig);
    document
}

/// Returns the viewport of a cell, which is pictured in the list of learnt
/// skills.
pub fn learnt_viewport(cell: &Cell) -> Option<&ViewportCell> {
    match &cell.kind {
        CellKind::Viewport(viewport) => Some(viewport),
        _ => None,
    }
}

/// Carries the state of `document` over to another step of the same lesson,
/// then applies that step's settings. Guesses, answers and variants belong to
/// their exercises and are dropped.
///
/// If `step_index` is too large, the last step is used. Without a rig, `all`
/// sets nothing.
pub fn carried_on(
    document: &Document,
    lesson: &Lesson,
    step_index: usize,
    rig: Option<&Rig>,
) -> Document {
    let step = step_index.min(lesson.steps.len().saturating_sub(1));
    let mut next = document.clone();
    next.step = step;
    next.state.predictions.clear();
    next.state.answers.clear();
    next.state.chains.clear();
    next.state.draws.clear();
    let steps = lesson.steps.get(step).into_iter();
    apply_settings(&mut next, steps.flat_map(|step| &step.set), lesson, rig);
    next
}

fn apply_settings<'a>(
    document: &mut Document,
    settings: impl Iterator<Item = &'a Setting>,
    lesson: &Lesson,
    rig: Option<&Rig>,
) {
    for setting in settings {
        apply_setting(document, setting, rig);
    }
    for param in &lesson.params {
        if document.state.params.get(&param.name) == Some(&param.default) {
            document.state.params.remove(&param.name);
        }
    }
}

/// Applies one setting of a lesson. Settings that do not fit the rig are
/// ignored here and reported by the content check.
pub fn apply_setting(document: &mut Document, setting: &Setting, rig: Option<&Rig>) {
    let _ = put_setting(&mut document.state, setting, rig);
}

/// Returns true if the document, with its `derived` values, already has all
/// these values.
pub fn holds(settings: &[Setting], document: &Document, derived: &Derived) -> bool {
    let held = settings.iter().enumerate().all(|(index, setting)| match setting {
        Setting::Param(name, value) if name == "all" => {
            // Later settings override `all`.
            let later = &settings[index + 1..];
            derived
                .free_angles()
                .filter(|angle| !later.iter().any(|setting| sets_param(setting, &angle.name)))
                .all(|angle| is_near(derived.param(&angle.name), *value))
        }
        Setting::Param(name, value) => is_near(derived.param(name), *value),
        // Checked together below, because a later edit may override an earlier one.
        Setting::Data(_) | Setting::NoEdits => true,
        other => holds_setting(other, document, derived),
    });
    held && holds_data(settings, document, derived)
}

fn sets_param(setting: &Setting, param: &str) -> bool {
    matches!(setting, Setting::Param(name, _) if name == param)
}

fn is_near(a: Option<f64>, b: f64) -> bool {
    a.is_some_and(|a| (a - b).abs() < 1e-6)
}

/// Returns true if applying all edits of data in order changes nothing.
fn holds_data(settings: &[Setting], document: &Document, derived: &Derived) -> bool {
    let mut data = settings
        .iter()
        .filter(|setting| matches!(setting, Setting::Data(_) | Setting::NoEdits))
        .peekable();
    // Do not copy the state in every frame for other settings.
    if data.peek().is_none() {
        return true;
    }
    let mut after = document.state.clone();
    data.all(|setting| put_setting(&mut after, setting, Some(&derived.stored_rig)).is_ok())
        && after == document.state
}

/// Compares one setting by storing the wanted and the present value in two
/// default states.
fn holds_setting(setting: &Setting, document: &Document, derived: &Derived) -> bool {
    let mut wanted = StepState::default();
    let mut present = StepState::default();
    copy_setting(&mut present, &document.state, setting, &derived.rig);
    put_setting(&mut wanted, setting, Some(&derived.rig)).is_ok() && wanted == present
}

/// Resets all named settings to the values of the step.
pub(super) fn reset_settings(
    document: &mut Document,
    settings: &[Setting],
    lesson: &Lesson,
    rig: &Rig,
) {
    let start = step_document(lesson, document.step, Some(rig));
    for setting in settings {
        copy_setting(&mut document.state, &start.state, setting, rig);
    }
}

#[cfg(test)]
mod tests {
    use bindpose_skin::{JointIndex, SkinStage};

    use super::*;
    use crate::test_sample::{lesson, rig};

    #[test]
    fn carrying_on_keeps_what_the_step_does_not_set() {
        let (lesson, rig) = (lesson(), rig());
        let mut first = step_document(&lesson, 0, Some(&rig));
        first.state.params.insert("nod".to_owned(), 1.2);
        let weights = [0.2, 0.8, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        first.state.weights.insert(1, weights.into());
        first.state.joint = JointIndex(1);
        let guess = crate::Prediction {
            position_in_world: [1.0, 2.0, 0.0],
            revealed: true,
            ..Default::default()
        };
        first.state.predictions.insert("aim".to_owned(), guess);

        let second = carried_on(&first, &lesson, 1, Some(&rig));
        assert_eq!(second.step, 1);
        assert_eq!(second.state.params["nod"], 0.5, "the step sets it");
        assert_eq!(second.state.weights, first.state.weights);
        assert_eq!(second.state.joint, JointIndex(1));
        assert!(second.state.predictions.is_empty());

        let third = carried_on(&second, &lesson, 2, Some(&rig));
        assert_eq!(third.state.stage, SkinStage::Posed);
        assert_eq!(third.state.weights, first.state.weights);
    }

    #[test]
    fn carrying_on_without_changes_equals_opening() {
        let (lesson, rig) = (lesson(), rig());
        for step in 1..lesson.steps.len() {
            let before = step_document(&lesson, step - 1, Some(&rig));
            let carried = carried_on(&before, &lesson, step, Some(&rig));
            assert_eq!(carried, step_document(&lesson, step, Some(&rig)));
        }
    }
}
