//! Changes of a step by the reader: a label, and an edit that reverts each.

use std::collections::BTreeMap;

use bindpose_gltf::{ByteEdits, Rig};
use bindpose_lesson::matrix_names::INVERSE_BIND_MATRICES;
use bindpose_lesson::number_text::grouped;
use bindpose_lesson::{Cell, CellKind, Lesson, Setting};
use bindpose_skin::JointIndex;

use super::link::defaults;
use super::setting::{SettingGroup, group_of, settings_of};
use super::setting_label::param_label;
use super::{Document, Edit, EditTarget, step_document};
use crate::exercise_cells::cells_at;
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
    changes.extend(setting_changes(document, &start, lesson, rig));
    let data = data_changes(&document.state, &start.state);
    changes.extend(data.iter().flat_map(|kind| kind.list(lesson, rig)));
    changes.extend(
        EditTarget::set_in_cells(&document.state)
            .map(|target| StepChange::new(target.label(lesson, rig), Edit::Reset(target))),
    );
    changes
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

fn setting_changes(
    document: &Document,
    start: &Document,
    lesson: &Lesson,
    rig: &Rig,
) -> Vec<StepChange> {
    let now = settings_of(&document.state, rig);
    let then = settings_of(&start.state, rig);
    let mut changed: Vec<(String, Vec<Setting>)> = Vec::new();
    for (setting, at_start) in now.into_iter().zip(then) {
        if setting == at_start || group_of(&setting) == Some(SettingGroup::Selection) {
            continue;
        }
        let stops_label = find_stops_label(lesson, document.step, &setting);
        let label = stops_label.unwrap_or_else(|| setting.label().to_owned());
        match changed.iter_mut().find(|(other, _)| *other == label) {
            Some((_, settings)) => settings.push(setting),
            None => changed.push((label, vec![setting])),
        }
    }
    changed
        .into_iter()
        .map(|(label, settings)| StepChange::new(label, Edit::ResetSettings(settings)))
        .collect()
}

/// Returns the label of the stops that change a setting, so that the change has the name that
/// the step gives it. The name of the setting could answer a question of the step.
fn find_stops_label(lesson: &Lesson, step: usize, setting: &Setting) -> Option<String> {
    cells_at(lesson, step).find_map(|cell| {
        let CellKind::Stops(cell) = &cell.kind else { return None };
        let settings = cell.stops.iter().flat_map(|stop| &stop.set.0);
        let is_changed = settings.into_iter().any(|other| other.key() == setting.key());
        is_changed.then(|| cell.label.source.clone())
    })
}

// Changes of the model's own data: labels, each with an edit that reverts it.

/// Minimum number of changes of a kind that are reported as one.
const MIN_GROUPED_CHANGES: usize = 12;

/// Changes of one kind of data.
struct DataChanges {
    count: usize,
    /// Changed parts in a stable order. Empty if there are many and the step
    /// itself edits none.
    changed: Vec<EditTarget>,
    /// All data of the kind.
    all: EditTarget,
    /// Label of many changes together.
    label_all: String,
    /// Whether the step itself edits data of this kind.
    step_edits: bool,
}

/// Returns all changes of data between two states of a step. `then` is the
/// prepared one.
fn data_changes(now: &StepState, then: &StepState) -> [DataChanges; 5] {
    [
        weight_changes(&now.weights, &then.weights),
        DataChanges::of_joints(
            &now.inverse_binds,
            &then.inverse_binds,
            EditTarget::InverseBind,
            |count| format!("{INVERSE_BIND_MATRICES} of {count} joints"),
        ),
        DataChanges::of_joints(&now.texels, &then.texels, EditTarget::Texels, |count| {
            format!("texels of {count} joints")
        }),
        DataChanges::of_joints(
            &now.joint_moves,
            &then.joint_moves,
            EditTarget::JointMove,
            |count| format!("{count} joints by hand"),
        ),
        byte_changes(&now.bytes, &then.bytes),
    ]
}

/// Does not list changes if there are too many, because this runs every frame.
fn weight_changes(now: &WeightEdits, then: &WeightEdits) -> DataChanges {
    let count = now.count_differing(then);
    let step_edits = !then.is_empty();
    let changed = if count < MIN_GROUPED_CHANGES || step_edits {
        now.differing(then).map(|vertex| EditTarget::Weights(Some(vertex))).collect()
    } else {
        Vec::new()
    };
    DataChanges {
        count,
        changed,
        all: EditTarget::Weights(None),
        label_all: format!("weights of {} vertices", grouped(count as u32)),
        step_edits,
    }
}

