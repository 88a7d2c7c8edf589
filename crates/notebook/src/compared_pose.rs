//! Posing a model that is compared with the page's model.

use std::collections::HashMap;
use std::sync::Arc;

use bindpose_gltf::Rig;
use bindpose_lesson::{Crowd, Lesson};
use bindpose_skin::{JointIndex, Pose, Skeleton, Trs};
use glam::{Mat3, Mat4, Quat, Vec3};

use super::joints::TakenTransform;
use super::{Derived, Document, SettingGroup, copy_settings};

/// Shows the page with another `rig` that has the page's units, axes and joint
/// names.
///
/// Joints of the same name move from their rest pose as those of the page do,
/// whatever moves them there. If `rig` has all clips that play, by name, it
/// plays its own clips, and only the motion on top of them is taken from the
/// page.
pub fn in_pose_of_page(
    (document, derived): (&Document, &Derived),
    lesson: &Lesson,
    rig: &Arc<Rig>,
) -> (Document, Derived) {
    let plays_own = has_clips(document, &derived.rig, rig);
    let page_clips = if plays_own { document.clips_at(&derived.rig) } else { Vec::new() };
    let other = document_on(document, &derived.rig, rig, plays_own);
    let between = document.state.playback.between;
    let page_before = derived.rig.posed_by(between, &page_clips, |_| None).pose;
    let before = rig.posed_by(between, &other.clips_at(rig), |_| None).pose;
    let taken = take_pose(
        &derived.rig.skeleton,
        &page_before,
        &derived.joints.pose,
        &rig.skeleton,
        &before,
    );
    let shown = Derived::with_taken_pose(&other, Some(lesson), rig, &taken, derived.long_work());
    (other, shown)
}

/// Transfers the page's state to another rig: parameters, clips and the
/// selected joint by name, display and computation settings unchanged. Edits of
/// data belong to the page's own rig and are dropped.
fn document_on(document: &Document, from: &Rig, to: &Rig, plays_own: bool) -> Document {
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
    // If it does not play its own clips, the pose is taken from the page.
    let same_clip = |index: Option<usize>| {
        let name = &from.clips.get(index.filter(|_| plays_own)?)?.name;
        to.clips.iter().position(|clip| clip.name == *name)
    };
    let playback = &mut other.state.playback;
    playback.clip = same_clip(playback.clip);
    playback.fade_to = same_clip(playback.fade_to);
    other
}

/// Returns the joint of the same name on another rig. Returns `None` if there
/// is none.
pub fn same_joint(joint: JointIndex, from: &Rig, to: &Rig) -> Option<JointIndex> {
    let name = &from.skeleton.joints().get(joint.index())?.name;
    to.skeleton.find(name)
}

/// Returns true if clips play and the other rig has all of them, by name.
fn has_clips(document: &Document, of: &Rig, other: &Rig) -> bool {
    let playing = document.clips_at(of);
    !playing.is_empty()
        && playing.iter().all(|playing| {
            of.clips
                .get(playing.clip)
                .is_some_and(|clip| other.clips.iter().any(|other| other.name == clip.name))
        })
}

