//! Parameters that change stored data instead of the pose: vertices, the bind shape, and
//! the node that carries the mesh.

use std::sync::Arc;

use glam::{Mat4, Quat, Vec3};

use super::{Mesh, NodePart, ParamKind, Posed, Rig};

impl Rig {
    /// Returns the rig with its stored vertices moved by the values of
    /// [`ParamKind::StoredShift`], or the same rig if they are already there. See
    /// [`Rig::posed`] for `value`.
    pub fn as_stored(self: &Arc<Self>, value: impl Fn(&str) -> Option<f64>) -> Arc<Self> {
        let mut shift = Vec3::ZERO;
        for param in &self.params {
            if let ParamKind::StoredShift { axis, applied } = param.kind {
                let wanted = value(&param.name).unwrap_or(param.default) as f32;
                shift[axis % 3] += wanted - applied;
            }
        }
        if shift == Vec3::ZERO {
            return Arc::clone(self);
        }
        let mut rig = (**self).clone();
        for param in &mut rig.params {
            if let ParamKind::StoredShift { axis, applied } = &mut param.kind {
                *applied += shift[*axis % 3];
            }
        }
        rig.mesh = Arc::new(Mesh {
            positions: self.mesh.positions.iter().map(|&position| position + shift).collect(),
            ..(*self.mesh).clone()
        });
        Arc::new(rig)
    }

    /// Returns whether the stored vertices of two rigs, both results of
    /// [`Self::as_stored`] on one rig, are in the same place.
    pub fn is_as(&self, other: &Self) -> bool {
        self.applied_shifts().eq(other.applied_shifts())
    }

    fn applied_shifts(&self) -> impl Iterator<Item = f32> {
        self.params.iter().filter_map(|param| match param.kind {
            ParamKind::StoredShift { applied, .. } => Some(applied),
            _ => None,
        })
    }

    /// Computes `world_from_mesh_node` with parameters applied: a translation in world
    /// space, and a rotation and scale about the node's own origin. See [`Rig::posed`] for
    /// `value`.
    pub fn mesh_node_moved(&self, value: impl Fn(&str) -> Option<f64>) -> Mat4 {
        let mut translation = Vec3::ZERO;
        let mut rotation = Quat::IDENTITY;
        let mut scale = 1.0;
        for param in &self.params {
            let ParamKind::MeshNode(part) = param.kind else { continue };
            let value = value(&param.name).unwrap_or(param.default) as f32;
            match part {
                NodePart::Shift(axis) => translation[axis % 3] += value,
                NodePart::Turn(axis) => rotation *= Quat::from_axis_angle(axis, value),
                NodePart::Size => scale *= value,
            }
        }
        let moved = Mat4::from_translation(translation) * self.world_from_mesh_node;
        moved * Mat4::from_scale_rotation_translation(Vec3::splat(scale), rotation, Vec3::ZERO)
    }

    /// Computes the rest pose: no parameter rotates or scales a joint or sets a morph weight.
    /// Parameters that change the bind pose still apply. See [`Rig::posed`] for `value`.
    pub fn posed_at_rest(&self, value: impl Fn(&str) -> Option<f64>) -> Posed {
        self.posed(|name| match self.param(name)?.kind {
            ParamKind::Angle { .. } | ParamKind::Angles { .. } | ParamKind::Morph { .. } => {
                Some(0.0)
            }
            ParamKind::Scale { .. } => Some(1.0),
            _ => value(name),
        })
    }

    /// Returns the translation of all [`ParamKind::BindShape`] parameters, in bind space.
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
