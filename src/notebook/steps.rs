//! What a step sets, put into the document; and whether it stands there already.

use super::setting::{copy_setting, put_setting};
use super::{Derived, Document, StepState};
use crate::asset::Rig;
use crate::lesson::{Lesson, Setting};

/// The document as it is when the lesson was read from its start up to and
/// including step `step_index`: defaults, then every `set` of the steps
/// 0 to `step_index`, in order.
///
/// Past the last step, the last counts. Without a rig, `all` sets nothing.
#[must_use]
pub fn step_document(lesson: &Lesson, step_index: usize, rig: Option<&Rig>) -> Document {
    let step = step_index.min(lesson.steps.len().saturating_sub(1));
    let mut document = Document {
        lesson: lesson.slug.clone(),
        step,
        ..Document::default()
    };
    for setting in lesson.steps.iter().take(step + 1).flat_map(|s| &s.set) {
        apply_setting(&mut document, setting, rig);
    }
    for param in &lesson.params {
        if document.state.params.get(&param.name) == Some(&param.default) {
            document.state.params.remove(&param.name);
        }
    }
    document
}

/// Puts one thing to a value, as a lesson does: what does not fit the rig is
/// left to the content check to find.
pub fn apply_setting(document: &mut Document, setting: &Setting, rig: Option<&Rig>) {
    let _ = put_setting(&mut document.state, setting, rig);
}

/// The reader goes from where the document stands to another step of the same
/// lesson. Whatever any step of the lesson sets gets the value it has when read
/// from the start; what no step sets is the reader's and stays.
#[must_use]
pub fn enter_step(document: &Document, lesson: &Lesson, step: usize, rig: &Rig) -> Document {
    let begin = step_document(lesson, step, Some(rig));
    let mut next = document.clone();
    next.step = begin.step;
    for setting in lesson.steps.iter().flat_map(|step| &step.set) {
        copy_setting(&mut next.state, &begin.state, setting, rig);
    }
    // A question stands open whenever its step is entered; the guess stays.
    for prediction in next.state.predictions.values_mut() {
        prediction.revealed = false;
    }
    next
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notebook::test_sample::{lesson, rig};
    use crate::skin::{JointIndex, Stage};

    #[test]
    fn a_step_puts_the_scene_there_and_leaves_the_rest_to_the_reader() {
        let (lesson, rig) = (lesson(), rig());
        let mut document = step_document(&lesson, 0, Some(&rig));
        document.state.params.insert("nod".to_owned(), 1.2);
        document
            .state
            .weights
            .insert(1, [0.2, 0.8, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        document.state.joint = JointIndex(1);

        let third = enter_step(&document, &lesson, 2, &rig);
        assert_eq!(third.state.params["nod"], 0.5, "what the second step sets");
        assert_eq!(third.state.stage, Stage::Posed);
        assert_eq!(
            third.state.weights, document.state.weights,
            "no step sets weights"
        );

        let first = enter_step(&third, &lesson, 0, &rig);
        assert_eq!(first.state.stage, Stage::Blended, "back is back");
        assert!(first.state.params.is_empty());
        assert_eq!(first.state.weights, document.state.weights);
    }

    #[test]
    fn a_question_stands_open_when_its_step_is_entered_and_the_guess_stays() {
        let (lesson, rig) = (lesson(), rig());
        let mut document = step_document(&lesson, 0, Some(&rig));
        let guess = crate::notebook::Prediction {
            position_in_world: [1.0, 2.0, 0.0],
            revealed: true,
        };
        document.state.predictions.insert("aim".to_owned(), guess);
        let entered = enter_step(&document, &lesson, 1, &rig);
        assert!(!entered.state.predictions["aim"].revealed);
        assert_eq!(
            entered.state.predictions["aim"].position_in_world,
            guess.position_in_world
        );
        assert!(
            step_document(&lesson, 0, Some(&rig))
                .state
                .predictions
                .is_empty(),
            "a reset forgets"
        );
    }
}
