//! What the reader has changed at a step, in words, each with the edit that puts
//! it back as the author meant it.

mod changed_data;

use bindpose_asset::Rig;
use bindpose_lesson::{Lesson, Setting};
use changed_data::MANY;

use std::collections::{BTreeMap, BTreeSet};

use super::edit_label::{ENGINE_NUMBERS, param_label, text_label};
use super::glsl::ShaderKind;
use super::link::defaults;
use super::posing::SavedPose;
use super::setting::{SettingGroup, group_of, settings_of};
use super::{Document, Edit, step_document};

type Poses = BTreeMap<String, SavedPose>;

/// One thing that differs from how the step was meant to open.
#[derive(Clone, Debug, PartialEq)]
pub struct StepChange {
    /// In a few words: `inverse bind matrix of head`.
    pub label: String,
    /// Puts it back, and nothing else.
    pub put_back: Edit,
}

impl StepChange {
    fn new(label: impl Into<String>, put_back: Edit) -> Self {
        Self { label: label.into(), put_back }
    }
}

/// All that differs at the document's step, in a lasting order. What is chosen
/// is no change: choosing is looking. `rig` is the one as stored.
pub fn step_changes(document: &Document, lesson: &Lesson, rig: &Rig) -> Vec<StepChange> {
    let begin = step_document(lesson, document.step, Some(rig));
    if document.state == begin.state {
        return Vec::new();
    }
    let mut changes = params(document, &begin, lesson, rig);
    changes.extend(settings(document, &begin, rig));
    let data = changed_data::changes(&document.state, &begin.state, rig).into_iter();
    changes.extend(data.map(|(label, put_back)| StepChange::new(label, put_back)));
    changes.extend(poses(&document.state.poses, &begin.state.poses));
    let shaders = document.state.shaders.keys();
    changes.extend(shaders.filter_map(|key| {
        let kind = ShaderKind::from_key(key)?;
        let put_back = Edit::Shader { kind, text: None, typed: false };
        Some(StepChange::new("vertex shader", put_back))
    }));
    changes.extend(document.state.texts.keys().map(|cell| {
        let put_back = Edit::Text { cell: cell.clone(), text: None, typed: false };
        StepChange::new(text_label(cell, lesson), put_back)
    }));
    changes.extend(document.state.given_files.keys().map(|cell| {
        let put_back = Edit::GiveFile(cell.clone(), None);
        StepChange::new(ENGINE_NUMBERS, put_back)
    }));
    let guesses = document.state.predictions.keys();
    changes.extend(document.state.draws.keys().map(|cell| {
        let cell = cell.clone();
        let put_back = Edit::Draw { cell, draw: 0, afresh: false };
        StepChange::new("numbers of the exercise", put_back)
    }));
    changes
        .extend(guesses.map(|cell| StepChange::new("guess", Edit::ForgetPrediction(cell.clone()))));
    let answers = document.state.answers.keys();
    changes.extend(answers.map(|cell| StepChange::new("answer", Edit::ForgetAnswer(cell.clone()))));
    let chains = document.state.chains.keys();
    changes.extend(chains.map(|cell| StepChange::new("product", Edit::ForgetChain(cell.clone()))));
    changes
}

fn params(document: &Document, begin: &Document, lesson: &Lesson, rig: &Rig) -> Vec<StepChange> {
    let (now, then) = (&document.state.params, &begin.state.params);
    let value = |params: &BTreeMap<String, f64>, name: &str, default| {
        params.get(name).copied().unwrap_or(default)
    };
    let changed: Vec<&str> = defaults(lesson, rig)
        .filter(|&(name, default)| value(now, name, default) != value(then, name, default))
        .map(|(name, _)| name)
        .collect();
    if changed.len() >= MANY {
        let settings = changed.iter();
        let settings = settings.map(|&name| Setting::Param(name.to_owned(), 0.0));
        let put_back = Edit::ResetSettings(settings.collect());
        return vec![StepChange::new(format!("{} values", changed.len()), put_back)];
    }
    let change = |name| StepChange::new(param_label(name, lesson, rig), Edit::reset_param(name));
    changed.into_iter().map(change).collect()
}

