//! A model that is compared with that of the page, in its pose.

use std::collections::HashMap;
use std::sync::Arc;

use bindpose_asset::Rig;
use bindpose_lesson::{Crowd, Lesson};
use bindpose_skin::{JointIndex, Pose, Skeleton, Trs};
use glam::{Mat3, Mat4, Quat, Vec3};

use super::joints::TakenLocal;
use super::{Derived, Document, SettingGroup, copy_settings};

/// The page with `rig` on the stage, which has its unit and axes, and its names for the
/// joints that are the same: they move from their rest pose as those of the page do, by
/// whatever moves them there. If `rig` has all clips that play, by their names, it plays
/// its own, and only what is done on top of the page’s comes from there.
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
    let taken = taken(
        (&derived.rig.skeleton, &page_before, &derived.joints.pose),
        (&rig.skeleton, &before),
    );
    let page = (&other, Some(lesson));
    let shown = Derived::with_taken_pose(page, rig, &taken, derived.long_work());
    (other, shown)
}

/// The page’s state as another rig can have it: parameters, clips and chosen joint by
/// their names, how the page looks and computes as it is. Edits of data belong to the
/// page’s own rig and stay with it.
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
    // Where it plays none of its own, the pose is the page’s.
    let same_clip = |index: Option<usize>| {
        let name = &from.clips.get(index.filter(|_| plays_own)?)?.name;
        to.clips.iter().position(|clip| clip.name == *name)
    };
    let playback = &mut other.state.playback;
    (playback.clip, playback.fade_to) = (same_clip(playback.clip), same_clip(playback.fade_to));
    other
}

/// The joint of that name on another rig; `None` when there is none.
pub fn same_joint(joint: JointIndex, from: &Rig, to: &Rig) -> Option<JointIndex> {
    let name = &from.skeleton.joints().get(joint.index())?.name;
    to.skeleton.find(name)
}

/// Does something play, and has the other rig all of it?
fn has_clips(document: &Document, of: &Rig, other: &Rig) -> bool {
    let playing = document.clips_at(of);
    let has = |index: usize| {
        let name = of.clips.get(index).map(|clip| &clip.name);
        let mut clips = other.clips.iter();
        name.is_some_and(|name| clips.any(|clip| clip.name == *name))
    };
    !playing.is_empty() && playing.iter().all(|at| has(at.clip))
}

