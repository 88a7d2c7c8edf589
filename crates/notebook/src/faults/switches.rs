//! Switches that turn known faults on and off, hidden faults, and faults of matrices.

use std::borrow::Cow;
use std::collections::BTreeSet;

use bindpose_gltf::{JointRole, ParamKind, Rig};
use bindpose_lesson::{
    CellKind, FaultName, FaultsCell, FileReading, Lesson, Setting, SkinningFault, known_faults,
};
use bindpose_skin::{
    InverseBind, JointIndex, MeshNodeUse, NormalRule, Pose, RotationInterpolation, Skeleton,
};
use glam::{Mat4, Vec4};

use crate::exercise_cells::cells_at;
use crate::setting::put_setting;
use crate::shuffle::shuffle_indices;
use crate::{Document, StepState, TIME_PARAM};

/// A switch of a known fault, with its settings parsed.
#[derive(Clone, Debug, PartialEq)]
pub struct FaultSwitch {
    pub fault: FaultName,
    settings: Vec<Setting>,
    needs: Vec<Setting>,
}

impl FaultSwitch {
    pub fn new(fault: FaultName) -> Self {
        Self { fault, settings: fault.settings(), needs: fault.needs() }
    }

    /// Is the fault on, alone or with others?
    pub fn is_on(&self, state: &StepState) -> bool {
        self.settings.iter().all(|setting| match setting {
            Setting::InverseBind(wrong) => state.inverse_bind == *wrong,
            Setting::MeshNode(wrong) => state.mesh_node == *wrong,
            Setting::Normals(wrong) => state.normals == *wrong,
            Setting::Reading(wrong) => state.reading == *wrong,
            Setting::Between(wrong) => state.playback.between == *wrong,
            Setting::Faults(own) => own.is_subset(&state.faults),
            _ => false,
        })
    }

    /// Returns the settings that turn the fault on or off and leave other faults as they are.
    /// Turning it on includes the settings that it needs. Turning it off keeps these.
    pub fn switched(&self, on: bool, state: &StepState) -> Vec<Setting> {
        if on {
            let own = self.settings.iter().map(|setting| match setting {
                Setting::Faults(own) => Setting::Faults(own | &state.faults),
                other => other.clone(),
            });
            return self.needs.iter().cloned().chain(own).collect();
        }
        let right = self.settings.iter().map(|setting| match setting {
            Setting::InverseBind(_) => Setting::InverseBind(InverseBind::default()),
            Setting::MeshNode(_) => Setting::MeshNode(MeshNodeUse::default()),
            Setting::Normals(_) => Setting::Normals(NormalRule::default()),
            Setting::Reading(_) => Setting::Reading(FileReading::default()),
            Setting::Between(_) => Setting::Between(RotationInterpolation::default()),
            Setting::Faults(own) => Setting::Faults(&state.faults - own),
            other => other.clone(),
        });
        right.collect()
    }

    /// Returns the settings that turn all of these faults off.
    pub fn all_off(switches: &[Self], state: &StepState) -> Vec<Setting> {
        let on = switches.iter().filter(|switch| switch.is_on(state));
        let mut rest: BTreeSet<_> = state.faults.clone();
        let mut right = Vec::new();
        for setting in on.flat_map(|switch| switch.switched(false, state)) {
            match setting {
                Setting::Faults(left) => rest = &rest & &left,
                other => right.push(other),
            }
        }
        if rest != state.faults {
            right.push(Setting::Faults(rest));
        }
        right
    }
}

/// Returns the faults that a cell offers: its own list, or all.
pub fn offered(cell: &FaultsCell) -> Vec<FaultName> {
    if cell.faults.is_empty() { known_faults().collect() } else { cell.faults.clone() }
}

/// Returns the fault of that id, if the cell offers it.
pub fn offered_by_id(cell: &FaultsCell, id: &str) -> Option<FaultName> {
    FaultName::from_id(id).filter(|fault| cell.faults.is_empty() || cell.faults.contains(fault))
}

/// Returns the fault that is hidden with a draw. Each fault is hidden once, in a shuffled
/// order. Returns `None` if the cell hides none, or there are no more faults.
pub fn fault_of_draw(cell: &FaultsCell, id: &str, draw: usize) -> Option<FaultName> {
    if !cell.diagnose {
        return None;
    }
    let all = offered(cell);
    let order = shuffle_indices(&format!("{id}/{}", all.len()), all.len());
    order.get(draw).and_then(|&at| all.get(at)).copied()
}

/// Returns the document with the hidden fault of its step turned on, if there is one.
///
/// The hidden fault is computed from the lesson and the document, so that undo and links keep
/// it without revealing it.
pub(crate) fn with_hidden_fault<'a>(
    document: &'a Document,
    lesson: Option<&Lesson>,
) -> Cow<'a, Document> {
    let diagnose = lesson.filter(|lesson| lesson.slug == document.lesson).and_then(|lesson| {
        cells_at(lesson, document.step).find_map(|cell| match &cell.kind {
            CellKind::Faults(faults) if faults.diagnose => Some((&cell.id, faults)),
            _ => None,
        })
    });
    let fault = diagnose.and_then(|(id, cell)| fault_of_draw(cell, id, document.draw_of(id)));
    let Some(fault) = fault else {
        return Cow::Borrowed(document);
    };
    let mut hidden = document.clone();
    for setting in FaultSwitch::new(fault).switched(true, &document.state) {
        // The settings of faults name no parts of a rig, so that they fit every rig.
        let fits = put_setting(&mut hidden.state, &setting, None);
        debug_assert!(fits.is_ok(), "{setting:?}");
    }
    Cow::Owned(hidden)
}

