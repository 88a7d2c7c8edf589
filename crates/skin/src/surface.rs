//! How large a surface is, and what it encloses.

/// Of a mesh's triangles, wherever its vertices are.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Surface {
    /// What is enclosed; negative where the triangles face inwards, as in a
    /// mirror. What several parts enclose together counts for each.
    pub volume: f64,
    /// Of all triangles.
    pub area: f64,
}
