//! Limits of GPUs, of this machine or a simulated lesser one; how many joints fit within them;
//! and the joint counts of well-known characters.

use std::sync::{Arc, OnceLock};

use bindpose_lesson::Device;
use bindpose_rigs::WHALE_JOINTS;

/// Limits of a GPU, read from GL by the renderer or guaranteed by a specification.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct GpuLimits {
    /// `GL_VENDOR`
    pub vendor: String,
    /// `GL_RENDERER`
    pub renderer: String,
    /// `GL_VERSION`
    pub version: String,
    /// Maximum number of vec4 uniforms in a vertex shader.
    pub vertex_uniform_vec4s: u32,
    /// Part of `vertex_uniform_vec4s` that is left for the palette.
    #[serde(skip)]
    pub palette_vec4s: u32,
    /// Maximum size of a uniform block in bytes, or 0 without uniform blocks.
    pub uniform_block_bytes: u32,
    /// Maximum number of uniform blocks in a vertex shader. 0 in WebGL 1.
    pub vertex_uniform_blocks: u32,
    /// Maximum width and height of a texture, in texels.
    pub texture_size: u32,
    /// Maximum number of textures in a vertex shader.
    pub vertex_texture_units: u32,
    /// Maximum number of vertex attributes.
    pub vertex_attributes: u32,
    /// Are 32-bit float textures supported? `OES_texture_float` in WebGL 1.
    #[serde(skip)]
    pub float_textures: bool,
    /// Is linear filtering of 32-bit float textures supported? Always on desktop GL,
    /// `OES_texture_float_linear` in WebGL.
    pub float_linear: bool,
    /// Are integer attributes and `texelFetch` supported? Not in WebGL 1.
    #[serde(skip)]
    pub texel_fetch: bool,
}

impl GpuLimits {
    /// Does the CPU draw because there is no graphics card? Detects the software renderers of
    /// Mesa, Chromium and Windows.
    pub fn draws_in_software(&self) -> bool {
        let names = ["llvmpipe", "softpipe", "SwiftShader", "Microsoft Basic Render"];
        names.iter().any(|name| self.renderer.contains(name))
    }

    /// Returns the limits of a device, or of this machine. `here` are the limits of this
    /// machine, `None` without GL.
    ///
    /// A simulated device has what the WebGL specifications guarantee without extensions
    /// (WebGL 1: 128 vec4s, textures of 64 texels, 8 attributes; WebGL 2: 256 vec4s, 12 vertex
    /// blocks of 16,384 bytes, textures of 2,048 texels, 16 vertex texture units, 16
    /// attributes), but no more than this machine. WebGL 1 guarantees neither float textures
    /// nor a vertex texture unit, but nearly all devices had both. Therefore only two of the
    /// three simulated WebGL 1 devices lack one of them.
    pub fn for_device(device: Device, here: Option<&Self>) -> Option<Self> {
        let webgl1 = Self {
            vertex_uniform_vec4s: 128,
            palette_vec4s: 128 - FIXED_VEC4S,
            texture_size: 64,
            vertex_texture_units: 1,
            vertex_attributes: 8,
            float_textures: true,
            ..Self::default()
        };
        let limits = match device {
            Device::Here => return here.cloned(),
            Device::LeastWebgl2 => Self {
                vertex_uniform_vec4s: 256,
                palette_vec4s: 256 - FIXED_VEC4S,
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
            Some(here) => limits.within(here),
            None => limits,
        })
    }

    /// Returns the limits of a simulated device. Returns `None` for this machine.
    pub fn played(device: Device, here: Option<&Self>) -> Option<Arc<Self>> {
        if device == Device::Here {
            return None;
        }
        Self::for_device(device, here).map(Arc::new)
    }

