//! `JOINTS_n` and `WEIGHTS_n` as influences: weights divided by their sum.

use super::error::{GltfError, GltfErrorKind};
use crate::asset::Mesh;
use crate::skin::{Influences, JointIndex, LANES, SET_LANES, keep_strongest};

/// One pair of accessors, as many elements as there are vertices.
pub(super) struct Set {
    /// Numbers in the skin's list.
    pub(super) joints: Vec<[u32; SET_LANES]>,
    pub(super) weights: Vec<[f32; SET_LANES]>,
    /// Of the accessor with the joints.
    pub(super) path: String,
}

/// Puts the sets of every vertex together.
pub(super) struct Weigher<'a> {
    sets: &'a [Set],
    /// Our joint for each of the skin's.
    ours: &'a [JointIndex],
    /// The influences of one vertex.
    pairs: Vec<(JointIndex, f32)>,
}

impl<'a> Weigher<'a> {
    pub(super) fn new(sets: &'a [Set], ours: &'a [JointIndex]) -> Self {
        let pairs = Vec::with_capacity(sets.len() * SET_LANES);
        Self { sets, ours, pairs }
    }

    /// Adds the influences of `count` vertices to those of the mesh. Up to two
    /// sets keep their lanes; of more, the unused ones are dropped.
    pub(super) fn add(mut self, count: usize, mesh: &mut Mesh) -> Result<(), GltfError> {
        mesh.influences.reserve(count);
        mesh.stored_sums.reserve(count);
        for vertex in 0..count {
            self.collect(vertex)?;
            mesh.stored_sums.push(self.normalize());
            if self.pairs.len() > LANES {
                self.pairs.retain(|&(_, weight)| weight != 0.0);
            }
            if self.pairs.len() <= LANES {
                mesh.influences.push(Influences::new(&self.pairs));
            } else {
                let number = mesh.influences.len() as u32;
                let strongest = keep_strongest(&self.pairs, LANES);
                mesh.influences.push(Influences::new(&strongest));
                mesh.many.insert(number, self.pairs.clone());
            }
        }
        Ok(())
    }

    /// All influences of one vertex. Joints of weight 0 are not looked at: some
    /// exporters leave rubbish there.
    fn collect(&mut self, vertex: usize) -> Result<(), GltfError> {
        self.pairs.clear();
        for set in self.sets {
            for (number, weight) in set.joints[vertex].into_iter().zip(set.weights[vertex]) {
                let joint = match self.ours.get(number as usize) {
                    Some(&joint) => joint,
                    None if weight == 0.0 => self.ours.first().copied().unwrap_or_default(),
                    None => {
                        return Err(GltfError::new(
                            GltfErrorKind::OutOfBounds,
                            &set.path,
                            format_args!("joints below {}", self.ours.len()),
                            format_args!("joint {number} at vertex {vertex}"),
                            "JOINTS_0 counts in the skin's list of joints, not in the nodes",
                        ));
                    }
                };
                self.pairs.push((joint, weight));
            }
        }
        Ok(())
    }

    /// Divides by the sum, and answers with it. A sum of 1 or 0 changes nothing.
    fn normalize(&mut self) -> f32 {
        let stored: f32 = self.pairs.iter().map(|&(_, weight)| weight).sum();
        let sum: f64 = self
            .pairs
            .iter()
            .map(|&(_, weight)| f64::from(weight))
            .sum();
        if stored != 1.0 && sum != 0.0 {
            for (_, weight) in &mut self.pairs {
                *weight = (f64::from(*weight) / sum) as f32;
            }
        }
        stored
    }
}
