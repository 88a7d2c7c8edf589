//! The steps of skinning, one at a time: the stages of a vertex, the blending methods, and
//! common mistakes with the inverse bind matrix and the mesh's node.

use glam::Mat4;

use super::JointIndex;
use crate::keyed;

keyed! {
    /// The stage of skinning at which a vertex is drawn.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum SkinStage {
        /// The stored position p.
        Bind = "bind",
        /// In joint space: `joint_from_bind * p`, drawn as if the joint were at the origin.
        Joint = "joint",
        /// Transformed to the world by a single joint: `world_from_bind * p`.
        Posed = "posed",
        /// The weighted sum over all influences.
        #[default]
        Blended = "blended",
    }
}

impl SkinStage {
    /// Returns the matrix that transforms a stored vertex to this stage by one joint.
    pub fn matrix(self, world_from_joint: Mat4, joint_from_bind: Mat4) -> Mat4 {
        match self {
            Self::Bind => Mat4::IDENTITY,
            Self::Joint => joint_from_bind,
            Self::Posed | Self::Blended => world_from_joint * joint_from_bind,
        }
    }
}

keyed! {
    /// The skinning method.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Method {
        /// Only the strongest influence, with weight 1.
        Rigid = "rigid" => "rigid",
        /// Linear blend skinning: the weighted sum of matrices.
        #[default]
        Linear = "linear" => "linear",
        /// Dual quaternion skinning: the weighted sum of dual quaternions, normalized.
        DualQuaternion = "dual-quaternion" => "dual quaternion",
    }
}

/// The influences that are blended, and their blending.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Blend {
    /// All influences, as a weighted sum of matrices.
    #[default]
    Linear,
    /// All influences, as a normalized weighted sum of dual quaternions.
    DualQuaternion,
    /// Only the strongest influence, with weight 1.
    Strongest,
    /// Only the given joint with weight 1, even if it has no weight on the vertex.
    Only(JointIndex),
}

impl From<Method> for Blend {
    fn from(method: Method) -> Self {
        match method {
            Method::Rigid => Self::Strongest,
            Method::Linear => Self::Linear,
            Method::DualQuaternion => Self::DualQuaternion,
        }
    }
}

keyed! {
    /// The use of the inverse bind matrix, correct or mistaken.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum InverseBind {
        /// The inverse bind matrix itself: correct.
        #[default]
        Inverse = "inverse",
        /// The identity in its place: the joint's world matrix transforms each vertex.
        LeftOut = "left-out",
        /// Only the translation to the joint's bind position: correct unless the bind pose is
        /// rotated or scaled.
        Subtract = "subtract",
    }
}

keyed! {
    /// The use of the world transform of the node that holds a skinned mesh.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum MeshNodeUse {
        /// The transform has no effect, as required by glTF 2.0 (section 3.7.3.3).
        #[default]
        Ignored = "ignored",
        /// The transform is multiplied from the left: correct for a mesh without a skin,
        /// wrong with a skin.
        Applied = "applied",
        /// The inverse is multiplied into each joint matrix from the left, and the transform
        /// itself is applied afterwards, so that the two cancel. Without an inverse the result
        /// is NaN.
        TakenOut = "taken-out",
    }
}

impl MeshNodeUse {
    /// Combines the node's transform with a joint matrix or a skin matrix.
    pub fn moved(self, world_from_mesh: Mat4, world_from_bind: Mat4) -> Mat4 {
        match self {
            Self::Ignored => world_from_bind,
            Self::Applied => world_from_mesh * world_from_bind,
            // Not simplified, to show the rounding errors of engines that put the inverse into
            // the palette and the transform into the shader.
            Self::TakenOut => world_from_mesh * (world_from_mesh.inverse() * world_from_bind),
        }
    }
}

/// Computes the matrix in the place of `joint_from_bind` for a use of the inverse bind matrix.
///
/// [`InverseBind::Subtract`] returns the identity if the matrix has no inverse, because it
/// then has no bind position.
pub fn used_joint_from_bind(inverse_bind: InverseBind, joint_from_bind: Mat4) -> Mat4 {
    match inverse_bind {
        InverseBind::Inverse => joint_from_bind,
        InverseBind::LeftOut => Mat4::IDENTITY,
        InverseBind::Subtract => {
            let bind_from_joint = joint_from_bind.inverse();
            let origin_in_bind = bind_from_joint.w_axis.truncate();
            if origin_in_bind.is_finite() {
                Mat4::from_translation(-origin_in_bind)
            } else {
                Mat4::IDENTITY
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn taking_an_invertible_node_transform_out_equals_ignoring_it() {
        let joint = Mat4::from_translation(Vec3::new(1.0, 2.0, 3.0)) * Mat4::from_rotation_z(0.5);
        let node = Mat4::from_translation(Vec3::X) * Mat4::from_scale(Vec3::splat(0.5));
        assert!(MeshNodeUse::TakenOut.moved(node, joint).abs_diff_eq(joint, 1e-5));
        let singular = Mat4::from_scale(Vec3::ZERO);
        assert!(MeshNodeUse::TakenOut.moved(singular, joint).is_nan());
        assert_eq!(MeshNodeUse::Ignored.moved(node, joint), joint);
        assert_eq!(MeshNodeUse::Applied.moved(node, joint), node * joint);
    }

    #[test]
    fn subtracting_is_correct_only_if_the_bind_pose_is_not_rotated() {
        let straight = Mat4::from_translation(Vec3::new(0.5, 2.0, -1.0)).inverse();
        assert!(
            used_joint_from_bind(InverseBind::Subtract, straight).abs_diff_eq(straight, 1e-6),
            "a pure translation"
        );
        let rotated =
            (Mat4::from_translation(Vec3::Y * 2.0) * Mat4::from_rotation_z(0.5)).inverse();
        let subtracted = used_joint_from_bind(InverseBind::Subtract, rotated);
        assert!(subtracted.abs_diff_eq(Mat4::from_translation(Vec3::Y * -2.0), 1e-6));
        assert!(!subtracted.abs_diff_eq(rotated, 0.1), "a rotated bind pose");
    }

    #[test]
    fn subtracting_a_singular_matrix_is_the_identity() {
        assert_eq!(used_joint_from_bind(InverseBind::Subtract, Mat4::ZERO), Mat4::IDENTITY);
    }
}
