//! What the reader has changed at a step, in words, each with the edit that puts
//! it back as the author meant it.

use std::collections::{BTreeMap, BTreeSet};

use bindpose_asset::{ByteEdits, Rig};
use bindpose_lesson::{Cell, CellKind, DataEdit, Lesson, Setting};
use bindpose_skin::LANES;

use super::edit_label::{ENGINE_NUMBERS, param_label, text_label};
use super::glsl::ShaderKind;
use super::link::defaults;
use super::posing::SavedPose;
use super::setting::{SettingGroup, group_of, settings_of};
use super::{Document, Edit, step_document};
use crate::edit_label::{bytes_label, joint_label};
use crate::exercise_cells::cells_at;
use crate::number_text::grouped;
use crate::{StepState, TIME, WeightEdits};

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
    let data = data_changes(&document.state, &begin.state, rig).into_iter();
    changes.extend(data.map(|(label, put_back)| StepChange::new(label, put_back)));
    changes.extend(poses(&document.state.poses, &begin.state.poses));
    let state = &document.state;
    let shaders = state.shaders.keys().filter_map(|key| ShaderKind::from_key(key));
    changes.extend(shaders.map(|kind| {
        let put_back = Edit::Shader { kind, text: None, typed: false };
        StepChange::new("vertex shader", put_back)
    }));
    changes.extend(state.texts.keys().map(|cell| {
        let put_back = Edit::Text { cell: cell.clone(), text: None, typed: false };
        StepChange::new(text_label(cell, lesson), put_back)
    }));
    let first_draw = |cell| Edit::Draw { cell, draw: 0, afresh: false };
    changes.extend(of_cells(&state.given_files, ENGINE_NUMBERS, |cell| Edit::GiveFile(cell, None)));
    changes.extend(of_cells(&state.draws, "numbers of the exercise", first_draw));
    changes.extend(of_cells(&state.predictions, "guess", Edit::ForgetPrediction));
    changes.extend(of_cells(&state.answers, "answer", Edit::ForgetAnswer));
    changes.extend(of_cells(&state.chains, "product", Edit::ForgetChain));
    changes
}

/// One change for each cell that the reader has put something into.
fn of_cells<V>(
    cells: &BTreeMap<String, V>,
    label: &str,
    put_back: impl Fn(String) -> Edit,
) -> impl Iterator<Item = StepChange> {
    cells.keys().map(move |cell| StepChange::new(label, put_back(cell.clone())))
}

