//! What this machine's GL allows, as plain numbers.

/// Read once from GL by the renderer.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct GpuLimits {
    /// `GL_VENDOR`
    pub vendor: String,
    /// `GL_RENDERER`
    pub renderer: String,
    /// `GL_VERSION`
    pub version: String,
    /// vec4s a vertex shader may have as uniforms.
    pub vertex_uniform_vec4s: u32,
    /// Bytes in one uniform block.
    pub uniform_block_bytes: u32,
    /// Uniform blocks a vertex shader may have.
    pub vertex_uniform_blocks: u32,
    /// Texels along one side of a texture.
    pub texture_size: u32,
    /// Textures a vertex shader may read.
    pub vertex_texture_units: u32,
    /// Attributes of a vertex.
    pub vertex_attributes: u32,
    /// Can 32-bit float textures be read with LINEAR? Desktop GL always can; in
    /// WebGL this is `OES_texture_float_linear`.
    pub float_linear: bool,
}
