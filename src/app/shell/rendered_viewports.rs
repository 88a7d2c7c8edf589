//! The renderer that the shell draws pictures with, and its interface for the page.

use std::sync::Arc;

use bindpose_lesson::Tint;
use bindpose_notebook::gpu_proof::GpuVertices;
use bindpose_notebook::scene::Scene;
use bindpose_notebook::{GpuLimits, ShaderReport, VertexShader};
use bindpose_page::view::{NoViewports, Viewports};
use bindpose_render::{FrameTime, MovingPictures, RenderError, Renderer, ViewId};
use eframe::egui::{self, Context};
use eframe::glow;

use crate::app::exporting::ShownViewport;

pub(super) struct PictureDrawing {
    /// `None` without GL.
    pub(super) renderer: Option<Renderer>,
    /// Resolution of moving pictures.
    pub(super) moving: MovingPictures,
    pub(super) limits: Option<GpuLimits>,
    /// Number of reports on readers' shaders at the last call of [`Self::has_new_report`].
    report_count: u64,
}

impl PictureDrawing {
    /// # Errors
    /// Fails if GL is too old.
    pub(super) fn new(
        gl: Option<Arc<glow::Context>>,
        moving: MovingPictures,
    ) -> Result<Self, RenderError> {
        let mut renderer = gl.map(Renderer::new).transpose()?;
        if let Some(renderer) = &mut renderer {
            renderer.set_moving(moving);
        }
        let limits = renderer.as_ref().map(|renderer| renderer.limits().clone());
        Ok(Self { renderer, moving, limits, report_count: 0 })
    }

    pub(super) fn destroy(&mut self) {
        if let Some(renderer) = self.renderer.take() {
            renderer.destroy();
        }
    }

    /// Returns true if there is a new report on a reader's shader since the last call.
    pub(super) fn has_new_report(&mut self) -> bool {
        let report_count = self.renderer.as_ref().map_or(0, Renderer::report_count);
        std::mem::replace(&mut self.report_count, report_count) != report_count
    }

    /// Passes the time of the frame and the state of the input to the renderer.
    pub(super) fn begin_frame(&mut self, ctx: &Context) {
        let moment = ctx.input(|input| FrameTime {
            now_secs: input.time,
            held: input.pointer.any_down() || !input.keys_down.is_empty(),
        });
        if let Some(renderer) = &mut self.renderer {
            renderer.begin_frame(moment);
        }
    }

    /// Requests the frame that draws pictures at full resolution after they have moved.
    pub(super) fn end_frame(&mut self, ctx: &Context) {
        let Some(renderer) = &mut self.renderer else {
            return;
        };
        if let Some(after) = renderer.next_frame() {
            ctx.request_repaint_after(after);
        }
        if !ctx.will_discard() {
            renderer.end_frame();
        }
    }
}

/// Draws the scenes of viewports.
pub(super) struct RenderedViewports<'a> {
    pub(super) renderer: Option<&'a mut Renderer>,
    /// True if all pictures are drawn at full resolution, also moving ones.
    pub(super) full_resolution: bool,
    /// Receives the first picture of the frame.
    pub(super) first_viewport: &'a mut Option<ShownViewport>,
}

