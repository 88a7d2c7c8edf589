//! The weighted sum of matrices, for the vertices of a block.

use fearless_simd::{Simd, f32x4, f32x8, prelude::*};
use glam::Mat4;

use super::{BLOCK, BlockRows, GroupEntry, MatrixRows, VertexBlock, VertexGroups};
use crate::JointIndex;

/// Places for joints; a power of two, so that an index cut to it is in bounds.
const FEW: usize = 1024;
/// As many as an index can name.
const ALL: usize = 1 << 16;

/// One entry a joint, in as many places as an index may name.
#[derive(Debug, Default)]
pub(super) struct KernelPalette<T>(Vec<T>);

/// Its entries.
#[derive(Debug)]
pub(super) enum Entries<'a, T> {
    Few(&'a [T; FEW]),
    All(&'a [T; ALL]),
}

// Derived ones would ask the same of `T`.
impl<T> Clone for Entries<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Entries<'_, T> {}

impl<T: Copy + Default> KernelPalette<T> {
    /// Takes these entries, and for joints past them `past`, up to as many as the
    /// groups name.
    pub(super) fn fill(
        &mut self,
        groups: &VertexGroups,
        entries: impl Iterator<Item = T>,
        past: T,
    ) -> Option<Entries<'_, T>> {
        let named = groups.joints();
        let places = if named <= FEW { FEW } else { ALL };
        if self.0.len() < places {
            self.0.resize(places, T::default());
        }
        let entries = entries.chain(std::iter::repeat(past));
        for (place, entry) in self.0.iter_mut().zip(entries).take(named) {
            *place = entry;
        }
        match places {
            FEW => Some(Entries::Few(self.0.first_chunk()?)),
            _ => Some(Entries::All(self.0.first_chunk()?)),
        }
    }
}

impl MatrixRows {
    pub(super) fn of(matrix: &Mat4) -> Self {
        let [[a, b, c, d], [e, f, g, h], third @ [_, _, _, _], _] =
            matrix.transpose().to_cols_array_2d();
        Self { first_two: [[a, b, c, d], [e, f, g, h]], third, rest: [0.0; 4] }
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

/// `Σ wᵢ · Mᵢ` of each vertex of the block, into its place.
#[cfg_attr(target_arch = "wasm32", inline(never))]
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
pub(super) fn blend<S: Simd>(
    simd: S,
    groups: &VertexGroups,
    block: &VertexBlock<'_>,
    palette: Entries<'_, MatrixRows>,
    to: &mut BlockRows,
) {
    match palette {
        Entries::Few(palette) => blend_by(simd, groups, block, palette, to),
        Entries::All(palette) => blend_by(simd, groups, block, palette, to),
    }
}

#[inline(always)]
fn blend_by<S: Simd, const PLACES: usize>(
    simd: S,
    groups: &VertexGroups,
    block: &VertexBlock<'_>,
    palette: &[MatrixRows; PLACES],
    to: &mut BlockRows,
) {
    for entry in block.none {
        to[usize::from(entry.place) % BLOCK] = MatrixRows::default();
    }
    each(simd, block.one, palette, to);
    each(simd, block.two, palette, to);
    each(simd, block.three, palette, to);
    each(simd, block.four, palette, to);
    for longer in block.more {
        let at = &mut to[usize::from(longer.place) % BLOCK];
        sum(simd, longer.pairs_in(groups), palette, at);
    }
}

/// Neighbours in the group often have the same joints: then their matrices are still
/// in registers, and half of all reading is saved.
#[cfg_attr(target_arch = "wasm32", inline(never))]
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
fn each<S: Simd, const COUNT: usize, const PLACES: usize>(
    simd: S,
    entries: &[GroupEntry<COUNT>],
    palette: &[MatrixRows; PLACES],
    to: &mut BlockRows,
) {
    let mut upper = [f32x8::splat(simd, 0.0); COUNT];
    let mut lower = [f32x4::splat(simd, 0.0); COUNT];
    let mut last = None;
    for entry in entries {
        let joints = entry.packed_joints();
        if last != Some(joints) {
            last = Some(joints);
            for lane in 0..COUNT {
                let matrix = &palette[entry.joint(lane).index() % PLACES];
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
        let at = &mut to[usize::from(entry.place) % BLOCK];
        first_two.store_array(at.upper_mut());
        third.store_array(&mut at.third);
    }
}

/// `Σ wᵢ · Mᵢ` of any number.
#[inline(always)]
fn sum<S: Simd, const PLACES: usize>(
    simd: S,
    pairs: &[(JointIndex, f32)],
    palette: &[MatrixRows; PLACES],
    at: &mut MatrixRows,
) {
    let mut first_two = f32x8::splat(simd, 0.0);
    let mut third = f32x4::splat(simd, 0.0);
    for &(joint, weight) in pairs {
        let matrix = &palette[joint.index() % PLACES];
        let upper = f32x8::load_array_ref(simd, matrix.upper());
        let lower = f32x4::load_array_ref(simd, &matrix.third);
        first_two = upper.mul_add(f32x8::splat(simd, weight), first_two);
        third = lower.mul_add(f32x4::splat(simd, weight), third);
    }
    first_two.store_array(at.upper_mut());
    third.store_array(&mut at.third);
}
