//! Draws a [`Scene`] with three-d, in a window or without one.
//!
//! Each view has its own render target, which is redrawn only when its scene changes. A paint
//! callback copies the finished picture to the page. The GL state of egui and that of the
//! renderer therefore do not interfere, and a page without changes draws nothing.
//!
//! This is the only crate with GL, `unsafe` and cgmath.

mod blit;
mod buffers;
mod error;
mod geometry;
mod gl_program;
mod gl_state;
#[cfg(not(target_arch = "wasm32"))]
pub mod headless;
mod limits;
mod material;
mod motion;
mod normal_choice;
mod page_target;
mod palette;
mod picture;
mod program;
mod program_cache;
mod render_target;
mod shader_variant;
mod shaders;
mod surface;
mod transform_feedback;
mod upload_cache;
mod view;

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use bindpose_notebook::palette_plan::TransportLimit;
use bindpose_notebook::scene::Scene;
use bindpose_notebook::{DrawnWith, GpuLimits, ShaderReport, VertexShader, glsl};
use bindpose_skin::SharedInfluences;
use eframe::{egui, glow};
use image::RgbaImage;

use blit::Blit;
use buffers::Context;
use geometry::GeometryCache;
use gl_state::SavedState;
use motion::MotionTracker;
use palette::PaletteUpload;
use picture::{PicturePass, SkinPrograms};
use program_cache::{ProgramCache, ProgramUse, SkinProgram};
use render_target::{RenderTarget, SAMPLES};
use shader_variant::{InfluenceSummary, SkinVariant};
use upload_cache::{CrowdCache, UploadCache};
use view::{CachedView, Quality, ViewTargets};

pub use blit::DrawnPicture;
pub use error::RenderError;
pub use motion::{FrameTime, MovingPictures};
pub use page_target::{PageTarget, apply_textures};
pub use render_target::PixelRead;
pub use surface::WEIGHT_STOPS;
pub use transform_feedback::GpuVertex;
pub use view::ViewId;

/// Number of frames for which the picture of an unused view is kept.
const MAX_UNUSED_FRAMES: u64 = 60;

/// Draws scenes and caches their pictures.
///
/// The GL context must be current whenever a method is called, and when the renderer is dropped.
pub struct Renderer {
    views: BTreeMap<ViewId, CachedView>,
    /// Replaced targets that the page may still show, with the frame of their replacement.
    retired_targets: Vec<(u64, RenderTarget)>,
    geometry: GeometryCache,
    crowds: CrowdCache,
    uploads: UploadCache,
    palette: PaletteUpload,
    programs: ProgramCache,
    blit: Blit,
    context: Context,
    gl: Arc<glow::Context>,
    limits: GpuLimits,
    /// See [`GpuLimits::draws_in_software`].
    draws_in_software: bool,
    /// `None` if moving pictures are drawn at full quality too.
    motion: Option<MotionTracker>,
    frame: u64,
    draw_count: u64,
    report_count: u64,
}

impl Renderer {
    /// Returns the GL context of the renderer.
    pub fn gl(&self) -> Arc<glow::Context> {
        Arc::clone(&self.gl)
    }

    /// Checks the GL version and compiles the shaders that every picture needs. A context needs
    /// only one renderer.
    ///
    /// # Errors
    /// If GL is older than 3.3 (ES: 3.0), or the driver rejects a shader.
    pub fn new(gl: Arc<glow::Context>) -> Result<Self, RenderError> {
        let limits = limits::query_limits(&gl)?;
        let saved = SavedState::save(&gl);
        let context = buffers::wrap_context(&gl)?;
        let renderer = Self {
            views: BTreeMap::new(),
            retired_targets: Vec::new(),
            geometry: GeometryCache::default(),
            crowds: CrowdCache::default(),
            uploads: UploadCache::default(),
            palette: PaletteUpload::default(),
            programs: ProgramCache::new(&context)?,
            blit: Blit::new(&gl)?,
            context,
            gl,
            draws_in_software: limits.draws_in_software(),
            limits,
            motion: None,
            frame: 0,
            draw_count: 0,
            report_count: 0,
        };
        saved.restore(&renderer.gl);
        Ok(renderer)
    }

    /// Returns the limits of the GL context.
    pub fn limits(&self) -> &GpuLimits {
        &self.limits
    }

    /// Number of pictures drawn so far. Grows only when a scene changes.
    pub fn draw_count(&self) -> u64 {
        self.draw_count
    }

