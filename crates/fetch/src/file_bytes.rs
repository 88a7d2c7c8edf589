//! The state of a file that may have to be fetched.

/// The bytes of a file that may have to be fetched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileBytes {
    Loaded(&'static [u8]),
    /// The file is requested or being fetched.
    Pending,
    /// The file could not be fetched, with the reason as a sentence.
    Failed(String),
}

impl FileBytes {
    /// Returns the bytes, or `None` if they are not available.
    pub fn loaded(self) -> Option<&'static [u8]> {
        match self {
            Self::Loaded(bytes) => Some(bytes),
            Self::Pending | Self::Failed(_) => None,
        }
    }
}
