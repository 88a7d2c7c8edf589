//! A rig as it is open now, for the file that is written of it.

use bindpose_skin::{Influences, JointIndex, Pose, WeightFormat};
use glam::Mat4;

use crate::Rig;

/// A rig as it is open now.
#[derive(Clone, Copy, Debug)]
pub struct OpenRig<'a> {
    /// The rig as stored.
    pub rig: &'a Rig,
    /// One transform a joint. What stretches a joint in its parent's axes is no
    /// transform that a node could hold, and is left out.
    pub pose: &'a Pose,
    /// Inverse bind matrices, with edits; one a joint.
    pub joint_from_bind: &'a [Mat4],
    /// With edits; one a vertex.
    pub influences: &'a [Influences],
    /// By slot.
    pub morph_weights: &'a [f32],
    /// Weights as whole numbers that keep the sum; `None`: as floats.
    pub weights: Option<WeightFormat>,
}

impl OpenRig<'_> {
    /// The influences at work on a vertex: all of them where it has more than
    /// eight and they were not edited.
    pub(super) fn used(&self, vertex: usize, used: &mut Vec<(JointIndex, f32)>) {
        used.clear();
        let mesh = &self.rig.mesh;
        let eight = self.influences.get(vertex);
        let many = mesh.many.get(&(vertex as u32));
        let many = many.filter(|_| eight == mesh.influences.get(vertex));
        match (many, eight) {
            (Some(many), _) => {
                used.extend(many.iter().filter(|(_, weight)| *weight != 0.0));
            }
            (None, Some(eight)) => {
                used.extend(eight.used().map(|(_, joint, weight)| (joint, weight)));
            }
            (None, None) => {}
        }
    }
}
