//! Assembles GLSL sources. The same text is valid in OpenGL 3.3 and OpenGL ES 3.0.
//!
//! GLSL has no `#include`, so shared parts are concatenated here. The files of the skinned
//! shaders contain the code of all variants. [`specialize`] selects that of one variant, so that
//! the compiled shader, which the reader also sees, has no superfluous branches. The files use:
//!
//! - `#if NAME`, `#else` and `#endif`, with a condition of [`evaluate_condition`];
//! - `JOINT` and `JOINTS`, the types of one and of four joint indices: integers or, for WebGL 1,
//!   floats;
//! - `TEXELS`, the number of texels per joint;
//! - `PALETTE_…`, see [`palette`].

use bindpose_lesson::Transport;
use bindpose_notebook::VertexShader;
use bindpose_notebook::glsl::{FIRST_BODY_LINE, ShaderBlending};
use bindpose_skin::NormalRule;

use super::shader_variant::{CrowdMode, SkinVariant};

const COLOR: &str = include_str!("shaders/color.glsl");
const TINT: &str = include_str!("shaders/tint.glsl");
const TINT_COLOR: &str =
    concat!(include_str!("shaders/weight_scale.glsl"), include_str!("shaders/tint_color.glsl"),);
const VIEW: &str = include_str!("shaders/view.glsl");
const LINE_QUAD: &str = include_str!("shaders/line_quad.glsl");

/// Vertex and fragment shader of a program, without the version line.
#[derive(Clone, Debug)]
pub(super) struct ProgramSource {
    pub(super) name: &'static str,
    pub(super) vertex: String,
    pub(super) fragment: String,
}

/// Assembles the vertex shader of the surface.
pub(super) fn vertex_shader(variant: &SkinVariant) -> VertexShader {
    let declarations = specialize(include_str!("shaders/surface_prelude.glsl"), variant);
    let views = specialize(include_str!("shaders/surface_views.glsl"), variant);
    let pass_on = specialize(include_str!("shaders/surface_pass_on.glsl"), variant);
    let prelude = if variant.viewed {
        [COLOR, TINT, VIEW, &declarations, "\n", &views, "\n", &pass_on].concat()
    } else {
        [VIEW, &declarations, "\n", &pass_on].concat()
    };
    let main = specialize(include_str!("shaders/surface_main.glsl"), variant);
    VertexShader { prelude, body: [skinning(variant), normal(variant), main].join("\n") }
}

/// Assembles the surface program with the reader's `body`, or with the built-in one. The lines of
/// the body are numbered from [`FIRST_BODY_LINE`], which distinguishes them from the prelude in the
/// driver's log.
pub(super) fn surface(variant: &SkinVariant, body: Option<&str>) -> ProgramSource {
    let built_in = vertex_shader(variant);
    let body = body.unwrap_or(&built_in.body);
    let fragment = specialize(include_str!("shaders/surface.frag"), variant);
    ProgramSource {
        name: "surface",
        vertex: format!("{}\n#line {FIRST_BODY_LINE} 1\n{body}\n", built_in.prelude),
        fragment: match (variant.viewed, variant.painted) {
            (true, _) => [COLOR, TINT, TINT_COLOR, VIEW, &fragment].concat(),
            (false, true) => [COLOR, VIEW, &fragment].concat(),
            (false, false) => [VIEW, &fragment].concat(),
        },
    }
}

pub(super) fn ghost(variant: &SkinVariant) -> ProgramSource {
    ProgramSource {
        name: "ghost",
        vertex: surface(variant, None).vertex,
        fragment: [VIEW, include_str!("shaders/ghost.frag")].concat(),
    }
}

pub(super) fn line(variant: &SkinVariant) -> ProgramSource {
    let main = specialize(include_str!("shaders/line.vert"), variant);
    ProgramSource {
        name: "line",
        vertex: [&skinning(variant), COLOR, TINT, VIEW, LINE_QUAD, &main].concat(),
        fragment: [COLOR, TINT, TINT_COLOR, include_str!("shaders/line.frag")].concat(),
    }
}

