//! How many joints fit where: uniforms, a uniform block, a texture.

/// vec4s that projection, view and colour take: 4 + 4 + 1 ([`PARTS`]).
pub const TAKEN: u32 = 9;

/// Those of them in the articles' vertex shader, which reads no colour.
pub const TAKEN_WITHOUT_COLOR: u32 = 8;

/// vec4s that this notebook's own vertex shaders take besides the palette, in the
/// worst packing: view, line width, tint.
pub const OUR_VEC4S: u32 = 40;

/// What a shader needs besides joints, in vec4s.
pub const PARTS: [(&str, u32); 3] = [("projection", 4), ("view", 4), ("colour", 1)];

/// Bytes that every device allows in one uniform block (WebGL 2, OpenGL ES 3).
pub const GUARANTEED_BLOCK_BYTES: u32 = 16_384;

/// Rows that every WebGL 2 device allows in a texture.
pub const GUARANTEED_TEXTURE_SIZE: u32 = 2_048;

/// vec4s that a matrix takes.
pub const VEC4S_A_MATRIX: u32 = 4;

/// Joints that fit into plain uniforms: what is left after `taken`, which is
/// [`TAKEN`] in the lesson's shader.
pub fn joints_in_uniforms(vec4_uniforms: u32, taken: u32) -> u32 {
    vec4_uniforms.saturating_sub(taken) / VEC4S_A_MATRIX
}

/// `mat4`s that fit if nothing else is there.
pub fn mat4s_in_all(vec4_uniforms: u32) -> u32 {
    vec4_uniforms / VEC4S_A_MATRIX
}

/// Joints in one uniform block: a mat4 takes 64 bytes in `std140`.
pub fn joints_in_block(bytes: u32) -> u32 {
    bytes / 64
}

/// Joints in a texture of 4 × N texels: a row each.
pub fn joints_in_texture(size_limit: u32) -> u32 {
    size_limit
}

/// What the WebGL articles print for a limit: a mat4 counted as 8 vec4s, three
/// of them for projection, view and colour.
pub fn printed(vec4_uniforms: u32) -> u32 {
    (vec4_uniforms / 8).saturating_sub(3)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;
    use std::collections::BTreeMap;

    #[derive(Deserialize)]
    struct Golden {
        cases: Vec<Case>,
        texture: Vec<Texture>,
        seed_says: BTreeMap<String, (Option<u32>, u32)>,
    }

    #[derive(Deserialize)]
    struct Case {
        vec4_limit: u32,
        mat4s_in_all: u32,
        bones: u32,
    }

    #[derive(Deserialize)]
    struct Texture {
        height_limit: u32,
        bones: u32,
    }

    fn golden() -> Golden {
        serde_json::from_str(include_str!("../../../tests/data/uniform_limits.json")).expect("JSON")
    }

    #[test]
    fn joints_in_uniforms_are_the_golden_numbers() {
        for case in golden().cases {
            let limit = case.vec4_limit;
            assert_eq!(mat4s_in_all(limit), case.mat4s_in_all, "{limit}");
            assert_eq!(joints_in_uniforms(limit, TAKEN), case.bones, "{limit}");
        }
    }

    #[test]
    fn the_articles_figures_come_from_counting_a_matrix_twice() {
        for (limit, (matrices, bones)) in golden().seed_says {
            let limit: u32 = limit.parse().expect("a number");
            assert_eq!(printed(limit), bones, "{limit}");
            if let Some(matrices) = matrices {
                assert_eq!(limit / 8, matrices, "{limit}");
            }
        }
    }

    #[test]
    fn a_texture_holds_a_joint_a_row_and_a_block_one_in_64_bytes() {
        for texture in golden().texture {
            assert_eq!(joints_in_texture(texture.height_limit), texture.bones);
        }
        assert_eq!(PARTS.iter().map(|(_, vec4s)| vec4s).sum::<u32>(), TAKEN);
        assert_eq!(joints_in_block(GUARANTEED_BLOCK_BYTES), 256);
        let less_than_the_camera_takes = 5;
        assert_eq!(joints_in_uniforms(less_than_the_camera_takes, TAKEN), 0);
    }
}
