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
mod two_bone;

pub use crate::joint_move::JointMove;
pub use axes::{AxisError, MoveAxis, TurnAxis};
pub use chain_reach::ChainReach;
pub use held_joint::HeldJoint;
pub use two_bone::{ReachError, ReachResult, TwoBones};
