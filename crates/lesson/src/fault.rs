//! What is done wrong on the way from a file to the picture.

use bindpose_skin::keyed;

keyed! {
    /// Something done wrong on the way from a file to the picture. Several can be on
    /// at once. Those of [`SkinningFault::OF_TEXTURE`] have no effect where the palette goes
    /// through uniforms.
    ///
    /// How far vertices go astray by these, as a part of the mesh's size, with every angle of
    /// the rig at 0.8 rad (a test holds the GPU to it,
    /// within a tenth):
    ///
    /// | fault | `bone_grid`, `texelFetch` | centres | `whale`, `texelFetch` | centres |
    /// | --- | --- | --- | --- | --- |
    /// | linear | 0 | 0 | 0 | 0 |
    /// | edge | 0 | 0.46 | 0 | 2.0 |
    /// | linear and edge | 0 | 0.39 | 0 | 0.96 |
    /// | half | 0.0003 | 0.0003 | 0.0003 | 0.0003 |
    /// | bytes | 0.39 | 0.39 | 1.1 | 1.1 |
    /// | transposed | 1.9 | 1.9 | 1.5 | 1.5 |
    /// | wrong width | 2.0 | 2.0 | 2.8 | 2.1 |
    ///
    /// A filter alone finds nothing to mix at the centres of texels, and
    /// `texelFetch` knows neither filters nor edges. A half keeps eleven bits: less
    /// than a pixel here, but 0.2 of 1000.3.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum SkinningFault {
        /// The filter is LINEAR instead of NEAREST.
        Linear = "linear",
        /// Coordinates without the half: the edges of texels instead of centres. On
        /// an edge rounding decides; here it always decides for the texel before.
        Edge = "edge",
        /// 16-bit floats instead of 32-bit.
        Half = "half",
        /// 8-bit colours from 0 to 1 instead of floats; stronger than `Half`.
        Bytes = "bytes",
        /// Rows of the matrix where its columns belong.
        Transposed = "transposed",
        /// The texture is five texels wide, not the four that a joint takes; the
        /// floats are uploaded one behind the other, and the shader does not know.
        WrongWidth = "wrong-width",
        /// Joint indices are taken for those of nodes of the file.
        NodeForJoint = "node-for-joint",
        /// One is subtracted from every joint index; 0 stays.
        JointsOffByOne = "joints-off-by-one",
        /// Joint indices of 16 bits are read as bytes: every other lane gets the high
        /// byte of the one before.
        ShortsAsBytes = "shorts-as-bytes",
        /// Each joint has the inverse bind matrix of the one before it, and the first
        /// has the identity.
        InverseBindsShifted = "inverse-binds-shifted",
        /// The inverse bind matrices are in the order of the joints' names.
        InverseBindsByName = "inverse-binds-by-name",
        /// The sixteen numbers of an inverse bind matrix fill rows, not columns.
        InverseBindsByRows = "inverse-binds-by-rows",
        /// Quaternions, at rest and in clips, are read with w first.
        QuaternionsWFirst = "quaternions-w-first",
        /// Weights are made bytes by leaving the fraction off.
        WeightsRoundedDown = "weights-rounded-down",
        /// Of the influences of a vertex only the first two are kept, as they are.
        InfluencesCut = "influences-cut",
        /// The last joint has no weight on any vertex.
        LastJointLost = "last-joint-lost",
        /// Vertices are turned from z up to y up, joints are not.
        MeshTurned = "mesh-turned",
        /// Vertices are mirrored at x = 0, joints are not.
        MeshMirrored = "mesh-mirrored",
        /// Vertices are in centimetres, joints in metres.
        MeshHundredfold = "mesh-hundredfold",
        /// Keys of a clip are put on top of the rest pose.
        KeysAsChanges = "keys-as-changes",
        /// Translations of a clip are in centimetres, joints in metres.
        ClipHundredfold = "clip-hundredfold",
        /// What a clip has no channel for is put to nothing, not left at rest.
        MissingChannelIdentity = "missing-channel-identity",
        /// Angles of joints in degrees are taken for radians.
        DegreesAsRadians = "degrees-as-radians",
        /// World matrices without those of the parents.
        ParentLeftOut = "parent-left-out",
        /// World matrices with that of the parent on the right of the local one.
        ParentOnTheRight = "parent-on-the-right",
        /// World matrices made with that of the parent at rest, which is what it was
        /// before this frame.
        ChildFirst = "child-first",
        /// The inverse bind matrix on the left of the world matrix.
        OrderSwapped = "order-swapped",
        /// The palette is that of a frame ago, where a clip plays.
        PreviousFrame = "previous-frame",
        /// The last column of each joint matrix is not sent.
        TranslationDropped = "translation-dropped",
        /// The matrix of the last joint is not sent: zeros.
        PaletteShort = "palette-short",
        /// The attribute of the weights is not enabled: every vertex gets 0, 0, 0, 1.
        WeightsNotBound = "weights-not-bound",
        /// Whole joint numbers are announced as floats: all arrive as 0.
        IndicesAsFloats = "indices-as-floats",
        /// Of the two quaternions for one rotation, each joint’s is added as it is.
        OneSided = "one-sided",
    }
}

impl SkinningFault {
    /// Those of the palette’s texture.
    pub const OF_TEXTURE: [Self; 6] =
        [Self::Linear, Self::Edge, Self::Half, Self::Bytes, Self::Transposed, Self::WrongWidth];
}
