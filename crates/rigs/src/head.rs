//! A figure whose head nods, to demonstrate the role of the bind pose.
//!
//! The figure is at the origin in mid-stride and looks along +x, so that a rotation about z is a
//! nod, seen in profile from the front. Joint 1 is in the neck, 2 units above the ground. Vertex 0
//! is the point of the chin, at (0.25, 2, 0). Lessons calculate with its numbers.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_3};

use bindpose_gltf::{Mesh, Param, ParamKind, Rig};
use bindpose_skin::{JointIndex, SkeletonError};
use glam::{DVec2, DVec3, Vec3};

use super::mesh_builder::{
    LoftRing, MeshBuilder, palette_image, rigid_influences, rounded_influences,
};
use super::rig_parts::{angle_param, squash_param, unturned_skeleton};

const BODY: u16 = 0;
const HEAD: u16 = 1;
const HEAD_HEIGHT: f64 = 2.0;

/// Rings of the head from bottom to top: y, and the extent to the front, the back and the side.
const HEAD_RINGS: [(f64, f64, f64, f64); 13] = [
    (1.955, 0.02, 0.02, 0.0),
    (1.962, 0.15, -0.1, 0.1),
    (2.0, 0.25, -0.185, 0.19),
    (2.06, 0.305, -0.255, 0.255),
    (2.15, 0.345, -0.325, 0.315),
    (2.26, 0.372, -0.38, 0.355),
    (2.38, 0.388, -0.413, 0.378),
    (2.5, 0.39, -0.422, 0.383),
    (2.62, 0.372, -0.405, 0.368),
    (2.73, 0.325, -0.358, 0.325),
    (2.82, 0.245, -0.28, 0.25),
    (2.88, 0.14, -0.175, 0.15),
    (2.905, -0.02, -0.02, 0.0),
];

/// Rings of the trunk, in the same form as [`HEAD_RINGS`].
const TRUNK_RINGS: [(f64, f64, f64, f64); 12] = [
    (0.82, 0.0, 0.0, 0.0),
    (0.84, 0.09, -0.1, 0.14),
    (0.92, 0.15, -0.175, 0.215),
    (1.02, 0.165, -0.18, 0.23),
    (1.15, 0.175, -0.16, 0.22),
    (1.28, 0.185, -0.16, 0.225),
    (1.42, 0.2, -0.17, 0.255),
    (1.56, 0.2, -0.185, 0.285),
    (1.68, 0.15, -0.17, 0.265),
    (1.76, 0.125, -0.15, 0.2),
    (1.81, 0.1, -0.125, 0.125),
    (1.825, -0.015, -0.015, 0.0),
];

struct Colors {
    skin: DVec2,
    shirt: DVec2,
    trousers: DVec2,
    dark: DVec2,
}

pub(crate) fn rig() -> Result<Rig, SkeletonError> {
    let skeleton = unturned_skeleton([
        ("body".to_owned(), None, Vec3::ZERO),
        ("head".to_owned(), Some(BODY), Vec3::Y * HEAD_HEIGHT as f32),
    ])?;
    Ok(Rig {
        params: vec![
            angle_param("nod", "nod", HEAD, Vec3::Z, FRAC_PI_2),
            angle_param("turn", "turn", HEAD, Vec3::Y, FRAC_PI_2),
            Param {
                name: "bind_tilt".to_owned(),
                label: "bind tilt".to_owned(),
                kind: ParamKind::BindAngle { joint: JointIndex(HEAD), axis: Vec3::Z },
                default: 0.0,
                range: (-FRAC_PI_3, FRAC_PI_3),
            },
            squash_param(BODY, 1),
        ],
        ..Rig::new("head", "Figure with a head", skeleton, mesh())
    })
}

fn mesh() -> Mesh {
    let (image, [skin, shirt, trousers, dark]) = palette_image([
        [0xE6, 0xC2, 0xA0],
        [0x9F, 0xB3, 0xA1],
        [0x66, 0x70, 0x7E],
        [0x2E, 0x33, 0x3B],
    ]);
    let colors = Colors { skin, shirt, trousers, dark };
    let mut builder = MeshBuilder::default();
    add_head(&mut builder, &colors);
    add_neck(&mut builder, &colors);
    add_body(&mut builder, &colors);
    for side in [-1.0, 1.0] {
        add_leg(&mut builder, &colors, side);
        add_arm(&mut builder, &colors, side);
    }
    let mut mesh = builder.finish(image);
    move_chin_first(&mut mesh);
    mesh
}

/// Converts a profile to rings along y, whose first vertex is in front.
fn upright_rings<const N: usize>(profile: [(f64, f64, f64, f64); N]) -> [LoftRing; N] {
    profile.map(|(y, front, back, side)| LoftRing {
        center: DVec3::new(f64::midpoint(front, back), y, 0.0),
        u: DVec3::X * ((front - back) / 2.0),
        v: DVec3::NEG_Z * side,
    })
}

fn add_head(builder: &mut MeshBuilder, colors: &Colors) {
    builder.loft(&upright_rings(HEAD_RINGS), 20, colors.skin, |_| rigid_influences(HEAD));
    let nose = DVec3::new(0.395, 2.37, 0.0);
    add_ball(builder, nose, [0.085, 0.06, 0.055], colors.skin, HEAD);
    for side in [-1.0, 1.0] {
        let eye = DVec3::new(0.345, 2.5, side * 0.155);
        let ear = DVec3::new(-0.02, 2.42, side * 0.385);
        add_ball(builder, eye, [0.042, 0.058, 0.042], colors.dark, HEAD);
        add_ball(builder, ear, [0.07, 0.095, 0.045], colors.skin, HEAD);
    }
}

