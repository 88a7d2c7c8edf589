//! The picture of one view: drawn with four samples a pixel, resolved into a
//! texture; or with one, straight into it. It is read back at once, or without
//! waiting for it.

#![expect(unsafe_code, reason = "framebuffers, buffers and fences are made with GL directly")]

use std::sync::Arc;

use eframe::glow::{self, HasContext as _};
use image::RgbaImage;

use super::RenderError;
use super::gl_state::drain_errors;

/// Of a picture in full.
pub(super) const SAMPLES: i32 = 4;
/// Sides are allocated in steps of this while a picture changes its size, so that a
/// window being dragged does not allocate in every frame.
const STEP_PX: u32 = 128;
/// More pixels than any display has: 1 GB with four samples.
const MAX_PIXELS: f64 = 16.0e6;

/// Off-screen framebuffers. Deletes them when dropped; the context must be
/// current then.
pub(super) struct RenderTarget {
    gl: Arc<glow::Context>,
    /// Absent where a pixel has one sample.
    multisampled: Option<Multisampled>,
    depth: glow::Renderbuffer,
    resolved: glow::Framebuffer,
    texture: glow::Texture,
    capacity_px: [u32; 2],
    /// The lower left part that holds the picture.
    pub(super) used_px: [u32; 2],
}

struct Multisampled {
    framebuffer: glow::Framebuffer,
    color: glow::Renderbuffer,
}

/// The size that is drawn for the size that is asked for: at least one pixel, at
/// most what GL allows, in the same proportion.
pub(super) fn fitting(asked_px: [u32; 2], max_side: u32) -> [u32; 2] {
    let [width, height] = asked_px.map(|side| f64::from(side.max(1)));
    let max_side = f64::from(max_side.max(1));
    let scale = (max_side / width.max(height)).min((MAX_PIXELS / (width * height)).sqrt()).min(1.0);
    [width, height].map(|side| ((side * scale).floor() as u32).clamp(1, max_side as u32))
}

impl RenderTarget {
    /// `room`: the picture is going to have other sizes. Without, all of the target is
    /// used, and resolved at once, which is faster. `samples`: at most, of a pixel.
    pub(super) fn new(
        gl: &Arc<glow::Context>,
        used_px: [u32; 2],
        max_side: u32,
        room: bool,
        samples: i32,
    ) -> Result<Self, RenderError> {
        let step_px = if room { STEP_PX } else { 1 };
        let capacity_px =
            used_px.map(|side| side.next_multiple_of(step_px).min(max_side).max(side));
        // SAFETY: a plain query.
        let max_samples = unsafe { gl.get_parameter_i32(glow::MAX_SAMPLES) };
        let samples = samples.min(max_samples);
        Self::with_samples(gl, used_px, capacity_px, samples)
            .or_else(|_| Self::with_samples(gl, used_px, capacity_px, 1))
            .map_err(|reason| RenderError::OutOfMemory {
                what: format!("a picture of {} × {} pixels", used_px[0], used_px[1]),
                reason,
            })
    }

    fn with_samples(
        gl: &Arc<glow::Context>,
        used_px: [u32; 2],
        capacity_px: [u32; 2],
        samples: i32,
    ) -> Result<Self, String> {
        // SAFETY: objects are made here and used as what they were made for.
        // `Drop` deletes them, also where they turn out incomplete.
        unsafe {
            let multisampled = if samples > 1 {
                Some(Multisampled {
                    framebuffer: gl.create_framebuffer()?,
                    color: gl.create_renderbuffer()?,
                })
            } else {
                None
            };
            let target = Self {
                gl: Arc::clone(gl),
                multisampled,
                depth: gl.create_renderbuffer()?,
                resolved: gl.create_framebuffer()?,
                texture: gl.create_texture()?,
                capacity_px,
                used_px,
            };
            attach_texture(gl, target.resolved, target.texture, capacity_px);
            if let Some(multisampled) = &target.multisampled {
                complete(gl)?;
                gl.bind_framebuffer(glow::FRAMEBUFFER, Some(multisampled.framebuffer));
                let (color, at) = (multisampled.color, glow::COLOR_ATTACHMENT0);
                attach_buffer(gl, color, (glow::RGBA8, at), capacity_px, samples);
            }
            let (format, at) = (glow::DEPTH_COMPONENT24, glow::DEPTH_ATTACHMENT);
            // None, and not one: GL would make one sample into as many as it likes.
            let samples = if samples > 1 { samples } else { 0 };
            attach_buffer(gl, target.depth, (format, at), capacity_px, samples);
            complete(gl)?;
            Ok(target)
        }
    }