fn byte_changes(now: &ByteEdits, then: &ByteEdits) -> DataChanges {
    let mut differing = ByteEdits::default();
    for (buffer, offset, bytes) in now.runs().into_iter().chain(then.runs()) {
        for offset in (offset..).take(bytes.len()) {
            if now.get(buffer, offset) != then.get(buffer, offset) {
                differing.put(buffer, offset, 0);
            }
        }
    }
    let changed: Vec<EditTarget> = differing
        .runs()
        .into_iter()
        .map(|(buffer, offset, bytes)| EditTarget::Bytes {
            buffer,
            offset,
            length: bytes.len() as u32,
        })
        .collect();
    DataChanges {
        count: changed.len(),
        changed,
        all: EditTarget::AllBytes,
        label_all: "bytes of the file".to_owned(),
        step_edits: !then.is_empty(),
    }
}

impl DataChanges {
    fn of_joints<V: PartialEq>(
        now: &BTreeMap<JointIndex, V>,
        then: &BTreeMap<JointIndex, V>,
        target: impl Fn(Option<JointIndex>) -> EditTarget,
        label_all: impl Fn(usize) -> String,
    ) -> Self {
        let mut changed: Vec<JointIndex> = now.keys().chain(then.keys()).copied().collect();
        changed.sort_unstable();
        changed.dedup();
        changed.retain(|joint| now.get(joint) != then.get(joint));
        Self {
            count: changed.len(),
            label_all: label_all(changed.len()),
            changed: changed.into_iter().map(|joint| target(Some(joint))).collect(),
            all: target(None),
            step_edits: !then.is_empty(),
        }
    }

    /// Lists the changes, or one for all of them if there are many.
    fn list(&self, lesson: &Lesson, rig: &Rig) -> Vec<StepChange> {
        if self.count >= MIN_GROUPED_CHANGES {
            let put_back = if self.step_edits {
                Edit::ResetSettings(
                    self.changed.iter().flat_map(EditTarget::data_settings).collect(),
                )
            } else {
                Edit::Reset(self.all.clone())
            };
            return vec![StepChange::new(self.label_all.clone(), put_back)];
        }
        let mut changes = Vec::new();
        for target in &self.changed {
            let put_back = if self.step_edits {
                Edit::ResetSettings(target.data_settings())
            } else {
                Edit::Reset(target.clone())
            };
            changes.push(StepChange::new(target.label(lesson, rig), put_back));
        }
        changes
    }
}

#[cfg(test)]
mod tests {
    use bindpose_lesson::{DataEdit, Tint, parse_lesson};
    use bindpose_skin::{InverseBind, SkinStage};

    use super::*;
    use crate::apply;
    use crate::glsl::ShaderKind;
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
            Edit::data(DataEdit::Weights(1, [0.25; 8])),
            Edit::data(DataEdit::InverseBind(JointIndex(1).into(), [2.0; 16])),
            Edit::data(DataEdit::Texel(JointIndex(0).into(), 3, [1.0; 4])),
            Edit::Shader { kind, text: "void main() {}".to_owned(), typed: true },
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
    fn settings_of_stops_are_one_change_named_after_the_stops() {
        let text = "+++\ntitle = \"X\"\nminutes = 5\nrig = \"head\"\n+++\n\n## One\n\nWords.\n\n\
            ```stops way\nlabel = \"What is forgotten\"\nstops = [\n  \
            { label = \"nothing\", set = { inverse-bind = \"inverse\", tint = \"base\" } },\n  \
            { label = \"one thing\", set = { inverse-bind = \"left-out\", tint = \"solid\" } },\n]\n```\n";
        let (lesson, rig) = (parse_lesson("20-x", text, ""), rig());
        let mut document = step_document(&lesson, 0, Some(&rig));
        for setting in
            [Setting::InverseBind(InverseBind::LeftOut), Setting::Tint(Some(Tint::Solid))]
        {
            apply(&mut document, &Edit::set(setting), &lesson, &rig).expect("a sound edit");
        }
        let changes = step_changes(&document, &lesson, &rig);
        let [change] = &changes[..] else { panic!("{changes:?}") };
        assert_eq!(change.label, "What is forgotten");
        apply(&mut document, &change.put_back, &lesson, &rig).expect("it fits");
        assert!(step_changes(&document, &lesson, &rig).is_empty());
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
