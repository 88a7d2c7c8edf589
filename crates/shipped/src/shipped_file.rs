//! What has become of a file that is asked for.

/// A file that may not be there yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shipped {
    /// Its bytes.
    Here(&'static [u8]),
    /// It was asked for.
    Coming,
    /// It could not be fetched, and why, in words.
    Failed(String),
}

impl Shipped {
    /// The bytes, if they are here.
    pub fn bytes(self) -> Option<&'static [u8]> {
        match self {
            Self::Here(bytes) => Some(bytes),
            Self::Coming | Self::Failed(_) => None,
        }
    }
}
