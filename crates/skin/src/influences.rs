//! Joints and weights of a vertex, and edits of one weight that keep Σw = 1.

use super::JointIndex;

/// Number of influences in one `JOINTS_n` / `WEIGHTS_n` pair of attributes.
pub const SET_LANES: usize = 4;

/// Maximum number of influences per vertex: two pairs of attributes.
pub const LANES: usize = 2 * SET_LANES;

/// The influences of one vertex, as stored. Unused lanes have weight 0, and the weights
/// need not sum to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Influences {
    /// The joint of each lane.
    pub joints: [JointIndex; LANES],
    /// The weight of each lane, from 0 to 1 in sound data.
    pub weights: [f32; LANES],
}

impl Influences {
    /// Creates influences from pairs of joint and weight. Ignores pairs past the eighth:
    /// [`keep_strongest`] reduces longer lists.
    pub fn new(pairs: &[(JointIndex, f32)]) -> Self {
        let mut influences = Self::default();
        for (lane, &(joint, weight)) in pairs.iter().take(LANES).enumerate() {
            influences.joints[lane] = joint;
            influences.weights[lane] = weight;
        }
        influences
    }

    /// Computes Σw, which is 1 in sound data.
    pub fn sum(&self) -> f32 {
        self.weights.iter().sum()
    }

    /// Iterates over lane, joint and weight of the lanes whose weight is not 0.
    pub fn used(&self) -> impl Iterator<Item = (usize, JointIndex, f32)> + use<> {
        let Self { joints, weights } = *self;
        (0..LANES)
            .filter(move |&lane| weights[lane] != 0.0)
            .map(move |lane| (lane, joints[lane], weights[lane]))
    }

    /// Returns the joint with the largest weight, or the first of equals.
    pub fn strongest(&self) -> JointIndex {
        let mut strongest = 0;
        for lane in 1..LANES {
            if self.weights[lane] > self.weights[strongest] {
                strongest = lane;
            }
        }
        self.joints[strongest]
    }

    /// Returns the number of lanes up to the last one whose weight is not 0.
    pub fn lanes(&self) -> usize {
        self.weights.iter().rposition(|&weight| weight != 0.0).map_or(0, |last| last + 1)
    }

    /// Divides the weights by Σw. Returns them unchanged if Σw is 0 or not finite.
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

/// Returns the `count` influences with the largest weights, strongest first, with the
/// weights divided by their sum. Equal weights keep their order. Weights of 0 are dropped.
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

/// Sets one weight of a vertex and scales the others so that Σw = 1. Returns all weights.
///
/// `weight` is clamped to 0..=1, and NaN counts as 0. The other lanes share the rest in the
/// proportions of the first element of `proportions` in which any of them has a positive
/// weight; weights that are negative or not finite count as 0 there. If there is no such
/// element, `lane` gets all of it: 1.
pub fn sharing_the_rest(lane: usize, weight: f32, proportions: &[[f32; LANES]]) -> [f32; LANES] {
    let Some(shares) = proportions.iter().find_map(|weights| shares_of_others(weights, lane))
    else {
        return std::array::from_fn(|other| if other == lane { 1.0 } else { 0.0 });
    };
    let weight = if weight.is_nan() { 0.0 } else { weight.clamp(0.0, 1.0) };
    let rest = 1.0 - f64::from(weight);
    std::array::from_fn(|other| if other == lane { weight } else { (rest * shares[other]) as f32 })
}

/// Computes the share of each lane except `excluded` in the sum of their weights. Returns
/// `None` if the sum is 0.
fn shares_of_others(weights: &[f32; LANES], excluded: usize) -> Option<[f64; LANES]> {
    let mut shares = [0.0; LANES];
    for (lane, &weight) in weights.iter().enumerate() {
        if lane != excluded && weight.is_finite() && weight > 0.0 {
            shares[lane] = f64::from(weight);
        }
    }
    let sum: f64 = shares.iter().sum();
    (sum > 0.0).then(|| shares.map(|share| share / sum))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const HALVES: [f32; LANES] = [0.5, 0.3, 0.2, 0.0, 0.0, 0.0, 0.0, 0.0];

    /// Weights as files may contain them: sound, zero, negative, huge or NaN.
    fn stored_weights() -> impl Strategy<Value = [f32; LANES]> {
        prop::array::uniform8(prop_oneof![
            4 => 0.0_f32..=1.0,
            2 => Just(0.0),
            1 => -10.0_f32..10.0,
            1 => any::<f32>(),
        ])
    }

    fn sum(weights: &[f32; LANES]) -> f64 {
        weights.iter().copied().map(f64::from).sum()
    }

    proptest! {
        #[test]
        fn the_sum_is_1_whatever_is_stored(
            before in stored_weights(),
            lane in 0..LANES,
            weight in any::<f32>(),
        ) {
            let after = sharing_the_rest(lane, weight, &[before]);
            prop_assert!((sum(&after) - 1.0).abs() < 1e-6, "{after:?}");
            prop_assert!(after.iter().all(|weight| (0.0..=1.0).contains(weight)), "{after:?}");
        }

        #[test]
        fn the_lane_gets_its_weight_and_the_others_keep_their_proportions(
            before in prop::array::uniform8(0.01_f32..1.0),
            lane in 0..LANES,
            weight in 0.0_f32..0.99,
        ) {
            let after = sharing_the_rest(lane, weight, &[before]);
            prop_assert_eq!(after[lane], weight);
            for (a, b) in (0..LANES).flat_map(|a| (0..LANES).map(move |b| (a, b))) {
                if a != lane && b != lane {
                    let (left, right) = (after[a] * before[b], after[b] * before[a]);
                    prop_assert!((left - right).abs() < 1e-6, "{left} and {right}");
                }
            }
        }
    }

    #[test]
    fn lowering_a_weight_from_1_restores_the_others() {
        let at_1 = sharing_the_rest(0, 1.0, &[HALVES]);
        assert_eq!(at_1, [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        let back = sharing_the_rest(0, 0.5, &[at_1, HALVES]);
        for (back, before) in back.iter().zip(HALVES) {
            assert!((back - before).abs() < 1e-6, "{back} and {before}");
        }
    }

    #[test]
    fn a_sum_other_than_1_becomes_1() {
        let after = sharing_the_rest(1, 0.25, &[[0.9, 0.9, 0.0, 0.9, 0.0, 0.0, 0.0, 0.0]]);
        assert_eq!(after, [0.375, 0.25, 0.0, 0.375, 0.0, 0.0, 0.0, 0.0]);
        let empty = sharing_the_rest(1, 0.25, &[[0.0; LANES], HALVES]);
        assert!((sum(&empty) - 1.0).abs() < 1e-6);
        assert_eq!(empty[1], 0.25);
    }

    #[test]
    fn a_single_joint_keeps_the_whole_weight() {
        let alone = [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        assert_eq!(sharing_the_rest(1, 0.4, &[alone, alone]), alone);
        assert_eq!(sharing_the_rest(1, 0.4, &[]), alone);
        let wild = [f32::NAN, 1.0, -3.0, f32::INFINITY, 0.0, 0.0, 0.0, 0.0];
        assert_eq!(sharing_the_rest(1, f32::NAN, &[wild]), alone);
    }
}
