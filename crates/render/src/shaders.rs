//! GLSL sources: one text for OpenGL 3.3 and OpenGL ES 3.0.
//!
//! GLSL has no `#include`; shared parts are put together here. Files of the
//! skinned vertex shaders hold what differs between variants as well, and are
//! specialised while they are put together, so that the text that is compiled,
//! and shown, decides nothing that is known before:
//!
//! - `#if NAME`, `#else` and `#endif`, where NAME is one of those in [`holds`];
//! - `JOINT` and `JOINTS`, the types of one index and of four: whole numbers or,
//!   for WebGL 1, floats;
//! - `TEXELS`, what a joint takes; `PALETTE_…`, see [`palette`].

use bindpose_lesson::Transport;
use bindpose_notebook::VertexShader;
use bindpose_notebook::glsl::{FIRST_LINE, ShaderBlending};
use bindpose_skin::NormalRule;

use super::shader_variant::{Crowding, SkinVariant};

const COLOR: &str = include_str!("shaders/color.glsl");
const TINT: &str = include_str!("shaders/tint.glsl");
const TINT_COLOR: &str =
    concat!(include_str!("shaders/weight_scale.glsl"), include_str!("shaders/tint_color.glsl"),);
const VIEW: &str = include_str!("shaders/view.glsl");
const LINE_QUAD: &str = include_str!("shaders/line_quad.glsl");

/// A program's two stages, without the version line.
#[derive(Clone, Debug)]
pub(super) struct ProgramSource {
    pub(super) name: &'static str,
    pub(super) vertex: String,
    pub(super) fragment: String,
}

/// The surface's vertex shader.
pub(super) fn vertex_shader(variant: &SkinVariant) -> VertexShader {
    let comes_in = specialised(include_str!("shaders/surface_prelude.glsl"), variant);
    let views = specialised(include_str!("shaders/surface_views.glsl"), variant);
    let pass_on = specialised(include_str!("shaders/surface_pass_on.glsl"), variant);
    let prelude = if variant.viewed {
        [COLOR, TINT, VIEW, &comes_in, "\n", &views, "\n", &pass_on].concat()
    } else {
        [VIEW, &comes_in, "\n", &pass_on].concat()
    };
    let main = specialised(include_str!("shaders/surface_main.glsl"), variant);
    VertexShader { prelude, body: [skinning(variant), normal(variant), main].join("\n") }
}