/// Computes local transforms that move the joints of `skeleton` from the pose
/// `before` as far as the page's joints moved from `page_before` to `page_now`.
///
/// A joint rotates as its partner does in the world, translates as it does
/// relative to its parent and stretches along the same directions. Differences
/// between the two poses before are kept.
fn take_pose(
    page: &Skeleton,
    page_before: &Pose,
    page_now: &Pose,
    skeleton: &Skeleton,
    before: &Pose,
) -> Vec<Option<TakenTransform>> {
    let page_turns_before = world_rotations(page, page_before);
    let page_turns_now = world_rotations(page, page_now);
    let turns_before = world_rotations(skeleton, before);
    let page_scales = world_scales(&page.world_from_joint(page_before));
    let scales = world_scales(&skeleton.world_from_joint(before));
    // World rotations of the resulting pose.
    let mut turns = turns_before.clone();
    let mut taken: Vec<Option<TakenTransform>> = vec![None; skeleton.len()];
    let mut partners: HashMap<&str, JointIndex> = HashMap::new();
    for (joint, index) in page.joints().iter().zip(page.indices()) {
        // If several joints share a name, the first one counts.
        partners.entry(joint.name.as_str()).or_insert(index);
    }
    for joint in skeleton.walk() {
        let parent = skeleton.joints().get(joint.index()).and_then(|joint| joint.parent);
        let world_from_parent = rotation_at(&turns, parent);
        let Some(own) = before.parent_from_joint.get(joint.index()) else {
            continue;
        };
        let name = skeleton.joints().get(joint.index()).map(|joint| joint.name.as_str());
        let partner = name.and_then(|name| partners.get(name)).and_then(|&partner| {
            let was = *page_before.parent_from_joint.get(partner.index())?;
            let is = *page_now.parent_from_joint.get(partner.index())?;
            Some((partner, was, is))
        });
        let Some((partner, was, is)) = partner else {
            set_rotation(&mut turns, joint, world_from_parent * own.rotation);
            continue;
        };
        let page_parent = page.joints().get(partner.index()).and_then(|joint| joint.parent);
        let page_turn_before = rotation_at(&page_turns_before, Some(partner));
        let page_turn = rotation_at(&page_turns_now, Some(partner));
        let own_before = rotation_at(&turns_before, Some(joint));
        let world = (page_turn * page_turn_before.inverse() * own_before).normalize();
        set_rotation(&mut turns, joint, world);
        // From the axes of the page's parent joint to those of this one.
        let across = world_from_parent.inverse() * rotation_at(&page_turns_now, page_parent);
        let units = ratio(scale_at(&page_scales, page_parent), scale_at(&scales, parent));
        let own_axes = own_before.inverse() * page_turn_before;
        let factors = rotate_scale(
            own_axes,
            Vec3::from_array(std::array::from_fn(|axis| ratio(is.scale[axis], was.scale[axis]))),
        );
        let stretch = |pose: &Pose| pose.stretch_in_parent.get(&partner).copied();
        let stretch_in_parent = if stretch(page_now) == stretch(page_before) {
            before.stretch_in_parent.get(&joint).copied()
        } else {
            let across = Mat3::from_quat(across);
            stretch(page_now).map(|stretch| across * stretch * across.transpose())
        };
        if let Some(taken) = taken.get_mut(joint.index()) {
            *taken = Some(TakenTransform {
                parent_from_joint: Trs {
                    translation: own.translation
                        + units * (across * (is.translation - was.translation)),
                    rotation: (world_from_parent.inverse() * world).normalize(),
                    scale: own.scale * factors,
                },
                stretch_in_parent,
            });
        }
    }
    taken
}

/// Returns the world rotation of each joint, ignoring scale.
fn world_rotations(skeleton: &Skeleton, pose: &Pose) -> Vec<Quat> {
    let mut turns = vec![Quat::IDENTITY; skeleton.len()];
    for joint in skeleton.walk() {
        let parent = skeleton.joints().get(joint.index()).and_then(|joint| joint.parent);
        let local = pose
            .parent_from_joint
            .get(joint.index())
            .map_or(Quat::IDENTITY, |local| local.rotation);
        let world = (rotation_at(&turns, parent) * local).normalize();
        set_rotation(&mut turns, joint, world);
    }
    turns
}

fn rotation_at(turns: &[Quat], joint: Option<JointIndex>) -> Quat {
    let turn = joint.and_then(|joint| turns.get(joint.index()));
    turn.copied().unwrap_or_default()
}

fn set_rotation(turns: &mut [Quat], joint: JointIndex, turn: Quat) {
    if let Some(there) = turns.get_mut(joint.index()) {
        *there = turn;
    }
}

