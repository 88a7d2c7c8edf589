//! three-d: turns a [`Scene`] into a picture, in a window or without one.
//!
//! Each view is drawn into a target of its own, and only when its scene has
//! changed; a paint callback puts the finished picture on the page. That keeps
//! egui's painting and our depth buffer, samples and colours out of each
//! other's way, and a page that stands still draws nothing.
//!
//! The only place with GL, `unsafe` and cgmath.

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
mod moving;
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
mod view;

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use bindpose_notebook::palette_plan::Misfit;
use bindpose_notebook::scene::Scene;
use bindpose_notebook::{DrawnWith, GpuLimits, ShaderReport, VertexShader, glsl};
use bindpose_skin::SharedInfluences;
use eframe::{egui, glow};
use image::RgbaImage;

use blit::Blit;
use buffers::Context;
use geometry::Geometry;
use gl_state::SavedState;
use palette::PaletteUpload;
use picture::{KeptPlaces, KeptUploads, PictureTargets, SkinPrograms};
use program_cache::{ProgramCache, ProgramUse, SkinProgram};
use render_target::{RenderTarget, SAMPLES};
use shader_variant::{InfluenceSummary, SkinVariant};
use view::{LastView, Moving, Quality, ViewTargets};

pub use blit::DrawnPicture;
pub use error::RenderError;
pub use page_target::{PageTarget, apply_textures};
pub use render_target::PixelRead;
pub use surface::WEIGHT_STOPS;
pub use transform_feedback::GpuVertex;
pub use view::{FrameTime, MovingPictures, ViewId};

/// Frames that a view's picture is kept without being asked for.
const KEPT_FRAMES: u64 = 60;

/// Draws scenes. Lives as long as the GL context, which must be current
/// whenever a method is called, and when it is dropped.
pub struct Renderer {
    views: BTreeMap<ViewId, LastView>,
    /// Targets that the page may still show in the frame being painted.
    retired: Vec<(u64, RenderTarget)>,
    geometry: Geometry,
    places: KeptPlaces,
    uploads: KeptUploads,
    palette: PaletteUpload,
    programs: ProgramCache,
    blit: Blit,
    context: Context,
    gl: Arc<glow::Context>,
    limits: GpuLimits,
    /// Of [`GpuLimits::draws_in_software`].
    by_processor: bool,
    /// Absent: pictures that move are drawn in full too.
    moving: Option<Moving>,
    frame: u64,
    draw_count: u64,
    report_count: u64,
}

impl Renderer {
    /// The context that it draws with.
    pub fn gl(&self) -> Arc<glow::Context> {
        Arc::clone(&self.gl)
    }

    /// Checks the GL and compiles what every picture needs. Make one per context.
    ///
    /// Fails when GL is older than 3.3 (ES: 3.0) or refuses a shader.
    pub fn new(gl: Arc<glow::Context>) -> Result<Self, RenderError> {
        let limits = limits::read(&gl)?;
        let saved = SavedState::save(&gl);
        let context = buffers::context(&gl)?;
        let renderer = Self {
            views: BTreeMap::new(),
            retired: Vec::new(),
            geometry: Geometry::default(),
            places: KeptPlaces::default(),
            uploads: KeptUploads::default(),
            palette: PaletteUpload::default(),
            programs: ProgramCache::new(&context)?,
            blit: Blit::new(&gl)?,
            context,
            gl,
            by_processor: limits.draws_in_software(),
            limits,
            moving: None,
            frame: 0,
            draw_count: 0,
            report_count: 0,
        };
        saved.restore(&renderer.gl);
        Ok(renderer)
    }

    /// What this GL allows.
    pub fn limits(&self) -> &GpuLimits {
        &self.limits
    }

    /// Pictures drawn so far: one more only when a scene has changed.
    pub fn draw_count(&self) -> u64 {
        self.draw_count
    }

    /// The vertex shader that draws the scene's surface, but for the reader's
    /// own text.
    ///
    /// Fails when the palette does not fit the scene's transport.
    pub fn vertex_shader(&self, scene: &Scene) -> Result<VertexShader, Misfit> {
        let influences = InfluenceSummary::new(&scene.influences);
        let (variant, _) = SkinVariant::new(scene, influences, &self.limits)?;
        // What a reader is shown declares all that a reader may use.
        let viewed = SkinVariant { viewed: true, ..variant.alone() };
        Ok(shaders::vertex_shader(&viewed))
    }

    /// What became of the reader's shader in the view's last picture; absent
    /// where the scene has none.
    pub fn shader_report(&self, view: ViewId) -> Option<&ShaderReport> {
        self.views.get(&view)?.shader.as_ref()
    }

    /// What became of this text of a reader in the view that was asked for last
    /// of those drawn with it; absent where none was.
    pub fn report_of_text(&self, text: &str) -> Option<&ShaderReport> {
        self.views
            .values()
            .filter(|view| view.scene.skinning.shader.as_deref() == Some(text))
            .max_by_key(|view| view.asked_in_frame)?
            .shader
            .as_ref()
    }

