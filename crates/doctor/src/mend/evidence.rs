//! Numbers that are wrong in a way that no finding explains. Dividing or dropping them would
//! take away the only trace of the cause, so mending leaves them as they are.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::bind;
use crate::document::{NodeGraph, RawDocument};
use crate::findings::Findings;

/// Difference of a length from 1 above which a rotation or normal is normalized.
pub(super) const LENGTH_TOLERANCE: f64 = 5e-5;

/// Difference of a rotation's length from 1 that rounding explains.
const ROUNDED_LENGTH: f64 = 0.1;
/// Relative difference of lengths that count as equal.
const EQUAL_LENGTHS: f64 = 0.01;
/// Minimum number of rotations whose lengths distinguish a common factor from other numbers.
const MIN_COMPARED: usize = 3;
/// Maximum fraction of the elements of a list that may be dropped or replaced. More of them
/// have a common cause.
const MAX_DROPPED_FRACTION: f64 = 0.34;

/// Numbers that mending left as they are, although a finding concerns them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct WithheldRepair {
    /// JSON pointer to the numbers, or to the first of several places.
    pub at: String,
    /// Number of places with the same reason.
    pub count: usize,
    /// The repair that was not made, and the reason.
    pub reason: &'static str,
}

pub(super) const ROTATIONS_KEPT: &str = "Rotations were not divided by their lengths: they may \
     be no quaternions, but angles, and their lengths are the only trace of it.";
pub(super) const KEYS_KEPT: &str = "Keys were not left out: so many of them are out of order or \
     without a rotation that they may be something else than keys.";
pub(super) const INFLUENCES_KEPT: &str = "Joints and weights were not changed: so many vertices \
     name joints that do not exist, or have no weights or negative ones, that the numbers may \
     mean something else.";
pub(super) const NORMALS_KEPT: &str = "Normals were not divided by their lengths: they do not \
     fit the faces, so they may be something else than normals.";
pub(super) const BOUNDS_KEPT: &str = "Bounds (min and max) were not computed anew: none of the \
     declared ones is that of its data, so the data may be wrong, not the bounds.";

/// Returns whether `count` of `total` elements are too many to drop without knowing the cause.
pub(super) fn is_systematic(count: usize, total: usize) -> bool {
    count > 1 && count as f64 > MAX_DROPPED_FRACTION * total as f64
}

/// Returns whether rotations that are not of unit length are quaternions times a factor, so
/// that dividing them by their lengths loses nothing.
pub(super) fn are_scaled_quaternions(rotations: &[[f64; 4]]) -> bool {
    let far: Vec<&[f64; 4]> = rotations.iter().filter(|rotation| !is_near_unit(rotation)).collect();
    let Some(first) = far.first() else {
        return true;
    };
    let first_length = length(*first);
    let have_one_length =
        far.iter().all(|rotation| (length(*rotation) / first_length - 1.0).abs() < EQUAL_LENGTHS);
    if have_one_length && far.len() >= MIN_COMPARED {
        return true;
    }
    let may_be_angles = far.iter().any(|rotation| may_be_angles(rotation));
    !may_be_angles && far.len() < MIN_COMPARED
}

/// Returns whether rounding explains the lengths of all of these rotations.
pub(super) fn are_near_unit(rotations: &[[f64; 4]]) -> bool {
    rotations.iter().all(is_near_unit)
}

fn is_near_unit(rotation: &[f64; 4]) -> bool {
    (length(rotation) - 1.0).abs() <= ROUNDED_LENGTH
}

/// Returns whether four numbers may be three angles with a filler, or an axis with an angle.
fn may_be_angles(rotation: &[f64; 4]) -> bool {
    let [x, y, z, w] = *rotation;
    let vector = length(&[x, y, z]);
    let has_filler = w == 0.0 || w == 1.0;
    let is_axis = (vector - 1.0).abs() < LENGTH_TOLERANCE;
    vector > 0.0 && (has_filler || is_axis)
}

pub(super) fn length(numbers: &[f64]) -> f64 {
    numbers.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// Returns whether the rotations of these nodes, divided by their lengths, put joints where
/// their inverse bind matrices have them. Returns `None` if no skin depends on the nodes.
pub(super) fn are_confirmed_by_binds(
    doc: &RawDocument<'_>,
    nodes: &BTreeSet<usize>,
) -> Option<bool> {
    // Divides all rotations by their lengths.
    let graph = NodeGraph::new(doc, &mut Findings::default());
    let mut answer = None;
    for skin in bind::load_skins(doc, &graph) {
        let depends = skin.joints.iter().any(|&joint| {
            let mut above = Some(joint);
            while let Some(node) = above {
                if nodes.contains(&node) {
                    return true;
                }
                above = graph.parent(node);
            }
            false
        });
        if depends && let Some(is_confirmed) = skin.at_rest.is_in_bind_pose() {
            answer = Some(answer.unwrap_or(true) && is_confirmed);
        }
    }
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quaternions_times_a_factor_are_told_from_angles() {
        for scaled in [
            &[[0.0, 0.0, 0.0, 0.5]][..],
            &[[0.0, 0.0, 1.2, 1.6]],
            &[[0.0, 0.0, 1.2, 1.6], [2.0, 0.0, 0.0, 0.0], [0.0, 1.6, 0.0, 1.2]],
            &[[0.0, 0.0, 0.601, 0.8], [0.7, 0.0, 0.0, 0.7]],
        ] {
            assert!(are_scaled_quaternions(scaled), "{scaled:?}");
        }
        for angles in [
            &[[0.0, 0.0, 45.0, 1.0]][..],
            &[[0.0, 0.4, 1.2, 0.0], [1.0, 0.3, 0.0, 0.0]],
            &[[0.0, 0.0, 1.0, 1.57]],
            &[[10.0, 20.0, 30.0, 0.3], [5.0, 2.0, 3.0, 0.2], [1.0, 2.0, 3.0, 0.1]],
        ] {
            assert!(!are_scaled_quaternions(angles), "{angles:?}");
        }
    }

    #[test]
    fn a_few_elements_are_no_system() {
        assert!(!is_systematic(1, 2) && !is_systematic(3, 10));
        assert!(is_systematic(2, 3) && is_systematic(40, 100));
    }
}
