//! What keeps a file from being mended.

/// Why there is no new file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MendError {
    /// The examination found nothing that the program can mend.
    #[error("there is nothing to mend that this program knows how to mend")]
    Nothing,
    /// It cannot be read far enough.
    #[error("the file cannot be read far enough to be mended; see the errors above")]
    Unreadable,
    /// A buffer, or a part of it, is not there.
    #[error("{at}: its bytes are not there, so a new file would not be whole")]
    Missing {
        /// JSON pointer.
        at: String,
    },
    /// An extension keeps data in a way that is not known here.
    #[error("{at}: an extension keeps data here in a way that this program cannot copy")]
    Extension {
        /// JSON pointer.
        at: String,
    },
    /// Too much for one file.
    #[error("the new file would be larger than {0} bytes")]
    TooLarge(usize),
    /// None of the faults could be mended soundly.
    #[error("none of the faults can be mended without guessing; see their remedies")]
    Unsound,
}