/// Returns the document with the pose of the palette, if a fault makes that an earlier one.
pub(crate) fn pose_of_palette(document: &Document, rig: &Rig) -> Option<Document> {
    if !document.state.faults.contains(&SkinningFault::PreviousFrame)
        || document.clips(rig).next().is_none()
    {
        return None;
    }
    let mut earlier = document.clone();
    earlier.state.faults.remove(&SkinningFault::PreviousFrame);
    let secs = document.time_secs() - document.frame_secs(rig);
    let length_secs = document.length_secs(rig);
    let secs =
        if secs < 0.0 && document.state.playback.repeats { secs + length_secs } else { secs };
    earlier.state.params.insert(TIME_PARAM.to_owned(), secs.max(0.0));
    Some(earlier)
}

/// Returns the value of a parameter as it is used, which is in degrees instead of radians
/// with a fault.
pub(crate) fn turned_too_far(
    faults: &BTreeSet<SkinningFault>,
    rig: &Rig,
    name: &str,
    value: f64,
) -> f64 {
    let is_wrong = faults.contains(&SkinningFault::DegreesAsRadians)
        && rig.param(name).is_some_and(|param| {
            matches!(param.kind, ParamKind::Angle { .. } | ParamKind::Angles { .. })
        });
    if is_wrong { value.to_degrees() } else { value }
}

/// Recomputes world and joint matrices with the faults in their computation. Changes nothing
/// if none of these faults is on.
pub(crate) fn put_wrong_matrices(
    faults: &BTreeSet<SkinningFault>,
    skeleton_and_pose: (&Skeleton, &Pose),
    used_joint_from_bind: &[Mat4],
    world_from_joint: &mut [Mat4],
    world_from_bind: &mut [Mat4],
) {
    const WALKS: [SkinningFault; 3] =
        [SkinningFault::ParentLeftOut, SkinningFault::ParentOnTheRight, SkinningFault::ChildFirst];
    let (skeleton, pose) = skeleton_and_pose;
    let walk = WALKS.into_iter().find(|walk| faults.contains(walk));
    let swapped = faults.contains(&SkinningFault::OrderSwapped);
    if walk.is_none() && !swapped {
        return;
    }
    if let Some(walk) = walk {
        let before = skeleton.world_from_joint(&skeleton.rest_pose());
        for joint in skeleton.walk() {
            let local = pose.matrix(joint).unwrap_or_default();
            let parent = skeleton.joints().get(joint.index()).and_then(|one| one.parent);
            let world = match (parent, walk) {
                (None, _) | (_, SkinningFault::ParentLeftOut) => local,
                (Some(parent), SkinningFault::ChildFirst) => matrix_of(&before, parent) * local,
                (Some(parent), _) => local * matrix_of(world_from_joint, parent),
            };
            if let Some(to) = world_from_joint.get_mut(joint.index()) {
                *to = world;
            }
        }
    }
    let factors = world_from_joint.iter().zip(used_joint_from_bind);
    for (to, (&world, &inverse_bind)) in world_from_bind.iter_mut().zip(factors) {
        *to = if swapped { inverse_bind * world } else { world * inverse_bind };
    }
}

fn matrix_of(matrices: &[Mat4], joint: JointIndex) -> Mat4 {
    matrices.get(joint.index()).copied().unwrap_or_default()
}

/// Returns the last joint that vertices can follow, which excludes nodes above the joints.
pub(super) fn last_joint(rig: &Rig) -> usize {
    let roles = rig.joint_roles();
    roles.iter().rposition(|&role| role != JointRole::Helper).unwrap_or_default()
}

/// Changes the sent joint matrices by the faults in the palette.
pub(crate) fn put_wrong_palette(
    faults: &BTreeSet<SkinningFault>,
    rig: &Rig,
    matrices: &mut [Mat4],
) {
    if faults.contains(&SkinningFault::TranslationDropped) {
        for matrix in matrices.iter_mut() {
            matrix.w_axis = Vec4::W;
        }
    }
    if faults.contains(&SkinningFault::PaletteShort)
        && let Some(last) = matrices.get_mut(last_joint(rig))
    {
        *last = Mat4::ZERO;
    }
}

#[cfg(test)]
mod tests {
    use bindpose_lesson::known_faults;

    use super::*;
    use crate::setting::put_setting;

    fn put(state: &mut StepState, settings: &[Setting]) {
        for setting in settings {
            put_setting(state, setting, None).expect("it fits");
        }
    }

    #[test]
    fn faults_can_be_switched_on_and_off_beside_another() {
        let beside = FaultSwitch::new(FaultName::from_id("order-swapped").expect("there"));
        for fault in known_faults() {
            let switch = FaultSwitch::new(fault);
            let mut state = StepState::default();
            put(&mut state, &switch.needs);
            if fault != beside.fault {
                put(&mut state, &beside.switched(true, &StepState::default()));
            }
            let before = state.clone();
            assert!(!switch.is_on(&state), "{}", fault.id);
            let on = switch.switched(true, &state);
            put(&mut state, &on);
            assert!(switch.is_on(&state) && beside.is_on(&state), "{}", fault.id);
            let mut both = state.clone();
            let off = switch.switched(false, &state);
            put(&mut state, &off);
            assert_eq!(state, before, "{}", fault.id);
            let none = FaultSwitch::all_off(&[switch.clone(), beside.clone()], &both);
            put(&mut both, &none);
            assert!(!switch.is_on(&both) && !beside.is_on(&both), "{}", fault.id);
        }
    }
}
