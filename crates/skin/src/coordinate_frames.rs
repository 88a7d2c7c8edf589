//! Coordinate frames of skinning, and matrices checked against them.

use std::fmt;

use glam::Mat4;

/// Index of a joint in its skin's joint list, as stored in `JOINTS_0`.
///
/// Not the index of the joint's node in the file: confusing the two is a classic bug.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct JointIndex(pub u16);

impl JointIndex {
    /// Returns the index for use with slices.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A space in which coordinates are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CoordinateFrame {
    /// The space of the stored vertex data.
    Bind,
    /// The local space of one joint.
    Joint(JointIndex),
    /// The space of one joint's parent, or the world for a root: the frame of the joint's
    /// own transform.
    Parent(JointIndex),
    /// The local space of the node that holds the mesh.
    MeshNode,
    /// The space of the scene, after posing.
    World,
}

impl fmt::Display for CoordinateFrame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bind => f.write_str("bind"),
            Self::Joint(joint) => write!(f, "joint {}", joint.0),
            Self::Parent(joint) => write!(f, "parent of {}", joint.0),
            Self::MeshNode => f.write_str("mesh node"),
            Self::World => f.write_str("world"),
        }
    }
}

/// A matrix together with the two frames between which it maps: `to_from_from`.
///
/// The frames are run-time values rather than types, because a learner must be able to
/// multiply in the wrong order and see the result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NamedTransform {
    /// Frame of the vectors that the matrix returns.
    pub to: CoordinateFrame,
    /// Frame of the vectors that the matrix takes.
    pub from: CoordinateFrame,
    /// The matrix, for column vectors: `x_in_to = mat * x_in_from`.
    pub mat: Mat4,
}

impl NamedTransform {
    /// Multiplies `self * rhs`, which applies first `rhs`, then `self`.
    ///
    /// # Errors
    /// Returns [`FrameMismatch`] if `rhs` does not map into the frame from which `self`
    /// maps. The error still holds the product, so that a wrong order can be drawn.
    pub fn times(&self, rhs: &Self) -> Result<Self, FrameMismatch> {
        let product = Self { to: self.to, from: rhs.from, mat: self.mat * rhs.mat };
        if self.from == rhs.to {
            Ok(product)
        } else {
            Err(FrameMismatch { expected: self.from, found: rhs.to, product })
        }
    }
}

/// A product of two transforms whose inner frames differ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameMismatch {
    /// Frame from which the left factor maps.
    pub expected: CoordinateFrame,
    /// Frame into which the right factor maps.
    pub found: CoordinateFrame,
    /// The product of the two matrices, with the outer frames.
    pub product: NamedTransform,
}

impl FrameMismatch {
    fn suggestion(&self) -> &'static str {
        // Equal outer frames would meet if the factors were swapped.
        if self.product.to == self.product.from {
            "swap them or put the missing transform between"
        } else {
            "put the missing transform between, or replace one"
        }
    }
}

impl fmt::Display for FrameMismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { expected, found, .. } = self;
        write!(
            f,
            "the left factor starts from {expected}, but the right factor leads into {found}; {}",
            self.suggestion()
        )
    }
}

impl std::error::Error for FrameMismatch {}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn a_product_keeps_the_outer_frames_and_rejects_different_inner_ones() {
        let joint = JointIndex(1);
        let world_from_joint = NamedTransform {
            to: CoordinateFrame::World,
            from: CoordinateFrame::Joint(joint),
            mat: Mat4::from_translation(Vec3::Y * 2.0),
        };
        let joint_from_bind = NamedTransform {
            to: CoordinateFrame::Joint(joint),
            from: CoordinateFrame::Bind,
            mat: Mat4::from_rotation_z(1.0),
        };
        let product = world_from_joint.times(&joint_from_bind).unwrap();
        assert_eq!((product.to, product.from), (CoordinateFrame::World, CoordinateFrame::Bind));
        assert_eq!(product.mat, world_from_joint.mat * joint_from_bind.mat);

        let wrong = joint_from_bind.times(&world_from_joint).unwrap_err();
        assert_eq!((wrong.expected, wrong.found), (CoordinateFrame::Bind, CoordinateFrame::World));
        assert_eq!(wrong.product.mat, joint_from_bind.mat * world_from_joint.mat);
        assert!(wrong.to_string().ends_with("or put the missing transform between"));
        // Swapping two transforms between the same frames does not help.
        let twice = world_from_joint.times(&world_from_joint).unwrap_err();
        assert!(!twice.to_string().contains("swap"), "{twice}");
    }
}