    fn drawn_into(&self) -> glow::Framebuffer {
        let multisampled = self.multisampled.as_ref();
        multisampled.map_or(self.resolved, |multisampled| multisampled.framebuffer)
    }

    /// Takes another size if it fits without waste, or the same if it fits exactly;
    /// false: make a new target.
    pub(super) fn resize(&mut self, used_px: [u32; 2]) -> bool {
        if used_px == self.used_px {
            return used_px == self.capacity_px;
        }
        let fits = (0..2).all(|axis| {
            let (used, capacity) = (used_px[axis], self.capacity_px[axis]);
            used <= capacity && capacity <= used.saturating_mul(2).max(2 * STEP_PX)
        });
        if fits {
            self.used_px = used_px;
        }
        fits
    }

    /// What follows is drawn into it, the background first of all, which covers what
    /// was there. `clear`: all the same, so that a graphics card need not fetch it
    /// from its memory; a processor would only fill each sample twice.
    pub(super) fn begin(&self, clear: bool) {
        let gl = &self.gl;
        let [width, height] = self.used_px.map(|side| side as i32);
        // SAFETY: our own framebuffer, within its size.
        unsafe {
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(self.drawn_into()));
            gl.viewport(0, 0, width, height);
            gl.enable(glow::SCISSOR_TEST);
            gl.scissor(0, 0, width, height);
            if clear {
                gl.color_mask(true, true, true, true);
                gl.depth_mask(true);
                gl.clear_color(0.0, 0.0, 0.0, 1.0);
                gl.clear_depth_f32(1.0);
                gl.clear(glow::COLOR_BUFFER_BIT | glow::DEPTH_BUFFER_BIT);
            }
        }
    }

    /// Averages the samples into the texture.
    pub(super) fn finish(&self) {
        let Some(multisampled) = &self.multisampled else {
            return;
        };
        let gl = &self.gl;
        let [width, height] = self.used_px.map(|side| side as i32);
        // SAFETY: our own framebuffers, of equal size and format.
        unsafe {
            gl.bind_framebuffer(glow::READ_FRAMEBUFFER, Some(multisampled.framebuffer));
            gl.bind_framebuffer(glow::DRAW_FRAMEBUFFER, Some(self.resolved));
            gl.disable(glow::SCISSOR_TEST);
            gl.blit_framebuffer(
                0,
                0,
                width,
                height,
                0,
                0,
                width,
                height,
                glow::COLOR_BUFFER_BIT,
                glow::NEAREST,
            );
        }
    }

    /// The finished picture, rows from top to bottom.
    pub(super) fn read(&self) -> RgbaImage {
        // SAFETY: our own framebuffer.
        unsafe {
            self.gl.bind_framebuffer(glow::READ_FRAMEBUFFER, Some(self.resolved));
        }
        read_pixels(&self.gl, self.used_px)
    }

    /// The same without waiting for it.
    pub(super) fn begin_to_read(&self) -> Result<PixelRead, RenderError> {
        // SAFETY: our own framebuffer.
        unsafe {
            self.gl.bind_framebuffer(glow::READ_FRAMEBUFFER, Some(self.resolved));
        }
        PixelRead::begin(&self.gl, self.used_px)
    }

    pub(super) fn texture(&self) -> glow::Texture {
        self.texture
    }

    pub(super) fn capacity_px(&self) -> [u32; 2] {
        self.capacity_px
    }
}

impl Drop for RenderTarget {
    fn drop(&mut self) {
        let gl = &self.gl;
        // SAFETY: made by `with_samples`, deleted once.
        unsafe {
            if let Some(multisampled) = &self.multisampled {
                gl.delete_framebuffer(multisampled.framebuffer);
                gl.delete_renderbuffer(multisampled.color);
            }
            gl.delete_framebuffer(self.resolved);
            gl.delete_renderbuffer(self.depth);
            gl.delete_texture(self.texture);
        }
    }
}

