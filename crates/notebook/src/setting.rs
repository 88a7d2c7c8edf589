//! Where each setting stands in the state of a step. Putting, copying, holding,
//! links, undo and what outlives a model follow from the table below; keys and
//! words are in `lesson`'s.

#![expect(
    clippy::ref_option,
    clippy::trivially_copy_pass_by_ref,
    reason = "the table passes all values alike"
)]

use bindpose_asset::Rig;
use bindpose_lesson::Setting;

use super::model_data::{clear_data, copy_all_data, copy_data, put_data};
use super::refused::known_vertex;
use super::{EditError, StepState, playback_param};

/// What settings are about, where that decides what becomes of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingGroup {
    /// What is chosen. Choosing is not undone, and not part of a solution.
    Selection,
    /// What the viewports draw, and from where. Outlives a model; not part of a
    /// solution.
    Display,
    /// How it is computed. Outlives a model.
    Computation,
    /// Names parts of the model, or fits only it.
    Model,
}

/// A row is: setting, group, its place in the state, and the module below that
/// holds the value against the rig on its way in and out.
macro_rules! places {
    ($($setting:ident: $group:ident, $($field:ident).+, $kept:ident;)+) => {
        /// Puts a setting to its value. Without a rig, nothing is held against
        /// it, and clips stay as they are. A parameter that is not finite stays
        /// as it is; whether there is such a one is not asked.
        ///
        /// Fails when the rig has no such joint, vertex or clip; nothing is changed
        /// then.
        pub(super) fn put_setting(
            state: &mut StepState,
            setting: &Setting,
            rig: Option<&Rig>,
        ) -> Result<(), EditError> {
            match setting {
                Setting::Param(name, value) => put_params(state, name, *value, rig),
                Setting::Data(edit) => put_data(state, edit, rig.ok_or(EditError::NoModel)?)?,
                Setting::NoEdits => clear_data(state),
                $(Setting::$setting(value) => state.$($field).+ = $kept::put(value, rig)?,)+
            }
            Ok(())
        }

        /// Puts what a setting names to what it is in `from`.
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

        /// Puts all settings of some groups to what they are in `from`;
        /// parameters and data are in none.
        pub fn copy_settings(to: &mut StepState, from: &StepState, groups: &[SettingGroup]) {
            $(if groups.contains(&SettingGroup::$group) {
                to.$($field).+.clone_from(&from.$($field).+);
            })+
        }

        /// Every setting but parameters and edits of data, with the value it has.
        pub(super) fn settings_of(state: &StepState, rig: &Rig) -> Vec<Setting> {
            vec![$(Setting::$setting($kept::get(&state.$($field).+, rig)),)+]
        }

        /// The group of a setting; `None` for parameters and edits of data.
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

/// Kept as the setting says it, whatever the rig is.
mod same {
    use super::{EditError, Rig};

    #[expect(clippy::unnecessary_wraps, reason = "as the modules beside it")]
    pub(super) fn put<T: Clone>(value: &T, _: Option<&Rig>) -> Result<T, EditError> {
        Ok(value.clone())
    }

    pub(super) fn get<T: Clone>(kept: &T, _: &Rig) -> T {
        kept.clone()
    }
}

/// A joint of the rig, kept by its index.
mod joint {
    use bindpose_lesson::JointName;
    use bindpose_skin::JointIndex;

    use super::{EditError, Rig};
    use crate::joint_index;

    pub(super) fn put(joint: &JointName, rig: Option<&Rig>) -> Result<JointIndex, EditError> {
        match (joint, rig) {
            (joint, Some(rig)) => joint_index(joint, rig),
            (JointName::Index(joint), None) => Ok(*joint),
            (JointName::Name(_), None) => Err(EditError::NoModel),
        }
    }

    pub(super) fn get(kept: &JointIndex, _: &Rig) -> JointName {
        (*kept).into()
    }
}

/// A joint of the rig, or none.
mod through {
    use bindpose_lesson::JointName;
    use bindpose_skin::JointIndex;

    use super::{EditError, Rig, joint};

    pub(super) fn put(
        through: &Option<JointName>,
        rig: Option<&Rig>,
    ) -> Result<Option<JointIndex>, EditError> {
        let through = through.as_ref().map(|one| joint::put(one, rig));
        through.transpose()
    }

    pub(super) fn get(kept: &Option<JointIndex>, _: &Rig) -> Option<JointName> {
        kept.map(JointName::from)
    }
}

/// A vertex of the rig's mesh.
mod vertex {
    use super::{EditError, Rig, known_vertex};

    pub(super) fn put(vertex: &u32, rig: Option<&Rig>) -> Result<u32, EditError> {
        rig.map_or(Ok(()), |rig| known_vertex(*vertex, rig))?;
        Ok(*vertex)
    }

    pub(super) use super::same::get;
}

/// A clip of the rig, kept by its index.
mod clip {
    use bindpose_lesson::ClipName;

    use super::{EditError, Rig};
    use crate::{clip_index, clip_name};

    pub(super) fn put(name: &ClipName, rig: Option<&Rig>) -> Result<Option<usize>, EditError> {
        let rig = rig.ok_or(EditError::NoModel)?;
        clip_index(name, rig)
    }

    pub(super) fn get(kept: &Option<usize>, rig: &Rig) -> ClipName {
        clip_name(*kept, rig)
    }
}

/// What the model is held against.
mod model_b {
    use bindpose_asset::builtin_ids;
    use bindpose_lesson::ModelB;

    use super::{EditError, Rig};

    pub(super) fn put(model: &ModelB, _: Option<&Rig>) -> Result<ModelB, EditError> {
        match model {
            ModelB::BuiltIn(id) if !builtin_ids().contains(&&**id) => {
                Err(EditError::NoSuchRig(id.clone()))
            }
            _ => Ok(model.clone()),
        }
    }

    pub(super) use super::same::get;
}

/// The parameters of that name: `all` stands for every angle of the rig.
fn params_named<'a>(name: &'a str, rig: Option<&'a Rig>) -> Vec<&'a str> {
    if name == "all" {
        let angles = rig.into_iter().flat_map(Rig::angles);
        angles.map(|param| param.name.as_str()).collect()
    } else {
        vec![name]
    }
}

/// A parameter of the rig that is put to its default leaves the state, which
/// holds only what differs.
fn put_params(state: &mut StepState, name: &str, value: f64, rig: Option<&Rig>) {
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
    use bindpose_asset::builtin;
    use bindpose_lesson::{JointName, example_settings};

    use super::*;

    #[test]
    fn a_setting_is_got_as_it_was_put_and_copied_alone() {
        let rig = builtin("whale").unwrap();
        let begin = StepState::default();
        // Data is tested beside what puts it.
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
                assert_eq!(there, std::slice::from_ref(&setting), "what has a name has two");
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
    fn what_the_rig_does_not_have_is_refused_and_changes_nothing() {
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
