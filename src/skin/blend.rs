//! How the joints of a vertex are made into one motion, and what moves its
//! normal.

use serde::{Deserialize, Serialize};

use super::JointIndex;

/// How several influences become one motion.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// The strongest influence alone, with weight 1.
    Rigid,
    /// The weighted sum of matrices: linear blend skinning.
    #[default]
    Linear,
    /// The weighted sum of dual quaternions, made unit again.
    DualQuaternion,
}

impl Method {
    /// From the plainest to the most elaborate.
    pub const ALL: [Self; 3] = [Self::Rigid, Self::Linear, Self::DualQuaternion];

    /// The name used in lesson files, links and on the command line.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Self::Rigid => "rigid",
            Self::Linear => "linear",
            Self::DualQuaternion => "dual-quaternion",
        }
    }

    /// From the name used in lesson files, links and on the command line.
    #[must_use]
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.key() == key)
    }

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
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
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

impl NormalRule {
    /// Every rule, the right one first.
    pub const ALL: [Self; 4] = [
        Self::InverseTranspose,
        Self::SkinMatrix,
        Self::Cofactor,
        Self::LeftAlone,
    ];

    /// The name used in lesson files and links.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Self::InverseTranspose => "inverse-transpose",
            Self::SkinMatrix => "skin-matrix",
            Self::Cofactor => "cofactor",
            Self::LeftAlone => "left-alone",
        }
    }

    /// From the name used in lesson files and links.
    #[must_use]
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rule| rule.key() == key)
    }

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_name_every_choice() {
        for method in Method::ALL {
            assert_eq!(Method::from_key(method.key()), Some(method));
        }
        for rule in NormalRule::ALL {
            assert_eq!(NormalRule::from_key(rule.key()), Some(rule));
        }
    }
}
