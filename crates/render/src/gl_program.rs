//! Programs and vertex arrays made without three-d, which leaks shaders that do not compile,
//! does not support transform feedback, and keeps its vertex array private.

#![expect(unsafe_code, reason = "creates and deletes GL objects directly")]

use std::sync::Arc;

use eframe::glow::{self, HasContext as _};

use super::{RenderError, shaders};

/// A compiled program. Deleted when dropped; the context must be current then.
pub(super) struct GlProgram {
    gl: Arc<glow::Context>,
    key: glow::Program,
}

impl GlProgram {
    /// Compiles and links a program. Transform feedback writes the `captured` outputs of the
    /// vertex shader to one buffer each. Returns the driver's log if compilation fails.
    pub(super) fn compile(
        gl: &Arc<glow::Context>,
        source: &shaders::ProgramSource,
        captured: &[&str],
    ) -> Result<Self, String> {
        let header = shaders::header(gl.version().is_embedded);
        // SAFETY: all objects are created here and used as their own type.
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
            // Detached before deletion, because glow on the web forgets a deleted shader.
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
        // SAFETY: created by `compile`, deleted once.
        unsafe { self.gl.delete_program(self.key) }
    }
}

/// A vertex array without attributes, for programs that compute their vertices themselves.
/// Deleted when dropped; the context must be current then.
pub(super) struct EmptyVertexArray {
    gl: Arc<glow::Context>,
    key: glow::VertexArray,
}

impl EmptyVertexArray {
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

impl Drop for EmptyVertexArray {
    fn drop(&mut self) {
        // SAFETY: created by `new`, deleted once.
        unsafe { self.gl.delete_vertex_array(self.key) }
    }
}
