//! Skinning of whole meshes with SIMD instructions.
//!
//! The kernels compute the same as [`skin_matrix`](super::skin_matrix),
//! [`dual_quaternion_matrix`](super::dual_quaternion_matrix),
//! [`moved_position`](super::moved_position),
//! [`moved_normal`](super::moved_normal) and
//! [`moved_tangent`](super::moved_tangent) for one vertex, which are the formulas to read.
//! Here they are arranged for speed:
//!
//! - Vertices are processed in blocks of `BLOCK_SIZE`. Within a block they are sorted by
//!   the number of their influences and by joints ([`VertexGroups`], computed once per
//!   mesh). Loops over influences thus have a fixed length, and matrices that the next
//!   vertex also needs stay in registers.
//! - First the blended matrix of each vertex, three rows of four numbers, is written to a
//!   small table in the order of the mesh (`linear.rs`, `dual.rs`). Then eight neighbouring
//!   vertices at a time are transformed by their matrices (`apply.rs`), one vertex per lane,
//!   with eight square roots and divisions at once.
//! - The instruction set is detected at run time (`run.rs`): AVX2 with FMA, else SSE2; NEON.
//!   In browsers it is simd128, chosen at build time. Code must be inlined into a function
//!   with the right target features, except in browsers, where the larger functions are not
//!   inlined to keep the download small.
//!
//! Sums are in another order than in those formulas, and FMA does not round products
//! before the addition. The results differ by a few units in the last place of the largest
//! operand.

#![expect(
    clippy::inline_always,
    reason = "code that is not inlined into a function with target features cannot use them"
)]

mod apply;
mod dual;
mod lanes;
mod linear;
mod run;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use crate::{Influences, JointIndex};

pub use run::{BindVertices, Skinner, WorldVertices, with_skinner};

/// Number of vertices whose blended matrices are in memory at a time: 8 KiB, a quarter of
/// the smallest L1 cache.
const BLOCK_SIZE: usize = 128;

/// Number of vertices that are transformed at once.
const SIMD_WIDTH: usize = 8;

/// The first three rows of an affine matrix, padded to a cache line.
#[repr(C, align(64))]
#[derive(Clone, Copy, Debug, Default)]
struct MatrixRows {
    first_two: [[f32; 4]; 2],
    third: [f32; 4],
    padding: [f32; 4],
}

/// The matrices of a block, in the order of the mesh.
type BlockRows = [MatrixRows; BLOCK_SIZE];

// Vertices sorted by the number of their influences.

/// Maximum number of influences for which there is a group of entries of fixed size.
const MAX_GROUPED_INFLUENCES: usize = 4;

/// Number of groups of a block: for no influence, one to four, and more.
const GROUP_COUNT: usize = MAX_GROUPED_INFLUENCES + 2;

/// The influences of all vertices of a mesh in the order of the kernels.
///
/// Divided into blocks, and in each block sorted by the number of influences with a weight
/// other than 0. Depends on the influences of a mesh, but not on its positions, so it is
/// computed once.
#[derive(Clone, Debug, Default)]
pub struct VertexGroups {
    none: Vec<GroupEntry<0>>,
    one: Vec<GroupEntry<1>>,
    two: Vec<GroupEntry<2>>,
    three: Vec<GroupEntry<3>>,
    four: Vec<GroupEntry<4>>,
    more: Vec<LongEntry>,
    /// Concatenated influences of the vertices in `more`.
    pairs: Vec<(JointIndex, f32)>,
    /// For each block, its end index in each of the groups.
    block_ends: Vec<[u32; GROUP_COUNT]>,
    vertex_count: usize,
    /// One past the largest index of a joint that has a weight.
    joint_count: usize,
}

/// A vertex with `COUNT` influences.
#[derive(Clone, Copy, Debug)]
struct GroupEntry<const COUNT: usize> {
    weights: [f32; COUNT],
    /// Up to four joint indices of 16 bits. Packed, they take one load and a few shifts;
    /// an array of four would be masked in a vector register and extracted one by one.
    packed_joints: [u32; 2],
    /// Index of the vertex in its block.
    index_in_block: u8,
}

impl<const COUNT: usize> GroupEntry<COUNT> {
    /// Creates an entry from `COUNT` influences.
    fn new(pairs: &[(JointIndex, f32)], index_in_block: u8) -> Self {
        let mut entry = Self { weights: [0.0; COUNT], packed_joints: [0; 2], index_in_block };
        for (lane, &(joint, weight)) in pairs.iter().enumerate() {
            entry.packed_joints[lane / 2] |= u32::from(joint.0) << (16 * (lane % 2));
            entry.weights[lane] = weight;
        }
        entry
    }

    /// Returns the indices of all joints, with the first one in the lowest bits.
    #[inline(always)]
    fn packed_joints(&self) -> u64 {
        let [low, high] = self.packed_joints;
        u64::from(low) | u64::from(high) << 32
    }

    #[inline(always)]
    fn joint(&self, lane: usize) -> JointIndex {
        JointIndex((self.packed_joints() >> (16 * lane)) as u16)
    }
}

/// A vertex with more than four influences.
#[derive(Clone, Copy, Debug)]
struct LongEntry {
    /// Start and end of the influences in [`VertexGroups::pairs`].
    pair_range: [u32; 2],
    /// Index of the vertex in its block.
    index_in_block: u8,
}

