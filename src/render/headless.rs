//! GL without a window, and whole pages painted into an image.
//!
//! Through EGL's device platform, which needs neither display server nor GPU:
//! Mesa draws in software where there is none.

#![expect(unsafe_code, reason = "contexts and framebuffers are made directly")]

use std::sync::Arc;

use eframe::glow::{self, HasContext as _};
use eframe::{egui, egui_glow};
use image::RgbaImage;

use super::RenderError;
use super::render_target::{attach_texture, complete, read_pixels};

/// A GL context that is current on the thread that made it, until it is
/// dropped.
pub struct HeadlessGl {
    gl: Arc<glow::Context>,
    _context: platform::Current,
}

impl HeadlessGl {
    /// Tries all devices until one gives a context of GL 3.3 core.
    ///
    /// # Errors
    /// When there is no EGL, or none of its devices works; says what each
    /// answered.
    pub fn new() -> Result<Self, RenderError> {
        Self::with_api(Api::Desktop)
    }

    /// The same with OpenGL ES 3.0, whose shading language browsers speak.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn new_es() -> Result<Self, RenderError> {
        Self::with_api(Api::Embedded)
    }

    fn with_api(api: Api) -> Result<Self, RenderError> {
        let (gl, context) = platform::current(api)?;
        Ok(Self {
            gl: Arc::new(gl),
            _context: context,
        })
    }

    /// The context's functions.
    #[must_use]
    pub fn gl(&self) -> Arc<glow::Context> {
        Arc::clone(&self.gl)
    }
}

/// Which OpenGL.
#[derive(Clone, Copy)]
enum Api {
    /// 3.3 core.
    Desktop,
    /// ES 3.0.
    Embedded,
}

/// Paints whole egui pages into images.
pub struct PageTarget {
    gl: Arc<glow::Context>,
    framebuffer: glow::Framebuffer,
    page: Option<(glow::Texture, [u32; 2])>,
}

impl PageTarget {
    /// # Errors
    /// When GL has no framebuffers left.
    pub fn new(gl: Arc<glow::Context>) -> Result<Self, RenderError> {
        // SAFETY: a plain creation.
        let framebuffer = unsafe { gl.create_framebuffer() }.map_err(no_memory)?;
        Ok(Self {
            gl,
            framebuffer,
            page: None,
        })
    }

    /// Paints what one frame of egui put out. Textures that the frame set or
    /// freed are set and freed, so every frame's output must come through here
    /// or through [`apply_textures`].
    ///
    /// # Errors
    /// When GL has no memory for a page of that size.
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
    /// # Errors
    /// When GL has no memory for a page of that size.
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
            let before = gl.get_parameter_framebuffer(glow::DRAW_FRAMEBUFFER_BINDING);
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
    RenderError::OutOfMemory {
        what: "a page".to_owned(),
        reason,
    }
}

#[cfg(not(target_vendor = "apple"))]
mod platform {
    use eframe::glow;
    use glutin::api::egl::context::PossiblyCurrentContext;
    use glutin::api::egl::device::Device;
    use glutin::api::egl::display::Display;
    use glutin::config::{ConfigSurfaceTypes, ConfigTemplateBuilder};
    use glutin::context::{ContextApi, ContextAttributesBuilder, GlProfile, Version};
    use glutin::prelude::*;

    use super::{Api, RenderError};

    /// Ends the context when dropped.
    pub(super) struct Current {
        context: Option<PossiblyCurrentContext>,
        _display: Display,
    }

    impl Drop for Current {
        fn drop(&mut self) {
            // A context that is still current would live on.
            drop(
                self.context
                    .take()
                    .map(|context| context.make_not_current()),
            );
        }
    }

    pub(super) fn current(api: Api) -> Result<(glow::Context, Current), RenderError> {
        let refused = |reason: String| RenderError::NoHeadless { reason };
        let devices = Device::query_devices()
            .map_err(|error| refused(format!("EGL lists no devices: {error}")))?;
        let mut reasons = Vec::new();
        for (number, device) in devices.enumerate() {
            match on_device(&device, api) {
                Ok(context) => return Ok(context),
                Err(error) => reasons.push(format!("device {number}: {error}")),
            }
        }
        if reasons.is_empty() {
            reasons.push("EGL lists no devices".to_owned());
        }
        Err(refused(reasons.join("; ")))
    }

    fn on_device(
        device: &Device,
        api: Api,
    ) -> Result<(glow::Context, Current), glutin::error::Error> {
        // A device has no surfaces; asking for some finds no configuration.
        let template = ConfigTemplateBuilder::new()
            .with_surface_type(ConfigSurfaceTypes::empty())
            .build();
        let attributes = match api {
            Api::Desktop => ContextAttributesBuilder::new()
                .with_context_api(ContextApi::OpenGl(Some(Version::new(3, 3))))
                .with_profile(GlProfile::Core),
            Api::Embedded => ContextAttributesBuilder::new()
                .with_context_api(ContextApi::Gles(Some(Version::new(3, 0)))),
        }
        .build(None);
        // SAFETY: no window is involved, and the configuration comes from the
        // display that the context is made on.
        unsafe {
            let display = Display::with_device(device, None)?;
            let config = display
                .find_configs(template)?
                .next()
                .ok_or(glutin::error::ErrorKind::BadConfig)?;
            let context = display
                .create_context(&config, &attributes)?
                .make_current_surfaceless()?;
            let gl = glow::Context::from_loader_function_cstr(|name| {
                display.get_proc_address(name).cast()
            });
            let current = Current {
                context: Some(context),
                _display: display,
            };
            Ok((gl, current))
        }
    }
}

#[cfg(target_vendor = "apple")]
mod platform {
    use eframe::glow;

    use super::{Api, RenderError};

    /// There is no EGL here.
    pub(super) struct Current;

    pub(super) fn current(_: Api) -> Result<(glow::Context, Current), RenderError> {
        Err(RenderError::NoHeadless {
            reason: "Apple systems have no EGL; open the notebook in its window".to_owned(),
        })
    }
}
