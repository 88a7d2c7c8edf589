//! Blend methods and normal rules, compared with float64 and golden numbers.

use super::*;

#[test]
fn a_mirrored_joint_does_not_turn_normals_inward() {
    let mirrored = Mat4::from_scale(Vec3::new(-1.0, 1.0, 1.0));
    let up = normal_from_bind(mirrored) * Vec3::Y;
    assert!(up.abs_diff_eq(Vec3::Y, 1e-6), "{up}");
}

#[test]
fn linear_and_dual_quaternion_blends_are_the_golden_ones() {
    let golden = data(include_str!("../data/blends.json"));
    let cases = golden["cases"].as_array().unwrap();
    assert!(cases.len() >= 20, "{}", cases.len());
    for case in cases {
        let palette: Vec<Mat4> = case["rotations_xyzw"]
            .as_array()
            .unwrap()
            .iter()
            .zip(points(&case["translations"]))
            .map(|(xyzw, translation)| {
                let xyzw: [f32; 4] = floats(xyzw).try_into().unwrap();
                let rotation = Quat::from_array(xyzw).normalize();
                Mat4::from_rotation_translation(rotation, translation)
            })
            .collect();
        let pairs: Vec<_> = (0..).map(JointIndex).zip(floats(&case["weights"])).collect();
        let influences = Influences::new(&pairs);
        let vertex = Vec3::from_slice(&floats(&case["vertex"]));
        let motions: Vec<_> =
            palette.iter().map(|&matrix| JointMotion::from_matrix(matrix)).collect();
        let exact: Vec<DMat4> = palette.iter().map(|m| m.as_dmat4()).collect();
        for (blend, name, matrix) in [
            (Blend::Linear, "linear", skin_matrix(&influences, &palette)),
            (
                Blend::DualQuaternion,
                "dual_quaternion",
                dual_quaternion_matrix(&influences, &motions),
            ),
        ] {
            let expected = Vec3::from_slice(&floats(&case[name]));
            let reference = reference::skin_matrix(blend, &influences, &exact).as_mat4();
            for matrix in [matrix, reference] {
                let found = matrix.transform_point3(vertex);
                assert_points(&[found], &[expected]);
            }
        }
    }
}

#[test]
fn a_twisted_joint_narrows_by_the_golden_radius_or_keeps_its_width() {
    let golden = data(include_str!("../data/blends.json"));
    let half = Influences::new(&[(JointIndex(0), 0.5), (JointIndex(1), 0.5)]);
    for case in golden["candy_wrapper"].as_array().unwrap() {
        let twist = (case["twist_deg"].as_f64().unwrap() as f32).to_radians();
        let palette = [Mat4::IDENTITY, Mat4::from_rotation_x(twist)];
        let motions = palette.map(JointMotion::from_matrix);
        for (name, matrix) in [
            ("linear_radius", skin_matrix(&half, &palette)),
            ("dual_quaternion_radius", dual_quaternion_matrix(&half, &motions)),
        ] {
            let radius = matrix.transform_point3(Vec3::Y).length();
            let expected = case[name].as_f64().unwrap() as f32;
            assert!((radius - expected).abs() <= 1e-6, "{name} at {twist}: {radius}");
        }
    }
}

#[test]
fn every_rule_for_normals_agrees_with_float64_whatever_is_scaled_or_mirrored() {
    let turn = Mat4::from_rotation_x(0.4) * Mat4::from_rotation_z(2.9);
    let normal = Vec3::new(0.48, 0.6, -0.64);
    for scale in [[1.0, 1.0, 1.0], [1.0, 0.2, 3.0], [-1.0, 1.0, 1.0]] {
        let matrix = turn * Mat4::from_scale(Vec3::from(scale)) * Mat4::from_rotation_y(1.0);
        let mut found = Vec::new();
        for rule in NormalRule::ALL {
            let moved = (normal_matrix(rule, matrix) * normal).normalize_or_zero();
            let expected = reference::moved_normal(rule, normal.as_dvec3(), matrix.as_dmat4());
            assert!(moved.abs_diff_eq(expected.as_vec3(), 1e-5), "{rule:?} {scale:?}");
            found.push(moved);
        }
        let [right, plain, cofactor, stored] = found.try_into().unwrap();
        assert!(stored.abs_diff_eq(normal, 1e-6));
        let side = if scale[0] < 0.0 { -1.0 } else { 1.0 };
        assert!(cofactor.abs_diff_eq(right * side, 1e-5), "{scale:?}");
        let squashed = scale[1].abs() != scale[0].abs();
        assert_eq!(right.abs_diff_eq(plain, 1e-3), !squashed, "{scale:?}");
    }
}
