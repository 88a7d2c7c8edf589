//! What can go wrong with GL, in words that say what to do.

use thiserror::Error;

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

/// Why a palette can't take a way to the vertex shader.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Misfit {
    /// More plain uniforms than there are.
    #[error(
        "{joints} joints take {vec4s} vec4s as plain uniforms, and {allowed} are free. Choose \
         another transport"
    )]
    UniformArray {
        /// Joints of the palette.
        joints: u32,
        /// What they take.
        vec4s: u32,
        /// What is left beside the shader's other uniforms.
        allowed: u32,
    },
    /// More uniform blocks than there are.
    #[error(
        "{joints} joints need more than {allowed} uniform blocks of {block_bytes} bytes. Choose a \
         texture"
    )]
    UniformBlock {
        /// Joints of the palette.
        joints: u32,
        /// Bytes in one block.
        block_bytes: u32,
        /// Blocks that every vertex shader may have.
        allowed: u32,
    },
    /// More joints than rows.
    #[error("{joints} joints are more than the {rows} rows that a texture may have here")]
    Texture {
        /// Joints of the palette.
        joints: u32,
        /// The texture's largest height.
        rows: u32,
    },
    /// `MAX_VERTEX_TEXTURE_IMAGE_UNITS` is 0.
    #[error("vertex shaders can't read textures here. Choose a uniform array")]
    NoVertexTextures,
    /// Palettes of a crowd by another way than `texelFetch`.
    #[error("poses of their own go through a texture read by texelFetch. Choose that transport")]
    OwnPoses,
    /// More palettes than a texture holds.
    #[error(
        "{palettes} palettes of {joints} joints are more than a texture holds here. Draw fewer, or \
         all in one pose"
    )]
    CrowdTexture {
        /// One for each of the crowd.
        palettes: usize,
        /// Joints of each.
        joints: u32,
    },
}
