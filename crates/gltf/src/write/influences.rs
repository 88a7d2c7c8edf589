//! Writes joints and weights by the rules of glTF 2.0: each joint once per vertex, no negative
//! weights, a sum of 1, and sets of four.

use std::collections::BTreeMap;

use bindpose_skin::{Influences, JointIndex, SET_LANES, WeightFormat};

use super::json;
use super::writer::{ARRAY_BUFFER, FloatFormat, GltfWriter};
use crate::Component;

/// The influences of a run of vertices, as they are written.
#[derive(Default)]
pub(super) struct WrittenInfluences {
    /// Integer format of the weights. `None` for floats.
    format: Option<WeightFormat>,
    /// Index in the skin and weight of each influence, vertex by vertex.
    pairs: Vec<(u16, f32)>,
    /// End of the pairs of each vertex.
    ends: Vec<usize>,
}

impl WrittenInfluences {
    pub(super) fn new(format: Option<WeightFormat>) -> Self {
        Self { format, ..Self::default() }
    }

    /// Adds a vertex. `skin_indices` is the index of each joint in the skin. A vertex without
    /// influences follows the first joint of the skin, because glTF requires at least one.
    pub(super) fn push(
        &mut self,
        influences: &[(JointIndex, f32)],
        skin_indices: &BTreeMap<JointIndex, u16>,
    ) {
        let first = self.pairs.len();
        for &(joint, weight) in influences {
            // NaN is kept, so that writing fails.
            if weight <= 0.0 {
                continue;
            }
            let index = skin_indices.get(&joint).copied().unwrap_or(0);
            match self.pairs[first..].iter_mut().find(|pair| pair.0 == index) {
                Some(pair) => pair.1 += weight,
                None => self.pairs.push((index, weight)),
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
            // Weights that are rounded to 0 are skipped by `set_lanes`.
            let weights: Vec<f32> = self.pairs[first..].iter().map(|pair| pair.1).collect();
            if let Some(integers) = format.keeping_sum_of(&weights) {
                for (pair, integer) in self.pairs[first..].iter_mut().zip(integers) {
                    pair.1 = f32::from(integer);
                }
            }
        }
        self.ends.push(self.pairs.len());
    }

    /// Takes influences as stored, which must follow the rules already. The skin has the joints
    /// of the rig.
    pub(super) fn from_stored(stored: &[Influences]) -> Self {
        let mut written = Self::default();
        for influences in stored {
            for (joint, weight) in
                influences.joints.iter().zip(influences.weights).take(influences.lanes())
            {
                written.pairs.push((joint.0, weight));
            }
            written.ends.push(written.pairs.len());
        }
        written
    }

    fn vertex_count(&self) -> usize {
        self.ends.len()
    }

    /// Iterates over the pairs of each vertex.
    fn vertices(&self) -> impl Iterator<Item = &[(u16, f32)]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.pairs[start..end])
    }

    /// Returns the number of sets that the vertex with the most influences needs.
    fn set_count(&self) -> usize {
        let max_pairs = self.vertices().map(<[_]>::len).max().unwrap_or(0);
        max_pairs.div_ceil(SET_LANES)
    }

    /// Iterates over the lanes of a set, four per vertex. Lanes without weight refer to
    /// joint 0, as glTF requires.
    fn set_lanes(&self, set: usize) -> impl Iterator<Item = (u16, f32)> {
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
    /// Adds all sets of joints and weights from `first_set` on. `joint_count` is the number of
    /// joints of the skin.
    pub(super) fn add_influences(
        &mut self,
        attributes: &mut json::Attributes,
        influences: &WrittenInfluences,
        first_set: usize,
        joint_count: usize,
    ) {
        for set in first_set..influences.set_count() {
            let joints = self.add_joints(influences, set, joint_count);
            attributes.insert(format!("JOINTS_{set}"), joints);
            attributes.insert(format!("WEIGHTS_{set}"), self.add_weights(influences, set));
        }
    }

    /// Adds the joints of a set, as bytes if possible. Returns the accessor.
    pub(super) fn add_joints(
        &mut self,
        influences: &WrittenInfluences,
        set: usize,
        joint_count: usize,
    ) -> usize {
        let component = if joint_count <= 256 { Component::U8 } else { Component::U16 };
        let mut bytes = Vec::new();
        for (joint, _) in influences.set_lanes(set) {
            bytes.extend_from_slice(&joint.to_le_bytes()[..component.size()]);
        }
        let count = influences.vertex_count();
        self.add_accessor(&bytes, component, count, "VEC4", Some(ARRAY_BUFFER))
    }

    /// Adds the weights of a set. Returns the accessor.
    pub(super) fn add_weights(&mut self, influences: &WrittenInfluences, set: usize) -> usize {
        let weights: Vec<f32> = influences.set_lanes(set).map(|(_, weight)| weight).collect();
        let component = match influences.format {
            None => return self.add_floats(&weights, FloatFormat::VERTEX_VEC4),
            Some(WeightFormat::Bytes) => Component::U8,
            Some(WeightFormat::Shorts) => Component::U16,
        };
        // The conversion below would turn NaN into 0.
        self.check_finite(&weights, "weights");
        let mut bytes = Vec::new();
        for weight in weights {
            let integer = (weight as u16).to_le_bytes();
            bytes.extend_from_slice(&integer[..component.size()]);
        }
        let count = influences.vertex_count();
        let accessor = self.add_accessor(&bytes, component, count, "VEC4", Some(ARRAY_BUFFER));
        self.accessors[accessor].normalized = Some(true);
        accessor
    }

    /// Adds joints and weights in one view. See
    /// [`AttributePacking::Tutorial`](super::writer::AttributePacking::Tutorial).
    pub(super) fn add_tutorial_influences(
        &mut self,
        attributes: &mut json::Attributes,
        influences: &[Influences],
    ) {
        const STRIDE: usize = 16;
        let mut bytes = Vec::new();
        for influences in influences {
            for lane in 0..SET_LANES {
                let is_used = influences.weights[lane] != 0.0;
                let joint = if is_used { influences.joints[lane].0 } else { 0 };
                bytes.extend_from_slice(&joint.to_le_bytes());
            }
            bytes.resize(bytes.len().next_multiple_of(STRIDE), 0);
        }
        let weights_offset = bytes.len();
        for influences in influences {
            for weight in &influences.weights[..SET_LANES] {
                bytes.extend_from_slice(&weight.to_le_bytes());
            }
        }
        let buffer_view = self.add_view(&bytes, Some(ARRAY_BUFFER));
        self.views[buffer_view].byte_stride = Some(STRIDE);
        for (name, component, byte_offset) in [
            ("JOINTS_0", Component::U16, None),
            ("WEIGHTS_0", Component::F32, Some(weights_offset)),
        ] {
            attributes.insert(name, self.accessors.len());
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
