//! How the bytes of a file are read.

use crate::skin::keyed;

keyed! {
    /// A rule of the format that is kept, or broken on purpose.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Reading {
        /// As the file says.
        #[default]
        AsStored = "as-stored",
        /// As if no buffer view had a `byteStride`: elements follow each other.
        StrideIgnored = "stride-ignored",
    }
}
