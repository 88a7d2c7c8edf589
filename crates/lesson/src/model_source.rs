//! Where a model comes from: which of several files and how its bytes are read; and the
//! model that is held against the one of the page.

use std::collections::BTreeSet;

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

/// The model that is held against the one of the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelB {
    /// The page's own, as a program would write it that does these; with none of them,
    /// the page's own as it is.
    Written(BTreeSet<Rewriting>),
    /// A rig that comes with the notebook, by its id.
    BuiltIn(String),
    /// The file that the reader has opened to compare.
    Opened,
    /// The reader's own model that was open before the one that is.
    Before,
}

impl Default for ModelB {
    fn default() -> Self {
        Self::Written(BTreeSet::new())
    }
}

keyed! {
    /// What programs do to a model when they write it.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Rewriting {
        /// All lengths times 100.
        Centimetres = "centimetres" => "in centimetres",
        /// What was up is along z.
        ZUp = "z-up" => "Z up",
        /// Each vertex keeps the two joints that it follows most.
        TwoInfluences = "two-influences" => "two influences",
        /// The mesh is stored elsewhere, and every inverse bind matrix takes it back.
        MovedMesh = "moved-mesh" => "moved mesh",
        /// Joints at the ends of chains are left out; what followed them follows their
        /// parents.
        NoEndJoints = "no-end-joints" => "no end joints",
        /// All joints have another name.
        OtherNames = "other-names" => "other names",
    }
}
