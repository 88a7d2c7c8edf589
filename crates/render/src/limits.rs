//! What this GL is, and whether it is enough.

#![expect(unsafe_code, reason = "GL is asked directly")]

use bindpose_notebook::GpuLimits;
use bindpose_notebook::gpu_limits::OUR_VEC4S;
use eframe::glow::{self, HasContext as _};

use super::RenderError;

/// Reads the limits, or says why this GL can't be used.
pub(super) fn read(gl: &glow::Context) -> Result<GpuLimits, RenderError> {
    // SAFETY: plain queries; the caller has made the context current.
    let limits = unsafe {
        let number = |name: u32| u32::try_from(gl.get_parameter_i32(name)).unwrap_or(0);
        let vec4s = number(glow::MAX_VERTEX_UNIFORM_COMPONENTS) / 4;
        let (vendor, renderer) = names(gl);
        GpuLimits {
            vendor: gl.get_parameter_string(vendor),
            renderer: gl.get_parameter_string(renderer),
            version: gl.get_parameter_string(glow::VERSION),
            vertex_uniform_vec4s: vec4s,
            palette_vec4s: vec4s.saturating_sub(OUR_VEC4S),
            uniform_block_bytes: number(glow::MAX_UNIFORM_BLOCK_SIZE),
            vertex_uniform_blocks: number(glow::MAX_VERTEX_UNIFORM_BLOCKS),
            texture_size: number(glow::MAX_TEXTURE_SIZE),
            vertex_texture_units: number(glow::MAX_VERTEX_TEXTURE_IMAGE_UNITS),
            vertex_attributes: number(glow::MAX_VERTEX_ATTRIBS),
            // OpenGL 3.3, OpenGL ES 3 and WebGL 2 all have these two.
            float_textures: true,
            texel_fetch: true,
            float_linear: float_linear(gl),
        }
    };
    if enough(gl.version()) {
        Ok(limits)
    } else {
        Err(RenderError::TooOld { found: format!("{} ({})", limits.version, limits.renderer) })
    }
}

/// What vendor and renderer are asked by. Some browsers call all devices the same,
/// and name this one by an extension alone.
fn names(gl: &glow::Context) -> (u32, u32) {
    const UNMASKED_VENDOR: u32 = 0x9245;
    const UNMASKED_RENDERER: u32 = 0x9246;
    if gl.supported_extensions().contains("WEBGL_debug_renderer_info") {
        (UNMASKED_VENDOR, UNMASKED_RENDERER)
    } else {
        (glow::VENDOR, glow::RENDERER)
    }
}

/// Embedded GL and WebGL filter 32-bit floats only with an extension.
fn float_linear(gl: &glow::Context) -> bool {
    let named = |name: &str| gl.supported_extensions().contains(name);
    !gl.version().is_embedded
        || named("GL_OES_texture_float_linear")
        || named("OES_texture_float_linear")
}

fn enough(version: &glow::Version) -> bool {
    let needed = if version.is_embedded { (3, 0) } else { (3, 3) };
    (version.major, version.minor) >= needed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn desktop_needs_3_3_and_embedded_3_0() {
        let version = |major, minor, is_embedded| glow::Version {
            major,
            minor,
            is_embedded,
            revision: None,
            vendor_info: String::new(),
        };
        assert!(enough(&version(3, 3, false)));
        assert!(enough(&version(4, 1, false)));
        assert!(!enough(&version(3, 2, false)));
        assert!(!enough(&version(2, 1, false)));
        assert!(enough(&version(3, 0, true)));
        assert!(!enough(&version(2, 0, true)));
    }
}
