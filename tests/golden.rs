//! Skinning against numbers made elsewhere: `tests/data/*.json` come from an
//! independent float64 program. Beside them, what must hold for any numbers.

#![expect(
    clippy::unwrap_used,
    reason = "helpers of tests may fail as loudly as tests"
)]

#[path = "golden/corpus.rs"]
mod corpus;
#[path = "../fuzz/targets.rs"]
mod fuzz_targets;

use std::sync::Arc;

use bindpose::asset::{Rig, builtin};
use bindpose::skin::{
    Blend, Influences, JointIndex, JointMotion, NormalRule, Pose, dual_quaternion_matrix,
    keep_strongest, normal_from_bind, normal_matrix, reference, skin_matrix, skin_normals,
    skin_position, skin_positions,
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
        let world_from_bind = world_from_joint
            .iter()
            .zip(&posed.joint_from_bind)
            .map(|(&world_from_joint, &joint_from_bind)| world_from_joint * joint_from_bind)
            .collect();
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
    let mut rig = (*builtin("simple_skin").unwrap()).clone();
    let mesh = Arc::make_mut(&mut rig.mesh);
    for position in &mut mesh.positions {
        position.x += 0.5;
    }
    Arc::new(rig)
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

#[test]
fn moving_the_mesh_node_moves_nothing() {
    let data = data(include_str!("data/simple_skin.json"));
    let case = &data["mesh_node_moved"];
    let mut rig = (*simple_skin_of_2017()).clone();
    rig.world_from_mesh_node = matrix(&case["mesh_node_world"]);
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

/// Models made by others lie beside the repository on some machines only.
mod real_models {
    use std::path::{Path, PathBuf};

    use bindpose::asset::{bounds_of, read_gltf};
    use bindpose::skin::skin_positions;
    use glam::{DVec3, Mat4};
    use serde_json::Value;

    #[expect(clippy::print_stdout, reason = "a skip must be seen")]
    fn folder(test: &str) -> Option<PathBuf> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/models");
        if folder.is_dir() {
            return Some(folder);
        }
        println!("SKIPPED {test}: no folder with models");
        None
    }

    /// Is there a mesh in the reference that our skinned vertices agree with, to
    /// 1e-4 of the model's size?
    fn agrees(folder: &Path, name: &str) -> Result<(), String> {
        let bytes = std::fs::read(folder.join(name)).map_err(|e| e.to_string())?;
        let resolve = |file: &str| std::fs::read(folder.join(file)).ok();
        let rig = read_gltf(&bytes, &resolve).map_err(|e| e.to_string())?;
        let world_from_bind: Vec<Mat4> = rig
            .skeleton
            .world_from_joint(&rig.skeleton.rest_pose())
            .iter()
            .zip(rig.skeleton.joint_from_bind())
            .map(|(world_from_joint, joint_from_bind)| *world_from_joint * joint_from_bind)
            .collect();
        // The reference divides weights by their sum.
        let influences: Vec<_> = rig.mesh.influences.iter().map(|i| i.normalized()).collect();
        let skinned = skin_positions(&rig.mesh.positions, &influences, &world_from_bind);
        let (low, high) = bounds_of(&skinned);
        let allowed = 1e-4 * f64::from((high - low).length());

        let file = folder.join("reference").join(format!("{name}.json"));
        let text = std::fs::read(file).map_err(|e| e.to_string())?;
        let cases: Vec<Value> = serde_json::from_slice(&text).map_err(|e| e.to_string())?;
        let at_rest = cases.iter().find(|case| case["animation"].is_null());
        let meshes = at_rest.and_then(|case| case["meshes"].as_array());
        let mut nearest = f64::INFINITY;
        for mesh in meshes.into_iter().flatten() {
            let read = |key: &str| mesh[key].clone();
            let expected: Vec<DVec3> =
                serde_json::from_value(read("positions")).map_err(|e| e.to_string())?;
            let vertices: Vec<usize> =
                serde_json::from_value(read("vertices")).map_err(|e| e.to_string())?;
            let off = vertices.iter().zip(expected).map(|(&vertex, expected)| {
                skinned
                    .get(vertex)
                    .map_or(f64::INFINITY, |found| found.as_dvec3().distance(expected))
            });
            nearest = nearest.min(off.fold(0.0, f64::max));
        }
        if nearest <= allowed {
            Ok(())
        } else {
            Err(format!("off by {nearest}, allowed {allowed}"))
        }
    }

    #[test]
    fn skinned_positions_agree_with_an_independent_program_at_rest() {
        let Some(folder) = folder("skinned_positions_agree_with_an_independent_program_at_rest")
        else {
            return;
        };
        let mut problems = Vec::new();
        let mut seen = 0;
        for (folder, names) in [
            (
                folder.clone(),
                "SimpleSkin.gltf RiggedSimple.glb RiggedFigure.glb CesiumMan.glb Fox.glb \
                 RecursiveSkeletons.glb whale.CYCLES.gltf greenman.glb two_skins.gltf \
                 Instancing_07.gltf Animation_Skin_00.gltf Animation_Skin_01.gltf \
                 Animation_Skin_02.gltf Animation_Skin_03.gltf Animation_Skin_04.gltf \
                 Animation_Skin_05.gltf Animation_SkinType_00.gltf Animation_SkinType_01.gltf",
            ),
            (
                folder.join("synthetic"),
                "armature_matrix.glb cubic.glb integers.glb mirrored.glb moved_mesh.glb \
                 no_inverse_binds.gltf sparse.gltf step.gltf",
            ),
        ] {
            for name in names.split_whitespace() {
                seen += 1;
                if let Err(problem) = agrees(&folder, name) {
                    problems.push(format!("{name}: {problem}"));
                }
            }
        }
        assert!(
            problems.is_empty(),
            "{seen} models:\n{}",
            problems.join("\n")
        );
    }

    #[test]
    fn malformed_files_are_refused_or_read_and_never_worse() {
        let Some(folder) = folder("malformed_files_are_refused_or_read_and_never_worse") else {
            return;
        };
        let folder = folder.join("invalid");
        let mut refused = 0;
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let bytes = std::fs::read(&path).unwrap();
            let resolve = |file: &str| std::fs::read(folder.join(file)).ok();
            refused += usize::from(read_gltf(&bytes, &resolve).is_err());
        }
        assert!(refused >= 30, "{refused}");
    }
}
