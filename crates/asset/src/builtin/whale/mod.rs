//! An orca, modelled by code.
//!
//! About 6 units long, swimming along +z with its back to +y. [`rig`] is what
//! `assets/models/whale` is written from; the notebook itself only ever sees
//! the file.

mod body;
mod clips;
mod fins;
mod joints;
mod pattern;

use bindpose_skin::SkeletonError;
use glam::{EulerRot, Mat4, Quat, Vec3};

use super::mesh_builder::{MeshBuilder, tangents};
use crate::{Mesh, Rig};

/// The whale with all that goes into its file.
pub(super) fn rig() -> Result<Rig, SkeletonError> {
    let skeleton = joints::skeleton()?;
    let mut builder = MeshBuilder::default();
    body::add(&mut builder);
    fins::add(&mut builder);
    let mut mesh = builder.finish(pattern::image());
    mesh.tangents = tangents(&mesh);
    round(&mut mesh);
    // Where an artist may have left the mesh. It must not matter.
    let world_from_mesh_node = Mat4::from_scale_rotation_translation(
        Vec3::splat(0.5),
        Quat::from_euler(EulerRot::YXZ, 0.5, 0.0, 0.0),
        Vec3::new(1.5, 1.0, 0.0),
    );
    Ok(Rig {
        world_from_mesh_node,
        clips: clips::all(),
        ..Rig::new("whale", "Whale", skeleton, mesh)
    })
}

/// Numbers of few bits: the file goes over networks, and gzips to three quarters. No
/// eye tells it: a place moves by an eighth of a thousandth, a direction by a tenth of
/// a degree.
fn round(mesh: &mut Mesh) {
    const PLACES: f32 = 4096.0;
    const DIRECTIONS: f32 = 512.0;
    for place in &mut mesh.positions {
        *place = (*place * PLACES).round() / PLACES;
    }
    for normal in &mut mesh.normals {
        *normal = (*normal * DIRECTIONS).round() / DIRECTIONS;
    }
    for tangent in &mut mesh.tangents {
        *tangent = (*tangent * DIRECTIONS).round() / DIRECTIONS;
    }
}
