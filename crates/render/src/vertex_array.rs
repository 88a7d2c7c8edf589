//! A vertex array without attributes, for programs that make their vertices
//! themselves; three-d's is private.

#![expect(unsafe_code, reason = "made and deleted with GL directly")]

use std::sync::Arc;

use eframe::glow::{self, HasContext as _};

use super::RenderError;

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
