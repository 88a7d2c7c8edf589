//! Caches compiled programs.
//!
//! The programs of background, ground and grid are compiled at the start, skinned programs when a scene
//! first needs their variant. The reader's shader is checked before it is used for drawing, and
//! errors are reported with their line.

#![expect(unsafe_code, reason = "queries the uniforms of programs")]

use std::rc::Rc;
use std::sync::Arc;

use bindpose_notebook::palette_plan::UniformSizes;
use bindpose_notebook::{ShaderFinding, glsl};
use eframe::glow::{self, HasContext as _};

use super::RenderError;
use super::buffers::Context;
use super::gl_program::{EmptyVertexArray, GlProgram};
use super::program::NamedProgram;
use super::shader_variant::SkinVariant;
use super::shaders::{self, ProgramSource};

/// Maximum number of cached programs of each kind. A page shows only a few at once, and older
/// versions of the reader's shader are seldom needed again.
const MAX_CACHED_PROGRAMS: usize = 24;

/// Outputs of the surface's vertex shader that transform feedback captures.
const CAPTURED_OUTPUTS: [&str; 3] = ["position_in_world", "normal_in_world", "gl_Position"];

/// The layer of a picture that a skinned program draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProgramUse {
    Surface,
    Ghost,
    Line,
    NormalLine,
}

#[derive(Clone, Debug, PartialEq)]
struct ProgramKey {
    program_use: ProgramUse,
    variant: SkinVariant,
    /// Body of the reader's shader. `None` for the built-in shader.
    body: Option<Arc<str>>,
}

/// A program with skinning in its vertex shader.
pub(super) struct SkinProgram {
    pub(super) program: NamedProgram,
    pub(super) variant: SkinVariant,
    /// The uniform blocks of the palette that the reader's shader uses. `None` for a built-in
    /// shader, which uses all.
    used_blocks: Option<Vec<bool>>,
    /// Upper bound for the iterations of loops in the reader's shader and the functions it
    /// calls, per vertex.
    pub(super) loop_iterations: u64,
}

/// A compiled program, or the findings that reject the reader's shader.
type CompileResult = Result<Rc<SkinProgram>, Rc<[ShaderFinding]>>;

/// Compiled programs. Both lists begin with the least recently used entry.
pub(super) struct ProgramCache {
    pub(super) grid: NamedProgram,
    pub(super) background: NamedProgram,
    pub(super) ground_shadow: NamedProgram,
    pub(super) vertex_array: EmptyVertexArray,
    /// For buffers that are needed for a single picture only.
    pub(super) context: Context,
    skinned: Vec<(ProgramKey, CompileResult)>,
    capturing: Vec<(ProgramKey, Rc<GlProgram>)>,
}

impl ProgramCache {
    pub(super) fn new(context: &Context) -> Result<Self, RenderError> {
        Ok(Self {
            grid: compile(context, &shaders::grid())?,
            background: compile(context, &shaders::background())?,
            ground_shadow: compile(context, &shaders::ground_shadow())?,
            vertex_array: EmptyVertexArray::new(context)?,
            context: context.clone(),
            skinned: Vec::new(),
            capturing: Vec::new(),
        })
    }

    pub(super) fn built_in(
        &mut self,
        context: &Context,
        program_use: ProgramUse,
        variant: SkinVariant,
    ) -> Result<Rc<SkinProgram>, RenderError> {
        let key = ProgramKey { program_use, variant, body: None };
        if let Some(Ok(program)) = get_cached(&mut self.skinned, &key) {
            return Ok(program);
        }
        let source = match program_use {
            ProgramUse::Surface => shaders::surface(&variant, None),
            ProgramUse::Ghost => shaders::ghost(&variant),
            ProgramUse::Line => shaders::line(&variant),
            ProgramUse::NormalLine => shaders::normal_line(&variant),
        };
        let program = Rc::new(SkinProgram {
            program: compile(context, &source)?,
            variant,
            used_blocks: None,
            loop_iterations: 0,
        });
        insert_cached(&mut self.skinned, key, Ok(Rc::clone(&program)));
        Ok(program)
    }

    /// Returns the surface program with the reader's shader. Findings are cached too, so that a
    /// rejected text is not compiled again.
    pub(super) fn custom(
        &mut self,
        context: &Context,
        variant: SkinVariant,
        body: &Arc<str>,
    ) -> CompileResult {
        let key =
            ProgramKey { program_use: ProgramUse::Surface, variant, body: Some(Arc::clone(body)) };
        if let Some(result) = get_cached(&mut self.skinned, &key) {
            return result;
        }
        let result = compile_custom(context, variant, body).map(Rc::new).map_err(Rc::from);
        insert_cached(&mut self.skinned, key, result.clone());
        result
    }

    /// Returns the surface program with transform feedback.
    pub(super) fn capturing(
        &mut self,
        context: &Context,
        variant: SkinVariant,
        body: Option<&Arc<str>>,
    ) -> Result<Rc<GlProgram>, RenderError> {
        let key = ProgramKey { program_use: ProgramUse::Surface, variant, body: body.cloned() };
        if let Some(program) = get_cached(&mut self.capturing, &key) {
            return Ok(program);
        }
        let source = shaders::surface(&variant, body.map(AsRef::as_ref));
        let program = GlProgram::compile(context, &source, &CAPTURED_OUTPUTS)
            .map_err(|log| RenderError::Shader { name: source.name, log })?;
        let program = Rc::new(program);
        insert_cached(&mut self.capturing, key, Rc::clone(&program));
        Ok(program)
    }
}

impl SkinProgram {
    /// Returns whether the vertex shader is the reader's.
    pub(super) fn is_custom(&self) -> bool {
        self.used_blocks.is_some()
    }

