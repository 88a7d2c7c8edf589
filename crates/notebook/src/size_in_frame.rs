//! How large a model is in the frames that its numbers are written in.

use bindpose_skin::Frame;
use glam::Mat4;

use super::Derived;
use super::significant_digits::{longest_axis, size_in_bind, size_in_world};

impl Derived {
    /// About how large coordinates of the model are in this frame: in the world, by
    /// its rest pose; in others, by how much they scale what they hold. 0 if that is
    /// not known.
    pub fn size_in(&self, frame: Frame) -> f64 {
        let scale = |matrices: &[Mat4], at: usize| matrices.get(at).map_or(0.0, longest_axis);
        let scale = match frame {
            Frame::World => 1.0,
            Frame::Bind => return size_in_bind(&self.rig),
            Frame::Joint(joint) => scale(&self.world_from_joint, joint.index()),
            Frame::Parent(joint) => {
                scale(&self.world_from_joint, joint.index())
                    / scale(&self.parent_from_joint, joint.index())
            }
            Frame::MeshNode => longest_axis(&self.world_from_mesh_node),
        };
        let size = size_in_world(&self.rig) / scale;
        if size.is_finite() { size } else { 0.0 }
    }
}
