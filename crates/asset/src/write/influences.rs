//! Joints and weights of vertices as glTF 2.0 wants them: each joint once, no
//! weight below 0, their sum 1, and as many sets of four as there are; or packed as
//! the glTF tutorial's “Simple Skin” has them.

use std::collections::BTreeMap;

use bindpose_skin::{Influences, JointIndex, SET_LANES, WeightFormat};

use super::json;
use super::writer::{ARRAY_BUFFER, Floats, GltfWriter};
use crate::Component;

/// The influences of some vertices, each with its place in a skin.
#[derive(Default)]
pub(super) struct BoundVertices {
    /// Whole numbers for weights; `None`: floats.
    format: Option<WeightFormat>,
    pairs: Vec<(u16, f32)>,
    /// Where those of each vertex end.
    ends: Vec<usize>,
}

impl BoundVertices {
    /// Of weights that are written so.
    pub(super) fn new(format: Option<WeightFormat>) -> Self {
        Self { format, ..Self::default() }
    }

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
        let sum: f64 = self.pairs[first..].iter().map(|&(_, weight)| f64::from(weight)).sum();
        if self.pairs.len() == first {
            self.pairs.push((0, 1.0));
        } else if sum != 1.0 {
            for (_, weight) in &mut self.pairs[first..] {
                *weight = (f64::from(*weight) / sum) as f32;
            }
        }
        if let Some(format) = self.format {
            // One too small for a whole number becomes 0; `lanes` leaves it out.
            let weights: Vec<f32> = self.pairs[first..].iter().map(|pair| pair.1).collect();
            if let Some(numbers) = format.keeping_sum_of(&weights) {
                for (pair, number) in self.pairs[first..].iter_mut().zip(numbers) {
                    pair.1 = f32::from(number);
                }
            }
        }
        self.ends.push(self.pairs.len());
    }

    /// As they stand.
    pub(super) fn as_made(influences: &[Influences]) -> Self {
        let mut bound = Self::default();
        for one in influences {
            let lanes = one.joints.iter().zip(one.weights).take(one.lanes());
            let pairs = lanes.map(|(joint, weight)| (joint.0, weight));
            bound.pairs.extend(pairs);
            bound.ends.push(bound.pairs.len());
        }
        bound
    }

    fn vertices(&self) -> impl Iterator<Item = &[(u16, f32)]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.pairs[start..end])
    }

    /// One set for four influences.
    fn sets(&self) -> usize {
        let most = self.vertices().map(<[_]>::len).max().unwrap_or(0);
        most.div_ceil(SET_LANES)
    }

    /// The pairs of a set, four a vertex. Lanes that are not used say 0, and so do those
    /// whose weight is 0, which says nothing of their joint.
    fn lanes(&self, set: usize) -> impl Iterator<Item = (u16, f32)> {
        let lanes = set * SET_LANES..(set + 1) * SET_LANES;
        self.vertices().flat_map(move |pairs| {
            lanes.clone().map(|lane| match pairs.get(lane) {
                Some(&(joint, weight)) if weight != 0.0 => (joint, weight),
                _ => (0, 0.0),
            })
        })
    }
}

impl GltfWriter {
    /// Every `JOINTS_n` and `WEIGHTS_n`, from a set on.
    pub(super) fn put_influences(
        &mut self,
        attributes: &mut json::Attributes,
        bound: &BoundVertices,
        first_set: usize,
        joints: usize,
    ) {
        for set in first_set..bound.sets() {
            attributes.put(format!("JOINTS_{set}"), self.joints(bound, set, joints));
            attributes.put(format!("WEIGHTS_{set}"), self.weights(bound, set));
        }
    }

    /// `JOINTS_n`, as narrow as their number allows.
    pub(super) fn joints(&mut self, bound: &BoundVertices, set: usize, joints: usize) -> usize {
        let component = if joints <= 256 { Component::U8 } else { Component::U16 };
        let mut bytes = Vec::new();
        for (joint, _) in bound.lanes(set) {
            bytes.extend_from_slice(&joint.to_le_bytes()[..component.size()]);
        }
        let count = bound.ends.len();
        self.accessor(&bytes, component, count, "VEC4", Some(ARRAY_BUFFER))
    }

    /// `WEIGHTS_n`.
    pub(super) fn weights(&mut self, bound: &BoundVertices, set: usize) -> usize {
        let weights: Vec<f32> = bound.lanes(set).map(|(_, weight)| weight).collect();
        let component = match bound.format {
            None => return self.floats(&weights, Floats::FOUR),
            Some(WeightFormat::Bytes) => Component::U8,
            Some(WeightFormat::Shorts) => Component::U16,
        };
        // What is no number has not become one.
        self.check(&weights, "weights");
        let mut bytes = Vec::new();
        for weight in weights {
            let number = (weight as u16).to_le_bytes();
            bytes.extend_from_slice(&number[..component.size()]);
        }
        let count = bound.ends.len();
        let accessor = self.accessor(&bytes, component, count, "VEC4", Some(ARRAY_BUFFER));
        self.accessors[accessor].normalized = Some(true);
        accessor
    }

    /// `JOINTS_0` and `WEIGHTS_0` in one view; see
    /// [`Packing::Tutorial`](super::writer::Packing::Tutorial).
    pub(super) fn put_tutorial_influences(
        &mut self,
        attributes: &mut json::Attributes,
        influences: &[Influences],
    ) {
        const STRIDE: usize = 16;
        let mut bytes = Vec::new();
        for influences in influences {
            for lane in 0..SET_LANES {
                let used = influences.weights[lane] != 0.0;
                let joint = if used { influences.joints[lane].0 } else { 0 };
                bytes.extend_from_slice(&joint.to_le_bytes());
            }
            bytes.resize(bytes.len().next_multiple_of(STRIDE), 0);
        }
        let weights_at = bytes.len();
        let weights = influences.iter().flat_map(|one| &one.weights[..SET_LANES]);
        bytes.extend(weights.flat_map(|weight| weight.to_le_bytes()));
        let buffer_view = self.view(&bytes, Some(ARRAY_BUFFER));
        self.views[buffer_view].byte_stride = Some(STRIDE);
        for (name, component, byte_offset) in
            [("JOINTS_0", Component::U16, None), ("WEIGHTS_0", Component::F32, Some(weights_at))]
        {
            attributes.put(name, self.accessors.len());
            self.accessors.push(json::Accessor {
                buffer_view,
                byte_offset,
                component_type: component.code(),
                count: influences.len(),
                kind: "VEC4",
                ..json::Accessor::default()
            });
        }
    }
}
