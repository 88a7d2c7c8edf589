//! Whole meshes at once, by the vector instructions of the processor.
//!
//! What is computed is what [`skin_matrix`](super::skin_matrix),
//! [`dual_quaternion_matrix`](super::dual_quaternion_matrix),
//! [`moved_position`](super::moved_position),
//! [`moved_normal`](super::moved_normal) and
//! [`moved_tangent`](super::moved_tangent) compute for one vertex: those are the
//! formulas to read. Here they are laid out for speed:
//!
//! - Vertices are taken `BLOCK` at a time. Within a block they are sorted by how
//!   many influences they have and by which joints ([`VertexGroups`], made once for a
//!   mesh): each loop over influences has a fixed length, and matrices that the next
//!   vertex needs too stay in registers.
//! - First each vertex gets its blended matrix, three rows of four numbers, in a
//!   small table in the order of the mesh (`linear.rs`, `dual.rs`). Then eight
//!   neighbours at a time are moved by theirs (`apply.rs`): one number a lane, and
//!   square roots and divisions eight at once.
//! - Which instructions there are is found out while the program runs
//!   (`run.rs`): AVX2 with FMA, else SSE2; NEON; in a browser simd128, where it is
//!   settled when the program is built. Elsewhere all of it must be inlined into the
//!   function that has the instructions; a browser's program, which is loaded over the
//!   network, has the larger parts once.
//!
//! Sums are taken in another order than in those formulas, and with FMA a product is
//! not rounded before it is added. Results differ by a few units in the last place of
//! the largest number that takes part.

#![expect(
    clippy::inline_always,
    reason = "what is not inlined into a function with the instructions has none of them"
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

/// Vertices whose matrices are in memory at a time: 8 KiB, a quarter of the
/// smallest L1 cache.
const BLOCK: usize = 128;

/// Vertices that are moved at a time.
const WIDTH: usize = 8;

/// A matrix without its last row, row by row; the last four numbers are only there
/// for the alignment.
#[repr(C, align(64))]
#[derive(Clone, Copy, Debug, Default)]
struct MatrixRows {
    first_two: [[f32; 4]; 2],
    third: [f32; 4],
    rest: [f32; 4],
}

/// The matrices of a block, in the order of the mesh.
type BlockRows = [MatrixRows; BLOCK];

// Vertices sorted by how many influences they have.

/// Influences in a group of their own: of vertices with more, each says how many.
const MOST: usize = 4;

/// Groups of a block: none, one to four, more.
const GROUPS: usize = MOST + 2;

/// The influences of all vertices of a mesh, without those of weight 0, in blocks,
/// and in each block sorted by how many a vertex has. Made once for a mesh and its
/// weights; it knows nothing of positions.
#[derive(Clone, Debug, Default)]
pub struct VertexGroups {
    none: Vec<GroupEntry<0>>,
    one: Vec<GroupEntry<1>>,
    two: Vec<GroupEntry<2>>,
    three: Vec<GroupEntry<3>>,
    four: Vec<GroupEntry<4>>,
    more: Vec<Longer>,
    /// Influences of the vertices in `more`, one after the other.
    pairs: Vec<(JointIndex, f32)>,
    /// Where each block ends in each of the groups.
    ends: Vec<[u32; GROUPS]>,
    vertices: usize,
    joints: usize,
}

/// A vertex with so many influences.
#[derive(Clone, Copy, Debug)]
struct GroupEntry<const COUNT: usize> {
    weights: [f32; COUNT],
    /// Four indices of 16 bits: in one load, and taken apart by shifts. As four
    /// numbers they are masked in a vector register and come back one by one.
    packed_joints: [u32; 2],
    /// Its place in the block.
    place: u8,
}

impl<const COUNT: usize> GroupEntry<COUNT> {
    /// The indices of all joints, the first one lowest.
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

/// A vertex with more than four.
#[derive(Clone, Copy, Debug)]
struct Longer {
    /// Where they begin and end in [`VertexGroups::pairs`].
    pairs: [u32; 2],
    /// Its place in the block.
    place: u8,
}

impl Longer {
    /// Its influences.
    fn pairs_in<'g>(&self, groups: &'g VertexGroups) -> &'g [(JointIndex, f32)] {
        let [start, end] = self.pairs;
        let pairs = groups.pairs.get(start as usize..end as usize);
        pairs.unwrap_or_default()
    }
}

/// The vertices of one block.
struct VertexBlock<'a> {
    none: &'a [GroupEntry<0>],
    one: &'a [GroupEntry<1>],
    two: &'a [GroupEntry<2>],
    three: &'a [GroupEntry<3>],
    four: &'a [GroupEntry<4>],
    more: &'a [Longer],
}

