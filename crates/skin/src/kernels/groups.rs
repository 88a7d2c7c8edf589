//! Vertices sorted by how many influences they have.

use std::collections::BTreeMap;

use super::BLOCK;
use crate::{Influences, JointIndex};

/// Influences in a group of their own: of vertices with more, each says how many.
const MOST: usize = 4;

/// Groups of a block: none, one to four, more.
const GROUPS: usize = MOST + 2;

/// The influences of all vertices of a mesh, without those of weight 0, in blocks,
/// and in each block sorted by how many a vertex has. Made once for a mesh and its
/// weights; it knows nothing of positions.
#[derive(Clone, Debug, Default)]
pub struct VertexGroups {
    pub(super) none: Vec<GroupEntry<0>>,
    pub(super) one: Vec<GroupEntry<1>>,
    pub(super) two: Vec<GroupEntry<2>>,
    pub(super) three: Vec<GroupEntry<3>>,
    pub(super) four: Vec<GroupEntry<4>>,
    pub(super) more: Vec<Longer>,
    /// Influences of the vertices in `more`, one after the other.
    pairs: Vec<(JointIndex, f32)>,
    /// Where each block ends in each of the groups.
    ends: Vec<[u32; GROUPS]>,
    vertices: usize,
    joints: usize,
}

/// A vertex with so many influences.
#[derive(Clone, Copy, Debug)]
pub(super) struct GroupEntry<const COUNT: usize> {
    pub(super) weights: [f32; COUNT],
    /// Four indices of 16 bits: in one load, and taken apart by shifts. As four
    /// numbers they are masked in a vector register and come back one by one.
    packed_joints: [u32; 2],
    /// Its place in the block.
    pub(super) place: u8,
}

impl<const COUNT: usize> GroupEntry<COUNT> {
    /// The indices of all joints, the first one lowest.
    #[inline(always)]
    pub(super) fn packed_joints(&self) -> u64 {
        let [low, high] = self.packed_joints;
        u64::from(low) | u64::from(high) << 32
    }

    #[inline(always)]
    pub(super) fn joint(&self, lane: usize) -> JointIndex {
        JointIndex((self.packed_joints() >> (16 * lane)) as u16)
    }
}

/// A vertex with more than four.
#[derive(Clone, Copy, Debug)]
pub(super) struct Longer {
    /// Where they begin and end in [`VertexGroups::pairs`].
    pairs: [u32; 2],
    /// Its place in the block.
    pub(super) place: u8,
}

impl Longer {
    /// Its influences.
    pub(super) fn pairs_in<'g>(&self, groups: &'g VertexGroups) -> &'g [(JointIndex, f32)] {
        let [start, end] = self.pairs;
        let pairs = groups.pairs.get(start as usize..end as usize);
        pairs.unwrap_or_default()
    }
}

/// The vertices of one block.
pub(super) struct VertexBlock<'a> {
    pub(super) none: &'a [GroupEntry<0>],
    pub(super) one: &'a [GroupEntry<1>],
    pub(super) two: &'a [GroupEntry<2>],
    pub(super) three: &'a [GroupEntry<3>],
    pub(super) four: &'a [GroupEntry<4>],
    pub(super) more: &'a [Longer],
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
    pub(super) fn joints(&self) -> usize {
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
    pub(super) fn block(&self, number: usize) -> Option<VertexBlock<'_>> {
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
