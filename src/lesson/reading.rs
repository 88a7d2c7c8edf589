//! How the bytes of a file are read.

use crate::skin::keyed;

/// A rule of the format that is kept, or broken on purpose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reading {
    /// As the file says.
    #[default]
    AsStored,
    /// As if no buffer view had a `byteStride`: elements follow each other.
    StrideIgnored,
}

keyed!(Reading {
    AsStored = "as-stored",
    StrideIgnored = "stride-ignored",
});
