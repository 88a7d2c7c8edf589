//! Checks that the renderer leaves OpenGL state and objects as it found them.

#![expect(unsafe_code, reason = "GL is asked directly")]

use std::num::NonZeroU32;

use bindpose_render::headless::HeadlessGl;
use eframe::glow::{self, HasContext as _};

/// OpenGL state set by a test, which the renderer must restore.
pub(crate) struct Marked {
    framebuffer: glow::Framebuffer,
}

const VIEWPORT: [i32; 4] = [3, 4, 50, 60];
const SCISSOR: [i32; 4] = [1, 2, 30, 40];

impl Marked {
    pub(crate) fn set(gl: &HeadlessGl) -> Self {
        let gl = gl.gl();
        // SAFETY: a plain creation, and values that GL accepts.
        unsafe {
            let framebuffer = gl.create_framebuffer().expect("a framebuffer");
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
            let [x, y, width, height] = VIEWPORT;
            gl.viewport(x, y, width, height);
            gl.enable(glow::SCISSOR_TEST);
            let [x, y, width, height] = SCISSOR;
            gl.scissor(x, y, width, height);
            Self { framebuffer }
        }
    }

    pub(crate) fn assert_unchanged(self, gl: &HeadlessGl) {
        let gl = gl.gl();
        let (mut viewport, mut scissor) = ([0; 4], [0; 4]);
        // SAFETY: plain queries, into arrays of four.
        unsafe {
            for binding in [glow::DRAW_FRAMEBUFFER_BINDING, glow::READ_FRAMEBUFFER_BINDING] {
                let found = gl.get_parameter_framebuffer(binding);
                assert_eq!(found, Some(self.framebuffer));
            }
            gl.get_parameter_i32_slice(glow::VIEWPORT, &mut viewport);
            gl.get_parameter_i32_slice(glow::SCISSOR_BOX, &mut scissor);
            assert!(gl.is_enabled(glow::SCISSOR_TEST) && !gl.is_enabled(glow::DEPTH_TEST));
            gl.delete_framebuffer(self.framebuffer);
        }
        assert_eq!((viewport, scissor), (VIEWPORT, SCISSOR));
    }
}

/// Counts the existing buffers, textures, framebuffers, renderbuffers, programs and shaders.
pub(crate) fn live_objects(gl: &HeadlessGl) -> [usize; 6] {
    let gl = gl.gl();
    let count = |is_object: &dyn Fn(NonZeroU32) -> bool| {
        (1..20_000).filter_map(NonZeroU32::new).filter(|&name| is_object(name)).count()
    };
    // SAFETY: GL answers for any name whether it is an object.
    unsafe {
        [
            count(&|name| gl.is_buffer(glow::NativeBuffer(name))),
            count(&|name| gl.is_texture(glow::NativeTexture(name))),
            count(&|name| gl.is_framebuffer(glow::NativeFramebuffer(name))),
            count(&|name| gl.is_renderbuffer(glow::NativeRenderbuffer(name))),
            count(&|name| gl.is_program(glow::NativeProgram(name))),
            count(&|name| gl.is_shader(glow::NativeShader(name))),
        ]
    }
}

/// # Panics
///
/// Panics if an OpenGL error is pending.
pub(crate) fn assert_no_error(gl: &HeadlessGl) {
    // SAFETY: a plain query.
    assert_eq!(unsafe { gl.gl().get_error() }, glow::NO_ERROR);
}
