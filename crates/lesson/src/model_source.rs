//! Sources of a model: which file is read, how its bytes are interpreted, and the second
//! model that the page compares with its own.

use std::collections::BTreeSet;

use bindpose_skin::keyed;

keyed! {
    /// Alternative files of the same model, for rigs that have them.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum FileVariant {
        /// The default file of the rig.
        #[default]
        Usual = "usual",
        /// Weights stored as normalised bytes.
        ByteWeights = "byte-weights",
        /// Some positions replaced by a sparse accessor.
        Sparse = "sparse",
        /// JSON and binary data in one file.
        Glb = "glb",
    }
}

keyed! {
    /// Interpretation of the file: correct, or with one rule of the format broken on purpose.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum FileReading {
        /// Follows the format.
        #[default]
        AsStored = "as-stored",
        /// Ignores every `byteStride` and reads elements as if tightly packed.
        StrideIgnored = "stride-ignored",
        /// Ignores `normalized` on accessors: byte weights are 0 to 255, and are not
        /// divided by their sum.
        NormalizedIgnored = "normalized-ignored",
    }
}

/// The second model, for comparison with the model of the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ComparedModel {
    /// The model of the page after a program wrote it with these changes. With no
    /// changes, the model itself.
    Written(BTreeSet<Rewriting>),
    /// A built-in rig, by its id.
    BuiltIn(String),
    /// A file that the reader opened for comparison.
    Opened,
    /// The reader's own model that was open before the current one.
    Before,
}

impl Default for ComparedModel {
    fn default() -> Self {
        Self::Written(BTreeSet::new())
    }
}

keyed! {
    /// Changes that programs make to a model when they write it.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Rewriting {
        /// Multiplies all lengths by 100.
        Centimetres = "centimetres" => "in centimetres",
        /// Changes the up axis to z.
        ZUp = "z-up" => "Z up",
        /// Keeps only the two largest influences of each vertex.
        TwoInfluences = "two-influences" => "two influences",
        /// Moves the stored mesh, and compensates in every inverse bind matrix.
        MovedMesh = "moved-mesh" => "moved mesh",
        /// Removes the joints at the ends of chains; their vertices follow the parents.
        NoEndJoints = "no-end-joints" => "no end joints",
        /// Renames all joints.
        OtherNames = "other-names" => "other names",
    }
}
