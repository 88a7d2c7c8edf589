//! A ball on a plate, to demonstrate normals. One joint scales and tilts the ball about its lowest
//! point, the other is that of the plate.

use std::f64::consts::FRAC_PI_3;

use bindpose_gltf::{Param, Rig};
use bindpose_skin::{JointIndex, SkeletonError};
use glam::{DVec3, Vec3};

use super::mesh_builder::{LoftRing, MeshBuilder, palette_image, rigid_influences};
use super::rig_parts::{angle_param, scale_param, unturned_skeleton};

const BALL_RADIUS: f64 = 1.0;
const BALL_SEGMENTS: u32 = 40;
const BALL_ROWS: u32 = 24;
const PLATE_RADIUS: f64 = 1.1;
const PLATE_HEIGHT: f64 = 0.1;

pub(crate) fn rig() -> Result<Rig, SkeletonError> {
    let (image, [ball, plate]) = palette_image([[0xD8, 0xC3, 0xA5], [0x8B, 0x97, 0xA3]]);
    let mut builder = MeshBuilder::default();
    let center = DVec3::Y * BALL_RADIUS;
    let radii = DVec3::splat(BALL_RADIUS);
    builder.ball(center, radii, [BALL_SEGMENTS, BALL_ROWS], ball, |_| rigid_influences(1));
    builder.loft(&plate_rings(), BALL_SEGMENTS, plate, |_| rigid_influences(0));
    let mut mesh = builder.finish(image);
    // Exact normals of the sphere, instead of averages of its triangles.
    for (vertex, influences) in mesh.influences.iter().enumerate() {
        if influences.strongest() == JointIndex(1) {
            let outward = mesh.positions[vertex].as_dvec3() - center;
            mesh.normals[vertex] = outward.normalize_or(DVec3::Y).as_vec3();
        }
    }
    let skeleton = unturned_skeleton([
        ("plate".to_owned(), None, Vec3::NEG_Y * PLATE_HEIGHT as f32),
        ("ball".to_owned(), Some(0), Vec3::ZERO),
    ])?;
    Ok(Rig {
        params: vec![
            Param {
                // Includes 0, which flattens the ball, and negative values, which mirror it.
                range: (-1.0, 2.0),
                ..scale_param("squash", "squash", 1, Some(1))
            },
            angle_param("lean", "lean", 1, Vec3::Z, FRAC_PI_3),
        ],
        ..Rig::new("ball", "Ball", skeleton, mesh)
    })
}

/// Returns the rings of a disc with a rounded edge, from bottom to top.
fn plate_rings() -> Vec<LoftRing> {
    const BEVEL: f64 = 0.03;
    [
        (0.0, 0.0),
        (PLATE_RADIUS - BEVEL, 0.0),
        (PLATE_RADIUS - 0.3 * BEVEL, 0.3 * BEVEL),
        (PLATE_RADIUS, BEVEL),
        (PLATE_RADIUS, PLATE_HEIGHT - BEVEL),
        (PLATE_RADIUS - 0.3 * BEVEL, PLATE_HEIGHT - 0.3 * BEVEL),
        (PLATE_RADIUS - BEVEL, PLATE_HEIGHT),
        (0.0, PLATE_HEIGHT),
    ]
    .into_iter()
    .map(|(radius, up)| LoftRing {
        center: DVec3::Y * (up - PLATE_HEIGHT),
        u: DVec3::Z * radius,
        v: DVec3::X * radius,
    })
    .collect()
}
