//! Errors of the readers of glTF and EZMesh.
//!
//! Each is a [`Diagnostic`] that is created where the problem is found, with one of the codes
//! below.

use std::fmt::Display;

use bindpose_diagnostic::Diagnostic;

/// The suggested fix of errors that set no other.
pub(crate) const EXPORT_AGAIN: &str = "export the file again";

/// The codes of errors.
pub(crate) mod code {
    /// The file is neither GLB nor JSON, or it is truncated.
    pub(crate) const GLTF_CONTAINER: &str = "GLTF_CONTAINER";
    /// The JSON does not conform to glTF.
    pub(crate) const GLTF_JSON: &str = "GLTF_JSON";
    /// A required part of the file is absent.
    pub(crate) const GLTF_MISSING: &str = "GLTF_MISSING";
    /// An index or a range is out of bounds.
    pub(crate) const GLTF_OUT_OF_BOUNDS: &str = "GLTF_OUT_OF_BOUNDS";
    /// Data has the wrong type or an invalid value.
    pub(crate) const GLTF_INVALID: &str = "GLTF_INVALID";
    /// A node is its own ancestor, or has several parents.
    pub(crate) const GLTF_NOT_A_TREE: &str = "GLTF_NOT_A_TREE";
    /// The file is valid, but uses an unsupported feature.
    pub(crate) const GLTF_UNSUPPORTED: &str = "GLTF_UNSUPPORTED";
    /// The file exceeds a limit of size or memory.
    pub(crate) const GLTF_TOO_LARGE: &str = "GLTF_TOO_LARGE";
    /// [`TaskProgress`](crate::TaskProgress) was cancelled.
    pub(crate) const GLTF_CANCELLED: &str = "GLTF_CANCELLED";

    /// The file is not text or not XML, or it is truncated.
    pub(crate) const EZM_XML: &str = "EZM_XML";
    /// The XML does not conform to EZMesh.
    pub(crate) const EZM_FORMAT: &str = "EZM_FORMAT";
    /// A required part of the file is absent.
    pub(crate) const EZM_MISSING: &str = "EZM_MISSING";
    /// Two things have the same name.
    pub(crate) const EZM_REPEATED: &str = "EZM_REPEATED";
    /// A name or an index refers to nothing.
    pub(crate) const EZM_DANGLING: &str = "EZM_DANGLING";
    /// A count differs from the number of elements.
    pub(crate) const EZM_WRONG_COUNT: &str = "EZM_WRONG_COUNT";
    /// A number is malformed or has an invalid value.
    pub(crate) const EZM_NUMBER: &str = "EZM_NUMBER";
    /// A bone is its own ancestor.
    pub(crate) const EZM_CYCLE: &str = "EZM_CYCLE";
    /// The file is valid, but holds several models.
    pub(crate) const EZM_UNSUPPORTED: &str = "EZM_UNSUPPORTED";
    /// The file exceeds a limit of size or memory.
    pub(crate) const EZM_TOO_LARGE: &str = "EZM_TOO_LARGE";
}

/// Returns a sentence for users about a file that cannot be read, by the code of the error.
pub fn read_error_title(code: &str) -> &'static str {
    match code {
        code::GLTF_CONTAINER => "The file is cut off, or is no model.",
        code::GLTF_JSON => "Its JSON is not that of a glTF file.",
        code::GLTF_MISSING | code::EZM_MISSING => "Something that it needs is not there.",
        code::GLTF_OUT_OF_BOUNDS => "It points to something outside its data.",
        code::GLTF_INVALID => "Some of its data makes no sense.",
        code::GLTF_NOT_A_TREE => "Its nodes form no tree.",
        code::GLTF_UNSUPPORTED | code::EZM_UNSUPPORTED => {
            "It needs something that this program cannot read."
        }
        code::GLTF_TOO_LARGE | code::EZM_TOO_LARGE => "It is too large.",
        code::GLTF_CANCELLED => "Opening was stopped.",
        code::EZM_XML => "The file is cut off, or is no XML.",
        code::EZM_FORMAT => "Its XML is not that of an EZMesh file.",
        code::EZM_REPEATED => "Two things in it have the same name.",
        code::EZM_DANGLING => "It points to something that is not there.",
        code::EZM_WRONG_COUNT => "It does not hold as much as it says.",
        code::EZM_NUMBER => "Some of its numbers make no sense.",
        code::EZM_CYCLE => "Its bones form no tree.",
        _ => "It cannot be read.",
    }
}

/// Creates an error with the default fix, and without a place.
pub(crate) fn read_error(
    code: &'static str,
    expected: impl Display,
    found: impl Display,
) -> Diagnostic {
    let wrong = Diagnostic::expected(expected.to_string(), found.to_string());
    Diagnostic { code, ..wrong.help(EXPORT_AGAIN) }
}
