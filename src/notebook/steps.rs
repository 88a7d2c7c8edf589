//! What a step sets, put into the document.

use super::playback::clip_index;
use super::{Document, playback_param};
use crate::asset::Rig;
use crate::lesson::{ClipName, Lesson, Setting};

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

/// Puts one thing to a value. `all` sets every angle of the rig; a parameter of
/// the rig that is put to its default leaves the document, which holds only
/// what differs.
pub fn apply_setting(document: &mut Document, setting: &Setting, rig: Option<&Rig>) {
    match setting {
        Setting::Param(name, value) if name == "all" => {
            for param in rig.into_iter().flat_map(Rig::angles) {
                set_param(document, &param.name, *value, rig);
            }
        }
        Setting::Param(name, value) => set_param(document, name, *value, rig),
        Setting::Stage(stage) => document.state.stage = *stage,
        Setting::InverseBind(way) => document.state.inverse_bind = *way,
        Setting::Through(joint) => document.state.through = *joint,
        Setting::Joint(joint) => document.state.joint = *joint,
        Setting::Vertex(vertex) => document.state.vertex = *vertex,
        Setting::Show(show) => document.state.show = Some(show.clone()),
        Setting::View(view) => document.state.view = Some(*view),
        Setting::Tint(tint) => document.state.tint = Some(*tint),
        Setting::Method(method) => document.state.method = *method,
        Setting::Normals(rule) => document.state.normals = *rule,
        Setting::Transport(transport) => document.state.transport = *transport,
        Setting::Faults(faults) => document.state.faults.clone_from(faults),
        Setting::Device(device) => document.state.device = *device,
        Setting::Crowd(count) => document.state.crowd.count = *count,
        Setting::OwnPoses(own) => document.state.crowd.own_poses = *own,
        Setting::MeshNode(way) => document.state.mesh_node = *way,
        Setting::Reading(reading) => document.state.reading = *reading,
        Setting::Clip(name) => set_clip(&mut document.state.playback.clip, name, rig),
        Setting::FadeTo(name) => set_clip(&mut document.state.playback.fade_to, name, rig),
        Setting::Between(between) => document.state.playback.between = *between,
        Setting::Repeats(repeats) => document.state.playback.repeats = *repeats,
    }
}

/// A clip that is not there is left to the content check to find.
fn set_clip(clip: &mut Option<usize>, name: &ClipName, rig: Option<&Rig>) {
    if let Some(Ok(index)) = rig.map(|rig| clip_index(name, rig)) {
        *clip = index;
    }
}

fn set_param(document: &mut Document, name: &str, value: f64, rig: Option<&Rig>) {
    if !value.is_finite() {
        return;
    }
    let default = rig.and_then(|rig| {
        let of_rig = rig.param(name).map(|param| param.default);
        of_rig.or_else(|| Some(playback_param(name, rig)?.range.0))
    });
    if default == Some(value) {
        document.state.params.remove(name);
    } else {
        document.state.params.insert(name.to_owned(), value);
    }
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
        copy_setting(&mut next, &begin, setting, rig);
    }
    // A question stands open whenever its step is entered; the guess stays.
    for prediction in next.state.predictions.values_mut() {
        prediction.revealed = false;
    }
    next
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
        copy_setting(document, &begin, setting, rig);
    }
}

/// Puts what a setting names to what it is in `begin`.
fn copy_setting(next: &mut Document, begin: &Document, setting: &Setting, rig: &Rig) {
    match setting {
        Setting::Param(name, _) if name == "all" => {
            for param in rig.angles() {
                copy_param(next, begin, &param.name);
            }
        }
        Setting::Param(name, _) => copy_param(next, begin, name),
        Setting::Stage(_) => next.state.stage = begin.state.stage,
        Setting::InverseBind(_) => next.state.inverse_bind = begin.state.inverse_bind,
        Setting::Through(_) => next.state.through = begin.state.through,
        Setting::Joint(_) => next.state.joint = begin.state.joint,
        Setting::Vertex(_) => next.state.vertex = begin.state.vertex,
        Setting::Show(_) => next.state.show.clone_from(&begin.state.show),
        Setting::View(_) => next.state.view = begin.state.view,
        Setting::Tint(_) => next.state.tint = begin.state.tint,
        Setting::Method(_) => next.state.method = begin.state.method,
        Setting::Normals(_) => next.state.normals = begin.state.normals,
        Setting::Transport(_) => next.state.transport = begin.state.transport,
        Setting::Faults(_) => next.state.faults.clone_from(&begin.state.faults),
        Setting::Device(_) => next.state.device = begin.state.device,
        Setting::Crowd(_) => next.state.crowd.count = begin.state.crowd.count,
        Setting::OwnPoses(_) => next.state.crowd.own_poses = begin.state.crowd.own_poses,
        Setting::MeshNode(_) => next.state.mesh_node = begin.state.mesh_node,
        Setting::Reading(_) => next.state.reading = begin.state.reading,
        Setting::Clip(_) => next.state.playback.clip = begin.state.playback.clip,
        Setting::FadeTo(_) => next.state.playback.fade_to = begin.state.playback.fade_to,
        Setting::Between(_) => next.state.playback.between = begin.state.playback.between,
        Setting::Repeats(_) => next.state.playback.repeats = begin.state.playback.repeats,
    }
}

fn copy_param(next: &mut Document, begin: &Document, name: &str) {
    match begin.state.params.get(name) {
        Some(&value) => {
            next.state.params.insert(name.to_owned(), value);
        }
        None => {
            next.state.params.remove(name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notebook::sample::{lesson, rig};
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
