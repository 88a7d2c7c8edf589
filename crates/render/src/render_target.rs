//! The render target of a view, and reading its picture back.
//!
//! With multisampling, the picture is drawn into renderbuffers and resolved into a texture.
//! Without, it is drawn directly into the texture.

#![expect(unsafe_code, reason = "creates framebuffers, buffers and fences directly")]

use std::sync::Arc;

use eframe::glow::{self, HasContext as _};
use image::RgbaImage;

use super::RenderError;
use super::gl_state::drain_errors;

/// Number of samples per pixel at full quality.
pub(super) const SAMPLES: i32 = 4;
/// Granularity of the capacity while a picture is being resized, so that dragging the border of
/// a window does not allocate in every frame.
const CAPACITY_STEP_PX: u32 = 128;
/// Maximum number of pixels of a picture. More than any display has, and 1 GB with four samples.
const MAX_PIXELS: f64 = 16.0e6;

/// Off-screen framebuffers of a view. Deleted when dropped; the context must be current then.
pub(super) struct RenderTarget {
    gl: Arc<glow::Context>,
    /// `None` if pixels have a single sample.
    multisampled: Option<Multisampled>,
    depth: glow::Renderbuffer,
    resolved: glow::Framebuffer,
    texture: glow::Texture,
    capacity_px: [u32; 2],
    /// Size of the lower left part that contains the picture.
    pub(super) used_px: [u32; 2],
}

struct Multisampled {
    framebuffer: glow::Framebuffer,
    color: glow::Renderbuffer,
}

/// Scales a size down to the limits, keeping its aspect ratio. Each side is at least one pixel
/// and at most `max_side`.
pub(super) fn fit_size(requested_px: [u32; 2], max_side: u32) -> [u32; 2] {
    let [width, height] = requested_px.map(|side| f64::from(side.max(1)));
    let max_side = f64::from(max_side.max(1));
    let scale = (max_side / width.max(height)).min((MAX_PIXELS / (width * height)).sqrt()).min(1.0);
    [width, height].map(|side| ((side * scale).floor() as u32).clamp(1, max_side as u32))
}

