//! The 2D bone grid as a program.

#![expect(clippy::print_stdout, reason = "the program on the page prints")]

// begin bone-grid
use glam::{Mat4, Vec3, vec3};

/// A joint. In their list, parents come first.
#[derive(Default)]
struct Joint {
    parent: Option<usize>,
    local: Mat4,
    world: Mat4,
    inverse_bind: Mat4,
    world_from_bind: Mat4,
}

/// Joints and weights of both vertices of a rung.
const RUNGS: [[(usize, f32); 2]; 5] = [
    [(0, 1.0), (0, 0.0)],
    [(0, 0.5), (1, 0.5)],
    [(1, 1.0), (0, 0.0)],
    [(1, 0.5), (2, 0.5)],
    [(2, 1.0), (0, 0.0)],
];

/// Once: three joints, bound with all angles at 0.
fn bind() -> Vec<Joint> {
    let mut joints = Vec::new();
    for parent in [None, Some(0), Some(1)] {
        joints.push(Joint {
            parent,
            ..Joint::default()
        });
    }
    pose(&mut joints, [0.0; 3]);
    for joint in &mut joints {
        joint.inverse_bind = joint.world.inverse();
    }
    joints
}

/// In every frame: all matrices. Turns are in radians.
fn pose(joints: &mut [Joint], turns: [f32; 3]) {
    for (joint, turn) in joints.iter_mut().zip(turns) {
        let is_root = joint.parent.is_none();
        let x = if is_root { 0.0 } else { 4.0 };
        let along = Mat4::from_translation(x * Vec3::X);
        let turned = Mat4::from_rotation_z(turn);
        joint.local = along * turned;
    }
    // 1. Down the chain.
    for j in 0..joints.len() {
        let local = joints[j].local;
        joints[j].world = match joints[j].parent {
            Some(up) => joints[up].world * local,
            None => local,
        };
    }
    // 2. Out of bind space and into the world.
    for joint in joints {
        joint.world_from_bind =
            joint.world * joint.inverse_bind;
    }
}

/// 3. The ten vertices, by the joint matrices.
fn skin(joints: &[Joint]) -> Vec<Vec3> {
    let mut skinned = Vec::new();
    for (rung, influences) in RUNGS.iter().enumerate() {
        for y in [1.0, -1.0] {
            let p = vec3(2.0 * rung as f32, y, 0.0);
            let mut sum = Vec3::ZERO;
            for &(j, weight) in influences {
                let m = joints[j].world_from_bind;
                sum += weight * m.transform_point3(p);
            }
            skinned.push(sum);
        }
    }
    skinned
}

fn main() {
    let mut joints = bind();
    // Forty frames, a tenth of a second each.
    for frame in 0..40 {
        let angle = (0.1 * frame as f32).sin() * 0.8;
        pose(&mut joints, [angle; 3]);
        let v8 = skin(&joints)[8];
        let degrees = angle.to_degrees();
        println!("{degrees:.1}°: v8 is at {v8:.3}");
    }
}
// end bone-grid

#[test]
fn the_program_computes_the_golden_numbers_of_the_grid() {
    main();
    let data = include_str!("../data/bone_grid.json");
    let data: serde_json::Value = serde_json::from_str(data).unwrap();
    let float = |value: &serde_json::Value| value.as_f64().unwrap() as f32;
    let mut joints = bind();
    for case in data["cases"].as_array().unwrap() {
        pose(&mut joints, std::array::from_fn(|joint| float(&case["angles_rad"][joint])));
        for (vertex, found) in skin(&joints).into_iter().enumerate() {
            let expected = &case["skinned"][vertex];
            let expected = vec3(float(&expected[0]), float(&expected[1]), 0.0);
            assert!(found.abs_diff_eq(expected, 1e-5), "v{vertex}: {found} for {expected}");
        }
    }
}
