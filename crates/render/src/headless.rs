//! GL without a window.
//!
//! Through EGL's device platform, which needs neither display server nor GPU:
//! Mesa draws in software where there is none.

#![expect(unsafe_code, reason = "contexts are made directly")]

use std::sync::Arc;

use eframe::glow;

use super::RenderError;
pub use super::page_target::{PageTarget, apply_textures};

/// A GL context that is current on the thread that made it, until it is
/// dropped.
pub struct HeadlessGl {
    gl: Arc<glow::Context>,
    _context: platform::Current,
}

impl HeadlessGl {
    /// Tries all devices until one gives a context of GL 3.3 core.
    ///
    /// Fails when there is no EGL, or none of its devices works; says what each
    /// answered.
    pub fn new() -> Result<Self, RenderError> {
        Self::with_api(Api::Desktop)
    }

    /// The same with OpenGL ES 3.0, whose shading language browsers speak.
    ///
    /// Errors: as [`Self::new`].
    pub fn new_es() -> Result<Self, RenderError> {
        Self::with_api(Api::Embedded)
    }

    fn with_api(api: Api) -> Result<Self, RenderError> {
        let (gl, context) = platform::current(api)?;
        Ok(Self { gl: Arc::new(gl), _context: context })
    }

    /// The context's functions.
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
            drop(self.context.take().map(|context| context.make_not_current()));
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
        // display that the context is made on.
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
            let current = Current { context: Some(context), _display: display };
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