    /// Returns the built-in vertex shader for the surface of a scene, even if the scene has a
    /// shader of the reader.
    ///
    /// # Errors
    /// If the palette does not fit the transport of the scene.
    pub fn vertex_shader(&self, scene: &Scene) -> Result<VertexShader, TransportLimit> {
        let influences = InfluenceSummary::new(&scene.influences);
        let (variant, _) = SkinVariant::new(scene, influences, &self.limits)?;
        // Declares everything that the reader's shader may use.
        let viewed = SkinVariant { viewed: true, ..variant.alone() };
        Ok(shaders::vertex_shader(&viewed))
    }

    /// Returns the report on the reader's shader in the last picture of a view, or `None` if the
    /// scene has no such shader.
    pub fn shader_report(&self, view: ViewId) -> Option<&ShaderReport> {
        self.views.get(&view)?.shader_report.as_ref()
    }

    /// Returns the report on a shader text, from the most recently used view that was drawn with
    /// it. Returns `None` if there is no such view.
    pub fn report_of_text(&self, text: &str) -> Option<&ShaderReport> {
        self.views
            .values()
            .filter(|view| view.scene.skinning.shader.as_deref() == Some(text))
            .max_by_key(|view| view.last_used_frame)?
            .shader_report
            .as_ref()
    }

    /// Number of changes to the shader reports so far, over all views.
    pub fn report_count(&self) -> u64 {
        self.report_count
    }

    /// Returns the picture of a scene. Draws it only if the scene of the view has changed, and
    /// restores the bindings of GL.
    ///
    /// A reader's shader that does not compile is not an error: see [`Self::shader_report`].
    ///
    /// # Errors
    /// If the palette does not fit the transport of the scene, or GL has not enough memory for a
    /// picture of that size.
    pub fn draw(&mut self, view: ViewId, scene: &Scene) -> Result<DrawnPicture, RenderError> {
        let is_unchanged = self.views.get(&view).is_some_and(|view| view.scene == *scene);
        self.draw_unless_cached(view, scene, is_unchanged, Quality::Full)
    }

    /// Draws a scene as [`Self::draw`] does, but with reduced quality while it moves if
    /// [`Self::set_moving`] allows it and a frame would take too long otherwise.
    /// [`Self::next_frame`] returns when to draw it again at full quality.
    ///
    /// # Errors
    /// See [`Self::draw`].
    pub fn draw_in_time(&mut self, id: ViewId, scene: &Scene) -> Result<DrawnPicture, RenderError> {
        let (Some(motion), Some(view)) = (&mut self.motion, self.views.get(&id)) else {
            return self.draw(id, scene);
        };
        let is_unchanged = view.scene == *scene;
        let quality = motion.choose_quality(id, !is_unchanged, view.targets.shown_quality());
        self.draw_unless_cached(id, scene, is_unchanged, quality)
    }

    /// Sets the quality of pictures in motion.
    pub fn set_moving(&mut self, moving: MovingPictures) {
        self.motion = (moving == MovingPictures::InTime).then(MotionTracker::new);
    }

    /// Must be called once per frame, before the pictures of the frame are drawn.
    pub fn begin_frame(&mut self, time: FrameTime) {
        if let Some(motion) = &mut self.motion {
            motion.begin_frame(time);
        }
    }

    /// Returns the delay until the page should draw another frame, either to measure the
    /// current one or to redraw a picture at full quality. Returns `None` if no frame is needed.
    pub fn next_frame(&self) -> Option<Duration> {
        self.motion.as_ref()?.next_frame
    }

    /// Returns the cached picture if the scene `is_unchanged` and the quality is the same.
    fn draw_unless_cached(
        &mut self,
        id: ViewId,
        scene: &Scene,
        is_unchanged: bool,
        quality: Quality,
    ) -> Result<DrawnPicture, RenderError> {
        if let Some(view) = self.views.get_mut(&id) {
            if is_unchanged
                && view.targets.shown_quality() == quality
                && let Some(target) = view.targets.shown_target()
            {
                view.last_used_frame = self.frame;
                return Ok(self.blit.picture_of(target));
            }
            // Buffers are reused for the new influences only if no scene holds the old ones.
            view.scene.influences = SharedInfluences::default();
        }
        let saved = SavedState::save(&self.gl);
        let picture = self.redraw(id, scene, quality);
        saved.restore(&self.gl);
        picture
    }

