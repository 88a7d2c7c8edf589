//! Posing in the viewport: interpretation of drags of a joint, and changes of
//! the document. Takes frames and rays and returns settings, independent of
//! egui and of the mesh's size.
//!
//! # Design
//!
//! A ring is a circle in the parent’s frame, and angles are measured there, so
//! that the joint stays under the pointer under mirrored and unevenly scaled
//! parents (`axes.rs`). A drag is relative to the joint's state at its start
//! (`held_joint.rs`). It changes the parameter with the same axis, or
//! `StepState::joint_moves`, which `joints.rs` applies after clips and
//! parameters and before a program. `two_bone.rs` and `chain_reach.rs` solve
//! inverse kinematics. `page/cells/viewport/gizmo/` only projects, picks and
//! paints, and keeps the camera fixed during a drag.

mod axes;
mod chain_reach;
mod held_joint;
mod mirror;
mod saved;
mod two_bone;

use bindpose_asset::Rig;
use bindpose_lesson::Lesson;

use crate::Document;
use saved::is_posing;

pub use axes::{AxisError, MoveAxis, TurnAxis};
pub use chain_reach::ChainReach;
pub use held_joint::HeldJoint;
pub use mirror::partners;
pub use saved::{JointMove, MOST_NAME_CHARS, MOST_POSES, SavedPose, is_pose_name, poses_json};
pub use two_bone::{ReachError, ReachResult, TwoBones};

/// The pose of a page: parameters that differ from their defaults, and what is done by
/// hand.
pub fn pose_of(document: &Document, rig: &Rig) -> SavedPose {
    let posing = rig.params.iter().filter(|param| is_posing(&param.kind));
    let values = posing.filter_map(|param| {
        let value = document.state.params.get(&param.name)?;
        Some((param.name.clone(), *value))
    });
    SavedPose { params: values.collect(), moves: document.state.joint_moves.clone() }
}

/// Puts the page into a pose; what a formula of the lesson drives stays.
pub(crate) fn put_pose(pose: &SavedPose, document: &mut Document, lesson: &Lesson, rig: &Rig) {
    let posing = rig.params.iter().filter(|param| is_posing(&param.kind));
    for param in posing.filter(|param| lesson.drive_of(&param.name).is_none()) {
        let params = &mut document.state.params;
        match pose.params.get(&param.name) {
            Some(&value) if value != param.default => {
                params.insert(param.name.clone(), value);
            }
            _ => drop(params.remove(&param.name)),
        }
    }
    document.state.joint_moves.clone_from(&pose.moves);
}

#[cfg(test)]
mod tests {
    use bindpose_asset::builtin;

    use super::saved::pose_for_tests as pose;
    use super::*;
    use crate::{Cameras, Edit, apply, link, test_sample};

    #[test]
    fn a_page_is_put_into_a_pose_and_has_it_then() {
        let rig = builtin("bone_grid").unwrap();
        let saved = pose(&[("b0", 0.5), ("b2", -1.25)], 0.3);
        let (mut document, lesson) = (Document::default(), Lesson::default());
        document.state.params.insert("b1".to_owned(), 0.7);
        put_pose(&saved, &mut document, &lesson, &rig);
        assert_eq!(pose_of(&document, &rig), saved);
        put_pose(&SavedPose::default(), &mut document, &lesson, &rig);
        assert_eq!(document, Document::default());
    }

    #[test]
    fn a_link_holds_the_poses_and_what_is_done_by_hand() {
        let (lesson, rig) = (test_sample::lesson(), test_sample::rig());
        let mut document = crate::step_document(&lesson, 0, Some(&rig));
        let begin = document.clone();
        let saved = Box::new(pose(&[("nod", 0.5)], 0.2));
        for edit in
            [Edit::SavePose("a pose, & more".to_owned(), saved.clone()), Edit::PutPose(saved)]
        {
            apply(&mut document, &edit, &lesson, &rig).unwrap();
        }
        let link = link::write(&document, &Cameras::new(), &lesson, &rig);
        let address = link::address(&link).unwrap();
        let mut again = begin;
        let mut cameras = Cameras::new();
        link::read(&address.values, &mut again, &mut cameras, &lesson, &rig).unwrap();
        assert_eq!(again, document, "{link}");
    }

    #[test]
    fn poses_are_kept_by_name_undone_by_value_and_refused_where_they_make_no_sense() {
        let rig = builtin("bone_grid").unwrap();
        let (mut document, lesson) = (Document::default(), Lesson::default());
        let mut put = |edit: Edit| apply(&mut document, &edit, &lesson, &rig).is_ok();
        let saved = Box::new(pose(&[("b0", 0.5)], 0.2));
        assert!(put(Edit::SavePose("wave".to_owned(), saved.clone())));
        assert!(put(Edit::PutPose(saved.clone())));
        for name in ["", " x", "a\nb", &"x".repeat(41)] {
            assert!(!put(Edit::SavePose(name.to_owned(), saved.clone())), "{name:?}");
        }
        assert!(put(Edit::ForgetPose("other".to_owned())));
        assert_eq!(document.state.poses.len(), 1);
        assert_eq!(document.state.poses["wave"], *saved);
        assert_eq!(document.state.params["b0"], 0.5);
        let mut absurd = (*saved).clone();
        absurd.params.insert("b9".to_owned(), 1.0);
        absurd.params.insert("b1".to_owned(), f64::NAN);
        assert_eq!(absurd.fitting(&rig), *saved);
    }
}
