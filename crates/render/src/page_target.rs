//! Paints whole pages of egui into images.

#![expect(unsafe_code, reason = "creates framebuffers directly")]

use std::sync::Arc;

use eframe::glow::{self, HasContext as _};
use eframe::{egui, egui_glow};
use image::RgbaImage;

use super::RenderError;
use super::render_target::{attach_texture, check_framebuffer, read_pixels};

/// An off-screen framebuffer for pages of egui.
pub struct PageTarget {
    gl: Arc<glow::Context>,
    framebuffer: glow::Framebuffer,
    page: Option<(glow::Texture, [u32; 2])>,
}

impl PageTarget {
    /// Creates a target without storage. The first page allocates it.
    ///
    /// # Errors
    /// [`RenderError::OutOfMemory`] if GL cannot create a framebuffer.
    pub fn new(gl: Arc<glow::Context>) -> Result<Self, RenderError> {
        // SAFETY: a plain creation.
        let framebuffer = unsafe { gl.create_framebuffer() }.map_err(out_of_memory)?;
        Ok(Self { gl, framebuffer, page: None })
    }

    /// Paints the output of one frame of egui. Also applies the texture changes of the frame, so
    /// the output of every frame must be passed here or to [`apply_textures`].
    ///
    /// # Errors
    /// [`RenderError::OutOfMemory`] if GL cannot allocate a page of that size.
    pub fn paint_page(
        &mut self,
        painter: &mut egui_glow::Painter,
        ctx: &egui::Context,
        mut output: egui::FullOutput,
        size_px: [u32; 2],
        pixels_per_point: f32,
    ) -> Result<RgbaImage, RenderError> {
        // The frame may still use the textures that it frees.
        let free = std::mem::take(&mut output.textures_delta.free);
        apply_textures(painter, &mut output.textures_delta);
        let primitives = ctx.tessellate(output.shapes, pixels_per_point);
        let page = self.paint(painter, &primitives, size_px, pixels_per_point);
        output.textures_delta.free = free;
        apply_textures(painter, &mut output.textures_delta);
        page
    }

    /// Paints tessellated shapes, whose textures must already be set.
    ///
    /// # Errors
    /// [`RenderError::OutOfMemory`] if GL cannot allocate a page of that size.
    pub fn paint(
        &mut self,
        painter: &mut egui_glow::Painter,
        primitives: &[egui::ClippedPrimitive],
        size_px: [u32; 2],
        pixels_per_point: f32,
    ) -> Result<RgbaImage, RenderError> {
        let size_px = size_px.map(|side| side.max(1));
        let previous = self.bind(size_px)?;
        painter.clear(size_px, [0.0, 0.0, 0.0, 1.0]);
        painter.paint_primitives(size_px, pixels_per_point, primitives);
        let page = read_pixels(&self.gl, size_px);
        // SAFETY: a binding that GL itself returned.
        unsafe { self.gl.bind_framebuffer(glow::FRAMEBUFFER, previous) };
        Ok(page)
    }

    /// Binds the framebuffer with a texture of the given size. Returns the previous binding.
    fn bind(&mut self, size_px: [u32; 2]) -> Result<Option<glow::Framebuffer>, RenderError> {
        // SAFETY: plain queries, and objects created here.
        unsafe {
            let gl = &self.gl;
            let previous = super::gl_state::bound_framebuffer(gl);
            if self.page.is_none_or(|(_, size)| size != size_px) {
                if let Some((texture, _)) = self.page.take() {
                    gl.delete_texture(texture);
                }
                let texture = gl.create_texture().map_err(out_of_memory)?;
                self.page = Some((texture, size_px));
                attach_texture(gl, self.framebuffer, texture, size_px);
            }
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(self.framebuffer));
            if let Err(reason) = check_framebuffer(gl) {
                gl.bind_framebuffer(glow::FRAMEBUFFER, previous);
                return Err(out_of_memory(reason));
            }
            Ok(previous)
        }
    }
}

impl Drop for PageTarget {
    fn drop(&mut self) {
        // SAFETY: created here, deleted once.
        unsafe {
            self.gl.delete_framebuffer(self.framebuffer);
            if let Some((texture, _)) = self.page {
                self.gl.delete_texture(texture);
            }
        }
    }
}

/// Applies the texture changes of one frame of egui, in the order of the texture ids.
pub fn apply_textures(painter: &mut egui_glow::Painter, delta: &mut egui::TexturesDelta) {
    let mut set: Vec<_> = delta.set.drain().collect();
    set.sort_by_key(|(id, _)| *id);
    for (id, deltas) in set {
        for delta in deltas {
            painter.set_texture(id, &delta);
        }
    }
    let mut free: Vec<_> = delta.free.drain().collect();
    free.sort();
    for id in free {
        painter.free_texture(id);
    }
}

fn out_of_memory(reason: String) -> RenderError {
    RenderError::OutOfMemory { what: "a page".to_owned(), reason }
}
