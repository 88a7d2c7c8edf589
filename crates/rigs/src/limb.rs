//! A limb with morph targets for the deformation by muscles and by the tip of the elbow, which
//! joints cannot achieve.
//!
//! The limb lies along x. Joint 1 is at the elbow, in its middle, and bends towards +y, where the
//! biceps is. The tip of the elbow is on the opposite side.

use std::f64::consts::FRAC_PI_2;

use bindpose_gltf::{Mesh, MorphTarget, Param, ParamKind, Rig};
use bindpose_skin::{Influences, SkeletonError};
use glam::{DMat3, DVec3, Vec3};

use super::mesh_builder::{
    LoftRing, MeshBuilder, curve_at, palette_image, rounded_influences, smooth_step,
};
use super::rig_parts::{angle_param, unturned_skeleton};

const LENGTH: f64 = 4.0;
const ELBOW: f64 = 2.0;
const SEGMENTS: u32 = 24;
const RINGS: u32 = 40;
/// Half the length of the blend around the elbow.
const BLEND: f64 = 0.6;

/// Pairs of x coordinate and radius, from shoulder to wrist.
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

/// Function that maps a point to its morphed position.
type Shape = fn(DVec3) -> DVec3;

/// Name and shape of each morph target.
const SHAPES: [(&str, Shape); 3] = [("biceps", biceps), ("elbow", elbow), ("thick", thick)];

pub(crate) fn rig() -> Result<Rig, SkeletonError> {
    let skeleton = unturned_skeleton([
        ("upper".to_owned(), None, Vec3::ZERO),
        ("lower".to_owned(), Some(0), Vec3::X * ELBOW as f32),
    ])?;
    let mut params = vec![
        angle_param("bend", "bend", 1, Vec3::Z, FRAC_PI_2 * 1.5),
        angle_param("twist", "twist", 1, Vec3::X, FRAC_PI_2),
    ];
    for (slot, (name, _)) in SHAPES.into_iter().enumerate() {
        params.push(Param {
            name: name.to_owned(),
            label: name.to_owned(),
            kind: ParamKind::Morph { slot },
            default: 0.0,
            range: (0.0, 1.0),
        });
    }
    Ok(Rig {
        params,
        morph_weights: vec![0.0; SHAPES.len()],
        ..Rig::new("limb", "Limb with shapes", skeleton, mesh())
    })
}

fn mesh() -> Mesh {
    let (image, [skin]) = palette_image([[0xD9, 0xB8, 0x9C]]);
    let mut builder = MeshBuilder::default();
    builder.loft(&rings(), SEGMENTS, skin, influences);
    let mut mesh = builder.finish(image);
    let mut targets = Vec::new();
    for (slot, (name, shape)) in SHAPES.into_iter().enumerate() {
        targets.push(morph_target(&mesh, slot, name, shape));
    }
    mesh.targets = targets;
    mesh
}

/// Returns the rings of the limb. Their distance is smaller at the rounded ends.
fn rings() -> Vec<LoftRing> {
    (0..=RINGS)
        .map(|step| {
            let t = f64::from(step) / f64::from(RINGS);
            let x = LENGTH * (0.35 * smooth_step(0.0, 1.0, t) + 0.65 * t);
            let radius = curve_at(&RADII, x);
            LoftRing { center: DVec3::X * x, u: DVec3::Y * radius, v: DVec3::Z * radius }
        })
        .collect()
}

fn influences(position: DVec3) -> Influences {
    let lower = smooth_step(ELBOW - BLEND, ELBOW + BLEND, position.x);
    rounded_influences(&[(0, 1.0 - lower), (1, lower)])
}

/// Returns 1 at `middle`, 0 at a distance of `width` or more, and a smooth transition in between.
fn bump(middle: f64, width: f64, x: f64) -> f64 {
    smooth_step(width, 0.0, (x - middle).abs())
}

/// Returns 1 on the side of `up`, which is 1 for +y or −1 for −y, and 0 on the opposite side.
fn side_factor(up: f64, p: DVec3) -> f64 {
    let direction = DVec3::new(0.0, p.y, p.z).normalize_or_zero();
    (0.5 + 0.5 * up * direction.y).powi(2)
}

/// Thickens the muscle of the upper arm.
fn biceps(p: DVec3) -> DVec3 {
    let amount = bump(1.05, 0.85, p.x) * side_factor(1.0, p);
    p + DVec3::Y * (0.3 * amount)
}

