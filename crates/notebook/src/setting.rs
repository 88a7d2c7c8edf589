//! Storage of each setting in the state of a step. Setting, copying, undo,
//! links and the change of models follow from the table below. Keys and words
//! are in the lesson crate.

#![expect(
    clippy::ref_option,
    clippy::trivially_copy_pass_by_ref,
    reason = "the table passes all values by reference"
)]

use bindpose_gltf::Rig;
use bindpose_lesson::Setting;

use super::model_data::{apply_data_edit, clear_data, copy_all_data, copy_data};
use super::refused::known_vertex;
use super::{EditError, StepState, playback_param};

/// Groups of settings that are kept or dropped together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingGroup {
    /// Selected parts. Selecting is not undone and not part of a solution.
    Selection,
    /// Display and view direction. Kept when the model changes, not part of a
    /// solution.
    Display,
    /// How skinning is computed. Kept when the model changes.
    Computation,
    /// Settings that refer to parts of the model or only fit it.
    Model,
}

/// Generates the accessors from rows of: setting, group, field of the state,
/// and the module below that converts the value and validates it against the
/// rig.
macro_rules! places {
    ($($setting:ident: $group:ident, $($field:ident).+, $kept:ident;)+) => {
        /// Applies a setting. Without a rig, values are not validated and clips
        /// are kept. A parameter that is not finite is ignored, and unknown
        /// parameters are stored too.
        ///
        /// # Errors
        ///
        /// Fails if the rig has no such joint, vertex or clip. The state is
        /// then unchanged.
        pub fn put_setting(
            state: &mut StepState,
            setting: &Setting,
            rig: Option<&Rig>,
        ) -> Result<(), EditError> {
            match setting {
                Setting::Param(name, value) => set_params(state, name, *value, rig),
                Setting::Data(edit) => apply_data_edit(state, edit, rig.ok_or(EditError::NoModel)?)?,
                Setting::NoEdits => clear_data(state),
                $(Setting::$setting(value) => state.$($field).+ = $kept::to_state(value, rig)?,)+
            }
            Ok(())
        }

        /// Copies the value of one setting from `from`.
        pub(super) fn copy_setting(
            to: &mut StepState,
            from: &StepState,
            setting: &Setting,
            rig: &Rig,
        ) {
            match setting {
                Setting::Param(name, _) => copy_params(to, from, name, rig),
                Setting::Data(edit) => copy_data(to, from, edit, rig),
                Setting::NoEdits => copy_all_data(to, from),
                $(Setting::$setting(_) => to.$($field).+.clone_from(&from.$($field).+),)+
            }
        }

        /// Copies all settings of some groups from `from`. Parameters and data
        /// belong to no group.
        pub fn copy_settings(to: &mut StepState, from: &StepState, groups: &[SettingGroup]) {
            $(if groups.contains(&SettingGroup::$group) {
                to.$($field).+.clone_from(&from.$($field).+);
            })+
        }

        /// Returns every setting with its current value, except parameters and
        /// edits of data.
        pub(super) fn settings_of(state: &StepState, rig: &Rig) -> Vec<Setting> {
            vec![$(Setting::$setting($kept::from_state(&state.$($field).+, rig)),)+]
        }

        /// Returns the group of a setting. Returns `None` for parameters and
        /// edits of data.
        pub(super) fn group_of(setting: &Setting) -> Option<SettingGroup> {
            match setting {
                Setting::Param(..) | Setting::Data(_) | Setting::NoEdits => None,
                $(Setting::$setting(_) => Some(SettingGroup::$group),)+
            }
        }
    };
}

places! {
    Stage: Computation, stage, same;
    InverseBind: Computation, inverse_bind, same;
    Through: Model, through, through;
    Joint: Selection, joint, joint;
    Vertex: Selection, vertex, vertex;
    Show: Display, show, same;
    View: Display, view, same;
    Tint: Display, tint, same;
    Gizmo: Display, gizmo, same;
    GizmoFrame: Display, gizmo_frame, same;
    Method: Computation, method, same;
    Normals: Computation, normals, same;
    WeightsFrom: Computation, weights_by.source, same;
    DistancePower: Computation, weights_by.power, same;
    MostInfluences: Computation, weights_by.most, same;
    MeshNode: Model, mesh_node, same;
    Vectors: Display, written_as.vectors, same;
    Memory: Display, written_as.memory, same;
    Axes: Display, written_as.axes, same;
    Transport: Computation, transport, same;
    Faults: Computation, faults, same;
    Device: Computation, device, same;
    Crowd: Model, crowd.count, same;
    OwnPoses: Model, crowd.own_poses, same;
    File: Model, file, same;
    Reading: Model, reading, same;
    Clip: Model, playback.clip, clip;
    FadeTo: Model, playback.fade_to, clip;
    Between: Model, playback.between, same;
    Repeats: Model, playback.repeats, same;
    ModelB: Display, model_b, model_b;
}

/// Stored as is, independent of the rig.
mod same {
    use super::{EditError, Rig};

    #[expect(clippy::unnecessary_wraps, reason = "same signature as the other modules")]
    pub(super) fn to_state<T: Clone>(value: &T, _: Option<&Rig>) -> Result<T, EditError> {
        Ok(value.clone())
    }

    pub(super) fn from_state<T: Clone>(kept: &T, _: &Rig) -> T {
        kept.clone()
    }
}

/// A joint of the rig, stored by index.
mod joint {
    use bindpose_lesson::JointName;
    use bindpose_skin::JointIndex;

    use super::{EditError, Rig};
    use crate::joint_index;

    pub(super) fn to_state(joint: &JointName, rig: Option<&Rig>) -> Result<JointIndex, EditError> {
        match (joint, rig) {
            (joint, Some(rig)) => joint_index(joint, rig),
            (JointName::Index(joint), None) => Ok(*joint),
            (JointName::Name(_), None) => Err(EditError::NoModel),
        }
    }

