//! Queries the limits of the GL context and rejects versions that are too old.

#![expect(unsafe_code, reason = "queries GL directly")]

use bindpose_notebook::GpuLimits;
use bindpose_notebook::gpu_limits::NOTEBOOK_VEC4S;
use eframe::glow::{self, HasContext as _};

use super::RenderError;

/// Queries the limits of the current context.
///
/// Returns [`RenderError::TooOld`] if GL is older than 3.3 (ES: 3.0).
pub(super) fn query_limits(gl: &glow::Context) -> Result<GpuLimits, RenderError> {
    let vec4s = query_u32(gl, glow::MAX_VERTEX_UNIFORM_COMPONENTS) / 4;
    let (vendor, renderer) = device_name_parameters(gl);
    let limits = GpuLimits {
        vendor: query_string(gl, vendor),
        renderer: query_string(gl, renderer),
        version: query_string(gl, glow::VERSION),
        vertex_uniform_vec4s: vec4s,
        palette_vec4s: vec4s.saturating_sub(NOTEBOOK_VEC4S),
        uniform_block_bytes: query_u32(gl, glow::MAX_UNIFORM_BLOCK_SIZE),
        vertex_uniform_blocks: query_u32(gl, glow::MAX_VERTEX_UNIFORM_BLOCKS),
        texture_size: query_u32(gl, glow::MAX_TEXTURE_SIZE),
        vertex_texture_units: query_u32(gl, glow::MAX_VERTEX_TEXTURE_IMAGE_UNITS),
        vertex_attributes: query_u32(gl, glow::MAX_VERTEX_ATTRIBS),
        // OpenGL 3.3, OpenGL ES 3 and WebGL 2 all have these two.
        float_textures: true,
        texel_fetch: true,
        float_linear: can_filter_float_textures(gl),
    };
    if is_supported(gl.version()) {
        Ok(limits)
    } else {
        Err(RenderError::TooOld { found: format!("{} ({})", limits.version, limits.renderer) })
    }
}

fn query_u32(gl: &glow::Context, parameter: u32) -> u32 {
    // SAFETY: a plain query on the current context.
    let value = unsafe { gl.get_parameter_i32(parameter) };
    u32::try_from(value).unwrap_or(0)
}

fn query_string(gl: &glow::Context, parameter: u32) -> String {
    // SAFETY: a plain query on the current context.
    unsafe { gl.get_parameter_string(parameter) }
}

/// Returns the GL parameters for the vendor and the renderer. Some browsers mask
/// `GL_VENDOR` and `GL_RENDERER` and name the device through an extension only.
fn device_name_parameters(gl: &glow::Context) -> (u32, u32) {
    const UNMASKED_VENDOR: u32 = 0x9245;
    const UNMASKED_RENDERER: u32 = 0x9246;
    if gl.supported_extensions().contains("WEBGL_debug_renderer_info") {
        (UNMASKED_VENDOR, UNMASKED_RENDERER)
    } else {
        (glow::VENDOR, glow::RENDERER)
    }
}

/// Returns whether 32-bit float textures can be filtered linearly. Embedded GL and WebGL need
/// an extension for it.
fn can_filter_float_textures(gl: &glow::Context) -> bool {
    let extensions = gl.supported_extensions();
    !gl.version().is_embedded
        || extensions.contains("GL_OES_texture_float_linear")
        || extensions.contains("OES_texture_float_linear")
}

fn is_supported(version: &glow::Version) -> bool {
    let min_version = if version.is_embedded { (3, 0) } else { (3, 3) };
    (version.major, version.minor) >= min_version
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
        assert!(is_supported(&version(3, 3, false)));
        assert!(is_supported(&version(4, 1, false)));
        assert!(!is_supported(&version(3, 2, false)));
        assert!(!is_supported(&version(2, 1, false)));
        assert!(is_supported(&version(3, 0, true)));
        assert!(!is_supported(&version(2, 0, true)));
    }
}
