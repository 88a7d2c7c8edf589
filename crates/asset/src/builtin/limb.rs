//! A limb with shapes of its own: what muscles and the tip of an elbow do that joints
//! cannot.
//!
//! It lies along x; joint 1 sits at the elbow, in its middle. Bent, it goes towards +y,
//! where the upper arm's muscle bulges; below is the tip of the elbow.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use bindpose_skin::{Influences, JointIndex, SkeletonError};
use glam::{DMat3, DVec2, DVec3, Vec3};

use super::mesh_builder::{LoftRing, MeshBuilder, curve, palette, rigid, smooth_step, weights};
use super::rig_parts::{angle, scale, unturned_skeleton};
use crate::{Mesh, MorphTarget, Param, ParamKind, Rig};

const LENGTH: f64 = 4.0;
const ELBOW: f64 = 2.0;
const SEGMENTS: u32 = 24;
const RINGS: u32 = 40;
/// Half the length of the blend around the elbow.
const BLEND: f64 = 0.6;

/// Half the thickness along the limb, from shoulder to wrist.
const RADII: [(f64, f64); 9] = [
    (0.0, 0.0),
    (0.03, 0.3),
    (0.12, 0.42),
    (0.9, 0.47),
    (1.9, 0.36),
    (2.6, 0.4),
    (3.7, 0.26),
    (3.95, 0.2),
    (4.0, 0.0),
];

/// Where a shape takes a point.
type Shape = fn(DVec3) -> DVec3;

/// By name.
const SHAPES: [(&str, Shape); 3] = [("biceps", biceps), ("elbow", elbow), ("thick", thick)];

pub(super) fn rig() -> Result<Rig, SkeletonError> {
    let skeleton = unturned_skeleton([
        ("upper".to_owned(), None, Vec3::ZERO),
        ("lower".to_owned(), Some(0), Vec3::X * ELBOW as f32),
    ])?;
    let shape = |(slot, (name, _)): (usize, &(&str, Shape))| Param {
        name: (*name).to_owned(),
        label: (*name).to_owned(),
        kind: ParamKind::Morph { slot },
        default: 0.0,
        range: (0.0, 1.0),
    };
    let mut params = vec![
        angle("bend", "bend", 1, Vec3::Z, FRAC_PI_2 * 1.5),
        angle("twist", "twist", 1, Vec3::X, FRAC_PI_2),
    ];
    params.extend(SHAPES.iter().enumerate().map(shape));
    Ok(Rig {
        params,
        morph_weights: vec![0.0; SHAPES.len()],
        ..Rig::new("limb", "Limb with shapes", skeleton, mesh())
    })
}

fn mesh() -> Mesh {
    let (image, [skin]) = palette([[0xD9, 0xB8, 0x9C]]);
    let mut builder = MeshBuilder::default();
    builder.loft(&rings(), SEGMENTS, skin, influences);
    let mut mesh = builder.finish(image);
    mesh.targets =
        (0..).zip(&SHAPES).map(|(slot, (name, shape))| target(&mesh, slot, name, *shape)).collect();
    mesh
}

/// Closer together at the ends, where it is round.
fn rings() -> Vec<LoftRing> {
    (0..=RINGS)
        .map(|step| {
            let part = f64::from(step) / f64::from(RINGS);
            let x = LENGTH * (0.35 * smooth_step(0.0, 1.0, part) + 0.65 * part);
            let radius = curve(&RADII, x);
            LoftRing { center: DVec3::X * x, u: DVec3::Y * radius, v: DVec3::Z * radius }
        })
        .collect()
}

fn influences(position: DVec3) -> Influences {
    let lower = smooth_step(ELBOW - BLEND, ELBOW + BLEND, position.x);
    weights(&[(0, 1.0 - lower), (1, lower)])
}

/// 1 at `middle`, 0 from `width` away, smooth.
fn bump(middle: f64, width: f64, x: f64) -> f64 {
    smooth_step(width, 0.0, (x - middle).abs())
}

/// How far round towards `up`, which is +y or −y: 1 on that side, 0 on the other.
fn towards(up: f64, p: DVec3) -> f64 {
    let round = DVec3::new(0.0, p.y, p.z).normalize_or_zero();
    (0.5 + 0.5 * up * round.y).powi(2)
}

/// The muscle over the upper arm becomes short and thick.
fn biceps(p: DVec3) -> DVec3 {
    let by = bump(1.05, 0.85, p.x) * towards(1.0, p);
    p + DVec3::Y * (0.3 * by)
}

/// The tip of the elbow stays where it is when the skin around it bends in.
fn elbow(p: DVec3) -> DVec3 {
    let by = bump(ELBOW, 0.6, p.x) * towards(-1.0, p);
    p - DVec3::Y * (0.28 * by)
}

/// All of it, by a third, but for the ends.
fn thick(p: DVec3) -> DVec3 {
    let by = bump(LENGTH / 2.0, LENGTH / 2.0, p.x);
    p + DVec3::new(0.0, p.y, p.z) * (by / 3.0)
}

/// What a shape adds to each vertex and to its normal, which goes as the inverse
/// transpose of the shape's derivative takes it.
fn target(mesh: &Mesh, slot: usize, name: &str, shape: Shape) -> MorphTarget {
    let places = mesh.positions.iter().map(|p| p.as_dvec3());
    let added = places.clone().map(|p| shape(p) - p);
    let turned = places.zip(&mesh.normals).map(|(p, &normal)| {
        let normal = normal.as_dvec3();
        let moved = derivative(shape, p).inverse().transpose() * normal;
        moved.normalize_or(normal) - normal
    });
    MorphTarget {
        name: name.to_owned(),
        slot,
        first_vertex: 0,
        positions: added.map(rounded).collect(),
        normals: turned.map(rounded).collect(),
    }
}

