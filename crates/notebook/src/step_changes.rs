//! Changes of a step by the reader: a label, and an edit that reverts each.

use std::collections::BTreeMap;

use bindpose_asset::{ByteEdits, Rig};
use bindpose_lesson::{Cell, CellKind, DataEdit, Lesson, Setting};
use bindpose_skin::LANES;

use super::edit_label::{ENGINE_NUMBERS, param_label, text_label};
use super::glsl::ShaderKind;
use super::link::defaults;
use super::setting::{SettingGroup, group_of, settings_of};
use super::{Document, Edit, step_document};
use crate::edit_label::{bytes_label, joint_label};
use crate::exercise_cells::cells_at;
use crate::number_text::grouped;
use crate::{StepState, TIME_PARAM, WeightEdits};

/// One difference from the prepared step.
#[derive(Clone, Debug, PartialEq)]
pub struct StepChange {
    /// Short label such as `inverse bind matrix of head`.
    pub label: String,
    pub put_back: Edit,
}

impl StepChange {
    fn new(label: impl Into<String>, put_back: Edit) -> Self {
        Self { label: label.into(), put_back }
    }
}

/// Returns all differences from the prepared step, in a stable order. The
/// selection is not a change, because selecting only looks at the model. `rig`
/// is the stored one.
pub fn step_changes(document: &Document, lesson: &Lesson, rig: &Rig) -> Vec<StepChange> {
    let start = step_document(lesson, document.step, Some(rig));
    if document.state == start.state {
        return Vec::new();
    }
    let mut changes = param_changes(document, &start, lesson, rig);
    changes.extend(setting_changes(document, &start, rig));
    let data = data_changes(&document.state, &start.state, rig).into_iter();
    changes.extend(data.map(|(label, put_back)| StepChange::new(label, put_back)));
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
    changes.extend(cell_changes(&state.given_files, ENGINE_NUMBERS, |cell| {
        Edit::GiveFile(cell, None)
    }));
    changes.extend(cell_changes(&state.draws, "numbers of the exercise", |cell| Edit::Draw {
        cell,
        draw: 0,
        afresh: false,
    }));
    changes.extend(cell_changes(&state.predictions, "guess", Edit::ForgetPrediction));
    changes.extend(cell_changes(&state.answers, "answer", Edit::ForgetAnswer));
    changes.extend(cell_changes(&state.chains, "product", Edit::ForgetChain));
    changes
}

/// Returns one change per cell that has a value.
fn cell_changes<V>(
    cells: &BTreeMap<String, V>,
    label: &str,
    put_back: impl Fn(String) -> Edit,
) -> impl Iterator<Item = StepChange> {
    cells.keys().map(move |cell| StepChange::new(label, put_back(cell.clone())))
}

fn param_changes(
    document: &Document,
    start: &Document,
    lesson: &Lesson,
    rig: &Rig,
) -> Vec<StepChange> {
    let now = &document.state.params;
    let then = &start.state.params;
    // Time that advances by itself is not a change by the reader.
    let time_plays = cells_at(lesson, document.step).any(plays_time);
    let mut changed: Vec<&str> = Vec::new();
    for (name, default) in defaults(lesson, rig) {
        let is_changed = now.get(name).unwrap_or(&default) != then.get(name).unwrap_or(&default);
        if is_changed && !(time_plays && name == TIME_PARAM) {
            changed.push(name);
        }
    }
    if changed.len() >= MIN_GROUPED_CHANGES {
        let settings = changed.iter().map(|name| Setting::Param((*name).to_owned(), 0.0)).collect();
        let label = format!("{} values", changed.len());
        return vec![StepChange::new(label, Edit::ResetSettings(settings))];
    }
    changed
        .into_iter()
        .map(|name| StepChange::new(param_label(name, lesson, rig), Edit::reset_param(name)))
        .collect()
}

fn plays_time(cell: &Cell) -> bool {
    matches!(&cell.kind, CellKind::Timeline(timeline) if timeline.plays)
}

fn setting_changes(document: &Document, start: &Document, rig: &Rig) -> Vec<StepChange> {
    let now = settings_of(&document.state, rig);
    let then = settings_of(&start.state, rig);
    now.into_iter()
        .zip(then)
        .filter(|(now, then)| now != then)
        .map(|(now, _)| now)
        .filter(|setting| group_of(setting) != Some(SettingGroup::Selection))
        .map(|setting| {
            let label = setting.label().to_owned();
            StepChange::new(label, Edit::ResetSettings(vec![setting]))
        })
        .collect()
}

// Changes of the model's own data: labels, each with an edit that reverts it.

/// Minimum number of changes of a kind that are reported as one.
const MIN_GROUPED_CHANGES: usize = 12;

/// Changes of one kind of data.
struct DataKind<K> {
    count: usize,
    /// Changed vertices or joints in a stable order. Empty if there are many
    /// and the step itself edits none.
    changed: Vec<K>,
    /// Whether the step itself edits data of this kind.
    step_edits: bool,
}

