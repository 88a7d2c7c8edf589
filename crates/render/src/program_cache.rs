//! All programs: those of the background are compiled at once, skinned ones when
//! a scene first needs their variant. A reader's text is compiled and looked through
//! first: is it safe to draw with, and if not, which line is wrong?

#![expect(unsafe_code, reason = "GL is asked about a program")]

use std::rc::Rc;
use std::sync::Arc;

use bindpose_notebook::palette_plan::UniformSizes;
use bindpose_notebook::{ShaderFinding, glsl};
use eframe::glow::{self, HasContext as _};

use super::RenderError;
use super::buffers::Context;
use super::gl_program::{GlProgram, OwnVertexArray};
use super::program::NamedProgram;
use super::shader_variant::SkinVariant;
use super::shaders::{self, ProgramSource};

/// Skinned programs kept, least recently used first. A page shows a few at
/// once; what was typed before the last program is not worth its memory.
const KEPT: usize = 24;

/// The captured outputs of the surface's vertex shader.
const CAPTURED: [&str; 3] = ["position_in_world", "normal_in_world", "gl_Position"];

/// What a skinned program draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProgramUse {
    Surface,
    Ghost,
    Line,
    NormalLine,
}

#[derive(Clone, Debug, PartialEq)]
struct ProgramKey {
    drawing: ProgramUse,
    variant: SkinVariant,
    /// The reader's body.
    body: Option<Arc<str>>,
}

/// A program that moves vertices by joints.
pub(super) struct SkinProgram {
    pub(super) program: NamedProgram,
    pub(super) variant: SkinVariant,
    /// Which of the palette's uniform blocks it has; absent: all.
    blocks: Option<Vec<bool>>,
    /// Of the loops and functions of a reader's text, for one vertex.
    pub(super) turns: u64,
}

/// Compiled, or what is wrong with the reader's text.
type Outcome = Result<Rc<SkinProgram>, Rc<[ShaderFinding]>>;

pub(super) struct ProgramCache {
    pub(super) grid: NamedProgram,
    pub(super) background: NamedProgram,
    pub(super) vertex_array: OwnVertexArray,
    /// For buffers that live as long as one picture is drawn.
    pub(super) context: Context,
    skinned: Vec<(ProgramKey, Outcome)>,
    capturing: Vec<(ProgramKey, Rc<GlProgram>)>,
}

impl ProgramCache {
    pub(super) fn new(context: &Context) -> Result<Self, RenderError> {
        Ok(Self {
            grid: compile(context, &shaders::grid())?,
            background: compile(context, &shaders::background())?,
            vertex_array: OwnVertexArray::new(context)?,
            context: context.clone(),
            skinned: Vec::new(),
            capturing: Vec::new(),
        })
    }

    /// One of our programs.
    pub(super) fn built_in(
        &mut self,
        context: &Context,
        drawing: ProgramUse,
        variant: SkinVariant,
    ) -> Result<Rc<SkinProgram>, RenderError> {
        let key = ProgramKey { drawing, variant, body: None };
        if let Some(Ok(program)) = found(&mut self.skinned, &key) {
            return Ok(program);
        }
        let source = match drawing {
            ProgramUse::Surface => shaders::surface(&variant, None),
            ProgramUse::Ghost => shaders::ghost(&variant),
            ProgramUse::Line => shaders::line(&variant),
            ProgramUse::NormalLine => shaders::normal_line(&variant),
        };
        let program = Rc::new(SkinProgram {
            program: compile(context, &source)?,
            variant,
            blocks: None,
            turns: 0,
        });
        keep(&mut self.skinned, key, Ok(Rc::clone(&program)));
        Ok(program)
    }

    /// The surface by a reader's text. What was compiled lately, or refused,
    /// is not compiled again.
    pub(super) fn custom(
        &mut self,
        context: &Context,
        variant: SkinVariant,
        body: &Arc<str>,
    ) -> Outcome {
        let key =
            ProgramKey { drawing: ProgramUse::Surface, variant, body: Some(Arc::clone(body)) };
        if let Some(outcome) = found(&mut self.skinned, &key) {
            return outcome;
        }
        let outcome = readers_program(context, variant, body).map(Rc::new).map_err(Rc::from);
        keep(&mut self.skinned, key, outcome.clone());
        outcome
    }

    /// The surface's vertex shader, its outputs captured.
    pub(super) fn capturing(
        &mut self,
        context: &Context,
        variant: SkinVariant,
        body: Option<&Arc<str>>,
    ) -> Result<Rc<GlProgram>, RenderError> {
        let key = ProgramKey { drawing: ProgramUse::Surface, variant, body: body.cloned() };
        if let Some(program) = found(&mut self.capturing, &key) {
            return Ok(program);
        }
        let source = shaders::surface(&variant, body.map(AsRef::as_ref));
        let program = GlProgram::compile(context, &source, &CAPTURED)
            .map_err(|log| RenderError::Shader { name: source.name, log })?;
        let program = Rc::new(program);
        keep(&mut self.capturing, key, Rc::clone(&program));
        Ok(program)
    }
}

impl SkinProgram {
    /// Is the text the reader's?
    pub(super) fn is_custom(&self) -> bool {
        self.blocks.is_some()
    }

    /// Does the program read this one of the palette's uniform blocks?
    pub(super) fn has_block(&self, index: usize) -> bool {
        self.blocks.as_ref().is_none_or(|blocks| blocks.get(index) == Some(&true))
    }
}

/// A text that three-d is given compiles and links: where that fails, three-d
/// keeps the pieces for ever.
fn readers_program(
    context: &Context,
    variant: SkinVariant,
    body: &str,
) -> Result<SkinProgram, Vec<ShaderFinding>> {
    let CheckedShader { blocks, turns } = check(context, &variant, body)?;
    let source = shaders::surface(&variant, Some(body));
    let program = NamedProgram::new(context, &source.vertex, &source.fragment)
        .map_err(|log| vec![ShaderFinding::of_all(log)])?;
    Ok(SkinProgram { program, variant, blocks: Some(blocks), turns })
}

fn compile(context: &Context, source: &ProgramSource) -> Result<NamedProgram, RenderError> {
    NamedProgram::new(context, &source.vertex, &source.fragment)
        .map_err(|log| RenderError::Shader { name: source.name, log })
}

/// What is kept under a key, which becomes the last used.
fn found<T: Clone>(kept: &mut Vec<(ProgramKey, T)>, key: &ProgramKey) -> Option<T> {
    let index = kept.iter().position(|(kept, _)| kept == key)?;
    let entry = kept.remove(index);
    let value = entry.1.clone();
    kept.push(entry);
    Some(value)
}

fn keep<T>(kept: &mut Vec<(ProgramKey, T)>, key: ProgramKey, value: T) {
    if kept.len() >= KEPT {
        kept.remove(0);
    }
    kept.push((key, value));
}

// A reader's vertex shader.

/// What is known of a text that may draw.
struct CheckedShader {
    /// Which of the palette's uniform blocks it reads.
    blocks: Vec<bool>,
    /// Of its loops and functions, for one vertex.
    turns: u64,
}

/// Compiles the text, if it may be, and looks at what it declares: uniforms that
/// we set must be what we set, or GL refuses to draw.
///
/// Errors: all that was found.
fn check(
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