    /// Returns the smaller limits of both, with the names of this machine.
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

/// vec4s for projection, view and colour: 4 + 4 + 1 ([`FIXED_VEC4S_BY_PURPOSE`]).
pub const FIXED_VEC4S: u32 = 9;

/// vec4s for projection and view, in the articles' vertex shader, which reads no colour.
pub const FIXED_VEC4S_WITHOUT_COLOR: u32 = 8;

/// vec4s that the notebook's vertex shaders need in addition to the palette, in the worst
/// packing: view, line width, tint.
pub const NOTEBOOK_VEC4S: u32 = 40;

/// vec4s that a shader needs in addition to the palette, by purpose.
pub const FIXED_VEC4S_BY_PURPOSE: [(&str, u32); 3] =
    [("projection", 4), ("view", 4), ("colour", 1)];

/// Guaranteed size of a uniform block in bytes (WebGL 2, OpenGL ES 3).
pub const GUARANTEED_BLOCK_BYTES: u32 = 16_384;

/// Guaranteed height of a texture in texels (WebGL 2).
pub const GUARANTEED_TEXTURE_SIZE: u32 = 2_048;

/// vec4s of a matrix.
pub const VEC4S_PER_MATRIX: u32 = 4;

/// Returns how many joints fit into plain uniforms after `taken` vec4s, which are [`FIXED_VEC4S`] in
/// the lesson's shader.
pub fn joints_in_uniforms(vec4_uniforms: u32, taken: u32) -> u32 {
    vec4_uniforms.saturating_sub(taken) / VEC4S_PER_MATRIX
}

/// Returns how many `mat4`s fit into plain uniforms alone.
pub fn mat4s_in_all(vec4_uniforms: u32) -> u32 {
    vec4_uniforms / VEC4S_PER_MATRIX
}

/// Returns how many joints fit into a uniform block. A mat4 takes 64 bytes in `std140`.
pub fn joints_in_block(bytes: u32) -> u32 {
    bytes / 64
}

/// Returns how many joints fit into a texture of 4 × N texels, with one row for each.
pub fn joints_in_texture(size_limit: u32) -> u32 {
    size_limit
}

/// Returns the number that the WebGL articles print for a limit. They count a mat4 as 8 vec4s,
/// and three of them for projection, view and colour.
pub fn printed(vec4_uniforms: u32) -> u32 {
    (vec4_uniforms / 8).saturating_sub(3)
}

/// A well-known character and its number of joints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Character {
    pub name: &'static str,
    pub joints: u32,
    pub source: JointCountSource,
}

/// Source of a joint count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointCountSource {
    /// A rig of this notebook.
    Here,
    /// The glTF sample model of that name.
    Counted,
    /// Documentation of a tool or standard, for all its characters.
    Documented,
    /// A typical number for characters of this kind.
    Typical,
}

fn character(name: &'static str, joints: u32, source: JointCountSource) -> Character {
    Character { name, joints, source }
}

/// Returns well-known characters, sorted by their number of joints.
pub fn characters() -> &'static [Character] {
    static ALL: OnceLock<Vec<Character>> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut all = vec![
            // The required bones: hips, spine, head, and three of each limb.
            character("smallest VRM or Unity humanoid", 15, JointCountSource::Documented),
            character("CesiumMan", 19, JointCountSource::Counted),
            character("Fox", 24, JointCountSource::Counted),
            character("full VRM humanoid", 55, JointCountSource::Documented),
            character("Mixamo character with fingers", 65, JointCountSource::Documented),
            character("body with hands and face", 150, JointCountSource::Typical),
            character("film-like face and body", 300, JointCountSource::Typical),
            character("the whale of this notebook", WHALE_JOINTS as u32, JointCountSource::Here),
            character("centipede(300) of this notebook", 300, JointCountSource::Here),
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
    fn joints_in_uniforms_match_the_golden_numbers() {
        for case in golden().cases {
            let limit = case.vec4_limit;
            assert_eq!(mat4s_in_all(limit), case.mat4s_in_all, "{limit}");
            assert_eq!(joints_in_uniforms(limit, FIXED_VEC4S), case.bones, "{limit}");
        }
    }

    #[test]
    fn numbers_of_the_articles_count_a_matrix_twice() {
        for (limit, (matrices, bones)) in golden().seed_says {
            let limit: u32 = limit.parse().expect("a number");
            assert_eq!(printed(limit), bones, "{limit}");
            if let Some(matrices) = matrices {
                assert_eq!(limit / 8, matrices, "{limit}");
            }
        }
    }

    #[test]
    fn joints_fit_in_textures_and_blocks() {
        for texture in golden().texture {
            assert_eq!(joints_in_texture(texture.height_limit), texture.bones);
        }
        assert_eq!(FIXED_VEC4S_BY_PURPOSE.iter().map(|(_, vec4s)| vec4s).sum::<u32>(), FIXED_VEC4S);
        assert_eq!(joints_in_block(GUARANTEED_BLOCK_BYTES), 256);
        let less_than_the_camera_takes = 5;
        assert_eq!(joints_in_uniforms(less_than_the_camera_takes, FIXED_VEC4S), 0);
    }

    #[test]
    fn characters_are_sorted_and_include_the_rigs_of_the_notebook() {
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
