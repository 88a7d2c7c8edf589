//! How the joints of a vertex are made into one motion, and what moves its
//! normal.

use super::{JointIndex, keyed};

/// How several influences become one motion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Method {
    /// The strongest influence alone, with weight 1.
    Rigid,
    /// The weighted sum of matrices: linear blend skinning.
    #[default]
    Linear,
    /// The weighted sum of dual quaternions, made unit again.
    DualQuaternion,
}

keyed!(Method {
    Rigid = "rigid",
    Linear = "linear",
    DualQuaternion = "dual-quaternion",
});

impl Method {
    /// For people.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Rigid => "rigid",
            Self::Linear => "linear",
            Self::DualQuaternion => "dual quaternion",
        }
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

/// What moves normals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum NormalRule {
    /// The inverse transpose of the skin matrix, up to a positive factor: right.
    #[default]
    InverseTranspose,
    /// The skin matrix itself: right as long as nothing is squashed.
    SkinMatrix,
    /// The matrix of cofactors: the inverse transpose times the determinant,
    /// whose sign turns normals inward where a joint mirrors.
    Cofactor,
    /// Nothing: normals stay as stored.
    LeftAlone,
}

keyed!(NormalRule {
    InverseTranspose = "inverse-transpose",
    SkinMatrix = "skin-matrix",
    Cofactor = "cofactor",
    LeftAlone = "left-alone",
});

impl NormalRule {
    /// For people.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::InverseTranspose => "inverse transpose",
            Self::SkinMatrix => "skin matrix",
            Self::Cofactor => "cofactors alone",
            Self::LeftAlone => "left alone",
        }
    }
}
