//! GL contexts without a window.
//!
//! Uses the device platform of EGL, which needs neither a display server nor a GPU: Mesa
//! draws in software on machines without one.

#![expect(unsafe_code, reason = "creates GL contexts directly")]

use std::sync::Arc;

use eframe::glow;

use super::RenderError;
pub use super::page_target::{PageTarget, apply_textures};

/// A GL context that is current on the thread that created it, until it is dropped.
pub struct HeadlessGl {
    gl: Arc<glow::Context>,
    _context: platform::CurrentContext,
}

impl HeadlessGl {
    /// Creates a context of GL 3.3 core on the first EGL device that supports it.
    ///
    /// # Errors
    /// [`RenderError::NoHeadless`] with the error of each device, if there is no EGL or no
    /// device works.
    pub fn new() -> Result<Self, RenderError> {
        Self::with_api(Api::Desktop)
    }

    /// Creates a context of OpenGL ES 3.0, whose shading language is that of WebGL 2.
    ///
    /// # Errors
    /// See [`Self::new`].
    pub fn new_es() -> Result<Self, RenderError> {
        Self::with_api(Api::Embedded)
    }

    fn with_api(api: Api) -> Result<Self, RenderError> {
        let (gl, context) = platform::create_context(api)?;
        Ok(Self { gl: Arc::new(gl), _context: context })
    }

    pub fn gl(&self) -> Arc<glow::Context> {
        Arc::clone(&self.gl)
    }
}

#[derive(Clone, Copy)]
enum Api {
    /// OpenGL 3.3 in the core profile.
    Desktop,
    /// OpenGL ES in version 3.0.
    Embedded,
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

    /// A context that is released when dropped.
    pub(super) struct CurrentContext {
        context: Option<PossiblyCurrentContext>,
        _display: Display,
    }

    impl Drop for CurrentContext {
        fn drop(&mut self) {
            // EGL does not destroy a context that is still current.
            drop(self.context.take().map(|context| context.make_not_current()));
        }
    }

    pub(super) fn create_context(api: Api) -> Result<(glow::Context, CurrentContext), RenderError> {
        let devices = Device::query_devices().map_err(|error| RenderError::NoHeadless {
            reason: format!("EGL lists no devices: {error}"),
        })?;
        let mut reasons = Vec::new();
        for (number, device) in devices.enumerate() {
            match create_context_on_device(&device, api) {
                Ok(context) => return Ok(context),
                Err(error) => reasons.push(format!("device {number}: {error}")),
            }
        }
        if reasons.is_empty() {
            reasons.push("EGL lists no devices".to_owned());
        }
        Err(RenderError::NoHeadless { reason: reasons.join("; ") })
    }

    fn create_context_on_device(
        device: &Device,
        api: Api,
    ) -> Result<(glow::Context, CurrentContext), glutin::error::Error> {
        // The device platform has no surfaces. With the default surface type, no configuration
        // would match.
        let template =
            ConfigTemplateBuilder::new().with_surface_type(ConfigSurfaceTypes::empty()).build();
        let attributes = match api {
            Api::Desktop => ContextAttributesBuilder::new()
                .with_context_api(ContextApi::OpenGl(Some(Version::new(3, 3))))
                .with_profile(GlProfile::Core),
            Api::Embedded => ContextAttributesBuilder::new()
                .with_context_api(ContextApi::Gles(Some(Version::new(3, 0)))),
        }
        .build(None);
        // SAFETY: no window is involved, and the configuration comes from the
        // display that the context is created on.
        unsafe {
            let display = Display::with_device(device, None)?;
            let config = display
                .find_configs(template)?
                .next()
                .ok_or(glutin::error::ErrorKind::BadConfig)?;
            let context =
                display.create_context(&config, &attributes)?.make_current_surfaceless()?;
            let gl = glow::Context::from_loader_function_cstr(|name| {
                display.get_proc_address(name).cast()
            });
            let context = CurrentContext { context: Some(context), _display: display };
            Ok((gl, context))
        }
    }
}

#[cfg(target_vendor = "apple")]
mod platform {
    use eframe::glow;

    use super::{Api, RenderError};

    /// A placeholder, because Apple systems have no EGL.
    pub(super) struct CurrentContext;

    pub(super) fn create_context(_: Api) -> Result<(glow::Context, CurrentContext), RenderError> {
        Err(RenderError::NoHeadless {
            reason: "Apple systems have no EGL; open the notebook in its window".to_owned(),
        })
    }
}
