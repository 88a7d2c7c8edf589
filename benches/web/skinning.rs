//! Linear blend of a mesh that is made up, on the processor: the same natively and
//! in a browser.

use bindpose_gltf::Mesh;
use bindpose_skin::{Influences, JointIndex, Method, VertexGroups};
use glam::{Mat4, Vec3};

/// As many as the published comparisons have.
pub(crate) const VERTICES: usize = 100_000;
const JOINTS: u16 = 64;
const WEIGHTS: [f32; 4] = [0.4, 0.3, 0.2, 0.1];

/// Vertices with four joints each.
pub(crate) struct SkinnedVertices {
    mesh: Mesh,
    /// Made once for a mesh and its weights, as the notebook keeps them.
    groups: VertexGroups,
    /// Its influences, as tight as four of them can be.
    four: Vec<([u16; 4], [f32; 4])>,
    world_from_bind: Vec<Mat4>,
}

impl SkinnedVertices {
    /// Always the same.
    pub(crate) fn new() -> Self {
        let at = |index: usize| {
            let turn = index as f32 * 0.01;
            Vec3::new(turn.cos(), (index % 1000) as f32 * 0.002, turn.sin())
        };
        let joints = |index: usize| {
            let first = (index * usize::from(JOINTS) / VERTICES) as u16;
            [0, 1, 2, 3].map(|lane| (first + lane) % JOINTS)
        };
        let influences = |index: usize| {
            let joints = joints(index);
            Influences::new(&[0, 1, 2, 3].map(|n| (JointIndex(joints[n]), WEIGHTS[n])))
        };
        let mesh = Mesh {
            positions: (0..VERTICES).map(at).collect(),
            normals: (0..VERTICES).map(|index| at(index).normalize_or(Vec3::Y)).collect(),
            influences: (0..VERTICES).map(influences).collect(),
            ..Mesh::default()
        };
        Self {
            groups: mesh.groups(Method::Linear),
            mesh,
            four: (0..VERTICES).map(|index| (joints(index), WEIGHTS)).collect(),
            world_from_bind: (0..JOINTS)
                .map(|joint| Mat4::from_rotation_z(f32::from(joint) * 0.05))
                .collect(),
        }
    }

    /// Positions and normals once, as the notebook computes them; one of them, so
    /// that they cannot be left out.
    pub(crate) fn ours(&self) -> Vec3 {
        let (groups, palette) = (&self.groups, &self.world_from_bind);
        let moved = self.mesh.moved_by(groups, palette, &[], Method::Linear);
        one_of(&moved.positions, &moved.normals)
    }

    /// The same by the formula as it stands in books: each joint moves the vertex,
    /// and the results are averaged. Normals are moved like positions, and their
    /// length is left as it comes.
    pub(crate) fn plain_loop(&self) -> Vec3 {
        let mut positions = Vec::with_capacity(VERTICES);
        let mut normals = Vec::with_capacity(VERTICES);
        let stored = self.mesh.positions.iter().zip(&self.mesh.normals);
        for ((&position, &normal), (joints, weights)) in stored.zip(&self.four) {
            let (mut moved, mut turned) = (Vec3::ZERO, Vec3::ZERO);
            for (&joint, &weight) in joints.iter().zip(weights) {
                let world_from_bind = &self.world_from_bind[usize::from(joint)];
                moved += world_from_bind.transform_point3(position) * weight;
                turned += world_from_bind.transform_vector3(normal) * weight;
            }
            positions.push(moved);
            normals.push(turned);
        }
        one_of(&positions, &normals)
    }
}

fn one_of(positions: &[Vec3], normals: &[Vec3]) -> Vec3 {
    let of = |vectors: &[Vec3]| vectors.get(VERTICES / 3).copied().unwrap_or_default();
    of(positions) + of(normals)
}
