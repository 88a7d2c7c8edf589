//! The rectangle of the glTF tutorial's “Simple Skin”, with today's data (the
//! tutorial of 2017 had it one half unit to the right).

use std::f64::consts::PI;

use bindpose_skin::{Clip, Influences, JointIndex, SkeletonError};
use glam::{Quat, Vec3};

use super::clips;
use super::params::{angle, length, mesh_node};
use super::unturned::unturned_chain;
use crate::{Mesh, Param, ParamKind, Rig};

pub(super) fn rig() -> Result<Rig, SkeletonError> {
    let skeleton = unturned_chain("joint", [Vec3::ZERO, Vec3::Y])?;
    Ok(Rig {
        params: params(),
        flat: true,
        clips: vec![bend()],
        ..Rig::new("simple_skin", "Simple Skin", skeleton, mesh())
    })
}

/// The bend, and what it takes to tell today's data from that of 2017.
fn params() -> Vec<Param> {
    let moved = |name: &str, label: &str, kind| length(name, label, kind, 1.0);
    let bind_shift = |joint, axis| ParamKind::BindShift { joint: JointIndex(joint), axis };
    let mut params = vec![
        angle("bend", "bend", 1, Vec3::Z, PI),
        moved("stored_x", "stored x", ParamKind::StoredShift { axis: 0, applied: 0.0 }),
        moved("shape_x", "bind shape x", ParamKind::BindShape { axis: 0 }),
        moved("root_y", "joint 0, y", bind_shift(0, 1)),
        moved("tip_y", "joint 1, y", bind_shift(1, 1)),
    ];
    params.extend(mesh_node(Vec3::Z, 3.0));
    params
}

/// The animation of the glTF tutorial, its quaternions as rounded there: not
/// quite of unit length.
fn bend() -> Clip {
    let keys = [
        (0.0, 1.0),
        (0.383, 0.924),
        (0.707, 0.707),
        (0.707, 0.707),
        (0.383, 0.924),
        (0.0, 1.0),
        (0.0, 1.0),
        (-0.383, 0.924),
        (-0.707, 0.707),
        (-0.707, 0.707),
        (-0.383, 0.924),
        (0.0, 1.0),
    ];
    let times_secs: Vec<f32> = (0..keys.len()).map(|key| 0.5 * key as f32).collect();
    let keys = keys.map(|(z, w)| Quat::from_xyzw(0.0, 0.0, z, w));
    clips::clip("bend", vec![clips::rotations(1, &times_secs, &keys)])
}

fn mesh() -> Mesh {
    let mut mesh = Mesh::default();
    for rung in 0..5_u32 {
        let weight_1 = 0.25 * rung as f32;
        for x in [-0.5, 0.5] {
            mesh.positions.push(Vec3::new(x, 0.5 * rung as f32, 0.0));
            mesh.normals.push(Vec3::Z);
            mesh.influences.push(Influences::new(&[
                (JointIndex(0), 1.0 - weight_1),
                (JointIndex(1), weight_1),
            ]));
        }
        mesh.lines.push([2 * rung, 2 * rung + 1]);
    }
    for left in [0, 2, 4, 6] {
        mesh.lines.push([left, left + 2]);
        mesh.lines.push([left + 1, left + 3]);
        mesh.triangles.push([left, left + 1, left + 3]);
        mesh.triangles.push([left, left + 3, left + 2]);
    }
    mesh
}