/// `body`: the reader's, in the place of ours. Its lines count from
/// [`FIRST_LINE`], so that a driver's log tells them from the prelude's.
pub(super) fn surface(variant: &SkinVariant, body: Option<&str>) -> ProgramSource {
    let ours = vertex_shader(variant);
    let fragment = specialised(include_str!("shaders/surface.frag"), variant);
    ProgramSource {
        name: "surface",
        vertex: format!("{}\n#line {FIRST_LINE} 1\n{}\n", ours.prelude, body.unwrap_or(&ours.body)),
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
    let main = specialised(include_str!("shaders/line.vert"), variant);
    ProgramSource {
        name: "line",
        vertex: [&skinning(variant), COLOR, TINT, VIEW, LINE_QUAD, &main].concat(),
        fragment: [COLOR, TINT, TINT_COLOR, include_str!("shaders/line.frag")].concat(),
    }
}

pub(super) fn normal_line(variant: &SkinVariant) -> ProgramSource {
    let main = specialised(include_str!("shaders/normal_line.vert"), variant);
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

/// `palette_texel` and `skin_matrix`.
fn skinning(variant: &SkinVariant) -> String {
    const MATRIX: &str = include_str!("shaders/blend/matrix.glsl");
    if variant.still {
        return specialised(include_str!("shaders/blend/identity.glsl"), variant);
    }
    let blend: &[&str] = match variant.kind.blending {
        ShaderBlending::Linear => &[MATRIX, include_str!("shaders/blend/linear.glsl")],
        ShaderBlending::Strongest => &[MATRIX, include_str!("shaders/blend/strongest.glsl")],
        ShaderBlending::Only => &[MATRIX, include_str!("shaders/blend/single_joint.glsl")],
        ShaderBlending::DualQuaternion | ShaderBlending::StretchedDualQuaternion => {
            &[include_str!("shaders/blend/dual_quaternion.glsl")]
        }
    };
    let blend = specialised(&blend.join("\n"), variant);
    format!("{}\n{blend}", palette(variant))
}

/// `palette_texel`. What the files leave open: `PALETTE_VEC4S`, the length of
/// the array; `PALETTE_BLOCKS` and `PALETTE_STEPS`, a line for each block, which
/// are named `Palette0`, `Palette1`…
fn palette(variant: &SkinVariant) -> String {
    let file = match variant.kind.transport {
        Transport::UniformArray => include_str!("shaders/palette/uniform_array.glsl"),
        Transport::UniformBlock => include_str!("shaders/palette/uniform_block.glsl"),
        Transport::TexelFetch => include_str!("shaders/palette/texel_fetch.glsl"),
        Transport::TextureCentres => include_str!("shaders/palette/texture_centres.glsl"),
    };
    let (mut blocks, mut steps) = (Vec::new(), Vec::new());
    for (block, vec4s) in variant.uniforms.blocks().into_iter().enumerate() {
        blocks.push(format!(
            "layout(std140) uniform Palette{block} {{ vec4 palette_{block}[{vec4s}]; }};"
        ));
        let first = block as u32 * variant.uniforms.vec4s_per_block;
        steps.push(if block == 0 {
            "return palette_0[at];".to_owned()
        } else {
            format!("if (at >= {first}) return palette_{block}[at - {first}];")
        });
    }
    steps.reverse();
    let texels = variant.kind.blending.vec4s_per_joint();
    let joints = variant.uniforms.vec4s / texels;
    specialised(file, variant)
        .replace("PALETTE_VEC4S", &format!("{texels} * {joints}"))
        .replace("PALETTE_BLOCKS", &blocks.join("\n"))
        .replace("PALETTE_STEPS", &steps.join("\n    "))
}

/// `normal_matrix`.
fn normal(variant: &SkinVariant) -> String {
    match variant.kind.normals {
        NormalRule::InverseTranspose => include_str!("shaders/normal/inverse_transpose.glsl"),
        NormalRule::SkinMatrix => include_str!("shaders/normal/skin_matrix.glsl"),
        NormalRule::Cofactor => include_str!("shaders/normal/cofactor.glsl"),
        NormalRule::LeftAlone => include_str!("shaders/normal/identity.glsl"),
    }
    .to_owned()
}

/// What may stand after `#if`; `None` for a name that there is not.
fn holds(name: &str, variant: &SkinVariant) -> Option<bool> {
    Some(match name {
        // A second set of influences.
        "EIGHT" => variant.eight_lanes,
        // `Fault::Edge`.
        "EDGE" => variant.kind.at_edges,
        // `Fault::OneSided`.
        "ONE_SIDED" => variant.one_sided,
        // Joints that are not rigid.
        "STRETCH" => variant.kind.blending == ShaderBlending::StretchedDualQuaternion,
        // More than the surface's own colours.
        "VIEWED" => variant.viewed,
        // Drawn many times.
        "CROWD" => variant.crowd != Crowding::Alone,
        // Each with a palette of its own.
        "OWN" => variant.crowd == Crowding::OwnPoses,
        // Materials with more than an image.
        "PAINTED" => variant.painted,
        // Vertices with colours.
        "COLORED" => variant.colored,
        _ => return None,
    })
}

/// The text of a file for one variant. A condition that there is not becomes an
/// `#error`, which no driver compiles.
fn specialised(file: &str, variant: &SkinVariant) -> String {
    let (joint, joints) = if variant.kind.transport.has_float_indices() {
        ("float", "vec4")
    } else {
        ("uint", "uvec4")
    };
    let mut text = String::new();
    // Conditions do not nest.
    let mut kept = true;
    for line in file.lines() {
        if let Some(name) = line.strip_prefix("#if ") {
            kept = holds(name, variant).unwrap_or_else(|| {
                text += &["#error there is no condition ", name, "\n"].concat();
                false
            });
        } else if line == "#else" {
            kept = !kept;
        } else if line == "#endif" {
            kept = true;
        } else if kept {
            text += line;
            text += "\n";
        }
    }
    text.replace("JOINTS", joints)
        .replace("JOINT", joint)
        .replace("TEXELS", &variant.kind.blending.vec4s_per_joint().to_string())
}

/// The first lines of a shader that is compiled without three-d, which brings
/// its own.
pub(super) fn header(embedded: bool) -> &'static str {
    if embedded {
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
            crowd: Crowding::Alone,
        }
    }

    /// Every choice at least once.
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
                        crowd: Crowding::OwnPoses,
                        viewed: true,
                        ..one
                    });
                }
            }
        }
        all
    }

    fn files(folder: &Path, found: &mut Vec<std::path::PathBuf>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                files(&path, found);
            } else {
                found.push(path);
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
        for source in [grid(), background(), blit()] {
            all += &(source.vertex + &source.fragment);
        }
        let used: std::collections::BTreeSet<&str> = all.lines().collect();
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/shaders");
        let mut paths = Vec::new();
        files(Path::new(folder), &mut paths);
        assert!(paths.len() >= 29, "the folder was not read: {paths:?}");
        for path in paths {
            let text = std::fs::read_to_string(&path).unwrap();
            for line in text.lines() {
                let open = ["JOINT", "TEXELS", "PALETTE_"];
                assert!(
                    line.starts_with('#')
                        || open.iter().any(|word| line.contains(word))
                        || used.contains(line),
                    "{} is used nowhere: {line}",
                    path.display()
                );
            }
        }
    }

    #[test]
    fn nothing_is_left_open_in_a_variants_text() {
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
    fn a_misspelt_condition_does_not_pass_for_another() {
        let stretched = variant(Transport::TexelFetch, ShaderBlending::StretchedDualQuaternion);
        let text = specialised("#if STRECH\nno\n#else\nnor this\n#endif\n", &stretched);
        assert!(text.starts_with("#error there is no condition STRECH\n"), "{text}");
    }

    #[test]
    fn what_the_page_gives_a_reader_is_accepted_back() {
        for variant in variants() {
            let body = vertex_shader(&variant).body;
            let refused = bindpose_notebook::glsl::accept(&body).err();
            assert_eq!(refused, None, "{body}");
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
    fn the_body_of_the_plainest_way_fits_on_a_page() {
        let shader = vertex_shader(&variant(Transport::TexelFetch, ShaderBlending::Linear));
        assert!(shader.body.lines().count() <= 48, "{}", shader.body);
        for name in ["joint_matrix", "position_in_bind", "clip_from_world"] {
            assert!(shader.body.contains(name), "{name}");
        }
    }
}
