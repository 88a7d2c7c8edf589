//! Which joints move a vertex, and how much.

use super::JointIndex;

/// Influences in one `JOINTS_n` / `WEIGHTS_n` pair.
pub const SET_LANES: usize = 4;

/// Influences a vertex carries at most: two such pairs.
pub const LANES: usize = 2 * SET_LANES;

/// The influences of one vertex, as stored: unused lanes have weight 0,
/// and nothing forces the sum to be 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Influences {
    /// Which joints.
    pub joints: [JointIndex; LANES],
    /// How much of each, 0 to 1.
    pub weights: [f32; LANES],
}

impl Influences {
    /// From pairs; what does not fit in eight lanes is the caller's to drop
    /// first (see [`keep_strongest`]).
    pub fn new(pairs: &[(JointIndex, f32)]) -> Self {
        let mut influences = Self::default();
        for (lane, &(joint, weight)) in pairs.iter().take(LANES).enumerate() {
            influences.joints[lane] = joint;
            influences.weights[lane] = weight;
        }
        influences
    }

    /// Σw. Should be 1; a lesson shows what happens when it is not.
    pub fn sum(&self) -> f32 {
        self.weights.iter().sum()
    }

    /// Lanes in use: those whose weight is not 0.
    pub fn used(&self) -> impl Iterator<Item = (usize, JointIndex, f32)> + use<> {
        let Self { joints, weights } = *self;
        (0..LANES)
            .filter(move |&lane| weights[lane] != 0.0)
            .map(move |lane| (lane, joints[lane], weights[lane]))
    }

    /// The joint with the largest weight; the first of equals.
    pub fn strongest(&self) -> JointIndex {
        let mut best = 0;
        for lane in 1..LANES {
            if self.weights[lane] > self.weights[best] {
                best = lane;
            }
        }
        self.joints[best]
    }

    /// Lanes from the first to the last in use.
    pub fn lanes(&self) -> usize {
        let last = self.weights.iter().rposition(|&weight| weight != 0.0);
        last.map_or(0, |last| last + 1)
    }

    /// Divided by Σw. A vertex without any weight stays as it is: there is
    /// nothing to divide by.
    #[must_use]
    pub fn normalized(mut self) -> Self {
        let sum = self.sum();
        if sum.is_finite() && sum.abs() > f32::EPSILON {
            for weight in &mut self.weights {
                *weight /= sum;
            }
        }
        self
    }
}

/// The `count` largest weights of any number, strongest first, divided by their
/// sum. Equal weights keep their order. Weights of 0 are dropped.
pub fn keep_strongest(pairs: &[(JointIndex, f32)], count: usize) -> Vec<(JointIndex, f32)> {
    let mut kept: Vec<_> = pairs.iter().copied().filter(|&(_, weight)| weight != 0.0).collect();
    kept.sort_by(|a, b| b.1.total_cmp(&a.1));
    kept.truncate(count);
    let sum: f32 = kept.iter().map(|&(_, weight)| weight).sum();
    if sum.abs() > f32::EPSILON {
        for (_, weight) in &mut kept {
            *weight /= sum;
        }
    }
    kept
}