/// Returns the world scale of each joint, averaged over its axes.
fn world_scales(world_from_joint: &[Mat4]) -> Vec<f32> {
    world_from_joint.iter().map(|matrix| matrix.determinant().abs().cbrt()).collect()
}

fn scale_at(scales: &[f32], joint: Option<JointIndex>) -> f32 {
    let scale = joint.and_then(|joint| scales.get(joint.index()));
    scale.copied().unwrap_or(1.0)
}

/// Returns `of / to`, or 1 if the quotient is not usable as a scale.
fn ratio(of: f32, to: f32) -> f32 {
    let ratio = of / to;
    if ratio.is_finite() && (ratio != 0.0 || of == 0.0) { ratio } else { 1.0 }
}

/// Transforms scale factors along one set of axes to factors along rotated axes.
fn rotate_scale(rotation: Quat, factors: Vec3) -> Vec3 {
    let rotation = Mat3::from_quat(rotation);
    Vec3::from_array(std::array::from_fn(|axis| {
        let row = rotation.row(axis);
        (row * row).dot(factors)
    }))
}

#[cfg(test)]
mod tests {
    use bindpose_lesson::{LessonSet, Setting};
    use bindpose_rigs::builtin;

    use super::*;
    use crate::posing::JointMove;
    use crate::{Edit, TIME_PARAM, apply, step_document};

    /// The lesson’s first step on a rig, after `change`.
    fn page(
        lesson: &Lesson,
        rig: &Arc<Rig>,
        change: impl FnOnce(&mut Document),
    ) -> (Document, Derived) {
        let mut document = step_document(lesson, 0, Some(rig));
        change(&mut document);
        let derived = Derived::of_document(&document, Some(lesson), rig);
        (document, derived)
    }

    fn plain() -> Lesson {
        Lesson::default()
    }

    fn moved(document: &mut Document, joint: u16) {
        let by = JointMove {
            rotation: Quat::from_rotation_y(0.4),
            translation: Vec3::new(0.3, -0.2, 0.5),
        };
        document.state.joint_moves.insert(JointIndex(joint), by);
    }

    #[track_caller]
    fn assert_same(page: &(Document, Derived), lesson: &Lesson, rig: &Arc<Rig>) {
        let (_, other) = in_pose_of_page((&page.0, &page.1), lesson, rig);
        let ours = page.1.joints.world_from_joint.iter();
        for (joint, (ours, theirs)) in ours.zip(&other.joints.world_from_joint).enumerate() {
            assert!(ours.abs_diff_eq(*theirs, 1e-4), "joint {joint}: {ours} {theirs}");
        }
        assert_eq!(page.1.joints.world_from_joint.len(), other.joints.world_from_joint.len());
    }

    fn plays(document: &mut Document, rig: &Rig) {
        document.state.playback.clip = (!rig.clips.is_empty()).then_some(0);
        document.state.params.insert(TIME_PARAM.to_owned(), 0.37);
    }

    #[test]
    fn same_model_moved_by_hand_has_same_pose() {
        for id in ["arm", "whale", "ball"] {
            let rig = builtin(id).unwrap();
            let last = (rig.skeleton.len() - 1) as u16;
            let lesson = plain();
            for clip in [false, true] {
                let page = page(&lesson, &rig, |document| {
                    if clip {
                        plays(document, &rig);
                    }
                    moved(document, 0);
                    moved(document, last);
                    for param in ["squash", "bend", "nod"] {
                        document.state.params.insert(param.to_owned(), 0.6);
                    }
                });
                assert_same(&page, &lesson, &rig);
            }
        }
    }

    #[test]
    fn model_without_the_clip_follows_the_page() {
        let rig = builtin("ball").unwrap();
        let silent = Arc::new(Rig { clips: Vec::new(), ..(*rig).clone() });
        let lesson = plain();
        let page = page(&lesson, &rig, |document| {
            plays(document, &rig);
            moved(document, 0);
        });
        let rest = rig.skeleton.world_from_joint(&rig.skeleton.rest_pose());
        let root = page.1.joints.world_from_joint[0].w_axis;
        assert!(root.distance(rest[0].w_axis) > 0.1, "the root goes away");
        assert_same(&page, &lesson, &silent);
    }

