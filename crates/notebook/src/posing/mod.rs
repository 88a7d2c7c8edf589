//! Posing in the picture: what a drag of a joint means, and what it puts into the
//! document. Frames and rays in, settings out; no egui, nothing of a mesh's size.

mod axes;
mod by_hand;
mod held_joint;
mod mirror;
mod page_pose;
mod saved;
mod two_bone;

pub use axes::{MoveAxis, NoAxis, TurnAxis};
pub use by_hand::JointMove;
pub use held_joint::HeldJoint;
pub use mirror::partners;
pub use page_pose::pose_of;
pub(crate) use page_pose::put_pose;
pub use saved::{MOST_NAME_CHARS, MOST_POSES, SavedPose, is_pose_name, poses_json};
pub use two_bone::{Reached, Reaching, TwoBones};