    /// Grows whenever a view's report becomes another.
    pub fn report_count(&self) -> u64 {
        self.report_count
    }

    /// The picture of a scene; drawn anew only if the view's last scene was
    /// another. GL's bindings are left as they were. A reader's shader that
    /// does not compile is no error: see [`Self::shader_report`].
    ///
    /// Fails when the palette does not fit the scene's transport, or GL has no memory
    /// for a picture of that size.
    pub fn draw(&mut self, view: ViewId, scene: &Scene) -> Result<DrawnPicture, RenderError> {
        let same = self.views.get(&view).map(|view| view.scene == *scene);
        self.show(view, scene, same == Some(true), Quality::Full)
    }

    /// `same`: the view's last scene was equal.
    fn show(
        &mut self,
        id: ViewId,
        scene: &Scene,
        same: bool,
        quality: Quality,
    ) -> Result<DrawnPicture, RenderError> {
        if let Some(view) = self.views.get_mut(&id).filter(|_| same)
            && view.targets.quality() == quality
            && let Some(target) = view.targets.shown()
        {
            view.asked_in_frame = self.frame;
            return Ok(self.blit.drawn(target));
        }
        if let Some(view) = self.views.get_mut(&id) {
            // Buffers of influences that nobody holds may become those of the scene.
            view.scene.influences = SharedInfluences::default();
        }
        let saved = SavedState::save(&self.gl);
        let drawn = self.draw_anew(id, scene, quality);
        saved.restore(&self.gl);
        drawn
    }

    fn draw_anew(
        &mut self,
        id: ViewId,
        scene: &Scene,
        quality: Quality,
    ) -> Result<DrawnPicture, RenderError> {
        let variant = self.prepare(scene)?;
        let (skinned, mut shader) = self.skin_programs(id, variant, scene)?;
        if let Some(report) = &mut shader {
            if report.findings.is_empty() {
                report.notes = self.notes(scene);
            }
            let before =
                self.views.get(&id).map(|view| (&view.shader, &view.scene.skinning.shader));
            if before != Some((&Some(report.clone()), &scene.skinning.shader)) {
                self.report_count += 1;
            }
        }
        let last_good = match &shader {
            Some(report) if report.findings.is_empty() => {
                let kind = glsl::ShaderKind::from_scene(scene);
                scene.skinning.shader.clone().map(|text| (kind, text))
            }
            Some(_) => self.views.get(&id).and_then(|view| view.last_good.clone()),
            // The page's own text is as good as a reader's.
            None => None,
        };
        let view = self.views.remove(&id);
        let mut targets = view.map(|view| view.targets).unwrap_or_default();
        let target = self.target(&mut targets, scene.size, quality)?;
        let (mesh, influences) = self.geometry.get(
            &self.context,
            scene,
            skinned.lines.is_some() || skinned.ghost_lines.is_some(),
            self.limits.texture_size,
        );
        let crowd = scene.crowd.as_ref();
        target.begin(!self.by_processor);
        PictureTargets {
            programs: &self.programs,
            skinned: &skinned,
            scene,
            mesh,
            influences,
            crowd: crowd.map(|crowd| self.places.get(&self.context, crowd)),
            uploads: &self.uploads,
            palette: &self.palette,
            size_px: target.used_px,
        }
        .draw();
        target.finish();
        self.draw_count += 1;
        let drawn = self.blit.drawn(targets.show(quality, target));
        let view = LastView {
            scene: scene.clone(),
            targets,
            shader,
            last_good,
            asked_in_frame: self.frame,
        };
        self.views.insert(id, view);
        Ok(drawn)
    }

    /// What is odd about what the reader's shader computes. A driver that cannot
    /// give it back leaves nothing to say.
    fn notes(&mut self, scene: &Scene) -> Vec<String> {
        let Ok(vertices) = self.skin_and_read(scene) else {
            return Vec::new();
        };
        glsl::probe(&glsl::Probe {
            position_in_clip: &vertices.iter().map(|v| v.position_in_clip).collect::<Vec<_>>(),
            position_in_world: &vertices.iter().map(|v| v.position_in_world).collect::<Vec<_>>(),
            normal_in_world: &vertices.iter().map(|v| v.normal_in_world).collect::<Vec<_>>(),
            triangles: &scene.mesh.triangles,
        })
    }

    /// Finds the scene's variant and uploads its palette.
    fn prepare(&mut self, scene: &Scene) -> Result<SkinVariant, RenderError> {
        let (_, influences) =
            self.geometry.get(&self.context, scene, false, self.limits.texture_size);
        let (variant, plan) = SkinVariant::new(scene, influences.summary, &self.limits)?;
        self.palette.fill(&self.context, plan, scene);
        Ok(variant)
    }

