//! What a device's GL allows, as plain numbers: this machine's, or those of a
//! lesser one that is played; how many joints fit there, and how many known characters have.

use std::sync::{Arc, OnceLock};

use bindpose_asset::WHALE_JOINTS;
use bindpose_lesson::Device;

/// Read once from GL by the renderer, or what a specification guarantees.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct GpuLimits {
    /// `GL_VENDOR`
    pub vendor: String,
    /// `GL_RENDERER`
    pub renderer: String,
    /// `GL_VERSION`
    pub version: String,
    /// vec4s a vertex shader may have as uniforms.
    pub vertex_uniform_vec4s: u32,
    /// Those of them that the palette may take: the shader needs the others.
    #[serde(skip)]
    pub palette_vec4s: u32,
    /// Bytes in one uniform block; 0 where there are none.
    pub uniform_block_bytes: u32,
    /// Uniform blocks a vertex shader may have; 0 in WebGL 1.
    pub vertex_uniform_blocks: u32,
    /// Texels along one side of a texture.
    pub texture_size: u32,
    /// Textures a vertex shader may read.
    pub vertex_texture_units: u32,
    /// Attributes of a vertex.
    pub vertex_attributes: u32,
    /// Can texels be 32-bit floats? In WebGL 1 this is `OES_texture_float`.
    #[serde(skip)]
    pub float_textures: bool,
    /// Can 32-bit float textures be read with LINEAR? Desktop GL always can; in
    /// WebGL this is `OES_texture_float_linear`.
    pub float_linear: bool,
    /// Has its shading language whole-number attributes and `texelFetch`?
    /// WebGL 1 has neither.
    #[serde(skip)]
    pub texel_fetch: bool,
}

impl GpuLimits {
    /// Does a processor draw, in the place of a graphics card? Mesa, Chromium and
    /// Windows have these where there is none.
    pub fn draws_in_software(&self) -> bool {
        let names = ["llvmpipe", "softpipe", "SwiftShader", "Microsoft Basic Render"];
        names.iter().any(|name| self.renderer.contains(name))
    }

    /// What counts where this device is asked for. Of the played ones that is
    /// what the WebGL specifications guarantee (WebGL 1: 128 vec4s, textures of
    /// 64 texels, 8 attributes; WebGL 2: 256 vec4s, 12 vertex blocks of 16,384
    /// bytes, textures of 2,048 texels, 16 vertex texture units, 16 attributes),
    /// without extensions, and no more than this machine has.
    /// WebGL 1 guarantees neither float textures nor a vertex texture unit, but
    /// nearly all devices had both, so only two of the three played ones lack
    /// one. `None` for this machine when it has no GL.
    pub fn for_device(device: Device, here: Option<&Self>) -> Option<Self> {
        let webgl1 = Self {
            vertex_uniform_vec4s: 128,
            palette_vec4s: 128 - TAKEN,
            texture_size: 64,
            vertex_texture_units: 1,
            vertex_attributes: 8,
            float_textures: true,
            ..Self::default()
        };
        let least = match device {
            Device::Here => return here.cloned(),
            Device::LeastWebgl2 => Self {
                vertex_uniform_vec4s: 256,
                palette_vec4s: 256 - TAKEN,
                uniform_block_bytes: GUARANTEED_BLOCK_BYTES,
                vertex_uniform_blocks: 12,
                texture_size: GUARANTEED_TEXTURE_SIZE,
                vertex_texture_units: 16,
                vertex_attributes: 16,
                float_textures: true,
                texel_fetch: true,
                ..Self::default()
            },
            Device::Webgl1 => webgl1,
            Device::Webgl1NoFloatTextures => Self { float_textures: false, ..webgl1 },
            Device::Webgl1NoVertexTextures => Self { vertex_texture_units: 0, ..webgl1 },
        };
        Some(match here {
            Some(here) => least.within(here),
            None => least,
        })
    }

    /// The same where a lesser machine is played; `None` where this one counts.
    pub fn played(device: Device, here: Option<&Self>) -> Option<Arc<Self>> {
        let lesser = device != Device::Here;
        lesser.then(|| Self::for_device(device, here))?.map(Arc::new)
    }

    /// What both this and the machine here have, by the name of the one here.
    #[must_use]
    pub fn within(&self, here: &Self) -> Self {
        Self {
            vendor: here.vendor.clone(),
            renderer: here.renderer.clone(),
            version: here.version.clone(),
            vertex_uniform_vec4s: self.vertex_uniform_vec4s.min(here.vertex_uniform_vec4s),
            palette_vec4s: self.palette_vec4s.min(here.palette_vec4s),
            uniform_block_bytes: self.uniform_block_bytes.min(here.uniform_block_bytes),
            vertex_uniform_blocks: self.vertex_uniform_blocks.min(here.vertex_uniform_blocks),
            texture_size: self.texture_size.min(here.texture_size),
            vertex_texture_units: self.vertex_texture_units.min(here.vertex_texture_units),
            vertex_attributes: self.vertex_attributes.min(here.vertex_attributes),
            float_textures: self.float_textures && here.float_textures,
            float_linear: self.float_linear && here.float_linear,
            texel_fetch: self.texel_fetch && here.texel_fetch,
        }
    }
}

// How many joints fit where: uniforms, a uniform block, a texture.

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

// How many joints characters have that a reader may know, to hold against what
// fits.

/// A character and its skin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Character {
    /// For people.
    pub name: &'static str,
    /// Joints of its skin.
    pub joints: u32,
    /// How the number is known.
    pub source: JointCountSource,
}

/// How a number is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointCountSource {
    /// A rig of this notebook.
    Here,
    /// Counted in the glTF sample model of that name.
    Counted,
    /// What a tool or a standard says of all its characters.
    Documented,
    /// Of the usual size of its kind; not one character.
    Typical,
}

/// From few joints to many.
pub fn characters() -> &'static [Character] {
    static ALL: OnceLock<Vec<Character>> = OnceLock::new();
    ALL.get_or_init(|| {
        let known = |name, joints, source| Character { name, joints, source };
        let mut all = vec![
            // The required bones: hips, spine, head, and three of each limb.
            known("smallest VRM or Unity humanoid", 15, JointCountSource::Documented),
            known("CesiumMan", 19, JointCountSource::Counted),
            known("Fox", 24, JointCountSource::Counted),
            known("full VRM humanoid", 55, JointCountSource::Documented),
            known("Mixamo character with fingers", 65, JointCountSource::Documented),
            known("body with hands and face", 150, JointCountSource::Typical),
            known("film-like face and body", 300, JointCountSource::Typical),
            known("the whale of this notebook", WHALE_JOINTS as u32, JointCountSource::Here),
            known("centipede(300) of this notebook", 300, JointCountSource::Here),
        ];
        all.sort_by_key(|character| character.joints);
        all
    })
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

    #[test]
    fn the_rigs_of_the_notebook_are_counted_and_all_are_in_order() {
        let all = characters();
        let here: Vec<u32> = all
            .iter()
            .filter(|character| character.source == JointCountSource::Here)
            .map(|character| character.joints)
            .collect();
        assert_eq!(here, [21, 300]);
        assert!(all.is_sorted_by_key(|character| character.joints));
    }
}
