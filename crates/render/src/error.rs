use thiserror::Error;

use bindpose_notebook::palette_plan::TransportLimit;

/// An error of the renderer. Each message also suggests a way out.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RenderError {
    /// The driver supports neither OpenGL 3.3 nor OpenGL ES 3.0.
    #[error(
        "the 3-D picture needs OpenGL 3.3 or OpenGL ES 3.0 (WebGL 2); this machine offers {found}. \
         Update the graphics driver, or draw in software: start with LIBGL_ALWAYS_SOFTWARE=1 set"
    )]
    TooOld {
        /// `GL_VERSION` and `GL_RENDERER`.
        found: String,
    },
    /// The driver rejected one of the built-in shaders, because of a bug in the shader or in
    /// the driver.
    #[error(
        "the shader `{name}` does not compile with this graphics driver: {log}. Update the driver, \
         or start with LIBGL_ALWAYS_SOFTWARE=1 set"
    )]
    Shader {
        name: &'static str,
        /// The driver's info log.
        log: String,
    },
    /// The shader that the reader wrote was rejected.
    #[error("line {line} of the shader: {message}. Mend it, or go back to ours")]
    ReadersShader {
        /// Line of the shader's body, counted from 1.
        line: usize,
        message: String,
    },
    /// The driver could not create a GL object or allocate its storage.
    #[error(
        "the graphics driver has no memory for {what} ({reason}). Make the window smaller, or close \
         other programs that draw"
    )]
    OutOfMemory {
        /// The object that could not be created, with its article: "a vertex array".
        what: String,
        reason: String,
    },
    /// No GL context can be created without a window.
    #[error(
        "no OpenGL without a window: {reason}. On Debian and Ubuntu install libegl1 and \
         libgl1-mesa-dri"
    )]
    NoHeadless {
        /// The reason reported by each device that was tried.
        reason: String,
    },
    /// The palette does not fit the transport that the scene uses.
    #[error(transparent)]
    Misfit(#[from] TransportLimit),
    /// The view has no picture to read, because it was never drawn or its picture was freed.
    #[error("this view was not drawn yet; draw it before reading it")]
    NoSuchView,
}
