//! What can be wrong with a file: where, what was expected, what was found,
//! and what to do.

use std::fmt;

/// A file that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}: expected {expected}, found {found}; {remedy}")]
pub struct GltfError {
    /// What sort of fault it is.
    pub kind: GltfErrorKind,
    /// Where: a JSON pointer such as `/accessors/3/bufferView`, or the name of a
    /// part of the file.
    pub path: String,
    /// What should stand there.
    pub expected: String,
    /// What stands there.
    pub found: String,
    /// What to do about it.
    pub remedy: String,
}

/// Sorts of faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GltfErrorKind {
    /// Neither a GLB nor JSON, or cut off.
    Container,
    /// JSON that is not glTF.
    Json,
    /// Something that must be there is not.
    Missing,
    /// An index or a range that leads outside.
    OutOfBounds,
    /// Data of the wrong type, or a number that makes no sense.
    Invalid,
    /// Nodes that contain each other, or have two parents.
    NotATree,
    /// Valid, but beyond this program.
    Unsupported,
    /// More than this program is willing to hold.
    TooLarge,
    /// [`Progress`](crate::asset::Progress) was cancelled.
    Cancelled,
}

impl GltfError {
    pub(in crate::asset) fn new(
        kind: GltfErrorKind,
        path: impl fmt::Display,
        expected: impl fmt::Display,
        found: impl fmt::Display,
        remedy: impl fmt::Display,
    ) -> Self {
        Self {
            kind,
            path: path.to_string(),
            expected: expected.to_string(),
            found: found.to_string(),
            remedy: remedy.to_string(),
        }
    }

    /// An index that names nothing.
    pub(super) fn dangling(
        path: impl fmt::Display,
        what: &str,
        count: usize,
        found: usize,
    ) -> Self {
        Self::new(
            GltfErrorKind::OutOfBounds,
            path,
            format_args!("the index of one of {count} {what}"),
            found,
            "the file was cut or edited by hand; export it again",
        )
    }

    pub(super) fn cancelled() -> Self {
        Self::new(
            GltfErrorKind::Cancelled,
            "the file",
            "to be read to its end",
            "a wish to stop",
            "open it again",
        )
    }

    pub(super) fn missing(path: impl fmt::Display, expected: &str, remedy: &str) -> Self {
        Self::new(GltfErrorKind::Missing, path, expected, "nothing", remedy)
    }
}
