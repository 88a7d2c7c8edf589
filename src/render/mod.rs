//! three-d: turns a [`Scene`] into a picture, in a window or without one.
//!
//! Each view is drawn into a target of its own, and only when its scene has
//! changed; a paint callback puts the finished picture on the page. That keeps
//! egui's painting and our depth buffer, samples and colours out of each
//! other's way, and a page that stands still draws nothing.
//!
//! The only place with GL, `unsafe` and cgmath.

mod blit;
mod convert;
mod error;
mod feedback;
mod geometry;
#[cfg(not(target_arch = "wasm32"))]
pub mod headless;
mod limits;
mod palette;
mod picture;
mod shaders;
mod state;
mod target;
mod tint;

use std::collections::BTreeMap;
use std::sync::Arc;

use eframe::{egui, glow};
use image::RgbaImage;

pub use blit::Drawn;
pub use error::RenderError;
pub use feedback::GpuVertex;
pub use tint::WEIGHT_STOPS;

use blit::Blit;
use geometry::Geometry;
use palette::Palette;
use picture::{Picture, Programs};
use state::SavedState;
use target::Target;

use crate::notebook::GpuLimits;
use crate::notebook::scene::Scene;

/// Frames that a view's picture is kept without being asked for.
const KEPT_FRAMES: u64 = 60;

/// Tells views apart: one target each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ViewId(pub u64);

impl ViewId {
    /// From a name, such as a cell's path in its lesson.
    #[must_use]
    pub fn named(name: &str) -> Self {
        // FNV-1a: the same in every run.
        let hash = name.bytes().fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
        });
        Self(hash)
    }
}

/// Draws scenes. Lives as long as the GL context, which must be current
/// whenever a method is called, and when it is dropped.
pub struct Renderer {
    views: BTreeMap<ViewId, View>,
    /// Targets that the page may still show in the frame being painted.
    retired: Vec<(u64, Target)>,
    geometry: Geometry,
    palette: Palette,
    programs: Programs,
    blit: Blit,
    context: three_d::Context,
    gl: Arc<glow::Context>,
    limits: GpuLimits,
    frame: u64,
    draw_count: u64,
}

struct View {
    scene: Scene,
    target: Target,
    asked_in_frame: u64,
}

impl Renderer {
    /// Checks the GL and compiles all programs. Make one per context.
    ///
    /// # Errors
    /// When GL is older than 3.3 (ES: 3.0) or refuses a shader.
    pub fn new(gl: Arc<glow::Context>) -> Result<Self, RenderError> {
        let limits = limits::read(&gl)?;
        let saved = SavedState::save(&gl);
        let context = three_d::Context::from_gl_context(Arc::clone(&gl)).map_err(|error| {
            RenderError::OutOfMemory {
                what: "a vertex array".to_owned(),
                reason: error.to_string(),
            }
        })?;
        let renderer = Self {
            views: BTreeMap::new(),
            retired: Vec::new(),
            geometry: Geometry::default(),
            palette: Palette::new(&context, limits.texture_size),
            programs: Programs::new(&context)?,
            blit: Blit::new(&gl)?,
            context,
            gl,
            limits,
            frame: 0,
            draw_count: 0,
        };
        saved.restore(&renderer.gl);
        Ok(renderer)
    }

    /// What this GL allows.
    #[must_use]
    pub fn limits(&self) -> &GpuLimits {
        &self.limits
    }

    /// Pictures drawn so far: one more only when a scene has changed.
    #[must_use]
    pub fn draw_count(&self) -> u64 {
        self.draw_count
    }

    /// The picture of a scene; drawn anew only if the view's last scene was
    /// another. GL's bindings are left as they were.
    ///
    /// # Errors
    /// When GL has no memory for a picture of that size.
    pub fn draw(&mut self, view: ViewId, scene: &Scene) -> Result<Drawn, RenderError> {
        if let Some(view) = self.views.get_mut(&view)
            && view.scene == *scene
        {
            view.asked_in_frame = self.frame;
            return Ok(self.blit.drawn(&view.target));
        }
        let saved = SavedState::save(&self.gl);
        let drawn = self.draw_anew(view, scene);
        saved.restore(&self.gl);
        drawn
    }

    fn draw_anew(&mut self, id: ViewId, scene: &Scene) -> Result<Drawn, RenderError> {
        let target = self.target(id, scene.size)?;
        self.palette.fill(&self.context, &scene.palette);
        let has_own_lines = !scene.mesh.lines.is_empty();
        let (mesh, influences) = self.geometry.get(
            &self.context,
            &scene.mesh,
            &scene.influences,
            scene.lines || (scene.ghost && has_own_lines),
            self.limits.texture_size,
        );
        target.begin();
        Picture {
            programs: &self.programs,
            scene,
            mesh,
            influences,
            palette: &self.palette,
            size_px: target.used_px,
        }
        .draw();
        target.finish();
        self.draw_count += 1;
        let drawn = self.blit.drawn(&target);
        let view = View {
            scene: scene.clone(),
            target,
            asked_in_frame: self.frame,
        };
        self.views.insert(id, view);
        Ok(drawn)
    }

    /// The view's own target if it can hold that size, else a new one.
    fn target(&mut self, id: ViewId, size_px: [u32; 2]) -> Result<Target, RenderError> {
        let max_side = self.limits.texture_size;
        let size_px = target::fitting(size_px, max_side);
        if let Some(View { mut target, .. }) = self.views.remove(&id) {
            if target.resize(size_px) {
                return Ok(target);
            }
            self.retired.push((self.frame, target));
        }
        Target::new(&self.gl, size_px, max_side)
    }

    /// The shape that shows a picture in a rectangle of the page, within the
    /// clip of the painter it is added to.
    #[must_use]
    pub fn callback(drawn: Drawn, rect: egui::Rect) -> egui::PaintCallback {
        drawn.callback(rect)
    }

    /// The picture a view shows now, rows from top to bottom.
    ///
    /// # Errors
    /// When the view was not drawn, or not lately.
    pub fn read_pixels(&self, view: ViewId) -> Result<RgbaImage, RenderError> {
        let view = self.views.get(&view).ok_or(RenderError::NoSuchView)?;
        let saved = SavedState::save(&self.gl);
        let picture = view.target.read();
        saved.restore(&self.gl);
        Ok(picture)
    }

    /// Call once a frame, after all views were drawn: lets go of pictures that
    /// nobody asks for any more.
    pub fn end_frame(&mut self) {
        let frame = self.frame;
        self.views
            .retain(|_, view| view.asked_in_frame + KEPT_FRAMES >= frame);
        self.retired.retain(|&(retired_in, _)| retired_in >= frame);
        self.frame += 1;
    }

    /// Frees everything; the context must still be current. The same as
    /// dropping, with a name for `App::on_exit`.
    pub fn destroy(self) {
        drop(self);
    }
}
