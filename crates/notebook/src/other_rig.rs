//! The page on another rig, for a picture that shows one: what of the page's state
//! another rig can have, in the pose that it takes over.

use std::sync::Arc;

use bindpose_asset::Rig;
use bindpose_lesson::{Crowd, Lesson, Retarget};
use bindpose_skin::{JointIndex, Skeleton};
use glam::{Mat4, Quat};

use super::joints::TakenPose;
use super::{Derived, Document, SettingGroup, copy_settings};

/// The page's state with `rig` on the stage, and what follows from it: parameters, clip
/// and chosen joint by their names, how the page looks and computes as it is. Edits of
/// data belong to the page's own rig and stay with it.
pub fn on_other_rig(
    (document, derived): (&Document, &Derived),
    lesson: &Lesson,
    rig: &Arc<Rig>,
    retarget: Retarget,
) -> (Document, Derived) {
    let other = document_on(document, &derived.rig, rig, retarget);
    let taken = taken_rotations(derived, rig, retarget);
    let shown = Derived::with_taken_pose((&other, Some(lesson)), rig, &taken, derived.long_work());
    (other, shown)
}

/// The page’s state as another rig can have it.
pub(super) fn document_on(
    document: &Document,
    from: &Rig,
    to: &Rig,
    retarget: Retarget,
) -> Document {
    let mut other =
        Document { lesson: document.lesson.clone(), step: document.step, ..Document::default() };
    let kept = [SettingGroup::Display, SettingGroup::Computation];
    copy_settings(&mut other.state, &document.state, &kept);
    other.state.crowd = Crowd::default();
    other.state.params.clone_from(&document.state.params);
    other.state.joint = same_joint(document.state.joint, from, to).unwrap_or_default();
    let through = document.state.through;
    other.state.through = through.and_then(|joint| same_joint(joint, from, to));
    other.state.playback.clone_from(&document.state.playback);
    let same_clip = |index: Option<usize>| {
        let name = &from.clips.get(index?)?.name;
        to.clips.iter().position(|clip| clip.name == *name)
    };
    let playback = &mut other.state.playback;
    (playback.clip, playback.fade_to) = match retarget {
        Retarget::Parameters => (same_clip(playback.clip), same_clip(playback.fade_to)),
        // The pose is the page's.
        Retarget::Rotations | Retarget::FromRest => (None, None),
    };
    other
}

/// The joint of that name on another rig; `None` when there is none.
pub fn same_joint(joint: JointIndex, from: &Rig, to: &Rig) -> Option<JointIndex> {
    let name = &from.skeleton.joints().get(joint.index())?.name;
    to.skeleton.find(name)
}

/// What the joints of `rig` take over from those of the same name on the page.
fn taken_rotations(page: &Derived, rig: &Rig, retarget: Retarget) -> TakenPose {
    let page_rig = &page.rig.skeleton;
    let theirs = |joint: JointIndex| page_rig.find(&rig.skeleton.joints()[joint.index()].name);
    match retarget {
        Retarget::Parameters => TakenPose::Nothing,
        Retarget::Rotations => {
            let joints = rig.skeleton.indices();
            let local = |theirs: JointIndex| page.pose.parent_from_joint.get(theirs.index());
            let taken = joints.map(|joint| Some(local(theirs(joint)?)?.rotation));
            TakenPose::Rotations(taken.collect())
        }
        Retarget::FromRest => TakenPose::Rotations(from_rest(page, &rig.skeleton, theirs)),
    }
}

/// Each joint turns from its own rest pose as the one on the page does from its:
/// `world_from_posed = turn · world_from_rest` with
/// `turn = world_from_posed' · (world_from_rest')⁻¹`, rotations alone. What stands
/// otherwise at rest, such as arms that hang instead of reaching out, stays apart by
/// as much.
fn from_rest(
    page: &Derived,
    skeleton: &Skeleton,
    theirs: impl Fn(JointIndex) -> Option<JointIndex>,
) -> Vec<Option<Quat>> {
    let page_rig = &page.rig.skeleton;
    let page_at_rest = rotations(&page_rig.world_from_joint(&page_rig.rest_pose()));
    let page_posed = rotations(&page_rig.world_from_joint(&page.pose));
    let at_rest = rotations(&skeleton.world_from_joint(&skeleton.rest_pose()));
    let mut world_from_joint = vec![Quat::IDENTITY; skeleton.len()];
    let mut taken = vec![None; skeleton.len()];
    for joint in skeleton.walk() {
        let index = joint.index();
        let own = &skeleton.joints()[index];
        let parent = own.parent.map(|parent| world_from_joint[parent.index()]);
        let world_from_parent = parent.unwrap_or(Quat::IDENTITY);
        world_from_joint[index] = match theirs(joint).map(JointIndex::index) {
            Some(their) => {
                let turn = page_posed[their] * page_at_rest[their].inverse();
                let world = (turn * at_rest[index]).normalize();
                taken[index] = Some((world_from_parent.inverse() * world).normalize());
                world
            }
            None => world_from_parent * own.parent_from_joint_at_rest.rotation,
        };
    }
    taken
}