impl RenderTarget {
    /// Creates a target with up to `max_samples` samples per pixel.
    ///
    /// With `is_resizing` set, the target has spare capacity for other sizes. Otherwise its
    /// capacity is that of the picture, which GL resolves faster.
    pub(super) fn new(
        gl: &Arc<glow::Context>,
        used_px: [u32; 2],
        max_side: u32,
        is_resizing: bool,
        max_samples: i32,
    ) -> Result<Self, RenderError> {
        let step_px = if is_resizing { CAPACITY_STEP_PX } else { 1 };
        let capacity_px =
            used_px.map(|side| side.next_multiple_of(step_px).min(max_side).max(side));
        // SAFETY: a plain query.
        let supported_samples = unsafe { gl.get_parameter_i32(glow::MAX_SAMPLES) };
        let samples = max_samples.min(supported_samples);
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
        // SAFETY: all objects are created here and used as their own type.
        // `Drop` deletes them even if the framebuffer is incomplete.
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
                check_framebuffer(gl)?;
                gl.bind_framebuffer(glow::FRAMEBUFFER, Some(multisampled.framebuffer));
                attach_renderbuffer(
                    gl,
                    multisampled.color,
                    glow::RGBA8,
                    glow::COLOR_ATTACHMENT0,
                    capacity_px,
                    samples,
                );
            }
            attach_renderbuffer(
                gl,
                target.depth,
                glow::DEPTH_COMPONENT24,
                glow::DEPTH_ATTACHMENT,
                capacity_px,
                // 0 disables multisampling. GL may round 1 up to more samples.
                if samples > 1 { samples } else { 0 },
            );
            check_framebuffer(gl)?;
            Ok(target)
        }
    }

    fn draw_framebuffer(&self) -> glow::Framebuffer {
        self.multisampled.as_ref().map_or(self.resolved, |multisampled| multisampled.framebuffer)
    }

    /// Changes the size of the picture, if it fits the capacity and does not waste much of it.
    /// An unchanged size must fit exactly. Returns false if a new target is needed.
    pub(super) fn resize(&mut self, used_px: [u32; 2]) -> bool {
        if used_px == self.used_px {
            return used_px == self.capacity_px;
        }
        let fits = (0..2).all(|axis| {
            let used = used_px[axis];
            let capacity = self.capacity_px[axis];
            used <= capacity && capacity <= used.saturating_mul(2).max(2 * CAPACITY_STEP_PX)
        });
        if fits {
            self.used_px = used_px;
        }
        fits
    }

    /// Binds the target for drawing.
    ///
    /// The background covers all old contents, so clearing is not necessary. It is faster on a
    /// GPU, which then need not load the old contents from memory, but slower in software.
    pub(super) fn begin(&self, should_clear: bool) {
        let gl = &self.gl;
        let [width, height] = self.used_px.map(|side| side as i32);
        // SAFETY: a framebuffer created here, and an area within its size.
        unsafe {
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(self.draw_framebuffer()));
            gl.viewport(0, 0, width, height);
            gl.enable(glow::SCISSOR_TEST);
            gl.scissor(0, 0, width, height);
            if should_clear {
                gl.color_mask(true, true, true, true);
                gl.depth_mask(true);
                gl.clear_color(0.0, 0.0, 0.0, 1.0);
                gl.clear_depth_f32(1.0);
                gl.clear(glow::COLOR_BUFFER_BIT | glow::DEPTH_BUFFER_BIT);
            }
        }
    }

    /// Averages the samples of each pixel into the texture. Does nothing without multisampling.
    pub(super) fn resolve_samples(&self) {
        let Some(multisampled) = &self.multisampled else {
            return;
        };
        let gl = &self.gl;
        let [width, height] = self.used_px.map(|side| side as i32);
        // SAFETY: framebuffers created here, of equal size and format.
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

    /// Reads back the finished picture, with rows from top to bottom.
    pub(super) fn read(&self) -> RgbaImage {
        // SAFETY: a framebuffer created here.
        unsafe {
            self.gl.bind_framebuffer(glow::READ_FRAMEBUFFER, Some(self.resolved));
        }
        read_pixels(&self.gl, self.used_px)
    }

    /// Starts to read back the finished picture, without waiting for the GPU.
    pub(super) fn start_pixel_read(&self) -> Result<PixelRead, RenderError> {
        // SAFETY: a framebuffer created here.
        unsafe {
            self.gl.bind_framebuffer(glow::READ_FRAMEBUFFER, Some(self.resolved));
        }
        PixelRead::start(&self.gl, self.used_px)
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
        // SAFETY: created by `with_samples`, deleted once.
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

/// Allocates storage for a renderbuffer and attaches it to the bound framebuffer.
fn attach_renderbuffer(
    gl: &glow::Context,
    buffer: glow::Renderbuffer,
    format: u32,
    attachment: u32,
    size_px: [u32; 2],
    samples: i32,
) {
    let [width, height] = size_px.map(|side| side as i32);
    let target = glow::RENDERBUFFER;
    // SAFETY: created by the caller on this context, which has a framebuffer bound.
    unsafe {
        gl.bind_renderbuffer(target, Some(buffer));
        gl.renderbuffer_storage_multisample(target, samples, format, width, height);
        gl.framebuffer_renderbuffer(glow::FRAMEBUFFER, attachment, target, Some(buffer));
    }
}

/// Allocates RGBA8 storage for a texture and attaches it to the framebuffer as its color. The
/// framebuffer is bound afterwards.
pub(super) fn attach_texture(
    gl: &glow::Context,
    framebuffer: glow::Framebuffer,
    texture: glow::Texture,
    size_px: [u32; 2],
) {
    let [width, height] = size_px.map(|side| side as i32);
    // SAFETY: both were created by the caller on this context.
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

/// Checks that the bound framebuffer is complete and that no GL error is pending. Returns the
/// reason otherwise.
pub(super) fn check_framebuffer(gl: &glow::Context) -> Result<(), String> {
    // SAFETY: a plain query.
    let status = unsafe { gl.check_framebuffer_status(glow::FRAMEBUFFER) };
    match (status, drain_errors(gl)) {
        (glow::FRAMEBUFFER_COMPLETE, None) => Ok(()),
        (_, Some(error)) => Err(format!("GL error 0x{error:04X}")),
        (status, None) => Err(format!("framebuffer status 0x{status:04X}")),
    }
}

/// Reads the lower left part of the framebuffer bound for reading. Returns it with rows from top
/// to bottom.
pub(super) fn read_pixels(gl: &glow::Context, size_px: [u32; 2]) -> RgbaImage {
    let [width, height] = size_px;
    let mut picture = RgbaImage::new(width, height);
    // SAFETY: the slice has width × height × 4 bytes, and with an alignment of 1 the rows
    // have no padding.
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

/// A picture that is being read back asynchronously: the GPU copies it to a buffer, which
/// [`Self::picture`] polls. The context must be current when this is dropped.
pub struct PixelRead {
    gl: Arc<glow::Context>,
    buffer: glow::Buffer,
    /// Signaled when the copy is complete.
    fence: glow::Fence,
    size_px: [u32; 2],
}

impl PixelRead {
    /// Starts to read the lower left part of the framebuffer bound for reading.
    fn start(gl: &Arc<glow::Context>, size_px: [u32; 2]) -> Result<Self, RenderError> {
        let [width, height] = size_px.map(|side| side as i32);
        // SAFETY: the buffer has width × height × 4 bytes, and with an alignment of 1 the rows
        // have no padding.
        unsafe {
            let buffer = gl.create_buffer().map_err(out_of_memory)?;
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
            let fence = gl
                .fence_sync(glow::SYNC_GPU_COMMANDS_COMPLETE, 0)
                .inspect_err(|_| gl.delete_buffer(buffer))
                .map_err(out_of_memory);
            gl.flush();
            Ok(Self { gl: Arc::clone(gl), buffer, fence: fence?, size_px })
        }
    }

    /// Returns the picture with rows from top to bottom, or `None` if the GPU has not copied it
    /// yet.
    pub fn picture(&self) -> Option<RgbaImage> {
        let [width, height] = self.size_px;
        let mut picture = RgbaImage::new(width, height);
        // SAFETY: objects created here; the buffer has as many bytes as the picture.
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
        // SAFETY: created by `start`, deleted once.
        unsafe {
            self.gl.delete_sync(self.fence);
            self.gl.delete_buffer(self.buffer);
        }
    }
}

fn out_of_memory(reason: String) -> RenderError {
    RenderError::OutOfMemory { what: "a picture to read back".to_owned(), reason }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fit_size_keeps_the_aspect_ratio_and_at_least_one_pixel() {
        assert_eq!(fit_size([0, 0], 2048), [1, 1]);
        assert_eq!(fit_size([640, 480], 2048), [640, 480]);
        assert_eq!(fit_size([4096, 1024], 2048), [2048, 512]);
        let [width, height] = fit_size([100_000, 50_000], 16_384);
        assert!(f64::from(width) * f64::from(height) <= MAX_PIXELS);
        assert!((f64::from(width) / f64::from(height) - 2.0).abs() < 0.01);
        assert_eq!(fit_size([u32::MAX, 0], 16_384), [16_384, 1]);
    }
}
