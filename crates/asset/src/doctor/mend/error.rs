//! What keeps a file from being mended.

use std::fmt;

use bindpose_diagnostic::{Diagnostic, ModelPlace, Place};

/// Why there is no new file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MendError {
    /// The examination found nothing that the program can mend.
    Nothing,
    /// It cannot be read far enough.
    Unreadable,
    /// Something is nested too deeply to be copied.
    TooDeep,
    /// A buffer, or a part of it, is not there.
    Missing {
        /// JSON pointer.
        at: String,
    },
    /// An extension keeps data in a way that is not known here.
    Extension {
        /// JSON pointer.
        at: String,
    },
    /// Too much for one file: more bytes than this.
    TooLarge(usize),
    /// None of the faults could be mended soundly.
    Unsound,
    /// It was asked to stop.
    Cancelled,
}

impl From<MendError> for Diagnostic {
    fn from(error: MendError) -> Self {
        let whole = |code, title: &str| Self::said(code, title);
        let at = |pointer: String| Place::Model(ModelPlace::at(pointer));
        match error {
            MendError::Nothing => whole(
                "MEND_NOTHING",
                "there is nothing to mend that this program knows how to mend",
            ),
            MendError::Unreadable => whole(
                "MEND_UNREADABLE",
                "the file cannot be read far enough to be mended; see the errors above",
            ),
            MendError::TooDeep => {
                whole("MEND_TOO_DEEP", "something in the file is nested too deeply to be copied")
            }
            MendError::Missing { at: pointer } => {
                whole("MEND_MISSING", "its bytes are not there, so a new file would not be whole")
                    .at(at(pointer))
            }
            MendError::Extension { at: pointer } => whole(
                "MEND_EXTENSION",
                "an extension keeps data here in a way that this program cannot copy",
            )
            .at(at(pointer)),
            MendError::TooLarge(most) => Self::said(
                "MEND_TOO_LARGE",
                format!("the new file would be larger than {most} bytes"),
            ),
            MendError::Unsound => whole(
                "MEND_UNSOUND",
                "none of the faults can be mended without guessing; see their remedies",
            ),
            MendError::Cancelled => whole("CANCELLED", "mending was stopped"),
        }
    }
}

impl fmt::Display for MendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Diagnostic::from(self.clone()).fmt(f)
    }
}

impl std::error::Error for MendError {}