/// Returns all changes of data between two states of a step. `then` is the
/// prepared one.
fn data_changes(now: &StepState, then: &StepState, rig: &Rig) -> Vec<(String, Edit)> {
    let weights = DataKind::of_weights(&now.weights, &then.weights);
    let mut changes = weights.list(
        |vertex| format!("weights of v{vertex}"),
        |count| format!("weights of {} vertices", grouped(count as u32)),
        Edit::ResetWeights,
        |vertex| vec![DataEdit::Weights(vertex, [0.0; LANES])],
    );
    let inverse_binds = DataKind::new(&now.inverse_binds, &then.inverse_binds);
    changes.extend(inverse_binds.list(
        |joint| format!("inverse bind matrix of {}", joint_label(joint, rig)),
        |count| format!("inverse bind matrices of {count} joints"),
        Edit::ResetInverseBind,
        |joint| vec![DataEdit::InverseBind(joint.into(), [0.0; 16])],
    ));
    let texels = DataKind::new(&now.texels, &then.texels);
    changes.extend(texels.list(
        |joint| format!("texels of {}", joint_label(joint, rig)),
        |count| format!("texels of {count} joints"),
        Edit::ResetTexels,
        |joint| (0..4).map(|column| DataEdit::Texel(joint.into(), column, [0.0; 4])).collect(),
    ));
    let moves = DataKind::new(&now.joint_moves, &then.joint_moves);
    changes.extend(moves.list(
        |joint| format!("{} by hand", joint_label(joint, rig)),
        |count| format!("{count} joints by hand"),
        Edit::ResetJointMove,
        |joint| {
            let turn = DataEdit::Turn(joint.into(), [0.0, 0.0, 0.0, 1.0]);
            vec![turn, DataEdit::Shift(joint.into(), [0.0; 3])]
        },
    ));
    changes.extend(byte_changes(now, then));
    changes
}

impl DataKind<u32> {
    /// Does not list changes if there are too many, because this runs every frame.
    fn of_weights(now: &WeightEdits, then: &WeightEdits) -> Self {
        let count = now.count_differing(then);
        let step_edits = !then.is_empty();
        let changed = if count < MIN_GROUPED_CHANGES || step_edits {
            now.differing(then).collect()
        } else {
            Vec::new()
        };
        Self { count, changed, step_edits }
    }
}

impl<K: Ord + Copy> DataKind<K> {
    fn new<V: PartialEq>(now: &BTreeMap<K, V>, then: &BTreeMap<K, V>) -> Self {
        let mut changed: Vec<K> = now.keys().chain(then.keys()).copied().collect();
        changed.sort_unstable();
        changed.dedup();
        changed.retain(|key| now.get(key) != then.get(key));
        Self { count: changed.len(), changed, step_edits: !then.is_empty() }
    }

    /// Lists the changes, or one for all of them if there are many. `stored`
    /// creates an edit that restores the model's data of one or all keys. If the
    /// step itself edits such data, resetting what `edits` names restores the
    /// step's values.
    fn list(
        &self,
        label: impl Fn(K) -> String,
        label_all: impl Fn(usize) -> String,
        stored: impl Fn(Option<K>) -> Edit,
        edits: impl Fn(K) -> Vec<DataEdit>,
    ) -> Vec<(String, Edit)> {
        if self.count >= MIN_GROUPED_CHANGES {
            let put_back = if self.step_edits {
                reset_data(self.changed.iter().flat_map(|&key| edits(key)))
            } else {
                stored(None)
            };
            return vec![(label_all(self.count), put_back)];
        }
        let mut changes = Vec::new();
        for &key in &self.changed {
            let put_back = if self.step_edits { reset_data(edits(key)) } else { stored(Some(key)) };
            changes.push((label(key), put_back));
        }
        changes
    }
}

fn reset_data(edits: impl IntoIterator<Item = DataEdit>) -> Edit {
    Edit::ResetSettings(edits.into_iter().map(Setting::Data).collect())
}

fn byte_changes(now: &StepState, then: &StepState) -> Vec<(String, Edit)> {
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
    let step_edits = !then.bytes.is_empty();
    if runs.len() >= MIN_GROUPED_CHANGES {
        let put_back = if step_edits {
            reset_data(runs.into_iter().map(|(buffer, offset, bytes)| DataEdit::Bytes {
                buffer,
                offset,
                bytes,
            }))
        } else {
            Edit::ResetAllBytes
        };
        return vec![("bytes of the file".to_owned(), put_back)];
    }
    let mut changes = Vec::new();
    for (buffer, offset, bytes) in runs {
        let label = bytes_label(offset, bytes.len());
        let put_back = if step_edits {
            reset_data([DataEdit::Bytes { buffer, offset, bytes }])
        } else {
            Edit::ResetBytes { buffer, offset, length: bytes.len() as u32 }
        };
        changes.push((label, put_back));
    }
    changes
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
    fn every_change_is_listed_and_reverted_alone() {
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
    fn selection_is_no_change_and_many_changes_are_grouped() {
        let (lesson, rig) = (lesson(), rig());
        let mut document = step_document(&lesson, 0, Some(&rig));
        document.state.joint = JointIndex(1);
        assert!(labels(&document).is_empty());
        for vertex in 0..MIN_GROUPED_CHANGES as u32 {
            document.state.weights.insert(vertex, [0.5; 8].into());
        }
        assert_eq!(labels(&document), ["weights of 12 vertices"]);
        let change = &step_changes(&document, &lesson, &rig)[0];
        apply(&mut document, &change.put_back, &lesson, &rig).expect("it fits");
        assert!(labels(&document).is_empty());
    }
}
