//! What a pose takes over from that of another rig.

use glam::{Mat3, Quat};

use bindpose_skin::{JointIndex, Pose, Trs};

/// By joint, in the place of what the pose itself has; where there is nothing, that stays.
#[derive(Clone, Debug, Default)]
pub(super) enum TakenPose {
    /// The pose is its own.
    #[default]
    Nothing,
    /// Local rotations.
    Rotations(Vec<Option<Quat>>),
    /// Local transforms, to which a program has done already what it does.
    Whole(Vec<Option<TakenLocal>>),
}

/// A local transform, as [`Pose`] has it.
#[derive(Clone, Copy, Debug)]
pub(super) struct TakenLocal {
    pub(super) parent_from_joint: Trs,
    pub(super) stretch_in_parent: Option<Mat3>,
}

impl TakenPose {
    /// Puts it into a pose.
    pub(super) fn put_into(&self, pose: &mut Pose) {
        match self {
            Self::Nothing => {}
            Self::Rotations(rotations) => {
                for (trs, taken) in pose.parent_from_joint.iter_mut().zip(rotations) {
                    trs.rotation = taken.unwrap_or(trs.rotation);
                }
            }
            Self::Whole(locals) => {
                let joints = (0..).map(JointIndex).zip(&mut pose.parent_from_joint);
                for ((joint, trs), taken) in joints.zip(locals) {
                    let Some(taken) = taken else { continue };
                    *trs = taken.parent_from_joint;
                    pose.stretch_in_parent.remove(&joint);
                    let stretch = taken.stretch_in_parent;
                    pose.stretch_in_parent.extend(stretch.map(|stretch| (joint, stretch)));
                }
            }
        }
    }

    /// Is there nothing left for a program to do?
    pub(super) fn is_whole(&self) -> bool {
        matches!(self, Self::Whole(_))
    }
}
