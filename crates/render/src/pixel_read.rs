//! Reading a picture back without waiting for it: the graphics card copies it into a
//! buffer when it is drawn, and whoever wants it looks in again.

#![expect(unsafe_code, reason = "buffers and fences are made with GL directly")]

use std::sync::Arc;

use eframe::glow::{self, HasContext as _};
use image::RgbaImage;

use super::RenderError;

/// A picture on its way back. The context must be current when it is dropped.
pub struct PixelRead {
    gl: Arc<glow::Context>,
    buffer: glow::Buffer,
    /// Passed when the copy is made.
    fence: glow::Fence,
    size_px: [u32; 2],
}

impl PixelRead {
    /// Begins with the lower left part of the framebuffer bound for reading.
    pub(super) fn begin(gl: &Arc<glow::Context>, size_px: [u32; 2]) -> Result<Self, RenderError> {
        let [width, height] = size_px.map(|side| side as i32);
        // SAFETY: the buffer has width × height × 4 bytes; rows of four-byte pixels
        // need no padding.
        unsafe {
            let buffer = gl.create_buffer().map_err(no_memory)?;
            gl.bind_buffer(glow::PIXEL_PACK_BUFFER, Some(buffer));
            gl.buffer_data_size(glow::PIXEL_PACK_BUFFER, 4 * width * height, glow::STREAM_READ);
            gl.pixel_store_i32(glow::PACK_ALIGNMENT, 1);
            gl.read_pixels(
                0,
                0,
                width,
                height,
                glow::RGBA,
                glow::UNSIGNED_BYTE,
                glow::PixelPackData::BufferOffset(0),
            );
            gl.bind_buffer(glow::PIXEL_PACK_BUFFER, None);
            let fence = gl.fence_sync(glow::SYNC_GPU_COMMANDS_COMPLETE, 0);
            let fence = fence.inspect_err(|_| gl.delete_buffer(buffer));
            gl.flush();
            Ok(Self { gl: Arc::clone(gl), buffer, fence: fence.map_err(no_memory)?, size_px })
        }
    }

    /// The picture, rows from top to bottom, once it is there.
    pub fn picture(&self) -> Option<RgbaImage> {
        let [width, height] = self.size_px;
        let mut picture = RgbaImage::new(width, height);
        // SAFETY: our own objects; the buffer holds as many bytes as the picture.
        unsafe {
            if self.gl.get_sync_status(self.fence) != glow::SIGNALED {
                return None;
            }
            self.gl.bind_buffer(glow::PIXEL_PACK_BUFFER, Some(self.buffer));
            self.gl.get_buffer_sub_data(glow::PIXEL_PACK_BUFFER, 0, &mut picture);
            self.gl.bind_buffer(glow::PIXEL_PACK_BUFFER, None);
        }
        image::imageops::flip_vertical_in_place(&mut picture);
        Some(picture)
    }
}

impl Drop for PixelRead {
    fn drop(&mut self) {
        // SAFETY: made by `begin`, deleted once.
        unsafe {
            self.gl.delete_sync(self.fence);
            self.gl.delete_buffer(self.buffer);
        }
    }
}

fn no_memory(reason: String) -> RenderError {
    RenderError::OutOfMemory { what: "a picture to read back".to_owned(), reason }
}
