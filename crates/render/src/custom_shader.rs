//! A reader's vertex shader: is it safe to draw with, and if not, which line is
//! wrong.

#![expect(unsafe_code, reason = "GL is asked about a program")]

use std::sync::Arc;

use bindpose_notebook::palette_plan::UniformSizes;
use bindpose_notebook::{ShaderFinding, glsl};
use eframe::glow::{self, HasContext as _};

use super::gl_program::GlProgram;
use super::shader_variant::SkinVariant;
use super::shaders;

/// What is known of a text that may draw.
pub(super) struct CheckedShader {
    /// Which of the palette's uniform blocks it reads.
    pub(super) blocks: Vec<bool>,
    /// Of its loops and functions, for one vertex.
    pub(super) turns: u64,
}

/// Compiles the text, if it may be, and looks at what it declares: uniforms that
/// we set must be what we set, or GL refuses to draw.
///
/// Errors: all that was found.
pub(super) fn check(
    gl: &Arc<glow::Context>,
    variant: &SkinVariant,
    body: &str,
) -> Result<CheckedShader, Vec<ShaderFinding>> {
    let turns = glsl::accept(body)?;
    let source = shaders::surface(variant, Some(body));
    let program =
        GlProgram::compile(gl, &source, &[]).map_err(|log| glsl::findings_in_log(&log, body))?;
    let mut wrong = Vec::new();
    // SAFETY: plain queries about a linked program.
    unsafe {
        for index in 0..gl.get_active_uniforms(program.key()) {
            if let Some(uniform) = gl.get_active_uniform(program.key(), index) {
                wrong.extend(misdeclared(&uniform, variant, body));
            }
        }
        let blocks = gl.get_program_parameter_i32(program.key(), glow::ACTIVE_UNIFORM_BLOCKS);
        let sizes = variant.uniforms.blocks();
        let mut has = vec![false; sizes.len()];
        for index in 0..u32::try_from(blocks).unwrap_or(0) {
            let name = gl.get_active_uniform_block_name(program.key(), index);
            let bytes = gl.get_active_uniform_block_parameter_i32(
                program.key(),
                index,
                glow::UNIFORM_BLOCK_DATA_SIZE,
            );
            let known = (0..sizes.len()).find(|number| name == format!("Palette{number}"));
            match known {
                Some(number) if bytes as u32 <= 16 * sizes[number] => has[number] = true,
                Some(number) => wrong.push(at_name(
                    &name,
                    body,
                    format!(
                        "the block `{name}` has {bytes} bytes here; {} are there",
                        16 * sizes[number]
                    ),
                )),
                None => wrong.push(at_name(
                    &name,
                    body,
                    format!("there is nothing to fill the uniform block `{name}` with"),
                )),
            }
        }
        if wrong.is_empty() { Ok(CheckedShader { blocks: has, turns }) } else { Err(wrong) }
    }
}

/// Is a uniform of that name set, but with something else?
fn misdeclared(
    uniform: &glow::ActiveUniform,
    variant: &SkinVariant,
    body: &str,
) -> Option<ShaderFinding> {
    let name = uniform.name.split('[').next().unwrap_or_default();
    let transport = variant.kind.transport;
    let UniformSizes { vec4s, vec4s_per_block } = variant.uniforms;
    let (expected, fits) = match name {
        "palette" if vec4s > 0 && vec4s_per_block == 0 => (
            format!("an array of {vec4s} vec4"),
            uniform.utype == glow::FLOAT_VEC4 && uniform.name.contains('['),
        ),
        "palette" if transport.is_texture() => {
            ("a sampler2D".to_owned(), uniform.utype == glow::SAMPLER_2D)
        }
        "joint_count" if transport.is_texture() => {
            ("a float".to_owned(), uniform.utype == glow::FLOAT)
        }
        "only_joint" | "palette_joints" | "palette_rows" => {
            ("an int".to_owned(), uniform.utype == glow::INT)
        }
        // Never set, so it is 0: a second kind of sampler on unit 0 stops GL.
        _ => (
            "a sampler2D, if it is a sampler".to_owned(),
            uniform.utype == glow::SAMPLER_2D || is_number(uniform.utype),
        ),
    };
    (!fits).then(|| {
        let message =
            format!("`{name}` must be {expected}, as the palette comes by {}", transport.label());
        at_name(name, body, message)
    })
}

fn is_number(kind: u32) -> bool {
    matches!(
        kind,
        glow::FLOAT
            | glow::FLOAT_VEC2..=glow::BOOL_VEC4
            | glow::INT
            | glow::UNSIGNED_INT
            | glow::UNSIGNED_INT_VEC2..=glow::UNSIGNED_INT_VEC4
            | glow::FLOAT_MAT2..=glow::FLOAT_MAT4
            | glow::FLOAT_MAT2x3..=glow::FLOAT_MAT4x3
    )
}

/// About the first line of the body that has the name in it.
fn at_name(name: &str, body: &str, message: String) -> ShaderFinding {
    let line = body.lines().position(|line| line.contains(name));
    ShaderFinding { line: line.map(|index| index + 1), message }
}
