//! The renderer as the page sees it.

use bindpose_lesson::Tint;
use bindpose_notebook::gpu_proof::Skinned;
use bindpose_notebook::scene::Scene;
use bindpose_notebook::{ShaderReport, VertexShader};
use bindpose_page::view::{NoViewports, Viewports};
use bindpose_render::{RenderError, Renderer, ViewId};
use eframe::egui;

use super::exporting::ShownViewport;

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

    fn skinned(&mut self, scene: &Scene) -> Result<Skinned, String> {
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
