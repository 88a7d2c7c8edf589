//! Whole pages of egui, painted into an image.

#![expect(unsafe_code, reason = "framebuffers are made directly")]

use std::sync::Arc;

use eframe::glow::{self, HasContext as _};
use eframe::{egui, egui_glow};
use image::RgbaImage;

use super::RenderError;
use super::render_target::{attach_texture, complete, read_pixels};

/// Paints whole egui pages into images.
pub struct PageTarget {
    gl: Arc<glow::Context>,
    framebuffer: glow::Framebuffer,
    page: Option<(glow::Texture, [u32; 2])>,
}

impl PageTarget {
    /// Fails when GL has no framebuffers left.
    pub fn new(gl: Arc<glow::Context>) -> Result<Self, RenderError> {
        // SAFETY: a plain creation.
        let framebuffer = unsafe { gl.create_framebuffer() }.map_err(no_memory)?;
        Ok(Self { gl, framebuffer, page: None })
    }

    /// Paints what one frame of egui put out. Textures that the frame set or
    /// freed are set and freed, so every frame's output must come through here
    /// or through [`apply_textures`].
    ///
    /// Fails when GL has no memory for a page of that size.
    pub fn paint_page(
        &mut self,
        painter: &mut egui_glow::Painter,
        ctx: &egui::Context,
        mut output: egui::FullOutput,
        size_px: [u32; 2],
        pixels_per_point: f32,
    ) -> Result<RgbaImage, RenderError> {
        let freed = std::mem::take(&mut output.textures_delta.free);
        apply_textures(painter, &mut output.textures_delta);
        let primitives = ctx.tessellate(output.shapes, pixels_per_point);
        let page = self.paint(painter, &primitives, size_px, pixels_per_point);
        output.textures_delta.free = freed;
        apply_textures(painter, &mut output.textures_delta);
        page
    }

    /// Paints shapes whose textures are set already.
    ///
    /// Fails when GL has no memory for a page of that size.
    pub fn paint(
        &mut self,
        painter: &mut egui_glow::Painter,
        primitives: &[egui::ClippedPrimitive],
        size_px: [u32; 2],
        pixels_per_point: f32,
    ) -> Result<RgbaImage, RenderError> {
        let size_px = size_px.map(|side| side.max(1));
        let before = self.bind(size_px)?;
        painter.clear(size_px, [0.0, 0.0, 0.0, 1.0]);
        painter.paint_primitives(size_px, pixels_per_point, primitives);
        let page = read_pixels(&self.gl, size_px);
        self.rebind(before);
        Ok(page)
    }

    /// What is painted next goes to a page of that size; what was bound.
    fn bind(&mut self, size_px: [u32; 2]) -> Result<Option<glow::Framebuffer>, RenderError> {
        // SAFETY: plain queries and our own objects.
        unsafe {
            let gl = &self.gl;
            let before = super::gl_state::bound_framebuffer(gl);
            if self.page.is_none_or(|(_, size)| size != size_px) {
                if let Some((texture, _)) = self.page.take() {
                    gl.delete_texture(texture);
                }
                let texture = gl.create_texture().map_err(no_memory)?;
                self.page = Some((texture, size_px));
                attach_texture(gl, self.framebuffer, texture, size_px);
            }
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(self.framebuffer));
            let ready = complete(gl).map_err(no_memory);
            if ready.is_err() {
                gl.bind_framebuffer(glow::FRAMEBUFFER, before);
            }
            ready.map(|()| before)
        }
    }

    fn rebind(&self, before: Option<glow::Framebuffer>) {
        // SAFETY: a binding that GL itself returned.
        unsafe { self.gl.bind_framebuffer(glow::FRAMEBUFFER, before) }
    }
}

impl Drop for PageTarget {
    fn drop(&mut self) {
        // SAFETY: made here, deleted once.
        unsafe {
            self.gl.delete_framebuffer(self.framebuffer);
            if let Some((texture, _)) = self.page {
                self.gl.delete_texture(texture);
            }
        }
    }
}

/// Sets and frees the textures of one frame.
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

fn no_memory(reason: String) -> RenderError {
    RenderError::OutOfMemory { what: "a page".to_owned(), reason }
}