pub(super) fn normal_line(variant: &SkinVariant) -> ProgramSource {
    let main = specialize(include_str!("shaders/normal_line.vert"), variant);
    ProgramSource {
        name: "normal line",
        vertex: [&skinning(variant), &normal(variant), VIEW, LINE_QUAD, &main].concat(),
        fragment: include_str!("shaders/normal_line.frag").to_owned(),
    }
}

pub(super) fn grid() -> ProgramSource {
    ProgramSource {
        name: "grid",
        vertex: [VIEW, LINE_QUAD, include_str!("shaders/grid.vert")].concat(),
        fragment: include_str!("shaders/grid.frag").to_owned(),
    }
}

pub(super) fn ground_shadow() -> ProgramSource {
    ProgramSource {
        name: "ground shadow",
        vertex: [VIEW, include_str!("shaders/ground_shadow.vert")].concat(),
        fragment: include_str!("shaders/ground_shadow.frag").to_owned(),
    }
}

pub(super) fn background() -> ProgramSource {
    ProgramSource {
        name: "background",
        vertex: include_str!("shaders/background.vert").to_owned(),
        fragment: include_str!("shaders/background.frag").to_owned(),
    }
}

pub(super) fn blit() -> ProgramSource {
    ProgramSource {
        name: "blit",
        vertex: include_str!("shaders/blit.vert").to_owned(),
        fragment: include_str!("shaders/blit.frag").to_owned(),
    }
}

/// Returns the GLSL functions `palette_texel` and `skin_matrix`.
fn skinning(variant: &SkinVariant) -> String {
    const MATRIX: &str = include_str!("shaders/blend/matrix.glsl");
    if variant.still {
        return specialize(include_str!("shaders/blend/identity.glsl"), variant);
    }
    let blend: &[&str] = match variant.kind.blending {
        ShaderBlending::Linear => &[MATRIX, include_str!("shaders/blend/linear.glsl")],
        ShaderBlending::Strongest => &[MATRIX, include_str!("shaders/blend/strongest.glsl")],
        ShaderBlending::Only => &[MATRIX, include_str!("shaders/blend/single_joint.glsl")],
        ShaderBlending::DualQuaternion | ShaderBlending::StretchedDualQuaternion => {
            &[include_str!("shaders/blend/dual_quaternion.glsl")]
        }
    };
    let blend = specialize(&blend.join("\n"), variant);
    format!("{}\n{blend}", palette(variant))
}

/// Returns the GLSL function `palette_texel`. Replaces `PALETTE_VEC4S` in the files by the length
/// of the array, `PALETTE_BLOCKS` by the declarations of the uniform blocks `Palette0`,
/// `Palette1`…, and `PALETTE_STEPS` by the statements that select a block.
fn palette(variant: &SkinVariant) -> String {
    let file = match variant.kind.transport {
        Transport::UniformArray => include_str!("shaders/palette/uniform_array.glsl"),
        Transport::UniformBlock => include_str!("shaders/palette/uniform_block.glsl"),
        Transport::TexelFetch => include_str!("shaders/palette/texel_fetch.glsl"),
        Transport::TextureCentres => include_str!("shaders/palette/texture_centres.glsl"),
    };
    let mut declarations = Vec::new();
    let mut steps = Vec::new();
    for (block, vec4s) in variant.uniforms.blocks().into_iter().enumerate() {
        declarations.push(format!(
            "layout(std140) uniform Palette{block} {{ vec4 palette_{block}[{vec4s}]; }};"
        ));
        let first = block as u32 * variant.uniforms.vec4s_per_block;
        steps.push(if block == 0 {
            "return palette_0[at];".to_owned()
        } else {
            format!("if (at >= {first}) return palette_{block}[at - {first}];")
        });
    }
    // The condition of a later block is stricter, so it is tested first.
    steps.reverse();
    let texels_per_joint = variant.kind.blending.vec4s_per_joint();
    let joint_count = variant.uniforms.vec4s / texels_per_joint;
    specialize(file, variant)
        .replace("PALETTE_VEC4S", &format!("{texels_per_joint} * {joint_count}"))
        .replace("PALETTE_BLOCKS", &declarations.join("\n"))
        .replace("PALETTE_STEPS", &steps.join("\n    "))
}

