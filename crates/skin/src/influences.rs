//! Which joints move a vertex, and how much; and one of its weights moved, and the others
//! with it, so that Σw stays 1.

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

/// The weights of a vertex when that of `lane` is put to `weight`, held between 0
/// and 1, and the others make up the rest to 1.
///
/// They keep the proportion that they have in the first of `proportions` that
/// gives any of them a share; what is below 0 or no number has none there. Where
/// none has a share, nothing can take the rest and the one lane keeps all of it: 1.
pub fn sharing_the_rest(lane: usize, weight: f32, proportions: &[[f32; LANES]]) -> [f32; LANES] {
    let others = |weights: &[f32; LANES]| shares(weights, lane);
    let Some(shares) = proportions.iter().find_map(others) else {
        return std::array::from_fn(|other| if other == lane { 1.0 } else { 0.0 });
    };
    let weight = if weight.is_nan() { 0.0 } else { weight.clamp(0.0, 1.0) };
    let rest = 1.0 - f64::from(weight);
    std::array::from_fn(|other| if other == lane { weight } else { (rest * shares[other]) as f32 })
}

/// What each lane but one has of their sum; `None`: none has anything.
fn shares(weights: &[f32; LANES], but: usize) -> Option<[f64; LANES]> {
    let part = |lane: usize| {
        let counts = lane != but && weights[lane].is_finite() && weights[lane] > 0.0;
        if counts { f64::from(weights[lane]) } else { 0.0 }
    };
    let sum: f64 = (0..LANES).map(part).sum();
    (sum > 0.0).then(|| std::array::from_fn(|lane| part(lane) / sum))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const HALVES: [f32; LANES] = [0.5, 0.3, 0.2, 0.0, 0.0, 0.0, 0.0, 0.0];

    /// As files have them: fine, zero, negative, huge, no number.
    fn stored() -> impl Strategy<Value = [f32; LANES]> {
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
            before in stored(),
            lane in 0..LANES,
            weight in any::<f32>(),
        ) {
            let after = sharing_the_rest(lane, weight, &[before]);
            prop_assert!((sum(&after) - 1.0).abs() < 1e-6, "{after:?}");
            prop_assert!(after.iter().all(|weight| (0.0..=1.0).contains(weight)), "{after:?}");
        }

        #[test]
        fn the_weight_is_what_was_asked_for_and_the_others_keep_their_proportion(
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
    fn to_1_and_back_gives_the_others_what_they_had() {
        let at_1 = sharing_the_rest(0, 1.0, &[HALVES]);
        assert_eq!(at_1, [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        let back = sharing_the_rest(0, 0.5, &[at_1, HALVES]);
        for (back, before) in back.iter().zip(HALVES) {
            assert!((back - before).abs() < 1e-6, "{back} and {before}");
        }
    }

    #[test]
    fn a_sum_that_is_not_1_is_made_1() {
        let after = sharing_the_rest(1, 0.25, &[[0.9, 0.9, 0.0, 0.9, 0.0, 0.0, 0.0, 0.0]]);
        assert_eq!(after, [0.375, 0.25, 0.0, 0.375, 0.0, 0.0, 0.0, 0.0]);
        let empty = sharing_the_rest(1, 0.25, &[[0.0; LANES], HALVES]);
        assert!((sum(&empty) - 1.0).abs() < 1e-6);
        assert_eq!(empty[1], 0.25);
    }

    #[test]
    fn a_joint_that_is_alone_keeps_everything() {
        let alone = [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        assert_eq!(sharing_the_rest(1, 0.4, &[alone, alone]), alone);
        assert_eq!(sharing_the_rest(1, 0.4, &[]), alone);
        let wild = [f32::NAN, 1.0, -3.0, f32::INFINITY, 0.0, 0.0, 0.0, 0.0];
        assert_eq!(sharing_the_rest(1, f32::NAN, &[wild]), alone);
    }
}