fn derivative(shape: Shape, p: DVec3) -> DMat3 {
    const STEP: f64 = 1e-4;
    let along = |axis: DVec3| (shape(p + axis * STEP) - shape(p - axis * STEP)) / (2.0 * STEP);
    DMat3::from_cols(along(DVec3::X), along(DVec3::Y), along(DVec3::Z))
}

/// In steps of 1e-5, against differences between machines; + 0.0 turns −0 into 0.
fn rounded(difference: DVec3) -> Vec3 {
    difference.map(|x| (x * 1e5).round() / 1e5 + 0.0).as_vec3()
}

// A gimbal: three rings, each turning in the one around it, with a plane in the
// middle; and beside it a plane on one joint alone that makes the same turns.

/// Of either plane from the middle, along x.
const APART: f64 = 1.6;
const TUBE: f64 = 0.045;
/// Of the plane that stands on one joint.
const ALONE: u16 = 3;

pub(super) fn gimbal_rig() -> Result<Rig, SkeletonError> {
    // A ring has the colour that the page gives its joint.
    let (image, [about_y, about_x, about_z, paint]) =
        palette([[0x00, 0x72, 0xB2], [0xE6, 0x9F, 0x00], [0x00, 0x9E, 0x73], [0xC9, 0xB4, 0x8F]]);
    let mut builder = MeshBuilder::default();
    let left = DVec3::X * -APART;
    // Each ring holds the pivots of the next.
    ring(&mut builder, left, [DVec3::X, DVec3::Y], 1.3, about_y, 0);
    ring(&mut builder, left, [DVec3::Z, DVec3::X], 1.15, about_x, 1);
    ring(&mut builder, left, [DVec3::Y, DVec3::Z], 1.0, about_z, 2);
    add_plane(&mut builder, left, paint, 2);
    add_plane(&mut builder, -left, paint, ALONE);
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
fn add_plane(builder: &mut MeshBuilder, center: DVec3, uv: DVec2, joint: u16) {
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

    use glam::Mat4;
    use glam::Quat;

    use super::*;

    fn top_at(mesh: &Mesh, x: f64, side: f32) -> usize {
        let away = |p: Vec3| (f64::from(p.x) - x).abs() + f64::from((p.z).abs() - side * p.y);
        (0..mesh.positions.len())
            .min_by(|&a, &b| away(mesh.positions[a]).total_cmp(&away(mesh.positions[b])))
            .unwrap()
    }

    #[test]
    fn each_shape_moves_its_own_part_and_leaves_the_ends() {
        let mesh = rig().unwrap().mesh;
        let muscle = top_at(&mesh, 1.05, 1.0);
        let tip = top_at(&mesh, ELBOW, -1.0);
        let by = |slot: usize, vertex: usize| mesh.targets[slot].positions[vertex];
        assert!((by(0, muscle).y - 0.3).abs() < 0.02, "{}", by(0, muscle));
        assert_eq!(by(0, tip), Vec3::ZERO);
        assert!((by(1, tip).y + 0.28).abs() < 0.02, "{}", by(1, tip));
        assert_eq!(by(1, muscle), Vec3::ZERO);
        let third = mesh.positions[tip] * Vec3::new(0.0, 1.0 / 3.0, 1.0 / 3.0);
        assert!(by(2, tip).abs_diff_eq(third, 0.01), "{}", by(2, tip));
        for target in &mesh.targets {
            for vertex in [0, mesh.positions.len() - 1] {
                assert_eq!(target.positions[vertex], Vec3::ZERO, "{}", target.name);
            }
        }
    }

    /// Against normals of the moved triangles, which know nothing of derivatives.
    #[test]
    fn normals_follow_the_shape() {
        let rig = rig().unwrap();
        let mesh = &rig.mesh;
        for slot in 0..SHAPES.len() {
            let mut shapes = vec![0.0; SHAPES.len()];
            shapes[slot] = 1.0;
            let morphed = mesh.morphed(&shapes).unwrap();
            let mut sums = vec![DVec3::ZERO; mesh.positions.len()];
            for &corners in &mesh.triangles {
                let [a, b, c] = corners.map(|corner| morphed.positions[corner as usize].as_dvec3());
                for corner in corners {
                    sums[corner as usize] += (b - a).cross(c - a);
                }
            }
            for (vertex, sum) in sums.iter().enumerate() {
                let x = f64::from(mesh.positions[vertex].x);
                // Where it narrows to a point the two differ at rest already.
                if (0.3..3.6).contains(&x) {
                    let facing = sum.normalize().dot(morphed.normals[vertex].as_dvec3());
                    assert!(facing > 0.99, "{slot} {vertex}: {facing}");
                }
            }
        }
    }

    #[test]
    fn sliders_add_the_shapes_and_bending_does_not() {
        let rig = rig().unwrap();
        let names: Vec<&str> = rig.morphs().map(|param| param.name.as_str()).collect();
        assert_eq!(names, ["biceps", "elbow", "thick"]);
        let posed = rig.posed(|name| (name == "elbow").then_some(0.5));
        assert_eq!(posed.morph_weights, [0.0, 0.5, 0.0]);
        let posed = rig.posed(|name| (name == "bend").then_some(1.0));
        assert_eq!(posed.morph_weights, [0.0; 3]);
    }

    fn world(values: [(&str, f64); 4]) -> Vec<Mat4> {
        let rig = gimbal_rig().unwrap();
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
