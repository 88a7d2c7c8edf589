//! GLSL sources: one text for OpenGL 3.3 and OpenGL ES 3.0.
//!
//! GLSL has no `#include`; shared parts are put together here.

const SKIN: &str = include_str!("shaders/skin.glsl");
const COLOR: &str = include_str!("shaders/color.glsl");
const TINT: &str = include_str!("shaders/tint.glsl");
const TINT_COLOR: &str = concat!(
    include_str!("shaders/weight_scale.glsl"),
    include_str!("shaders/tint_color.glsl"),
);
const VIEW: &str = include_str!("shaders/view.glsl");
const LINE_QUAD: &str = include_str!("shaders/line_quad.glsl");

/// A program's two stages, without the version line.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub(super) name: &'static str,
    pub(super) vertex: String,
    pub(super) fragment: String,
}

pub(super) fn surface() -> Source {
    Source {
        name: "surface",
        vertex: skinned(&[include_str!("shaders/surface.vert")]),
        fragment: [
            COLOR,
            TINT,
            TINT_COLOR,
            VIEW,
            include_str!("shaders/surface.frag"),
        ]
        .concat(),
    }
}

pub(super) fn ghost() -> Source {
    Source {
        name: "ghost",
        vertex: skinned(&[include_str!("shaders/surface.vert")]),
        fragment: [VIEW, include_str!("shaders/ghost.frag")].concat(),
    }
}

pub(super) fn line() -> Source {
    Source {
        name: "line",
        vertex: skinned(&[LINE_QUAD, include_str!("shaders/line.vert")]),
        fragment: [COLOR, TINT, TINT_COLOR, include_str!("shaders/line.frag")].concat(),
    }
}

pub(super) fn grid() -> Source {
    Source {
        name: "grid",
        vertex: [VIEW, LINE_QUAD, include_str!("shaders/grid.vert")].concat(),
        fragment: include_str!("shaders/grid.frag").to_owned(),
    }
}

pub(super) fn background() -> Source {
    Source {
        name: "background",
        vertex: include_str!("shaders/background.vert").to_owned(),
        fragment: include_str!("shaders/background.frag").to_owned(),
    }
}

pub(super) fn blit() -> Source {
    Source {
        name: "blit",
        vertex: include_str!("shaders/blit.vert").to_owned(),
        fragment: include_str!("shaders/blit.frag").to_owned(),
    }
}

fn skinned(rest: &[&str]) -> String {
    [&[SKIN, COLOR, TINT, VIEW], rest].concat().concat()
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
    use super::*;

    #[test]
    fn every_shader_file_is_part_of_a_program() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/render/shaders");
        let programs = [surface(), ghost(), line(), grid(), background(), blit()];
        let all: String = programs.map(|p| p.vertex + &p.fragment).concat();
        let mut files = 0;
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let text = std::fs::read_to_string(&path).unwrap();
            assert!(all.contains(&text), "{} is used nowhere", path.display());
            files += 1;
        }
        assert!(files >= 17, "the folder was not read: {files} files");
    }

    #[test]
    fn skinned_shaders_name_the_palette_as_rust_does() {
        for source in [surface(), ghost(), line()] {
            for name in ["world_from_bind", "clip_from_world", "position_in_bind"] {
                assert!(source.vertex.contains(name), "{name} in {}", source.name);
            }
            assert!(source.vertex.contains("uniform highp sampler2D palette"));
        }
    }
}
