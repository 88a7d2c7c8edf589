//! What can go wrong with GL, in words that say what to do.

use thiserror::Error;

use bindpose_notebook::palette_plan::Misfit;

/// Why there is no picture.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RenderError {
    /// The driver is older than everything here needs.
    #[error(
        "the 3-D picture needs OpenGL 3.3 or OpenGL ES 3.0 (WebGL 2); this machine offers {found}. \
         Update the graphics driver, or draw in software: start with LIBGL_ALWAYS_SOFTWARE=1 set"
    )]
    TooOld {
        /// `GL_VERSION` and `GL_RENDERER`.
        found: String,
    },
    /// A shader was refused: a fault of ours, or of the driver.
    #[error(
        "the shader `{name}` does not compile with this graphics driver: {log}. Update the driver, \
         or start with LIBGL_ALWAYS_SOFTWARE=1 set"
    )]
    Shader {
        /// Which program.
        name: &'static str,
        /// What the driver says.
        log: String,
    },
    /// The reader's shader was refused.
    #[error("line {line} of the shader: {message}. Mend it, or go back to ours")]
    ReadersShader {
        /// Line of the body, from 1.
        line: usize,
        /// In the driver's words, or ours.
        message: String,
    },
    /// Textures or framebuffers could not be made.
    #[error(
        "the graphics driver has no memory for {what} ({reason}). Make the window smaller, or close \
         other programs that draw"
    )]
    OutOfMemory {
        /// For what.
        what: String,
        /// What the driver says.
        reason: String,
    },
    /// GL without a window can't be had here.
    #[error(
        "no OpenGL without a window: {reason}. On Debian and Ubuntu install libegl1 and \
         libgl1-mesa-dri"
    )]
    NoHeadless {
        /// What was tried.
        reason: String,
    },
    /// The palette does not fit the way that was chosen for it.
    #[error(transparent)]
    Misfit(#[from] Misfit),
    /// A view was read that was never drawn.
    #[error("this view was not drawn yet; draw it before reading it")]
    NoSuchView,
}
