//! What the shell draws pictures with: the renderer, as the page sees it.

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

/// What draws the pictures of the page.
pub(super) struct PictureDrawing {
    /// Absent where there is no GL.
    pub(super) renderer: Option<Renderer>,
    /// How pictures that move are drawn.
    pub(super) moving: MovingPictures,
    pub(super) limits: Option<GpuLimits>,
    /// How often readers' shaders had something new to say.
    reports: u64,
}

impl PictureDrawing {
    /// Fails when GL is too old.
    pub(super) fn new(
        gl: Option<Arc<glow::Context>>,
        moving: MovingPictures,
    ) -> Result<Self, RenderError> {
        let mut renderer = gl.map(Renderer::new).transpose()?;
        if let Some(renderer) = &mut renderer {
            renderer.set_moving(moving);
        }
        let limits = renderer.as_ref().map(|renderer| renderer.limits().clone());
        Ok(Self { renderer, moving, limits, reports: 0 })
    }

    pub(super) fn destroy(&mut self) {
        if let Some(renderer) = self.renderer.take() {
            renderer.destroy();
        }
    }

    /// Has a shader of the reader had something new to say since this was asked last?
    pub(super) fn has_new_report(&mut self) -> bool {
        let reports = self.renderer.as_ref().map_or(0, Renderer::report_count);
        std::mem::replace(&mut self.reports, reports) != reports
    }

    /// Tells when and how pictures of this frame are drawn.
    pub(super) fn begin_frame(&mut self, ctx: &Context) {
        let moment = ctx.input(|input| FrameTime {
            now_secs: input.time,
            held: input.pointer.any_down() || !input.keys_down.is_empty(),
        });
        if let Some(renderer) = &mut self.renderer {
            renderer.begin_frame(moment);
        }
    }

    /// Asks for the frame in which what moved is shown in full.
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

/// Draws a viewport's scene, or says why it can't.
pub(super) struct RenderedViewports<'a> {
    pub(super) renderer: Option<&'a mut Renderer>,
    /// All pictures are drawn in full, also those that move.
    pub(super) in_full: bool,
    /// Where the first picture of the frame is remembered.
    pub(super) first_viewport: &'a mut Option<ShownViewport>,
}

impl Viewports for RenderedViewports<'_> {
    fn shape(&mut self, id: &str, rect: egui::Rect, scene: Scene) -> Result<egui::Shape, String> {
        let Some(renderer) = self.renderer.as_deref_mut() else {
            return NoViewports.shape(id, rect, scene);
        };
        self.first_viewport.get_or_insert_with(|| ShownViewport { rect, scene: scene.clone() });
        let view = ViewId::named(id);
        // Differences are read off, to the pixel.
        let is_difference = scene.scalars.is_some() && scene.tint != Tint::SumError;
        let in_full = self.in_full || is_difference;
        let drawn =
            if in_full { renderer.draw(view, &scene) } else { renderer.draw_in_time(view, &scene) };
        let drawn = drawn.map_err(|error: RenderError| error.to_string())?;
        Ok(egui::Shape::Callback(Renderer::callback(drawn, rect)))
    }

    fn skinned(&mut self, scene: &Scene) -> Result<GpuVertices, String> {
        let Some(renderer) = self.renderer.as_deref_mut() else {
            return NoViewports.skinned(scene);
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

    /// One frame of a page without GL.
    fn frame(ctx: &Context, shell: &mut Shell) {
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(pos2(0.0, 0.0), vec2(1280.0, 800.0))),
            ..RawInput::default()
        };
        let mut output = ctx.run_ui(input, |ui: &mut Ui| shell.ui(ui));
        output.textures_delta.clear();
    }

    fn edit(shell: &mut Shell, weight: f32) {
        let (vertex, lane) = (1, 0);
        shell.edit(&Edit::Weight { vertex, lane, weight }).unwrap();
    }

    #[test]
    fn in_another_context_all_is_as_it_was_and_can_be_undone() {
        let (first, second) = (Context::default(), Context::default());
        let options =
            ShellOptions { set: bindpose_lesson::LessonSet::embedded(), ..ShellOptions::default() };
        let mut shell = Shell::new(&first, None, options).unwrap();
        shell.follow("bindpose://bone-grid").unwrap();
        edit(&mut shell, 0.25);
        edit(&mut shell, 0.5);
        shell.view.bench.open = true;
        frame(&first, &mut shell);
        let (document, link) = (shell.notebook.document().clone(), shell.notebook.link());
        first.data_mut(|data| data.insert_temp(eframe::egui::Id::unique("typed"), 3_u32));

        shell.move_to(&first, &second, None).unwrap();
        frame(&second, &mut shell);
        assert_eq!(shell.notebook.document(), &document);
        assert_eq!(shell.notebook.link(), link);
        assert!(shell.view.bench.open);
        let typed = second.data(|data| data.get_temp::<u32>(eframe::egui::Id::unique("typed")));
        assert_eq!(typed, Some(3), "egui’s own memory has moved too");
        shell.undo();
        shell.undo();
        assert!(shell.notebook.history().to_undo().is_none());
        assert_ne!(shell.notebook.document(), &document);
    }

    #[test]
    fn who_asks_the_old_context_for_a_frame_gets_one_in_the_new_one() {
        let (first, second) = (Context::default(), Context::default());
        let options =
            ShellOptions { set: bindpose_lesson::LessonSet::embedded(), ..ShellOptions::default() };
        let mut shell = Shell::new(&first, None, options).unwrap();
        shell.follow("bindpose://bone-grid").unwrap();
        shell.move_to(&first, &second, None).unwrap();
        for _ in 0..8 {
            frame(&second, &mut shell);
        }
        assert!(!second.has_requested_repaint(), "it sleeps");
        first.request_repaint();
        assert!(second.has_requested_repaint());
    }
}