/// Poses that are kept, or no longer kept, beside those of the step.
fn poses(now: &Poses, then: &Poses) -> Vec<StepChange> {
    let names: BTreeSet<&String> = now.keys().chain(then.keys()).collect();
    let changed = names.into_iter().filter(|name| now.get(*name) != then.get(*name));
    let change = |name: &String| match then.get(name) {
        Some(pose) => {
            let put_back = Edit::SavePose(name.clone(), Box::new(pose.clone()));
            StepChange::new(format!("pose “{name}”"), put_back)
        }
        None => StepChange::new(format!("kept pose “{name}”"), Edit::ForgetPose(name.clone())),
    };
    changed.map(change).collect()
}

fn settings(document: &Document, begin: &Document, rig: &Rig) -> Vec<StepChange> {
    let now = settings_of(&document.state, rig);
    let then = settings_of(&begin.state, rig);
    let changed = now.into_iter().zip(then).filter(|(now, then)| now != then);
    changed
        .map(|(now, _)| now)
        .filter(|setting| group_of(setting) != Some(SettingGroup::Selection))
        .map(|setting| {
            let label = setting.label().to_owned();
            StepChange::new(label, Edit::ResetSettings(vec![setting]))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use bindpose_lesson::{DataEdit, Tint};
    use bindpose_skin::{JointIndex, SkinStage};

    use super::*;
    use crate::apply;
    use crate::test_sample::{lesson, rig};

    fn labels(document: &Document) -> Vec<String> {
        let changes = step_changes(document, &lesson(), &rig());
        changes.into_iter().map(|change| change.label).collect()
    }

    #[test]
    fn every_change_is_told_and_put_back_by_itself() {
        let (lesson, rig) = (lesson(), rig());
        let begin = step_document(&lesson, 1, Some(&rig));
        let kind = ShaderKind::from_key("texel-fetch.linear.inverse-transpose").expect("a kind");
        let edits = [
            Edit::param("nod", 1.25),
            Edit::param("vec4s", 512.0),
            Edit::Settings(vec![Setting::Stage(SkinStage::Bind)]),
            Edit::set(Setting::Tint(Some(Tint::SumError))),
            Edit::Data(DataEdit::Weights(1, [0.25; 8])),
            Edit::Data(DataEdit::InverseBind(JointIndex(1).into(), [2.0; 16])),
            Edit::Data(DataEdit::Texel(JointIndex(0).into(), 3, [1.0; 4])),
            Edit::Shader { kind, text: Some("void main() {}".to_owned()), typed: true },
            Edit::SavePose("wave".to_owned(), Box::default()),
            Edit::Predict("aim".to_owned(), [1.0, 2.0, 0.0]),
        ];
        let mut document = begin.clone();
        for edit in &edits {
            apply(&mut document, edit, &lesson, &rig).expect("a sound edit");
        }
        assert_eq!(
            labels(&document),
            [
                "nod",
                "vec4 uniforms",
                "stage",
                "colours",
                "weights of v1",
                "inverse bind matrix of head",
                "texels of body",
                "kept pose “wave”",
                "vertex shader",
                "guess",
            ]
        );
        let all = step_changes(&document, &lesson, &rig);
        for (index, change) in all.iter().enumerate() {
            let mut one_back = document.clone();
            apply(&mut one_back, &change.put_back, &lesson, &rig).expect("it fits");
            let mut left = labels(&document);
            left.remove(index);
            assert_eq!(labels(&one_back), left, "{}", change.label);
        }
        for change in &all {
            apply(&mut document, &change.put_back, &lesson, &rig).expect("it fits");
        }
        assert_eq!(document, begin);
    }

    #[test]
    fn choosing_is_no_change_and_many_of_a_kind_are_one() {
        let (lesson, rig) = (lesson(), rig());
        let mut document = step_document(&lesson, 0, Some(&rig));
        document.state.joint = JointIndex(1);
        assert!(labels(&document).is_empty());
        for vertex in 0..MANY as u32 {
            document.state.weights.insert(vertex, [0.5; 8].into());
        }
        assert_eq!(labels(&document), ["weights of 12 vertices"]);
        let change = &step_changes(&document, &lesson, &rig)[0];
        apply(&mut document, &change.put_back, &lesson, &rig).expect("it fits");
        assert!(labels(&document).is_empty());
    }
}
