//! Rectangle and camera of a picture.

use bindpose_notebook::camera::{Camera, Ray};
use eframe::egui::{Pos2, Rect, vec2};
use glam::{Mat4, Vec2, Vec3};

/// A picture's rectangle on the page and its camera. Together they map world points to the
/// screen and back.
#[derive(Clone, Copy)]
pub(in crate::cells) struct PictureView {
    pub(super) camera: Camera,
    pub(super) rect: Rect,
    /// Cached because a frame projects many points.
    clip_from_world: Mat4,
}

impl PictureView {
    pub(super) fn new(camera: &Camera, rect: Rect) -> Self {
        let aspect = rect.width() / rect.height().max(1.0);
        Self { camera: *camera, rect, clip_from_world: camera.clip_from_world(aspect) }
    }

    /// Size of the picture, in points.
    pub(super) fn size(&self) -> Vec2 {
        Vec2::new(self.rect.width(), self.rect.height())
    }

    /// Screen position relative to the picture's upper left corner.
    pub(super) fn local_from_screen(&self, at: Pos2) -> Vec2 {
        Vec2::new(at.x - self.rect.left(), at.y - self.rect.top())
    }

    /// Screen position of a world point. Returns `None` behind the eye and for points that are
    /// not finite.
    pub(super) fn project(&self, point_in_world: Vec3) -> Option<Pos2> {
        let local = self.project_local(point_in_world)?;
        Some(self.rect.min + vec2(local.x, local.y))
    }

    /// Like [`Self::project`], relative to the picture's upper left corner.
    pub(super) fn project_local(&self, point_in_world: Vec3) -> Option<Vec2> {
        Camera::project_with(self.clip_from_world, point_in_world, self.size())
    }

    /// Line of sight through a screen position.
    pub(super) fn ray(&self, at: Pos2) -> Ray {
        self.camera.ray(self.local_from_screen(at), self.size())
    }

    /// World point under a screen position, on the plane through `point` with this `normal`.
    /// Returns `None` if the plane is seen edge-on or behind the eye.
    pub(super) fn point_on_plane(&self, at: Pos2, point: Vec3, normal: Vec3) -> Option<Vec3> {
        self.camera.on_plane(self.local_from_screen(at), self.size(), point, normal)
    }
}
