//! The strip “Simple Skin” of the glTF tutorial, with its current data. In the tutorial of 2017,
//! it was half a unit further to the right.

use std::f64::consts::PI;

use bindpose_gltf::{Mesh, Param, ParamKind, Rig};
use bindpose_skin::{Clip, Influences, JointIndex, SkeletonError};
use glam::{Quat, Vec3};

use super::keyed_clips::{keyed_clip, rotation_track};
use super::rig_parts::{angle_param, length_param, mesh_node_params, unturned_chain};

pub(crate) fn rig() -> Result<Rig, SkeletonError> {
    let skeleton = unturned_chain("joint", [Vec3::ZERO, Vec3::Y])?;
    Ok(Rig {
        params: params(),
        flat: true,
        clips: vec![clip()],
        ..Rig::new("simple_skin", "Simple Skin", skeleton, mesh())
    })
}

/// Creates the bend, and the parameters that convert the current data to those of 2017.
fn params() -> Vec<Param> {
    let stored_shift = ParamKind::StoredShift { axis: 0, applied: 0.0 };
    let root_shift = ParamKind::BindShift { joint: JointIndex(0), axis: 1 };
    let tip_shift = ParamKind::BindShift { joint: JointIndex(1), axis: 1 };
    let mut params = vec![
        angle_param("bend", "bend", 1, Vec3::Z, PI),
        length_param("stored_x", "stored x", stored_shift, 1.0),
        length_param("shape_x", "bind shape x", ParamKind::BindShape { axis: 0 }, 1.0),
        length_param("root_y", "joint 0, y", root_shift, 1.0),
        length_param("tip_y", "joint 1, y", tip_shift, 1.0),
    ];
    params.extend(mesh_node_params(Vec3::Z, 3.0));
    params
}

/// Creates the animation of the tutorial. Its quaternions are rounded as they are there, and
/// therefore not exactly of unit length.
fn clip() -> Clip {
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
    keyed_clip("bend", vec![rotation_track(1, &times_secs, &keys)])
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
