//! Faults of skinning, to be switched on in the picture.

use bindpose_skin::keyed;

keyed! {
    /// A mistake between the file and the picture. Several can be on at once. Those in
    /// [`SkinningFault::OF_TEXTURE`] have no effect if the palette is in uniforms.
    ///
    /// Displacement of vertices by these faults, relative to the size of the mesh, with
    /// every angle of the rig at 0.8 rad. A test compares the GPU with this table, with a
    /// tolerance of a tenth:
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
    /// At texel centres a linear filter has nothing to mix, and `texelFetch` ignores filters
    /// and edges. A half float keeps eleven bits: less than a pixel here, but 0.2 of 1000.3.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum SkinningFault {
        /// The filter is LINEAR instead of NEAREST.
        Linear = "linear",
        /// Texture coordinates at the edges of texels instead of their centres. There
        /// rounding decides, here always for the previous texel.
        Edge = "edge",
        /// 16-bit floats instead of 32-bit.
        Half = "half",
        /// 8-bit colours from 0 to 1 instead of floats. Takes precedence over `Half`.
        Bytes = "bytes",
        /// Matrices are stored by rows instead of columns.
        Transposed = "transposed",
        /// The texture is five texels wide instead of the four per joint. The floats are
        /// uploaded without gaps, and the shader assumes four.
        WrongWidth = "wrong-width",
        /// Joint indices are used as indices of nodes in the file.
        NodeForJoint = "node-for-joint",
        /// One is subtracted from every joint index except 0.
        JointsOffByOne = "joints-off-by-one",
        /// 16-bit joint indices are read as bytes: every other lane gets the high byte of
        /// the previous one.
        ShortsAsBytes = "shorts-as-bytes",
        /// Each joint has the inverse bind matrix of the previous joint, and the first has
        /// the identity.
        InverseBindsShifted = "inverse-binds-shifted",
        /// Inverse bind matrices are sorted by the names of the joints.
        InverseBindsByName = "inverse-binds-by-name",
        /// The sixteen numbers of an inverse bind matrix are read as rows instead of columns.
        InverseBindsByRows = "inverse-binds-by-rows",
        /// Quaternions of rest pose and clips are read with w first.
        QuaternionsWFirst = "quaternions-w-first",
        /// Weights are converted to bytes by truncation.
        WeightsRoundedDown = "weights-rounded-down",
        /// Only the first two influences of a vertex are kept, without normalisation.
        InfluencesCut = "influences-cut",
        /// The last joint has no weight on any vertex.
        LastJointLost = "last-joint-lost",
        /// Vertices are rotated from z up to y up, joints are not.
        MeshTurned = "mesh-turned",
        /// Vertices are mirrored at x = 0, joints are not.
        MeshMirrored = "mesh-mirrored",
        /// Vertices are in centimetres, joints in metres.
        MeshHundredfold = "mesh-hundredfold",
        /// Keys of a clip are applied on top of the rest pose.
        KeysAsChanges = "keys-as-changes",
        /// Translations of a clip are in centimetres, joints in metres.
        ClipHundredfold = "clip-hundredfold",
        /// Properties without a channel in a clip are the identity instead of the rest pose.
        MissingChannelIdentity = "missing-channel-identity",
        /// Angles of joints in degrees are used as radians.
        DegreesAsRadians = "degrees-as-radians",
        /// World matrices lack those of the parents.
        ParentLeftOut = "parent-left-out",
        /// World matrices have the parent's matrix to the right of the local one.
        ParentOnTheRight = "parent-on-the-right",
        /// World matrices use the parent's matrix at rest, which it had before this frame.
        ChildFirst = "child-first",
        /// The inverse bind matrix is to the left of the world matrix.
        OrderSwapped = "order-swapped",
        /// The palette is that of the previous frame while a clip plays.
        PreviousFrame = "previous-frame",
        /// The last column of each joint matrix is not uploaded.
        TranslationDropped = "translation-dropped",
        /// The matrix of the last joint is not uploaded and stays zero.
        PaletteShort = "palette-short",
        /// The weights attribute is not enabled: every vertex gets 0, 0, 0, 1.
        WeightsNotBound = "weights-not-bound",
        /// Integer joint indices are declared as floats: all arrive as 0.
        IndicesAsFloats = "indices-as-floats",
        /// Quaternions are added without choosing the nearer of the two signs.
        OneSided = "one-sided",
    }
}

impl SkinningFault {
    /// Faults of the palette texture.
    pub const OF_TEXTURE: [Self; 6] =
        [Self::Linear, Self::Edge, Self::Half, Self::Bytes, Self::Transposed, Self::WrongWidth];
}