impl VertexGroups {
    /// Of every vertex all influences: those in `many`, by vertex, stand in the
    /// place of its eight.
    pub fn new(influences: &[Influences], many: &BTreeMap<u32, Vec<(JointIndex, f32)>>) -> Self {
        Self::of_each(influences, |vertex| {
            (!many.is_empty())
                .then(|| many.get(&u32::try_from(vertex).ok()?))
                .flatten()
                .map(Vec::as_slice)
        })
    }

    /// As [`Self::new`]; `many` gives the influences that stand in the place of a
    /// vertex's eight, or none.
    pub fn of_each<'m>(
        influences: &[Influences],
        many: impl Fn(usize) -> Option<&'m [(JointIndex, f32)]>,
    ) -> Self {
        let mut groups = Self::default();
        for (vertex, influences) in influences.iter().enumerate() {
            match many(vertex) {
                Some(many) => groups.push(vertex, many.iter().copied()),
                None => groups.push(vertex, pairs(influences)),
            }
        }
        groups.ended(influences.len())
    }

    /// Of every vertex the strongest influence alone, with weight 1.
    pub fn strongest(influences: &[Influences]) -> Self {
        let mut groups = Self::default();
        for (vertex, influences) in influences.iter().enumerate() {
            groups.push(vertex, std::iter::once((influences.strongest(), 1.0)));
        }
        groups.ended(influences.len())
    }

    /// How many vertices.
    pub fn vertices(&self) -> usize {
        self.vertices
    }

    /// One past the largest index of a joint that has a weight.
    fn joints(&self) -> usize {
        self.joints
    }

    fn push(&mut self, vertex: usize, all: impl Iterator<Item = (JointIndex, f32)>) {
        if vertex > 0 && vertex.is_multiple_of(BLOCK) {
            self.end_block();
        }
        let place = (vertex % BLOCK) as u8;
        let first = self.pairs.len();
        self.pairs.extend(all.filter(|&(_, weight)| weight != 0.0));
        let used = &self.pairs[first..];
        for (joint, _) in used {
            self.joints = self.joints.max(joint.index() + 1);
        }
        match used.len() {
            0 => self.none.push(entry(used, place)),
            1 => self.one.push(entry(used, place)),
            2 => self.two.push(entry(used, place)),
            3 => self.three.push(entry(used, place)),
            MOST => self.four.push(entry(used, place)),
            _ => {
                let pairs = [first as u32, self.pairs.len() as u32];
                self.more.push(Longer { pairs, place });
                return;
            }
        }
        self.pairs.truncate(first);
    }

    fn ended(mut self, vertices: usize) -> Self {
        if vertices > 0 {
            self.end_block();
        }
        self.vertices = vertices;
        self
    }

    /// Puts vertices of the same joints one after the other: their matrices stay in
    /// registers.
    fn end_block(&mut self) {
        let starts = self.ends.last().copied().unwrap_or_default();
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
        self.ends.push(lengths.map(|length| length as u32));
    }

    /// The block of that number, if there is one.
    fn block(&self, number: usize) -> Option<VertexBlock<'_>> {
        let ends = self.ends.get(number)?;
        let starts = number.checked_sub(1).and_then(|last| self.ends.get(last));
        let starts = starts.unwrap_or(&[0; GROUPS]);
        let range = |group: usize| starts[group] as usize..ends[group] as usize;
        Some(VertexBlock {
            none: self.none.get(range(0))?,
            one: self.one.get(range(1))?,
            two: self.two.get(range(2))?,
            three: self.three.get(range(3))?,
            four: self.four.get(range(4))?,
            more: self.more.get(range(5))?,
        })
    }
}

fn sort_by_joints<const COUNT: usize>(entries: &mut [GroupEntry<COUNT>], from: usize) {
    if let Some(of_block) = entries.get_mut(from..) {
        of_block.sort_by_key(GroupEntry::packed_joints);
    }
}

fn pairs(influences: &Influences) -> impl Iterator<Item = (JointIndex, f32)> + use<> {
    let Influences { joints, weights } = *influences;
    joints.into_iter().zip(weights)
}

/// `used` has as many as the entry.
fn entry<const COUNT: usize>(used: &[(JointIndex, f32)], place: u8) -> GroupEntry<COUNT> {
    let mut entry = GroupEntry { weights: [0.0; COUNT], packed_joints: [0; 2], place };
    for (lane, &(joint, weight)) in used.iter().enumerate() {
        entry.packed_joints[lane / 2] |= u32::from(joint.0) << (16 * (lane % 2));
        entry.weights[lane] = weight;
    }
    entry
}