/// Gives the buffer storage of that format, and makes it that part of the framebuffer
/// that is bound.
fn attach_buffer(
    gl: &glow::Context,
    buffer: glow::Renderbuffer,
    (format, attachment): (u32, u32),
    size_px: [u32; 2],
    samples: i32,
) {
    let [width, height] = size_px.map(|side| side as i32);
    let target = glow::RENDERBUFFER;
    // SAFETY: made by the caller on this context, which has a framebuffer bound.
    unsafe {
        gl.bind_renderbuffer(target, Some(buffer));
        gl.renderbuffer_storage_multisample(target, samples, format, width, height);
        gl.framebuffer_renderbuffer(glow::FRAMEBUFFER, attachment, target, Some(buffer));
    }
}

/// Gives the texture RGBA8 storage and makes it the colour of the framebuffer,
/// which stays bound.
pub(super) fn attach_texture(
    gl: &glow::Context,
    framebuffer: glow::Framebuffer,
    texture: glow::Texture,
    size_px: [u32; 2],
) {
    let [width, height] = size_px.map(|side| side as i32);
    // SAFETY: both were made by the caller on this context.
    unsafe {
        gl.active_texture(glow::TEXTURE0);
        gl.bind_texture(glow::TEXTURE_2D, Some(texture));
        gl.tex_storage_2d(glow::TEXTURE_2D, 1, glow::RGBA8, width, height);
        for (name, value) in [
            (glow::TEXTURE_MIN_FILTER, glow::LINEAR),
            (glow::TEXTURE_MAG_FILTER, glow::LINEAR),
            (glow::TEXTURE_WRAP_S, glow::CLAMP_TO_EDGE),
            (glow::TEXTURE_WRAP_T, glow::CLAMP_TO_EDGE),
        ] {
            gl.tex_parameter_i32(glow::TEXTURE_2D, name, value as i32);
        }
        gl.bind_texture(glow::TEXTURE_2D, None);
        gl.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
        gl.framebuffer_texture_2d(
            glow::FRAMEBUFFER,
            glow::COLOR_ATTACHMENT0,
            glow::TEXTURE_2D,
            Some(texture),
            0,
        );
    }
}

/// Is the bound framebuffer usable?
pub(super) fn complete(gl: &glow::Context) -> Result<(), String> {
    // SAFETY: a plain query.
    let status = unsafe { gl.check_framebuffer_status(glow::FRAMEBUFFER) };
    match (status, drain_errors(gl)) {
        (glow::FRAMEBUFFER_COMPLETE, None) => Ok(()),
        (_, Some(error)) => Err(format!("GL error 0x{error:04X}")),
        (status, None) => Err(format!("framebuffer status 0x{status:04X}")),
    }
}

/// Reads the lower left part of the framebuffer bound for reading, and turns it
/// so that rows go from top to bottom.
pub(super) fn read_pixels(gl: &glow::Context, size_px: [u32; 2]) -> RgbaImage {
    let [width, height] = size_px;
    let mut picture = RgbaImage::new(width, height);
    // SAFETY: the slice holds width × height × 4 bytes, and rows of four-byte
    // pixels need no padding at any alignment GL knows up to 4; 8 is ruled out.
    unsafe {
        gl.pixel_store_i32(glow::PACK_ALIGNMENT, 1);
        gl.bind_buffer(glow::PIXEL_PACK_BUFFER, None);
        gl.read_pixels(
            0,
            0,
            width as i32,
            height as i32,
            glow::RGBA,
            glow::UNSIGNED_BYTE,
            glow::PixelPackData::Slice(Some(&mut picture)),
        );
    }
    image::imageops::flip_vertical_in_place(&mut picture);
    picture
}

// Reading a picture back without waiting for it: the graphics card copies it into a buffer
// when it is drawn, and whoever wants it looks in again.

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
    fn begin(gl: &Arc<glow::Context>, size_px: [u32; 2]) -> Result<Self, RenderError> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_has_at_least_one_pixel_and_keeps_its_proportion_when_too_large() {
        assert_eq!(fitting([0, 0], 2048), [1, 1]);
        assert_eq!(fitting([640, 480], 2048), [640, 480]);
        assert_eq!(fitting([4096, 1024], 2048), [2048, 512]);
        let [width, height] = fitting([100_000, 50_000], 16_384);
        assert!(f64::from(width) * f64::from(height) <= MAX_PIXELS);
        assert!((f64::from(width) / f64::from(height) - 2.0).abs() < 0.01);
        assert_eq!(fitting([u32::MAX, 0], 16_384), [16_384, 1]);
    }
}
