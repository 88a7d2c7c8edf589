//! What goes wrong while the joints' matrices are computed and handed over.

use std::collections::BTreeSet;

use bindpose_asset::{ParamKind, Rig};
use bindpose_lesson::SkinningFault;
use bindpose_skin::{JointIndex, Pose, Skeleton};
use glam::{Mat4, Vec4};

use crate::{Document, TIME};

/// The document whose pose the palette shows, where that is another one than its own.
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
    earlier.state.params.insert(TIME.to_owned(), secs.max(0.0));
    Some(earlier)
}

/// The value of a parameter as it is used: degrees where radians are due.
pub(crate) fn turned_too_far(
    faults: &BTreeSet<SkinningFault>,
    rig: &Rig,
    name: &str,
    value: f64,
) -> f64 {
    let turns =
        |kind: &ParamKind| matches!(kind, ParamKind::Angle { .. } | ParamKind::Angles { .. });
    let is_wrong = faults.contains(&SkinningFault::DegreesAsRadians)
        && rig.param(name).is_some_and(|param| turns(&param.kind));
    if is_wrong { value.to_degrees() } else { value }
}

/// Puts world and joint matrices as they come out of a wrong walk or product; of
/// faults elsewhere, nothing is changed.
pub(crate) fn put_wrong_matrices(
    faults: &BTreeSet<SkinningFault>,
    (skeleton, pose): (&Skeleton, &Pose),
    used_joint_from_bind: &[Mat4],
    world_from_joint: &mut [Mat4],
    world_from_bind: &mut [Mat4],
) {
    const WALKS: [SkinningFault; 3] =
        [SkinningFault::ParentLeftOut, SkinningFault::ParentOnTheRight, SkinningFault::ChildFirst];
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
                (Some(parent), SkinningFault::ChildFirst) => of(&before, parent) * local,
                (Some(parent), _) => local * of(world_from_joint, parent),
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

fn of(matrices: &[Mat4], joint: JointIndex) -> Mat4 {
    matrices.get(joint.index()).copied().unwrap_or_default()
}

/// Puts joint matrices as they are sent.
pub(crate) fn put_wrong_palette(faults: &BTreeSet<SkinningFault>, matrices: &mut [Mat4]) {
    if faults.contains(&SkinningFault::TranslationDropped) {
        for matrix in matrices.iter_mut() {
            matrix.w_axis = Vec4::W;
        }
    }
    if faults.contains(&SkinningFault::PaletteShort)
        && let Some(last) = matrices.last_mut()
    {
        *last = Mat4::ZERO;
    }
}