impl LongEntry {
    fn pairs<'g>(&self, groups: &'g VertexGroups) -> &'g [(JointIndex, f32)] {
        let [start, end] = self.pair_range;
        groups.pairs.get(start as usize..end as usize).unwrap_or_default()
    }
}

/// The vertices of one block.
struct VertexBlock<'a> {
    none: &'a [GroupEntry<0>],
    one: &'a [GroupEntry<1>],
    two: &'a [GroupEntry<2>],
    three: &'a [GroupEntry<3>],
    four: &'a [GroupEntry<4>],
    more: &'a [LongEntry],
}

impl VertexGroups {
    /// Groups the vertices by all of their influences.
    ///
    /// `many` replaces the eight influences of a vertex by a longer list, by vertex index.
    pub fn new(influences: &[Influences], many: &BTreeMap<u32, Vec<(JointIndex, f32)>>) -> Self {
        Self::of_each(influences, |vertex| {
            // Most meshes have no such vertices: this saves a look-up for each vertex.
            if many.is_empty() {
                return None;
            }
            many.get(&u32::try_from(vertex).ok()?).map(Vec::as_slice)
        })
    }

    /// Groups the vertices like [`Self::new`].
    ///
    /// `many` returns the list that replaces the eight influences of a vertex, or `None`.
    pub fn of_each<'m>(
        influences: &[Influences],
        many: impl Fn(usize) -> Option<&'m [(JointIndex, f32)]>,
    ) -> Self {
        let mut groups = Self::default();
        for (vertex, influences) in influences.iter().enumerate() {
            if let Some(many) = many(vertex) {
                groups.push(vertex, many.iter().copied());
            } else {
                let Influences { joints, weights } = *influences;
                groups.push(vertex, joints.into_iter().zip(weights));
            }
        }
        groups.finish(influences.len())
    }

    /// Groups the vertices with only the strongest influence of each, with weight 1.
    pub fn strongest(influences: &[Influences]) -> Self {
        let mut groups = Self::default();
        for (vertex, influences) in influences.iter().enumerate() {
            groups.push(vertex, std::iter::once((influences.strongest(), 1.0)));
        }
        groups.finish(influences.len())
    }

    /// Returns the number of vertices.
    pub fn vertices(&self) -> usize {
        self.vertex_count
    }

    fn push(&mut self, vertex: usize, pairs: impl Iterator<Item = (JointIndex, f32)>) {
        if vertex > 0 && vertex.is_multiple_of(BLOCK_SIZE) {
            self.end_block();
        }
        let index_in_block = (vertex % BLOCK_SIZE) as u8;
        let first = self.pairs.len();
        self.pairs.extend(pairs.filter(|&(_, weight)| weight != 0.0));
        let used = &self.pairs[first..];
        for (joint, _) in used {
            self.joint_count = self.joint_count.max(joint.index() + 1);
        }
        match used.len() {
            0 => self.none.push(GroupEntry::new(used, index_in_block)),
            1 => self.one.push(GroupEntry::new(used, index_in_block)),
            2 => self.two.push(GroupEntry::new(used, index_in_block)),
            3 => self.three.push(GroupEntry::new(used, index_in_block)),
            MAX_GROUPED_INFLUENCES => self.four.push(GroupEntry::new(used, index_in_block)),
            _ => {
                let pair_range = [first as u32, self.pairs.len() as u32];
                self.more.push(LongEntry { pair_range, index_in_block });
                return;
            }
        }
        self.pairs.truncate(first);
    }

    fn finish(mut self, vertex_count: usize) -> Self {
        if vertex_count > 0 {
            self.end_block();
        }
        self.vertex_count = vertex_count;
        self
    }

    /// Ends a block, and sorts the vertices in its groups by joints: the matrices of equal
    /// neighbours stay in registers.
    fn end_block(&mut self) {
        let starts = self.block_ends.last().copied().unwrap_or_default();
        let [_, one, two, three, four, _] = starts.map(|start| start as usize);
        sort_by_joints(&mut self.one, one);
        sort_by_joints(&mut self.two, two);
        sort_by_joints(&mut self.three, three);
        sort_by_joints(&mut self.four, four);
        let lengths = [
            self.none.len(),
            self.one.len(),
            self.two.len(),
            self.three.len(),
            self.four.len(),
            self.more.len(),
        ];
        self.block_ends.push(lengths.map(|length| length as u32));
    }

    /// Returns the entries of a block, or `None` if there is no such block.
    fn block(&self, index: usize) -> Option<VertexBlock<'_>> {
        let ends = self.block_ends.get(index)?;
        let starts = match index.checked_sub(1) {
            Some(previous) => self.block_ends.get(previous)?,
            None => &[0; GROUP_COUNT],
        };
        let [none, one, two, three, four, more] =
            std::array::from_fn(|group| starts[group] as usize..ends[group] as usize);
        Some(VertexBlock {
            none: self.none.get(none)?,
            one: self.one.get(one)?,
            two: self.two.get(two)?,
            three: self.three.get(three)?,
            four: self.four.get(four)?,
            more: self.more.get(more)?,
        })
    }
}

fn sort_by_joints<const COUNT: usize>(entries: &mut [GroupEntry<COUNT>], block_start: usize) {
    if let Some(entries) = entries.get_mut(block_start..) {
        entries.sort_by_key(GroupEntry::packed_joints);
    }
}
