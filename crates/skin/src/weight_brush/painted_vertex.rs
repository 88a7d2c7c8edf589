//! The effect of one touch of a brush on the influences of one vertex.

use std::collections::BTreeSet;

use super::BrushMode;
use crate::{Influences, JointIndex, LANES};

/// Weight below which an influence is dropped, because it would use a lane without a visible
/// effect.
const MIN_WEIGHT: f64 = 1e-6;

/// The reason for which a vertex within reach is not painted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unpainted {
    /// The painted joint is locked.
    JointLocked,
    /// All other joints of the vertex are locked, so none can give or take weight.
    OthersLocked,
    /// The vertex has no other joint that could take the weight.
    Alone,
    /// Locked joints use all influences that a vertex may have.
    Full,
    /// The mesh has no influences for the vertex.
    Unbound,
}

/// One touch of a brush at a vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Touch {
    pub(super) joint: JointIndex,
    /// The strength at the vertex, from 0 to 1.
    pub(super) amount: f32,
}

/// The settings of a brush that are the same for all vertices.
#[derive(Clone, Copy)]
pub(super) struct BrushRules<'a> {
    pub(super) mode: BrushMode,
    pub(super) keeps_sum: bool,
    /// From 1 to [`LANES`].
    pub(super) max_influences: usize,
    pub(super) locked: &'a BTreeSet<JointIndex>,
}

/// The weight of one joint while a vertex is painted.
#[derive(Clone, Copy)]
struct JointWeight {
    joint: JointIndex,
    weight: f64,
    is_locked: bool,
}

impl BrushRules<'_> {
    /// Computes the influences after one touch.
    ///
    /// Smoothing needs `neighbour_mean`, the mean weights of the neighbours. It has no effect
    /// if that is `None`.
    pub(super) fn paint(
        &self,
        before: &Influences,
        touch: Touch,
        neighbour_mean: Option<&[(JointIndex, f64)]>,
    ) -> Result<Influences, Unpainted> {
        let mut weights = self.valid_weights(before);
        let amount = f64::from(touch.amount);
        let has_changed = match self.mode {
            BrushMode::Add => self.add(&mut weights, touch.joint, amount)?,
            BrushMode::Subtract => self.add(&mut weights, touch.joint, -amount)?,
            BrushMode::Smooth => match neighbour_mean {
                Some(mean) => self.smooth(&mut weights, mean, amount)?,
                None => false,
            },
            BrushMode::Normalize => normalize(&mut weights, amount)?,
        };
        if !has_changed {
            return Ok(*before);
        }
        // A newly painted joint starts with a small weight, which must not be dropped for that.
        let kept_joint = (self.mode == BrushMode::Add).then_some(touch.joint);
        self.limit_influences(&mut weights, kept_joint)?;
        Ok(with_weights(before, &weights))
    }

    /// Returns the positive finite weights of a vertex. Sums the lanes of the same joint.
    fn valid_weights(&self, influences: &Influences) -> Vec<JointWeight> {
        let mut weights: Vec<JointWeight> = Vec::with_capacity(LANES + 1);
        for (_, joint, weight) in influences.used() {
            if !(weight.is_finite() && weight > 0.0) {
                continue;
            }
            let weight = f64::from(weight);
            if let Some(other) = weights.iter_mut().find(|other| other.joint == joint) {
                other.weight += weight;
            } else {
                let is_locked = self.locked.contains(&joint);
                weights.push(JointWeight { joint, weight, is_locked });
            }
        }
        weights
    }

    /// Adds to the weight of one joint. If the sum is kept, scales the other weights to make up
    /// for it. Returns whether anything changed.
    fn add(
        &self,
        weights: &mut Vec<JointWeight>,
        joint: JointIndex,
        amount: f64,
    ) -> Result<bool, Unpainted> {
        if self.locked.contains(&joint) {
            return Err(Unpainted::JointLocked);
        }
        let index = weights.iter().position(|weight| weight.joint == joint);
        let before = index.map_or(0.0, |index| weights[index].weight);
        if before == 0.0 && amount < 0.0 {
            return Ok(false);
        }
        let max_weight = if self.keeps_sum { 1.0 - locked_sum(weights) } else { 1.0 };
        if max_weight <= MIN_WEIGHT {
            return Err(Unpainted::OthersLocked);
        }
        // Summed directly: beside a huge weight from a file, a difference of two sums would lose
        // the others.
        let free_others: f64 = weights
            .iter()
            .filter(|other| other.joint != joint && !other.is_locked)
            .map(|other| other.weight)
            .sum();
        let mut after = (before + amount).clamp(0.0, max_weight);
        if self.keeps_sum && free_others > 0.0 {
            let scale = (max_weight - after) / free_others;
            for other in weights.iter_mut() {
                if other.joint != joint && !other.is_locked {
                    other.weight *= scale;
                }
            }
        } else if self.keeps_sum {
            // No other joint can give or take: this one has all that the locked ones leave.
            if (before - max_weight).abs() <= MIN_WEIGHT {
                return if weights.len() > 1 {
                    Err(Unpainted::OthersLocked)
                } else if amount < 0.0 {
                    Err(Unpainted::Alone)
                } else {
                    Ok(false)
                };
            }
            after = max_weight;
        }
        match index {
            Some(index) => weights[index].weight = after,
            None => weights.push(JointWeight { joint, weight: after, is_locked: false }),
        }
        Ok(after != before)
    }

    /// Moves the weights of all joints that are not locked towards the mean of the neighbours.
    /// Returns whether anything changed.
    fn smooth(
        &self,
        weights: &mut Vec<JointWeight>,
        neighbour_mean: &[(JointIndex, f64)],
        amount: f64,
    ) -> Result<bool, Unpainted> {
        let free_before = free_sum(weights);
        let locked = locked_sum(weights);
        for &(joint, _) in neighbour_mean {
            let is_new = weights.iter().all(|weight| weight.joint != joint);
            if is_new && !self.locked.contains(&joint) {
                weights.push(JointWeight { joint, weight: 0.0, is_locked: false });
            }
        }
        let mut largest_difference = 0.0_f64;
        for own in weights.iter_mut().filter(|weight| !weight.is_locked) {
            let mean = neighbour_mean
                .iter()
                .find(|(joint, _)| *joint == own.joint)
                .map_or(0.0, |&(_, weight)| weight);
            largest_difference = largest_difference.max((mean - own.weight).abs());
            own.weight += amount * (mean - own.weight);
        }
        if largest_difference <= MIN_WEIGHT {
            return Ok(false);
        }
        let free_after = if self.keeps_sum {
            1.0 - locked
        } else if locked > 0.0 {
            // The neighbours' weights of locked joints must not change the sum of the others.
            free_before
        } else {
            return Ok(true);
        };
        let free = free_sum(weights);
        if free_after <= MIN_WEIGHT || free <= 0.0 {
            return if locked > 0.0 { Err(Unpainted::OthersLocked) } else { Ok(false) };
        }
        scale_free(weights, free_after / free);
        Ok(true)
    }

    /// Drops the smallest weights, except locked ones and that of `kept_joint`, until there are
    /// at most [`Self::max_influences`]. Scales the others to keep the sum.
    fn limit_influences(
        &self,
        weights: &mut Vec<JointWeight>,
        kept_joint: Option<JointIndex>,
    ) -> Result<(), Unpainted> {
        let free_before = free_sum(weights);
        weights.retain(|weight| weight.is_locked || weight.weight > MIN_WEIGHT);
        while weights.len() > self.max_influences {
            let smallest = weights
                .iter()
                .enumerate()
                .filter(|(_, weight)| !weight.is_locked && kept_joint != Some(weight.joint))
                .min_by(|a, b| a.1.weight.total_cmp(&b.1.weight));
            let Some((smallest, _)) = smallest else {
                return Err(Unpainted::Full);
            };
            weights.remove(smallest);
        }
        let free = free_sum(weights);
        if free > 0.0 {
            scale_free(weights, free_before / free);
        } else if free_before > MIN_WEIGHT {
            return Err(Unpainted::Full);
        }
        Ok(())
    }
}