    fn redraw(
        &mut self,
        id: ViewId,
        scene: &Scene,
        quality: Quality,
    ) -> Result<DrawnPicture, RenderError> {
        let variant = self.prepare_palette(scene)?;
        let (skinned, mut shader_report) = self.compile_skin_programs(id, variant, scene)?;
        if let Some(report) = &mut shader_report {
            if report.findings.is_empty() {
                report.notes = self.probe_shader(scene);
            }
            let is_same_report = self.views.get(&id).is_some_and(|view| {
                view.shader_report.as_ref() == Some(&*report)
                    && view.scene.skinning.shader == scene.skinning.shader
            });
            if !is_same_report {
                self.report_count += 1;
            }
        }
        let last_good_shader = match &shader_report {
            Some(report) if report.findings.is_empty() => {
                let kind = glsl::ShaderKind::from_scene(scene);
                scene.skinning.shader.clone().map(|text| (kind, text))
            }
            Some(_) => self.views.get(&id).and_then(|view| view.last_good_shader.clone()),
            // The built-in shader is as good as an earlier one of the reader.
            None => None,
        };
        let view = self.views.remove(&id);
        let mut targets = view.map(|view| view.targets).unwrap_or_default();
        let target = self.take_target(&mut targets, scene.size, quality)?;
        let (mesh, influences) = self.geometry.get(
            &self.context,
            scene,
            skinned.lines.is_some() || skinned.ghost_lines.is_some(),
            self.limits.texture_size,
        );
        let crowd = scene.crowd.as_ref();
        target.begin(!self.draws_in_software);
        PicturePass {
            programs: &self.programs,
            skinned: &skinned,
            scene,
            mesh,
            influences,
            crowd: crowd.map(|crowd| self.crowds.get(&self.context, crowd)),
            uploads: &self.uploads,
            palette: &self.palette,
            size_px: target.used_px,
        }
        .draw();
        target.resolve_samples();
        self.draw_count += 1;
        let picture = self.blit.picture_of(targets.show(quality, target));
        let view = CachedView {
            scene: scene.clone(),
            targets,
            shader_report,
            last_good_shader,
            last_used_frame: self.frame,
        };
        self.views.insert(id, view);
        Ok(picture)
    }

    /// Runs the reader's shader and returns notes on suspicious results. Returns none if the
    /// results cannot be read back.
    fn probe_shader(&mut self, scene: &Scene) -> Vec<String> {
        let Ok(vertices) = self.skin_and_read(scene) else {
            return Vec::new();
        };
        glsl::probe(&glsl::ShaderOutput {
            position_in_clip: &vertices.iter().map(|v| v.position_in_clip).collect::<Vec<_>>(),
            position_in_world: &vertices.iter().map(|v| v.position_in_world).collect::<Vec<_>>(),
            normal_in_world: &vertices.iter().map(|v| v.normal_in_world).collect::<Vec<_>>(),
            triangles: &scene.mesh.triangles,
        })
    }

    /// Uploads the palette of a scene and returns the shader variant that reads it.
    fn prepare_palette(&mut self, scene: &Scene) -> Result<SkinVariant, RenderError> {
        let (_, influences) =
            self.geometry.get(&self.context, scene, false, self.limits.texture_size);
        let (variant, plan) = SkinVariant::new(scene, influences.summary, &self.limits)?;
        self.palette.upload(&self.context, plan, scene);
        Ok(variant)
    }

    /// Compiles the programs that a picture needs, or takes them from the cache.
    fn compile_skin_programs(
        &mut self,
        view: ViewId,
        variant: SkinVariant,
        scene: &Scene,
    ) -> Result<(SkinPrograms, Option<ShaderReport>), RenderError> {
        let has_own_lines = !scene.mesh.lines.is_empty() || geometry::is_points(&scene.mesh);
        let mut skinned = SkinPrograms::default();
        let mut shader_report = None;
        if scene.surface {
            let (surface, report) = self.compile_surface_program(Some(view), variant, scene)?;
            skinned.surface = Some(surface);
            shader_report = report;
        }
        let context = &self.context;
        if scene.ghost || scene.rest_ghost.is_some() {
            let still = variant.still();
            if has_own_lines {
                let lines = self.programs.built_in(context, ProgramUse::Line, still)?;
                skinned.ghost_lines = Some(lines);
            } else {
                let surface = self.programs.built_in(context, ProgramUse::Ghost, still)?;
                skinned.ghost = Some(surface);
            }
        }
        if scene.lines {
            let lines = self.programs.built_in(context, ProgramUse::Line, variant.alone())?;
            skinned.lines = Some(lines);
        }
        if scene.normals {
            let normals =
                self.programs.built_in(context, ProgramUse::NormalLine, variant.alone())?;
            skinned.normals = Some(normals);
        }
        Ok((skinned, shader_report))
    }

