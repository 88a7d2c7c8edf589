//! Leaves GL as it was found.
//!
//! egui sets most of what it needs before each callback, but draws on into
//! whatever framebuffer is bound, and does not set masks: they must be open.

#![expect(unsafe_code, reason = "GL is asked and set directly")]

use eframe::glow::{self, HasContext as _};

const SWITCHES: [u32; 4] = [glow::SCISSOR_TEST, glow::DEPTH_TEST, glow::BLEND, glow::CULL_FACE];

/// GL state that off-screen drawing changes.
pub(super) struct SavedState {
    /// `None`: the window's own, or the canvas.
    draw_framebuffer: Option<glow::Framebuffer>,
    read_framebuffer: Option<glow::Framebuffer>,
    viewport: [i32; 4],
    scissor: [i32; 4],
    switches: [bool; 4],
}

impl SavedState {
    /// Reads it, and clears errors that others left: three-d panics over them
    /// in debug builds.
    pub(super) fn save(gl: &glow::Context) -> Self {
        drain_errors(gl);
        // A browser answers no question before its graphics process has done all that
        // was asked of it, for which the page would wait. There egui sets anew what it
        // draws with, and begins with the canvas bound.
        let saved =
            if cfg!(target_arch = "wasm32") { Self::as_egui_begins() } else { Self::asked(gl) };
        // SAFETY: plain bindings of nothing.
        unsafe {
            // three-d uploads indices into whatever vertex array is bound.
            gl.bind_vertex_array(None);
            gl.bind_buffer(glow::PIXEL_UNPACK_BUFFER, None);
        }
        saved
    }

    fn as_egui_begins() -> Self {
        Self {
            draw_framebuffer: None,
            read_framebuffer: None,
            viewport: [0; 4],
            scissor: [0; 4],
            switches: [false; 4],
        }
    }

    fn asked(gl: &glow::Context) -> Self {
        let mut saved = Self::as_egui_begins();
        saved.draw_framebuffer = bound_framebuffer(gl);
        // SAFETY: plain queries on the current context, into arrays of four.
        unsafe {
            saved.read_framebuffer = gl.get_parameter_framebuffer(glow::READ_FRAMEBUFFER_BINDING);
            gl.get_parameter_i32_slice(glow::VIEWPORT, &mut saved.viewport);
            gl.get_parameter_i32_slice(glow::SCISSOR_BOX, &mut saved.scissor);
            saved.switches = SWITCHES.map(|switch| gl.is_enabled(switch));
        }
        saved
    }

    /// Puts it back; masks open, nothing bound, texture unit 0.
    pub(super) fn restore(self, gl: &glow::Context) {
        // SAFETY: values that GL itself returned.
        unsafe {
            gl.bind_framebuffer(glow::DRAW_FRAMEBUFFER, self.draw_framebuffer);
            gl.bind_framebuffer(glow::READ_FRAMEBUFFER, self.read_framebuffer);
            let [x, y, width, height] = self.viewport;
            gl.viewport(x, y, width, height);
            let [x, y, width, height] = self.scissor;
            gl.scissor(x, y, width, height);
            for (switch, on) in SWITCHES.into_iter().zip(self.switches) {
                if on {
                    gl.enable(switch);
                } else {
                    gl.disable(switch);
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

/// What is drawn into. In a browser that is the canvas: glow knows no framebuffer for
/// it, and panics when asked.
pub(super) fn bound_framebuffer(gl: &glow::Context) -> Option<glow::Framebuffer> {
    if cfg!(target_arch = "wasm32") {
        return None;
    }
    // SAFETY: a plain query on the current context.
    unsafe { gl.get_parameter_framebuffer(glow::DRAW_FRAMEBUFFER_BINDING) }
}

/// Takes all pending errors; the first of them. In a browser nothing is asked
/// where nobody panics over an error: see [`SavedState::save`].
pub(super) fn drain_errors(gl: &glow::Context) -> Option<u32> {
    if cfg!(all(target_arch = "wasm32", not(debug_assertions))) {
        return None;
    }
    let mut first = None;
    // A lost context reports errors for ever.
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
