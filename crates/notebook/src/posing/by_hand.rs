//! What a reader does to a joint by hand, on top of all that poses it.

use glam::{Quat, Vec3};

use bindpose_skin::Trs;

/// A turn and a move of one joint, after its clip and its parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct JointMove {
    /// About the joint's own axes; of unit length.
    pub rotation: Quat,
    /// In the parent's frame and its units.
    pub translation: Vec3,
}

impl JointMove {
    /// On the way to another, 0 is this one and 1 the other: turns by slerp, the short
    /// way round.
    #[must_use]
    pub fn towards(self, other: Self, amount: f32) -> Self {
        Self {
            rotation: self.rotation.slerp(other.rotation, amount).normalize(),
            translation: self.translation.lerp(other.translation, amount),
        }
    }

    /// The local transform with this done to it.
    pub fn on(self, parent_from_joint: Trs) -> Trs {
        let mut moved = parent_from_joint;
        if self.rotation != Quat::IDENTITY {
            moved = moved.turned(self.rotation);
        }
        moved.translation += self.translation;
        moved
    }
}
