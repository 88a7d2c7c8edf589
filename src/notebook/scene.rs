//! What a viewport draws in GL: a plain value, made by the app, read by the
//! renderer. Two equal scenes give the same picture, so an equal one is not
//! drawn again.

use std::sync::Arc;

use glam::{Mat4, Vec3};

use super::camera::Camera;
use crate::asset::Mesh;
use crate::lesson::Tint;
use crate::skin::{Blend, Influences, JointIndex};

/// One picture. Joints, axes, numbers and markers are not in it: the page draws
/// them over it.
#[derive(Clone, Debug)]
pub struct Scene {
    /// In pixels.
    pub size: [u32; 2],
    /// Where it is seen from.
    pub camera: Camera,
    /// Vertices as stored.
    pub mesh: Arc<Mesh>,
    /// One per vertex, with the learner's edits.
    pub influences: Arc<[Influences]>,
    /// What vertices are moved with, one per joint.
    pub palette: Arc<[Mat4]>,
    /// Which of a vertex's joints move it.
    pub blend: Blend,
    /// Draw the lit surface.
    pub surface: bool,
    /// Draw the mesh's lines, or the edges of its triangles.
    pub lines: bool,
    /// Draw the mesh as stored, faint.
    pub ghost: bool,
    /// Draw the ground: spacing of its lines in world units.
    pub grid: Option<Grid>,
    /// What colours the surface.
    pub tint: Tint,
    /// The joint whose weight [`Tint::Weight`] shows.
    pub tint_joint: JointIndex,
    /// Colours of the theme.
    pub colors: SceneColors,
}

/// Lines in a plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// Distance between lines, in world units.
    pub spacing: f32,
    /// Lines reach this far from the origin.
    pub extent: f32,
    /// The plane: `true` is the ground (xz), `false` the picture plane (xy).
    pub ground: bool,
    /// Height of the ground, or depth of the picture plane.
    pub at: f32,
}

/// sRGB, 0 to 255.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SceneColors {
    /// Top of the background.
    pub background_top: [u8; 3],
    /// Bottom of the background.
    pub background_bottom: [u8; 3],
    /// A surface without a colour of its own.
    pub surface: [u8; 3],
    /// Lines of the mesh.
    pub line: [u8; 3],
    /// The bind-pose ghost.
    pub ghost: [u8; 3],
    /// Lines of the ground.
    pub grid: [u8; 3],
    /// Joint colours, in order, then again from the start.
    pub joints: [[u8; 3]; 6],
}

impl PartialEq for Scene {
    /// Shared data is compared by pointer first, then by value: a mesh of a
    /// million vertices must not be walked each frame.
    fn eq(&self, other: &Self) -> bool {
        let Self {
            size,
            camera,
            mesh,
            influences,
            palette,
            blend,
            surface,
            lines,
            ghost,
            grid,
            tint,
            tint_joint,
            colors,
        } = self;
        *size == other.size
            && *camera == other.camera
            && Arc::ptr_eq(mesh, &other.mesh)
            && Arc::ptr_eq(influences, &other.influences)
            && (Arc::ptr_eq(palette, &other.palette) || palette == &other.palette)
            && *blend == other.blend
            && *surface == other.surface
            && *lines == other.lines
            && *ghost == other.ghost
            && *grid == other.grid
            && *tint == other.tint
            && *tint_joint == other.tint_joint
            && *colors == other.colors
    }
}

impl Scene {
    /// Direction towards the light, in world space.
    #[must_use]
    pub fn light() -> Vec3 {
        Vec3::new(-1.0, 3.0, 5.0).normalize_or_zero()
    }
}
