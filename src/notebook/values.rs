//! What formulas in lessons see of the notebook.

use glam::{Mat4, Vec3};

use super::Derived;
use crate::lesson::{MatrixKind, Values};
use crate::skin::JointIndex;

/// Cheap for a sweep: positions are worked out one vertex at a time, when asked.
impl Values for Derived {
    /// `all` has the value of the rig's first angle, as its slider shows it.
    fn param(&self, name: &str) -> Option<f64> {
        match name {
            "all" => Self::param(self, &self.rig.angles().next()?.name),
            _ => Self::param(self, name),
        }
    }

    fn position(&self, vertex: usize) -> Option<Vec3> {
        Self::position(self, vertex)
    }

    fn bind_position(&self, vertex: usize) -> Option<Vec3> {
        self.rig.mesh.positions.get(vertex).copied()
    }

    fn weight(&self, vertex: usize, joint: JointIndex) -> Option<f64> {
        let influences = self.influences.get(vertex)?;
        let of_joint = influences.used().filter(|&(_, other, _)| other == joint);
        Some(of_joint.map(|(_, _, weight)| f64::from(weight)).sum())
    }

    fn sum(&self, vertex: usize) -> Option<f64> {
        self.influences.get(vertex).map(|i| f64::from(i.sum()))
    }

    fn matrix(&self, kind: MatrixKind, joint: JointIndex) -> Option<Mat4> {
        let matrices = match kind {
            MatrixKind::ParentFromJoint => &self.parent_from_joint,
            MatrixKind::WorldFromJoint => &self.world_from_joint,
            MatrixKind::JointFromBind => &self.joint_from_bind,
            MatrixKind::WorldFromBind => &self.world_from_bind,
        };
        matrices.get(joint.at()).copied()
    }

    fn joints(&self) -> usize {
        self.world_from_joint.len()
    }
}