    /// Returns whether the program uses a uniform block of the palette.
    pub(super) fn has_block(&self, index: usize) -> bool {
        self.used_blocks.as_ref().is_none_or(|blocks| blocks.get(index) == Some(&true))
    }
}

/// Compiles the surface program with the reader's shader. Checks it before three-d compiles it,
/// because three-d leaks shaders that do not compile or link.
fn compile_custom(
    context: &Context,
    variant: SkinVariant,
    body: &str,
) -> Result<SkinProgram, Vec<ShaderFinding>> {
    let CheckedShader { used_blocks, loop_iterations } = check_shader(context, &variant, body)?;
    let source = shaders::surface(&variant, Some(body));
    let program = NamedProgram::new(context, &source.vertex, &source.fragment)
        .map_err(|log| vec![ShaderFinding::of_all(log)])?;
    Ok(SkinProgram { program, variant, used_blocks: Some(used_blocks), loop_iterations })
}

fn compile(context: &Context, source: &ProgramSource) -> Result<NamedProgram, RenderError> {
    NamedProgram::new(context, &source.vertex, &source.fragment)
        .map_err(|log| RenderError::Shader { name: source.name, log })
}

/// Returns the value of a key and moves its entry to the end of the cache.
fn get_cached<T: Clone>(cache: &mut Vec<(ProgramKey, T)>, key: &ProgramKey) -> Option<T> {
    let index = cache.iter().position(|(cached, _)| cached == key)?;
    let entry = cache.remove(index);
    let value = entry.1.clone();
    cache.push(entry);
    Some(value)
}

fn insert_cached<T>(cache: &mut Vec<(ProgramKey, T)>, key: ProgramKey, value: T) {
    if cache.len() >= MAX_CACHED_PROGRAMS {
        cache.remove(0);
    }
    cache.push((key, value));
}

/// Properties of a shader of the reader that can be used for drawing. See [`SkinProgram`].
struct CheckedShader {
    used_blocks: Vec<bool>,
    loop_iterations: u64,
}

/// Compiles the reader's shader, if its text is accepted, and checks its uniforms: their types
/// must match the values that the renderer sets, or GL refuses to draw.
///
/// Returns all findings if the shader cannot be used.
fn check_shader(
    gl: &Arc<glow::Context>,
    variant: &SkinVariant,
    body: &str,
) -> Result<CheckedShader, Vec<ShaderFinding>> {
    let loop_iterations = glsl::accept(body)?;
    let source = shaders::surface(variant, Some(body));
    let program =
        GlProgram::compile(gl, &source, &[]).map_err(|log| glsl::findings_in_log(&log, body))?;
    let block_sizes_vec4s = variant.uniforms.blocks();
    let mut used_blocks = vec![false; block_sizes_vec4s.len()];
    let mut findings = Vec::new();
    // SAFETY: plain queries about a linked program.
    unsafe {
        for index in 0..gl.get_active_uniforms(program.key()) {
            if let Some(uniform) = gl.get_active_uniform(program.key(), index) {
                findings.extend(check_uniform(&uniform, variant, body));
            }
        }
        let block_count = gl.get_program_parameter_i32(program.key(), glow::ACTIVE_UNIFORM_BLOCKS);
        for index in 0..u32::try_from(block_count).unwrap_or(0) {
            let name = gl.get_active_uniform_block_name(program.key(), index);
            let bytes = gl.get_active_uniform_block_parameter_i32(
                program.key(),
                index,
                glow::UNIFORM_BLOCK_DATA_SIZE,
            );
            let palette_block = (0..block_sizes_vec4s.len())
                .find(|palette_block| name == format!("Palette{palette_block}"));
            let Some(palette_block) = palette_block else {
                let message = format!("there is nothing to fill the uniform block `{name}` with");
                findings.push(finding_at_name(&name, body, message));
                continue;
            };
            let available_bytes = 16 * block_sizes_vec4s[palette_block];
            if bytes as u32 <= available_bytes {
                used_blocks[palette_block] = true;
            } else {
                let message = format!(
                    "the block `{name}` has {bytes} bytes here; {available_bytes} are there"
                );
                findings.push(finding_at_name(&name, body, message));
            }
        }
    }
    if findings.is_empty() {
        Ok(CheckedShader { used_blocks, loop_iterations })
    } else {
        Err(findings)
    }
}

/// Checks the declared type of a uniform against the value that the renderer sets.
fn check_uniform(
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
        // The renderer sets no value. A sampler of another type would then be on texture unit 0
        // too, which makes draw calls fail.
        _ => (
            "a sampler2D, if it is a sampler".to_owned(),
            uniform.utype == glow::SAMPLER_2D || is_numeric_type(uniform.utype),
        ),
    };
    (!fits).then(|| {
        let message =
            format!("`{name}` must be {expected}, as the palette comes by {}", transport.label());
        finding_at_name(name, body, message)
    })
}

fn is_numeric_type(uniform_type: u32) -> bool {
    matches!(
        uniform_type,
        glow::FLOAT
            | glow::FLOAT_VEC2..=glow::BOOL_VEC4
            | glow::INT
            | glow::UNSIGNED_INT
            | glow::UNSIGNED_INT_VEC2..=glow::UNSIGNED_INT_VEC4
            | glow::FLOAT_MAT2..=glow::FLOAT_MAT4
            | glow::FLOAT_MAT2x3..=glow::FLOAT_MAT4x3
    )
}

/// Creates a finding on the first line of the body that contains the name.
fn finding_at_name(name: &str, body: &str, message: String) -> ShaderFinding {
    let line = body.lines().position(|line| line.contains(name));
    ShaderFinding { line: line.map(|index| index + 1), message }
}
