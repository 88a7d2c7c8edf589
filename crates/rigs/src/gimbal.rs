//! A gimbal: three rings, each rotating in the outer one, with a plane at the centre. Next to it, a
//! plane with a single joint makes the same rotations.

use std::f64::consts::{PI, TAU};

use bindpose_gltf::{Param, ParamKind, Rig};
use bindpose_skin::{JointIndex, SkeletonError};
use glam::{DVec2, DVec3, Vec3};

use super::mesh_builder::{MeshBuilder, palette_image, rigid_influences};
use super::rig_parts::{scale_param, unturned_skeleton};

/// Distance of each plane from the origin, along x.
const PLANE_DISTANCE: f64 = 1.6;
const TUBE_RADIUS: f64 = 0.045;
/// Joint of the plane that has no rings.
const SINGLE_JOINT: u16 = 3;

pub(crate) fn rig() -> Result<Rig, SkeletonError> {
    // Each ring has the colour in which the notebook shows its joint.
    let (image, [about_y, about_x, about_z, paint]) = palette_image([
        [0x00, 0x72, 0xB2],
        [0xE6, 0x9F, 0x00],
        [0x00, 0x9E, 0x73],
        [0xC9, 0xB4, 0x8F],
    ]);
    let mut builder = MeshBuilder::default();
    let left = DVec3::X * -PLANE_DISTANCE;
    // Each ring contains the axis of the next one.
    add_ring(&mut builder, left, [DVec3::X, DVec3::Y], 1.3, about_y, 0);
    add_ring(&mut builder, left, [DVec3::Z, DVec3::X], 1.15, about_x, 1);
    add_ring(&mut builder, left, [DVec3::Y, DVec3::Z], 1.0, about_z, 2);
    add_plane(&mut builder, left, paint, 2);
    add_plane(&mut builder, -left, paint, SINGLE_JOINT);
    let left = left.as_vec3();
    let skeleton = unturned_skeleton([
        ("outer ring".to_owned(), None, left),
        ("middle ring".to_owned(), Some(0), left),
        ("inner ring".to_owned(), Some(1), left),
        ("one joint".to_owned(), None, Vec3::X * PLANE_DISTANCE as f32),
    ])?;
    Ok(Rig {
        params: vec![
            ring_angle("yaw", "yaw", 0, Vec3::Y),
            ring_angle("pitch", "pitch", 1, Vec3::X),
            ring_angle("roll", "roll", 2, Vec3::Z),
            scale_param("stretch", "stretch", 0, Some(0)),
            Param {
                name: "way".to_owned(),
                label: "way".to_owned(),
                kind: ParamKind::RestToPose,
                default: 1.0,
                range: (0.0, 1.0),
            },
        ],
        ..Rig::new("gimbal", "Gimbal", skeleton, builder.finish(image))
    })
}

/// Creates a parameter that rotates a ring and the plane without rings.
fn ring_angle(name: &str, label: &str, ring: u16, axis: Vec3) -> Param {
    Param {
        name: name.to_owned(),
        label: label.to_owned(),
        kind: ParamKind::Angles { joints: [JointIndex(ring), JointIndex(SINGLE_JOINT)], axis },
        default: 0.0,
        range: (-PI, PI),
    }
}

/// Adds a torus in the plane of two unit vectors.
fn add_ring(
    builder: &mut MeshBuilder,
    center: DVec3,
    [e1, e2]: [DVec3; 2],
    radius: f64,
    uv: DVec2,
    joint: u16,
) {
    const AROUND: usize = 56;
    const ACROSS: usize = 10;
    let normal = e1.cross(e2);
    builder.patch([ACROSS + 1, AROUND + 1], false, |row, column| {
        let (sin, cos) = (TAU * (column % AROUND) as f64 / AROUND as f64).sin_cos();
        let outward = e1 * cos + e2 * sin;
        let (up, out) = (TAU * (row % ACROSS) as f64 / ACROSS as f64).sin_cos();
        let position =
            center + outward * (radius + TUBE_RADIUS * out) + normal * (TUBE_RADIUS * up);
        (position, uv, rigid_influences(joint))
    });
}

/// Adds an aeroplane whose nose points along z and whose fin points along y.
fn add_plane(builder: &mut MeshBuilder, center: DVec3, uv: DVec2, joint: u16) {
    let parts = [
        (DVec3::ZERO, DVec3::new(0.1, 0.1, 0.8)),
        (DVec3::new(0.0, 0.0, -0.1), DVec3::new(0.62, 0.035, 0.2)),
        (DVec3::new(0.0, 0.18, -0.6), DVec3::new(0.03, 0.24, 0.14)),
        (DVec3::new(0.0, 0.0, -0.62), DVec3::new(0.26, 0.03, 0.1)),
    ];
    for (offset, radii) in parts {
        builder.ball(center + offset, radii, [20, 12], uv, |_| rigid_influences(joint));
    }
}

#[cfg(test)]
mod tests {
    use glam::{Mat4, Quat};

    use super::*;

    fn world_from_gimbal(yaw: f64, pitch: f64, roll: f64, way: f64) -> Vec<Mat4> {
        let rig = rig().unwrap();
        let pose = rig
            .posed(|name| match name {
                "yaw" => Some(yaw),
                "pitch" => Some(pitch),
                "roll" => Some(roll),
                "way" => Some(way),
                _ => None,
            })
            .pose;
        rig.skeleton.world_from_joint(&pose)
    }

    #[test]
    fn rings_and_single_joint_differ_only_between_rest_and_pose() {
        for (way, is_equal) in [(1.0, true), (0.0, true), (0.5, false)] {
            let world = world_from_gimbal(1.2, 0.9, -1.4, way);
            let [inner_ring, single] = [2, 3].map(|joint: usize| Quat::from_mat4(&world[joint]));
            assert_eq!(inner_ring.dot(single).abs() > 1.0 - 1e-6, is_equal, "{way}");
        }
    }

    #[test]
    fn gimbal_lock_makes_two_rings_equivalent() {
        for (yaw, roll, equal_yaw, equal_roll) in [(0.7, 0.0, 0.0, -0.7), (0.7, 0.7, 0.0, 0.0)] {
            let one = world_from_gimbal(yaw, PI / 2.0, roll, 1.0)[2];
            let other = world_from_gimbal(equal_yaw, PI / 2.0, equal_roll, 1.0)[2];
            assert!(one.abs_diff_eq(other, 1e-6));
        }
    }
}
