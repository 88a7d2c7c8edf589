//! Nodes at places.

use bindpose_skin::Trs;
use glam::{Mat4, Quat, Vec3};

use super::json;
use crate::NodeTransform;

/// A node at a place; what says nothing is left out.
pub(super) fn placed(local: NodeTransform) -> json::Node {
    let mut node = json::Node::default();
    match local {
        NodeTransform::Trs(Trs { translation, rotation, scale }) => {
            node.translation = (translation != Vec3::ZERO).then(|| translation.to_array());
            node.rotation = (rotation != Quat::IDENTITY).then(|| rotation.to_array());
            node.scale = (scale != Vec3::ONE).then(|| scale.to_array());
        }
        NodeTransform::Matrix(matrix) => {
            let numbers = (matrix != Mat4::IDENTITY).then(|| matrix.to_cols_array());
            node.matrix = numbers.map(|numbers| numbers.map(rounded));
        }
    }
    node
}

/// To steps of 1e-6, against differences between machines.
pub(crate) fn rounded(x: f32) -> f32 {
    ((f64::from(x) * 1e6).round() / 1e6 + 0.0) as f32
}
