//! The steps between stored data and picture, one at a time: how far a vertex has come, how
//! its joints are made into one motion, and what happens when the inverse bind matrix, or
//! the node that carries the mesh, is misused.

use glam::Mat4;

use super::JointIndex;
use crate::keyed;

keyed! {
    /// How far a vertex has come.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum SkinStage {
        /// As stored.
        Bind = "bind",
        /// Seen from its joint: `joint_from_bind * p`, drawn as if the joint were
        /// the origin.
        Joint = "joint",
        /// Carried to the world by one joint alone: `world_from_bind * p`.
        Posed = "posed",
        /// The weighted sum over all influences.
        #[default]
        Blended = "blended",
    }
}

impl SkinStage {
    /// The matrix that takes a stored vertex to this stage through one joint.
    pub fn matrix(self, world_from_joint: Mat4, joint_from_bind: Mat4) -> Mat4 {
        match self {
            Self::Bind => Mat4::IDENTITY,
            Self::Joint => joint_from_bind,
            Self::Posed | Self::Blended => world_from_joint * joint_from_bind,
        }
    }
}

keyed! {
    /// How several influences become one motion.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Method {
        /// The strongest influence alone, with weight 1.
        Rigid = "rigid" => "rigid",
        /// The weighted sum of matrices: linear blend skinning.
        #[default]
        Linear = "linear" => "linear",
        /// The weighted sum of dual quaternions, made unit again.
        DualQuaternion = "dual-quaternion" => "dual quaternion",
    }
}

/// Which of a vertex's joints move it, and how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Blend {
    /// All of them, weighted and added as matrices.
    #[default]
    Linear,
    /// All of them, weighted and added as dual quaternions.
    DualQuaternion,
    /// The strongest alone, with weight 1.
    Strongest,
    /// This joint alone, whatever the weights say.
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
    /// What is put in the place of the inverse bind matrix.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum InverseBind {
        /// The matrix itself: right.
        #[default]
        Inverse = "inverse",
        /// Nothing: every vertex is moved by its joint's world matrix as it stands.
        LeftOut = "left-out",
        /// Only the joint's bind position is subtracted: right as long as the bind
        /// pose is not rotated or scaled.
        Subtract = "subtract",
    }
}

keyed! {
    /// What becomes of the transform of the node that carries a skinned mesh.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum MeshNodeUse {
        /// Nothing, as glTF 2.0 demands (section 3.7.3.3).
        #[default]
        Ignored = "ignored",
        /// It is multiplied to the left of what moves vertices: right for a mesh
        /// without a skin, wrong for one with.
        Applied = "applied",
        /// Its inverse is multiplied to the left of each joint matrix, and then the
        /// transform itself: no part of it is left, if it has an inverse. If not,
        /// what moves vertices is not a number.
        TakenOut = "taken-out",
    }
}

impl MeshNodeUse {
    /// A matrix that moves vertices to the world, with the node's transform used so.
    pub fn moved(self, world_from_mesh: Mat4, world_from_bind: Mat4) -> Mat4 {
        match self {
            Self::Ignored => world_from_bind,
            Self::Applied => world_from_mesh * world_from_bind,
            // In two steps, as a palette and a shader do it: digits are lost on the way.
            Self::TakenOut => world_from_mesh * (world_from_mesh.inverse() * world_from_bind),
        }
    }
}

/// The matrix used for `joint_from_bind` when the inverse bind is treated so.
///
/// A matrix that has no inverse has no bind position; subtracting then
/// subtracts nothing.
pub fn used_joint_from_bind(way: InverseBind, joint_from_bind: Mat4) -> Mat4 {
    match way {
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
    fn a_node_taken_out_and_put_in_again_is_ignored_while_it_has_an_inverse() {
        let joint = Mat4::from_translation(Vec3::new(1.0, 2.0, 3.0)) * Mat4::from_rotation_z(0.5);
        let node = Mat4::from_translation(Vec3::X) * Mat4::from_scale(Vec3::splat(0.5));
        let moved = |node| MeshNodeUse::TakenOut.moved(node, joint);
        assert!(moved(node).abs_diff_eq(joint, 1e-5));
        assert!(moved(Mat4::from_scale(Vec3::ZERO)).is_nan());
        assert_eq!(MeshNodeUse::Ignored.moved(node, joint), joint);
        assert_eq!(MeshNodeUse::Applied.moved(node, joint), node * joint);
    }

    #[test]
    fn subtracting_is_right_exactly_while_the_bind_pose_is_not_rotated() {
        let straight = Mat4::from_translation(Vec3::new(0.5, 2.0, -1.0)).inverse();
        assert!(
            used_joint_from_bind(InverseBind::Subtract, straight).abs_diff_eq(straight, 1e-6),
            "a pure translation"
        );
        let turned = (Mat4::from_translation(Vec3::Y * 2.0) * Mat4::from_rotation_z(0.5)).inverse();
        let subtracted = used_joint_from_bind(InverseBind::Subtract, turned);
        assert!(subtracted.abs_diff_eq(Mat4::from_translation(Vec3::Y * -2.0), 1e-6));
        assert!(!subtracted.abs_diff_eq(turned, 0.1), "a rotated bind pose");
    }

    #[test]
    fn a_singular_matrix_subtracts_nothing() {
        assert_eq!(used_joint_from_bind(InverseBind::Subtract, Mat4::ZERO), Mat4::IDENTITY);
    }
}
