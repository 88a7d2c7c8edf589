//! The 2D bone grid as a program.

#![expect(clippy::print_stdout, reason = "the program on the page prints")]

// begin bone-grid
use glam::{Mat4, Vec3, vec3};

/// Joints and weights of both vertices of a rung.
const RUNGS: [[(usize, f32); 2]; 5] = [
    [(0, 1.0), (0, 0.0)],
    [(0, 0.5), (1, 0.5)],
    [(1, 1.0), (0, 0.0)],
    [(1, 0.5), (2, 0.5)],
    [(2, 1.0), (0, 0.0)],
];

/// World from joint: each joint is 4 along its parent's
/// x axis, and turned from it by an angle in radians.
fn compute_joints(angles: [f32; 3]) -> [Mat4; 3] {
    let turns = angles.map(Mat4::from_rotation_z);
    let along = Mat4::from_translation(4.0 * Vec3::X);
    let joint_0 = turns[0];
    let joint_1 = joint_0 * along * turns[1];
    let joint_2 = joint_1 * along * turns[2];
    [joint_0, joint_1, joint_2]
}

/// The ten vertices, by the joint matrices.
fn skin(joint_matrices: [Mat4; 3]) -> Vec<Vec3> {
    let mut skinned = Vec::new();
    for (rung, influences) in RUNGS.iter().enumerate() {
        for y in [1.0, -1.0] {
            let p = vec3(2.0 * rung as f32, y, 0.0);
            let mut sum = Vec3::ZERO;
            for &(j, weight) in influences {
                let m = joint_matrices[j];
                sum += weight * m.transform_point3(p);
            }
            skinned.push(sum);
        }
    }
    skinned
}

fn main() {
    // Once, in the bind pose: all angles 0.
    let bound = compute_joints([0.0; 3]);
    let inverses = bound.map(|joint| joint.inverse());
    // Forty frames, a tenth of a second each.
    for frame in 0..40 {
        let angle = (0.1 * frame as f32).sin() * 0.8;
        let joints = compute_joints([angle; 3]);
        let joint_matrices =
            [0, 1, 2].map(|j| joints[j] * inverses[j]);
        let v8 = skin(joint_matrices)[8];
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
    let inverse_bind = compute_joints([0.0; 3]).map(|joint| joint.inverse());
    for case in data["cases"].as_array().unwrap() {
        let joints = compute_joints(std::array::from_fn(|joint| float(&case["angles_rad"][joint])));
        let matrices = [0, 1, 2].map(|j| joints[j] * inverse_bind[j]);
        for (vertex, found) in skin(matrices).into_iter().enumerate() {
            let expected = &case["skinned"][vertex];
            let expected = vec3(float(&expected[0]), float(&expected[1]), 0.0);
            assert!(found.abs_diff_eq(expected, 1e-5), "v{vertex}: {found} for {expected}");
        }
    }
}
