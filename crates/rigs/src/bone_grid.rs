//! The bone grid of the 2-D skinning articles: ten vertices and three joints in a row.

use std::f64::consts::PI;

use bindpose_gltf::{Mesh, Rig};
use bindpose_skin::{Influences, JointIndex, SkeletonError};
use glam::Vec3;

use super::rig_parts::{bend_param, unturned_chain};

/// x coordinates of the joints in the bind pose.
const JOINTS_X: [f32; 3] = [0.0, 4.0, 8.0];

/// Joints and weights of each rung, which both of its vertices have. The unused lane refers to
/// joint 0, as in the articles.
const RUNGS: [[(u16, f32); 2]; 5] = [
    [(0, 1.0), (0, 0.0)],
    [(0, 0.5), (1, 0.5)],
    [(1, 1.0), (0, 0.0)],
    [(1, 0.5), (2, 0.5)],
    [(2, 1.0), (0, 0.0)],
];

pub(crate) fn rig() -> Result<Rig, SkeletonError> {
    let skeleton = unturned_chain("joint", JOINTS_X.map(|x| Vec3::X * x))?;
    Ok(Rig {
        params: (0..3).map(|joint| bend_param(joint, PI)).collect(),
        flat: true,
        ..Rig::new("bone_grid", "2D bone grid", skeleton, mesh())
    })
}

fn mesh() -> Mesh {
    let mut mesh = Mesh::default();
    for (rung, [first, second]) in RUNGS.into_iter().enumerate() {
        for y in [1.0, -1.0] {
            mesh.positions.push(Vec3::new(2.0 * rung as f32, y, 0.0));
            mesh.normals.push(Vec3::Z);
            mesh.influences.push(Influences::new(&[
                (JointIndex(first.0), first.1),
                (JointIndex(second.0), second.1),
            ]));
        }
        let top = 2 * rung as u32;
        mesh.lines.push([top, top + 1]);
    }
    for top in [0, 2, 4, 6] {
        mesh.lines.push([top, top + 2]);
        mesh.lines.push([top + 1, top + 3]);
        mesh.triangles.push([top, top + 1, top + 3]);
        mesh.triangles.push([top, top + 3, top + 2]);
    }
    mesh
}
