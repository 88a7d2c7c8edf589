//! Measurements of a mesh's surface.

/// Volume and area of a mesh, in the units of its vertex positions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Surface {
    /// The enclosed volume, negative if the triangles face inwards, as after a reflection. A
    /// volume enclosed by several parts counts once for each.
    pub volume: f64,
    /// The sum of the areas of all triangles.
    pub area: f64,
}
