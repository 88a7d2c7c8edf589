//! Vertices on their way into the world: morph targets, then all influences.

use std::borrow::Cow;

use glam::{Mat4, Vec3};

use super::Mesh;
use crate::skin::{
    JointMotion, Method, blended_matrix, dual_quaternion_matrix, dual_quaternion_matrix_of,
    normal_from_bind, skin_matrix,
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
    /// Positions and normals in bind space with the morph targets added, each
    /// times its weight. Normals need not be of unit length.
    #[must_use]
    pub fn morphed(&self, morph_weights: &[f32]) -> (Cow<'_, [Vec3]>, Cow<'_, [Vec3]>) {
        let mut positions = Cow::Borrowed(self.positions.as_slice());
        let mut normals = Cow::Borrowed(self.normals.as_slice());
        for target in &self.targets {
            let weight = morph_weights.get(target.slot).copied().unwrap_or(0.0);
            if weight == 0.0 {
                continue;
            }
            for (list, differences) in [
                (&mut positions, &target.positions),
                (&mut normals, &target.normals),
            ] {
                if !differences.is_empty() {
                    let moved = list.to_mut().iter_mut().skip(target.first_vertex as usize);
                    for (value, &difference) in moved.zip(differences) {
                        *value += difference * weight;
                    }
                }
            }
        }
        (positions, normals)
    }

    /// All vertices in the world: morphed, then skinned with every influence,
    /// also where a vertex has more than eight. Normals by the inverse
    /// transpose.
    #[must_use]
    pub fn moved(&self, world_from_bind: &[Mat4], morph_weights: &[f32], method: Method) -> Moved {
        let (positions, normals) = self.morphed(morph_weights);
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
                    blended_matrix([(strongest, 1.0)], world_from_bind)
                }
                (Method::Linear, None) => skin_matrix(influences, world_from_bind),
                (Method::Linear, Some(many)) => {
                    blended_matrix(many.iter().copied(), world_from_bind)
                }
                (Method::DualQuaternion, None) => dual_quaternion_matrix(influences, &motions),
                (Method::DualQuaternion, Some(many)) => {
                    dual_quaternion_matrix_of(many.iter().copied(), &motions)
                }
            };
            let position = positions.get(index).copied().unwrap_or_default();
            let normal = normals.get(index).copied().unwrap_or_default();
            moved
                .positions
                .push((matrix * position.extend(1.0)).truncate());
            moved
                .normals
                .push((normal_from_bind(matrix) * normal).normalize_or_zero());
        }
        moved
    }
}
