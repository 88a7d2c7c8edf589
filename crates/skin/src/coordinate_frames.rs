//! The spaces a vertex passes through, and transforms that know theirs.

use std::fmt;

use glam::Mat4;

/// Index of a joint in its skin's joint list: what `JOINTS_0` stores.
///
/// Not the index of a node in a file; mixing the two is a classic bug.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct JointIndex(pub u16);

impl JointIndex {
    /// For indexing slices.
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
    /// The space in which one joint's own transform is given: its parent's, or
    /// the world for a root.
    Parent(JointIndex),
    /// The space of the node that carries the mesh.
    MeshNode,
    /// The scene, after posing.
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

/// A matrix together with the frames it leads between: `to_from_from`.
///
/// The frames are run-time values on purpose. A learner must be able to
/// multiply in the wrong order and see what comes of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NamedTransform {
    /// Frame of the result.
    pub to: CoordinateFrame,
    /// Frame of the argument.
    pub from: CoordinateFrame,
    /// Column vectors: `x_in_to = mat * x_in_from`.
    pub mat: Mat4,
}

impl NamedTransform {
    /// `self * rhs`: first `rhs`, then `self`.
    ///
    /// Fails when `rhs` does not lead into the frame that `self` starts from. The
    /// error still carries the product, so that a wrong order can be shown.
    pub fn times(&self, rhs: &Self) -> Result<Self, FrameMismatch> {
        let product = Self { to: self.to, from: rhs.from, mat: self.mat * rhs.mat };
        if self.from == rhs.to {
            Ok(product)
        } else {
            Err(FrameMismatch { expected: self.from, found: rhs.to, product })
        }
    }
}

/// Two transforms were multiplied whose touching frames differ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameMismatch {
    /// Frame the left factor starts from.
    pub expected: CoordinateFrame,
    /// Frame the right factor leads into.
    pub found: CoordinateFrame,
    /// What comes out all the same.
    pub product: NamedTransform,
}

impl FrameMismatch {
    fn way_out(&self) -> &'static str {
        // The other way round, the left one would end where the right one begins.
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
            self.way_out()
        )
    }
}

impl std::error::Error for FrameMismatch {}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn a_product_keeps_the_outer_frames_and_names_a_wrong_seam() {
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
        // Two of a kind meet in no order.
        let twice = world_from_joint.times(&world_from_joint).unwrap_err();
        assert!(!twice.to_string().contains("swap"), "{twice}");
    }
}
