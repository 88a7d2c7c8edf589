//! Skinning against numbers made elsewhere: `tests/data/*.json` come from an
//! independent float64 program. Beside them, what must hold for any numbers.

#![expect(
    clippy::unwrap_used,
    reason = "helpers of tests may fail as loudly as tests"
)]

#[path = "golden/corpus.rs"]
mod corpus;
#[path = "../fuzz/targets.rs"]
#[expect(
    unreachable_pub,
    reason = "the fuzzers, for which this is a crate, reach it"
)]
mod fuzz_targets;

use std::sync::Arc;

use bindpose::asset::{ByteEdits, ClipAt, Rig, builtin, read_again};
use bindpose::skin::{
    Blend, Influences, Interpolation, JointIndex, JointMotion, NormalRule, Pose, Property, Track,
    dual_quaternion_matrix, joint_matrices, keep_strongest, normal_from_bind, normal_matrix,
    reference, skin_matrix, skin_normals, skin_position, skin_positions,
};
use glam::{DMat4, EulerRot, Mat4, Quat, Vec3};
use proptest::prelude::*;
use serde_json::Value;

/// Absolute, on rigs of about unit scale.
const POSITION_TOLERANCE: f32 = 1e-5;
const MATRIX_TOLERANCE: f32 = 1e-6;

