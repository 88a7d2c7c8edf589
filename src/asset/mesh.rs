//! Vertex data in bind space.

use glam::{Vec2, Vec3, Vec4};

use crate::skin::Influences;

/// A skinned mesh as stored: everything in bind space, one entry per vertex.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// `POSITION`.
    pub positions: Vec<Vec3>,
    /// `NORMAL`, unit length. As many as positions.
    pub normals: Vec<Vec3>,
    /// `TANGENT`: xyz unit length, w the handedness ±1. Empty when absent.
    pub tangents: Vec<Vec4>,
    /// `TEXCOORD_0`, origin at the top left of the image. Empty when absent.
    pub uvs: Vec<Vec2>,
    /// `JOINTS_n` and `WEIGHTS_n`. As many as positions.
    pub influences: Vec<Influences>,
    /// Indices of the corners, counter-clockwise seen from outside. A flat rig
    /// may have none.
    pub triangles: Vec<[u32; 3]>,
    /// Lines that belong to the drawing itself, as in the bone grid. Empty for
    /// solid models.
    pub lines: Vec<[u32; 2]>,
    /// Base colour, if the model has an image for it.
    pub base_color: Option<Image>,
}

impl Mesh {
    /// Lanes that some vertex uses: 0 to 8.
    #[must_use]
    pub fn lanes(&self) -> usize {
        self.influences
            .iter()
            .map(Influences::lanes)
            .max()
            .unwrap_or(0)
    }

    /// Smallest box around the stored positions: (min, max). Zero when empty.
    #[must_use]
    pub fn bounds(&self) -> (Vec3, Vec3) {
        bounds_of(&self.positions)
    }
}

/// Smallest box around points: (min, max). Zero when there are none.
#[must_use]
pub fn bounds_of(points: &[Vec3]) -> (Vec3, Vec3) {
    let Some(&first) = points.first() else {
        return (Vec3::ZERO, Vec3::ZERO);
    };
    points
        .iter()
        .fold((first, first), |(low, high), &p| (low.min(p), high.max(p)))
}

/// An sRGB image, rows from top to bottom.
#[derive(Clone, PartialEq, Eq)]
pub struct Image {
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
    /// RGBA, 4 bytes a pixel.
    pub rgba: Vec<u8>,
}

impl std::fmt::Debug for Image {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Image({} × {})", self.width, self.height)
    }
}
