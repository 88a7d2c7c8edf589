//! A gimbal: three rings, each turning in the one around it, with a dart in the
//! middle; and beside it a dart on one joint alone that makes the same turns.

use std::f64::consts::{PI, TAU};

use bindpose_skin::{JointIndex, SkeletonError};
use glam::{DVec2, DVec3, Vec3};

use super::mesh_builder::{MeshBuilder, palette, rigid};
use super::params::scale;
use super::unturned::unturned_skeleton;
use crate::{Param, ParamKind, Rig};

/// Of either dart from the middle, along x.
const APART: f64 = 1.6;
const TUBE: f64 = 0.045;
/// Of the dart that stands on one joint.
const ALONE: u16 = 3;

pub(super) fn rig() -> Result<Rig, SkeletonError> {
    // A ring has the colour that the page gives its joint.
    let (image, [about_y, about_x, about_z, dart]) =
        palette([[0x00, 0x72, 0xB2], [0xE6, 0x9F, 0x00], [0x00, 0x9E, 0x73], [0xC9, 0xB4, 0x8F]]);
    let mut builder = MeshBuilder::default();
    let left = DVec3::X * -APART;
    // Each ring holds the pivots of the next.
    ring(&mut builder, left, [DVec3::X, DVec3::Y], 1.3, about_y, 0);
    ring(&mut builder, left, [DVec3::Z, DVec3::X], 1.15, about_x, 1);
    ring(&mut builder, left, [DVec3::Y, DVec3::Z], 1.0, about_z, 2);
    add_dart(&mut builder, left, dart, 2);
    add_dart(&mut builder, -left, dart, ALONE);
    let at = |x: f64| Vec3::X * x as f32;
    let skeleton = unturned_skeleton([
        ("outer ring".to_owned(), None, at(-APART)),
        ("middle ring".to_owned(), Some(0), at(-APART)),
        ("inner ring".to_owned(), Some(1), at(-APART)),
        ("one joint".to_owned(), None, at(APART)),
    ])?;
    Ok(Rig {
        params: vec![
            turn("yaw", "yaw", 0, Vec3::Y),
            turn("pitch", "pitch", 1, Vec3::X),
            turn("roll", "roll", 2, Vec3::Z),
            scale("stretch", "stretch", 0, Some(0)),
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

/// Turns a ring, and the joint that does without rings.
fn turn(name: &str, label: &str, ring: u16, axis: Vec3) -> Param {
    Param {
        name: name.to_owned(),
        label: label.to_owned(),
        kind: ParamKind::Angles { joints: [JointIndex(ring), JointIndex(ALONE)], axis },
        default: 0.0,
        range: (-PI, PI),
    }
}

/// A tube bent to a circle in the plane of two unit vectors.
fn ring(
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
        let position = center + outward * (radius + TUBE * out) + normal * (TUBE * up);
        (position, uv, rigid(joint))
    });
}

/// Its nose points along z, its fin along y.
fn add_dart(builder: &mut MeshBuilder, center: DVec3, uv: DVec2, joint: u16) {
    let parts = [
        (DVec3::ZERO, DVec3::new(0.1, 0.1, 0.8)),
        (DVec3::new(0.0, 0.0, -0.1), DVec3::new(0.62, 0.035, 0.2)),
        (DVec3::new(0.0, 0.18, -0.6), DVec3::new(0.03, 0.24, 0.14)),
        (DVec3::new(0.0, 0.0, -0.62), DVec3::new(0.26, 0.03, 0.1)),
    ];
    for (at, radii) in parts {
        builder.ball(center + at, radii, [20, 12], uv, |_| rigid(joint));
    }
}

#[cfg(test)]
mod tests {

    use super::*;
    use glam::{Mat4, Quat};

    fn world(values: [(&str, f64); 4]) -> Vec<Mat4> {
        let rig = rig().unwrap();
        let value = |name: &str| values.iter().find(|(n, _)| *n == name).map(|(_, v)| *v);
        rig.skeleton.world_from_joint(&rig.posed(value).pose)
    }

    fn same_turn(world: &[Mat4]) -> bool {
        let turn = |index: usize| Quat::from_mat4(&world[index]);
        turn(2).dot(turn(3)).abs() > 1.0 - 1e-6
    }

    #[test]
    fn rings_and_joint_agree_at_the_end_and_part_on_the_way() {
        let goal = [("yaw", 1.2), ("pitch", 0.9), ("roll", -1.4)];
        let at = |way: f64| world([goal[0], goal[1], goal[2], ("way", way)]);
        assert!(same_turn(&at(1.0)));
        assert!(same_turn(&at(0.0)));
        assert!(!same_turn(&at(0.5)));
    }

    #[test]
    fn with_the_middle_ring_at_a_right_angle_two_rings_do_the_same() {
        let locked = |yaw: f64, roll: f64| {
            let pitch = ("pitch", PI / 2.0);
            world([("yaw", yaw), pitch, ("roll", roll), ("way", 1.0)])[2]
        };
        assert!(locked(0.7, 0.0).abs_diff_eq(locked(0.0, -0.7), 1e-6));
        assert!(locked(0.7, 0.7).abs_diff_eq(locked(0.0, 0.0), 1e-6));
    }
}
