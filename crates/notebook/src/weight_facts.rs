//! Statistics over all weights of a mesh.

use std::sync::Arc;

use bindpose_skin::{Influences, SET_LANES};

use super::weight_cache::SumBins;
use super::{Derived, SUM_TOLERANCE};

/// Returns true if Σw is not 1 but the weights can be divided by it.
pub fn can_be_normalized(influences: &Influences) -> bool {
    let sum = influences.sum();
    (sum - 1.0).abs() > SUM_TOLERANCE && sum.abs() > f32::EPSILON
}

impl Derived {
    /// Histogram of the sums of weights.
    pub fn sum_bins(&self) -> &SumBins {
        self.caches.weights.sum_bins.get_or_init(|| SumBins::new(&self.rig.mesh, &self.influences))
    }

    /// Number of vertices whose Σw is 1, as stored and now.
    pub fn sums_of_one(&self) -> [usize; 2] {
        *self.caches.weights.sums_of_one.get_or_init(|| {
            let mesh = &self.rig.mesh;
            let stored = if mesh.stored_sums.is_empty() {
                count_sums_of_one(mesh.influences.iter().map(Influences::sum))
            } else {
                count_sums_of_one(mesh.stored_sums.iter().copied())
            };
            [stored, count_sums_of_one(self.influences.iter().map(Influences::sum))]
        })
    }

    /// Number of lanes up to the last one that any vertex uses, as stored or
    /// now.
    pub fn lanes_in_use(&self) -> usize {
        *self.caches.weights.lanes.get_or_init(|| {
            let all = self.rig.mesh.influences.iter().chain(&*self.influences);
            all.map(Influences::lanes).max().unwrap_or(0)
        })
    }

    /// Returns true if a weight of the first four lanes exceeds 1 by more than
    /// rounding errors.
    pub fn has_weights_over_one(&self) -> bool {
        *self.caches.weights.exceeds_one.get_or_init(|| {
            self.influences
                .iter()
                .flat_map(|influences| &influences.weights[..SET_LANES])
                .any(|&weight| weight > 1.0005)
        })
    }

    /// Returns true if some vertex has weights that can be divided by their
    /// sum.
    pub fn has_sums_to_normalize(&self) -> bool {
        *self
            .caches
            .weights
            .normalizable
            .get_or_init(|| self.influences.iter().any(can_be_normalized))
    }

    /// Takes over statistics of the same weights of the same mesh.
    pub(super) fn reuse_weight_facts(&mut self, previous: &Self) {
        if Arc::ptr_eq(&self.rig.mesh, &previous.rig.mesh)
            && self.influences.is_same(&previous.influences)
        {
            self.caches.weights = Arc::clone(&previous.caches.weights);
        }
    }
}

fn count_sums_of_one(sums: impl Iterator<Item = f32>) -> usize {
    sums.filter(|sum| (sum - 1.0).abs() < SUM_TOLERANCE).count()
}

#[cfg(test)]
mod tests {
    use bindpose_rigs::builtin;

    use super::*;
    use crate::Document;

    #[test]
    fn statistics_are_kept_until_a_weight_changes() {
        let rig = builtin("simple_skin").unwrap();
        let all = rig.mesh.positions.len();
        let mut document = Document::default();
        let derived = Derived::of_document(&document, None, &rig);
        assert_eq!(derived.sums_of_one(), [all, all]);
        assert!(derived.lanes_in_use() == 2 && !derived.has_weights_over_one());

        document.state.params.insert("bend".to_owned(), 0.3);
        let turned = derived.of_other(&document, None);
        assert!(Arc::ptr_eq(&turned.caches.weights, &derived.caches.weights));

        let mut weights = [0.0; 8];
        (weights[0], weights[4]) = (1.5, 0.5);
        document.state.weights.insert(0, weights.into());
        let edited = turned.of_other(&document, None);
        assert_eq!(edited.sums_of_one(), [all, all - 1]);
        assert!(edited.lanes_in_use() == 5 && edited.has_weights_over_one());
        assert!(edited.has_sums_to_normalize() && !turned.has_sums_to_normalize());
    }
}