/// Returns the GLSL function `normal_matrix`.
fn normal(variant: &SkinVariant) -> String {
    match variant.kind.normals {
        NormalRule::InverseTranspose => include_str!("shaders/normal/inverse_transpose.glsl"),
        NormalRule::SkinMatrix => include_str!("shaders/normal/skin_matrix.glsl"),
        NormalRule::Cofactor => include_str!("shaders/normal/cofactor.glsl"),
        NormalRule::LeftAlone => include_str!("shaders/normal/identity.glsl"),
    }
    .to_owned()
}

/// Evaluates the condition of an `#if`. Returns `None` for an unknown name.
fn evaluate_condition(name: &str, variant: &SkinVariant) -> Option<bool> {
    Some(match name {
        "EIGHT" => variant.eight_lanes,
        // `SkinningFault::Edge`.
        "EDGE" => variant.kind.at_edges,
        // `SkinningFault::OneSided`.
        "ONE_SIDED" => variant.one_sided,
        "STRETCH" => variant.kind.blending == ShaderBlending::StretchedDualQuaternion,
        "VIEWED" => variant.viewed,
        "CROWD" => variant.crowd != CrowdMode::Alone,
        "OWN" => variant.crowd == CrowdMode::OwnPoses,
        "PAINTED" => variant.painted,
        "COLORED" => variant.colored,
        _ => return None,
    })
}

/// Specializes the text of a file for one variant. An unknown condition becomes an `#error`, so
/// that the shader does not compile.
fn specialize(file: &str, variant: &SkinVariant) -> String {
    let has_float_indices = variant.kind.transport.has_float_indices();
    let joint_type = if has_float_indices { "float" } else { "uint" };
    let joints_type = if has_float_indices { "vec4" } else { "uvec4" };
    let mut text = String::new();
    // A single flag is enough, because conditions do not nest.
    let mut is_active = true;
    for line in file.lines() {
        if let Some(name) = line.strip_prefix("#if ") {
            is_active = evaluate_condition(name, variant).unwrap_or_else(|| {
                text += &["#error there is no condition ", name, "\n"].concat();
                false
            });
        } else if line == "#else" {
            is_active = !is_active;
        } else if line == "#endif" {
            is_active = true;
        } else if is_active {
            text += line;
            text += "\n";
        }
    }
    text.replace("JOINTS", joints_type)
        .replace("JOINT", joint_type)
        .replace("TEXELS", &variant.kind.blending.vec4s_per_joint().to_string())
}

/// Returns the version line and the default precisions, for shaders that are compiled without
/// three-d, which adds its own.
pub(super) fn header(is_embedded: bool) -> &'static str {
    if is_embedded {
        "#version 300 es\nprecision highp float;\nprecision highp int;\nprecision highp sampler2D;\n"
    } else {
        "#version 330 core\n"
    }
}

#[cfg(test)]
mod tests {
    use bindpose_notebook::glsl::ShaderKind;
    use bindpose_notebook::palette_plan::UniformSizes;

    use super::*;
    use std::path::Path;

    fn variant(transport: Transport, blending: ShaderBlending) -> SkinVariant {
        let vec4s_per_block = if transport == Transport::UniformBlock { 12 } else { 0 };
        SkinVariant {
            kind: ShaderKind {
                transport,
                blending,
                normals: NormalRule::InverseTranspose,
                at_edges: false,
            },
            still: false,
            one_sided: false,
            eight_lanes: false,
            uniforms: UniformSizes { vec4s: 20, vec4s_per_block },
            viewed: false,
            painted: false,
            colored: false,
            crowd: CrowdMode::Alone,
        }
    }

