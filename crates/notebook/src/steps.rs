//! How a step opens, what a reader takes along to the next one, and whether the
//! document has some values already.

use std::cell::OnceCell;
use std::sync::Arc;

use bindpose_asset::Rig;
use bindpose_lesson::{Cell, CellKind, Lesson, Setting, ViewportCell};

use super::computed_weights::Edited;
use super::setting::{copy_setting, put_setting};
use super::{Derived, Document, LongWork, StepState};

/// The document as it is when the lesson was read from its start up to and
/// including step `step_index`: defaults, then every `set` of the steps
/// 0 to `step_index`, in order.
///
/// Where a step stands on a rig of its own, everything begins anew with that rig:
/// only the steps from there on count.
///
/// Past the last step, the last counts. Without a rig, `all` sets nothing.
pub fn step_document(lesson: &Lesson, step_index: usize, rig: Option<&Rig>) -> Document {
    let step = step_index.min(lesson.steps.len().saturating_sub(1));
    let mut document = Document { lesson: lesson.slug.clone(), step, ..Document::default() };
    let begins = lesson.rig_begins_at(step);
    let steps = lesson.steps.iter().take(step + 1).skip(begins);
    put_all(&mut document, steps.flat_map(|step| &step.set), lesson, rig);
    document
}

/// The viewport that a cell is, to be pictured beside what was learnt.
pub fn learnt_viewport(cell: &Cell) -> Option<&ViewportCell> {
    match &cell.kind {
        CellKind::Viewport(viewport) => Some(viewport),
        _ => None,
    }
}

/// The reader carries on from where `document` stands to another step of the
/// same lesson: what that step sets is put, everything else stays. Guesses
/// and drawn numbers belong to their questions and stay behind.
///
/// Past the last step, the last counts. Without a rig, `all` sets nothing.
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
    let set = lesson.steps.get(step).into_iter();
    put_all(&mut next, set.flat_map(|step| &step.set), lesson, rig);
    next
}

fn put_all<'a>(
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

/// Puts one thing to a value, as a lesson does: what does not fit the rig is
/// left to the content check to find.
pub fn apply_setting(document: &mut Document, setting: &Setting, rig: Option<&Rig>) {
    let _ = put_setting(&mut document.state, setting, rig);
}

/// Has the document, from which `derived` follows, all these values already?
pub fn holds(settings: &[Setting], document: &Document, derived: &Derived) -> bool {
    let near = |a: Option<f64>, b: f64| a.is_some_and(|a| (a - b).abs() < 1e-6);
    // What stands behind `all` takes its place.
    let put_behind = |index: usize, angle: &str| {
        let mut behind = settings.iter().skip(index + 1);
        behind.any(|setting| matches!(setting, Setting::Param(name, _) if name == angle))
    };
    let mut numbered = settings.iter().enumerate();
    let held = numbered.all(|(index, setting)| match setting {
        Setting::Param(name, value) if name == "all" => derived
            .free_angles()
            .filter(|angle| !put_behind(index, &angle.name))
            .all(|angle| near(derived.param(&angle.name), *value)),
        Setting::Param(name, value) => near(derived.param(name), *value),
        // All together, below: one may take away what the next puts.
        Setting::Data(_) | Setting::NoEdits => true,
        other => holds_setting(other, document, derived),
    });
    held && holds_data(settings, document, derived)
}

/// With all edits of data put in their order, nothing is otherwise.
fn holds_data(settings: &[Setting], document: &Document, derived: &Derived) -> bool {
    let is_data = |setting: &&Setting| matches!(setting, Setting::Data(_) | Setting::NoEdits);
    let mut data = settings.iter().filter(is_data).peekable();
    if data.peek().is_none() {
        return true;
    }
    let mut after = document.state.clone();
    let mut put = |setting| put_setting(&mut after, setting, Some(&derived.stored_rig)).is_ok();
    data.all(&mut put) && after == document.state
}

/// A state with nothing but the wanted value is one with nothing but the
/// present one.
fn holds_setting(setting: &Setting, document: &Document, derived: &Derived) -> bool {
    let (mut wanted, mut present) = (StepState::default(), StepState::default());
    copy_setting(&mut present, &document.state, setting, &derived.rig);
    put_setting(&mut wanted, setting, Some(&derived.rig)).is_ok() && wanted == present
}

/// Puts all that `settings` name back to what the step gives.
pub(super) fn reset_settings(
    document: &mut Document,
    settings: &[Setting],
    lesson: &Lesson,
    rig: &Rig,
) {
    let begin = step_document(lesson, document.step, Some(rig));
    for setting in settings {
        copy_setting(&mut document.state, &begin.state, setting, rig);
    }
}

// The numbers at the start of the open step, for links that tell of it.

/// What the page shows when a step is opened for the first time; worked out when
/// it is first asked for. Whoever holds it makes a new one for another step.
#[derive(Clone, Debug, Default)]
pub struct StepStart {
    derived: OnceCell<Box<Derived>>,
    long_work: LongWork,
}

impl StepStart {
    /// Of a step whose numbers are worked out in this way.
    pub fn new(long_work: LongWork) -> Self {
        Self { derived: OnceCell::new(), long_work }
    }

    /// The numbers at the start of a step. All calls must be of one lesson, step
    /// and rig; `rig` is the stored one.
    pub fn numbers(&self, lesson: &Lesson, step: usize, rig: &Arc<Rig>) -> &Derived {
        self.derived.get_or_init(|| {
            let document = step_document(lesson, step, Some(rig));
            let edited = Edited::Given(Derived::edited_influences(&document, rig));
            let page = (&document, Some(lesson));
            let derived = Derived::or_last(page, (rig, rig), edited, &self.long_work);
            Box::new(derived)
        })
    }
}

#[cfg(test)]
mod tests {
    use bindpose_skin::{JointIndex, SkinStage};

    use super::*;
    use crate::test_sample::{lesson, rig};

    #[test]
    fn carrying_on_takes_along_all_that_the_step_does_not_set() {
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
    fn with_nothing_changed_carrying_on_is_opening() {
        let (lesson, rig) = (lesson(), rig());
        for step in 1..lesson.steps.len() {
            let before = step_document(&lesson, step - 1, Some(&rig));
            let carried = carried_on(&before, &lesson, step, Some(&rig));
            assert_eq!(carried, step_document(&lesson, step, Some(&rig)));
        }
    }
}