fn data(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn floats(value: &Value) -> Vec<f32> {
    value
        .as_array()
        .unwrap()
        .iter()
        .map(|number| number.as_f64().unwrap() as f32)
        .collect()
}

fn points(value: &Value) -> Vec<Vec3> {
    value
        .as_array()
        .unwrap()
        .iter()
        .map(|point| {
            let p = floats(point);
            Vec3::new(p[0], p[1], p.get(2).copied().unwrap_or(0.0))
        })
        .collect()
}

fn matrix(value: &Value) -> Mat4 {
    Mat4::from_cols_slice(&floats(value))
}

fn matrices(value: &Value) -> Vec<Mat4> {
    value.as_array().unwrap().iter().map(matrix).collect()
}

#[track_caller]
fn assert_points(found: &[Vec3], expected: &[Vec3]) {
    assert_eq!(found.len(), expected.len());
    for (index, (found, expected)) in found.iter().zip(expected).enumerate() {
        let off = (*found - *expected).abs().max_element();
        assert!(
            off <= POSITION_TOLERANCE,
            "vertex {index}: {found} for {expected}"
        );
    }
}

#[track_caller]
fn assert_matrices(found: &[Mat4], expected: &[Mat4]) {
    assert_eq!(found.len(), expected.len());
    for (index, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!(
            found.abs_diff_eq(*expected, MATRIX_TOLERANCE),
            "joint {index}: {found} for {expected}"
        );
    }
}

/// A rig in some pose, and all that follows from it.
struct Computed {
    rig: Arc<Rig>,
    pose: Pose,
    world_from_joint: Vec<Mat4>,
    joint_from_bind: Vec<Mat4>,
    world_from_bind: Vec<Mat4>,
}

impl Computed {
    fn new(rig: &Arc<Rig>, value: impl Fn(&str) -> Option<f64>) -> Self {
        let posed = rig.posed(value);
        let world_from_joint = rig.skeleton.world_from_joint(&posed.pose);
        let world_from_bind = joint_matrices(&world_from_joint, &posed.joint_from_bind);
        Self {
            rig: Arc::clone(rig),
            pose: posed.pose,
            world_from_joint,
            joint_from_bind: posed.joint_from_bind,
            world_from_bind,
        }
    }

    fn positions_by(&self, palette: &[Mat4]) -> Vec<Vec3> {
        let mesh = &self.rig.mesh;
        skin_positions(&mesh.positions, &mesh.influences, palette)
    }

    fn positions(&self) -> Vec<Vec3> {
        self.positions_by(&self.world_from_bind)
    }

    /// The same by the naive float64 path.
    fn reference_positions(&self) -> Vec<Vec3> {
        let joints = self.rig.skeleton.joints();
        let parents: Vec<_> = joints.iter().map(|joint| joint.parent).collect();
        let local: Vec<DMat4> = self
            .pose
            .parent_from_joint
            .iter()
            .map(reference::parent_from_joint)
            .collect();
        let world_from_bind: Vec<DMat4> = self
            .rig
            .skeleton
            .indices()
            .zip(&self.joint_from_bind)
            .map(|(joint, joint_from_bind)| {
                reference::world_from_joint(joint, &parents, &local) * joint_from_bind.as_dmat4()
            })
            .collect();
        let mesh = &self.rig.mesh;
        mesh.positions
            .iter()
            .zip(&mesh.influences)
            .map(|(p, influences)| {
                reference::skin_position(p.as_dvec3(), influences, &world_from_bind).as_vec3()
            })
            .collect()
    }
}

#[test]
fn the_bone_grid_has_the_articles_data() {
    let data = data(include_str!("data/bone_grid.json"));
    let mesh = &builtin("bone_grid").unwrap().mesh;
    assert_eq!(mesh.positions, points(&data["positions"]));
    for (vertex, influences) in mesh.influences.iter().enumerate() {
        let joints = floats(&data["joints"][vertex]);
        let weights = floats(&data["weights"][vertex]);
        let stored = influences.joints.map(|j| f32::from(j.0));
        assert_eq!(stored[..joints.len()], joints);
        assert_eq!(influences.weights[..weights.len()], weights);
        assert!(influences.lanes() <= weights.len());
    }
    assert_eq!((mesh.lines.len(), mesh.triangles.len()), (13, 8));
}

#[test]
fn the_bone_grid_bends_to_the_golden_numbers() {
    let rig = builtin("bone_grid").unwrap();
    let data = data(include_str!("data/bone_grid.json"));
    let cases = data["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 8);
    for case in cases {
        let angles: Vec<f64> = case["angles_rad"]
            .as_array()
            .unwrap()
            .iter()
            .map(|angle| angle.as_f64().unwrap())
            .collect();
        let computed = Computed::new(&rig, |name| match name {
            "b0" => Some(angles[0]),
            "b1" => Some(angles[1]),
            "b2" => Some(angles[2]),
            _ => None,
        });
        assert_matrices(
            &computed.world_from_joint,
            &matrices(&case["world_from_joint"]),
        );
        assert_matrices(
            &computed.joint_from_bind,
            &matrices(&case["joint_from_bind"]),
        );
        assert_matrices(
            &computed.world_from_bind,
            &matrices(&case["joint_matrices"]),
        );
        assert_points(&computed.positions(), &points(&case["skinned"]));
        assert_points(&computed.reference_positions(), &points(&case["skinned"]));
        assert_points(
            &computed.positions_by(&computed.world_from_joint),
            &points(&case["skinned_without_inverse_bind"]),
        );
    }
}

/// The tutorial's rectangle as it was in 2017: half a unit to the right.
fn simple_skin_of_2017() -> Arc<Rig> {
    let rig = builtin("simple_skin").unwrap();
    rig.as_stored(|name| (name == "stored_x").then_some(0.5))
}

fn bent(rig: &Arc<Rig>, case: &Value) -> Computed {
    let angle_rad = case["joint1_rotation_z_deg"].as_f64().unwrap().to_radians();
    Computed::new(rig, |name| (name == "bend").then_some(angle_rad))
}

fn assert_rest_data(rig: &Rig, data: &Value) {
    assert_eq!(rig.mesh.positions, points(&data["positions"]));
    for (vertex, influences) in rig.mesh.influences.iter().enumerate() {
        assert_eq!(
            influences.weights[..2].to_vec(),
            floats(&data["weights"][vertex])
        );
    }
}

#[test]
fn simple_skin_of_today_bends_to_the_golden_numbers() {
    let rig = builtin("simple_skin").unwrap();
    let data = data(include_str!("data/simple_skin_current.json"));
    assert_rest_data(&rig, &data);
    let cases = data["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 6);
    for case in cases {
        let computed = bent(&rig, case);
        assert_matrices(
            &computed.world_from_bind,
            &matrices(&case["joint_matrices"]),
        );
        assert_points(&computed.positions(), &points(&case["skinned"]));
        assert_points(&computed.reference_positions(), &points(&case["skinned"]));
    }
}

#[test]
fn simple_skin_read_from_its_file_is_the_one_made_in_memory() {
    let (file, memory) = (
        builtin("simple_skin_file").unwrap(),
        builtin("simple_skin").unwrap(),
    );
    assert_eq!(file.mesh.positions, memory.mesh.positions);
    assert_eq!(file.mesh.normals, memory.mesh.normals);
    assert_eq!(file.mesh.triangles, memory.mesh.triangles);
    assert_eq!(file.mesh.lines, memory.mesh.lines);
    assert_eq!(file.skeleton, memory.skeleton);
    assert_eq!(file.params, memory.params);
    let data = data(include_str!("data/simple_skin_current.json"));
    for case in data["cases"].as_array().unwrap() {
        let computed = bent(&file, case);
        assert_points(&computed.positions(), &points(&case["skinned"]));
    }
}

/// The numbers that readers of the tutorial see who overlook `byteStride`: the
/// odd vertices, and v2, stay at rest.
#[test]
fn without_its_stride_simple_skin_bends_on_one_side_alone() {
    let stored = builtin("simple_skin_file").unwrap();
    let rig = Arc::new(read_again(&stored, &ByteEdits::default(), true).unwrap());
    let posed = rig.posed(|name| (name == "bend").then_some(std::f64::consts::FRAC_PI_2));
    let world_from_joint = rig.skeleton.world_from_joint(&posed.pose);
    let world_from_bind: Vec<Mat4> = world_from_joint
        .iter()
        .zip(&posed.joint_from_bind)
        .map(|(world, bind)| *world * *bind)
        .collect();
    let found = skin_positions(&rig.mesh.positions, &rig.mesh.influences, &world_from_bind);
    let mut expected = rig.mesh.positions.clone();
    for (vertex, x, y) in [(4, -0.25, 0.75), (6, -0.5, 0.75), (8, -1.0, 0.5)] {
        expected[vertex] = Vec3::new(x, y, 0.0);
    }
    assert_points(&found, &expected);
    assert_eq!(expected[2], Vec3::new(-0.5, 0.5, 0.0));
}

#[test]
fn simple_skin_of_2017_bends_to_the_golden_numbers() {
    let rig = simple_skin_of_2017();
    let data = data(include_str!("data/simple_skin.json"));
    assert_rest_data(&rig, &data);
    let cases = data["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 6);
    for case in cases {
        let computed = bent(&rig, case);
        let only = |matrix: Mat4| {
            rig.mesh
                .positions
                .iter()
                .map(|&p| matrix.transform_point3(p))
                .collect::<Vec<_>>()
        };
        let skin_matrices: Vec<Mat4> = rig
            .mesh
            .influences
            .iter()
            .map(|influences| skin_matrix(influences, &computed.world_from_bind))
            .collect();
        assert_matrices(
            &computed.world_from_bind,
            &matrices(&case["joint_matrices"]),
        );
        assert_matrices(&skin_matrices, &matrices(&case["skin_matrices"]));
        assert_points(
            &only(computed.joint_from_bind[1]),
            &points(&case["by_inverse_bind1_only"]),
        );
        assert_points(
            &only(computed.world_from_bind[1]),
            &points(&case["by_joint1_only"]),
        );
        assert_points(&computed.positions(), &points(&case["skinned"]));
    }
}

/// Both joints at the bend, and a shift in both inverse binds: no inverse of
/// either joint, and the picture of today all the same.
#[test]
fn the_file_of_2017_bends_as_that_of_today() {
    let rig = simple_skin_of_2017();
    let data = data(include_str!("data/simple_skin_current.json"));
    for case in data["cases"].as_array().unwrap() {
        let angle_rad = case["joint1_rotation_z_deg"].as_f64().unwrap().to_radians();
        let computed = Computed::new(&rig, |name| match name {
            "bend" => Some(angle_rad),
            "shape_x" => Some(-0.5),
            "root_y" => Some(1.0),
            "tip_y" => Some(-1.0),
            _ => None,
        });
        let stored = Mat4::from_translation(Vec3::new(-0.5, -1.0, 0.0));
        assert_matrices(&computed.joint_from_bind, &[stored, stored]);
        assert_points(&computed.positions(), &points(&case["skinned"]));
    }
}

#[test]
fn moving_the_mesh_node_moves_nothing() {
    let data = data(include_str!("data/simple_skin.json"));
    let case = &data["mesh_node_moved"];
    let mut rig = (*simple_skin_of_2017()).clone();
    let moved = |name: &str| match name {
        "node_x" => Some(5.0),
        "node_y" => Some(3.0),
        "node_turn" => Some(0.6),
        _ => None,
    };
    rig.world_from_mesh_node = rig.mesh_node_moved(moved);
    assert_matrices(
        &[rig.world_from_mesh_node],
        &[matrix(&case["mesh_node_world"])],
    );
    let computed = bent(&Arc::new(rig), case);
    assert_points(&computed.positions(), &points(&case["world_positions"]));
    // How loaders that draw in the mesh node's space take it out again.
    let node_from_world = computed.rig.world_from_mesh_node.inverse();
    let in_node: Vec<Mat4> = computed
        .world_from_bind
        .iter()
        .map(|&world_from_bind| node_from_world * world_from_bind)
        .collect();
    assert_matrices(&in_node, &matrices(&case["joint_matrices"]));
}

#[test]
fn the_chin_is_four_up_without_the_inverse_bind_and_stays_with_it() {
    let rig = builtin("head").unwrap();
    let data = data(include_str!("data/bind_pose.json"));
    let chin = rig.mesh.positions[0];
    assert_eq!(chin.to_array().to_vec(), floats(&data["vertex"]));
    assert_matrices(
        &[rig.skeleton.joints()[1].joint_from_bind],
        &[matrix(&data["inverse_bind"])],
    );
    for case in data["cases"].as_array().unwrap() {
        let nod_rad = case["nod_rad"].as_f64().unwrap();
        let computed = Computed::new(&rig, |name| (name == "nod").then_some(nod_rad));
        let influences = &rig.mesh.influences[0];
        assert_matrices(&computed.world_from_joint[1..], &[matrix(&case["world"])]);
        assert_points(
            &[
                skin_position(chin, influences, &computed.world_from_joint),
                skin_position(chin, influences, &computed.world_from_bind),
            ],
            &[
                Vec3::from_slice(&floats(&case["without_inverse_bind"])),
                Vec3::from_slice(&floats(&case["with_inverse_bind"])),
            ],
        );
    }
}

#[test]
fn a_tilted_bind_pose_leaves_the_figure_as_stored_until_it_nods() {
    let rig = builtin("head").unwrap();
    let computed = Computed::new(&rig, |name| (name == "bind_tilt").then_some(0.6));
    assert_points(&computed.positions(), &rig.mesh.positions);
    assert!(
        !computed.joint_from_bind[1].abs_diff_eq(rig.skeleton.joints()[1].joint_from_bind, 0.1)
    );
}

#[test]
fn the_strongest_weights_are_kept_and_renormalised() {
    let data = data(include_str!("data/weights.json"));
    let cases = data["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 12);
    for case in cases {
        let pairs: Vec<_> = (0..)
            .map(JointIndex)
            .zip(floats(&case["weights"]))
            .collect();
        for (key, count) in [("top1", 1), ("top2", 2), ("top4", 4)] {
            let kept = keep_strongest(&pairs, count);
            let expected = case[key].as_array().unwrap();
            assert_eq!(kept.len(), expected.len());
            for ((joint, weight), expected) in kept.iter().zip(expected) {
                assert_eq!(u64::from(joint.0), expected[0].as_u64().unwrap());
                assert!((f64::from(*weight) - expected[1].as_f64().unwrap()).abs() < 1e-6);
            }
            let influences = Influences::new(&kept);
            assert!((influences.sum() - 1.0).abs() < 1e-6);
            assert_eq!(influences.strongest(), kept[0].0);
        }
    }
}

const RIGS: [&str; 5] = ["head", "bone_grid", "simple_skin", "arm", "centipede(6)"];

fn any_rig() -> impl Strategy<Value = Arc<Rig>> {
    prop::sample::select(RIGS.to_vec()).prop_map(|id| builtin(id).unwrap())
}

/// One angle a parameter; there are never more than eight.
fn any_angles() -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(-3.0..3.0_f64, 8)
}

fn any_rigid_motion() -> impl Strategy<Value = Mat4> {
    (
        prop::array::uniform3(-3.0..3.0_f32),
        prop::array::uniform3(-5.0..5.0_f32),
    )
        .prop_map(|([a, b, c], t)| {
            let rotation = Quat::from_euler(EulerRot::XYZ, a, b, c);
            Mat4::from_rotation_translation(rotation, Vec3::from_array(t))
        })
}

fn posed(rig: &Arc<Rig>, angles: &[f64]) -> Computed {
    let turning = rig.params.iter().filter(|p| p.kind.is_angle());
    let names: Vec<&str> = turning.map(|p| p.name.as_str()).collect();
    Computed::new(rig, |name| {
        let index = names.iter().position(|&other| other == name)?;
        angles.get(index).copied()
    })
}

fn far_apart(a: &[Vec3], b: &[Vec3]) -> f32 {
    a.iter()
        .zip(b)
        .map(|(a, b)| (*a - *b).abs().max_element())
        .fold(0.0, f32::max)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn in_the_bind_pose_every_vertex_stays(rig in any_rig()) {
        let computed = posed(&rig, &[]);
        prop_assert!(far_apart(&computed.positions(), &rig.mesh.positions) <= POSITION_TOLERANCE);
    }

    #[test]
    fn the_fast_path_agrees_with_float64(rig in any_rig(), angles in any_angles()) {
        let computed = posed(&rig, &angles);
        let off = far_apart(&computed.positions(), &computed.reference_positions());
        prop_assert!(off <= POSITION_TOLERANCE, "{} is off by {off}", rig.id);
    }

    #[test]
    fn moving_all_joints_rigidly_moves_the_mesh_rigidly(
        rig in any_rig(), angles in any_angles(), motion in any_rigid_motion(),
    ) {
        let computed = posed(&rig, &angles);
        let moved: Vec<Mat4> = computed.world_from_bind.iter().map(|&m| motion * m).collect();
        let expected: Vec<Vec3> =
            computed.positions().iter().map(|&p| motion.transform_point3(p)).collect();
        prop_assert!(far_apart(&computed.positions_by(&moved), &expected) <= 2e-5);
    }

    #[test]
    fn joints_permuted_with_their_indices_change_nothing(
        rig in any_rig(), angles in any_angles(), shift in 0_usize..6,
    ) {
        let computed = posed(&rig, &angles);
        let count = computed.world_from_bind.len();
        let mut palette = computed.world_from_bind.clone();
        palette.rotate_right(shift % count);
        let mut mesh = (*rig.mesh).clone();
        for joint in mesh.influences.iter_mut().flat_map(|influences| &mut influences.joints) {
            *joint = JointIndex(((joint.at() + shift) % count) as u16);
        }
        let found = skin_positions(&mesh.positions, &mesh.influences, &palette);
        prop_assert_eq!(found, computed.positions());
    }

    #[test]
    fn weights_that_sum_to_one_keep_what_moves_together_rigid(
        motion in any_rigid_motion(), parts in prop::array::uniform4(0.01..1.0_f32),
        a in prop::array::uniform3(-2.0..2.0_f32), b in prop::array::uniform3(-2.0..2.0_f32),
    ) {
        let pairs: Vec<_> = (0..).map(JointIndex).zip(parts).collect();
        let influences = Influences::new(&pairs).normalized();
        let palette = [motion; 4];
        let [a, b] = [a, b].map(Vec3::from_array);
        let [moved_a, moved_b] = [a, b].map(|p| skin_position(p, &influences, &palette));
        prop_assert!((moved_a.distance(moved_b) - a.distance(b)).abs() <= 2e-5);
    }

    #[test]
    fn normals_stay_unit_and_agree_with_float64(rig in any_rig(), angles in any_angles()) {
        // Within a right angle a joint, so that no ring collapses.
        let angles: Vec<f64> = angles.iter().map(|angle| angle * 0.25).collect();
        let computed = posed(&rig, &angles);
        let mesh = &rig.mesh;
        let normals = skin_normals(&mesh.normals, &mesh.influences, &computed.world_from_bind);
        let exact: Vec<DMat4> = computed.world_from_bind.iter().map(|m| m.as_dmat4()).collect();
        for ((found, stored), influences) in normals.iter().zip(&mesh.normals).zip(&mesh.influences) {
            prop_assert!((found.length() - 1.0).abs() <= 1e-5);
            let expected = reference::skin_normal(stored.as_dvec3(), influences, &exact).as_vec3();
            prop_assert!(found.abs_diff_eq(expected, 1e-4), "{found} for {expected}");
        }
    }
}

#[test]
fn a_mirrored_joint_does_not_turn_normals_inward() {
    let mirrored = Mat4::from_scale(Vec3::new(-1.0, 1.0, 1.0));
    let up = normal_from_bind(mirrored) * Vec3::Y;
    assert!(up.abs_diff_eq(Vec3::Y, 1e-6), "{up}");
}

#[test]
fn linear_and_dual_quaternion_blends_are_the_golden_ones() {
    let golden = data(include_str!("data/blends.json"));
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
        let pairs: Vec<_> = (0..)
            .map(JointIndex)
            .zip(floats(&case["weights"]))
            .collect();
        let influences = Influences::new(&pairs);
        let vertex = Vec3::from_slice(&floats(&case["vertex"]));
        let motions: Vec<_> = palette
            .iter()
            .map(|&matrix| JointMotion::from_matrix(matrix))
            .collect();
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
    let golden = data(include_str!("data/blends.json"));
    let half = Influences::new(&[(JointIndex(0), 0.5), (JointIndex(1), 0.5)]);
    for case in golden["candy_wrapper"].as_array().unwrap() {
        let twist = (case["twist_deg"].as_f64().unwrap() as f32).to_radians();
        let palette = [Mat4::IDENTITY, Mat4::from_rotation_x(twist)];
        let motions = palette.map(JointMotion::from_matrix);
        for (name, matrix) in [
            ("linear_radius", skin_matrix(&half, &palette)),
            (
                "dual_quaternion_radius",
                dual_quaternion_matrix(&half, &motions),
            ),
        ] {
            let radius = matrix.transform_point3(Vec3::Y).length();
            let expected = case[name].as_f64().unwrap() as f32;
            assert!(
                (radius - expected).abs() <= 1e-6,
                "{name} at {twist}: {radius}"
            );
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
            assert!(
                moved.abs_diff_eq(expected.as_vec3(), 1e-5),
                "{rule:?} {scale:?}"
            );
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

/// Two keys of one property.
fn two_keys(data: &Value, property: Property, interpolation: Interpolation) -> Track {
    let keys: &[&str] = match interpolation {
        Interpolation::CubicSpline => &["", "v0", "out_tangent0", "in_tangent1", "v1", ""],
        _ => &[],
    };
    let mut values: Vec<f32> = Vec::new();
    for key in keys {
        match *key {
            // Tangents before the first key and after the last lead nowhere.
            "" => values.extend([9.0, 9.0, 9.0]),
            key => values.extend(floats(&data["cubic_translation"][key])),
        }
    }
    if keys.is_empty() {
        let keys = data["linear_rotation"]["keys_xyzw"].as_array().unwrap();
        values = keys.iter().flat_map(floats).collect();
    }
    Track {
        property,
        interpolation,
        times_secs: floats(&data["times"]),
        width: if property == Property::Rotation { 4 } else { 3 },
        values,
    }
}

#[test]
fn clips_are_sampled_to_the_golden_numbers() {
    let data = data(include_str!("data/sampling.json"));
    let rotation = two_keys(&data, Property::Rotation, Interpolation::Linear);
    let translation = two_keys(&data, Property::Translation, Interpolation::CubicSpline);
    let cases = [
        ("linear_rotation", rotation),
        ("cubic_translation", translation),
    ];
    let mut checked = 0;
    for (name, track) in cases {
        for sample in data[name]["samples"].as_array().unwrap() {
            let time_secs = sample[0].as_f64().unwrap();
            let expected: Vec<f64> = sample[1]
                .as_array()
                .unwrap()
                .iter()
                .map(|number| number.as_f64().unwrap())
                .collect();
            let mut found = Vec::new();
            track.sample(time_secs, &mut found);
            // A quaternion and its negative are one rotation.
            let dot: f64 = found.iter().zip(&expected).map(|(a, b)| a * b).sum();
            let sign = if name == "linear_rotation" {
                dot.signum()
            } else {
                1.0
            };
            assert_eq!(found.len(), expected.len());
            for (found, expected) in found.iter().zip(&expected) {
                let off = (found * sign - expected).abs();
                assert!(
                    off < 1e-6,
                    "{name} at {time_secs} s: {found} for {expected}"
                );
            }
            checked += 1;
        }
    }
    assert_eq!(checked, 14);
}

#[test]
fn simple_skin_plays_the_tutorials_keys_made_unit() {
    let rig = builtin("simple_skin").unwrap();
    let [clip] = &rig.clips[..] else {
        panic!("{} clips", rig.clips.len());
    };
    assert_eq!((clip.name.as_str(), clip.duration_secs), ("bend", 5.5));
    let angle_deg = |time_secs: f64| {
        let at = ClipAt {
            clip: 0,
            time_secs,
            share: 1.0,
        };
        let pose = rig.posed_in(&[at], |_| None).pose;
        let rotation = pose.parent_from_joint[1].rotation;
        assert!((rotation.length() - 1.0).abs() < 1e-6);
        2.0 * rotation.z.atan2(rotation.w).to_degrees()
    };
    // Where the tutorial says 45° and 90°, its rounded keys say a little else.
    let off = 2.0 * 0.383_f32.atan2(0.924).to_degrees() - 45.0;
    for (time_secs, expected) in [
        (0.0, 0.0),
        (0.5, 45.0 + off),
        (0.75, (90.0 + 45.0 + off) / 2.0),
        (1.25, 90.0),
        (4.0, -90.0),
        (5.5, 0.0),
        (9.0, 0.0),
    ] {
        let found = angle_deg(time_secs);
        assert!(
            (found - expected).abs() < 1e-3,
            "{time_secs} s: {found} for {expected}"
        );
    }
}
