//! Parameters of a rig that pose nothing: what is stored, and the node that
//! carries the mesh.

use std::sync::Arc;

use glam::{Mat4, Quat, Vec3};

use super::{Mesh, NodePart, ParamKind, Posed, Rig};

impl Rig {
    /// The rig with its stored vertices where [`ParamKind::StoredShift`] wants
    /// them; the same one when they are there. `value` answers as in
    /// [`Rig::posed`].
    pub fn as_stored(self: &Arc<Self>, value: impl Fn(&str) -> Option<f64>) -> Arc<Self> {
        let mut by = Vec3::ZERO;
        for param in &self.params {
            if let ParamKind::StoredShift { axis, applied } = param.kind {
                let wanted = value(&param.name).unwrap_or(param.default) as f32;
                by[axis % 3] += wanted - applied;
            }
        }
        if by == Vec3::ZERO {
            return Arc::clone(self);
        }
        let mut rig = (**self).clone();
        for param in &mut rig.params {
            if let ParamKind::StoredShift { axis, applied } = &mut param.kind {
                *applied += by[*axis % 3];
            }
        }
        let positions = self.mesh.positions.iter();
        rig.mesh = Arc::new(Mesh {
            positions: positions.map(|&position| position + by).collect(),
            ..(*self.mesh).clone()
        });
        Arc::new(rig)
    }

    /// Are the stored vertices of two rigs, which [`Self::as_stored`] made of one, in the
    /// same place?
    pub fn is_as(&self, other: &Self) -> bool {
        let applied = |rig: &Self| -> Vec<f32> {
            let kinds = rig.params.iter().map(|param| &param.kind);
            let shifts = kinds.filter_map(|kind| match kind {
                ParamKind::StoredShift { applied, .. } => Some(*applied),
                _ => None,
            });
            shifts.collect()
        };
        applied(self) == applied(other)
    }

    /// `world_from_mesh_node` with parameters applied: a shift in the world, turn
    /// and size about the node's own origin. `value` answers as in
    /// [`Rig::posed`].
    pub fn mesh_node_moved(&self, value: impl Fn(&str) -> Option<f64>) -> Mat4 {
        let (mut shift, mut turn, mut size) = (Vec3::ZERO, Quat::IDENTITY, 1.0);
        for param in &self.params {
            let value = || value(&param.name).unwrap_or(param.default) as f32;
            match param.kind {
                ParamKind::MeshNode(NodePart::Shift(axis)) => shift[axis % 3] += value(),
                ParamKind::MeshNode(NodePart::Turn(axis)) => {
                    turn *= Quat::from_axis_angle(axis, value());
                }
                ParamKind::MeshNode(NodePart::Size) => size *= value(),
                _ => {}
            }
        }
        let moved = Mat4::from_translation(shift) * self.world_from_mesh_node;
        moved * Mat4::from_scale_rotation_translation(Vec3::splat(size), turn, Vec3::ZERO)
    }

    /// The rest pose: no joint turned or scaled by a parameter. Parameters that
    /// change what is bound stay; `value` answers for them as in [`Rig::posed`].
    pub fn posed_at_rest(&self, value: impl Fn(&str) -> Option<f64>) -> Posed {
        self.posed(|name| match self.param(name)?.kind {
            ParamKind::Angle { .. } | ParamKind::Angles { .. } | ParamKind::Morph { .. } => {
                Some(0.0)
            }
            ParamKind::Scale { .. } => Some(1.0),
            _ => value(name),
        })
    }

    /// How far [`ParamKind::BindShape`] moves vertices, in bind space.
    pub(super) fn bind_shape(&self, value: impl Fn(&str) -> Option<f64>) -> Vec3 {
        let mut shift = Vec3::ZERO;
        for param in &self.params {
            if let ParamKind::BindShape { axis } = param.kind {
                shift[axis % 3] += value(&param.name).unwrap_or(param.default) as f32;
            }
        }
        shift
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin;

    #[test]
    fn stored_vertices_move_once_and_come_back() {
        let rig = builtin("simple_skin").unwrap();
        let at = |x: f64| move |name: &str| (name == "stored_x").then_some(x);
        assert!(Arc::ptr_eq(&rig, &rig.as_stored(at(0.0))));
        let moved = rig.as_stored(at(0.5));
        assert_eq!(moved.mesh.positions[0], Vec3::ZERO);
        let again = moved.as_stored(at(0.5));
        assert!(Arc::ptr_eq(&moved, &again), "not a second time");
        let back = moved.as_stored(at(0.0));
        assert_eq!(back.mesh.positions, rig.mesh.positions);
    }

    #[test]
    fn a_bind_shape_moves_the_mesh_and_no_joint() {
        let rig = builtin("simple_skin").unwrap();
        let value = |name: &str| (name == "shape_x").then_some(-0.5);
        let (moved, posed) = (rig.posed(value), rig.posed(|_| None));
        assert_eq!(moved.pose, posed.pose);
        for (world_from_bind, joint) in rig.world_from_bind(value).iter().zip(0..) {
            let by = world_from_bind.transform_point3(Vec3::ZERO);
            assert_eq!(by, Vec3::X * -0.5, "joint {joint}");
        }
    }
}
