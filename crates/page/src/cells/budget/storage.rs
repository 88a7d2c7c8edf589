//! Where the matrices of joints are stored, and how many joints fit there.

use bindpose_notebook::GpuLimits;
use bindpose_notebook::uniform_budget::{
    GUARANTEED_BLOCK_BYTES, GUARANTEED_TEXTURE_SIZE, VEC4S_A_MATRIX, joints_in_block,
    joints_in_texture, joints_in_uniforms,
};

/// The reader's numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct StorageNumbers {
    /// vec4 uniforms there are.
    pub(super) vec4s: u32,
    /// Those that everything but joints takes.
    pub(super) others: u32,
}

/// Where the matrices of joints are stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Storage {
    /// Plain uniforms.
    #[default]
    Uniforms,
    /// One uniform block.
    Block,
    /// A texture, a row a joint.
    Texture,
}

/// Room for joints, in the unit that is counted there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Capacity {
    /// What is counted.
    pub(super) unit: &'static str,
    /// There are so many.
    pub(super) total: u32,
    /// Others take so many.
    pub(super) taken: u32,
    /// A joint takes so many.
    pub(super) each: u32,
}

impl Capacity {
    /// Joints that fit.
    pub(super) fn joints(self) -> u32 {
        self.total.saturating_sub(self.taken) / self.each.max(1)
    }
}

impl Storage {
    pub(super) const ALL: [Self; 3] = [Self::Uniforms, Self::Block, Self::Texture];

    pub(super) fn label(self) -> &'static str {
        match self {
            Self::Uniforms => "plain uniforms",
            Self::Block => "one uniform block",
            Self::Texture => "one texture",
        }
    }

    /// For the head of a narrow column.
    pub(super) fn short(self) -> &'static str {
        match self {
            Self::Uniforms => "uniforms",
            Self::Block => "block",
            Self::Texture => "texture",
        }
    }

    /// What a matrix takes there.
    pub(super) fn takes(self) -> &'static str {
        match self {
            Self::Uniforms => "4 slots",
            Self::Block => "64 bytes",
            Self::Texture => "a row",
        }
    }

    /// With the reader's number of uniforms; block and texture as WebGL 2
    /// guarantees them.
    pub(super) fn capacity(self, budget: StorageNumbers) -> Capacity {
        match self {
            Self::Uniforms => Capacity {
                unit: "slots",
                total: budget.vec4s,
                taken: budget.others,
                each: VEC4S_A_MATRIX,
            },
            Self::Block => {
                Capacity { unit: "bytes", total: GUARANTEED_BLOCK_BYTES, taken: 0, each: 64 }
            }
            Self::Texture => {
                Capacity { unit: "rows", total: GUARANTEED_TEXTURE_SIZE, taken: 0, each: 1 }
            }
        }
    }

    /// Joints that fit on a device, in one block; 0 where there is no such
    /// thing.
    pub(super) fn on_device(self, limits: &GpuLimits, others: u32) -> u32 {
        match self {
            Self::Uniforms => joints_in_uniforms(limits.vertex_uniform_vec4s, others),
            Self::Block => joints_in_block(limits.uniform_block_bytes),
            Self::Texture if limits.vertex_texture_units == 0 || !limits.float_textures => 0,
            Self::Texture => joints_in_texture(limits.texture_size),
        }
    }
}
