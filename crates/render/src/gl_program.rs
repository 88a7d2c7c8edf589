//! Programs and vertex arrays made without three-d: it leaks what does not compile, knows no
//! transform feedback, and keeps its vertex array private.

#![expect(unsafe_code, reason = "made and deleted with GL directly")]

use std::sync::Arc;

use eframe::glow::{self, HasContext as _};

use super::{RenderError, shaders};

/// A compiled program. Deleted when dropped; the context must be current then.
pub(super) struct GlProgram {
    gl: Arc<glow::Context>,
    key: glow::Program,
}

impl GlProgram {
    /// `captured` are the outputs of the vertex shader that transform feedback
    /// writes, one buffer each.
    ///
    /// Errors: what the driver says.
    pub(super) fn compile(
        gl: &Arc<glow::Context>,
        source: &shaders::ProgramSource,
        captured: &[&str],
    ) -> Result<Self, String> {
        let header = shaders::header(gl.version().is_embedded);
        // SAFETY: objects are made here and used as what they were made for.
        unsafe {
            let program = Self { gl: Arc::clone(gl), key: gl.create_program()? };
            let mut log = String::new();
            let mut shaders = Vec::new();
            for (kind, text) in
                [(glow::VERTEX_SHADER, &source.vertex), (glow::FRAGMENT_SHADER, &source.fragment)]
            {
                let shader = gl.create_shader(kind)?;
                gl.shader_source(shader, &format!("{header}{text}"));
                gl.compile_shader(shader);
                if !gl.get_shader_compile_status(shader) {
                    log += &gl.get_shader_info_log(shader);
                }
                gl.attach_shader(program.key, shader);
                shaders.push(shader);
            }
            if log.is_empty() {
                if !captured.is_empty() {
                    gl.transform_feedback_varyings(program.key, captured, glow::SEPARATE_ATTRIBS);
                }
                gl.link_program(program.key);
            }
            // In this order: on the web glow forgets a shader once it is deleted.
            for shader in shaders {
                gl.detach_shader(program.key, shader);
                gl.delete_shader(shader);
            }
            if !log.is_empty() {
                return Err(log);
            }
            if gl.get_program_link_status(program.key) {
                Ok(program)
            } else {
                Err(gl.get_program_info_log(program.key))
            }
        }
    }

    pub(super) fn key(&self) -> glow::Program {
        self.key
    }
}

impl Drop for GlProgram {
    fn drop(&mut self) {
        // SAFETY: made by `compile`, deleted once.
        unsafe { self.gl.delete_program(self.key) }
    }
}

/// A vertex array without attributes, for programs that make their vertices themselves.
/// Deleted when dropped; the context must be current then.
pub(super) struct OwnVertexArray {
    gl: Arc<glow::Context>,
    key: glow::VertexArray,
}

impl OwnVertexArray {
    pub(super) fn new(gl: &Arc<glow::Context>) -> Result<Self, RenderError> {
        let gl = Arc::clone(gl);
        // SAFETY: a plain creation.
        let key = unsafe { gl.create_vertex_array() }.map_err(|reason| {
            RenderError::OutOfMemory { what: "a vertex array".to_owned(), reason }
        })?;
        Ok(Self { gl, key })
    }

    pub(super) fn key(&self) -> glow::VertexArray {
        self.key
    }
}

impl Drop for OwnVertexArray {
    fn drop(&mut self) {
        // SAFETY: made by `new`, deleted once.
        unsafe { self.gl.delete_vertex_array(self.key) }
    }
}