/// What takes the other’s joints from the pose before as far as the page’s go. A joint
/// turns as its partner does in the world, is shifted against its parent as that one is,
/// and stretched along the same directions. What stands otherwise before stays apart by as
/// much.
fn taken(
    (page, page_before, page_now): (&Skeleton, &Pose, &Pose),
    (skeleton, before): (&Skeleton, &Pose),
) -> Vec<Option<TakenLocal>> {
    let page_turns = [page_before, page_now].map(|pose| world_rotations(page, pose));
    let turns_before = world_rotations(skeleton, before);
    let page_scales = scales(&page.world_from_joint(page_before));
    let scales = scales(&skeleton.world_from_joint(before));
    // Of the joints as they will be.
    let mut turns = turns_before.clone();
    let mut taken: Vec<Option<TakenLocal>> = vec![None; skeleton.len()];
    // Of several of one name, the first.
    let partners = page.joints().iter().zip(page.indices());
    let partners: Vec<_> = partners.collect();
    let partners = partners.into_iter().rev();
    let partners: HashMap<&str, JointIndex> =
        partners.map(|(of, joint)| (of.name.as_str(), joint)).collect();
    for joint in skeleton.walk() {
        let parent = skeleton.joints().get(joint.index()).and_then(|of| of.parent);
        let world_from_parent = at(&turns, parent);
        let Some(own) = before.parent_from_joint.get(joint.index()) else {
            continue;
        };
        let name = skeleton.joints().get(joint.index()).map(|of| of.name.as_str());
        let there = name.and_then(|name| partners.get(name)).and_then(|&there| {
            let was = *page_before.parent_from_joint.get(there.index())?;
            let is = *page_now.parent_from_joint.get(there.index())?;
            Some((there, was, is))
        });
        let Some((there, was, is)) = there else {
            put(&mut turns, joint, world_from_parent * own.rotation);
            continue;
        };
        let page_parent = page.joints().get(there.index()).and_then(|of| of.parent);
        let [page_turn_before, page_turn] = [0, 1].map(|pose: usize| {
            let turns = page_turns.get(pose).map_or(&[][..], Vec::as_slice);
            at(turns, Some(there))
        });
        let own_before = at(&turns_before, Some(joint));
        let world = (page_turn * page_turn_before.inverse() * own_before).normalize();
        put(&mut turns, joint, world);
        let page_parent_now = page_turns.get(1).map_or(&[][..], Vec::as_slice);
        // From the axes of one parent to those of the other.
        let across = world_from_parent.inverse() * at(page_parent_now, page_parent);
        let units = ratio(scale(&page_scales, page_parent), scale(&scales, parent));
        let own_axes = own_before.inverse() * page_turn_before;
        let factors = in_axes(
            own_axes,
            Vec3::from_array(std::array::from_fn(|axis| ratio(is.scale[axis], was.scale[axis]))),
        );
        let stretch = |pose: &Pose| pose.stretch_in_parent.get(&there).copied();
        let stretch_in_parent = if stretch(page_now) == stretch(page_before) {
            before.stretch_in_parent.get(&joint).copied()
        } else {
            let across = Mat3::from_quat(across);
            stretch(page_now).map(|stretch| across * stretch * across.transpose())
        };
        if let Some(taken) = taken.get_mut(joint.index()) {
            *taken = Some(TakenLocal {
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

/// Products of local rotations alone, by joint.
fn world_rotations(skeleton: &Skeleton, pose: &Pose) -> Vec<Quat> {
    let mut turns = vec![Quat::IDENTITY; skeleton.len()];
    for joint in skeleton.walk() {
        let parent = skeleton.joints().get(joint.index()).and_then(|of| of.parent);
        let local = pose.parent_from_joint.get(joint.index());
        let local = local.map_or(Quat::IDENTITY, |local| local.rotation);
        let world = (at(&turns, parent) * local).normalize();
        put(&mut turns, joint, world);
    }
    turns
}

fn at(turns: &[Quat], joint: Option<JointIndex>) -> Quat {
    let turn = joint.and_then(|joint| turns.get(joint.index()));
    turn.copied().unwrap_or_default()
}

fn put(turns: &mut [Quat], joint: JointIndex, turn: Quat) {
    if let Some(there) = turns.get_mut(joint.index()) {
        *there = turn;
    }
}

/// How long what is 1 in a joint is in the world, on average of its axes.
fn scales(world_from_joint: &[Mat4]) -> Vec<f32> {
    let scale = |matrix: &Mat4| matrix.determinant().abs().cbrt();
    world_from_joint.iter().map(scale).collect()
}

fn scale(scales: &[f32], joint: Option<JointIndex>) -> f32 {
    let scale = joint.and_then(|joint| scales.get(joint.index()));
    scale.copied().unwrap_or(1.0)
}

/// 1 where there is no such number.
fn ratio(of: f32, to: f32) -> f32 {
    let ratio = of / to;
    if ratio.is_finite() && (ratio != 0.0 || of == 0.0) { ratio } else { 1.0 }
}

/// Factors along axes that are turned into others.
fn in_axes(turn: Quat, factors: Vec3) -> Vec3 {
    let turn = Mat3::from_quat(turn);
    let along = |axis: usize| {
        let row = turn.row(axis);
        (row * row).dot(factors)
    };
    Vec3::new(along(0), along(1), along(2))
}

#[cfg(test)]
mod tests {
    use bindpose_asset::{TaskProgress, builtin};
    use bindpose_lesson::{LessonSet, Rewriting, Setting};

    use super::*;
    use crate::model_difference::{OtherModel, comparing};
    use crate::posing::JointMove;
    use crate::{Edit, TIME, apply, step_document};

    /// The lesson’s first step on a rig, with some things done to it.
    fn page(
        lesson: &Lesson,
        rig: &Arc<Rig>,
        change: impl FnOnce(&mut Document),
    ) -> (Document, Derived) {
        let mut document = step_document(lesson, 0, Some(rig));
        change(&mut document);
        let influences = Derived::edited_influences(&document, rig);
        let derived = Derived::new(&document, Some(lesson), rig, influences);
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
        document.state.params.insert(TIME.to_owned(), 0.37);
    }

    #[test]
    fn the_same_model_moved_by_hand_is_in_the_same_place() {
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
    fn a_model_written_in_another_unit_and_other_axes_is_in_the_same_place() {
        let rig = builtin("whale").unwrap();
        let changes =
            [Rewriting::Centimetres, Rewriting::ZUp, Rewriting::OtherNames, Rewriting::MovedMesh];
        let other = OtherModel::Written(changes.into());
        let found = comparing(Arc::clone(&rig), other, &TaskProgress::default()).finish();
        let beside = found.expect("nobody stops it").b_beside_a;
        let lesson = plain();
        let page = page(&lesson, &rig, |document| {
            moved(document, 0);
            moved(document, 2);
            document.state.params.insert("nod".to_owned(), 0.6);
        });
        let (_, other) = in_pose_of_page((&page.0, &page.1), &lesson, &beside);
        let all = page.1.positions().iter().zip(other.positions().iter());
        for (vertex, (ours, theirs)) in all.enumerate() {
            assert!(ours.distance(*theirs) < 5e-3, "v{vertex}: {ours} {theirs}");
        }
    }

    #[test]
    fn a_model_without_the_clip_goes_where_the_clip_takes_the_page() {
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
    fn what_a_program_does_is_done_once() {
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
        // And so is what parameters do on top of it.
        let mut document = page.0.clone();
        let edit = Edit::set(Setting::Param("all".to_owned(), 0.3));
        apply(&mut document, &edit, &lesson, &rig).unwrap();
        assert_same(&(document.clone(), page.1.of_other(&document, Some(&lesson))), &lesson, &rig);
    }

    #[test]
    fn a_joint_that_stands_elsewhere_at_rest_moves_as_far_and_stays_apart() {
        let rig = builtin("arm").unwrap();
        let mut joints = rig.skeleton.joints().to_vec();
        joints[1].parent_from_joint_at_rest.translation += Vec3::Y;
        // Its own axes are others: what it is shifted by is in those of its parent.
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
    fn another_skeleton_takes_what_it_knows_by_name_and_nothing_else() {
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
