//! What a viewport shows in one frame, from the lesson's cell, the document and
//! what follows from it: no screen is needed to say.

mod drawn_skinning;
mod fit;
mod framing;
mod grid;
mod last_finite;
mod legend_room;
mod picture_motion;
mod surface_pick;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use bindpose_lesson::{Projection, Show, Tint, View, ViewportCell};
use glam::{Vec2, Vec3};

use super::camera::Camera;
use super::scene::{Scene, SceneColors, SkinningOptions};
use super::{Derived, Document, GpuLimits, sum_errors, tint_most, weight_errors};
use drawn_skinning::DrawnSkinning;
pub use framing::{framed_camera, hold_poses};
pub use grid::GridNumber;
pub use last_finite::{LastFinite, first_not_finite};
pub use picture_motion::PictureMotion;
pub use surface_pick::{SurfaceHit, hit_at, vertex_at};

/// What is drawn where neither reader, step nor cell says.
const SHOWN: &[Show] = &[Show::Mesh, Show::Joints];

/// What one picture shows in one frame, worked out once: camera, scene, overlay,
/// legend and words all read this.
#[derive(Debug)]
pub struct ViewportFrame<'a> {
    /// What the lesson says of the picture.
    pub cell: &'a ViewportCell,
    /// The state of the page.
    pub document: &'a Document,
    /// What follows from it.
    pub derived: &'a Derived,
    /// What is drawn: the reader's choice, or the step's, or the cell's.
    pub show: &'a [Show],
    /// Where it is seen from until a reader moves the camera, chosen likewise.
    pub view: View,
    /// What colours the surface, chosen likewise.
    pub tint: Tint,
    /// What gets the brightest colour; see [`tint_most`].
    pub tint_most: f32,
    drawn: DrawnSkinning,
}

impl<'a> ViewportFrame<'a> {
    /// `derived` is what follows from `document`; `limits` are this machine's,
    /// `None` without GL.
    pub fn new(
        cell: &'a ViewportCell,
        document: &'a Document,
        derived: &'a Derived,
        limits: Option<&GpuLimits>,
    ) -> Self {
        let state = &document.state;
        let show = state.show.as_deref().or(cell.show.as_deref());
        let tint = state.tint.unwrap_or(cell.tint);
        Self {
            cell,
            document,
            derived,
            show: show.unwrap_or(SHOWN),
            view: state.view.unwrap_or(cell.view),
            tint,
            tint_most: tint_most(derived, tint),
            drawn: DrawnSkinning::new(derived.in_force(document), derived, limits),
        }
    }

    /// Is this among what is drawn?
    pub fn shows(&self, what: Show) -> bool {
        self.show.contains(&what)
    }

    /// What a reader must know of the way to the picture, in sentences; absent
    /// where it is the one that was asked for.
    pub fn notice(&self) -> Option<&str> {
        self.drawn.notice.as_deref()
    }

    /// The plain value that the renderer draws, in a picture of this many pixels.
    pub fn scene(&self, camera: &Camera, size: [u32; 2], colors: SceneColors) -> Scene {
        let derived = self.derived;
        let mut scene = Scene {
            size,
            camera: *camera,
            mesh: Arc::clone(&derived.rig.mesh),
            morphed: derived.morphed().cloned(),
            influences: derived.influences.clone(),
            palette: Arc::clone(&derived.palette),
            blend: derived.blend,
            skinning: SkinningOptions::default(),
            crowd: derived.crowd().cloned(),
            surface: self.shows(Show::Mesh),
            lines: self.shows(Show::Lines),
            ghost: self.shows(Show::Ghost),
            rest_ghost: self.shows(Show::RestGhost).then(|| Arc::clone(derived.at_rest())),
            grid: self.shows(Show::Grid).then(|| grid::grid(self.document, derived, camera)),
            normals: self.shows(Show::Normals),
            tint: self.tint,
            tint_most: self.tint_most,
            scalars: match self.tint {
                Tint::SumError => sum_errors(derived).map(Arc::clone),
                Tint::WeightError => Some(Arc::clone(weight_errors(derived))),
                _ => None,
            },
            tint_joint: self.document.state.joint,
            awaited_images: derived.rig.mesh.awaited_images(),
            colors,
        };
        self.drawn.apply(&mut scene, self.document);
        scene
    }

    /// The numbers of the lines of a flat model's grid, where the frame shows it
    /// and the picture of this size, in points, faces it.
    pub fn grid_numbers(&self, camera: &Camera, picture: Vec2) -> Vec<GridNumber> {
        if !self.shows(Show::Grid) {
            return Vec::new();
        }
        let grid = grid::grid(self.document, self.derived, camera);
        grid::numbers(&grid, camera, picture)
    }

    /// [`Self::scene`] in one pixel from anywhere: for what is computed of it and
    /// does not depend on where it is seen from.
    pub fn scene_without_view(&self, colors: SceneColors) -> Scene {
        let camera = Camera {
            target: Vec3::ZERO,
            yaw_rad: 0.0,
            pitch_rad: 0.0,
            height: 1.0,
            projection: Projection::Orthographic,
        };
        self.scene(&camera, [1, 1], colors)
    }
}
