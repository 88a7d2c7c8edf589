//! The state of a file that may have to be fetched.

/// A file that may still have to be fetched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shipped {
    /// The bytes of the file.
    Here(&'static [u8]),
    /// The file is requested or being fetched.
    Coming,
    /// The file could not be fetched, with the reason as a sentence.
    Failed(String),
}

impl Shipped {
    /// Returns the bytes, or `None` if they are not available.
    pub fn bytes(self) -> Option<&'static [u8]> {
        match self {
            Self::Here(bytes) => Some(bytes),
            Self::Coming | Self::Failed(_) => None,
        }
    }
}
