//! Joints and weights of vertices as glTF 2.0 wants them: each joint once, no
//! weight below 0, their sum 1, and as many sets of four as there are.

use std::collections::BTreeMap;

use super::json;
use super::writer::{ARRAY_BUFFER, Floats, Writer};
use crate::asset::Component;
use crate::skin::{JointIndex, SET_LANES};

/// The influences of some vertices, each with its place in a skin.
#[derive(Default)]
pub(super) struct Bound {
    pairs: Vec<(u16, f32)>,
    /// Where those of each vertex end.
    ends: Vec<usize>,
}

impl Bound {
    /// Adds a vertex. One that nothing moves follows the skin's first joint:
    /// there is no way to say that it follows none.
    pub(super) fn push(&mut self, used: &[(JointIndex, f32)], places: &BTreeMap<JointIndex, u16>) {
        let first = self.pairs.len();
        // What is no number stays, and is found when it is written.
        let counts = |weight: f32| weight > 0.0 || weight.is_nan();
        for (joint, weight) in used.iter().filter(|one| counts(one.1)) {
            let place = places.get(joint).copied().unwrap_or(0);
            let known = self.pairs[first..].iter_mut().find(|one| one.0 == place);
            match known {
                Some(known) => known.1 += weight,
                None => self.pairs.push((place, *weight)),
            }
        }
        let sum: f64 = self.pairs[first..]
            .iter()
            .map(|&(_, weight)| f64::from(weight))
            .sum();
        if self.pairs.len() == first {
            self.pairs.push((0, 1.0));
        } else if sum != 1.0 {
            for (_, weight) in &mut self.pairs[first..] {
                *weight = (f64::from(*weight) / sum) as f32;
            }
        }
        self.ends.push(self.pairs.len());
    }

    fn vertices(&self) -> impl Iterator<Item = &[(u16, f32)]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts
            .zip(&self.ends)
            .map(|(start, &end)| &self.pairs[start..end])
    }
}

impl Writer {
    /// `JOINTS_n` and `WEIGHTS_n`, joints as narrow as their number allows.
    pub(super) fn put_influences(
        &mut self,
        attributes: &mut json::Attributes,
        bound: &Bound,
        joints: usize,
    ) {
        let most = bound.vertices().map(<[_]>::len).max().unwrap_or(0);
        for set in 0..most.div_ceil(SET_LANES) {
            let narrow = joints <= 256;
            let mut bytes = Vec::new();
            let mut weights = Vec::with_capacity(bound.ends.len() * SET_LANES);
            for pairs in bound.vertices() {
                for lane in set * SET_LANES..(set + 1) * SET_LANES {
                    let (joint, weight) = pairs.get(lane).copied().unwrap_or((0, 0.0));
                    let joint = if weight == 0.0 { 0 } else { joint };
                    let size = if narrow { 1 } else { 2 };
                    bytes.extend_from_slice(&joint.to_le_bytes()[..size]);
                    weights.push(weight);
                }
            }
            let component = if narrow {
                Component::U8
            } else {
                Component::U16
            };
            let count = bound.ends.len();
            let joints = self.accessor(&bytes, component, count, "VEC4", Some(ARRAY_BUFFER));
            let weights = self.floats(&weights, Floats::FOUR, Some(ARRAY_BUFFER));
            attributes.put(format!("JOINTS_{set}"), joints);
            attributes.put(format!("WEIGHTS_{set}"), weights);
        }
    }
}
