//! What can be wrong with a file: where, what was expected, what was found,
//! and what to do.

use std::fmt;

use bindpose_diagnostic::{Diagnostic, ModelPlace};

use crate::budget::OverBudget;
use crate::pace::Cancelled;

/// A file that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
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
    /// [`TaskProgress`](crate::TaskProgress) was cancelled.
    Cancelled,
}

impl GltfErrorKind {
    /// Its name for programs, and a sentence for people about the file.
    pub fn code_and_title(self) -> (&'static str, &'static str) {
        match self {
            Self::Container => ("GLTF_CONTAINER", "The file is cut off, or is no model."),
            Self::Json => ("GLTF_JSON", "Its JSON is not that of a glTF file."),
            Self::Missing => ("GLTF_MISSING", "Something that it needs is not there."),
            Self::OutOfBounds => ("GLTF_OUT_OF_BOUNDS", "It points to something outside its data."),
            Self::Invalid => ("GLTF_INVALID", "Some of its data makes no sense."),
            Self::NotATree => ("GLTF_NOT_A_TREE", "Its nodes form no tree."),
            Self::Unsupported => {
                ("GLTF_UNSUPPORTED", "It needs something that this program cannot read.")
            }
            Self::TooLarge => ("GLTF_TOO_LARGE", "It is too large."),
            Self::Cancelled => ("GLTF_CANCELLED", "Opening was stopped."),
        }
    }
}

impl From<GltfError> for Diagnostic {
    fn from(error: GltfError) -> Self {
        Self { code: error.kind.code_and_title().0, ..Self::expected(error.expected, error.found) }
            .help(error.remedy)
            .at(ModelPlace::at(error.path).into())
    }
}

impl fmt::Display for GltfError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Diagnostic::from(self.clone()).fmt(f)
    }
}

impl std::error::Error for GltfError {}

impl From<Cancelled> for GltfError {
    fn from(_: Cancelled) -> Self {
        Self::new(
            GltfErrorKind::Cancelled,
            "the file",
            "to be read to its end",
            "a wish to stop",
            "open it again",
        )
    }
}

impl GltfError {
    pub(crate) fn new(
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

    /// More than a file may take; `path` names who asks.
    pub(super) fn over_budget(over: OverBudget, path: impl fmt::Display) -> Self {
        let (expected, found) = (over.expected(), over.found());
        Self::new(GltfErrorKind::TooLarge, path, expected, found, over.remedy())
    }

    pub(super) fn missing(path: impl fmt::Display, expected: &str, remedy: &str) -> Self {
        Self::new(GltfErrorKind::Missing, path, expected, "nothing", remedy)
    }
}
