//! How the joints of a vertex are made into one motion, and what moves its
//! normal.

use super::JointIndex;
use crate::keyed;

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
    /// What moves normals.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum NormalRule {
        /// The inverse transpose of the skin matrix, up to a positive factor: right.
        #[default]
        InverseTranspose = "inverse-transpose" => "inverse transpose",
        /// The skin matrix itself: right as long as nothing is squashed.
        SkinMatrix = "skin-matrix" => "skin matrix",
        /// The matrix of cofactors: the inverse transpose times the determinant,
        /// whose sign turns normals inward where a joint mirrors.
        Cofactor = "cofactor" => "cofactors alone",
        /// Nothing: normals stay as stored.
        LeftAlone = "left-alone" => "left alone",
    }
}