    pub(super) fn from_state(kept: &JointIndex, _: &Rig) -> JointName {
        (*kept).into()
    }
}

/// An optional joint of the rig.
mod through {
    use bindpose_lesson::JointName;
    use bindpose_skin::JointIndex;

    use super::{EditError, Rig, joint};

    pub(super) fn to_state(
        through: &Option<JointName>,
        rig: Option<&Rig>,
    ) -> Result<Option<JointIndex>, EditError> {
        through.as_ref().map(|joint| joint::to_state(joint, rig)).transpose()
    }

    pub(super) fn from_state(kept: &Option<JointIndex>, _: &Rig) -> Option<JointName> {
        kept.map(JointName::from)
    }
}

/// A vertex of the rig's mesh.
mod vertex {
    use super::{EditError, Rig, known_vertex};

    pub(super) fn to_state(vertex: &u32, rig: Option<&Rig>) -> Result<u32, EditError> {
        if let Some(rig) = rig {
            known_vertex(*vertex, rig)?;
        }
        Ok(*vertex)
    }

    pub(super) use super::same::from_state;
}

/// A clip of the rig, stored by index.
mod clip {
    use bindpose_lesson::ClipName;

    use super::{EditError, Rig};
    use crate::{clip_index, clip_name};

    pub(super) fn to_state(name: &ClipName, rig: Option<&Rig>) -> Result<Option<usize>, EditError> {
        let rig = rig.ok_or(EditError::NoModel)?;
        clip_index(name, rig)
    }

    pub(super) fn from_state(kept: &Option<usize>, rig: &Rig) -> ClipName {
        clip_name(*kept, rig)
    }
}

/// Model that the page's model is compared with.
mod model_b {
    use bindpose_lesson::ComparedModel;
    use bindpose_rigs::builtin_ids;

    use super::{EditError, Rig};

    pub(super) fn to_state(
        model: &ComparedModel,
        _: Option<&Rig>,
    ) -> Result<ComparedModel, EditError> {
        match model {
            ComparedModel::BuiltIn(id) if !builtin_ids().contains(&&**id) => {
                Err(EditError::NoSuchRig(id.clone()))
            }
            _ => Ok(model.clone()),
        }
    }

    pub(super) use super::same::from_state;
}

/// Names of the parameters to set: `all` means every angle of the rig.
fn params_named<'a>(name: &'a str, rig: Option<&'a Rig>) -> Vec<&'a str> {
    if name == "all" {
        let angles = rig.into_iter().flat_map(Rig::angles);
        angles.map(|param| param.name.as_str()).collect()
    } else {
        vec![name]
    }
}

/// Stores a parameter. A parameter at its default is removed, because the state
/// holds only differences.
fn set_params(state: &mut StepState, name: &str, value: f64, rig: Option<&Rig>) {
    if !value.is_finite() {
        return;
    }
    for name in params_named(name, rig) {
        let default = rig.and_then(|rig| {
            let of_rig = rig.param(name).map(|param| param.default);
            of_rig.or_else(|| Some(playback_param(name, rig)?.range.0))
        });
        if default == Some(value) {
            state.params.remove(name);
        } else {
            state.params.insert(name.to_owned(), value);
        }
    }
}

fn copy_params(to: &mut StepState, from: &StepState, name: &str, rig: &Rig) {
    for name in params_named(name, Some(rig)) {
        match from.params.get(name) {
            Some(&value) => to.params.insert(name.to_owned(), value),
            None => to.params.remove(name),
        };
    }
}

#[cfg(test)]
mod tests {
    use bindpose_lesson::{JointName, example_settings};
    use bindpose_rigs::builtin;

    use super::*;

    #[test]
    fn settings_round_trip_and_copy_independently() {
        let rig = builtin("whale").unwrap();
        let begin = StepState::default();
        // Data is tested in `model_data`.
        let settings = example_settings().into_iter();
        for setting in settings.filter(|setting| *setting != Setting::NoEdits) {
            let mut put = begin.clone();
            put_setting(&mut put, &setting, Some(&rig)).unwrap();
            let mut there = settings_of(&put, &rig);
            there.retain(|other| other.key() == setting.key());
            let by_name = matches!(
                setting,
                Setting::Clip(_)
                    | Setting::FadeTo(_)
                    | Setting::Joint(JointName::Name(_))
                    | Setting::Through(Some(JointName::Name(_)))
            );
            if !by_name {
                assert_eq!(
                    there,
                    std::slice::from_ref(&setting),
                    "a setting by index keeps its form"
                );
            }

            let mut copied = begin.clone();
            copy_setting(&mut copied, &put, &setting, &rig);
            assert_eq!(copied, put, "{setting:?}");
            copy_setting(&mut copied, &begin, &setting, &rig);
            assert_eq!(copied, begin, "{setting:?}");

            let group = group_of(&setting).unwrap();
            copy_settings(&mut copied, &put, &[group]);
            assert_eq!(copied, put, "{setting:?}");
        }
    }

    #[test]
    fn unknown_parts_are_rejected_without_change() {
        let rig = crate::test_sample::rig();
        for text in [
            "joint=2",
            "joint=haed",
            "through=2",
            "through='1'",
            "vertex=3",
            "clip=swim",
            "fade-to=0",
        ] {
            let setting = &bindpose_lesson::parse_settings(text).unwrap()[0];
            let mut state = StepState::default();
            let refused = put_setting(&mut state, setting, Some(&rig)).unwrap_err();
            assert!(refused.to_string().contains("no"), "{text}: {refused}");
            assert_eq!(state, StepState::default());
        }
    }
}