/// Of matrices without shear.
fn rotations(matrices: &[Mat4]) -> Vec<Quat> {
    let rotation = |matrix: &Mat4| matrix.to_scale_rotation_translation().1;
    matrices.iter().map(rotation).collect()
}

#[cfg(test)]
mod tests {
    use bindpose_asset::builtin;
    use glam::Vec3;

    use super::*;

    fn page(params: &[(&str, f64)]) -> (Document, Derived) {
        let rig = builtin("arm").unwrap();
        let mut document = Document::default();
        for (name, value) in params {
            document.state.params.insert((*name).to_owned(), *value);
        }
        let influences = Derived::edited_influences(&document, &rig);
        let derived = Derived::new(&document, None, &rig, influences);
        (document, derived)
    }

    /// The arm with its second joint bent by `rest_rad` at rest, about z.
    fn bent_at_rest(rest_rad: f32) -> Arc<Rig> {
        let mut rig = (*builtin("arm").unwrap()).clone();
        let mut joints = rig.skeleton.joints().to_vec();
        let turn = Quat::from_rotation_z(rest_rad);
        joints[1].parent_from_joint_at_rest = joints[1].parent_from_joint_at_rest.turned(turn);
        rig.skeleton = Skeleton::new(joints).unwrap();
        rig.id = "bent".to_owned();
        Arc::new(rig)
    }

    fn on(page: &(Document, Derived), rig: &Arc<Rig>, retarget: Retarget) -> Derived {
        on_other_rig((&page.0, &page.1), &Lesson::default(), rig, retarget).1
    }

    fn turned_by(derived: &Derived, joint: usize) -> Quat {
        derived.world_from_joint[joint].to_scale_rotation_translation().1
    }

    #[test]
    fn on_a_rig_of_the_same_rest_all_ways_give_the_same_pose() {
        let page = page(&[("bend", 0.7)]);
        let arm = builtin("arm").unwrap();
        for retarget in [Retarget::Parameters, Retarget::Rotations, Retarget::FromRest] {
            let other = on(&page, &arm, retarget);
            for (ours, theirs) in other.world_from_joint.iter().zip(&page.1.world_from_joint) {
                assert!(ours.abs_diff_eq(*theirs, 1e-5), "{retarget:?}");
            }
        }
    }

    #[test]
    fn copied_rotations_lose_the_rest_and_turns_from_rest_keep_it() {
        let page = page(&[]);
        let rig = bent_at_rest(0.5);
        let copied = on(&page, &rig, Retarget::Rotations);
        assert!(turned_by(&copied, 1).angle_between(turned_by(&page.1, 1)) < 1e-3);
        let kept = on(&page, &rig, Retarget::FromRest);
        let at_rest = rig.skeleton.world_from_joint(&rig.skeleton.rest_pose());
        assert!(kept.world_from_joint[1].abs_diff_eq(at_rest[1], 1e-5));
    }

    #[test]
    fn a_turn_from_rest_is_the_same_turn_in_world_space() {
        let still = page(&[]);
        let bent = page(&[("bend", 0.9)]);
        let rig = bent_at_rest(0.5);
        for joint in 0..rig.skeleton.len() {
            let page_turn = turned_by(&bent.1, joint) * turned_by(&still.1, joint).inverse();
            let before = turned_by(&on(&still, &rig, Retarget::FromRest), joint);
            let after = turned_by(&on(&bent, &rig, Retarget::FromRest), joint);
            let turn = after * before.inverse();
            let apart = (turn * Vec3::X - page_turn * Vec3::X).length();
            assert!(apart < 1e-4, "joint {joint}: {apart}");
        }
    }

    #[test]
    fn another_skeleton_takes_what_it_knows_by_name_and_nothing_else() {
        let mut page = page(&[("bend", 0.7)]);
        page.0.state.vertex = 40;
        page.0.state.joint = JointIndex(1);
        let edit = crate::document::InverseBindEdit(Mat4::ZERO.to_cols_array());
        page.0.state.inverse_binds.insert(JointIndex(0), edit);
        let whale = builtin("whale").unwrap();
        let (document, derived) =
            on_other_rig((&page.0, &page.1), &Lesson::default(), &whale, Retarget::FromRest);
        assert_eq!((document.state.vertex, document.state.joint), (0, JointIndex(0)));
        assert!(document.state.inverse_binds.is_empty());
        let rest = whale.skeleton.world_from_joint(&whale.skeleton.rest_pose());
        for (ours, rest) in derived.world_from_joint.iter().zip(&rest) {
            assert!(ours.abs_diff_eq(*rest, 1e-5), "no joint has a name in common");
        }
    }
}
