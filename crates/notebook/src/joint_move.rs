//! A turn and a move of a joint by hand.

use bindpose_skin::Trs;
use glam::{Quat, Vec3};

/// Rotation and translation of a joint, applied after its clip and its parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct JointMove {
    /// About the joint's own axes; of unit length.
    pub rotation: Quat,
    /// In the parent's frame and its units.
    pub translation: Vec3,
}

impl JointMove {
    /// Interpolates to another move, with rotations by slerp along the shorter arc. Returns
    /// this one at 0 and the other at 1.
    #[must_use]
    pub fn towards(self, other: Self, amount: f32) -> Self {
        Self {
            rotation: self.rotation.slerp(other.rotation, amount).normalize(),
            translation: self.translation.lerp(other.translation, amount),
        }
    }

    /// Applies the move to a local transform.
    pub fn on(self, parent_from_joint: Trs) -> Trs {
        let mut moved = parent_from_joint;
        if self.rotation != Quat::IDENTITY {
            moved = moved.turned(self.rotation);
        }
        moved.translation += self.translation;
        moved
    }
}
