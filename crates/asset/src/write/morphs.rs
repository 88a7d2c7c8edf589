//! Morph targets of ranges of vertices.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use glam::Vec3;

use super::writer::{Floats, GltfWriter};
use crate::MorphTarget;

/// All targets of a rig, by their first vertex.
pub(super) struct Morphs<'a> {
    by_first: BTreeMap<u32, Vec<&'a MorphTarget>>,
    /// Vertices that the longest of them moves.
    longest: u32,
}

impl<'a> Morphs<'a> {
    pub(super) fn new(targets: &'a [MorphTarget]) -> Self {
        let mut by_first: BTreeMap<u32, Vec<&MorphTarget>> = BTreeMap::new();
        for target in targets {
            by_first.entry(target.first_vertex).or_default().push(target);
        }
        Self { by_first, longest: targets.iter().map(length).max().unwrap_or(0) }
    }

    /// Those that move some of these vertices.
    fn of(&self, range: &Range<u32>) -> impl Iterator<Item = &'a MorphTarget> {
        let start = range.start;
        let near = self.by_first.range(start.saturating_sub(self.longest)..range.end);
        let near = near.flat_map(|(_, targets)| targets.iter().copied());
        near.filter(move |target| target.first_vertex + length(target) > start)
    }

    /// The morph weights they take.
    pub(super) fn slots(&self, range: &Range<u32>) -> BTreeSet<usize> {
        self.of(range).map(|target| target.slot).collect()
    }

    /// What the target of a slot is called.
    pub(super) fn name(&self, slot: usize) -> String {
        let mut all = self.by_first.values().flatten();
        let named = all.find(|target| target.slot == slot);
        named.map_or_else(String::new, |target| target.name.clone())
    }

    /// A target a slot; what it does not move has differences of 0. Normals are
    /// written divided by their `lengths`, and so are their differences.
    pub(super) fn write(
        &self,
        writer: &mut GltfWriter,
        range: &Range<u32>,
        slots: &[usize],
        lengths: &[f32],
    ) -> Vec<BTreeMap<&'static str, usize>> {
        let with_normals = self.of(range).any(|target| !target.normals.is_empty());
        let mut written = Vec::new();
        for &slot in slots {
            let targets = || self.of(range).filter(|target| target.slot == slot);
            let mut positions = vec![Vec3::ZERO; range.len()];
            for target in targets() {
                add(&mut positions, range, target.first_vertex, &target.positions);
            }
            let mut target = BTreeMap::from([("POSITION", writer.positions(&positions))]);
            if with_normals {
                let mut normals = vec![Vec3::ZERO; range.len()];
                for target in targets() {
                    add(&mut normals, range, target.first_vertex, &target.normals);
                }
                for (normal, &length) in normals.iter_mut().zip(lengths) {
                    if length > 0.0 {
                        *normal /= length;
                    }
                }
                target.insert("NORMAL", writer.floats(&normals, Floats::VECTOR));
            }
            written.push(target);
        }
        written
    }
}

/// In vertices. One that moves none still belongs to the first: its name and its
/// weight stay.
fn length(target: &MorphTarget) -> u32 {
    target.positions.len().max(target.normals.len()).max(1) as u32
}

fn add(sums: &mut [Vec3], range: &Range<u32>, first_vertex: u32, differences: &[Vec3]) {
    for (&difference, vertex) in differences.iter().zip(first_vertex..) {
        let place = vertex.checked_sub(range.start);
        if let Some(sum) = place.and_then(|place| sums.get_mut(place as usize)) {
            *sum += difference;
        }
    }
}
