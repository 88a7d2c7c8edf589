//! Linear blending for the vertices of a block.

use fearless_simd::{Simd, f32x4, f32x8, prelude::*};
use glam::Mat4;

use super::{BLOCK_SIZE, BlockRows, GroupEntry, MatrixRows, VertexBlock, VertexGroups};
use crate::JointIndex;

/// Length of a palette for most models. Lengths are powers of two, so that a joint index modulo
/// the length is in bounds without a branch.
const SMALL_LENGTH: usize = 1024;
/// Length of a palette for all joint indices.
const FULL_LENGTH: usize = 1 << 16;

/// Buffer with one entry per joint, padded to one of two fixed lengths.
#[derive(Debug, Default)]
pub(super) struct KernelPalette<T>(Vec<T>);

/// The entries of a [`KernelPalette`], by joint index.
#[derive(Debug)]
pub(super) enum PaletteEntries<'a, T> {
    Small(&'a [T; SMALL_LENGTH]),
    Full(&'a [T; FULL_LENGTH]),
}

// Deriving these would require them of `T`.
impl<T> Clone for PaletteEntries<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for PaletteEntries<'_, T> {}

impl<T: Copy + Default> KernelPalette<T> {
    /// Writes an entry for every joint index in `groups`: `entries` by index, then `padding`.
    pub(super) fn fill(
        &mut self,
        groups: &VertexGroups,
        entries: impl Iterator<Item = T>,
        padding: T,
    ) -> Option<PaletteEntries<'_, T>> {
        let is_small = groups.joint_count <= SMALL_LENGTH;
        let length = if is_small { SMALL_LENGTH } else { FULL_LENGTH };
        if self.0.len() < length {
            self.0.resize(length, T::default());
        }
        let padded = entries.chain(std::iter::repeat(padding));
        for (slot, entry) in self.0.iter_mut().zip(padded).take(groups.joint_count) {
            *slot = entry;
        }
        if is_small {
            Some(PaletteEntries::Small(self.0.first_chunk()?))
        } else {
            Some(PaletteEntries::Full(self.0.first_chunk()?))
        }
    }
}

impl MatrixRows {
    pub(super) fn new(matrix: &Mat4) -> Self {
        let [first, second, third, _] = matrix.transpose().to_cols_array_2d();
        Self { first_two: [first, second], third, padding: [0.0; 4] }
    }

    #[inline(always)]
    fn upper(&self) -> &[f32; 8] {
        bytemuck::cast_ref(&self.first_two)
    }

    #[inline(always)]
    fn upper_mut(&mut self) -> &mut [f32; 8] {
        bytemuck::cast_mut(&mut self.first_two)
    }
}

/// Computes `Σ wᵢ · Mᵢ` of each vertex of the block.
#[cfg_attr(target_arch = "wasm32", inline(never))]
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
pub(super) fn blend<S: Simd>(
    simd: S,
    groups: &VertexGroups,
    block: &VertexBlock<'_>,
    palette: PaletteEntries<'_, MatrixRows>,
    to: &mut BlockRows,
) {
    match palette {
        PaletteEntries::Small(palette) => blend_block(simd, groups, block, palette, to),
        PaletteEntries::Full(palette) => blend_block(simd, groups, block, palette, to),
    }
}

#[inline(always)]
fn blend_block<S: Simd, const LENGTH: usize>(
    simd: S,
    groups: &VertexGroups,
    block: &VertexBlock<'_>,
    palette: &[MatrixRows; LENGTH],
    to: &mut BlockRows,
) {
    for entry in block.none {
        to[usize::from(entry.index_in_block) % BLOCK_SIZE] = MatrixRows::default();
    }
    blend_group(simd, block.one, palette, to);
    blend_group(simd, block.two, palette, to);
    blend_group(simd, block.three, palette, to);
    blend_group(simd, block.four, palette, to);
    for entry in block.more {
        let to = &mut to[usize::from(entry.index_in_block) % BLOCK_SIZE];
        blend_pairs(simd, entry.pairs(groups), palette, to);
    }
}

/// Blends vertices with `COUNT` influences. Neighbours in a group often have the same joints.
/// Keeping their matrices in registers saves half of all loads.
#[cfg_attr(target_arch = "wasm32", inline(never))]
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
fn blend_group<S: Simd, const COUNT: usize, const LENGTH: usize>(
    simd: S,
    entries: &[GroupEntry<COUNT>],
    palette: &[MatrixRows; LENGTH],
    to: &mut BlockRows,
) {
    let mut upper = [f32x8::splat(simd, 0.0); COUNT];
    let mut lower = [f32x4::splat(simd, 0.0); COUNT];
    let mut loaded_joints = None;
    for entry in entries {
        let joints = entry.packed_joints();
        if loaded_joints != Some(joints) {
            loaded_joints = Some(joints);
            for lane in 0..COUNT {
                let matrix = &palette[entry.joint(lane).index() % LENGTH];
                upper[lane] = f32x8::load_array_ref(simd, matrix.upper());
                lower[lane] = f32x4::load_array_ref(simd, &matrix.third);
            }
        }
        let mut first_two = upper[0] * entry.weights[0];
        let mut third = lower[0] * entry.weights[0];
        for lane in 1..COUNT {
            let weight = entry.weights[lane];
            first_two = upper[lane].mul_add(f32x8::splat(simd, weight), first_two);
            third = lower[lane].mul_add(f32x4::splat(simd, weight), third);
        }
        let to = &mut to[usize::from(entry.index_in_block) % BLOCK_SIZE];
        first_two.store_array(to.upper_mut());
        third.store_array(&mut to.third);
    }
}

/// Blends one vertex with any number of influences.
#[inline(always)]
fn blend_pairs<S: Simd, const LENGTH: usize>(
    simd: S,
    pairs: &[(JointIndex, f32)],
    palette: &[MatrixRows; LENGTH],
    to: &mut MatrixRows,
) {
    let mut first_two = f32x8::splat(simd, 0.0);
    let mut third = f32x4::splat(simd, 0.0);
    for &(joint, weight) in pairs {
        let matrix = &palette[joint.index() % LENGTH];
        let upper = f32x8::load_array_ref(simd, matrix.upper());
        let lower = f32x4::load_array_ref(simd, &matrix.third);
        first_two = upper.mul_add(f32x8::splat(simd, weight), first_two);
        third = lower.mul_add(f32x4::splat(simd, weight), third);
    }
    first_two.store_array(to.upper_mut());
    third.store_array(&mut to.third);
}
