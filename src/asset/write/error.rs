//! What keeps a rig from being written.

use std::fmt;

use crate::diagnostic::{Diagnostic, ModelPlace};
use crate::skin::{SET_LANES, SkeletonError};

/// Why a rig could not be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WriteError {
    /// An image does not become a PNG.
    Png {
        /// Which of the mesh's.
        image: usize,
        /// In the encoder's words.
        reason: String,
    },
    /// The JSON part, in the serialiser's words.
    Json(String),
    /// A rig that was to be written is not sound.
    Skeleton(SkeletonError),
    /// Numbers that no file can hold.
    NotFinite(Numbers),
    /// Beyond what one file can hold.
    TooLarge {
        /// Bytes of its numbers.
        bytes: usize,
    },
    /// A mesh without vertices.
    NoVertices,
    /// EZMesh has four weights a vertex.
    TooManyInfluences {
        /// The first such vertex.
        vertex: usize,
        /// How many it has.
        lanes: usize,
    },
}

/// What a list of numbers is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// Positions, normals, texture coordinates, weights, morph targets.
    Vertices,
    /// Inverse bind matrices.
    InverseBinds,
    /// Transforms of nodes.
    Nodes,
    /// Times and values of keys.
    Keys,
}

impl Numbers {
    fn words(self) -> &'static str {
        match self {
            Self::Vertices => "vertices",
            Self::InverseBinds => "inverse bind matrices",
            Self::Nodes => "transforms of nodes",
            Self::Keys => "keys of clips",
        }
    }
}

impl From<WriteError> for Diagnostic {
    fn from(error: WriteError) -> Self {
        match error {
            WriteError::Png { image, reason } => Self::said(
                "IMAGE_NOT_WRITTEN",
                format!("image {image} does not go into a PNG: {reason}"),
            ),
            WriteError::Json(reason) => Self::said(
                "JSON_NOT_WRITTEN",
                format!("cannot write the JSON: {reason}"),
            ),
            WriteError::Skeleton(error) => {
                Self::said("SKELETON_UNSOUND", format!("the rig is not sound: {error}"))
            }
            WriteError::NotFinite(numbers) => {
                let title = format!("some {} are not finite numbers", numbers.words());
                Self::said("NOT_FINITE", title).help("take a pose in which the model can be seen")
            }
            WriteError::TooLarge { bytes } => Self {
                code: "TOO_LARGE",
                ..Self::expected("less than 4 GiB in one file", format!("{bytes} bytes"))
            },
            WriteError::NoVertices => Self {
                code: "NO_VERTICES",
                ..Self::expected("a mesh with vertices", "none")
            },
            WriteError::TooManyInfluences { vertex, lanes } => Self {
                code: "TOO_MANY_INFLUENCES",
                ..Self::expected(
                    format!("at most {SET_LANES} influences a vertex, as EZMesh holds"),
                    lanes.to_string(),
                )
            }
            .at(ModelPlace::default().vertex(vertex).into()),
        }
    }
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Diagnostic::from(self.clone()).fmt(f)
    }
}

impl std::error::Error for WriteError {}

impl From<SkeletonError> for WriteError {
    fn from(error: SkeletonError) -> Self {
        Self::Skeleton(error)
    }
}

impl From<serde_json::Error> for WriteError {
    fn from(error: serde_json::Error) -> Self {
        Self::Json(error.to_string())
    }
}
