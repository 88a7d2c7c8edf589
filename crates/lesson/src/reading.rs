//! How the bytes of a file are read.

use bindpose_skin::keyed;

keyed! {
    /// A rule of the format that is kept, or broken on purpose.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Reading {
        /// As the file says.
        #[default]
        AsStored = "as-stored",
        /// As if no buffer view had a `byteStride`: elements follow each other.
        StrideIgnored = "stride-ignored",
        /// As if no accessor said that it is normalised: weights in bytes are 0
        /// to 255, and nothing divides them by their sum.
        NormalizedIgnored = "normalized-ignored",
    }
}