/// Pushes out the tip of the elbow, to counteract the shrinking of the skin around it.
fn elbow(p: DVec3) -> DVec3 {
    let amount = bump(ELBOW, 0.6, p.x) * side_factor(-1.0, p);
    p - DVec3::Y * (0.28 * amount)
}

/// Thickens the whole limb by a third, except for its ends.
fn thick(p: DVec3) -> DVec3 {
    let amount = bump(LENGTH / 2.0, LENGTH / 2.0, p.x);
    p + DVec3::new(0.0, p.y, p.z) * (amount / 3.0)
}

/// Creates a morph target from a shape. Normals are transformed by the inverse transpose of the
/// shape's derivative.
fn morph_target(mesh: &Mesh, slot: usize, name: &str, shape: Shape) -> MorphTarget {
    let mut positions = Vec::with_capacity(mesh.positions.len());
    let mut normals = Vec::with_capacity(mesh.positions.len());
    for (position, normal) in mesh.positions.iter().zip(&mesh.normals) {
        let position = position.as_dvec3();
        let normal = normal.as_dvec3();
        let morphed_normal = derivative(shape, position).inverse().transpose() * normal;
        positions.push(round_difference(shape(position) - position));
        normals.push(round_difference(morphed_normal.normalize_or(normal) - normal));
    }
    MorphTarget { name: name.to_owned(), slot, first_vertex: 0, positions, normals }
}

fn derivative(shape: Shape, p: DVec3) -> DMat3 {
    const STEP: f64 = 1e-4;
    let [x, y, z] = [DVec3::X, DVec3::Y, DVec3::Z]
        .map(|axis| (shape(p + axis * STEP) - shape(p - axis * STEP)) / (2.0 * STEP));
    DMat3::from_cols(x, y, z)
}

/// Rounds to multiples of 1e-5, because the last digits differ between machines. The addition
/// turns −0 into 0.
fn round_difference(difference: DVec3) -> Vec3 {
    difference.map(|x| (x * 1e5).round() / 1e5 + 0.0).as_vec3()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the outermost vertex near `x` on the side +y or −y.
    fn find_vertex(mesh: &Mesh, x: f64, side: f32) -> usize {
        let distances = mesh
            .positions
            .iter()
            .map(|p| (f64::from(p.x) - x).abs() + f64::from((p.z).abs() - side * p.y));
        distances.enumerate().min_by(|(_, a), (_, b)| a.total_cmp(b)).unwrap().0
    }

    #[test]
    fn each_shape_moves_its_own_part_except_for_the_ends() {
        let mesh = rig().unwrap().mesh;
        let muscle = find_vertex(&mesh, 1.05, 1.0);
        let tip = find_vertex(&mesh, ELBOW, -1.0);
        let [biceps, elbow, thick] =
            [0, 1, 2].map(|slot: usize| mesh.targets[slot].positions.as_slice());
        assert!((biceps[muscle].y - 0.3).abs() < 0.02, "{}", biceps[muscle]);
        assert_eq!(biceps[tip], Vec3::ZERO);
        assert!((elbow[tip].y + 0.28).abs() < 0.02, "{}", elbow[tip]);
        assert_eq!(elbow[muscle], Vec3::ZERO);
        let third = mesh.positions[tip] * Vec3::new(0.0, 1.0 / 3.0, 1.0 / 3.0);
        assert!(thick[tip].abs_diff_eq(third, 0.01), "{}", thick[tip]);
        for target in &mesh.targets {
            for vertex in [0, mesh.positions.len() - 1] {
                assert_eq!(target.positions[vertex], Vec3::ZERO, "{}", target.name);
            }
        }
    }

    /// Compares with the normals of the morphed triangles, which do not depend on derivatives.
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
                // Near the ends, the normals differ even without morphing.
                if (0.3..3.6).contains(&x) {
                    let facing = sum.normalize().dot(morphed.normals[vertex].as_dvec3());
                    assert!(facing > 0.99, "{slot} {vertex}: {facing}");
                }
            }
        }
    }

    #[test]
    fn only_morph_parameters_change_morph_weights() {
        let rig = rig().unwrap();
        let names: Vec<&str> = rig.morphs().map(|param| param.name.as_str()).collect();
        assert_eq!(names, ["biceps", "elbow", "thick"]);
        let posed = rig.posed(|name| (name == "elbow").then_some(0.5));
        assert_eq!(posed.morph_weights, [0.0, 0.5, 0.0]);
        let posed = rig.posed(|name| (name == "bend").then_some(1.0));
        assert_eq!(posed.morph_weights, [0.0; 3]);
    }
}
