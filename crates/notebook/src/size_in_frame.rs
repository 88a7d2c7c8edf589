//! How large a model is in the frames that its numbers are written in.

use bindpose_skin::CoordinateFrame;
use glam::Mat4;

use super::Derived;
use super::significant_digits::{longest_axis, size_in_bind, size_in_world};

impl Derived {
    /// About how large coordinates of the model are in this frame: in the world, by
    /// its rest pose; in others, by how much they scale what they hold. 0 if that is
    /// not known.
    pub fn size_in(&self, frame: CoordinateFrame) -> f64 {
        let scale = |matrices: &[Mat4], at: usize| matrices.get(at).map_or(0.0, longest_axis);
        let scale = match frame {
            CoordinateFrame::World => 1.0,
            CoordinateFrame::Bind => return size_in_bind(&self.rig),
            CoordinateFrame::Joint(joint) => scale(&self.joints.world_from_joint, joint.index()),
            CoordinateFrame::Parent(joint) => {
                scale(&self.joints.world_from_joint, joint.index())
                    / scale(&self.joints.parent_from_joint, joint.index())
            }
            CoordinateFrame::MeshNode => longest_axis(&self.world_from_mesh_node),
        };
        let size = size_in_world(&self.rig) / scale;
        if size.is_finite() { size } else { 0.0 }
    }
}
