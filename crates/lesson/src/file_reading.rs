//! Which of several files a rig is read from, and how its bytes are read.

use bindpose_skin::keyed;

keyed! {
    /// The same model in another file, where the rig has such a one.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum FileVariant {
        /// That which the rig is named for.
        #[default]
        Usual = "usual",
        /// Weights as normalised bytes.
        ByteWeights = "byte-weights",
        /// Some positions are replaced by a sparse accessor.
        Sparse = "sparse",
        /// JSON and numbers in one file.
        Glb = "glb",
    }
}

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
