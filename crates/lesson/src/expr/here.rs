//! Evaluation of formulas at points along the axis of a plot.

use bindpose_skin::{JointIndex, Surface};
use glam::{Mat4, Vec3};

use super::{MatrixKind, Values};

/// Name in formulas of the current position along the axis.
pub const HERE: &str = "here";

/// A page with the additional parameter [`HERE`].
pub struct PageAtPoint<'a, V> {
    pub page: &'a V,
    /// Vertex at which the formula is evaluated, or number along the axis.
    pub here: f64,
}

impl<V: Values> Values for PageAtPoint<'_, V> {
    fn param(&self, name: &str) -> Option<f64> {
        match name {
            HERE => Some(self.here),
            _ => self.page.param(name),
        }
    }

    fn position(&self, vertex: usize) -> Option<Vec3> {
        self.page.position(vertex)
    }

    fn bind_position(&self, vertex: usize) -> Option<Vec3> {
        self.page.bind_position(vertex)
    }

    fn normal(&self, vertex: usize) -> Option<Vec3> {
        self.page.normal(vertex)
    }

    fn stored_normal(&self, vertex: usize) -> Option<Vec3> {
        self.page.stored_normal(vertex)
    }

    fn weight(&self, vertex: usize, joint: JointIndex) -> Option<f64> {
        self.page.weight(vertex, joint)
    }

    fn sum(&self, vertex: usize) -> Option<f64> {
        self.page.sum(vertex)
    }

    fn matrix(&self, kind: MatrixKind, joint: JointIndex) -> Option<Mat4> {
        self.page.matrix(kind, joint)
    }

    fn surface(&self) -> Option<Surface> {
        self.page.surface()
    }

    fn stored_surface(&self) -> Option<Surface> {
        self.page.stored_surface()
    }

    fn joint_named(&self, name: &str) -> Option<JointIndex> {
        self.page.joint_named(name)
    }

    fn joints(&self) -> usize {
        self.page.joints()
    }

    fn rows(&self) -> usize {
        self.page.rows()
    }

    fn vertices(&self) -> usize {
        self.page.vertices()
    }

    fn crowd(&self) -> u32 {
        self.page.crowd()
    }

    fn parent(&self, joint: JointIndex) -> Option<JointIndex> {
        self.page.parent(joint)
    }

    fn skin_matrix(&self, vertex: usize) -> Option<Mat4> {
        self.page.skin_matrix(vertex)
    }

    fn world_from_mesh_node(&self) -> Option<Mat4> {
        self.page.world_from_mesh_node()
    }
}
