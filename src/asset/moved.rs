//! Vertices on their way into the world: morph targets, then all influences.

use glam::{Mat4, Vec3};

use super::Mesh;
use crate::skin::{
    JointMotion, Method, dual_quaternion_matrix, dual_quaternion_matrix_of, moved_normal,
    moved_position, skin_matrix, skin_matrix_of,
};

/// Where vertices are, and where they face.
#[derive(Clone, Debug, PartialEq)]
pub struct Moved {
    /// In world space.
    pub positions: Vec<Vec3>,
    /// In world space, of unit length; zero where the mesh has collapsed.
    pub normals: Vec<Vec3>,
}

impl Mesh {
    /// All vertices in the world: morphed, then skinned with every influence,
    /// also where a vertex has more than eight. Normals by the inverse
    /// transpose.
    #[must_use]
    pub fn moved(&self, world_from_bind: &[Mat4], morph_weights: &[f32], method: Method) -> Moved {
        let morphed = self.morphed(morph_weights);
        let (positions, normals) = match &morphed {
            Some(morphed) => (&morphed.positions, &morphed.normals),
            None => (&self.positions, &self.normals),
        };
        let motions: Vec<JointMotion> = match method {
            Method::DualQuaternion => world_from_bind
                .iter()
                .map(|&matrix| JointMotion::from_matrix(matrix))
                .collect(),
            _ => Vec::new(),
        };
        let mut moved = Moved {
            positions: Vec::with_capacity(positions.len()),
            normals: Vec::with_capacity(positions.len()),
        };
        for (index, influences) in self.influences.iter().enumerate() {
            let many = self.many.get(&(index as u32));
            let matrix = match (method, many) {
                (Method::Rigid, _) => {
                    let strongest = influences.strongest();
                    skin_matrix_of([(strongest, 1.0)], world_from_bind)
                }
                (Method::Linear, None) => skin_matrix(influences, world_from_bind),
                (Method::Linear, Some(many)) => {
                    skin_matrix_of(many.iter().copied(), world_from_bind)
                }
                (Method::DualQuaternion, None) => dual_quaternion_matrix(influences, &motions),
                (Method::DualQuaternion, Some(many)) => {
                    dual_quaternion_matrix_of(many.iter().copied(), &motions)
                }
            };
            let position = positions.get(index).copied().unwrap_or_default();
            let normal = normals.get(index).copied().unwrap_or_default();
            moved.positions.push(moved_position(&matrix, position));
            moved.normals.push(moved_normal(&matrix, normal));
        }
        moved
    }
}
