//! How the bytes of a file are read.

use serde::{Deserialize, Serialize};

/// A rule of the format that is kept, or broken on purpose.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Reading {
    /// As the file says.
    #[default]
    AsStored,
    /// As if no buffer view had a `byteStride`: elements follow each other.
    StrideIgnored,
}

impl Reading {
    /// The right one first.
    pub const ALL: [Self; 2] = [Self::AsStored, Self::StrideIgnored];

    /// The name used in lesson files and links.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Self::AsStored => "as-stored",
            Self::StrideIgnored => "stride-ignored",
        }
    }

    /// From the name used in lesson files and links.
    #[must_use]
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reading| reading.key() == key)
    }
}