/// Scales the weights that are not locked towards Σw = 1. Returns whether anything changed.
fn normalize(weights: &mut [JointWeight], amount: f64) -> Result<bool, Unpainted> {
    let locked = locked_sum(weights);
    let free = free_sum(weights);
    let free_after = (1.0 - locked).max(0.0);
    if (free - free_after).abs() <= MIN_WEIGHT {
        return Ok(false);
    }
    if free <= 0.0 {
        return Err(if locked > 0.0 { Unpainted::OthersLocked } else { Unpainted::Alone });
    }
    scale_free(weights, 1.0 + amount * (free_after / free - 1.0));
    Ok(true)
}

fn free_sum(weights: &[JointWeight]) -> f64 {
    weights.iter().filter(|weight| !weight.is_locked).map(|weight| weight.weight).sum()
}

fn locked_sum(weights: &[JointWeight]) -> f64 {
    weights.iter().filter(|weight| weight.is_locked).map(|weight| weight.weight).sum()
}

fn scale_free(weights: &mut [JointWeight], scale: f64) {
    for weight in weights.iter_mut().filter(|weight| !weight.is_locked) {
        weight.weight *= scale;
    }
}

/// Replaces the weights of a vertex. Joints keep their lanes, and new ones get the first free
/// lanes, so that unchanged lanes are equal bit by bit.
fn with_weights(before: &Influences, weights: &[JointWeight]) -> Influences {
    let mut after = *before;
    let mut is_placed = [false; LANES + 1];
    let mut is_lane_used = [false; LANES];
    for (lane, is_used) in is_lane_used.iter_mut().enumerate() {
        let had_weight = before.weights[lane] != 0.0 && before.weights[lane].is_finite();
        let index =
            weights.iter().position(|weight| had_weight && weight.joint == before.joints[lane]);
        after.weights[lane] = match index {
            // The first lane of a joint gets the weight of all of its lanes.
            Some(index) if !is_placed.get(index).copied().unwrap_or(true) => {
                is_placed[index] = true;
                *is_used = true;
                weights[index].weight as f32
            }
            _ => 0.0,
        };
    }
    for (weight, is_placed) in weights.iter().zip(is_placed) {
        if is_placed {
            continue;
        }
        if let Some(lane) = is_lane_used.iter().position(|is_used| !is_used) {
            is_lane_used[lane] = true;
            after.joints[lane] = weight.joint;
            after.weights[lane] = weight.weight as f32;
        }
    }
    after
}
