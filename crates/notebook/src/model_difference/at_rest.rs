//! A model at rest, and where its clips put its joints.

use glam::{Mat4, Vec3};

use bindpose_asset::{ClipAt, Rig, bounds_of};
use bindpose_skin::Method;

use crate::differences::longest_side;

/// One of the two, at rest.
pub(super) struct AtRest<'a> {
    pub(super) rig: &'a Rig,
    pub(super) world_from_joint: Vec<Mat4>,
    pub(super) joint_from_bind: Vec<Mat4>,
    /// Skinned, in the world.
    pub(super) positions: Vec<Vec3>,
}

impl<'a> AtRest<'a> {
    pub(super) fn of(rig: &'a Rig) -> Self {
        let posed = rig.posed(|_| None);
        let world_from_joint = rig.skeleton.world_from_joint(&posed.pose);
        let world_from_bind = posed.world_from_bind(&rig.skeleton);
        let mesh = &rig.mesh;
        let moved = mesh.moved(&world_from_bind, &posed.morph_weights, Method::Linear);
        Self {
            rig,
            world_from_joint,
            joint_from_bind: posed.joint_from_bind,
            positions: moved.positions,
        }
    }

    /// `world_from_joint` of all joints while a clip of its rig plays alone.
    pub(super) fn world_from_joint_at(&self, clip: usize, time_secs: f64) -> Vec<Mat4> {
        let playing = [ClipAt { clip, time_secs, share: 1.0 }];
        let posed = self.rig.posed_in(&playing, |_| None);
        self.rig.skeleton.world_from_joint(&posed.pose)
    }

    pub(super) fn joint_places(&self) -> impl Iterator<Item = Vec3> {
        let places = self.world_from_joint.iter();
        places.map(|matrix| matrix.w_axis.truncate())
    }

    /// Of the mesh, or of the skeleton where that is larger; never 0.
    pub(super) fn size(&self) -> f32 {
        let joints: Vec<Vec3> = self.joint_places().collect();
        let size = |points: &[Vec3]| longest_side(bounds_of(points));
        let size = size(&self.positions).max(size(&joints));
        if size.is_finite() { size.max(1e-6) } else { 1.0 }
    }
}
