//! Which of several files a rig is read from.

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
