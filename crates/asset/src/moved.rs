//! Vertices on their way into the world: morph targets, then all influences.

use std::borrow::Cow;

use bindpose_skin::{BindVertices, JointMotion, Method, VertexGroups, WorldVertices, with_skinner};
use glam::{Mat4, Vec3, Vec4};

use super::Mesh;

/// Where vertices are, and where they face.
#[derive(Clone, Debug, PartialEq)]
pub struct MovedVertices {
    /// In world space.
    pub positions: Vec<Vec3>,
    /// In world space, of unit length; zero where the mesh has collapsed.
    pub normals: Vec<Vec3>,
    /// As normals, the handedness in w. None where the mesh has none, and where morph
    /// targets have changed it: theirs are not read.
    pub tangents: Vec<Vec4>,
}

impl Mesh {
    /// All vertices in the world: morphed, then skinned with every influence,
    /// also where a vertex has more than eight. Normals by the inverse
    /// transpose.
    pub fn moved(
        &self,
        world_from_bind: &[Mat4],
        morph_weights: &[f32],
        method: Method,
    ) -> MovedVertices {
        let groups = self.groups(method);
        self.moved_by(&groups, world_from_bind, morph_weights, method)
    }

    /// The influences that a method uses, laid out for [`Self::moved_by`].
    pub fn groups(&self, method: Method) -> VertexGroups {
        match method {
            Method::Rigid => VertexGroups::strongest(&self.influences),
            Method::Linear | Method::DualQuaternion => {
                VertexGroups::new(&self.influences, &self.many)
            }
        }
    }

    /// As [`Self::moved`], with groups that were made before.
    pub fn moved_by(
        &self,
        groups: &VertexGroups,
        world_from_bind: &[Mat4],
        morph_weights: &[f32],
        method: Method,
    ) -> MovedVertices {
        let morphed = self.morphed(morph_weights);
        let (positions, normals) = match &morphed {
            Some(morphed) => (&morphed.positions, &morphed.normals),
            None => (&self.positions, &self.normals),
        };
        let count = groups.vertices();
        let mut moved = MovedVertices {
            positions: vec![Vec3::ZERO; count],
            normals: vec![Vec3::ZERO; count],
            tangents: match morphed {
                Some(_) => Vec::new(),
                None => vec![Vec4::ZERO; count.min(self.tangents.len())],
            },
        };
        let stored = BindVertices {
            positions: &as_many(positions, count),
            normals: &as_many(normals, count),
            tangents: &self.tangents,
        };
        let to = WorldVertices {
            positions: &mut moved.positions,
            normals: &mut moved.normals,
            tangents: &mut moved.tangents,
        };
        with_skinner(|skinner| match method {
            Method::Rigid | Method::Linear => skinner.linear(groups, world_from_bind, stored, to),
            Method::DualQuaternion => {
                let matrices = world_from_bind.iter();
                let motions: Vec<JointMotion> =
                    matrices.map(|&matrix| JointMotion::from_matrix(matrix)).collect();
                skinner.dual_quaternion(groups, &motions, stored, to);
            }
        });
        moved
    }
}

/// What is missing is zero.
fn as_many(vectors: &[Vec3], count: usize) -> Cow<'_, [Vec3]> {
    if let Some(vectors) = vectors.get(..count) {
        return Cow::Borrowed(vectors);
    }
    let mut all = vectors.to_vec();
    all.resize(count, Vec3::ZERO);
    Cow::Owned(all)
}
