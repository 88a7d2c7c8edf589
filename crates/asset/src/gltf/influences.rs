//! `JOINTS_n` and `WEIGHTS_n` as influences: weights divided by their sum.

use std::collections::BTreeMap;
use std::ops::Range;

use bindpose_skin::{Influences, JointIndex, LANES, SET_LANES, keep_strongest};

use super::accessor::{Accessor, BLOCK, blocks};
use super::error::{GltfError, GltfErrorKind};
use crate::Mesh;
use crate::budget::FileBudget;
use crate::pace::Pace;

/// One pair of accessors, as many elements as there are vertices.
pub(super) struct AccessorPair<'a> {
    /// Numbers in the skin's list.
    pub(super) joints: Accessor<'a>,
    pub(super) weights: Accessor<'a>,
}

/// Puts the sets of every vertex together.
pub(super) struct InfluenceCollector<'a> {
    sets: Vec<AccessorPair<'a>>,
    /// Our joint for each of the skin's.
    ours: &'a [JointIndex],
    budget: &'a FileBudget,
    /// Of a run of vertices: one set of all of them after the other.
    joints: Vec<[u32; SET_LANES]>,
    weights: Vec<[f32; SET_LANES]>,
    /// The influences of one vertex.
    pairs: Vec<(JointIndex, f32)>,
}

impl<'a> InfluenceCollector<'a> {
    pub(super) fn new(
        sets: Vec<AccessorPair<'a>>,
        ours: &'a [JointIndex],
        budget: &'a FileBudget,
    ) -> Self {
        Self {
            pairs: Vec::with_capacity(sets.len() * SET_LANES),
            sets,
            ours,
            budget,
            joints: Vec::new(),
            weights: Vec::new(),
        }
    }

    /// Adds the influences of `count` vertices to those of the mesh. Up to two
    /// sets keep their lanes; of more, the unused ones are dropped.
    pub(super) async fn add(
        mut self,
        count: usize,
        mesh: &mut Mesh,
        pace: &Pace,
    ) -> Result<(), GltfError> {
        mesh.influences.reserve(count);
        mesh.stored_sums.reserve(count);
        // So that a run of all sets stays about as large as that of one.
        let run = (BLOCK / self.sets.len().max(1)).max(1);
        for range in blocks(count, run) {
            pace.spend(range.len() * self.sets.len() * 2 * SET_LANES).await?;
            self.load(&range)?;
            match self.sets.len() {
                1 => self.add_few::<1>(&range, mesh)?,
                2 => self.add_few::<2>(&range, mesh)?,
                _ => self.add_many(&range, mesh)?,
            }
        }
        Ok(())
    }

    fn load(&mut self, range: &Range<usize>) -> Result<(), GltfError> {
        self.joints.clear();
        self.weights.clear();
        for AccessorPair { joints, weights } in &self.sets {
            joints.append_whole(range.clone(), &mut self.joints, |joints| joints)?;
            weights.append_finite(range.clone(), &mut self.weights, |weights| weights)?;
        }
        Ok(())
    }

    /// Of as many sets as [`Influences`] has lanes for, or less.
    fn add_few<const SETS: usize>(
        &self,
        range: &Range<usize>,
        mesh: &mut Mesh,
    ) -> Result<(), GltfError> {
        let run = range.len();
        let sets: [_; SETS] = std::array::from_fn(|set| {
            let of_set = set * run..(set + 1) * run;
            (&self.joints[of_set.clone()], &self.weights[of_set])
        });
        for vertex in 0..run {
            let mut influences = Influences::default();
            for (set, (joints, weights)) in sets.iter().enumerate() {
                let (joints, weights) = (joints[vertex], weights[vertex]);
                for lane in 0..SET_LANES {
                    let (number, weight) = (joints[lane], weights[lane]);
                    let Some(joint) = self.joint(number, weight) else {
                        return Err(self.no_joint(set, number, range.start + vertex));
                    };
                    influences.joints[set * SET_LANES + lane] = joint;
                    influences.weights[set * SET_LANES + lane] = weight;
                }
            }
            mesh.stored_sums.push(normalize(&mut influences.weights[..SETS * SET_LANES]));
            mesh.influences.push(influences);
        }
        Ok(())
    }

    fn add_many(&mut self, range: &Range<usize>, mesh: &mut Mesh) -> Result<(), GltfError> {
        let run = range.len();
        for vertex in 0..run {
            let mut pairs = std::mem::take(&mut self.pairs);
            pairs.clear();
            for set in 0..self.sets.len() {
                let at = set * run + vertex;
                for (number, weight) in self.joints[at].into_iter().zip(self.weights[at]) {
                    let Some(joint) = self.joint(number, weight) else {
                        return Err(self.no_joint(set, number, range.start + vertex));
                    };
                    pairs.push((joint, weight));
                }
            }
            let mut weights: Vec<f32> = pairs.iter().map(|&(_, weight)| weight).collect();
            mesh.stored_sums.push(normalize(&mut weights));
            for ((_, weight), normalized) in pairs.iter_mut().zip(weights) {
                *weight = normalized;
            }
            pairs.retain(|&(_, weight)| weight != 0.0);
            if pairs.len() > LANES {
                merge(&mut pairs);
            }
            if pairs.len() <= LANES {
                mesh.influences.push(Influences::new(&pairs));
            } else {
                let number = mesh.influences.len() as u32;
                let held = self.budget.hold(pairs.len(), size_of::<(JointIndex, f32)>());
                held.map_err(|over| GltfError::over_budget(over, self.sets[0].joints.path()))?;
                let strongest = keep_strongest(&pairs, LANES);
                mesh.influences.push(Influences::new(&strongest));
                mesh.many.insert(number, pairs.clone());
            }
            self.pairs = pairs;
        }
        Ok(())
    }

    /// Our joint for a number. That of a joint of weight 0 is not looked at: some
    /// exporters leave rubbish there.
    #[inline]
    fn joint(&self, number: u32, weight: f32) -> Option<JointIndex> {
        match self.ours.get(number as usize) {
            Some(&joint) => Some(joint),
            None if weight == 0.0 => Some(self.ours.first().copied().unwrap_or_default()),
            None => None,
        }
    }

    #[cold]
    fn no_joint(&self, set: usize, number: u32, vertex: usize) -> GltfError {
        GltfError::new(
            GltfErrorKind::OutOfBounds,
            self.sets[set].joints.path(),
            format_args!("joints below {}", self.ours.len()),
            format_args!("joint {number} at vertex {vertex}"),
            "JOINTS_0 counts in the skin's list of joints, not in the nodes",
        )
    }
}

/// Divides by the sum, and answers with it. A sum of 1 or 0 changes nothing.
#[inline]
fn normalize(weights: &mut [f32]) -> f32 {
    let stored: f32 = weights.iter().sum();
    if stored != 1.0 {
        let sum: f64 = weights.iter().map(|&weight| f64::from(weight)).sum();
        if sum != 0.0 {
            for weight in weights {
                *weight = (f64::from(*weight) / sum) as f32;
            }
        }
    }
    stored
}

/// Makes one of all pairs with the same joint, where the first of them stands.
fn merge(pairs: &mut Vec<(JointIndex, f32)>) {
    let mut sums: BTreeMap<JointIndex, f32> = BTreeMap::new();
    for &(joint, weight) in &*pairs {
        *sums.entry(joint).or_default() += weight;
    }
    pairs.retain_mut(|(joint, weight)| match sums.remove(joint) {
        Some(sum) => {
            *weight = sum;
            true
        }
        None => false,
    });
}