    #[test]
    fn program_is_applied_once() {
        let program = "rotate_z(b1, 0.5)\nm = local(b2)\nset_local(b2, translate(0, 1, 2) * m)";
        let text = format!(
            "+++\ntitle = \"t\"\nminutes = 5\nrig = \"bone_grid\"\n+++\n## One\n```pose mover\n\
             program = \"\"\"\n{program}\n\"\"\"\n```\n"
        );
        let set = LessonSet::from_memory(&[("10-one", &text, "notes")], "");
        let lesson = set.lessons.into_iter().next().unwrap();
        let rig = builtin("bone_grid").unwrap();
        let page = page(&lesson, &rig, |document| moved(document, 0));
        let run = page.1.joints.program_run.as_ref().expect("a program");
        assert_eq!(run.error, None);
        assert_same(&page, &lesson, &rig);
        // The same holds for parameters on top of the program.
        let mut document = page.0.clone();
        let edit = Edit::set(Setting::Param("all".to_owned(), 0.3));
        apply(&mut document, &edit, &lesson, &rig).unwrap();
        assert_same(&(document.clone(), page.1.of_other(&document, Some(&lesson))), &lesson, &rig);
    }

    #[test]
    fn joint_with_other_rest_pose_keeps_its_offset() {
        let rig = builtin("arm").unwrap();
        let mut joints = rig.skeleton.joints().to_vec();
        joints[1].parent_from_joint_at_rest.translation += Vec3::Y;
        // Its axes differ too: translation is in the axes of the parent.
        let turn = Quat::from_rotation_z(0.5);
        joints[0].parent_from_joint_at_rest = joints[0].parent_from_joint_at_rest.turned(turn);
        let other = Arc::new(Rig { skeleton: Skeleton::new(joints).unwrap(), ..(*rig).clone() });
        let lesson = plain();
        let still = page(&lesson, &rig, |_| {});
        let shifted = page(&lesson, &rig, |document| {
            let by = JointMove { translation: Vec3::new(0.0, 0.0, 0.7), ..JointMove::default() };
            document.state.joint_moves.insert(JointIndex(1), by);
        });
        let place = |page: &(Document, Derived)| {
            let (_, other) = in_pose_of_page((&page.0, &page.1), &lesson, &other);
            other.joints.world_from_joint[1].w_axis.truncate()
        };
        let by = place(&shifted) - place(&still);
        let page_by = shifted.1.joints.world_from_joint[1] - still.1.joints.world_from_joint[1];
        assert!(by.distance(page_by.w_axis.truncate()) < 1e-5, "{by}");
        let at_rest = other.skeleton.world_from_joint(&other.skeleton.rest_pose());
        assert!(place(&still).distance(at_rest[1].w_axis.truncate()) < 1e-5);
    }

    #[test]
    fn only_joints_of_the_same_name_are_posed() {
        let lesson = plain();
        let page = page(&lesson, &builtin("arm").unwrap(), |document| {
            document.state.vertex = 40;
            document.state.joint = JointIndex(1);
            let edit = crate::document::InverseBindEdit(Mat4::ZERO.to_cols_array());
            document.state.inverse_binds.insert(JointIndex(0), edit);
        });
        let whale = builtin("whale").unwrap();
        let (document, derived) = in_pose_of_page((&page.0, &page.1), &lesson, &whale);
        assert_eq!((document.state.vertex, document.state.joint), (0, JointIndex(0)));
        assert!(document.state.inverse_binds.is_empty());
        let rest = whale.skeleton.world_from_joint(&whale.skeleton.rest_pose());
        for (ours, rest) in derived.joints.world_from_joint.iter().zip(&rest) {
            assert!(ours.abs_diff_eq(*rest, 1e-5), "no joint has a name in common");
        }
    }
}