/// Adds the neck, from the trunk into the head. Rings in the middle have equal weights of both
/// joints.
fn add_neck(builder: &mut MeshBuilder, colors: &Colors) {
    let neck = [
        (1.7, -0.01, -0.01, 0.0),
        (1.71, 0.13, -0.15, 0.14),
        (1.8, 0.115, -0.14, 0.125),
        (1.86, 0.11, -0.135, 0.12),
        (1.92, 0.11, -0.135, 0.12),
        (1.98, 0.115, -0.145, 0.125),
        (2.04, 0.115, -0.145, 0.125),
        (2.05, -0.01, -0.01, 0.0),
    ];
    builder.loft(&upright_rings(neck), 12, colors.skin, |position| {
        let head_weight = match position.y {
            y if y < 1.83 => 0.0,
            y if y < 1.95 => 0.5,
            _ => 1.0,
        };
        rounded_influences(&[(BODY, 1.0 - head_weight), (HEAD, head_weight)])
    });
}

fn add_body(builder: &mut MeshBuilder, colors: &Colors) {
    builder.loft(&upright_rings(TRUNK_RINGS), 16, colors.shirt, |_| rigid_influences(BODY));
    let hips = [
        (0.76, 0.0, 0.0, 0.0),
        (0.78, 0.1, -0.11, 0.15),
        (0.87, 0.165, -0.185, 0.225),
        (0.98, 0.18, -0.195, 0.245),
        (1.05, 0.17, -0.18, 0.235),
        (1.06, 0.0, 0.0, 0.0),
    ];
    builder.loft(&upright_rings(hips), 16, colors.trousers, |_| rigid_influences(BODY));
}

/// Adds a leg. `side` is 1 for the right leg of the figure, which is at z > 0, or −1.
fn add_leg(builder: &mut MeshBuilder, colors: &Colors, side: f64) {
    let stride = side * 0.2;
    let hip = DVec3::new(0.0, 0.86, side * 0.12);
    let knee = DVec3::new(stride * 0.55 + 0.03, 0.48, side * 0.13);
    let ankle = DVec3::new(stride, 0.1, side * 0.135);
    builder.limb([hip, knee], [0.125, 0.1], 10, colors.trousers, |_| rigid_influences(BODY));
    builder.limb([knee, ankle], [0.1, 0.075], 10, colors.trousers, |_| rigid_influences(BODY));
    let foot = ankle + DVec3::new(0.075, -0.035, 0.0);
    add_ball(builder, foot, [0.175, 0.065, 0.085], colors.dark, BODY);
}

fn add_arm(builder: &mut MeshBuilder, colors: &Colors, side: f64) {
    // The arms swing opposite to the legs.
    let swing = side * -0.17;
    let shoulder = DVec3::new(0.0, 1.64, side * 0.27);
    let elbow = DVec3::new(swing * 0.6 - 0.03, 1.32, side * 0.36);
    let wrist = DVec3::new(swing + 0.08, 1.05, side * 0.37);
    builder.limb([shoulder, elbow], [0.1, 0.08], 9, colors.shirt, |_| rigid_influences(BODY));
    builder.limb([elbow, wrist], [0.08, 0.06], 9, colors.shirt, |_| rigid_influences(BODY));
    let hand = wrist + DVec3::new(0.02, -0.075, 0.0);
    add_ball(builder, hand, [0.06, 0.085, 0.05], colors.skin, BODY);
}

/// Adds a small ellipsoid that follows one joint, such as an eye, a hand or a foot.
fn add_ball(builder: &mut MeshBuilder, center: DVec3, radii: [f64; 3], uv: DVec2, joint: u16) {
    builder.ball(center, radii.into(), [9, 6], uv, |_| rigid_influences(joint));
}

/// Swaps the point of the chin with vertex 0.
fn move_chin_first(mesh: &mut Mesh) {
    let chin = Vec3::new(0.25, HEAD_HEIGHT as f32, 0.0);
    let Some(index) = mesh.positions.iter().position(|&p| p == chin) else {
        return;
    };
    mesh.positions.swap(0, index);
    mesh.normals.swap(0, index);
    mesh.uvs.swap(0, index);
    mesh.influences.swap(0, index);
    let index = index as u32;
    for corner in mesh.triangles.iter_mut().flatten() {
        if *corner == 0 {
            *corner = index;
        } else if *corner == index {
            *corner = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vertex_0_is_the_chin() {
        let rig = rig().unwrap();
        assert_eq!(rig.mesh.positions[0], Vec3::new(0.25, 2.0, 0.0));
        assert_eq!(rig.mesh.influences[0], rigid_influences(HEAD));
        assert_eq!(
            rig.skeleton.joints()[1].joint_from_bind,
            glam::Mat4::from_translation(Vec3::new(0.0, -2.0, 0.0))
        );
        let count = rig.mesh.positions.len();
        assert!((600..=1500).contains(&count), "{count}");
    }

    #[test]
    fn the_feet_are_on_the_ground() {
        let (min, max) = rig().unwrap().mesh.bounds();
        assert!(min.y.abs() < 0.01, "{min}");
        assert!((2.8..3.0).contains(&max.y), "{max}");
    }

    #[test]
    fn rings_of_the_neck_have_equal_weights_of_both_joints() {
        let rig = rig().unwrap();
        let shared = rig
            .mesh
            .influences
            .iter()
            .filter(|influences| influences.weights[..2] == [0.5, 0.5])
            .count();
        assert_eq!(shared, 24, "two rings of twelve");
    }
}
