//! Copies a finished picture to the page.
//!
//! A paint callback of egui must be `Send + Sync`. `glow::Context` is neither in a browser, so
//! the callback captures only GL keys.

#![expect(unsafe_code, reason = "draws with GL directly, inside egui's painter")]

use std::sync::Arc;

use eframe::glow::{self, HasContext as _};
use eframe::{egui, egui_glow};

use super::gl_program::{EmptyVertexArray, GlProgram};
use super::render_target::RenderTarget;
use super::{RenderError, shaders};

/// A finished picture that can be painted on the page. Holds plain GL keys, which are valid in
/// this frame and the next.
#[derive(Clone, Copy, Debug)]
pub struct DrawnPicture {
    program: glow::Program,
    vertex_array: glow::VertexArray,
    texture: glow::Texture,
    used_px: [u32; 2],
    capacity_px: [u32; 2],
}

impl DrawnPicture {
    /// Size of the picture in pixels. Smaller than requested if the requested size exceeds the
    /// limits of GL.
    pub fn size_px(&self) -> [u32; 2] {
        self.used_px
    }

    /// Draws into the framebuffer of egui, which has already set the viewport and the clip.
    fn paint(&self, gl: &glow::Context) {
        let [used_x, used_y] = self.used_px.map(|side| side as f32);
        let [capacity_x, capacity_y] = self.capacity_px.map(|side| side as f32);
        // SAFETY: the renderer keeps these objects until the frame is painted.
        // egui restores the state changed here except the attribute, which only
        // this program reads.
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

    /// Returns the paint callback that shows this picture in a rectangle of the page.
    pub fn callback(self, rect: egui::Rect) -> egui::PaintCallback {
        egui::PaintCallback {
            rect,
            callback: Arc::new(egui_glow::CallbackFn::new(move |_, painter| {
                self.paint(painter.gl());
            })),
        }
    }
}

/// The program that copies pictures to the page.
pub(super) struct Blit {
    program: GlProgram,
    vertex_array: EmptyVertexArray,
}

impl Blit {
    pub(super) fn new(gl: &Arc<glow::Context>) -> Result<Self, RenderError> {
        let source = shaders::blit();
        let program = GlProgram::compile(gl, &source, &[])
            .map_err(|log| RenderError::Shader { name: source.name, log })?;
        Ok(Self { program, vertex_array: EmptyVertexArray::new(gl)? })
    }

    pub(super) fn picture_of(&self, target: &RenderTarget) -> DrawnPicture {
        DrawnPicture {
            program: self.program.key(),
            vertex_array: self.vertex_array.key(),
            texture: target.texture(),
            used_px: target.used_px,
            capacity_px: target.capacity_px(),
        }
    }
}