    /// Compiles the surface program from the reader's text. Falls back to the last text of the
    /// view that compiled, then to the built-in shader.
    fn compile_surface_program(
        &mut self,
        view: Option<ViewId>,
        variant: SkinVariant,
        scene: &Scene,
    ) -> Result<(Rc<SkinProgram>, Option<ShaderReport>), RenderError> {
        let Some(body) = &scene.skinning.shader else {
            let built_in = self.programs.built_in(&self.context, ProgramUse::Surface, variant)?;
            return Ok((built_in, None));
        };
        let crowd = scene.crowd.as_ref();
        let instances = crowd.map_or(1, |crowd| crowd.world_from_instance.len().max(1));
        let runs = scene.mesh.positions.len().saturating_mul(instances);
        let findings = match self.programs.custom(&self.context, variant, body) {
            Ok(program) => match glsl::too_long(program.loop_iterations, runs) {
                None => return Ok((program, Some(ShaderReport::default()))),
                Some(finding) => vec![finding],
            },
            Err(findings) => findings.to_vec(),
        };
        let last_good = view
            .and_then(|view| self.views.get(&view)?.last_good_shader.clone())
            .filter(|(kind, _)| *kind == glsl::ShaderKind::from_scene(scene))
            .and_then(|(_, body)| self.programs.custom(&self.context, variant, &body).ok())
            .filter(|program| glsl::too_long(program.loop_iterations, runs).is_none());
        let (program, drawn_with) = if let Some(program) = last_good {
            (program, DrawnWith::LastGood)
        } else {
            let built_in = self.programs.built_in(&self.context, ProgramUse::Surface, variant)?;
            (built_in, DrawnWith::Ours)
        };
        let report = ShaderReport { findings, notes: Vec::new(), drawn_with };
        Ok((program, Some(report)))
    }

    /// Takes the existing target of a view if it fits the size, or else creates a new one.
    fn take_target(
        &mut self,
        targets: &mut ViewTargets,
        size_px: [u32; 2],
        quality: Quality,
    ) -> Result<RenderTarget, RenderError> {
        let max_side = self.limits.texture_size;
        let factor = quality.downscale_factor();
        let size_px = render_target::fit_size(size_px.map(|side| side.div_ceil(factor)), max_side);
        let mut is_resizing = false;
        if let Some(mut target) = targets.take(quality) {
            is_resizing = target.used_px != size_px;
            if target.resize(size_px) {
                return Ok(target);
            }
            self.retired_targets.push((self.frame, target));
        }
        let samples = if quality == Quality::Full { SAMPLES } else { 1 };
        RenderTarget::new(&self.gl, size_px, max_side, is_resizing, samples)
    }

    /// Returns the paint callback that shows a picture in a rectangle of the page. The picture is
    /// clipped to the clip rectangle of the painter.
    pub fn callback(drawn: DrawnPicture, rect: egui::Rect) -> egui::PaintCallback {
        drawn.callback(rect)
    }

    /// Reads back the current picture of a view, with rows from top to bottom.
    ///
    /// # Errors
    /// [`RenderError::NoSuchView`] if the view was not drawn, or its picture has been freed.
    pub fn read_pixels(&self, view: ViewId) -> Result<RgbaImage, RenderError> {
        let target = self.shown_target(view)?;
        let saved = SavedState::save(&self.gl);
        let picture = target.read();
        saved.restore(&self.gl);
        Ok(picture)
    }

    /// Starts to read back the current picture of a view, without waiting for the GPU.
    ///
    /// # Errors
    /// [`RenderError::NoSuchView`] as for [`Self::read_pixels`], and
    /// [`RenderError::OutOfMemory`] if GL cannot create the buffer.
    pub fn begin_to_read(&self, view: ViewId) -> Result<PixelRead, RenderError> {
        let target = self.shown_target(view)?;
        let saved = SavedState::save(&self.gl);
        let pixel_read = target.start_pixel_read();
        saved.restore(&self.gl);
        pixel_read
    }

    fn shown_target(&self, view: ViewId) -> Result<&RenderTarget, RenderError> {
        let view = self.views.get(&view);
        view.and_then(|view| view.targets.shown_target()).ok_or(RenderError::NoSuchView)
    }

    /// Frees the pictures of views that are no longer used. Must be called once per frame, after
    /// all views are drawn.
    pub fn end_frame(&mut self) {
        let frame = self.frame;
        self.views.retain(|_, view| view.last_used_frame + MAX_UNUSED_FRAMES >= frame);
        self.retired_targets.retain(|&(retired_in, _)| retired_in >= frame);
        self.frame += 1;
    }

    /// Frees all GL objects, for `App::on_exit`. Does the same as dropping the renderer, and the
    /// context must still be current.
    pub fn destroy(self) {
        drop(self);
    }
}