    /// The programs that a picture needs.
    fn skin_programs(
        &mut self,
        view: ViewId,
        variant: SkinVariant,
        scene: &Scene,
    ) -> Result<(SkinPrograms, Option<ShaderReport>), RenderError> {
        let own_lines = !scene.mesh.lines.is_empty() || geometry::is_points(&scene.mesh);
        let mut skinned = SkinPrograms::default();
        let mut shader = None;
        if scene.surface {
            let (surface, report) = self.surface_program(Some(view), variant, scene)?;
            (skinned.surface, shader) = (Some(surface), report);
        }
        let context = &self.context;
        if scene.ghost || scene.rest_ghost.is_some() {
            let drawing = if own_lines { ProgramUse::Line } else { ProgramUse::Ghost };
            let still = self.programs.built_in(context, drawing, variant.still())?;
            if own_lines {
                skinned.ghost_lines = Some(still);
            } else {
                skinned.ghost = Some(still);
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
        Ok((skinned, shader))
    }

    /// The surface's program: by the reader's text if there is one and it
    /// works, else by the view's last one that works, else by ours.
    fn surface_program(
        &mut self,
        view: Option<ViewId>,
        variant: SkinVariant,
        scene: &Scene,
    ) -> Result<(Rc<SkinProgram>, Option<ShaderReport>), RenderError> {
        let Some(body) = &scene.skinning.shader else {
            let ours = self.programs.built_in(&self.context, ProgramUse::Surface, variant)?;
            return Ok((ours, None));
        };
        let crowd = scene.crowd.as_ref();
        let copies = crowd.map_or(1, |crowd| crowd.world_from_instance.len().max(1));
        let runs = scene.mesh.positions.len().saturating_mul(copies);
        let findings = match self.programs.custom(&self.context, variant, body) {
            Ok(program) => match glsl::too_long(program.turns, runs) {
                None => return Ok((program, Some(ShaderReport::default()))),
                Some(finding) => vec![finding],
            },
            Err(findings) => findings.to_vec(),
        };
        let last_good = view
            .and_then(|view| self.views.get(&view)?.last_good.clone())
            .filter(|(kind, _)| *kind == glsl::ShaderKind::from_scene(scene))
            .and_then(|(_, body)| self.programs.custom(&self.context, variant, &body).ok())
            .filter(|program| glsl::too_long(program.turns, runs).is_none());
        let (program, drawn_with) = if let Some(program) = last_good {
            (program, DrawnWith::LastGood)
        } else {
            let ours = self.programs.built_in(&self.context, ProgramUse::Surface, variant)?;
            (ours, DrawnWith::Ours)
        };
        let report = ShaderReport { findings, notes: Vec::new(), drawn_with };
        Ok((program, Some(report)))
    }

    /// The view's own target if it can hold that size, else a new one.
    fn target(
        &mut self,
        targets: &mut ViewTargets,
        size_px: [u32; 2],
        quality: Quality,
    ) -> Result<RenderTarget, RenderError> {
        let max_side = self.limits.texture_size;
        let pixels = quality.pixels_to_one();
        let size_px = render_target::fitting(size_px.map(|side| side.div_ceil(pixels)), max_side);
        let mut room = false;
        if let Some(mut target) = targets.take(quality) {
            room = target.used_px != size_px;
            if target.resize(size_px) {
                return Ok(target);
            }
            self.retired.push((self.frame, target));
        }
        let samples = if quality == Quality::Full { SAMPLES } else { 1 };
        RenderTarget::new(&self.gl, size_px, max_side, room, samples)
    }

    /// The shape that shows a picture in a rectangle of the page, within the
    /// clip of the painter it is added to.
    pub fn callback(drawn: DrawnPicture, rect: egui::Rect) -> egui::PaintCallback {
        drawn.callback(rect)
    }

    /// The picture a view shows now, rows from top to bottom.
    ///
    /// Fails when the view was not drawn, or not lately.
    pub fn read_pixels(&self, view: ViewId) -> Result<RgbaImage, RenderError> {
        let target = self.shown(view)?;
        let saved = SavedState::save(&self.gl);
        let picture = target.read();
        saved.restore(&self.gl);
        Ok(picture)
    }

    /// As [`Self::read_pixels`], without waiting for the graphics card.
    ///
    /// Fails when the view was not drawn, or not lately; when there is no memory.
    pub fn begin_to_read(&self, view: ViewId) -> Result<PixelRead, RenderError> {
        let target = self.shown(view)?;
        let saved = SavedState::save(&self.gl);
        let reading = target.begin_to_read();
        saved.restore(&self.gl);
        reading
    }

    fn shown(&self, view: ViewId) -> Result<&RenderTarget, RenderError> {
        let view = self.views.get(&view);
        view.and_then(|view| view.targets.shown()).ok_or(RenderError::NoSuchView)
    }

    /// Call once a frame, after all views were drawn: lets go of pictures that
    /// are no longer asked for.
    pub fn end_frame(&mut self) {
        let frame = self.frame;
        self.views.retain(|_, view| view.asked_in_frame + KEPT_FRAMES >= frame);
        self.retired.retain(|&(retired_in, _)| retired_in >= frame);
        self.frame += 1;
    }

    /// Frees everything; the context must still be current. The same as
    /// dropping, with a name for `App::on_exit`.
    pub fn destroy(self) {
        drop(self);
    }
}