impl Viewports for RenderedViewports<'_> {
    fn shape(&mut self, id: &str, rect: egui::Rect, scene: Scene) -> Result<egui::Shape, String> {
        let Some(renderer) = self.renderer.as_deref_mut() else {
            return NoViewports.shape(id, rect, scene);
        };
        self.first_viewport.get_or_insert_with(|| ShownViewport { rect, scene: scene.clone() });
        let view = ViewId::named(id);
        // Readers read differences off to the pixel.
        let is_difference = scene.scalars.is_some() && scene.tint != Tint::SumError;
        let result = if self.full_resolution || is_difference {
            renderer.draw(view, &scene)
        } else {
            renderer.draw_in_time(view, &scene)
        };
        let drawn = result.map_err(|error: RenderError| error.to_string())?;
        Ok(egui::Shape::Callback(Renderer::callback(drawn, rect)))
    }

    fn read_back_vertices(&mut self, scene: &Scene) -> Result<GpuVertices, String> {
        let Some(renderer) = self.renderer.as_deref_mut() else {
            return NoViewports.read_back_vertices(scene);
        };
        let vertices =
            renderer.read_skinned(scene).map_err(|error: RenderError| error.to_string())?;
        Ok(vertices.into_iter().collect())
    }

    fn vertex_shader(&self, scene: &Scene) -> Result<VertexShader, String> {
        match self.renderer.as_deref() {
            Some(renderer) => renderer.vertex_shader(scene).map_err(|misfit| misfit.to_string()),
            None => NoViewports.vertex_shader(scene),
        }
    }

    fn shader_report(&self, text: &str) -> Option<ShaderReport> {
        self.renderer.as_deref()?.report_of_text(text).cloned()
    }
}

#[cfg(test)]
mod tests {
    use bindpose_notebook::Edit;
    use eframe::egui::{Context, RawInput, Rect, Ui, pos2, vec2};

    use super::super::{Shell, ShellOptions};

    /// Runs one frame of a page without GL.
    fn run_frame(ctx: &Context, shell: &mut Shell) {
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(pos2(0.0, 0.0), vec2(1280.0, 800.0))),
            ..RawInput::default()
        };
        let mut output = ctx.run_ui(input, |ui: &mut Ui| shell.ui(ui));
        output.textures_delta.clear();
    }

    fn edit_weight(shell: &mut Shell, weight: f32) {
        shell.edit(&Edit::Weight { vertex: 1, lane: 0, weight }).unwrap();
    }

    #[test]
    fn moving_to_another_context_keeps_the_page_and_its_history() {
        let old_context = Context::default();
        let new_context = Context::default();
        let options =
            ShellOptions { set: bindpose_lesson::LessonSet::embedded(), ..ShellOptions::default() };
        let mut shell = Shell::new(&old_context, None, options).unwrap();
        shell.open_link("bindpose://bone-grid").unwrap();
        edit_weight(&mut shell, 0.25);
        edit_weight(&mut shell, 0.5);
        shell.view.bench.is_open = true;
        run_frame(&old_context, &mut shell);
        let document = shell.notebook.document().clone();
        let link = shell.notebook.link();
        old_context.data_mut(|data| data.insert_temp(eframe::egui::Id::unique("typed"), 3_u32));

        shell.move_to(&old_context, &new_context, None).unwrap();
        run_frame(&new_context, &mut shell);
        assert_eq!(shell.notebook.document(), &document);
        assert_eq!(shell.notebook.link(), link);
        assert!(shell.view.bench.is_open);
        let typed =
            new_context.data(|data| data.get_temp::<u32>(eframe::egui::Id::unique("typed")));
        assert_eq!(typed, Some(3), "egui’s own memory has moved too");
        shell.undo();
        shell.undo();
        assert!(shell.notebook.history().to_undo().is_none());
        assert_ne!(shell.notebook.document(), &document);
    }

    #[test]
    fn repaint_requests_of_the_old_context_reach_the_new_one() {
        let old_context = Context::default();
        let new_context = Context::default();
        let options =
            ShellOptions { set: bindpose_lesson::LessonSet::embedded(), ..ShellOptions::default() };
        let mut shell = Shell::new(&old_context, None, options).unwrap();
        shell.open_link("bindpose://bone-grid").unwrap();
        shell.move_to(&old_context, &new_context, None).unwrap();
        for _ in 0..8 {
            run_frame(&new_context, &mut shell);
        }
        assert!(!new_context.has_requested_repaint(), "it sleeps");
        old_context.request_repaint();
        assert!(new_context.has_requested_repaint());
    }
}
