//! Poses: one translation, rotation and scale per joint.

use glam::{Mat4, Quat, Vec3};
use serde::{Deserialize, Serialize};

use super::slerp;

/// Translation, rotation and scale, applied in the order scale, rotate,
/// translate (glTF 2.0, section 3.6.2).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trs {
    /// In the parent's frame.
    pub translation: Vec3,
    /// Unit length.
    pub rotation: Quat,
    /// Along the joint's own axes.
    pub scale: Vec3,
}

impl Trs {
    /// No change at all.
    pub const IDENTITY: Self = Self {
        translation: Vec3::ZERO,
        rotation: Quat::IDENTITY,
        scale: Vec3::ONE,
    };

    /// A pure translation.
    #[must_use]
    pub fn at(translation: Vec3) -> Self {
        Self {
            translation,
            ..Self::IDENTITY
        }
    }

    /// The same transform after a further turn about the joint's own axes.
    #[must_use]
    pub fn turned(self, rotation: Quat) -> Self {
        Self {
            rotation: (self.rotation * rotation).normalize(),
            ..self
        }
    }

    /// On the way to another transform, 0 is this one and 1 the other: positions
    /// and factors straight, the rotation by slerp, the short way.
    #[must_use]
    pub fn blended(self, other: Self, amount: f64) -> Self {
        if amount >= 1.0 {
            return other;
        }
        let rotation = slerp(self.rotation.as_dquat(), other.rotation.as_dquat(), amount);
        Self {
            translation: self.translation.lerp(other.translation, amount as f32),
            rotation: rotation.as_quat(),
            scale: self.scale.lerp(other.scale, amount as f32),
        }
    }

    /// `parent_from_joint` as a matrix.
    #[must_use]
    pub fn matrix(self) -> Mat4 {
        Mat4::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }
}

impl Default for Trs {
    fn default() -> Self {
        Self::IDENTITY
    }
}

/// The local transform of every joint, in the skeleton's order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pose {
    /// One entry per joint.
    pub parent_from_joint: Vec<Trs>,
}