fn params(document: &Document, begin: &Document, lesson: &Lesson, rig: &Rig) -> Vec<StepChange> {
    let (now, then) = (&document.state.params, &begin.state.params);
    let value = |params: &BTreeMap<String, f64>, name: &str, default| {
        params.get(name).copied().unwrap_or(default)
    };
    let plays = |cell: &Cell| matches!(&cell.kind, CellKind::Timeline(timeline) if timeline.plays);
    // Where time goes on by itself, that is no change of the reader's.
    let goes_on = cells_at(lesson, document.step).any(plays);
    let changed: Vec<&str> = defaults(lesson, rig)
        .filter(|&(name, _)| !(goes_on && name == TIME))
        .filter(|&(name, default)| value(now, name, default) != value(then, name, default))
        .map(|(name, _)| name)
        .collect();
    if changed.len() >= MANY_CHANGES {
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

// What stands in the place of the model's own data otherwise than the step gives
// it: in words, each with the edit that puts it back.

/// From so many of a kind on, they are told together.
const MANY_CHANGES: usize = 12;

/// One kind of data that was changed.
struct DataKind<K> {
    count: usize,
    /// Whose data, in a lasting order; empty where there are many and the step itself
    /// puts nothing.
    of: Vec<K>,
    /// Does the step itself put anything of this kind in the place of the stored?
    of_step: bool,
}

/// All that differs between two states of a step: `then` is how it opens.
fn data_changes(now: &StepState, then: &StepState, rig: &Rig) -> Vec<(String, Edit)> {
    let weights = DataKind::of_weights(&now.weights, &then.weights);
    let mut changes = weights.told(
        |vertex| format!("weights of v{vertex}"),
        |count| format!("weights of {} vertices", grouped(count as u32)),
        Edit::ResetWeights,
        |vertex| vec![DataEdit::Weights(vertex, [0.0; LANES])],
    );
    let inverse_binds = DataKind::new(&now.inverse_binds, &then.inverse_binds);
    changes.extend(inverse_binds.told(
        |joint| format!("inverse bind matrix of {}", joint_label(joint, rig)),
        |count| format!("inverse bind matrices of {count} joints"),
        Edit::ResetInverseBind,
        |joint| vec![DataEdit::InverseBind(joint.into(), [0.0; 16])],
    ));
    let texels = DataKind::new(&now.texels, &then.texels);
    changes.extend(texels.told(
        |joint| format!("texels of {}", joint_label(joint, rig)),
        |count| format!("texels of {count} joints"),
        Edit::ResetTexels,
        |joint| {
            let columns = 0..4;
            let texel = |column| DataEdit::Texel(joint.into(), column, [0.0; 4]);
            columns.map(texel).collect()
        },
    ));
    let moves = DataKind::new(&now.joint_moves, &then.joint_moves);
    changes.extend(moves.told(
        |joint| format!("{} by hand", joint_label(joint, rig)),
        |count| format!("{count} joints by hand"),
        Edit::ResetJointMove,
        |joint| {
            let turn = DataEdit::Turn(joint.into(), [0.0, 0.0, 0.0, 1.0]);
            vec![turn, DataEdit::Shift(joint.into(), [0.0; 3])]
        },
    ));
    changes.extend(bytes(now, then));
    changes
}

impl DataKind<u32> {
    /// Of a whole mesh, too many to be listed in each frame.
    fn of_weights(now: &WeightEdits, then: &WeightEdits) -> Self {
        let (count, of_step) = (now.count_differing(then), !then.is_empty());
        let of = if count < MANY_CHANGES || of_step {
            now.differing(then).collect()
        } else {
            Vec::new()
        };
        Self { count, of, of_step }
    }
}

impl<K: Ord + Copy> DataKind<K> {
    fn new<V: PartialEq>(now: &BTreeMap<K, V>, then: &BTreeMap<K, V>) -> Self {
        let mut of: Vec<K> = now.keys().chain(then.keys()).copied().collect();
        of.sort_unstable();
        of.dedup();
        of.retain(|one| now.get(one) != then.get(one));
        Self { count: of.len(), of, of_step: !then.is_empty() }
    }

    /// `stored` puts back what the model has, of one or of all; where the step gives
    /// something else, what `edits` names goes back to that.
    fn told(
        &self,
        each: impl Fn(K) -> String,
        all: impl Fn(usize) -> String,
        stored: impl Fn(Option<K>) -> Edit,
        edits: impl Fn(K) -> Vec<DataEdit>,
    ) -> Vec<(String, Edit)> {
        let to_step = |of: &[K]| {
            let edits = of.iter().flat_map(|&one| edits(one));
            Edit::ResetSettings(edits.map(Setting::Data).collect())
        };
        if self.count >= MANY_CHANGES {
            let put_back = if self.of_step { to_step(&self.of) } else { stored(None) };
            return vec![(all(self.count), put_back)];
        }
        let each = self.of.iter().map(|&one| {
            let put_back = if self.of_step { to_step(&[one]) } else { stored(Some(one)) };
            (each(one), put_back)
        });
        each.collect()
    }
}

fn bytes(now: &StepState, then: &StepState) -> Vec<(String, Edit)> {
    let mut changed = ByteEdits::default();
    for (buffer, offset, bytes) in now.bytes.runs().into_iter().chain(then.bytes.runs()) {
        for offset in (offset..).take(bytes.len()) {
            let [is, was] = [&now.bytes, &then.bytes].map(|bytes| bytes.get(buffer, offset));
            if is != was {
                changed.put(buffer, offset, 0);
            }
        }
    }
    let runs = changed.runs();
    let of_step = !then.bytes.is_empty();
    let to_step = |runs: &[(u32, u32, Vec<u8>)]| {
        let edits = runs.iter().cloned();
        let edits = edits.map(|(buffer, offset, bytes)| DataEdit::Bytes { buffer, offset, bytes });
        Edit::ResetSettings(edits.map(Setting::Data).collect())
    };
    if runs.len() >= MANY_CHANGES {
        let put_back = if of_step { to_step(&runs) } else { Edit::ResetAllBytes };
        return vec![("bytes of the file".to_owned(), put_back)];
    }
    let each = runs.iter().map(|run| {
        let (buffer, offset, length) = (run.0, run.1, run.2.len());
        let put_back = if of_step {
            to_step(std::slice::from_ref(run))
        } else {
            Edit::ResetBytes { buffer, offset, length: length as u32 }
        };
        (bytes_label(offset, length), put_back)
    });
    each.collect()
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
        for vertex in 0..MANY_CHANGES as u32 {
            document.state.weights.insert(vertex, [0.5; 8].into());
        }
        assert_eq!(labels(&document), ["weights of 12 vertices"]);
        let change = &step_changes(&document, &lesson, &rig)[0];
        apply(&mut document, &change.put_back, &lesson, &rig).expect("it fits");
        assert!(labels(&document).is_empty());
    }
}
