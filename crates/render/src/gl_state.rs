//! Saves and restores the GL state that egui depends on.
//!
//! egui sets most of its state before each callback. It does not bind its framebuffer again,
//! though, and does not set the color and depth masks, which must be open.

#![expect(unsafe_code, reason = "queries and sets GL state directly")]

use eframe::glow::{self, HasContext as _};

const CAPABILITIES: [u32; 4] = [glow::SCISSOR_TEST, glow::DEPTH_TEST, glow::BLEND, glow::CULL_FACE];

/// The GL state that off-screen drawing changes.
pub(super) struct SavedState {
    /// `None` for the framebuffer of the window or canvas.
    draw_framebuffer: Option<glow::Framebuffer>,
    read_framebuffer: Option<glow::Framebuffer>,
    viewport: [i32; 4],
    scissor: [i32; 4],
    /// Values of the capabilities in [`CAPABILITIES`].
    enabled: [bool; 4],
}

impl SavedState {
    /// Reads the current state and clears pending errors, because three-d panics over them in
    /// debug builds.
    pub(super) fn save(gl: &glow::Context) -> Self {
        drain_errors(gl);
        // A query in a browser blocks until its GPU process has executed all earlier commands.
        // There egui sets all its state again, and starts with the canvas bound.
        let saved =
            if cfg!(target_arch = "wasm32") { Self::egui_initial() } else { Self::query(gl) };
        // SAFETY: only unbinds objects.
        unsafe {
            // three-d uploads indices to the vertex array that is bound.
            gl.bind_vertex_array(None);
            gl.bind_buffer(glow::PIXEL_UNPACK_BUFFER, None);
        }
        saved
    }

    fn egui_initial() -> Self {
        Self {
            draw_framebuffer: None,
            read_framebuffer: None,
            viewport: [0; 4],
            scissor: [0; 4],
            enabled: [false; 4],
        }
    }

    fn query(gl: &glow::Context) -> Self {
        let mut saved = Self::egui_initial();
        saved.draw_framebuffer = bound_framebuffer(gl);
        // SAFETY: plain queries on the current context, into arrays of four.
        unsafe {
            saved.read_framebuffer = gl.get_parameter_framebuffer(glow::READ_FRAMEBUFFER_BINDING);
            gl.get_parameter_i32_slice(glow::VIEWPORT, &mut saved.viewport);
            gl.get_parameter_i32_slice(glow::SCISSOR_BOX, &mut saved.scissor);
            saved.enabled = CAPABILITIES.map(|capability| gl.is_enabled(capability));
        }
        saved
    }

    /// Restores the saved state. Also opens the masks, unbinds all objects and activates texture
    /// unit 0.
    pub(super) fn restore(self, gl: &glow::Context) {
        // SAFETY: all values were returned by GL.
        unsafe {
            gl.bind_framebuffer(glow::DRAW_FRAMEBUFFER, self.draw_framebuffer);
            gl.bind_framebuffer(glow::READ_FRAMEBUFFER, self.read_framebuffer);
            let [x, y, width, height] = self.viewport;
            gl.viewport(x, y, width, height);
            let [x, y, width, height] = self.scissor;
            gl.scissor(x, y, width, height);
            for (capability, is_enabled) in CAPABILITIES.into_iter().zip(self.enabled) {
                if is_enabled {
                    gl.enable(capability);
                } else {
                    gl.disable(capability);
                }
            }
            gl.color_mask(true, true, true, true);
            gl.depth_mask(true);
            gl.depth_func(glow::LESS);
            gl.bind_vertex_array(None);
            gl.use_program(None);
            gl.bind_renderbuffer(glow::RENDERBUFFER, None);
            for unit in [1, 0] {
                gl.active_texture(glow::TEXTURE0 + unit);
                gl.bind_texture(glow::TEXTURE_2D, None);
            }
        }
    }
}

/// Returns the framebuffer bound for drawing. Returns `None` in a browser, which draws into the
/// canvas: glow would panic there, because the canvas has no framebuffer object.
pub(super) fn bound_framebuffer(gl: &glow::Context) -> Option<glow::Framebuffer> {
    if cfg!(target_arch = "wasm32") {
        return None;
    }
    // SAFETY: a plain query on the current context.
    unsafe { gl.get_parameter_framebuffer(glow::DRAW_FRAMEBUFFER_BINDING) }
}

/// Clears all pending GL errors and returns the first one, if any. Does nothing in release builds
/// for a browser: three-d does not panic there, and the query would block as in
/// [`SavedState::save`].
pub(super) fn drain_errors(gl: &glow::Context) -> Option<u32> {
    if cfg!(all(target_arch = "wasm32", not(debug_assertions))) {
        return None;
    }
    let mut first = None;
    // Bounded, because a lost context reports errors forever.
    for _ in 0..32 {
        // SAFETY: a plain query.
        let error = unsafe { gl.get_error() };
        if error == glow::NO_ERROR {
            break;
        }
        first.get_or_insert(error);
    }
    first
}
