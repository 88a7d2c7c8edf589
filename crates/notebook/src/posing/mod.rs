//! Posing in the picture: what a drag of a joint means, and what it puts into the
//! document. Frames and rays in, settings out; no egui, nothing of a mesh's size.
//!
//! # Posing in the picture
//!
//! `notebook/posing/` is what a drag of a joint means: frames and rays in, settings out.
//! A ring is a circle in the parent’s frame, and angles are read off there, so that the
//! joint stays under the pointer in mirrors and under uneven scale (`axes.rs`); a drag
//! counts from the joint as it was when it began (`held_joint.rs`), and becomes the
//! parameter whose axis it is, or `StepState::joint_moves`, which `joints.rs` puts on
//! the pose after clips and parameters and before a program. `two_bone.rs` reaches,
//! `mirror.rs` mirrors what moves the skin. Poses that are kept are documents’
//! (`StepState::poses`) and links’ (`pose.NAME`). `page/cells/viewport/gizmo/` only
//! projects, picks and paints; while a drag lasts, the camera of its beginning stays.

mod axes;
mod chain_reach;
mod held_joint;
mod mirror;
mod page_pose;
mod saved;
mod two_bone;

pub use axes::{MoveAxis, NoAxis, TurnAxis};
pub use chain_reach::ChainReach;
pub use held_joint::HeldJoint;
pub use mirror::partners;
pub use page_pose::pose_of;
pub(crate) use page_pose::put_pose;
pub use saved::{JointMove, MOST_NAME_CHARS, MOST_POSES, SavedPose, is_pose_name, poses_json};
pub use two_bone::{Reached, Reaching, TwoBones};
