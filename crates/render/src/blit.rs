//! Puts a finished picture on the page.
//!
//! egui calls back while it paints; what is captured must be `Send + Sync`,
//! which `glow::Context` is not in a browser. GL keys are.

#![expect(unsafe_code, reason = "drawn with GL directly, inside egui's painter")]

use std::sync::Arc;

use eframe::glow::{self, HasContext as _};
use eframe::{egui, egui_glow};

use super::gl_program::{GlProgram, OwnVertexArray};
use super::render_target::RenderTarget;
use super::{RenderError, shaders};

/// A picture ready to be put on the page: plain GL keys, valid in this frame
/// and the next.
#[derive(Clone, Copy, Debug)]
pub struct DrawnPicture {
    program: glow::Program,
    vertex_array: glow::VertexArray,
    texture: glow::Texture,
    used_px: [u32; 2],
    capacity_px: [u32; 2],
}

impl DrawnPicture {
    /// Size of the picture in pixels; smaller than asked for where that was
    /// more than GL allows.
    pub fn size_px(&self) -> [u32; 2] {
        self.used_px
    }

    /// Draws into egui's framebuffer; viewport and clip are set already.
    fn paint(&self, gl: &glow::Context) {
        let [used_x, used_y] = self.used_px.map(|side| side as f32);
        let [capacity_x, capacity_y] = self.capacity_px.map(|side| side as f32);
        // SAFETY: the renderer keeps these objects until the frame is painted.
        // egui restores what is changed here, but for the attribute, which
        // only this program reads.
        unsafe {
            gl.use_program(Some(self.program));
            gl.bind_vertex_array(Some(self.vertex_array));
            gl.vertex_attrib_4_f32(1, used_x, used_y, capacity_x, capacity_y);
            gl.active_texture(glow::TEXTURE0);
            gl.bind_texture(glow::TEXTURE_2D, Some(self.texture));
            gl.disable(glow::BLEND);
            gl.draw_arrays(glow::TRIANGLES, 0, 3);
            gl.bind_vertex_array(None);
        }
    }

    /// The shape that shows this picture in a rectangle of the page.
    pub fn callback(self, rect: egui::Rect) -> egui::PaintCallback {
        let paint = move |_: egui::PaintCallbackInfo, painter: &egui_glow::Painter| {
            self.paint(painter.gl());
        };
        egui::PaintCallback { rect, callback: Arc::new(egui_glow::CallbackFn::new(paint)) }
    }
}

/// The program that [`DrawnPicture`] uses.
pub(super) struct Blit {
    program: GlProgram,
    vertex_array: OwnVertexArray,
}

impl Blit {
    pub(super) fn new(gl: &Arc<glow::Context>) -> Result<Self, RenderError> {
        let source = shaders::blit();
        let program = GlProgram::compile(gl, &source, &[])
            .map_err(|log| RenderError::Shader { name: source.name, log })?;
        Ok(Self { program, vertex_array: OwnVertexArray::new(gl)? })
    }

    pub(super) fn drawn(&self, target: &RenderTarget) -> DrawnPicture {
        DrawnPicture {
            program: self.program.key(),
            vertex_array: self.vertex_array.key(),
            texture: target.texture(),
            used_px: target.used_px,
            capacity_px: target.capacity_px(),
        }
    }
}