    /// Returns variants that cover every condition at least once.
    fn variants() -> Vec<SkinVariant> {
        let mut all = Vec::new();
        for transport in Transport::ALL {
            for blending in ShaderBlending::ALL {
                for normals in NormalRule::ALL {
                    let mut one = variant(transport, blending);
                    one.kind.normals = normals;
                    let at_edges = ShaderKind { at_edges: true, ..one.kind };
                    all.push(one);
                    all.push(one.still());
                    all.push(SkinVariant { one_sided: true, ..one });
                    all.push(SkinVariant { viewed: true, ..one });
                    all.push(SkinVariant { painted: true, colored: true, ..one });
                    all.push(SkinVariant {
                        kind: at_edges,
                        eight_lanes: true,
                        crowd: CrowdMode::OwnPoses,
                        viewed: true,
                        ..one
                    });
                }
            }
        }
        all
    }

    fn collect_files(folder: &Path, paths: &mut Vec<std::path::PathBuf>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                collect_files(&path, paths);
            } else {
                paths.push(path);
            }
        }
    }

    #[test]
    fn every_line_of_every_shader_file_is_part_of_a_program() {
        let mut all = String::new();
        for variant in variants() {
            for source in
                [surface(&variant, None), ghost(&variant), line(&variant), normal_line(&variant)]
            {
                all += &(source.vertex + &source.fragment);
            }
        }
        for source in [grid(), ground_shadow(), background(), blit()] {
            all += &(source.vertex + &source.fragment);
        }
        let used: std::collections::BTreeSet<&str> = all.lines().collect();
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/shaders");
        let mut paths = Vec::new();
        collect_files(Path::new(folder), &mut paths);
        assert!(paths.len() >= 29, "the folder was not read: {paths:?}");
        for path in paths {
            let text = std::fs::read_to_string(&path).unwrap();
            for line in text.lines() {
                let placeholders = ["JOINT", "TEXELS", "PALETTE_"];
                assert!(
                    line.starts_with('#')
                        || placeholders.iter().any(|word| line.contains(word))
                        || used.contains(line),
                    "{} is used nowhere: {line}",
                    path.display()
                );
            }
        }
    }

    #[test]
    fn no_placeholder_is_left_in_a_specialized_shader() {
        for variant in variants() {
            for source in [surface(&variant, None), line(&variant), normal_line(&variant)] {
                let text = (source.vertex + &source.fragment).replace("TINT_JOINTS", "");
                for word in ["JOINT", "TEXELS", "PALETTE", "#if", "#else", "#endif", "#error"] {
                    assert!(!text.contains(word), "{word}: {text}");
                }
            }
        }
    }

    #[test]
    fn an_unknown_condition_becomes_a_compile_error() {
        let stretched = variant(Transport::TexelFetch, ShaderBlending::StretchedDualQuaternion);
        let text = specialize("#if STRECH\nno\n#else\nnor this\n#endif\n", &stretched);
        assert!(text.starts_with("#error there is no condition STRECH\n"), "{text}");
    }

    #[test]
    fn the_built_in_body_is_accepted_as_a_shader_of_the_reader() {
        for variant in variants() {
            let body = vertex_shader(&variant).body;
            let findings = bindpose_notebook::glsl::accept(&body).err();
            assert_eq!(findings, None, "{body}");
        }
    }

    #[test]
    fn a_long_palette_is_split_into_blocks() {
        let shader = vertex_shader(&variant(Transport::UniformBlock, ShaderBlending::Linear));
        for line in [
            "layout(std140) uniform Palette0 { vec4 palette_0[12]; };",
            "layout(std140) uniform Palette1 { vec4 palette_1[8]; };",
            "    if (at >= 12) return palette_1[at - 12];",
            "    return palette_0[at];",
        ] {
            assert!(shader.body.lines().any(|found| found == line), "{line}");
        }
        let array = vertex_shader(&variant(Transport::UniformArray, ShaderBlending::Linear));
        assert!(array.body.contains("uniform vec4 palette[4 * 5];"));
    }

    #[test]
    fn the_body_of_the_simplest_variant_fits_on_a_page() {
        let shader = vertex_shader(&variant(Transport::TexelFetch, ShaderBlending::Linear));
        assert!(shader.body.lines().count() <= 48, "{}", shader.body);
        for name in ["joint_matrix", "position_in_bind", "clip_from_world"] {
            assert!(shader.body.contains(name), "{name}");
        }
    }
}
